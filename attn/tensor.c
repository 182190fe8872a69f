/* SPDX-License-Identifier: Apache-2.0
 *
 * Owned buffers and 16-bit conversion.
 */
#include "attn/tensor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attn/bits.h"

enum { ALIGNMENT = 64, LARGE_PAGE = 2 << 20 };

/* Tensors are read from end to end: walks through the tables of 4 KiB pages, twice as long in a
 * virtual machine, cost one thread a sixth of its read bandwidth on the one measured. */
static void want_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE); /* advice: where it is not followed, nothing changes */
#else
    (void)p;
    (void)bytes;
#endif
}

void *attn_alloc(size_t bytes)
{
    const bool large = bytes >= LARGE_PAGE;
    void *p = NULL;

    if (posix_memalign(&p, large ? LARGE_PAGE : ALIGNMENT, bytes ? bytes : 1) != 0)
        return NULL;
    if (large)
        want_large_pages(p, bytes / LARGE_PAGE * LARGE_PAGE);
    return p;
}

void attn_free(void *p)
{
    free(p);
}

attn_status attn_guarded_alloc(size_t bytes, attn_guarded *g, attn_reason *why)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    *g = (attn_guarded){0};
    if (bytes > SIZE_MAX - 3 * page)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "a guarded buffer of %zu bytes", bytes);
    const size_t usable = (bytes + page - 1) / page * page;
    const size_t mapped = usable + 2 * page;
    void *base = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "cannot map %zu bytes", mapped);
    if (usable && mprotect((char *)base + page, usable, PROT_READ | PROT_WRITE) != 0) {
        munmap(base, mapped);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "cannot use %zu mapped bytes", usable);
    }
    g->base = base;
    g->mapped = mapped;
    g->data = (char *)base + page + usable - bytes;
    return ATTN_OK;
}

void attn_guarded_free(attn_guarded *g)
{
    if (g->base)
        munmap(g->base, g->mapped);
    *g = (attn_guarded){0};
}

float attn_f16_to_f32(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    const uint32_t magnitude = h & 0x7fffu;

    if (magnitude >= 0x7c00u) /* inf and NaN: the exponent field fills up */
        return attn_float_of(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x0400u) /* normal: exponent bias 15 becomes 127 */
        return attn_float_of(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
    /* Subnormal: magnitude * 2^-24, exact in binary32. */
    return attn_float_of(sign | attn_bits_of((float)magnitude * 0x1p-24f));
}

uint16_t attn_f32_to_f16(float f)
{
    const uint32_t bits = attn_bits_of(f);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;

    if (magnitude > 0x7f800000u) /* NaN: quiet, the top payload bits kept */
        return (uint16_t)(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
    if (magnitude >= 0x47800000u) /* 2^16 and up, inf */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude >= 0x38800000u) {
        /* 2^-14 and up. A carry out of the fraction raises the exponent, at 65520 to inf. */
        const uint32_t rebiased = magnitude - ((127u - 15u) << 23);
        return (uint16_t)(sign | (rebiased + 0xfffu + (rebiased >> 13 & 1u)) >> 13);
    }
    if (magnitude < 0x33000000u) /* below 2^-25, half of the least subnormal */
        return sign;
    /* Subnormal result: shift the significand to units of 2^-24, rounding to nearest even. */
    const uint32_t shift = 126u - (magnitude >> 23);
    const uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const uint32_t even = significand >> shift & 1u;
    return (uint16_t)(sign | (significand + (1u << (shift - 1u)) - 1u + even) >> shift);
}

float attn_bf16_to_f32(uint16_t h)
{
    return attn_float_of((uint32_t)h << 16);
}

uint16_t attn_f32_to_bf16(float f)
{
    const uint32_t bits = attn_bits_of(f);

    if ((bits & 0x7fffffffu) > 0x7f800000u) /* NaN: quiet, so that no payload rounds to inf */
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

void attn_widen(const void *src, attn_dtype dtype, size_t count, float *dst)
{
    const uint16_t *half = src;

    switch (dtype) {
    case ATTN_F32:
        if (count)
            memcpy(dst, src, count * sizeof *dst);
        break;
    case ATTN_F16:
        for (size_t i = 0; i < count; i++)
            dst[i] = attn_f16_to_f32(half[i]);
        break;
    case ATTN_BF16:
        for (size_t i = 0; i < count; i++)
            dst[i] = attn_bf16_to_f32(half[i]);
        break;
    }
}
