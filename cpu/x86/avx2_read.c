/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/x86/avx2.h"

#include "cpu/read_lines.h"

float avx2_read(const float *from, size_t stride, size_t lines)
{
    return read_lines(from, stride, lines);
}
