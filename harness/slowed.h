/* SPDX-License-Identifier: Apache-2.0
 *
 * A test hook, set through the environment: ATTNMARK_SLOWED=GLOB:PERCENT makes `bench` wait after
 * each run of a kernel whose name matches, inside the timed region, until PERCENT of the run's
 * time has passed once more. So a known slowdown can be looked for. By the host's clock alone:
 * a device's own clock does not notice. GLOB is a shell pattern, PERCENT a number above 0, at
 * most 1000.
 */
#ifndef HARNESS_SLOWED_H
#define HARNESS_SLOWED_H

#include "attn/status.h"

/* ATTN_ERROR names what it does not understand. */
attn_status slowed_check(attn_reason *why);

/* By what part of its time this kernel is slowed: 0.05 for 5 %; 0: not at all. */
double slowed_share(const char *kernel);

/* Waits where the share is not 0. start_s: when the run began, on clock_seconds(). */
void slowed_wait(double share, double start_s);

#endif
