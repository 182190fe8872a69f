/* SPDX-License-Identifier: Apache-2.0
 *
 * The register-only loops behind the roofs: one function per ISA and contract.
 */
#ifndef CPU_ROOF_H
#define CPU_ROOF_H

#include <stdint.h>

/* Runs `steps` steps of independent multiply-accumulates on registers and returns the FLOPs of
 * one step. *sink receives a value that depends on all of them. */
typedef uint64_t cpu_roof_loop(uint64_t steps, float *sink);

cpu_roof_loop avx2_roof_f, avx2_roof_m;
cpu_roof_loop scalar_roof_m;

#endif
