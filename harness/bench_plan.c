/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "cpu/cpu.h"
#include "harness/bench.h"

static attn_status out_of_memory(attn_reason *why)
{
    return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

static bool add_lane(bench *b, const attn_kernel *kernel, unsigned threads)
{
    for (size_t l = 0; l < b->lane_count; l++)
        if (b->lanes[l].kernel == kernel && b->lanes[l].threads == threads)
            return true;
    bench_lane *grown = realloc(b->lanes, (b->lane_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    b->lanes = grown;
    b->lanes[b->lane_count++] = (bench_lane){kernel, threads, NAN};
    return true;
}

static attn_status make_lanes(bench *b, const bench_options *options, attn_reason *why)
{
    unsigned defaults[2] = {1, cpu_default_threads()};
    const unsigned *threads = options->thread_count ? options->threads : defaults;
    size_t count = options->thread_count ? options->thread_count : defaults[1] > 1 ? 2 : 1;
    for (size_t k = 0; k < b->kernels->count; k++) {
        const attn_kernel *kernel = &b->kernels->kernels[k];
        if (!registry_matches(kernel, options->kernels.items, options->kernels.count))
            continue;
        bool cpu = strcmp(kernel->device, "cpu") == 0, added = true;
        for (size_t t = 0; t < (kernel->threaded ? count : 1) && added; t++)
            added = add_lane(b, kernel, kernel->threaded ? threads[t] : cpu ? 1 : 0);
        if (!added)
            return out_of_memory(why);
    }
    if (b->lane_count == 0)
        return attn_because(why, ATTN_ERROR, "--kernel: no kernel matches (see 'attnmark list')");
    return ATTN_OK;
}

static int cheapest_first(const void *a, const void *b)
{
    uint64_t x = ((const bench_group *)a)->flops, y = ((const bench_group *)b)->flops;
    return (x > y) - (x < y);
}

static bool known_workload(const bench *b, const attn_workload *w)
{
    char text[ATTN_WORKLOAD_TEXT], other[ATTN_WORKLOAD_TEXT];
    attn_workload_format(w, text);
    for (size_t i = 0; i < b->group_count; i++)
        if (strcmp(text, attn_workload_format(&b->groups[i].workload, other)) == 0)
            return true;
    return false;
}

static attn_status add_groups(bench *b, const char *text, attn_reason *why)
{
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_reason wrong;
    const attn_status status = attn_workload_parse(text, list, &count, &wrong);
    if (status != ATTN_OK)
        return attn_because(why, status, "--workload: %s", wrong.text);
    bench_group *grown = realloc(b->groups, (b->group_count + count) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory(why);
    b->groups = grown;
    for (size_t i = 0; i < count; i++)
        if (!known_workload(b, &list[i]))
            b->groups[b->group_count++] =
                (bench_group){.workload = list[i], .flops = attn_flops(&list[i])};
    return ATTN_OK;
}

/* Rows that cannot run are closed here, before anything is spent on them. */
static attn_status fill_row(bench *b, bench_group *g, size_t lane, attn_reason *why)
{
    bench_row *row = &g->rows[lane];
    bench_lane *l = &b->lanes[lane];
    result_row *result = &row->result;
    row->lane = l;
    result->kernel = l->kernel->name;
    result->threads = l->threads;
    result->device = l->kernel->device;
    result->device_name = l->kernel->device_name;
    result->software = l->kernel->software;
    result->contract = l->kernel->contract;
    result->tier = l->kernel->tier;
    result->flops = g->flops;
    result->flops_dense = attn_flops_dense(&g->workload);
    result->bytes = attn_bytes(&g->workload);
    row->id = (size_t)(g - b->groups) * bench_most_rows(b) + lane;
    row->name = bench_row_name(result->kernel, &g->workload, l->threads);
    if (cpu_allowed() > 0 && l->threads > cpu_allowed())
        attn_because(&result->why, ATTN_OK, "%u threads on %u CPU%s", l->threads, cpu_allowed(),
                     cpu_allowed() == 1 ? "" : "s");
    if (row->name == NULL)
        return out_of_memory(why);
    attn_reason unsupported = {""};
    if (l->kernel->unavailable != NULL) {
        bench_close_row(row, ATTN_UNAVAILABLE, "%s", l->kernel->unavailable);
    } else {
        attn_status status = l->kernel->ops->supports(l->kernel, &g->workload, &unsupported);
        if (status != ATTN_OK)
            bench_close_row(row, status, "%s", unsupported.text);
    }
    return ATTN_OK;
}

bool bench_make_room(bench *b, size_t more)
{
    result_row *grown = realloc(b->done, (b->done_room + more) * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + b->done_room, 0, more * sizeof *grown);
    b->done = grown;
    b->done_room += more;
    return true;
}

attn_status bench_plan(bench *b, const registry *r, const bench_options *options, attn_reason *why)
{
    b->kernels = r;
    b->seed = options->seed;
    b->budget_s = b->left_s = options->budget_s;
    b->precision = options->precision;
    b->row_budget_s = options->row_budget_s;
    b->pause_s = options->pause_s;
    b->window_s = options->window_s;
    b->start_s = clock_seconds();
    attn_status status = make_lanes(b, options, why);
    if (status == ATTN_OK && options->workloads.count == 0)
        status = add_groups(b, BENCH_DEFAULT_WORKLOAD, why);
    for (size_t i = 0; status == ATTN_OK && i < options->workloads.count; i++)
        status = add_groups(b, options->workloads.items[i], why);
    if (status != ATTN_OK)
        return status;
    qsort(b->groups, b->group_count, sizeof *b->groups, cheapest_first);
    if (!bench_make_room(b, b->group_count * bench_most_rows(b)))
        return out_of_memory(why);
    for (size_t i = 0; i < b->group_count; i++) {
        bench_group *g = &b->groups[i];
        g->rows = calloc(b->lane_count, sizeof *g->rows);
        if (g->rows == NULL)
            return out_of_memory(why);
        for (size_t l = 0; l < b->lane_count && status == ATTN_OK; l++) {
            bench_row_init(b, &g->rows[l], &g->workload);
            status = fill_row(b, g, l, why);
        }
    }
    return status;
}

attn_status bench_select(bench *b, bool *listed, attn_reason *why)
{
    size_t count = b->group_count * b->lane_count;
    const char **names = malloc(count * sizeof *names);
    bool *selected = malloc(count * sizeof *selected);
    attn_status status = out_of_memory(why);
    if (names != NULL && selected != NULL) {
        for (size_t i = 0; i < count; i++)
            names[i] = b->groups[i / b->lane_count].rows[i % b->lane_count].name;
        status = gbench_select(b->engine, names, count, selected, listed, why);
    }
    for (size_t i = 0; status == ATTN_OK && i < count; i++) {
        bench_row *row = &b->groups[i / b->lane_count].rows[i % b->lane_count];
        if (row->open && !selected[i])
            bench_close_row(row, ATTN_SKIPPED, "left out by --benchmark_filter");
    }
    free(names);
    free(selected);
    return status;
}

void bench_free(bench *b)
{
    for (size_t i = 0; i < b->group_count; i++) {
        for (size_t l = 0; b->groups[i].rows != NULL && l < b->lane_count; l++) {
            free(b->groups[i].rows[l].name);
            result_row_free(&b->groups[i].rows[l].result);
        }
        free(b->groups[i].rows);
    }
    for (size_t i = 0; i < b->done_count; i++)
        result_row_free(&b->done[i]);
    free(b->done);
    free(b->groups);
    free(b->lanes);
}
