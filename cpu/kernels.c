/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels.def and library/libraries.def as attn_kernel rows. A row whose ISA or library was not
 * built has no implementation.
 */
#include "cpu/cpu.h"
#include "cpu/frame.h"
#include "cpu/isa.h"
#include "cpu/library/library.h"
#include "cpu/tile.h"
#include "cpu_config.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

/* IMPL(isa, name): the address of the implementation, or NULL where the ISA was not built. A
 * library stands for an ISA here. */
#define IMPL_1(name)    (&name)
#define IMPL_0(name)    NULL
#define IMPL(isa, name) CONCAT(IMPL_, CPU_BUILT_##isa)(name)

#define KERNEL(isa, name, contract, tier, tile_q, tile_k, story) extern const cpu_kernel_impl name;
#include "cpu/kernels.def"
#undef KERNEL

#define LIBRARY(name, ...) extern const library_impl name;
#include "cpu/library/libraries.def"
#undef LIBRARY

static attn_kernel kernels[] = {
#define KERNEL(isa, kernel, kind, proof, queries, keys, idea)                                      \
    {.name = #kernel,                                                                              \
     .story = idea,                                                                                \
     .contract = ATTN_CONTRACT_##kind,                                                             \
     .tier = ATTN_TIER_##proof,                                                                    \
     .tile_q = queries,                                                                            \
     .tile_k = keys,                                                                               \
     .threaded = true,                                                                             \
     .device = "cpu",                                                                              \
     .ops = &cpu_kernel_ops,                                                                       \
     .impl = IMPL(isa, kernel)},
#include "cpu/kernels.def"
#undef KERNEL
#define LIBRARY(kernel, needs, idea)                                                               \
    {.name = #kernel,                                                                              \
     .story = idea,                                                                                \
     .contract = ATTN_CONTRACT_NONE,                                                               \
     .tier = ATTN_TIER_BOUNDED,                                                                    \
     .tile_q = LIBRARY_QUERIES,                                                                    \
     .tile_k = LIBRARY_KEYS,                                                                       \
     .threaded = true,                                                                             \
     .device = "cpu",                                                                              \
     .unavailable = "built without " needs,                                                        \
     .ops = &library_kernel_ops,                                                                   \
     .impl = IMPL(kernel, kernel),                                                                 \
     .library = true},
#include "cpu/library/libraries.def"
#undef LIBRARY
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
        if (!kernels[i].library)
            kernels[i].unavailable = cpu_isa_unavailable(isas[i]);
        else if (kernels[i].impl)
            kernels[i].unavailable = library_unavailable();
        kernels[i].device_name = cpu_model();
    }
    return kernels;
}
