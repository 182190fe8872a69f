/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark run: any kernel on a user's own tensors. Shapes [n, d], [h, n, d] or [b, h, n, d].
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/digest.h"
#include "attn/tensor.h"
#include "harness/cli.h"
#include "harness/job.h"
#include "harness/registry.h"

typedef struct request {
    char *path[3], *out, *mask, *scale, *kernel, *device; /* owned */
    attn_array array[3];                                  /* q, k, v */
    attn_workload w;
} request;

static const char *const tensor_names[3] = {"--q", "--k", "--v"};

/* Dimension `from_end` (0: the last) of an array, 1 where it has none. */
static uint64_t extent(const attn_array *a, unsigned from_end)
{
    return from_end < a->rank ? a->shape[a->rank - 1 - from_end] : 1;
}

static attn_status check_shapes(const attn_array *a, attn_reason *why)
{
    for (int i = 1; i < 3; i++)
        if (a[i].rank != a[0].rank)
            return attn_because(why, ATTN_ERROR, "%s has %u dimensions, --q has %u (must agree)",
                                tensor_names[i], a[i].rank, a[0].rank);
    if (extent(&a[1], 0) != extent(&a[0], 0))
        return attn_because(why, ATTN_ERROR, "--k has head size %llu, --q has %llu (must agree)",
                            (unsigned long long)extent(&a[1], 0),
                            (unsigned long long)extent(&a[0], 0));
    if (extent(&a[2], 1) != extent(&a[1], 1))
        return attn_because(why, ATTN_ERROR, "--v has %llu keys, --k has %llu (must agree)",
                            (unsigned long long)extent(&a[2], 1),
                            (unsigned long long)extent(&a[1], 1));
    if (extent(&a[2], 2) != extent(&a[1], 2))
        return attn_because(why, ATTN_ERROR, "--v has %llu heads, --k has %llu (must agree)",
                            (unsigned long long)extent(&a[2], 2),
                            (unsigned long long)extent(&a[1], 2));
    for (int i = 1; i < 3; i++)
        if (extent(&a[i], 3) != extent(&a[0], 3))
            return attn_because(why, ATTN_ERROR, "%s has batch %llu, --q has %llu (must agree)",
                                tensor_names[i], (unsigned long long)extent(&a[i], 3),
                                (unsigned long long)extent(&a[0], 3));
    return ATTN_OK;
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
    attn_status status = check_shapes(a, why);
    if (status != ATTN_OK)
        return status;
    const bool half = a[0].dtype == ATTN_F16 && a[1].dtype == ATTN_F16 && a[2].dtype == ATTN_F16;
    snprintf(text, sizeof text,
             "b=%llu,h=%llu,hk=%llu,n=%llu,m=%llu,d=%llu,dv=%llu,mask=%s,dtype=%s%s%s",
             (unsigned long long)extent(&a[0], 3), (unsigned long long)extent(&a[0], 2),
             (unsigned long long)extent(&a[1], 2), (unsigned long long)extent(&a[0], 1),
             (unsigned long long)extent(&a[1], 1), (unsigned long long)extent(&a[0], 0),
             (unsigned long long)extent(&a[2], 0), mask, half ? "f16" : "f32",
             q->scale ? ",scale=" : "", q->scale ? q->scale : "");
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
        const size_t count = (size_t)(extent(a, 0) * extent(a, 1) * extent(a, 2) * extent(a, 3));
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

/* The named kernel; else the last exact one that runs here, contract F before M. */
static const attn_kernel *choose(const registry *r, const char *name)
{
    const attn_kernel *best = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const attn_kernel *k = &r->kernels[i];
        if (name ? strcmp(k->name, name) == 0
                 : !k->unavailable && k->contract <= ATTN_CONTRACT_M &&
                       (!best || k->contract <= best->contract)) {
            best = k;
            if (name)
                break;
        }
    }
    return best;
}

static attn_status compute(request *q, const attn_kernel *kernel, attn_reason *why)
{
    attn_status status = kernel->contract == ATTN_CONTRACT_X ? ATTN_OK : widen(q, why);
    if (status == ATTN_OK)
        status = job_fits(&q->w, why);
    if (status != ATTN_OK)
        return status;
    const attn_inputs in = {q->array[0].data, q->array[1].data, q->array[2].data};
    const size_t count = attn_out_elements(&q->w);
    float *out = attn_alloc(count * sizeof *out);
    status = out ? job_output(kernel, &q->w, &in, out, why)
                 : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the output");
    if (status == ATTN_OK) {
        uint64_t shape[4];
        memcpy(shape, q->array[0].shape, sizeof shape);
        shape[q->array[0].rank - 1] = q->w.dv;
        status = attn_npy_write(q->out, out, q->array[0].rank, shape, why);
    }
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
    for (int i = 0; i < 3; i++)
        if (attn_npy_read(q->path[i], &q->array[i], &why) != ATTN_OK)
            return cli_usage("%s: %s", tensor_names[i], why.text);
    if (describe(q, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    if (registry_open(&r, registry_device(q->device, q->kernel), &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    const attn_kernel *kernel = choose(&r, q->kernel);
    int status = EXIT_OK;
    if (!kernel)
        status = cli_usage("--kernel %s: no such kernel here (see 'attnmark list')",
                           q->kernel ? q->kernel : "(default)");
    else if (compute(q, kernel, &why) != ATTN_OK)
        status = cli_usage("%s", why.text);
    registry_close(&r);
    return status;
}

static void free_request(request *q)
{
    for (int i = 0; i < 3; i++) {
        attn_array_free(&q->array[i]);
        free(q->path[i]);
    }
    free(q->out);
    free(q->mask);
    free(q->scale);
    free(q->kernel);
    free(q->device);
}

int cmd_run(int argc, const char **argv)
{
    request q = {0};
    const struct poptOption options[] = {
        {"q", 0, POPT_ARG_STRING, &q.path[0], 0, "queries [n,d], [h,n,d] or [b,h,n,d]", "Q.npy"},
        {"k", 0, POPT_ARG_STRING, &q.path[1], 0, "keys, as many dimensions", "K.npy"},
        {"v", 0, POPT_ARG_STRING, &q.path[2], 0, "values, as many dimensions", "V.npy"},
        {"out", 0, POPT_ARG_STRING, &q.out, 0, "output, float32", "O.npy"},
        {"mask", 0, POPT_ARG_STRING, &q.mask, 0, "causal (bottom-right), causal-tl, full (default)",
         "MASK"},
        {"scale", 0, POPT_ARG_STRING, &q.scale, 0, "any finite number (default 1/sqrt(d))", "S"},
        {"kernel", 0, POPT_ARG_STRING, &q.kernel, 0, "see 'attnmark list' (default: the best)",
         "NAME"},
        {"device", 0, POPT_ARG_STRING, &q.device, 0, "cpu (default), vk, index, UUID or name",
         "SEL"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status =
        cli_parse(argc, argv, options, "--q Q.npy --k K.npy --v V.npy --out O.npy", NULL, NULL);
    if (status < 0 && !(q.path[0] && q.path[1] && q.path[2] && q.out))
        status = cli_usage("--q, --k, --v and --out are required (see 'attnmark run --help')");
    if (status < 0)
        status = run(&q);
    free_request(&q);
    return status;
}
