/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of statuses, contracts and tiers as every report writes them, and one-line reasons.
 */
#include "attn/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "attn/kernel.h"

const char *attn_status_name(attn_status status)
{
    switch (status) {
    case ATTN_OK:
        return "ok";
    case ATTN_FAILED:
        return "failed";
    case ATTN_UNSUPPORTED:
        return "unsupported";
    case ATTN_UNAVAILABLE:
        return "unavailable";
    case ATTN_SKIPPED:
        return "skipped";
    case ATTN_OUT_OF_MEMORY:
        return "out_of_memory";
    case ATTN_DEVICE_LOST:
        return "device_lost";
    case ATTN_TIMEOUT:
        return "timeout";
    case ATTN_ERROR:
        return "error";
    }
    return "unknown";
}

bool attn_status_alarming(attn_status status)
{
    switch (status) {
    case ATTN_OK:
    case ATTN_UNSUPPORTED:
    case ATTN_UNAVAILABLE:
    case ATTN_SKIPPED:
        return false;
    case ATTN_FAILED:
    case ATTN_OUT_OF_MEMORY:
    case ATTN_DEVICE_LOST:
    case ATTN_TIMEOUT:
    case ATTN_ERROR:
        return true;
    }
    return true;
}

const char *attn_contract_name(attn_contract contract)
{
    switch (contract) {
    case ATTN_CONTRACT_F:
        return "F";
    case ATTN_CONTRACT_M:
        return "M";
    case ATTN_CONTRACT_X:
        return "X";
    case ATTN_CONTRACT_NONE:
        return "none";
    }
    return "unknown";
}

attn_status attn_contract_takes(attn_contract contract, attn_dtype dtype, attn_reason *why)
{
    const bool wide = dtype == ATTN_F32;
    if (wide != (contract != ATTN_CONTRACT_X))
        return attn_because(why, ATTN_UNSUPPORTED, "contract %s takes %s, not %s",
                            attn_contract_name(contract), wide ? "f16 or bf16" : "f32",
                            attn_dtype_name(dtype));
    return ATTN_OK;
}

const char *attn_tier_name(attn_tier tier)
{
    switch (tier) {
    case ATTN_TIER_EXACT:
        return "exact";
    case ATTN_TIER_BOUNDED:
        return "bounded";
    }
    return "unknown";
}

attn_status attn_because(attn_reason *why, attn_status status, const char *format, ...)
{
    if (!why)
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    /* File names and user texts may hold newlines and escapes; a reason is one line. */
    for (char *c = why->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return status;
}

const char *attn_roof_kind_name(attn_roof_kind kind)
{
    static const char *const names[ATTN_ROOFS] = {"MAC", "read", "copy", "triad"};
    return names[kind];
}

const char *attn_level_name(unsigned level)
{
    static const char *const names[ATTN_LEVELS] = {NULL, "L1", "L2", "L3", "memory"};
    return names[level];
}
