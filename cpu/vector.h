/* SPDX-License-Identifier: Apache-2.0
 *
 * What the headers with an ISA's vector operations have in common.
 */
#ifndef CPU_VECTOR_H
#define CPU_VECTOR_H

#define VF_INLINE static inline __attribute__((always_inline))

/* Before a loop over registers: unrolled before the compiler decides what lives in registers.
 * gcc otherwise keeps a copy of every accumulator in memory. */
#ifdef __clang__
#define VF_UNROLL _Pragma("clang loop unroll(full)")
#else
#define VF_UNROLL _Pragma("GCC unroll 16")
#endif

#endif
