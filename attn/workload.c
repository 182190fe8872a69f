/* SPDX-License-Identifier: Apache-2.0
 *
 * The workload descriptor: limits and counts.
 */
#include "attn/workload.h"

#include <math.h>

#include "attn/contract.h"
#include "attn/mask.h"
#include "attn/workload_keys.h"

/* Byte totals and FLOPs stay below this, so that sums of a few of them fit 64 bits. */
#define MAX_TOTAL (UINT64_C(1) << 62)
#define LOG2_E    1.4426950408889634074

#define STRING(x) #x
#define VALUE(x)  STRING(x)
#define UP_TO(x)  "1.." VALUE(x)
#define LENGTH    UP_TO(ATTN_MAX_LENGTH)
#define SIZES     LENGTH ", a doubling sweep FROM..TO or a rising list N:N:... of up to 64 sizes"
#define WANTED_MASK                                                                                \
    "full, causal, causal-tl, window:W or chunk:C (" LENGTH                                        \
    ") or len:L0[:L1...] (0..m each; 1 or b of them, up to 64)"
#define WANTED_SCALE "a finite decimal number of magnitude up to " VALUE(MAX_SCALE)

_Static_assert(ATTN_MAX_SWEEP == 64 && ATTN_MAX_LENS == 64, "the texts above say 64");

const attn_key attn_keys[KEYS] = {
    [KEY_N] = {"n", SIZES, offsetof(attn_workload, n), 1, ATTN_MAX_LENGTH},
    [KEY_B] = {"b", UP_TO(ATTN_MAX_BATCH), offsetof(attn_workload, b), 1, ATTN_MAX_BATCH},
    [KEY_H] = {"h", UP_TO(ATTN_MAX_HEADS), offsetof(attn_workload, h), 1, ATTN_MAX_HEADS},
    [KEY_HK] = {"hk", UP_TO(ATTN_MAX_HEADS), offsetof(attn_workload, hk), 1, ATTN_MAX_HEADS},
    [KEY_M] = {"m", SIZES, offsetof(attn_workload, m), 1, ATTN_MAX_LENGTH},
    [KEY_D] = {"d", UP_TO(ATTN_MAX_HEAD_SIZE), offsetof(attn_workload, d), 1, ATTN_MAX_HEAD_SIZE},
    [KEY_DV] = {"dv", UP_TO(ATTN_MAX_HEAD_SIZE), offsetof(attn_workload, dv), 1,
                ATTN_MAX_HEAD_SIZE},
    [KEY_SPLIT] = {"split", "0 or a multiple of 64 up to " VALUE(ATTN_MAX_LENGTH),
                   offsetof(attn_workload, split), 0, ATTN_MAX_LENGTH},
    [KEY_DTYPE] = {.name = "dtype", .wanted = "f32, f16 or bf16"},
    [KEY_MASK] = {.name = "mask", .wanted = WANTED_MASK},
    [KEY_SCALE] = {.name = "scale", .wanted = WANTED_SCALE},
};

static const char *const dtype_names[DTYPES] = {"f32", "f16", "bf16"};
const char *const attn_mask_names[MASK_KINDS] = {"full",   "causal", "causal-tl",
                                                 "window", "chunk",  "len"};

const char *attn_dtype_name(attn_dtype dtype)
{
    return (unsigned)dtype < DTYPES ? dtype_names[dtype] : "unknown";
}

size_t attn_dtype_size(attn_dtype dtype)
{
    return dtype == ATTN_F32 ? 4 : 2;
}

attn_workload attn_workload_default(uint32_t n, uint32_t d)
{
    return (attn_workload){
        .b = 1, .h = 8, .hk = 8, .n = n, .m = n, .d = d, .dv = d, .scale = 1.0 / sqrt(d)};
}

/* Counts */

bool attn_workload_same(const attn_workload *a, const attn_workload *b)
{
    const bool sized = a->mask == ATTN_MASK_WINDOW || a->mask == ATTN_MASK_CHUNK;
    bool same = a->b == b->b && a->h == b->h && a->hk == b->hk && a->n == b->n && a->m == b->m &&
                a->d == b->d && a->dv == b->dv && a->split == b->split && a->dtype == b->dtype &&
                a->mask == b->mask && a->scale == b->scale &&
                (!sized || a->mask_size == b->mask_size) &&
                (a->mask != ATTN_MASK_LEN || a->lens == b->lens);
    for (uint32_t s = 0; same && a->mask == ATTN_MASK_LEN && s < a->lens; s++)
        same = a->len[s] == b->len[s];
    return same;
}

uint64_t attn_q_elements(const attn_workload *w)
{
    return (uint64_t)w->b * w->h * w->n * w->d;
}

uint64_t attn_k_elements(const attn_workload *w)
{
    return (uint64_t)w->b * w->hk * w->m * w->d;
}

uint64_t attn_v_elements(const attn_workload *w)
{
    return (uint64_t)w->b * w->hk * w->m * w->dv;
}

uint64_t attn_out_elements(const attn_workload *w)
{
    return (uint64_t)w->b * w->h * w->n * w->dv;
}

uint64_t attn_pairs(const attn_workload *w)
{
    const uint32_t sequences = attn_mask_stride(w) ? w->b : 1;
    uint64_t pairs = 0;

    for (uint32_t s = 0; s < sequences; s++)
        for (uint32_t i = 0; i < w->n; i++) {
            const attn_span span = attn_mask_row(w, s, i);
            pairs += span.hi - span.lo;
        }
    return pairs * (w->b / sequences) * w->h;
}

uint64_t attn_flops(const attn_workload *w)
{
    return 2 * attn_pairs(w) * (w->d + w->dv);
}

uint64_t attn_flops_dense(const attn_workload *w)
{
    return 2 * (uint64_t)w->b * w->h * w->n * w->m * (w->d + w->dv);
}

/* Keys of all sequences that some query sees. */
static uint64_t seen_keys(const attn_workload *w)
{
    const uint32_t sequences = attn_mask_stride(w) ? w->b : 1;
    uint64_t keys = 0;

    for (uint32_t s = 0; s < sequences; s++) {
        /* The spans of following queries touch, so that those of all make one interval. */
        uint32_t lo = w->m, hi = 0;
        for (uint32_t i = 0; i < w->n; i++) {
            const attn_span span = attn_mask_row(w, s, i);
            if (span.lo < span.hi) {
                lo = span.lo < lo ? span.lo : lo;
                hi = span.hi > hi ? span.hi : hi;
            }
        }
        keys += lo < hi ? hi - lo : 0;
    }
    return keys * (w->b / sequences);
}

uint64_t attn_bytes(const attn_workload *w)
{
    const uint64_t keys = seen_keys(w) * w->hk * (w->d + w->dv);

    return (attn_q_elements(w) + keys) * attn_dtype_size(w->dtype) +
           attn_out_elements(w) * sizeof(float);
}

float attn_workload_s2(const attn_workload *w)
{
    return (float)(w->scale * LOG2_E);
}

/* Check */

/* A product of counts, or MAX_TOTAL when it is larger. */
static uint64_t product(const uint64_t *factors, size_t count)
{
    uint64_t total = 1;

    for (size_t i = 0; i < count; i++) {
        if (total > MAX_TOTAL / factors[i])
            return MAX_TOTAL;
        total *= factors[i];
    }
    return total;
}

static attn_status check_totals(const attn_workload *w, attn_reason *why)
{
    const uint64_t size = attn_dtype_size(w->dtype);
    const uint64_t heads = (uint64_t)w->b * w->h, width = w->d + w->dv;
    const uint64_t queries =
        product((const uint64_t[]){heads, w->n, w->d * size + w->dv * sizeof(float)}, 3);
    const uint64_t keys = product((const uint64_t[]){w->b, w->hk, w->m, width * size}, 4);

    if (queries >= MAX_TOTAL || keys >= MAX_TOTAL - queries)
        return attn_because(why, ATTN_ERROR,
                            "b, h, n, m, d, dv: less than 2^62 bytes of tensors wanted");
    if (product((const uint64_t[]){2, heads, w->n, w->m, width}, 5) >= MAX_TOTAL)
        return attn_because(why, ATTN_ERROR,
                            "b, h, n, m, d, dv: less than 2^62 FLOPs (2*b*h*n*m*(d+dv)) wanted");
    return ATTN_OK;
}

static attn_status check_mask(const attn_workload *w, attn_reason *why)
{
    const bool sized = w->mask == ATTN_MASK_WINDOW || w->mask == ATTN_MASK_CHUNK;

    if ((unsigned)w->mask >= MASK_KINDS)
        return attn_because(why, ATTN_ERROR, "mask: " WANTED_MASK " wanted");
    if (sized && (w->mask_size < 1 || w->mask_size > ATTN_MAX_LENGTH))
        return attn_because(why, ATTN_ERROR, "mask: %s:" LENGTH " wanted, got %u",
                            attn_mask_names[w->mask], (unsigned)w->mask_size);
    if (w->mask != ATTN_MASK_LEN)
        return ATTN_OK;
    if (w->lens > ATTN_MAX_LENS || (w->lens != 1 && w->lens != w->b))
        return attn_because(why, ATTN_ERROR,
                            "mask: len with 1 or b=%u entries (up to %d) wanted, got %u",
                            (unsigned)w->b, ATTN_MAX_LENS, (unsigned)w->lens);
    for (uint32_t s = 0; s < w->lens; s++)
        if (w->len[s] > w->m)
            return attn_because(why, ATTN_ERROR, "mask: len of 0..m=%u wanted, got %u",
                                (unsigned)w->m, (unsigned)w->len[s]);
    return ATTN_OK;
}

attn_status attn_workload_check(const attn_workload *w, attn_reason *why)
{
    for (size_t key = 0; key < KEY_DTYPE; key++) {
        const uint32_t value = *(const uint32_t *)((const char *)w + attn_keys[key].offset);
        if (value < attn_keys[key].min || value > attn_keys[key].max)
            return attn_because(why, ATTN_ERROR, "%s: %u..%u wanted, got %u", attn_keys[key].name,
                                (unsigned)attn_keys[key].min, (unsigned)attn_keys[key].max,
                                (unsigned)value);
    }
    if (w->h % w->hk != 0)
        return attn_because(why, ATTN_ERROR, "hk: a divisor of h=%u in 1..%d wanted, got %u",
                            (unsigned)w->h, ATTN_MAX_HEADS, (unsigned)w->hk);
    if (w->split % ATTN_BK != 0)
        return attn_because(why, ATTN_ERROR, "split: %s wanted, got %u",
                            attn_keys[KEY_SPLIT].wanted, (unsigned)w->split);
    if ((unsigned)w->dtype >= DTYPES)
        return attn_because(why, ATTN_ERROR, "dtype: %s wanted", attn_keys[KEY_DTYPE].wanted);
    if (!(fabs(w->scale) <= MAX_SCALE))
        return attn_because(why, ATTN_ERROR, "scale: %s wanted", attn_keys[KEY_SCALE].wanted);
    const attn_status status = check_mask(w, why);
    return status == ATTN_OK ? check_totals(w, why) : status;
}
