/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/library/vectors.h"

#include "cpu/isa.h"
#include "cpu/library/library.h"
#include "cpu_config.h"

static const struct {
    cpu_isa_id isa;
    const library_vectors *vectors;
} isas[] = {
#if CPU_BUILT_avx2
    {CPU_ISA_avx2, &avx2_library},
#endif
#if CPU_BUILT_neon
    {CPU_ISA_neon, &neon_library},
#endif
    {CPU_ISA_scalar, NULL},
};

const library_vectors *library_usable_vectors(void)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
        if (!cpu_isa_unavailable(isas[i].isa))
            return isas[i].vectors;
    return NULL;
}

const char *library_unavailable(void)
{
    return library_usable_vectors() ? NULL : "the softmax between its products needs AVX2 or NEON";
}
