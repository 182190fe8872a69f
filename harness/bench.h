/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of `attnmark bench`.
 *
 * A plan is a grid: groups (one workload each, cheapest first) by lanes (a kernel at one thread
 * count). Groups run one after another, so that only one workload's tensors are in memory; the
 * rows of a group are prepared and verified together, then timed interleaved, together with the
 * roofs they are judged by. A row goes to run.jsonl as soon as its fate is decided; those that are
 * timed, when their group ends.
 *
 * The budget is seconds of warm-up and timing. A row is timed if BENCH_SAMPLES runs of it fit
 * into what is left after all cheaper rows still to come had theirs. What remains beyond these
 * minima is shared equally, and spent on rows whose interval is wider than is wanted.
 */
#ifndef HARNESS_BENCH_H
#define HARNESS_BENCH_H

#include "harness/cli.h"
#include "harness/energy.h"
#include "harness/facts.h"
#include "harness/gbench.h"
#include "harness/registry.h"
#include "harness/row.h"
#include "harness/store.h"
#include "harness/turns.h"
#include "harness/verdict.h"

/* Four n on a doubling grid, and one head: the scalar kernels, which are part of the comparison,
 * get their samples within the default budget on two cores. */
#define BENCH_DEFAULT_WORKLOAD "b=1,h=1,n=256..2048,d=64"
#define BENCH_DEFAULT_BUDGET_S 90

#define BENCH_SAMPLES     10 /* the least that make a row */
#define BENCH_LOOK        5  /* between two looks at its interval, samples */
#define BENCH_MAX_SAMPLES 300
#define BENCH_PRECISION   0.01  /* half-width of the interval over the median, by default */
#define BENCH_WINDOW_S    0.001 /* bench_options.window_s by default */
#define BENCH_VERIFY_S    1.0   /* the full scalar reference may take this long */
/* Samples on a Vulkan device are so many times longer: its clock rises with work. */
#define BENCH_DEVICE 10

/* Fewer FLOPs per byte than this may be bound by memory: desktops with 16 cores on two channels
 * multiply about this often per byte that they read. The roof of reading is measured where a
 * workload has fewer, and its bytes are more than this many times what the caches hold. */
#define BENCH_READ_INTENSITY 32
#define BENCH_READ_CACHES    2

/* Roofs that judge no row may take this share of the budget, and at most so many seconds. By
 * default they are measured where the budget is at least BENCH_MACHINE_BUDGET_S. */
#define BENCH_MACHINE_SHARE    0.05
#define BENCH_MACHINE_S        5.0
#define BENCH_MACHINE_BUDGET_S 30

typedef struct bench bench;

typedef struct bench_lane {
    const attn_kernel *kernel;
    unsigned threads;  /* 0: does not apply */
    double s_per_flop; /* of the last run measured; NAN: none yet */
} bench_lane;

typedef struct bench_row {
    bench *owner;
    result_row result;
    size_t id;       /* unique in the run */
    char *name;      /* for Google Benchmark; owned */
    bool open;       /* its fate is not decided yet */
    bool stored;     /* in run.jsonl */
    double run_s;    /* wall time of one run, estimated, then measured; NAN: unknown */
    uint64_t batch;  /* runs in one sample */
    double sample_s; /* wall time of one sample */
    bool device_clock;
    double sampled_at_s; /* end of the last sample, on the clock of the run */
    double spent_s;      /* on samples */

    bench_lane *lane; /* of a kernel's row, else NULL */
    attn_job *job;
    const attn_roof *roof; /* of a roof's row, else NULL */
    /* Of a kernel's row: indices in the group of the roofs that judge it, and are sampled with
     * it; or SIZE_MAX. */
    size_t judge[ATTN_ROOFS];
} bench_row;

typedef struct bench_group {
    attn_workload workload;
    uint64_t flops;
    bool finished;   /* by the process that this one goes on for */
    bench_row *rows; /* one per lane */
    attn_inputs inputs;
    attn_digest input_digest[3];
    float *output;
    double bytes_used; /* of host memory by inputs, output, jobs and roofs */
    bench_row *roofs;  /* at most one of each kind per lane, while the group runs */
    size_t roof_count;
} bench_group;

typedef struct bench_options {
    cli_list kernels, workloads;
    unsigned threads[64];
    size_t thread_count; /* 0: one, and all that OpenMP would use */
    uint32_t seed;
    double budget_s;
    double precision;    /* half-width of the interval over the median at which a row stops */
    double row_budget_s; /* of samples of one row; INFINITY: no limit of its own */
    double pause_s;      /* before each round, for machines that throttle; in no budget */
    double window_s;     /* a sample of a fast kernel averages runs for this long */
    bool all_roofs;      /* those that judge no row, too */
    int flag_count;      /* for Google Benchmark */
    const char *const *flags;
} bench_options;

/* What the machine counts beside time. */
typedef struct bench_meters {
    counters counters;
    energy energy;
} bench_meters;

struct bench {
    const registry *kernels;
    gbench *engine;
    store *file;
    const bench_meters *meters; /* NULL: none; outlives `done` */
    turns *turns;               /* with the run of --against; outlives this */
    machine_facts machine;      /* as found before the first row */
    uint32_t seed;
    double budget_s, left_s;
    double precision, row_budget_s, pause_s, window_s; /* as in bench_options */
    double start_s;     /* on clock_seconds(): samples are dated from here */
    double roof_bytes;  /* of host memory that roofs keep until the registry is closed */
    double round_start; /* on clock_seconds(), while samples are not yet taken off left_s; else 0 */
    uint64_t position;  /* of the round, for turns; 0 outside of rounds */

    bench_lane *lanes;
    size_t lane_count;
    bench_group *groups;
    size_t group_count;

    result_row *done; /* rows of finished groups, roofs first, then lane by lane */
    size_t done_count, done_room;
    unsigned shown; /* rows finished, for the progress line */
};

/* bench_plan.c: lanes, groups and rows; what cannot run is closed with its reason. */
attn_status bench_plan(bench *b, const registry *r, const bench_options *options, attn_reason *why);
/* Closes the rows that --benchmark_filter leaves out. */
attn_status bench_select(bench *b, bool *listed, attn_reason *why);
/* Room for so many more rows in b->done, zero; false when out of memory. */
bool bench_make_room(bench *b, size_t more);
void bench_free(bench *b);

/* Rows of one group, roofs included, at the most. */
static inline size_t bench_most_rows(const bench *b)
{
    return (1 + ATTN_ROOFS) * b->lane_count;
}

/* bench_row.c */
/* Decides the fate of a row that has, or will have, no rate. */
void bench_close_row(bench_row *row, attn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void bench_row_init(bench *b, bench_row *row, const attn_workload *w);
/* The progress line while this row is at work; `now`: it will be for a while. */
void bench_show(const bench_row *row, bool now);
/* "kernel/workload/threads:N", allocated; NULL when out of memory. */
char *bench_row_name(const char *kernel, const attn_workload *w, unsigned threads);

/* bench_budget.c: estimates for open rows that were not run yet, from their lane's last rate. */
void bench_estimate(bench *b);
/* Closes the row as skipped when its samples do not fit the budget. */
void bench_admit(bench *b, bench_row *row);
/* Seconds that the open rows of this group may spend on samples. */
double bench_allotment(const bench *b, const bench_group *g);
/* Seconds that the open rows of all other groups need at least. */
double bench_reserved(const bench *b, const bench_group *g);

/* bench_prepare.c: inputs, jobs, verification and warm-up of every open row. Fails only when
 * results cannot be kept. */
attn_status bench_prepare(bench *b, bench_group *g, attn_reason *why);
void bench_release(bench *b, bench_group *g);
/* bench_warm.c: runs a verified job until caches and clocks have settled: until the mean of a
 * window of runs is that of the window before, but neither much shorter nor much longer than
 * needed. Learns the time of a run, and whether the device has a clock. */
void bench_warm_up(bench *b, bench_row *row);
/* bench_pilot.c: learns the rate of a lane that never ran from a small problem, so that a row of
 * hours is not started. Closes the row when that fails. */
void bench_pilot(bench *b, bench_row *row);

/* bench_roof.c: the roofs of the group's open rows. Their run_s and work give the rate. */
void bench_roofs(bench *b, bench_group *g);
/* The roof of this kind that judges the row; NULL: none does. */
const attn_roof *bench_judge(const bench *b, const bench_row *row, attn_roof_kind kind);
/* Threads of a roof beside a row of so many; 0 on a GPU, where they do not apply. */
unsigned bench_roof_threads(const attn_roof *roof, unsigned threads);
/* Fills the row of a roof of the device of `judged`, beside rows of so many threads; false when out
 * of memory. */
bool bench_roof_row(bench *b, bench_row *row, const attn_roof *roof, unsigned threads,
                    const attn_kernel *judged, const attn_workload *w);
/* Calibrates the row, or closes it where it fails, or its memory does not fit beside `used` bytes.
 * Returns the bytes of host memory taken, which roof_bytes counts, too. */
double bench_roof_start(bench *b, bench_row *row, double used);
/* FLOPs or bytes of one run of a roof's row. */
uint64_t *bench_roof_work(bench_row *row);
/* Could reading memory bound this workload on the device of this roof, with so many threads? */
bool bench_reads_memory(const attn_workload *w, const attn_roof *roof, unsigned threads);

/* bench_library.c: the ratio of every measured row to the best library of its thread count. */
void bench_compare(const bench *b, bench_group *g);

/* bench_machine.c: rows of all roofs that judge no row, for each device and thread count with a row
 * to be timed; call before the first group. Fails only when results cannot be kept. */
attn_status bench_machine(bench *b, attn_reason *why);

/* bench_sample.c */
typedef attn_status bench_run(attn_job *job, attn_timing *timing, attn_reason *why);
/* Runs the row's job once by `run`, one of its kernel's, and adds to *device_s; false when that
 * failed, which closes the row. */
bool bench_run_once(bench_row *row, bench_run *run, double *device_s);
/* What Google Benchmark calls for a sample (gbench_item); context is a bench_row.
 */
bool bench_run_kernel(void *context, uint64_t batch, gbench_times *total);
bool bench_run_roof(void *context, uint64_t batch, gbench_times *total);
void bench_take_sample(void *context, const gbench_times *mean);

/* bench_time.c: interleaved samples of the open rows and the roofs. */
void bench_time(bench *b, bench_group *g);
/* Appends the item that takes a sample of the row by `run`. */
void bench_add_item(gbench_item *items, size_t *count, bench_row *row,
                    bool (*run)(void *, uint64_t, gbench_times *));

/* bench_counters.c: counters and energy of the open rows on the CPU, after their samples. */
void bench_count(bench *b, bench_group *g);

/* bench_group.c: all of it for one workload. Fails only when results cannot be kept; rows that
 * were timed are done even then. Also when a signal asks to stop (harness/interrupt.h): rows that
 * were not timed to the end are dropped. */
attn_status bench_group_run(bench *b, bench_group *g, attn_reason *why);
/* bench_report.c: prints all that was measured and the verdict on it, which becomes the last line
 * of run.jsonl unless the run was stopped. Returns the exit status. */
int bench_report(const bench *b, const verdict_context *context, const char *json_path);
/* Stores a finished row unless that was done before or `status` says that storing has failed, and
 * moves its result to b->done. */
attn_status bench_store_one(bench *b, bench_row *row, attn_status status, attn_reason *why);
/* Stores the rows, of any group, that were closed and are not stored yet. */
attn_status bench_store_closed(bench *b, attn_reason *why);

#endif
