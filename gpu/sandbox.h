/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that may crash, hang or take all memory, done in a child process: shader compilers overflow
 * their stack on hostile sources.
 */
#ifndef GPU_SANDBOX_H
#define GPU_SANDBOX_H

#include <stdio.h>

#include "attn/status.h"

#define GPU_SANDBOX_SECONDS 20        /* of CPU time */
#define GPU_SANDBOX_BYTES   (1 << 30) /* beyond what the process has mapped, where that is known */

/* Writes its result to `out`; returns whether it worked. Runs alone: no other thread exists. What
 * it prints is lost. */
typedef _Bool gpu_sandbox_work(void *context, FILE *out);

/* *bytes: what the work wrote, owned. ATTN_ERROR and what became of the child where it did not
 * end well: crashed, ran out of time or of memory. */
attn_status gpu_sandbox_run(gpu_sandbox_work *work, void *context, char **bytes, size_t *count,
                            attn_reason *why);

#endif
