/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes array[first + index] of an array in registers, index < count known only at run
 * time, as a chain of selections: registers have no address, and an array that is indexed freely
 * lives in slow memory. For loops that move a row to or from buffers: unrolled, they are most of
 * the code, and on drivers for the CPU most of the time to compile.
 */
#define TAKE(array, first, count, index, value)                                                    \
    [[unroll]] for (uint i_ = 0; i_ < count; i_++)                                                 \
        value = i_ == index ? array[first + i_] : value
#define PUT(array, first, count, index, value)                                                     \
    [[unroll]] for (uint i_ = 0; i_ < count; i_++)                                                 \
        array[first + i_] = i_ == index ? value : array[first + i_]
