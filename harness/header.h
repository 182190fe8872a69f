/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of run.jsonl: what was measured with, on and by.
 */
#ifndef HARNESS_HEADER_H
#define HARNESS_HEADER_H

#include "harness/facts.h"
#include "harness/json_value.h"
#include "harness/own_shaders.h"
#include "harness/registry.h"
#include "harness/tuning.h"
#include "harness/turns.h"

typedef struct header_options {
    int argc;
    const char *const *argv; /* the whole command line */
    uint32_t seed;
    double budget_s;
    const own_shaders *own;
    const gpu_tuning *tuning;
    const machine_facts *facts; /* NULL: not read */
    const turns *turns;
} header_options;

json_t *header_json(const registry *r, const header_options *options);

/* One Vulkan device with its limits, probe verdict and number of tuned choices. */
json_t *header_device_json(const gpu_device_info *info, const gpu_tuning *tuning);

#endif
