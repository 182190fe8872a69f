/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy that the machine's own meters saw: of the CPU packages (RAPL, by Linux's powercap), else
 * of one sensor of hwmon. It is that of everything that ran, not of this process alone.
 */
#ifndef HARNESS_ENERGY_H
#define HARNESS_ENERGY_H

#include <stddef.h>
#include <stdint.h>

#include "attn/status.h"

#define ENERGY_METERS   16  /* packages */
#define ENERGY_REGION_S 0.1 /* the meters move once in a millisecond: shorter says nothing */

typedef struct energy {
    char path[ENERGY_METERS][192]; /* counters of microjoules, or one sensor of microwatts */
    uint64_t range[ENERGY_METERS]; /* the counter starts again beyond this; 0: unknown */
    size_t count;                  /* 0: not available */
    bool power;                    /* a sensor of power: energy is that times the time */
    char source[64];               /* "powercap: 2 packages", "hwmon: power_meter" */
    attn_reason why;               /* when not available */
} energy;

typedef struct energy_reading {
    bool known;
    uint64_t value[ENERGY_METERS];
    double at_s; /* on clock_seconds() */
} energy_reading;

/* root: as in harness/system.h. */
void energy_open(energy *e, const char *root);
void energy_read(const energy *e, energy_reading *now);
/* Joules; NAN when unknown. A counter may have started again once. */
double energy_between_j(const energy *e, const energy_reading *before, const energy_reading *after);

#endif
