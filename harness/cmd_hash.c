/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark hash: the canonical digest of a workload's output, by any kernel.
 */
#include <stdio.h>
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

int cmd_hash(int argc, const char **argv)
{
    char *text = NULL, *name = NULL, *device = NULL;
    int seed = GOLDEN_SEED;
    const struct poptOption options[] = {
        {"workload", 0, POPT_ARG_STRING, &text, 0, "what to compute (required)", "TEXT"},
        {"kernel", 0, POPT_ARG_STRING, &name, 0, "by which kernel (default: scalar_f or scalar_x)",
         "NAME"},
        {"device", 0, POPT_ARG_STRING, &device, 0, "on which device", "SEL"},
        {"seed", 0, POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &seed, 0, "of the inputs", "N"},
        POPT_AUTOHELP POPT_TABLEEND};
    int exit_status = cli_parse(argc, argv, options, "--workload TEXT [--kernel NAME]", NULL, NULL);
    if (exit_status >= 0)
        return exit_status;
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_reason why;
    registry r;
    if (!text)
        return cli_usage("--workload is required (see 'attnmark hash --help')");
    if (attn_workload_parse(text, list, &count, &why) != ATTN_OK)
        return cli_usage("--workload: %s", why.text);
    const char *where = device ? device : name && strncmp(name, "vk", 2) == 0 ? "vk" : "cpu";
    if (registry_open(&r, where, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    exit_status = EXIT_OK;
    for (size_t i = 0; i < count && exit_status == EXIT_OK; i++) {
        const attn_kernel *kernel = choose(&r, name, &list[i]);
        if (!kernel)
            exit_status = cli_usage("--kernel %s: no such kernel here (see 'attnmark list')",
                                    name ? name : "scalar_f");
        else if (print_digest(kernel, &list[i], (uint32_t)seed, &why) != ATTN_OK)
            exit_status = cli_usage("%s: %s", kernel->name, why.text);
    }
    registry_close(&r);
    return exit_status;
}
