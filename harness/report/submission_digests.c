/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "attn/contract.h"
#include "harness/golden.h"
#include "harness/report/submission.h"

static bool is_exact(const result_row *row)
{
    return row->status == ATTN_OK && !row->roof && row->tier == ATTN_TIER_EXACT &&
           row->contract != ATTN_CONTRACT_NONE && row->digest[0] != '\0';
}

static bool same_bits_wanted(const result_row *a, const result_row *b)
{
    char one[ATTN_WORKLOAD_TEXT], other[ATTN_WORKLOAD_TEXT];
    return a->contract == b->contract && strcmp(attn_workload_format(a->workload, one),
                                                attn_workload_format(b->workload, other)) == 0;
}

/* The first exact row that should have the same bits as this one. */
static const result_row *first_alike(const run_file *run, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (is_exact(&run->rows[i]) && same_bits_wanted(&run->rows[i], &run->rows[index]))
            return &run->rows[i];
    return &run->rows[index];
}

static attn_status check_row(const run_file *run, size_t index, size_t *golden, attn_reason *why)
{
    const result_row *row = &run->rows[index], *first = first_alike(run, index);
    attn_digest table;
    const json_t *seed = json_object_get(run->header, "seed");
    if (strcmp(first->digest, row->digest) != 0)
        return attn_because(why, ATTN_ERROR,
                            "%.60s on %.20s has the digest %s, %.60s on %.20s %s: exact rows of "
                            "one contract and workload must agree",
                            first->kernel, first->device, first->digest, row->kernel, row->device,
                            row->digest);
    if (json_integer_value(seed) != GOLDEN_SEED ||
        !golden_lookup(row->contract, row->workload, &table))
        return ATTN_OK;
    ++*golden;
    if (strcmp(table.hex, row->digest) == 0)
        return ATTN_OK;
    return attn_because(
        why, ATTN_ERROR, "%.60s on %.20s has the digest %s, the golden table %s (contract %s)",
        row->kernel, row->device, row->digest, table.hex, attn_contract_name(row->contract));
}

attn_status submission_check_digests(const run_file *run, size_t *golden, attn_reason *why)
{
    const json_t *version = json_object_get(run->header, "contract_version");
    attn_status status = ATTN_OK;
    *golden = 0;
    if (json_integer_value(version) != ATTN_CONTRACT_VERSION)
        return attn_because(why, ATTN_ERROR,
                            "contract_version %lld; this program has the golden table of %d",
                            (long long)json_integer_value(version), ATTN_CONTRACT_VERSION);
    for (size_t i = 0; i < run->count && status == ATTN_OK; i++)
        if (is_exact(&run->rows[i]))
            status = check_row(run, i, golden, why);
    return status;
}
