/* SPDX-License-Identifier: Apache-2.0
 *
 * The workload descriptor: limits, counts and text form.
 */
#include "attn/workload.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/contract.h"
#include "attn/mask.h"

/* Byte totals and FLOPs stay below this, so that sums of a few of them fit 64 bits. */
#define MAX_TOTAL (UINT64_C(1) << 62)
/* The largest |scale| whose s2 = scale * log2(e) is a finite binary32. */
#define MAX_SCALE 2.35e38
#define LOG2_E    1.4426950408889634074

#define STRING(x) #x
#define VALUE(x)  STRING(x)
#define UP_TO(x)  "1.." VALUE(x)
#define LENGTH    UP_TO(ATTN_MAX_LENGTH)
#define WANTED_N  LENGTH ", a doubling sweep FROM..TO or a rising list N:N:... of up to 64 sizes"
#define WANTED_MASK                                                                                \
    "full, causal, causal-tl, window:W or chunk:C (" LENGTH                                        \
    ") or len:L0[:L1...] (0..m each; 1 or b of them, up to 64)"
#define WANTED_SCALE "a finite decimal number of magnitude up to " VALUE(MAX_SCALE)

_Static_assert(ATTN_MAX_SWEEP == 64 && ATTN_MAX_LENS == 64, "the texts above say 64");

/* Every key of the text form; those before DTYPE are integers. */
enum { N, B, H, HK, M, D, DV, SPLIT, DTYPE, MASK, SCALE, KEYS };

static const struct {
    const char *name, *wanted;
    size_t offset;
    uint32_t min, max;
} keys[KEYS] = {
    [N] = {"n", WANTED_N, offsetof(attn_workload, n), 1, ATTN_MAX_LENGTH},
    [B] = {"b", UP_TO(ATTN_MAX_BATCH), offsetof(attn_workload, b), 1, ATTN_MAX_BATCH},
    [H] = {"h", UP_TO(ATTN_MAX_HEADS), offsetof(attn_workload, h), 1, ATTN_MAX_HEADS},
    [HK] = {"hk", UP_TO(ATTN_MAX_HEADS), offsetof(attn_workload, hk), 1, ATTN_MAX_HEADS},
    [M] = {"m", LENGTH, offsetof(attn_workload, m), 1, ATTN_MAX_LENGTH},
    [D] = {"d", UP_TO(ATTN_MAX_HEAD_SIZE), offsetof(attn_workload, d), 1, ATTN_MAX_HEAD_SIZE},
    [DV] = {"dv", UP_TO(ATTN_MAX_HEAD_SIZE), offsetof(attn_workload, dv), 1, ATTN_MAX_HEAD_SIZE},
    [SPLIT] = {"split", "0 or a multiple of 64 up to " VALUE(ATTN_MAX_LENGTH),
               offsetof(attn_workload, split), 0, ATTN_MAX_LENGTH},
    [DTYPE] = {.name = "dtype", .wanted = "f32, f16 or bf16"},
    [MASK] = {.name = "mask", .wanted = WANTED_MASK},
    [SCALE] = {.name = "scale", .wanted = WANTED_SCALE},
};

static const char *const dtype_names[] = {"f32", "f16", "bf16"};
static const char *const mask_names[] = {"full", "causal", "causal-tl", "window", "chunk", "len"};
enum { DTYPES = sizeof dtype_names / sizeof *dtype_names };
enum { MASK_KINDS = sizeof mask_names / sizeof *mask_names };

static uint32_t *integer_of(attn_workload *w, size_t key)
{
    return (uint32_t *)((char *)w + keys[key].offset);
}

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

uint64_t attn_bytes(const attn_workload *w)
{
    const uint64_t inputs = attn_q_elements(w) + attn_k_elements(w) + attn_v_elements(w);

    return inputs * attn_dtype_size(w->dtype) + attn_out_elements(w) * sizeof(float);
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
                            mask_names[w->mask], (unsigned)w->mask_size);
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
    attn_workload copy = *w;

    for (size_t key = 0; key < DTYPE; key++) {
        const uint32_t value = *integer_of(&copy, key);
        if (value < keys[key].min || value > keys[key].max)
            return attn_because(why, ATTN_ERROR, "%s: %u..%u wanted, got %u", keys[key].name,
                                (unsigned)keys[key].min, (unsigned)keys[key].max, (unsigned)value);
    }
    if (w->h % w->hk != 0)
        return attn_because(why, ATTN_ERROR, "hk: a divisor of h=%u in 1..%d wanted, got %u",
                            (unsigned)w->h, ATTN_MAX_HEADS, (unsigned)w->hk);
    if (w->split % ATTN_BK != 0)
        return attn_because(why, ATTN_ERROR, "split: %s wanted, got %u", keys[SPLIT].wanted,
                            (unsigned)w->split);
    if ((unsigned)w->dtype >= DTYPES)
        return attn_because(why, ATTN_ERROR, "dtype: %s wanted", keys[DTYPE].wanted);
    if (!(fabs(w->scale) <= MAX_SCALE))
        return attn_because(why, ATTN_ERROR, "scale: %s wanted", keys[SCALE].wanted);
    const attn_status status = check_mask(w, why);
    return status == ATTN_OK ? check_totals(w, why) : status;
}

/* Text form */

/* printf and strtod follow the locale's decimal point; the text form never does. */
static void replace_point(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);

    if (!at)
        return;
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

/* Room for a number of MAX_NUMBER characters and a decimal point of several bytes. */
enum { MAX_NUMBER = 64, NUMBER_BUFFER = MAX_NUMBER + 16 };

static double text_to_double(const char *text)
{
    char local[NUMBER_BUFFER];

    strcpy(local, text);
    replace_point(local, ".", localeconv()->decimal_point);
    return strtod(local, NULL);
}

static void double_to_text(double value, char text[NUMBER_BUFFER])
{
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, NUMBER_BUFFER, "%.*g", digits, value);
        replace_point(text, localeconv()->decimal_point, ".");
        if (text_to_double(text) == value)
            return;
    }
}

const char *attn_workload_format(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    char mask[ATTN_WORKLOAD_TEXT / 2 + 256], scale[NUMBER_BUFFER];
    int used = snprintf(mask, sizeof mask, "%s", mask_names[w->mask]);

    if (w->mask == ATTN_MASK_WINDOW || w->mask == ATTN_MASK_CHUNK)
        used += snprintf(mask + used, sizeof mask - (size_t)used, ":%u", (unsigned)w->mask_size);
    if (w->mask == ATTN_MASK_LEN)
        for (uint32_t s = 0; s < w->lens; s++)
            used += snprintf(mask + used, sizeof mask - (size_t)used, ":%u", (unsigned)w->len[s]);
    double_to_text(w->scale + 0.0, scale); /* -0 is written as 0 */
    snprintf(text, ATTN_WORKLOAD_TEXT,
             "b=%u,h=%u,hk=%u,n=%u,m=%u,d=%u,dv=%u,dtype=%s,mask=%s,scale=%s,split=%u",
             (unsigned)w->b, (unsigned)w->h, (unsigned)w->hk, (unsigned)w->n, (unsigned)w->m,
             (unsigned)w->d, (unsigned)w->dv, attn_dtype_name(w->dtype), mask, scale,
             (unsigned)w->split);
    return text;
}

/* What a text has said so far. */
typedef struct draft {
    attn_workload w;
    bool given[KEYS];
    uint32_t n[ATTN_MAX_SWEEP];
    size_t sizes;
} draft;

/* A whole token of decimal digits with a value in min..max. */
static bool read_integer(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
    uint64_t v = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        v = 10 * v + (uint64_t)(*text - '0');
        if (v > max)
            return false;
    }
    *value = (uint32_t)v;
    return v >= min;
}

static size_t skip_digits(const char **text)
{
    const char *start = *text;

    while (**text >= '0' && **text <= '9')
        ++*text;
    return (size_t)(*text - start);
}

/* [-+]digits[.digits][e[-+]digits], the digits before or after the point may be missing. */
static bool read_double(const char *text, double *value)
{
    const char *at = text;

    at += *at == '-' || *at == '+';
    size_t digits = skip_digits(&at);
    if (*at == '.') {
        at++;
        digits += skip_digits(&at);
    }
    if (digits && (*at == 'e' || *at == 'E')) {
        at++;
        at += *at == '-' || *at == '+';
        digits = skip_digits(&at);
    }
    if (!digits || *at || at - text > MAX_NUMBER)
        return false;
    *value = text_to_double(text) + 0.0; /* -0 becomes 0: one problem, one key */
    return fabs(*value) <= MAX_SCALE;
}

/* Splits off the text up to the separator; *rest becomes NULL after the last part. */
static char *next_part(char **rest, const char *separator)
{
    char *part = *rest, *end = strstr(part, separator);

    *rest = end ? end + strlen(separator) : NULL;
    if (end)
        *end = '\0';
    return part;
}

static bool read_sizes(draft *t, char *text)
{
    if (strstr(text, "..")) {
        uint32_t from, to;
        char *rest = text;
        if (!read_integer(next_part(&rest, ".."), 1, ATTN_MAX_LENGTH, &from) ||
            !read_integer(rest, from, ATTN_MAX_LENGTH, &to))
            return false;
        for (uint64_t size = from; size <= to; size *= 2)
            t->n[t->sizes++] = (uint32_t)size;
        return true;
    }
    for (char *rest = text; rest; t->sizes++) {
        const uint32_t above = t->sizes ? t->n[t->sizes - 1] + 1 : 1;
        if (t->sizes == ATTN_MAX_SWEEP ||
            !read_integer(next_part(&rest, ":"), above, ATTN_MAX_LENGTH, &t->n[t->sizes]))
            return false;
    }
    return true;
}

static bool read_mask(attn_workload *w, char *text)
{
    char *rest = text;
    const char *name = next_part(&rest, ":");
    unsigned kind = 0;

    while (kind < MASK_KINDS && strcmp(name, mask_names[kind]) != 0)
        kind++;
    if (kind == MASK_KINDS)
        return false;
    w->mask = (attn_mask_kind)kind;
    if (w->mask == ATTN_MASK_WINDOW || w->mask == ATTN_MASK_CHUNK)
        return rest && read_integer(rest, 1, ATTN_MAX_LENGTH, &w->mask_size);
    if (w->mask != ATTN_MASK_LEN)
        return !rest;
    if (!rest)
        return false;
    for (; rest; w->lens++)
        if (w->lens == ATTN_MAX_LENS ||
            !read_integer(next_part(&rest, ":"), 0, ATTN_MAX_LENGTH, &w->len[w->lens]))
            return false;
    return true;
}

static bool read_dtype(attn_workload *w, const char *text)
{
    for (unsigned i = 0; i < DTYPES; i++)
        if (strcmp(text, dtype_names[i]) == 0) {
            w->dtype = (attn_dtype)i;
            return true;
        }
    return false;
}

static bool read_value(draft *t, size_t key, char *value)
{
    switch (key) {
    case N:
        return read_sizes(t, value);
    case DTYPE:
        return read_dtype(&t->w, value);
    case MASK:
        return read_mask(&t->w, value);
    case SCALE:
        return read_double(value, &t->w.scale);
    default:
        return read_integer(value, keys[key].min, keys[key].max, integer_of(&t->w, key));
    }
}

/* One `key=value`. */
static attn_status read_item(draft *t, char *item, attn_reason *why)
{
    char shown[40];
    char *value = strchr(item, '=');
    size_t key = 0;

    if (!value)
        return attn_because(why, ATTN_ERROR, "key=value wanted, got '%.40s'", item);
    *value++ = '\0';
    while (key < KEYS && strcmp(item, keys[key].name) != 0)
        key++;
    if (key == KEYS)
        return attn_because(why, ATTN_ERROR,
                            "unknown key '%.40s': b, h, hk, n, m, d, dv, dtype, mask, scale or "
                            "split wanted",
                            item);
    if (t->given[key])
        return attn_because(why, ATTN_ERROR, "%s: given twice", item);
    t->given[key] = true;
    snprintf(shown, sizeof shown, "%s", value); /* reading takes the value apart */
    if (read_value(t, key, value))
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR, "%s: %s wanted, got '%s'", item, keys[key].wanted, shown);
}

attn_status attn_workload_parse(const char *text, attn_workload list[ATTN_MAX_SWEEP], size_t *count,
                                attn_reason *why)
{
    draft t = {.w = attn_workload_default(1024, 64)};
    char copy[2 * ATTN_WORKLOAD_TEXT];

    *count = 0;
    if (strlen(text) >= sizeof copy)
        return attn_because(why, ATTN_ERROR, "a workload of at most %zu characters wanted",
                            sizeof copy - 1);
    strcpy(copy, text);
    for (char *rest = *copy ? copy : NULL; rest;) {
        const attn_status status = read_item(&t, next_part(&rest, ","), why);
        if (status != ATTN_OK)
            return status;
    }
    if (!t.given[N])
        t.n[t.sizes++] = t.w.n;
    if (!t.given[HK])
        t.w.hk = t.w.h;
    if (!t.given[DV])
        t.w.dv = t.w.d;
    if (!t.given[SCALE])
        t.w.scale = 1.0 / sqrt(t.w.d);
    for (size_t i = 0; i < t.sizes; i++) {
        t.w.n = t.n[i];
        if (!t.given[M])
            t.w.m = t.w.n;
        const attn_status status = attn_workload_check(&t.w, why);
        if (status != ATTN_OK)
            return status;
        list[i] = t.w;
    }
    *count = t.sizes;
    return ATTN_OK;
}
