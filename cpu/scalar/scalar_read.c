/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/scalar/scalar.h"

#include "cpu/read_lines.h"

float scalar_read(const float *from, size_t stride, size_t lines)
{
    return read_lines(from, stride, lines);
}
