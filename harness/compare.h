/* SPDX-License-Identifier: Apache-2.0
 *
 * Is B faster than A? Rows of finished runs, pair by pair, and a verdict on each that a load which
 * was there during one of the runs only must not make.
 *
 * The samples of a row, in the order of time, are cut into COMPARE_BLOCKS blocks of neighbours.
 * Other programs only ever add time: a block's fastest sample stands for it. The roof that judges
 * the row was sampled in the same rounds: its fastest sample of that time says how fast the machine
 * was, and the time of the row times that rate is its normalised time.
 *
 * Where two runs took turns (harness/turns.h), and between kernels of one run, whose rows are
 * sampled round by round, sample i of A is compared with sample i of B instead: what the machine
 * did, it did to both. docs/measuring.md has the rules of the verdicts.
 */
#ifndef HARNESS_COMPARE_H
#define HARNESS_COMPARE_H

#include "harness/run_file.h"
#include "harness/stats.h"

#define COMPARE_BLOCKS 40   /* of a run's samples; fewer where there are fewer samples */
#define COMPARE_LEVEL  0.05 /* of the rank tests, for all pairs together */
#define COMPARE_SHARE  0.95 /* of pairs of values that must agree with a verdict */
#define COMPARE_MARGIN 0.01 /* differences up to this are never told apart */
#define COMPARE_NEAR   0.03 /* as far as two times that are called the same may differ */

/* The runs of one side. */
typedef struct compare_side {
    const run_file *runs;
    size_t count;
} compare_side;

typedef struct compare_options {
    char *const *kernels; /* globs; none: every kernel */
    size_t kernel_count;
    const char *pair[2]; /* the kernels to compare within one run, which is both sides; or NULL */
    double margin;       /* COMPARE_MARGIN */
} compare_options;

typedef enum {
    COMPARE_FASTER,
    COMPARE_SLOWER,
    COMPARE_SAME,
    COMPARE_UNCLEAR,
    COMPARE_VERDICTS
} compare_verdict;

/* One kind of time, B against A. */
typedef struct compare_times {
    stats_ratio ratio; /* B over A; NAN when unknown */
    double share;      /* of pairs of values in which B is the slower one, ties 1/2; NAN */
    double p;          /* of Mann-Whitney's U, corrected by Holm; NAN when unknown */
} compare_times;

typedef struct compare_pair {
    const result_row *a, *b; /* of the first run of each side that has it ok */
    size_t runs_a, runs_b;   /* that have it ok */
    bool in_turn;            /* sample by sample: raw alone is known, p is of the signed ranks */
    compare_times raw, normalised;
    double machine; /* rate of the roof during B over that during A; NAN without a roof */
    compare_verdict verdict;
    attn_reason why; /* of UNCLEAR */
} compare_pair;

/* Why a row is in no pair. */
typedef enum {
    COMPARE_ONLY_A,
    COMPARE_ONLY_B,
    COMPARE_NOT_OK_A, /* of the rows that both sides have */
    COMPARE_NOT_OK_B,
    COMPARE_NOT_OK,
    COMPARE_LEFT
} compare_left_kind;

typedef struct compare_left {
    const result_row *row; /* the first of its key on the side that has it, or where it is not ok */
    compare_left_kind kind;
} compare_left;

typedef struct comparison {
    compare_pair *pairs;
    size_t count;
    compare_left *left;
    size_t left_count;
    size_t verdicts[COMPARE_VERDICTS];
    double mean_ratio; /* geometric mean of the raw ratios; NAN without one */
} comparison;

/* Refuses, with one line, sides of different contract versions and sides without a common row.
 * Rows borrow from the runs. */
attn_status compare_runs(compare_side a, compare_side b, const compare_options *options,
                         comparison *c, attn_reason *why);
void compare_free(comparison *c);

/* Refuses, with one line, sides of different contract versions. */
attn_status compare_contracts(compare_side a, compare_side b, attn_reason *why);

const char *compare_verdict_name(compare_verdict verdict); /* "FASTER", ... */

/* compare_key.c. Are two rows of the same workload, threads and device? Vulkan devices go by their
 * name, since vk0 may be another one elsewhere; of several of one name, by the order of their
 * UUIDs. The CPU is the CPU: what differs is in compare_differences. */
bool compare_same_place(const run_file *a, const result_row *row_a, const run_file *b,
                        const result_row *row_b);
/* The roof that judges this row by what binds it; NULL if none. */
const result_row *compare_roof(const run_file *run, const result_row *row);

/* compare_values.c: values of one run's row, block by block; arrays are owned. */
typedef struct compare_values {
    double *raw;        /* ns */
    double *normalised; /* ns times the roof's work per ns; NULL without a roof */
    double *rate;       /* of the roof, work per ns; NULL without a roof */
    size_t count;
    const double *samples; /* all of them; borrowed, like the next */
    size_t sample_count;
    const char *turns; /* the same for runs whose samples were taken in turn; NULL: none were */
} compare_values;

/* false when out of memory. */
bool compare_values_of(const run_file *run, const result_row *row, compare_values *v);
void compare_values_free(compare_values *v);

/* compare_paired.c: measures a pair whose samples were taken in turn, in every run; false: this is
 * none. */
bool compare_paired(compare_pair *pair, const compare_values *a, size_t a_count,
                    const compare_values *b, size_t b_count);

/* compare_verdict.c: raw, normalised and machine of a pair, p not yet corrected; then the verdict.
 */
void compare_measure(compare_pair *pair, const compare_values *a, size_t a_count,
                     const compare_values *b, size_t b_count);
void compare_judge(compare_pair *pair, double margin);

/* compare_machine.c: what differs between the headers of the two sides, as objects {"what", "a",
 * "b"}, texts, and what is wrong with a run, as texts. New references. */
json_t *compare_differences(compare_side a, compare_side b);
json_t *compare_warnings(compare_side a, compare_side b);

/* compare_table.c, compare_json.c */
/* What is wrong with the runs, and what differs between their headers. */
void compare_print_notes(FILE *out, compare_side a, compare_side b, bool colour);
void compare_print(FILE *out, compare_side a, compare_side b, const comparison *c, bool colour);
json_t *compare_json(compare_side a, compare_side b, const comparison *c);

#endif
