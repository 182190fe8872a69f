/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction sets: which ones this program was built with, and which this CPU and its operating
 * system can run. ATTNMARK_CPU_DISABLE ("avx2,fma", or "all") forces lower levels.
 */
#ifndef CPU_ISA_H
#define CPU_ISA_H

#include "attn/status.h"

typedef enum { CPU_ISA_scalar, CPU_ISA_avx2, CPU_ISA_avx512, CPU_ISA_neon, CPU_ISAS } cpu_isa_id;

/* NULL, or one line that says why kernels of this ISA cannot run here. Static. */
const char *cpu_isa_unavailable(cpu_isa_id isa);

#endif
