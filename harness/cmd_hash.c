/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark hash: the canonical digest of a workload's output, by any kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/tensor.h"
#include "harness/cli.h"
#include "harness/golden.h"
#include "harness/job.h"
#include "harness/registry.h"

/* The named kernel, or the scalar reference of contract F (X for 16-bit storage). */
static const attn_kernel *choose(const registry *r, const char *name, const attn_workload *w)
{
    if (!name)
        name = w->dtype == ATTN_F32 ? "scalar_f" : "scalar_x";
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->kernels[i].name, name) == 0)
            return &r->kernels[i];
    return NULL;
}

static attn_status print_digest(const attn_kernel *kernel, const attn_workload *w, uint32_t seed,
                                attn_reason *why)
{
    char text[ATTN_WORKLOAD_TEXT];
    attn_inputs in;
    attn_status status = job_fits(w, why);
    if (status == ATTN_OK)
        status = attn_inputs_make(w, ATTN_GEN_NORMAL, seed, &in, why);
    if (status != ATTN_OK)
        return status;
    const size_t count = attn_out_elements(w);
    float *out = attn_alloc(count * sizeof *out);
    status = out ? job_output(kernel, w, &in, out, why)
                 : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the output");
    if (status == ATTN_OK) {
        const attn_digest digest = attn_digest_floats(out, count);
        printf("%s  %s  %s\n", digest.hex, kernel->name, attn_workload_format(w, text));
        fflush(stdout);
    }
    attn_free(out);
    attn_inputs_free(&in);
    return status;
}

typedef struct request {
    char *workload, *kernel, *device; /* owned */
    int seed;
} request;

static int hash(const request *q)
{
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_reason why;
    registry r;
    if (!q->workload)
        return cli_usage("--workload is required (see 'attnmark hash --help')");
    if (!cli_seed(q->seed))
        return EXIT_USAGE;
    if (attn_workload_parse(q->workload, list, &count, &why) != ATTN_OK)
        return cli_usage("--workload: %s", why.text);
    if (registry_open(&r, registry_device(q->device, q->kernel), NULL, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    int status = EXIT_OK;
    for (size_t i = 0; i < count && status == EXIT_OK; i++) {
        const attn_kernel *kernel = choose(&r, q->kernel, &list[i]);
        if (!kernel)
            status = cli_usage("--kernel %s: no such kernel here (see 'attnmark list')",
                               q->kernel ? q->kernel : "(default)");
        else if (print_digest(kernel, &list[i], (uint32_t)q->seed, &why) != ATTN_OK)
            status = cli_usage("%s: %s", kernel->name, why.text);
    }
    return registry_finish(&r, status);
}

int cmd_hash(int argc, const char **argv)
{
    request q = {.seed = GOLDEN_SEED};
    const struct poptOption options[] = {
        {"workload", 0, POPT_ARG_STRING, &q.workload, 0, "what to compute (required)", "TEXT"},
        {"kernel", 0, POPT_ARG_STRING, &q.kernel, 0,
         "by which kernel (default: scalar_f or scalar_x)", "NAME"},
        {"device", 0, POPT_ARG_STRING, &q.device, 0, "on which device", "SEL"},
        {"seed", 0, POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &q.seed, 0,
         "of the inputs (0..2147483647)", "N"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "--workload TEXT [--kernel NAME]", NULL, NULL);
    if (status < 0)
        status = hash(&q);
    free(q.workload);
    free(q.kernel);
    free(q.device);
    return status;
}
