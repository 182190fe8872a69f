/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark run: any kernel on a user's own tensors. Shapes [n, d], [h, n, d] or [b, h, n, d], in
 * the other layout [n, h, d] or [b, n, h, d].
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/digest.h"
#include "attn/file.h"
#include "attn/tensor.h"
#include "harness/cli.h"
#include "harness/job.h"
#include "harness/own_shaders.h"
#include "harness/registry.h"
#include "harness/tuning.h"

typedef struct request {
    char *path[3], *out, *layout_name, *mask, *scale, *kernel, *device; /* owned */
    attn_layout layout;
    attn_array array[3]; /* q, k, v */
    attn_workload w;
    own_shaders own;
    gpu_tuning tuning;
    cli_list own_kernels; /* the default's choice, where there are shaders */
} request;

static const char *const tensor_names[3] = {"--q", "--k", "--v"};

enum { LAYOUTS = 2 };
static const char *const layout_names[LAYOUTS] = {
    [ATTN_LAYOUT_BHND] = "bhnd", [ATTN_LAYOUT_BNHD] = "bnhd"};

static attn_status parse_layout(const char *name, attn_layout *layout, attn_reason *why)
{
    for (int i = 0; i < LAYOUTS; i++)
        if (strcmp(name, layout_names[i]) == 0) {
            *layout = (attn_layout)i;
            return ATTN_OK;
        }
    return attn_because(why, ATTN_ERROR, "--layout %.40s: unknown (allowed: %s, %s)", name,
                        layout_names[0], layout_names[1]);
}

/* An array of fewer dimensions has one batch entry, or one head. */
static attn_shape shape_of(const attn_array *a, attn_layout layout)
{
    uint32_t size[4] = {1, 1, 1, 1};
    for (unsigned i = 0; i < a->rank; i++)
        size[4 - a->rank + i] = (uint32_t)a->shape[i]; /* at most ATTN_MAX_LENGTH */
    if (layout == ATTN_LAYOUT_BNHD && a->rank > 2)
        return (attn_shape){size[0], size[2], size[1], size[3]};
    return (attn_shape){size[0], size[1], size[2], size[3]};
}

static attn_status must_agree(int tensor, const char *what, uint32_t size, int with, uint32_t other,
                              attn_reason *why)
{
    if (size == other)
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR, "%s: %s is %u, that of %s is %u (must agree)",
                        tensor_names[tensor], what, (unsigned)size, tensor_names[with],
                        (unsigned)other);
}

static attn_status check_shapes(const attn_array *a, const attn_shape *s, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (int i = 1; i < 3 && status == ATTN_OK; i++)
        status = must_agree(i, "number of dimensions", a[i].rank, 0, a[0].rank, why);
    if (status == ATTN_OK)
        status = must_agree(1, "head size", s[1].width, 0, s[0].width, why);
    if (status == ATTN_OK)
        status = must_agree(2, "number of keys", s[2].rows, 1, s[1].rows, why);
    if (status == ATTN_OK)
        status = must_agree(2, "number of heads", s[2].heads, 1, s[1].heads, why);
    for (int i = 1; i < 3 && status == ATTN_OK; i++)
        status = must_agree(i, "batch", s[i].batch, 0, s[0].batch, why);
    return status;
}

/* The workload's text form checks every range and relation, and its messages name the key. */
static attn_status describe(request *q, attn_reason *why)
{
    const attn_array *a = q->array;
    char text[ATTN_WORKLOAD_TEXT];
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    const char *mask = q->mask ? q->mask : "full";
    if (strcmp(mask, "full") != 0 && strcmp(mask, "causal") != 0 && strcmp(mask, "causal-tl") != 0)
        return attn_because(why, ATTN_ERROR,
                            "--mask %s: unknown (allowed: causal, causal-tl, full)", mask);
    if (q->scale && strchr(q->scale, ',')) /* in the text form it would begin another key */
        return attn_because(why, ATTN_ERROR, "--scale %.40s: a number wanted", q->scale);
    attn_shape s[3];
    for (int i = 0; i < 3; i++)
        s[i] = shape_of(&a[i], q->layout);
    attn_status status = check_shapes(a, s, why);
    if (status != ATTN_OK)
        return status;
    const bool half = a[0].dtype == ATTN_F16 && a[1].dtype == ATTN_F16 && a[2].dtype == ATTN_F16;
    snprintf(text, sizeof text, "b=%u,h=%u,hk=%u,n=%u,m=%u,d=%u,dv=%u,mask=%s,dtype=%s%s%s",
             (unsigned)s[0].batch, (unsigned)s[0].heads, (unsigned)s[1].heads, (unsigned)s[0].rows,
             (unsigned)s[1].rows, (unsigned)s[0].width, (unsigned)s[2].width, mask,
             half ? "f16" : "f32", q->scale ? ",scale=" : "", q->scale ? q->scale : "");
    status = attn_workload_parse(text, list, &count, why);
    if (status == ATTN_OK)
        q->w = list[0];
    return status;
}

/* Contracts F and M store binary32: 16-bit tensors are widened, which is exact. */
static attn_status widen(request *q, attn_reason *why)
{
    for (int i = 0; i < 3; i++) {
        attn_array *a = &q->array[i];
        if (a->dtype == ATTN_F32)
            continue;
        size_t count = 1;
        for (unsigned axis = 0; axis < a->rank; axis++)
            count *= (size_t)a->shape[axis];
        float *wide = attn_alloc(count * sizeof *wide);
        if (!wide)
            return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to widen %s", tensor_names[i]);
        attn_widen(a->data, a->dtype, count, wide);
        attn_free(a->data);
        a->data = wide;
        a->dtype = ATTN_F32;
    }
    q->w.dtype = ATTN_F32;
    return ATTN_OK;
}

/* The named kernel; else the last exact one that runs here, contract F before M; of the user's own
 * where there are some. */
static const attn_kernel *choose(const registry *r, const char *name, const cli_list *own)
{
    const attn_kernel *best = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const attn_kernel *k = &r->kernels[i];
        if (name ? strcmp(k->name, name) == 0
                 : !k->unavailable && k->contract <= ATTN_CONTRACT_M &&
                       registry_matches(k, own->items, own->count) &&
                       (!best || k->contract <= best->contract)) {
            best = k;
            if (name)
                break;
        }
    }
    return best;
}

/* The output, [b][h][n][dv], as a file in the layout of the inputs. */
static attn_status write_output(const request *q, const float *out, attn_reason *why)
{
    const attn_array *queries = &q->array[0];
    const attn_shape s = {q->w.b, q->w.h, q->w.n, q->w.dv};
    uint64_t shape[4];
    memcpy(shape, queries->shape, sizeof shape);
    shape[queries->rank - 1] = s.width;
    if (q->layout == ATTN_LAYOUT_BHND)
        return attn_npy_write(q->out, out, queries->rank, shape, why);
    float *laid = attn_alloc(attn_out_elements(&q->w) * sizeof *laid);
    if (!laid)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to lay out the output");
    attn_layout_copy(s, sizeof *laid, ATTN_LAYOUT_BHND, out, q->layout, laid);
    const attn_status status = attn_npy_write(q->out, laid, queries->rank, shape, why);
    attn_free(laid);
    return status;
}

/* The reason names the kernel, which the user may not have chosen. */
static attn_status run_kernel(const attn_kernel *kernel, const attn_workload *w,
                              const attn_inputs *in, float *out, attn_reason *why)
{
    attn_reason own;
    const attn_status status = job_output(kernel, w, in, out, &own);
    return status == ATTN_OK ? ATTN_OK
                             : attn_because(why, status, "%s: %s", kernel->name, own.text);
}

static attn_status compute(request *q, const attn_kernel *kernel, attn_reason *why)
{
    attn_status status = kernel->contract == ATTN_CONTRACT_X ? ATTN_OK : widen(q, why);
    if (status == ATTN_OK)
        status = job_fits(&q->w, why);
    if (status != ATTN_OK)
        return status;
    const attn_inputs in = {
        .q = q->array[0].data, .k = q->array[1].data, .v = q->array[2].data, .layout = q->layout};
    const size_t count = attn_out_elements(&q->w);
    float *out = attn_alloc(count * sizeof *out);
    status = out ? run_kernel(kernel, &q->w, &in, out, why)
                 : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the output");
    if (status == ATTN_OK)
        status = write_output(q, out, why);
    if (status == ATTN_OK) {
        char text[ATTN_WORKLOAD_TEXT];
        printf("%s  %s (contract %s) on %s  %s\n", attn_digest_floats(out, count).hex, kernel->name,
               attn_contract_name(kernel->contract), kernel->device,
               attn_workload_format(&q->w, text));
    }
    attn_free(out);
    return status;
}

static int run(request *q)
{
    registry r;
    attn_reason why;
    if (q->layout_name && parse_layout(q->layout_name, &q->layout, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    for (int i = 0; i < 3; i++)
        if (attn_npy_read(q->path[i], &q->array[i], &why) != ATTN_OK)
            return cli_usage("%s: %s", tensor_names[i], why.text);
    if (describe(q, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    for (int i = 0; i < 3; i++)
        if (attn_file_same(q->out, q->path[i]))
            return cli_usage("--out %s: this is the file of %s", q->out, tensor_names[i]);
    int opened = own_shaders_open(&q->own, &q->own_kernels);
    if (opened < 0)
        opened = tuning_open(&q->tuning);
    if (opened >= 0)
        return opened;
    const gpu_options options = own_shaders_options(&q->own, &q->tuning);
    const char *device = q->own.count > 0 ? q->device : registry_device(q->device, q->kernel);
    if (registry_open(&r, device, &options, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    const attn_kernel *kernel = choose(&r, q->kernel, &q->own_kernels);
    int status = EXIT_OK;
    if (!kernel)
        status = cli_usage("--kernel %s: no such kernel here (see 'attnmark list')",
                           q->kernel ? q->kernel : "(default)");
    else if (compute(q, kernel, &why) != ATTN_OK)
        status = cli_usage("%s", why.text);
    return registry_finish(&r, status);
}

static void free_request(request *q)
{
    tuning_free(&q->tuning);
    own_shaders_close(&q->own);
    cli_list_free(&q->own_kernels);
    for (int i = 0; i < 3; i++) {
        attn_array_free(&q->array[i]);
        free(q->path[i]);
    }
    free(q->out);
    free(q->layout_name);
    free(q->mask);
    free(q->scale);
    free(q->kernel);
    free(q->device);
}

static bool take_option(void *context, int val, const char *argument)
{
    request *q = context;
    bool taken;
    if (own_shaders_take(&q->own, val, argument, &taken))
        return true;
    cli_usage("out of memory");
    return false;
}

int cmd_run(int argc, const char **argv)
{
    request q = {0};
    const struct poptOption options[] = {
        {"q", 0, POPT_ARG_STRING, &q.path[0], 0, "queries [n,d], [h,n,d] or [b,h,n,d]", "Q.npy"},
        {"k", 0, POPT_ARG_STRING, &q.path[1], 0, "keys, as many dimensions", "K.npy"},
        {"v", 0, POPT_ARG_STRING, &q.path[2], 0, "values, as many dimensions", "V.npy"},
        {"out", 0, POPT_ARG_STRING, &q.out, 0, "output, float32", "O.npy"},
        {"layout", 0, POPT_ARG_STRING, &q.layout_name, 0,
         "bhnd (default), or bnhd: [n,h,d] or [b,n,h,d], output too", "NAME"},
        {"mask", 0, POPT_ARG_STRING, &q.mask, 0, "causal (bottom-right), causal-tl, full (default)",
         "MASK"},
        {"scale", 0, POPT_ARG_STRING, &q.scale, 0, "any finite number (default 1/sqrt(d))", "S"},
        {"kernel", 0, POPT_ARG_STRING, &q.kernel, 0, "see 'attnmark list' (default: the best)",
         "NAME"},
        {"device", 0, POPT_ARG_STRING, &q.device, 0, "cpu (default), vk, index, UUID or name",
         "SEL"},
        OWN_SHADERS_TABLE,
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "--q Q.npy --k K.npy --v V.npy --out O.npy",
                           take_option, &q);
    if (status < 0 && !(q.path[0] && q.path[1] && q.path[2] && q.out))
        status = cli_usage("--q, --k, --v and --out are required (see 'attnmark run --help')");
    if (status < 0)
        status = run(&q);
    free_request(&q);
    return status;
}
