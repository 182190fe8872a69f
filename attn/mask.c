/* SPDX-License-Identifier: Apache-2.0
 *
 * Masks as intervals of keys.
 */
#include "attn/mask.h"

attn_span attn_mask_row(const attn_workload *w, uint32_t batch, uint32_t row)
{
    /* Bottom-right alignment: the last query stands at the last key. position < m always, and
     * is negative for the first n - m queries when there are fewer keys than queries. */
    const int64_t position = (int64_t)row + w->m - w->n;
    int64_t lo = 0, hi = 0;

    switch (w->mask) {
    case ATTN_MASK_FULL:
        hi = w->m;
        break;
    case ATTN_MASK_CAUSAL:
        hi = position + 1;
        break;
    case ATTN_MASK_CAUSAL_TL:
        hi = row < w->m ? (int64_t)row + 1 : w->m;
        break;
    case ATTN_MASK_WINDOW:
        hi = position + 1;
        lo = hi > w->mask_size ? hi - w->mask_size : 0;
        break;
    case ATTN_MASK_CHUNK:
        hi = position + 1;
        lo = position > 0 ? position / w->mask_size * w->mask_size : 0;
        break;
    case ATTN_MASK_LEN:
        hi = w->len[w->lens > 1 ? batch : 0];
        break;
    }
    if (lo >= hi)
        return (attn_span){0, 0};
    return (attn_span){(uint32_t)lo, (uint32_t)hi};
}

static bool sequences_differ(const attn_workload *w)
{
    if (w->mask != ATTN_MASK_LEN)
        return false;
    for (uint32_t s = 1; s < w->lens; s++)
        if (w->len[s] != w->len[0])
            return true;
    return false;
}

size_t attn_mask_stride(const attn_workload *w)
{
    return sequences_differ(w) ? w->n : 0;
}

size_t attn_mask_rows(const attn_workload *w)
{
    return sequences_differ(w) ? (size_t)w->b * w->n : w->n;
}

void attn_mask_table(const attn_workload *w, attn_span *table)
{
    const uint32_t sequences = sequences_differ(w) ? w->b : 1;

    for (uint32_t s = 0; s < sequences; s++)
        for (uint32_t i = 0; i < w->n; i++)
            table[(size_t)s * w->n + i] = attn_mask_row(w, s, i);
}

attn_cover attn_mask_cover(const attn_span *rows, uint32_t count, uint32_t j0, uint32_t j1)
{
    bool any = false, all = true;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lo = rows[i].lo > j0 ? rows[i].lo : j0;
        const uint32_t hi = rows[i].hi < j1 ? rows[i].hi : j1;
        any |= lo < hi;
        all &= rows[i].lo <= j0 && rows[i].hi >= j1;
    }
    if (!any)
        return ATTN_HIDDEN;
    return all ? ATTN_VISIBLE : ATTN_MIXED;
}
