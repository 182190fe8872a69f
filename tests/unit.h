/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka with the headers that it wants first, and what several unit tests share.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "attn/bits.h"
#include "attn/tensor.h"

/* Leaves a test that this machine or build has nothing for. cmocka's skip() is "not ok ... # SKIP"
 * in TAP, which meson counts as a failure. */
#define NOTHING_TO_TEST(why)                                                                       \
    do {                                                                                           \
        fprintf(stderr, "not tested: %s\n", why);                                                  \
        return;                                                                                    \
    } while (0)

/* The one workload of a text. */
static inline attn_workload parse_workload(const char *text)
{
    attn_workload list[ATTN_MAX_SWEEP];
    attn_reason why = {""};
    size_t count = 0;

    if (attn_workload_parse(text, list, &count, &why) != ATTN_OK)
        fail_msg("'%s': %s", text, why.text);
    assert_int_equal(count, 1);
    return list[0];
}

/* tensor[index] = value, rounded to the data type. */
static inline void store_value(void *tensor, attn_dtype dtype, size_t index, float value)
{
    if (dtype == ATTN_F32)
        ((float *)tensor)[index] = value;
    else
        ((uint16_t *)tensor)[index] =
            dtype == ATTN_F16 ? attn_f32_to_f16(value) : attn_f32_to_bf16(value);
}

/* A small deterministic sequence for picking cases; not for tensors. */
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#endif
