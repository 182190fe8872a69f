/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/clock.h"
#include "attn/tensor.h"
#include "harness/bench.h"
#include "harness/golden.h"
#include "harness/interrupt.h"
#include "harness/job.h"
#include "harness/verify.h"

static double job_bytes(const bench_row *row)
{
    return job_host_bytes(row->lane->kernel, row->result.workload, row->result.bytes_extra);
}

/* Closes the row when `bytes` more do not fit beside `used`. */
static bool fits_memory(bench_row *row, double used, double bytes)
{
    attn_reason why;
    attn_status status = job_memory_fits(bytes, used, &why);
    if (status != ATTN_OK)
        bench_close_row(row, status, "%s", why.text);
    return status == ATTN_OK;
}

static void close_all(bench *b, bench_group *g, attn_status status, const char *reason)
{
    for (size_t l = 0; l < b->lane_count; l++)
        if (g->rows[l].open)
            bench_close_row(&g->rows[l], status, "%s", reason);
}

/* What the whole group needs; without it, every row is closed. */
static void make_inputs(bench *b, bench_group *g)
{
    const attn_workload *w = &g->workload;
    uint64_t out = attn_out_elements(w) * sizeof(float);
    attn_reason why;
    for (size_t l = 0; l < b->lane_count; l++)
        if (g->rows[l].open &&
            !fits_memory(&g->rows[l], 0, (double)job_input_bytes(w) + (double)out))
            close_all(b, g, ATTN_OUT_OF_MEMORY, g->rows[l].result.why.text);
    bool any = false;
    for (size_t l = 0; l < b->lane_count; l++)
        any = any || g->rows[l].open;
    if (!any)
        return;
    attn_status status = attn_inputs_make(w, ATTN_GEN_NORMAL, b->seed, &g->inputs, &why);
    if (status == ATTN_OK && (g->output = attn_alloc(out)) == NULL)
        status = attn_because(&why, ATTN_OUT_OF_MEMORY, "no memory for the output to verify");
    if (status != ATTN_OK) {
        close_all(b, g, status, why.text);
        return;
    }
    for (int i = 0; i < 3; i++)
        g->input_digest[i] = attn_digest_input(w, &g->inputs, (attn_tensor_id)i);
}

static void verify_row(bench *b, bench_group *g, bench_row *row)
{
    verify_options options = {.golden = b->seed == GOLDEN_SEED, .seconds = BENCH_VERIFY_S};
    verify_result verified;
    verify_job(row->lane->kernel, &g->workload, &g->inputs, row->job, &options, g->output,
               &verified);
    result_row *result = &row->result;
    snprintf(result->verified, sizeof result->verified, "%s", verified.method);
    snprintf(result->digest, sizeof result->digest, "%s", verified.digest.hex);
    memcpy(result->inputs, g->input_digest, sizeof result->inputs);
    result->max_rel_error = verified.max_rel_error;
    result->max_bound_share = verified.max_bound_share;
    if (verified.status != ATTN_OK)
        bench_close_row(row, verified.status, "%s", verified.why.text);
}

static void take_facts(bench_row *row)
{
    result_row *result = &row->result;
    attn_job_facts facts;
    row->lane->kernel->ops->facts(row->job, &facts);
    result->bytes_extra = facts.extra_bytes;
    result->bytes_extra_known = true;
    result->compile_ns = 1e9 * facts.compile_s;
    result->dispatches = facts.dispatches;
    memcpy(result->config, facts.config, sizeof result->config);
    result->tuned = facts.tuned;
    result->best = facts.best;
}

static void prepare_row(bench *b, bench_group *g, bench_row *row)
{
    const attn_kernel *kernel = row->lane->kernel;
    attn_reason why;
    if (!fits_memory(row, g->bytes_used, job_bytes(row)))
        return;
    double start = clock_seconds();
    attn_status status =
        kernel->ops->prepare(kernel, &g->workload, &g->inputs, row->lane->threads, &row->job, &why);
    if (status != ATTN_OK) {
        row->job = NULL;
        bench_close_row(row, status, "%s", why.text);
        return;
    }
    row->result.prepare_ns = 1e9 * (clock_seconds() - start);
    take_facts(row);
    /* Memory is only taken when it is first written: there is still time to refuse. */
    if (fits_memory(row, g->bytes_used, job_bytes(row)))
        verify_row(b, g, row);
    if (row->open)
        bench_warm_up(b, row);
    if (row->open)
        bench_admit(b, row);
    if (row->open) {
        g->bytes_used += job_bytes(row);
    } else {
        kernel->ops->release(row->job);
        row->job = NULL;
    }
}

attn_status bench_prepare(bench *b, bench_group *g, attn_reason *why)
{
    for (size_t l = 0; l < b->lane_count; l++)
        if (g->rows[l].open)
            bench_pilot(b, &g->rows[l]);
    bench_estimate(b);
    for (size_t l = 0; l < b->lane_count; l++)
        if (g->rows[l].open)
            bench_admit(b, &g->rows[l]);
    make_inputs(b, g);
    g->bytes_used = b->roof_bytes + (double)job_input_bytes(&g->workload) +
                    sizeof(float) * (double)attn_out_elements(&g->workload);
    attn_status status = bench_store_closed(b, why);
    for (size_t l = 0; l < b->lane_count && status == ATTN_OK; l++) {
        bench_row *row = &g->rows[l];
        if (!row->open || interrupt_signal() != 0)
            continue;
        bench_show(row, true);
        prepare_row(b, g, row);
        status = bench_store_closed(b, why);
    }
    return status;
}

void bench_release(bench *b, bench_group *g)
{
    for (size_t l = 0; l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        if (row->job != NULL)
            row->lane->kernel->ops->release(row->job);
        row->job = NULL;
    }
    attn_inputs_free(&g->inputs);
    attn_free(g->output);
    g->output = NULL;
}
