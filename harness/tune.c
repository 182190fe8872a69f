/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/tune.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/clock.h"
#include "attn/tensor.h"
#include "harness/golden.h"
#include "harness/job.h"
#include "harness/stats.h"

#define WINDOW_S     0.01 /* a sample of a fast kernel averages runs for this long */
#define SHORT_S      0.1  /* caches and clocks matter: the first run says little about the next */
#define MOST_RUNS    1000
#define TRIAL_ROUNDS 2
#define HOPELESS     2.0 /* times the best, after the trial */

attn_status tune_case_open(tune_case *c, const attn_workload *w, attn_reason *why)
{
    *c = (tune_case){.w = *w};
    attn_status status = job_fits(w, why);
    if (status == ATTN_OK)
        status = attn_inputs_make(w, ATTN_GEN_NORMAL, GOLDEN_SEED, &c->inputs, why);
    if (status != ATTN_OK)
        return status;
    c->out = attn_alloc(attn_out_elements(w) * sizeof *c->out);
    if (!c->out) {
        attn_inputs_free(&c->inputs);
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the output to verify");
    }
    return status;
}

void tune_case_close(tune_case *c)
{
    attn_inputs_free(&c->inputs);
    attn_free(c->out);
}

static bool same_size(gpu_size a, gpu_size b)
{
    return a.local_x == b.local_x && a.local_y == b.local_y && a.rows == b.rows;
}

/* Adds a size, unless the plan makes of it what it made of an earlier one, or nothing. */
static void add_candidate(tune_group *g, gpu_size size, gpu_size own)
{
    tune_candidate *c = &g->list[g->count];
    *c = (tune_candidate){.size = size, .median_s = NAN, .kernel = *g->kernel};
    c->row = gpu_row_sized(g->kernel->impl, size);
    c->kernel.impl = &c->row;
    attn_status status = gpu_kernel_size(&c->kernel, &g->w, &c->real, &c->why);
    for (size_t i = 0; status == ATTN_OK && i < g->count; i++)
        if (same_size(g->list[i].real, c->real))
            return;
    if (status == ATTN_OK) {
        g->own = same_size(size, own) ? c : g->own;
        g->count++;
    } else if (g->status == ATTN_OK) {
        g->status = status;
        g->why = c->why;
    }
}

static void add_candidates(tune_group *g)
{
    const gpu_row *row = g->kernel->impl;
    const gpu_plan_kind *kind = gpu_plan_kind_of(row->plan);
    const gpu_size own = {row->local_x, row->local_y, row->rows};
    add_candidate(g, own, own);
    for (size_t i = 0; i < GPU_PLAN_SIZES && kind->sizes[i].local_x > 0; i++)
        if (!same_size(kind->sizes[i], own))
            add_candidate(g, kind->sizes[i], own);
    if (g->count > 0)
        g->status = ATTN_OK;
}

/* The reference judges one output of each contract; others must have its digest. */
static attn_status check(tune_candidate *k, tune_case *c)
{
    attn_digest *right = &c->right[k->kernel.contract];
    attn_timing timing;
    const double start = clock_seconds();
    attn_status status = k->kernel.ops->run(k->job, &timing, &k->why);
    k->run_s = clock_seconds() - start;
    if (status == ATTN_OK)
        status = k->kernel.ops->fetch(k->job, c->out, &k->why);
    if (status != ATTN_OK)
        return status;
    const attn_digest digest = attn_digest_floats(c->out, attn_out_elements(&c->w));
    if (attn_digest_equal(&digest, right))
        return ATTN_OK;
    verify_result result;
    const verify_options options = {.golden = true, .always_full = true};
    verify_job(&k->kernel, &c->w, &c->inputs, k->job, &options, c->out, &result);
    k->why = result.why;
    if (result.status == ATTN_OK)
        *right = result.digest;
    return result.status;
}

/* Mean time of `runs` runs; *wall_s: of all of them, by the host's clock. */
static attn_status sample(tune_candidate *k, uint64_t runs, double *run_s, double *wall_s)
{
    const double start = clock_seconds();
    double device_s = 0;
    attn_status status = ATTN_OK;
    for (uint64_t i = 0; status == ATTN_OK && i < runs; i++) {
        attn_timing timing = {NAN};
        status = k->kernel.ops->run(k->job, &timing, &k->why);
        device_s += timing.device_s;
    }
    *wall_s = clock_seconds() - start;
    *run_s = (isfinite(device_s) && device_s > 0 ? device_s : *wall_s) / (double)runs;
    return status;
}

/* Prepares, checks and warms up. *used: bytes of host memory, and those of this one. */
static attn_status prepare(tune_candidate *k, tune_case *c, double *used)
{
    const attn_kernel *kernel = &k->kernel;
    attn_job_facts facts;
    double run_s;
    attn_status status = job_memory_fits(job_host_bytes(kernel, &c->w, 0), *used, &k->why);
    if (status == ATTN_OK)
        status = kernel->ops->prepare(kernel, &c->w, &c->inputs, 0, &k->job, &k->why);
    if (status != ATTN_OK)
        return status;
    kernel->ops->facts(k->job, &facts);
    memcpy(k->config, facts.config, sizeof k->config);
    const double bytes = job_host_bytes(kernel, &c->w, facts.extra_bytes);
    status = job_memory_fits(bytes, *used, &k->why);
    if (status == ATTN_OK)
        status = check(k, c);
    if (status == ATTN_OK && k->run_s < SHORT_S)
        status = sample(k, 1, &run_s, &k->run_s);
    *used += bytes;
    const double fit = ceil(WINDOW_S / fmax(k->run_s, 1e-9));
    k->batch = fit < MOST_RUNS ? (uint64_t)fit : MOST_RUNS;
    k->open = status == ATTN_OK;
    return status;
}

static const tune_candidate *fastest(const tune_group *g, size_t samples)
{
    const tune_candidate *best = NULL;
    for (size_t i = 0; i < g->count; i++) {
        const tune_candidate *k = &g->list[i];
        if (k->open && k->samples >= samples && (!best || k->median_s < best->median_s))
            best = k;
    }
    return best;
}

/* One sample of each but those that, for all that is known now, are far behind. */
static void time_round(tune_group *g, size_t round)
{
    const tune_candidate *best = round < TRIAL_ROUNDS ? NULL : fastest(g, TRIAL_ROUNDS);
    const double most_s = best ? HOPELESS * best->median_s : INFINITY;
    for (size_t i = 0; i < g->count; i++) {
        tune_candidate *k = &g->list[(i + round) % g->count]; /* none is always the first */
        double wall_s;
        if (!k->open || k->median_s > most_s)
            continue;
        k->status = sample(k, k->batch, &k->sample_s[k->samples], &wall_s);
        k->open = k->status == ATTN_OK;
        k->samples += k->open;
        k->median_s = stats_median_interval(k->sample_s, k->samples).median;
    }
}

/* Wall time of the least that is timed. */
static double least_seconds(const tune_group *g)
{
    double best = INFINITY, seconds = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->list[i].open)
            best = fmin(best, g->list[i].run_s);
    for (size_t i = 0; i < g->count; i++) {
        const tune_candidate *k = &g->list[i];
        const size_t rounds = k->run_s > HOPELESS * best ? TRIAL_ROUNDS : TUNE_LEAST_ROUNDS;
        if (k->open)
            seconds += (double)rounds * (double)k->batch * k->run_s;
    }
    return seconds;
}

/* Of what is prepared so far. */
static bool fits_budget(tune_group *g, double budget_s)
{
    const double least = least_seconds(g);
    if (least > budget_s)
        g->status = attn_because(&g->why, ATTN_SKIPPED,
                                 "%d rounds take about %.3g s, its share of the budget is %.3g s",
                                 TUNE_LEAST_ROUNDS, least, budget_s);
    return least <= budget_s;
}

static void time_all(tune_group *g, double budget_s)
{
    const double start = clock_seconds();
    for (size_t round = 0; round < TUNE_MOST_ROUNDS; round++) {
        if (round >= TUNE_LEAST_ROUNDS && clock_seconds() - start >= budget_s)
            break;
        time_round(g, round);
    }
    g->chosen = fastest(g, TUNE_LEAST_ROUNDS);
    if (g->chosen && g->own && g->own->open &&
        g->own->median_s <= (1 + TUNE_NOISE) * g->chosen->median_s)
        g->chosen = g->own;
}

void tune_group_run(tune_group *g, const attn_kernel *kernel, tune_case *c, double *left_s,
                    size_t later)
{
    *g = (tune_group){.kernel = kernel, .w = c->w};
    double used = (double)job_input_bytes(&c->w) + sizeof(float) * (double)attn_out_elements(&c->w);
    add_candidates(g);
    const double share_s = *left_s / (double)(1 + later);
    bool fits = g->count > 0;
    for (size_t i = 0; i < g->count && fits; i++) {
        g->list[i].status = prepare(&g->list[i], c, &used);
        fits = fits_budget(g, share_s);
    }
    const double start = clock_seconds();
    if (fits)
        time_all(g, share_s);
    *left_s = fmax(0, *left_s - (clock_seconds() - start));
    for (size_t i = 0; i < g->count; i++) {
        if (g->list[i].job)
            kernel->ops->release(g->list[i].job);
        g->list[i].job = NULL;
    }
}

bool tune_group_choice(const tune_group *g, gpu_choice *choice)
{
    if (!g->chosen)
        return false;
    *choice = (gpu_choice){.class = gpu_class_of(&g->w), .size = g->chosen->size};
    snprintf(choice->kernel, sizeof choice->kernel, "%s", g->kernel->name);
    attn_workload_format(&g->w, choice->workload);
    choice->median_ns = 1e9 * g->chosen->median_s;
    choice->gflops = (double)attn_flops(&g->w) / choice->median_ns;
    return true;
}
