/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector parts of library kernels on AVX2.
 */
#include "cpu/x86/avx2.h"

#include "cpu/library/lanes.h"

LIBRARY_VECTORS(avx2_library);
