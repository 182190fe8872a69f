/* SPDX-License-Identifier: Apache-2.0
 *
 * What the check and the text form of a workload share: the keys, their ranges and their names.
 * Internal to attn/workload*.c.
 */
#ifndef ATTN_WORKLOAD_KEYS_H
#define ATTN_WORKLOAD_KEYS_H

#include "attn/workload.h"

/* Every key of the text form; those before KEY_DTYPE are integers. */
enum {
    KEY_N,
    KEY_B,
    KEY_H,
    KEY_HK,
    KEY_M,
    KEY_D,
    KEY_DV,
    KEY_SPLIT,
    KEY_DTYPE,
    KEY_MASK,
    KEY_SCALE,
    KEYS
};

typedef struct attn_key {
    const char *name, *wanted;
    size_t offset; /* of the field that an integer key fills */
    uint32_t min, max;
} attn_key;

extern const attn_key attn_keys[KEYS];

enum { DTYPES = ATTN_BF16 + 1, MASK_KINDS = ATTN_MASK_LEN + 1 };
extern const char *const attn_mask_names[MASK_KINDS];

/* The largest |scale| whose s2 = scale * log2(e) is a finite binary32. */
#define MAX_SCALE 2.35e38

#endif
