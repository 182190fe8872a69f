/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels.def as attn_kernel rows. A row whose ISA was not built has no implementation.
 */
#include "cpu/cpu.h"
#include "cpu/frame.h"
#include "cpu/isa.h"
#include "cpu/tile.h"
#include "cpu_config.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

/* IMPL(isa, name): the address of the implementation, or NULL where the ISA was not built. */
#define IMPL_1(name)    (&name)
#define IMPL_0(name)    NULL
#define IMPL(isa, name) CONCAT(IMPL_, CPU_BUILT_##isa)(name)

#define KERNEL(isa, name, contract, tier, tile_q, tile_k, story) extern const cpu_kernel_impl name;
#include "cpu/kernels.def"
#undef KERNEL

static attn_kernel kernels[] = {
#define KERNEL(isa, name, contract, tier, tile_q, tile_k, story)                                   \
    {#name, story, ATTN_CONTRACT_##contract, ATTN_TIER_##tier, tile_q, tile_k, true, "cpu", NULL,  \
     false, NULL,  &cpu_kernel_ops,          IMPL(isa, name),  NULL},
#include "cpu/kernels.def"
#undef KERNEL
};

static const cpu_isa_id isas[] = {
#define KERNEL(isa, ...) CPU_ISA_##isa,
#include "cpu/kernels.def"
#undef KERNEL
};

const attn_kernel *cpu_kernels(size_t *count)
{
    *count = sizeof kernels / sizeof kernels[0];
    for (size_t i = 0; i < *count; i++) {
        kernels[i].unavailable = cpu_isa_unavailable(isas[i]);
        kernels[i].device_name = cpu_model();
    }
    return kernels;
}
