/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole benchmark run over kernels that are made up: right, wrong, unsupported, unavailable, out
 * of memory, lost in the middle, too slow, with a clock that stands still. The right ones compute
 * with the scalar reference, so verification is the real one.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "harness/bench.h"

/* Beyond verification and warm-up (at most 1 + 7 runs of 15 ms), within the ten samples. */
#define LOST_AFTER 8

/* From LOST on a run takes a while. */
typedef enum { RIGHT, WRONG, UNSUPPORTED, UNABLE, ENORMOUS, LOST, STILL, TICKING, SLOW } behaviour;

typedef struct fake {
    behaviour kind;
    int runs, empty_runs;
    bool deaf; /* to empty submissions */
} fake;

struct attn_job {
    fake *f;
    float *out;
    size_t count;
};

static int open_jobs;

/* Lines of run.jsonl when a device was first lost. */
static int lines_when_lost;

static fake *fake_of(const attn_kernel *kernel)
{
    return kernel->context;
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    (void)w;
    return fake_of(kernel)->kind == UNSUPPORTED
               ? attn_because(why, ATTN_UNSUPPORTED, "needs 2 of what there is 1")
               : ATTN_OK;
}

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **out, attn_reason *why)
{
    (void)threads;
    if (fake_of(kernel)->kind == UNABLE)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no room");
    attn_job *job = malloc(sizeof *job);
    assert_non_null(job);
    *job = (attn_job){fake_of(kernel), NULL, (size_t)attn_out_elements(w)};
    job->out = attn_alloc(job->count * sizeof *job->out);
    assert_non_null(job->out);
    for (uint32_t b = 0; b < w->b; b++)
        for (uint32_t h = 0; h < w->h; h++)
            assert_int_equal(cpu_reference_rows(ATTN_CONTRACT_M, w, in, b, h, 0, w->n,
                                                job->out + ((size_t)b * w->h + h) * w->n * w->dv,
                                                why),
                             ATTN_OK);
    if (job->f->kind == WRONG)
        job->out[7] += 1;
    open_jobs++;
    *out = job;
    return ATTN_OK;
}

static int lines_of(const char *path)
{
    FILE *file = fopen(path, "r");
    int lines = 0;
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    fake *f = job->f;
    f->runs++;
    timing->device_s = f->kind == TICKING ? 0.25 : f->kind == STILL ? (f->runs > 3 ? 0 : 1) : NAN;
    if (f->kind == LOST && f->runs > LOST_AFTER) {
        if (lines_when_lost == 0)
            lines_when_lost = lines_of("bench-test/run.jsonl");
        return attn_because(why, ATTN_DEVICE_LOST, "the device went away");
    }
    long ms = f->kind == SLOW ? 800 : f->kind >= LOST ? 15 : 0;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
    return ATTN_OK;
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    (void)why;
    memcpy(out, job->out, job->count * sizeof *out);
    return ATTN_OK;
}

static attn_status run_empty(attn_job *job, attn_timing *timing, attn_reason *why)
{
    timing->device_s = NAN;
    job->f->empty_runs++;
    return job->f->deaf ? attn_because(why, ATTN_DEVICE_LOST, "no answer") : ATTN_OK;
}

static void facts(const attn_job *job, attn_job_facts *known)
{
    *known = (attn_job_facts){.extra_bytes = job->f->kind == ENORMOUS ? UINT64_C(1) << 60 : 12345,
                              .compile_s = 0.125,
                              .dispatches = 3,
                              .config = "16x4, 2 rows",
                              .tuned = true};
}

static void release(attn_job *job)
{
    attn_free(job->out);
    free(job);
    open_jobs--;
}

static const attn_kernel_ops ops = {.supports = supports,
                                    .prepare = prepare,
                                    .run = run,
                                    .run_empty = run_empty,
                                    .fetch = fetch,
                                    .facts = facts,
                                    .release = release};

enum { ROOF_BYTES = 1 << 20 };

static bool roof_has_memory;

static uint64_t roof_bytes(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    (void)threads;
    return roof_has_memory ? 0 : ROOF_BYTES;
}

/* 1 GFLOP/s or 1 GB/s by its own clock. */
static attn_status run_roof(const attn_roof *roof, unsigned threads, uint64_t wanted,
                            uint64_t *done, attn_timing *timing, attn_reason *why)
{
    roof_has_memory |= roof->bytes != NULL;
    (void)threads;
    (void)why;
    *done = wanted + 10;
    timing->device_s = 1e-9 * (double)*done;
    return ATTN_OK;
}

static fake fakes[16];
static attn_kernel kernels[16];
static attn_roof roofs[] = {{.name = "roof_m_fake",
                             .kind = ATTN_ROOF_MAC,
                             .contract = ATTN_CONTRACT_M,
                             .device = "vk0",
                             .run = run_roof},
                            {.name = "roof_read_fake",
                             .kind = ATTN_ROOF_READ,
                             .level = ATTN_LEVEL_MEMORY,
                             .contract = ATTN_CONTRACT_NONE,
                             .device = "vk0",
                             .run = run_roof,
                             .bytes = roof_bytes},
                            {.name = "roof_copy_fake",
                             .kind = ATTN_ROOF_COPY,
                             .level = ATTN_LEVEL_MEMORY,
                             .contract = ATTN_CONTRACT_NONE,
                             .device = "vk0",
                             .run = run_roof}};
static registry fake_registry = {.kernels = kernels, .roofs = roofs, .roof_count = 3};

static void add_kernel(const char *name, behaviour kind, const char *unavailable)
{
    size_t i = fake_registry.count++;
    fakes[i] = (fake){.kind = kind};
    kernels[i] = (attn_kernel){.name = name,
                               .story = name,
                               .contract = ATTN_CONTRACT_M,
                               .tier = ATTN_TIER_EXACT,
                               .tile_q = 1,
                               .tile_k = 1,
                               .device = "vk0",
                               .device_name = "Fake \"device\"",
                               .software = true,
                               .unavailable = unavailable,
                               .ops = &ops,
                               .context = &fakes[i]};
}

/* Runs all of the fake registry and gives back the rows. */
static bench measured(const char *workload, double budget, int flag_count, const char *const *flags)
{
    static char directory[] = "bench-test";
    static turns alone = {.from = -1, .to = -1};
    bench b = {.turns = &alone};
    char *text = strdup(workload);
    bench_options options = {.workloads = {&text, 1},
                             .seed = 99, /* not in the golden table */
                             .budget_s = budget,
                             .precision = BENCH_PRECISION,
                             .row_budget_s = INFINITY,
                             .window_s = BENCH_WINDOW_S,
                             .flag_count = flag_count,
                             .flags = flags};
    attn_reason why = {""};
    bool listed;
    json_t *header = json_object();
    remove("bench-test/run.jsonl");
    attn_status status = bench_plan(&b, &fake_registry, &options, &why);
    if (status == ATTN_OK)
        status = gbench_open(flag_count, flags, &b.engine, &why);
    if (status == ATTN_OK)
        status = bench_select(&b, &listed, &why);
    if (status == ATTN_OK)
        status = store_open(directory, header, &b.file, &why);
    for (size_t i = 0; status == ATTN_OK && i < b.group_count; i++)
        status = bench_group_run(&b, &b.groups[i], &why);
    if (status != ATTN_OK)
        fail_msg("%s", why.text);
    assert_int_equal(gbench_write(b.engine, "bench-test/gb.json", &why), ATTN_OK);
    assert_int_equal(open_jobs, 0);
    json_decref(header);
    free(text);
    return b;
}

static void clean_up(bench *b)
{
    store_close(b->file);
    gbench_close(b->engine);
    bench_free(b);
    remove("bench-test/run.jsonl");
    remove("bench-test/gb.json");
    rmdir("bench-test");
    fake_registry.count = 0;
    roof_has_memory = false;
}

static const result_row *row_of(const bench *b, const char *kernel, uint32_t n)
{
    for (size_t i = 0; i < b->done_count; i++)
        if (strcmp(b->done[i].kernel, kernel) == 0 && b->done[i].workload->n == n)
            return &b->done[i];
    fail_msg("no row %s, n = %u", kernel, (unsigned)n);
    return NULL;
}

static void assert_status(const result_row *row, attn_status status, const char *reason)
{
    if (row->status != status || strstr(row->why.text, reason) == NULL)
        fail_msg("%s: %s: %s", row->kernel, attn_status_name(row->status), row->why.text);
    if (status != ATTN_OK) {
        assert_true(isnan(row->median_ns) && isnan(row->gflops) && isnan(row->roof_share));
        assert_int_equal(row->samples, 0);
    }
}

static void assert_clocks(const result_row *row, bool timestamps)
{
    assert_int_equal(row->clock_samples, row->samples);
    assert_int_equal(isnan(row->device_ns), !timestamps);
    assert_true(row->wall_ns > 0 && row->empty_ns >= 0 && row->wall_net_ns <= row->wall_ns);
    assert_true(row->compile_ns == 0.125e9 && row->dispatches == 3);
    assert_string_equal(row->config, "16x4, 2 rows");
    assert_true(row->tuned && !row->best);
}

static void every_fate_is_a_row(void **state)
{
    (void)state;
    add_kernel("right", RIGHT, NULL);
    add_kernel("wrong", WRONG, NULL);
    add_kernel("unsupported", UNSUPPORTED, NULL);
    add_kernel("absent", RIGHT, "no driver");
    add_kernel("unable", UNABLE, NULL);
    add_kernel("huge", ENORMOUS, NULL);
    add_kernel("lost", LOST, NULL);
    add_kernel("still", STILL, NULL);
    add_kernel("slow", SLOW, NULL);
    add_kernel("ticking", TICKING, NULL);
    bench b = measured("h=2,n=16:32,d=8", 8, 0, NULL);
    /* Ten kernels and two roofs, two workloads; copying judges no row. */
    assert_int_equal(b.done_count, 2 * 12);
    /* The header, what no workload can run, and what fell out before the first was timed. */
    assert_int_equal(lines_when_lost, 1 + 2 * 2 + 4);
    for (uint32_t n = 16; n <= 32; n += 16) {
        const result_row *right = row_of(&b, "right", n);
        assert_status(right, ATTN_OK, "");
        assert_true(right->samples >= BENCH_SAMPLES && right->median_ns > 0);
        assert_true(right->roof_share > 0);
        assert_string_equal(right->verified, "full");
        assert_string_equal(right->clock, "wall");
        assert_int_equal(strlen(right->digest), 32);
        assert_int_equal(strlen(right->inputs[2].hex), 32);
        assert_true(right->warmup >= 2 && right->iterations >= 1);
        assert_int_equal(right->flops, 2 * 2 * n * n * 16);
        assert_int_equal(right->bytes_extra, 12345);
        assert_status(row_of(&b, "wrong", n), ATTN_FAILED, "index 7");
        assert_status(row_of(&b, "unsupported", n), ATTN_UNSUPPORTED, "needs 2");
        assert_status(row_of(&b, "absent", n), ATTN_UNAVAILABLE, "no driver");
        assert_status(row_of(&b, "unable", n), ATTN_OUT_OF_MEMORY, "no room");
        assert_status(row_of(&b, "huge", n), ATTN_OUT_OF_MEMORY, "80 %");
        assert_status(row_of(&b, "lost", n), ATTN_DEVICE_LOST, "went away");
        assert_status(row_of(&b, "slow", n), ATTN_SKIPPED, "11 runs of about");
        const result_row *ticking = row_of(&b, "ticking", n);
        assert_status(ticking, ATTN_OK, "");
        assert_string_equal(ticking->clock, "gpu_timestamp");
        assert_true(fabs(ticking->median_ns - 0.25e9) < 1);
        const result_row *roof_row = row_of(&b, "roof_m_fake", n);
        assert_true(roof_row->roof && fabs(roof_row->gflops - 1) < 1e-6);
        assert_true(fabs(ticking->roof_share - ticking->gflops) < 1e-6);
        const result_row *read_row = row_of(&b, "roof_read_fake", n);
        assert_true(read_row->roof && fabs(read_row->gb_per_s - 1) < 1e-6);
        assert_true(isnan(read_row->gflops) && read_row->bound == ATTN_ROOF_READ);
        assert_true(fabs(ticking->bandwidth_share - ticking->gb_per_s) < 1e-6);
        assert_int_equal(ticking->bound, ATTN_ROOF_MAC); /* n / 4 FLOPs per byte */
        assert_clocks(right, false);
        assert_clocks(ticking, true);
    }
    /* Its clock stops after three runs: the first workload's samples show no time. */
    assert_status(row_of(&b, "still", 16), ATTN_ERROR, "zero elapsed ticks");
    assert_int_equal(fakes[6].runs, LOST_AFTER + 2); /* one more failure per workload */
    clean_up(&b);
}

/* Five before each sample, and one to warm up. */
static void empty_submissions_before_every_sample(void **state)
{
    (void)state;
    const char *const flags[] = {"--benchmark_repetitions=5"};
    add_kernel("right", RIGHT, NULL);
    add_kernel("deaf", RIGHT, NULL);
    fakes[1].deaf = true;
    bench b = measured("h=1,n=16,d=8", 1, 1, flags);
    const result_row *row = row_of(&b, "right", 16);
    assert_status(row, ATTN_OK, "");
    assert_int_equal(row->samples, 5);
    assert_int_equal(row->clock_samples, 5);
    assert_int_equal(fakes[0].empty_runs, 1 + 5 * 5);
    assert_status(row_of(&b, "deaf", 16), ATTN_DEVICE_LOST, "no answer");
    assert_int_equal(fakes[1].empty_runs, 1);
    clean_up(&b);
}

/* Against the library that was measured, not the one that was wrong; a roof against none. */
static void ratio_to_the_library_that_ran(void **state)
{
    (void)state;
    add_kernel("right", RIGHT, NULL);
    add_kernel("wrong", WRONG, NULL);
    add_kernel("ticking", TICKING, NULL);
    kernels[1].library = kernels[2].library = true;
    bench b = measured("h=1,n=16,d=8", 2, 0, NULL);
    const result_row *right = row_of(&b, "right", 16), *ticking = row_of(&b, "ticking", 16);
    assert_string_equal(right->library, "ticking");
    const double ratio = ticking->median_ns / right->median_ns;
    assert_true(fabs(right->library_ratio / ratio - 1) < 1e-12);
    assert_true(right->library_ratio_low <= ratio && ratio <= right->library_ratio_high);
    assert_string_equal(ticking->library, "ticking");
    assert_true(ticking->library_ratio == 1);
    assert_null(row_of(&b, "wrong", 16)->library);
    assert_null(row_of(&b, "roof_m_fake", 16)->library);
    clean_up(&b);
    add_kernel("right", RIGHT, NULL);
    add_kernel("wrong", WRONG, NULL);
    kernels[1].library = true;
    b = measured("h=1,n=16,d=8", 1, 0, NULL);
    assert_null(row_of(&b, "right", 16)->library);
    assert_true(isnan(row_of(&b, "right", 16)->library_ratio));
    clean_up(&b);
}

/* What is on disk is what was returned, and every row is there once. */
static void rows_are_on_disk(void **state)
{
    (void)state;
    add_kernel("right", RIGHT, NULL);
    add_kernel("wrong", WRONG, NULL);
    bench b = measured("h=1,n=16:32,d=8", 1, 0, NULL);
    FILE *file = fopen("bench-test/run.jsonl", "r");
    char line[65536];
    const result_row *seen[16];
    int seen_count = 0;
    /* Two kernels and two roofs, two workloads. */
    assert_int_equal(b.done_count, 2 * 4);
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (size_t i = 0; i < b.done_count; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        json_t *row = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        const char *kernel = json_string_value(json_object_get(row, "kernel"));
        const char *text = json_string_value(json_object_get(row, "workload"));
        const result_row *done = row_of(&b, kernel, parse_workload(text).n);
        for (int earlier = 0; earlier < seen_count; earlier++)
            assert_true(seen[earlier] != done);
        seen[seen_count++] = done;
        assert_string_equal(json_string_value(json_object_get(row, "status")),
                            attn_status_name(done->status));
        assert_int_equal(json_array_size(json_object_get(row, "samples_ns")), done->samples);
        json_decref(row);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    json_t *google = json_load_file("bench-test/gb.json", 0, NULL), *row;
    size_t index, wanted = 0;
    json_array_foreach(json_object_get(google, "benchmarks"), index, row)
        assert_null(strstr(json_string_value(json_object_get(row, "name")), "wrong"));
    for (size_t i = 0; i < b.done_count; i++)
        wanted += b.done[i].samples;
    assert_int_equal(json_array_size(json_object_get(google, "benchmarks")), wanted);
    json_decref(google);
    clean_up(&b);
}

static void filtered_rows_are_not_even_prepared(void **state)
{
    (void)state;
    const char *const flags[] = {"--benchmark_filter=^right/.*n=32", "--benchmark_repetitions=4"};
    add_kernel("right", RIGHT, NULL);
    add_kernel("other", RIGHT, NULL);
    bench b = measured("h=1,n=16:32,d=8", 1, 2, flags);
    assert_status(row_of(&b, "right", 16), ATTN_SKIPPED, "--benchmark_filter");
    assert_status(row_of(&b, "other", 32), ATTN_SKIPPED, "--benchmark_filter");
    assert_int_equal(fakes[1].runs, 0);
    const result_row *row = row_of(&b, "right", 32);
    assert_int_equal(row->samples, 4);
    assert_string_equal(row->stopped_by, "flags");
    assert_true(isnan(row->ci_low_ns)); /* four samples carry no interval */
    assert_true(row->roof_share > 0);
    clean_up(&b);
}

/* Ten hours at the speed of the pilot: refused by the estimate, never started. */
static void hopeless_rows_are_not_started(void **state)
{
    (void)state;
    add_kernel("slow", SLOW, NULL);
    bench b = measured("h=1,n=4096,d=8", 2, 0, NULL);
    assert_status(row_of(&b, "slow", 4096), ATTN_SKIPPED, "of the 2 s budget");
    assert_int_equal(fakes[0].runs, 2); /* the pilot's */
    clean_up(&b);
}

/* A roof that could not bind is not paid for. */
static void reading_is_measured_where_it_may_bind(void **state)
{
    (void)state;
    add_kernel("right", RIGHT, NULL);
    bench b = measured("h=1,n=128,d=8", 1, 0, NULL); /* 32 FLOPs per byte */
    assert_int_equal(b.done_count, 2);               /* none is the roof of reading */
    const result_row *row = row_of(&b, "right", 128);
    assert_true(row->gb_per_s > 0 && row->roof_share > 0 && isnan(row->bandwidth_share));
    assert_int_equal(row->bound, ATTN_ROOF_MAC);
    clean_up(&b);
}

/* It stays taken: later groups have so much less. */
static void memory_of_roofs_is_counted_once(void **state)
{
    (void)state;
    add_kernel("right", RIGHT, NULL);
    bench b = measured("h=1,n=16:32:64,d=8", 1, 0, NULL);
    assert_int_equal(b.group_count, 3);
    for (size_t g = 0; g < b.group_count; g++)
        assert_true(b.groups[g].bytes_used > ROOF_BYTES &&
                    b.groups[g].bytes_used < 1.1 * ROOF_BYTES);
    clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fate_is_a_row),
        cmocka_unit_test(empty_submissions_before_every_sample),
        cmocka_unit_test(ratio_to_the_library_that_ran),
        cmocka_unit_test(rows_are_on_disk),
        cmocka_unit_test(filtered_rows_are_not_even_prepared),
        cmocka_unit_test(reading_is_measured_where_it_may_bind),
        cmocka_unit_test(hopeless_rows_are_not_started),
        cmocka_unit_test(memory_of_roofs_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
