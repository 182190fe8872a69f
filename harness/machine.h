/* SPDX-License-Identifier: Apache-2.0
 *
 * What machine is this? Facts from POSIX calls, /proc and /sys; what cannot be read is null.
 */
#ifndef HARNESS_MACHINE_H
#define HARNESS_MACHINE_H

#include "harness/json_value.h"

/* CPU, caches, cores, governor, boost, load, memory, virtualisation, operating system. */
json_t *machine_json(void);

/* Every set environment variable that can change a result: VK_*, MESA_*, LP_*, OMP_*, GOMP_*,
 * KMP_*, SLURM_*, ATTNMARK_*. Values that look like credentials are withheld. */
json_t *machine_environment_json(void);

/* Now, in UTC: "2026-01-31T12:00:00Z", or "" when unknown. Returns text. */
#define MACHINE_TIME 32
const char *machine_time(char text[MACHINE_TIME]);

/* Physical memory, or the control group's limit when that is lower; 0 when unknown. */
uint64_t machine_memory_bytes(void);

#endif
