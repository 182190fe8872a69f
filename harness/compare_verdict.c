/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare.h"

#define SEED 1 /* the same runs get the same verdicts */

/* One kind of the values of a side: all of them, and run by run. */
typedef struct pool {
    double *all;
    stats_run *runs;
    size_t count, run_count;
} pool;

typedef enum { RAW, NORMALISED, RATE, SAMPLES } kind;

static stats_run values_of(const compare_values *v, kind which)
{
    if (which == SAMPLES)
        return (stats_run){v->samples, v->sample_count};
    return (stats_run){which == RAW          ? v->raw
                       : which == NORMALISED ? v->normalised
                                             : v->rate,
                       v->count};
}

static void pool_free(pool *p)
{
    free(p->all);
    free(p->runs);
    *p = (pool){NULL, NULL, 0, 0};
}

/* Empty when a run has none of this kind, or out of memory: then nothing is known. */
static pool pool_of(const compare_values *values, size_t count, kind which)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most += values_of(&values[i], which).count;
    pool p = {malloc(most * sizeof *p.all), malloc((count + 1) * sizeof *p.runs), 0, 0};
    bool known = p.all != NULL && p.runs != NULL;
    for (size_t i = 0; i < count && known; i++) {
        const stats_run from = values_of(&values[i], which);
        known = from.values != NULL;
        if (!known)
            break;
        memcpy(p.all + p.count, from.values, from.count * sizeof *p.all);
        p.runs[p.run_count++] = (stats_run){p.all + p.count, from.count};
        p.count += from.count;
    }
    if (!known)
        pool_free(&p);
    return p;
}

static compare_times compare_pools(const pool *a, const pool *b)
{
    const stats_rank_test test = stats_mann_whitney(b->all, b->count, a->all, a->count);
    return (compare_times){
        stats_median_ratio_grouped(b->runs, b->run_count, a->runs, a->run_count, SEED),
        test.u / ((double)a->count * (double)b->count), test.p};
}

static compare_times compare_kind(const compare_values *a, size_t a_count, const compare_values *b,
                                  size_t b_count, kind which)
{
    compare_times times = {{NAN, NAN, NAN}, NAN, NAN};
    pool one = pool_of(a, a_count, which), other = pool_of(b, b_count, which);
    if (one.count > 0 && other.count > 0)
        times = compare_pools(&one, &other);
    pool_free(&one);
    pool_free(&other);
    return times;
}

/* In which B is the slower one. Not of the blocks' fastest: these are close together within a run,
 * and say little of how much another one may differ. */
static double share_of_samples(const compare_values *a, size_t a_count, const compare_values *b,
                               size_t b_count)
{
    pool one = pool_of(a, a_count, SAMPLES), other = pool_of(b, b_count, SAMPLES);
    const stats_rank_test test = stats_mann_whitney(other.all, other.count, one.all, one.count);
    const double share = test.u / ((double)one.count * (double)other.count);
    pool_free(&one);
    pool_free(&other);
    return share;
}

void compare_measure(compare_pair *pair, const compare_values *a, size_t a_count,
                     const compare_values *b, size_t b_count)
{
    if (compare_paired(pair, a, a_count, b, b_count))
        return;
    pair->raw = compare_kind(a, a_count, b, b_count, RAW);
    pair->raw.share = share_of_samples(a, a_count, b, b_count);
    pair->normalised = compare_kind(a, a_count, b, b_count, NORMALISED);
    pair->machine = compare_kind(a, a_count, b, b_count, RATE).ratio.value;
}

/* 1: B is slower by these times, -1: faster, 0: neither can be said. */
static int direction(const compare_times *t, double margin)
{
    if (!(t->p < COMPARE_LEVEL))
        return 0;
    if (t->ratio.low > 1 && t->ratio.value > 1 + margin && t->share >= COMPARE_SHARE)
        return 1;
    return t->ratio.high < 1 && t->ratio.value < 1 / (1 + margin) && t->share <= 1 - COMPARE_SHARE
               ? -1
               : 0;
}

/* The same of samples taken in turn: the whole interval is beyond the margin. */
static int direction_in_turn(const compare_times *t, double margin)
{
    if (!(t->p < COMPARE_LEVEL))
        return 0;
    return t->ratio.low > 1 + margin ? 1 : t->ratio.high < 1 / (1 + margin) ? -1 : 0;
}

/* Of the interval, as a factor; INFINITY without one. */
static double width(const compare_times *t)
{
    const double factor = t->ratio.high / t->ratio.low;
    return factor >= 1 ? factor : INFINITY;
}

static bool near_one(double factor)
{
    return factor <= 1 + COMPARE_NEAR && factor >= 1 / (1 + COMPARE_NEAR);
}

/* The better determined interval decides; the other kind of time must not say otherwise. */
static bool same(const compare_pair *pair)
{
    const compare_times *good = &pair->raw, *other = &pair->normalised;
    if (width(other) < width(good)) {
        good = other;
        other = &pair->raw;
    }
    return near_one(good->ratio.low) && near_one(good->ratio.high) &&
           (!isfinite(other->ratio.value) || near_one(other->ratio.value));
}

/* Are the medians farther apart than the margin, and is 1 outside of the interval? */
static bool apart(const compare_times *t, double margin)
{
    return (t->ratio.low > 1 && t->ratio.value > 1 + margin) ||
           (t->ratio.high < 1 && t->ratio.value < 1 / (1 + margin));
}

static void explain(compare_pair *pair, double margin)
{
    const double change = fabs(pair->machine - 1), raw = width(&pair->raw);
    const bool differs = direction(&pair->raw, margin) != 0;
    if (!isfinite(raw))
        attn_because(&pair->why, ATTN_OK, "fewer than %d samples on a side, or in a run",
                     STATS_FEWEST);
    else if (differs && !isfinite(pair->machine))
        attn_because(&pair->why, ATTN_OK, "no roof was sampled with it: the machine may differ");
    else if (differs && change > margin && !apart(&pair->normalised, margin))
        attn_because(&pair->why, ATTN_OK, "the machine was %.1f %% %s during B", 100 * change,
                     pair->machine < 1 ? "slower" : "faster");
    else if (differs && direction(&pair->normalised, margin) == 0)
        attn_because(&pair->why, ATTN_OK, "not for sure by the time over that of its roof");
    else if (differs)
        attn_because(&pair->why, ATTN_OK, "the machine was %.1f %% %s during B: it may be that",
                     100 * change, pair->machine < 1 ? "slower" : "faster");
    else if (raw > (1 + COMPARE_NEAR) * (1 + COMPARE_NEAR))
        attn_because(&pair->why, ATTN_OK, "too much noise: the interval is %.0f %% wide",
                     100 * (raw - 1));
    else if (pair->in_turn)
        attn_because(&pair->why, ATTN_OK, "neither near 1 nor beyond the margin for sure");
    else
        attn_because(&pair->why, ATTN_OK, "the samples of the two overlap");
}

static int direction_of(const compare_pair *pair, double margin)
{
    if (pair->in_turn)
        return direction_in_turn(&pair->raw, margin);
    const double change = isfinite(pair->machine) ? fabs(pair->machine - 1) : 0;
    const int raw = direction(&pair->raw, margin + change);
    return raw == direction(&pair->normalised, margin + change) ? raw : 0;
}

void compare_judge(compare_pair *pair, double margin)
{
    const int slower = direction_of(pair, margin);
    pair->why.text[0] = '\0';
    pair->verdict = COMPARE_UNCLEAR;
    if (slower != 0)
        pair->verdict = slower > 0 ? COMPARE_SLOWER : COMPARE_FASTER;
    else if (same(pair))
        pair->verdict = COMPARE_SAME;
    else
        explain(pair, margin);
}

const char *compare_verdict_name(compare_verdict verdict)
{
    static const char *const name[] = {"FASTER", "SLOWER", "SAME", "UNCLEAR"};
    return name[verdict];
}
