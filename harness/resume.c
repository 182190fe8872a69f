/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/resume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static attn_status read_command(resume *r, attn_reason *why)
{
    const json_t *command = json_object_get(r->file.header, "command");
    const size_t count = json_array_size(command);
    r->argv = count > 0 ? calloc(count + 1, sizeof *r->argv) : NULL;
    if (r->argv == NULL)
        return attn_because(why, ATTN_ERROR, "%.150s: its header has no command", r->file.path);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(command, i));
        r->argv[i] = word != NULL ? word : ""; /* the store has null for it */
    }
    r->argc = (int)count;
    return ATTN_OK;
}

attn_status resume_read(const char *path, resume *r, attn_reason *why)
{
    *r = (resume){.argc = 0};
    attn_status status = run_file_read(path, &r->file, why);
    if (status == ATTN_OK && r->file.end != NULL)
        status = attn_because(why, ATTN_ERROR, "%.150s: this run has ended", r->file.path);
    if (status == ATTN_OK)
        status = read_command(r, why);
    if (status != ATTN_OK)
        resume_free(r);
    return status;
}

static bench_group *find_group(bench *b, const result_row *row)
{
    char text[ATTN_WORKLOAD_TEXT], other[ATTN_WORKLOAD_TEXT];
    attn_workload_format(row->workload, text);
    for (size_t i = 0; i < b->group_count; i++)
        if (strcmp(text, attn_workload_format(&b->groups[i].workload, other)) == 0)
            return &b->groups[i];
    return NULL;
}

/* Where a row of the file belongs: its group and, unless it is a roof, its row of the plan. */
typedef struct place {
    bench_group *group;
    bench_row *row;
} place;

static attn_status find_place(bench *b, const result_row *row, place *p, attn_reason *why)
{
    *p = (place){find_group(b, row), NULL};
    for (size_t l = 0; p->group != NULL && !row->roof && l < b->lane_count; l++)
        if (run_file_same_key(&p->group->rows[l].result, row))
            p->row = &p->group->rows[l];
    if (p->group == NULL || (p->row == NULL && !row->roof))
        return attn_because(why, ATTN_ERROR, "its row of %.60s on %.60s is none of its command's",
                            row->kernel, row->device);
    return ATTN_OK;
}

static bool whole(const bench *b, const bench_group *g)
{
    bool all = true;
    for (size_t l = 0; l < b->lane_count; l++)
        all = all && g->rows[l].stored;
    return all;
}

/* A roof that judges rows of the group is sampled with them; the others stand alone. */
static bool judges(const bench *b, const bench_group *g, const result_row *roof)
{
    for (size_t l = 0; l < b->lane_count; l++)
        for (int kind = 0; kind < ATTN_ROOFS; kind++) {
            const attn_roof *judge = bench_judge(b, &g->rows[l], (attn_roof_kind)kind);
            if (judge != NULL && strcmp(judge->name, roof->kernel) == 0 &&
                strcmp(judge->device, roof->device) == 0)
                return true;
        }
    return false;
}

/* Together with the others of its group. */
static bool timed(const bench *b, const result_row *row, const bench_group *g)
{
    return row->roof ? judges(b, g, row) : row->status == ATTN_OK;
}

/* Where the first timed row of a group in flight begins: from there on everything is dropped. The
 * rows that stay are marked as stored. */
static void find_cut(resume *r, const bench *b, const place *places)
{
    size_t before;
    r->keep = r->file.whole_size;
    do {
        before = r->keep;
        for (size_t i = 0; i < r->file.count; i++)
            if (places[i].row != NULL)
                places[i].row->stored = r->file.offsets[i] < r->keep;
        for (size_t i = 0; i < r->file.count; i++)
            if (timed(b, &r->file.rows[i], places[i].group) && !whole(b, places[i].group) &&
                r->file.offsets[i] < r->keep)
                r->keep = r->file.offsets[i];
    } while (r->keep < before); /* what is dropped may be another group's */
}

/* Seconds that the samples of a row took. */
static double spent_s(const result_row *row)
{
    const double *ns = row->clock_samples > 0 ? row->wall_samples_ns : row->samples_ns;
    const size_t count = row->clock_samples > 0 ? row->clock_samples : row->samples;
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += 1e-9 * ns[i] * (double)row->iterations;
    return total;
}

/* The row's result becomes that of the file; whose row forgets its samples. */
static void take_result(result_row *to, result_row *from, const attn_workload *workload)
{
    const result_row plan = *to;
    *to = *from;
    to->workload = workload;
    if (plan.kernel != NULL) {
        to->kernel = plan.kernel;
        to->device = plan.device;
        to->device_name = plan.device_name;
    }
    from->samples_ns = from->sample_at_s = from->wall_samples_ns = from->empty_samples_ns = NULL;
}

static void take_row(bench_row *row, result_row *from)
{
    result_row *result = &row->result;
    take_result(result, from, result->workload);
    row->open = false;
    if (result->status == ATTN_OK && result->flops > 0 && isfinite(result->wall_ns))
        row->lane->s_per_flop = 1e-9 * result->wall_ns / (double)result->flops;
}

/* Samples go to gb.json again. */
static attn_status keep_samples(bench *b, const char *name, size_t id, const result_row *row,
                                attn_reason *why)
{
    gbench_times *means = malloc((row->samples + 1) * sizeof *means);
    if (means == NULL || name == NULL) {
        free(means);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < row->samples; i++) {
        const bool clocks = i < row->clock_samples;
        means[i] =
            (gbench_times){1e-9 * row->samples_ns[i], clocks ? 1e-9 * row->wall_samples_ns[i] : NAN,
                           clocks ? 1e-9 * row->empty_samples_ns[i] : NAN};
    }
    const gbench_item item = {.name = name,
                              .label = row->device_name,
                              .batch = row->iterations > 0 ? row->iterations : 1,
                              .flops = row->flops,
                              .id = id};
    attn_status status = gbench_restore(b->engine, &item, means, row->samples, why);
    if (status == ATTN_OK)
        status = gbench_keep(b->engine, id, why);
    free(means);
    return status;
}

/* Roofs of the group's workload: its own, if it is whole, and those that judge no row. */
static attn_status take_roofs(resume *r, bench *b, bench_group *g, const place *places,
                              attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < r->file.count && status == ATTN_OK; i++) {
        result_row *from = &r->file.rows[i], *roof = &b->done[b->done_count];
        if (places[i].group != g || !from->roof || r->file.offsets[i] >= r->keep)
            continue;
        take_result(roof, from, &g->workload);
        char *name = bench_row_name(roof->kernel, roof->workload, roof->threads);
        if (roof->status == ATTN_OK)
            status = keep_samples(b, name, b->group_count * bench_most_rows(b) + b->done_count,
                                  roof, why);
        b->done_count++;
        free(name);
    }
    return status;
}

static attn_status finish_group(bench *b, bench_group *g, attn_reason *why)
{
    attn_status status = ATTN_OK;
    g->finished = true;
    b->shown += (unsigned)b->lane_count;
    for (size_t l = 0; l < b->lane_count && status == ATTN_OK; l++) {
        bench_row *row = &g->rows[l];
        if (row->result.status == ATTN_OK)
            status = keep_samples(b, row->name, row->id, &row->result, why);
        take_result(&b->done[b->done_count++], &row->result, &g->workload);
    }
    return status;
}

static attn_status take_all(resume *r, bench *b, bool fresh_budget, const place *places,
                            attn_reason *why)
{
    double spent = 0, last_s = 0;
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < r->file.count; i++) {
        result_row *row = &r->file.rows[i];
        if (r->file.offsets[i] >= r->keep)
            continue;
        spent += spent_s(row);
        for (size_t k = 0; row->sample_at_s != NULL && k < row->samples; k++)
            last_s = fmax(last_s, row->sample_at_s[k]);
        if (places[i].row != NULL)
            take_row(places[i].row, row);
    }
    for (size_t i = 0; i < b->group_count && status == ATTN_OK; i++) {
        status = take_roofs(r, b, &b->groups[i], places, why);
        if (status == ATTN_OK && whole(b, &b->groups[i]))
            status = finish_group(b, &b->groups[i], why);
    }
    b->start_s -= last_s; /* the clock of the run stood still meanwhile */
    b->left_s -= fresh_budget ? 0 : spent;
    return status;
}

attn_status resume_take(resume *r, bench *b, bool fresh_budget, attn_reason *why)
{
    attn_status status = ATTN_OK;
    place *places = calloc(r->file.count + 1, sizeof *places);
    if (places == NULL || !bench_make_room(b, r->file.count)) {
        free(places);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < r->file.count && status == ATTN_OK; i++)
        status = find_place(b, &r->file.rows[i], &places[i], why);
    if (status == ATTN_OK) {
        find_cut(r, b, places);
        status = take_all(r, b, fresh_budget, places, why);
    }
    free(places);
    return status;
}

attn_status resume_open(const resume *r, store **s, attn_reason *why)
{
    return store_resume(r->file.path, r->file.size, r->keep, s, why);
}

void resume_free(resume *r)
{
    run_file_free(&r->file);
    free(r->argv);
    *r = (resume){.argc = 0};
}
