/* SPDX-License-Identifier: Apache-2.0
 *
 * What the harness sees of the CPU kernels.
 */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "attn/kernel.h"

/* Every row of kernels.def, in its order; rows that cannot run here say why. Static. */
const attn_kernel *cpu_kernels(size_t *count);
/* The roofs of this CPU: multiply-accumulates per contract and instruction set, best first, and
 * bandwidth per kind and level, of the best usable one. Static. */
const attn_roof *cpu_roofs(size_t *count);

/* CPU model as the system names it, and the usable instruction sets ("avx2 fma"). Static. */
const char *cpu_model(void);
/* Who designed its cores: "AMD", "Arm"; "" when unknown. Static. */
const char *cpu_vendor(void);
const char *cpu_isa(void);

/* Is ATTNMARK_CPU_DISABLE well formed? Call once at start; the reason names the allowed words. */
attn_status cpu_check_environment(attn_reason *why);

/* Does arithmetic in this process behave as the contract needs (subnormals kept, nearest even, no
 * contraction)? A build or a library that changed it is found here, not in digests. */
attn_status cpu_check_arithmetic(attn_reason *why);

/* The most that may be asked for, by --threads or OMP_NUM_THREADS. */
#define CPU_MAX_THREADS 1024

/* Threads that OpenMP would use by default: as many as the CPUs that this process may run on,
 * unless OMP_NUM_THREADS says otherwise; 1 in a serial build. */
unsigned cpu_default_threads(void);
/* CPUs that this process may run on (taskset, cpusets); 0 in a serial build, which
 * cannot ask. */
unsigned cpu_allowed(void);

/* The scalar reference of one contract: rows [query, query + rows) of one head, in canonical
 * layout, dv floats each. Contract F, M or X. Returns ATTN_OUT_OF_MEMORY or ATTN_OK. */
attn_status cpu_reference_rows(attn_contract contract, const attn_workload *w,
                               const attn_inputs *in, uint32_t batch, uint32_t head, uint32_t query,
                               uint32_t rows, float *out, attn_reason *why);

#endif
