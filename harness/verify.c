/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/oracle.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "harness/golden.h"

/* Plain multiply-adds of the scalar reference per second and thread, rounded down: only decides
 * between checking in full and by sample. */
#define REFERENCE_FLOPS 5e8
#define SAMPLE_ROWS     64

static uint64_t row_count(const attn_workload *w)
{
    return (uint64_t)w->b * w->h * w->n;
}

typedef struct place {
    uint32_t batch, head, query;
} place;

/* Where a row stands that counts through [batch][head][query]. */
static place place_of(const attn_workload *w, uint64_t row)
{
    return (place){(uint32_t)(row / w->n / w->h), (uint32_t)(row / w->n % w->h),
                   (uint32_t)(row % w->n)};
}

attn_status verify_reference(attn_contract contract, const attn_workload *w, const attn_inputs *in,
                             const uint64_t *rows, size_t count, float *out, attn_reason *why)
{
    bool failed = false;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : failed)
#endif
    for (int64_t i = 0; i < (int64_t)count; i++) {
        const place at = place_of(w, rows[i]);
        failed = failed || cpu_reference_rows(contract, w, in, at.batch, at.head, at.query, 1,
                                              out + (size_t)i * w->dv, NULL) != ATTN_OK;
    }
    return failed ? attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the scalar reference")
                  : ATTN_OK;
}

/* `count` of `total` rows, ascending: one from each of `count` equal parts, drawn by a fixed seed,
 * the first and the last row among them. Two rows per head are enough to meet every head. */
static void spread(uint64_t *rows, size_t count, uint64_t total)
{
    const uint32_t key[2] = {1, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t random[4];
        attn_philox((const uint32_t[4]){(uint32_t)i, (uint32_t)(i >> 32), 0, 0}, key, random);
        const double part = (double)total / (double)count;
        rows[i] = (uint64_t)(((double)i + random[0] * 0x1p-32) * part);
        if (count == total)
            rows[i] = i;
    }
    rows[0] = 0;
    rows[count - 1] = total - 1;
}

static void mismatch(const attn_workload *w, uint64_t index, double got, double want,
                     verify_result *result)
{
    const place at = place_of(w, index / w->dv);
    result->first_bad = index;
    result->status = attn_because(
        &result->why, ATTN_FAILED,
        "first bad index %llu (batch %u, head %u, query %u, column %u): got %.9g, want %.9g",
        (unsigned long long)index, (unsigned)at.batch, (unsigned)at.head, (unsigned)at.query,
        (unsigned)(index % w->dv), got, want);
}

/* Bit for bit against the reference: `count` rows out of all. */
static void check_reference(attn_contract contract, const attn_workload *w, const attn_inputs *in,
                            const float *out, size_t count, verify_result *result)
{
    uint64_t *rows = attn_alloc(count * sizeof *rows);
    float *want = attn_alloc(count * w->dv * sizeof *want);
    if (rows && want) {
        spread(rows, count, row_count(w));
        result->status = verify_reference(contract, w, in, rows, count, want, &result->why);
    } else {
        result->status = attn_because(&result->why, ATTN_OUT_OF_MEMORY, "no memory to verify");
    }
    for (size_t i = 0; result->status == ATTN_OK && i < count * w->dv; i++) {
        const uint64_t index = rows[i / w->dv] * w->dv + i % w->dv;
        if (attn_canonical_bits(out[index]) != attn_canonical_bits(want[i]))
            mismatch(w, index, out[index], want[i], result);
    }
    attn_free(rows);
    attn_free(want);
}

/* One row of the output. `work` has room for twice dv. */
static void check_oracle_row(const attn_workload *w, const attn_inputs *in, attn_tier tier,
                             const float *out, uint64_t row, double *work, verify_result *result)
{
    const place at = place_of(w, row);
    const float *got = out + row * w->dv;
    double *want = work, *bound = work + w->dv;
    result->status = (tier == ATTN_TIER_EXACT ? attn_oracle_row_contract : attn_oracle_row)(
        w, in, at.batch, at.head, at.query, want, bound, &result->why);
    if (result->status != ATTN_OK)
        return;
    const attn_comparison c = attn_compare(got, want, bound, w->dv);
    result->max_rel_error = fmax(result->max_rel_error, c.max_rel_error);
    result->max_bound_share = fmax(result->max_bound_share, c.max_bound_share);
    if (!c.pass)
        mismatch(w, row * w->dv + c.first_bad, got[c.first_bad], want[c.first_bad], result);
}

void verify_oracle(const attn_workload *w, const attn_inputs *in, attn_tier tier, const float *out,
                   size_t count, verify_result *result)
{
    const uint64_t total = row_count(w);
    if (count > total)
        count = (size_t)total;
    uint64_t *rows = attn_alloc(count * sizeof *rows);
    double *work = attn_alloc(2 * w->dv * sizeof *work);
    if (rows && work)
        spread(rows, count, total);
    else
        result->status = attn_because(&result->why, ATTN_OUT_OF_MEMORY, "no memory to verify");
    result->max_rel_error = result->max_bound_share = 0.0;
    for (size_t i = 0; result->status == ATTN_OK && i < count; i++)
        check_oracle_row(w, in, tier, out, rows[i], work, result);
    attn_free(rows);
    attn_free(work);
}

/* How many rows the scalar reference computes: all, or a sample that meets every head. */
static uint64_t reference_rows(const attn_workload *w, const verify_options *options)
{
    const uint64_t total = row_count(w), heads = (uint64_t)w->b * w->h;
    const double seconds = (double)attn_flops(w) / (REFERENCE_FLOPS * cpu_default_threads());
    const uint64_t sample = 2 * heads > SAMPLE_ROWS ? 2 * heads : SAMPLE_ROWS;
    return options->always_full || seconds <= options->seconds || sample > total ? total : sample;
}

/* Exact tier: golden digest, else the scalar reference in full, else a sample of its rows. Where
 * the golden digest says no, the reference finds the place. */
static void check_exact(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                        const verify_options *options, const float *out, verify_result *result)
{
    attn_digest golden;
    const bool known = options->golden && golden_lookup(kernel->contract, w, &golden);
    const uint64_t total = row_count(w), count = reference_rows(w, options);
    if (known)
        snprintf(result->method, sizeof result->method, "golden");
    else
        snprintf(result->method, sizeof result->method,
                 count == total ? "full" : "sampled (%llu of %llu rows)", (unsigned long long)count,
                 (unsigned long long)total);
    if (known && attn_digest_equal(&golden, &result->digest))
        return;
    check_reference(kernel->contract, w, in, out, (size_t)count, result);
    if (known && result->status == ATTN_OK)
        result->status = attn_because(&result->why, ATTN_FAILED,
                                      "digest %s is not the golden %s, yet %llu of %llu rows "
                                      "equal the scalar reference",
                                      result->digest.hex, golden.hex, (unsigned long long)count,
                                      (unsigned long long)total);
}

void verify_job(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                attn_job *job, const verify_options *options, float *out, verify_result *result)
{
    *result = (verify_result){.max_rel_error = NAN, .max_bound_share = NAN};
    attn_timing timing;
    result->status = kernel->ops->run(job, &timing, &result->why);
    if (result->status == ATTN_OK)
        result->status = kernel->ops->fetch(job, out, &result->why);
    if (result->status != ATTN_OK)
        return;
    result->digest = attn_digest_floats(out, attn_out_elements(w));
    if (kernel->tier == ATTN_TIER_EXACT) {
        check_exact(kernel, w, in, options, out, result);
        return;
    }
    const uint64_t total = row_count(w);
    const size_t count = options->always_full || total < SAMPLE_ROWS ? total : SAMPLE_ROWS;
    snprintf(result->method, sizeof result->method, "oracle (%zu of %llu rows)", count,
             (unsigned long long)total);
    verify_oracle(w, in, kernel->tier, out, count, result);
}
