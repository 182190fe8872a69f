/* SPDX-License-Identifier: Apache-2.0
 *
 * Device timestamps as durations.
 */
#ifndef GPU_TIMER_H
#define GPU_TIMER_H

#include <stdint.h>

/* Ticks from begin to end of a counter of valid_bits bits (0..64) that may have wrapped once. */
uint64_t gpu_timer_ticks(uint64_t begin, uint64_t end, uint32_t valid_bits);

/* The same in seconds; NAN when valid_bits is 0: the queue has no timestamps. */
double gpu_timer_seconds(uint64_t begin, uint64_t end, uint32_t valid_bits, double period_ns);

#endif
