/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark verify: every kernel x awkward shapes, against the scalar reference by hash and against
 * the binary64 oracle by its bound; or every kernel x golden table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "attn/tensor.h"
#include "harness/cli.h"
#include "harness/generator.h"
#include "harness/golden.h"
#include "harness/job.h"
#include "harness/own_shaders.h"
#include "harness/registry.h"
#include "harness/shapes.h"
#include "harness/tuning.h"

#define ORACLE_ROWS    16
#define FAILURES_SHOWN 3

typedef struct request {
    cli_list kernels, workloads;
    own_shaders own;
    gpu_tuning tuning;
    char *device, *generator_text, *threads_text;
    int full, golden, write_golden;
    unsigned threads; /* of CPU kernels; 0: as many as there are */
    double limit;     /* seconds that one golden check may take */
    int seed;
    attn_generator generator;
    attn_workload workload[ATTN_MAX_SWEEP]; /* of all --workload texts */
    size_t workload_count;
} request;

/* What one kernel's line says. */
typedef struct tally {
    unsigned ok, unsupported, failed;
    double bound_share;
    attn_reason unsupported_why;
} tally;

/* The first failures of a kernel, each with a command that repeats it; the tally counts all. */
static void report_failure(const attn_kernel *kernel, const attn_workload *w, const request *q,
                           attn_generator generator, const verify_result *result, unsigned before)
{
    char text[ATTN_WORKLOAD_TEXT];
    if (before >= FAILURES_SHOWN)
        return;
    printf("%-7s%-16s%s: %s\n  reproduce: attnmark verify --device %s --kernel '%s' --workload %s",
           kernel->device, kernel->name, attn_status_name(result->status), result->why.text,
           kernel->device, kernel->name, attn_workload_format(w, text));
    if (q->golden)
        printf(" --golden");
    else
        printf(" --generator %s --seed %d", generator_name(generator), q->seed);
    if (q->threads)
        printf(" --threads %u", q->threads);
    own_shaders_print(stdout, &q->own);
    printf("\n");
}

static void check(const attn_kernel *kernel, const attn_workload *w, attn_generator generator,
                  const request *q, const verify_options *options, tally *t)
{
    attn_inputs in;
    verify_result result = {.max_bound_share = NAN};
    float *out = attn_alloc(attn_out_elements(w) * sizeof *out);
    result.status = out ? kernel->ops->supports(kernel, w, &result.why)
                        : attn_because(&result.why, ATTN_OUT_OF_MEMORY, "no memory for the output");
    if (result.status == ATTN_OK)
        result.status = job_fits(w, &result.why);
    if (result.status == ATTN_OK)
        result.status = attn_inputs_make(w, generator, (uint32_t)q->seed, &in, &result.why);
    const bool runs = result.status == ATTN_OK;
    if (runs) {
        job_check(kernel, w, &in, q->threads, options, out, &result);
        if (result.status == ATTN_OK && kernel->tier == ATTN_TIER_EXACT)
            verify_oracle(w, &in, kernel->tier, out, ORACLE_ROWS, &result);
        attn_inputs_free(&in);
    }
    attn_free(out);
    t->bound_share = fmax(t->bound_share, result.max_bound_share);
    if (result.status == ATTN_OK) {
        t->ok++;
    } else if (result.status == ATTN_UNSUPPORTED ||
               (result.status == ATTN_OUT_OF_MEMORY && !runs)) {
        t->unsupported++;
        t->unsupported_why = result.why;
    } else {
        report_failure(kernel, w, q, generator, &result, t->failed++);
    }
}

static void check_shapes(const attn_kernel *kernel, const request *q, tally *t)
{
    static shape list[SHAPES_MAX];
    const verify_options options = {.always_full = true};
    if (q->workload_count) {
        for (size_t i = 0; i < q->workload_count; i++)
            check(kernel, &q->workload[i], q->generator, q, &options, t);
        return;
    }
    const size_t count = shapes_for(kernel, q->full != 0, list);
    for (size_t i = 0; i < count; i++)
        check(kernel, &list[i].w, list[i].generator, q, &options, t);
}

static bool wanted(const request *q, const char *workload)
{
    for (size_t i = 0; i < q->workload_count; i++) {
        char text[ATTN_WORKLOAD_TEXT];
        if (strcmp(attn_workload_format(&q->workload[i], text), workload) == 0)
            return true;
    }
    return q->workload_count == 0;
}

/* The golden table's workloads of this kernel's contract. With --workload, only those, however
 * long they take; else those that would outlast the limit at the best rate seen so far are left
 * out, and counted. */
static void check_golden(const attn_kernel *kernel, const request *q, tally *t)
{
    /* Where a golden digest says no, the whole reference may well be worth its time. */
    const verify_options options = {.golden = true, .seconds = 30.0};
    golden_entry entry;
    double rate = 1e8;
    for (size_t i = 0; golden_at(i, &entry); i++) {
        attn_workload sweep[ATTN_MAX_SWEEP];
        size_t count;
        attn_reason why;
        if (entry.contract != kernel->contract ||
            attn_workload_parse(entry.workload, sweep, &count, &why) != ATTN_OK)
            continue;
        if (!wanted(q, entry.workload))
            continue;
        const double flops = (double)attn_flops(&sweep[0]);
        if (q->workload_count == 0 && flops / rate > q->limit) {
            t->unsupported++;
            attn_because(&t->unsupported_why, ATTN_SKIPPED,
                         "the last would take about %.0f s, --limit is %g s", flops / rate,
                         q->limit);
            continue;
        }
        const double start = clock_seconds();
        check(kernel, &sweep[0], ATTN_GEN_NORMAL, q, &options, t);
        rate = fmax(rate, flops / (clock_seconds() - start));
    }
}

static void check_kernel(const attn_kernel *kernel, const request *q, tally *t)
{
    *t = (tally){.bound_share = NAN};
    if (kernel->unavailable) {
        printf("%-7s%-16sunavailable: %s\n", kernel->device, kernel->name, kernel->unavailable);
        return;
    }
    if (q->golden)
        check_golden(kernel, q, t);
    else
        check_shapes(kernel, q, t);
    printf("%-7s%-16scontract %-5s%-8s%4u ok, %u failed", kernel->device, kernel->name,
           attn_contract_name(kernel->contract), attn_tier_name(kernel->tier), t->ok, t->failed);
    if (t->unsupported)
        printf(", %u not run (%s)", t->unsupported, t->unsupported_why.text);
    if (!isnan(t->bound_share))
        printf("; error at most %.3g of its bound", t->bound_share);
    printf("%s\n", kernel->software ? " [software device]" : "");
    fflush(stdout);
}

static int verify_all(const request *q)
{
    registry r;
    attn_reason why;
    const gpu_options options = own_shaders_options(&q->own, &q->tuning);
    if (registry_open(&r, q->device, &options, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    unsigned kernels = 0, checks = 0, failed = 0, matched = 0;
    for (size_t i = 0; i < r.count; i++) {
        tally t;
        if (!registry_matches(&r.kernels[i], q->kernels.items, q->kernels.count))
            continue;
        if (q->golden && r.kernels[i].tier != ATTN_TIER_EXACT)
            continue;
        matched++;
        check_kernel(&r.kernels[i], q, &t);
        kernels += t.ok + t.failed > 0;
        checks += t.ok + t.failed;
        failed += t.failed;
    }
    if (!matched)
        return registry_finish(&r, cli_usage("--kernel: no kernel matches (see 'attnmark list')"));
    printf("%u checks of %u kernels, %u failed\n", checks, kernels, failed);
    if (checks == 0) {
        fflush(stdout);
        fputs("attnmark: nothing was verified: no check applies to these kernels here\n", stderr);
    }
    return registry_finish(&r, failed || checks == 0 ? EXIT_MISMATCH : EXIT_OK);
}

static bool take(void *context, int val, const char *argument)
{
    request *q = context;
    bool taken;
    const bool added = own_shaders_take(&q->own, val, argument, &taken);
    if (taken ? added : cli_list_add(val == 'k' ? &q->kernels : &q->workloads, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

static attn_status read_request(request *q, attn_reason *why)
{
    for (size_t i = 0; i < q->workloads.count; i++) {
        attn_workload list[ATTN_MAX_SWEEP];
        size_t count;
        attn_reason wrong;
        const attn_status status = attn_workload_parse(q->workloads.items[i], list, &count, &wrong);
        if (status != ATTN_OK)
            return attn_because(why, status, "--workload: %s", wrong.text);
        if (q->workload_count + count > ATTN_MAX_SWEEP)
            return attn_because(why, ATTN_ERROR, "--workload: more than %d workloads",
                                ATTN_MAX_SWEEP);
        memcpy(q->workload + q->workload_count, list, count * sizeof list[0]);
        q->workload_count += count;
    }
    if (!(q->limit > 0) || !isfinite(q->limit))
        return attn_because(why, ATTN_ERROR, "--limit: want a number of seconds above 0");
    if (q->golden && (q->seed != GOLDEN_SEED || q->generator_text))
        return attn_because(why, ATTN_ERROR, "--golden goes with neither --seed nor --generator");
    if (q->golden && q->full)
        return attn_because(why, ATTN_ERROR, "--full: a choice of shapes, not with --golden");
    return q->generator_text ? generator_parse(q->generator_text, &q->generator, why) : ATTN_OK;
}

int cmd_verify(int argc, const char **argv)
{
    request q = {.seed = GOLDEN_SEED, .limit = 20.0};
    const struct poptOption options[] = {
        {"kernel", 0, POPT_ARG_STRING, NULL, 'k', "only kernels that match (repeatable)", "GLOB"},
        {"device", 0, POPT_ARG_STRING, &q.device, 0, "cpu, vk, index, UUID or part of a name",
         "SEL"},
        {"full", 0, POPT_ARG_NONE, &q.full, 0, "the dense grid of shapes", NULL},
        {"golden", 0, POPT_ARG_NONE, &q.golden, 0, "the golden table instead of shapes", NULL},
        {"write-golden", 0, POPT_ARG_NONE, &q.write_golden, 0,
         "add missing digests to results/golden (with --full: make all anew)", NULL},
        {"limit", 0, POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &q.limit, 0,
         "longest golden check (above 0)", "SECONDS"},
        {"workload", 0, POPT_ARG_STRING, NULL, 'w', "this workload instead (repeatable)", "TEXT"},
        {"generator", 0, POPT_ARG_STRING, &q.generator_text, 0,
         "normal, peaked, equal, large or cancel", "NAME"},
        {"seed", 0, POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &q.seed, 0,
         "of the inputs (0..2147483647)", "N"},
        {"threads", 0, POPT_ARG_STRING, &q.threads_text, 0,
         "of CPU kernels, 1..1024 (default: as many as there are CPUs)", "T"},
        OWN_SHADERS_TABLE,
        POPT_AUTOHELP POPT_TABLEEND};
    attn_reason why;
    int status = cli_parse(argc, argv, options, "[--kernel GLOB]... [--full] [--golden]", take, &q);
    size_t counts;
    if (status < 0 && (!cli_seed(q.seed) ||
                       (q.threads_text && !cli_threads(q.threads_text, &q.threads, 1, &counts))))
        status = EXIT_USAGE;
    if (status < 0 && read_request(&q, &why) != ATTN_OK)
        status = cli_usage("%s", why.text);
    if (status < 0 && q.write_golden)
        status = golden_write("results/golden", q.full != 0, &why) == ATTN_OK
                     ? EXIT_OK
                     : cli_usage("%s", why.text);
    if (status < 0)
        status = own_shaders_open(&q.own, &q.kernels);
    if (status < 0)
        status = tuning_open(&q.tuning);
    if (status < 0)
        status = verify_all(&q);
    tuning_free(&q.tuning);
    own_shaders_close(&q.own);
    cli_list_free(&q.kernels);
    cli_list_free(&q.workloads);
    free(q.device);
    free(q.generator_text);
    free(q.threads_text);
    return status;
}
