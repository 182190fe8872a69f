/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector parts of library kernels on NEON.
 */
#include "cpu/arm/neon.h"

#include "cpu/library/lanes.h"

LIBRARY_VECTORS(neon_library);
