/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs of `bench` that take turns (bench --against PROGRAM): one of the two processes is at
 * work at any moment, and hands over before its samples: A B A B in one round, B A B A in the next,
 * so that neither is always the first. What the machine does to the one it does to the other, a
 * millisecond later, and the ratio of two samples that follow each other is free of it.
 *
 * The first process starts the second with the same command line, and with ATTNMARK_TURN, which
 * makes it the second: descriptors to read turns from and to write them to, a text that is the same
 * in both headers, and the directory of its files. A turn is eight bytes: how far its sender is.
 * The last one says that the sender is done. Without it the sender was killed or told to stop: then
 * the second, whom nobody else may know of, stops as if it were told so by SIGTERM.
 */
#ifndef HARNESS_TURNS_H
#define HARNESS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "attn/status.h"

typedef struct turns {
    int from, to;       /* descriptors; -1: alone */
    bool second;        /* started by the other */
    char id[33];        /* "": alone, and so for all that follows */
    char *program;      /* the other one's; owned; NULL in the second */
    char *directory;    /* of the other one's files, once it was started; the same */
    long process;       /* the other one's, or 0 */
    uint64_t met, last; /* positions of the last turns_meet, and of the last sample */
    bool leads;         /* in the first round after that, the third, ... */
    bool lost;          /* the other was killed, or told to stop */
    double waited_s;    /* for turns, until now */
} turns;

/* program: of --against, or NULL. In a second process the environment is what counts: *directory,
 * owned, becomes that of its files. */
attn_status turns_open(turns *t, const char *program, char **directory, attn_reason *why);

/* The files are open. The first starts the other, whose files go to DIRECTORY-against, and waits
 * until those are open, too; the second waits for its first turn. Fails where the other ended;
 * ATTN_SKIPPED: a signal asked to stop. */
attn_status turns_begin(turns *t, int argc, const char *const *argv, const char *directory,
                        attn_reason *why);

/* Both come here before their first samples, and after their last: hands over until the other is at
 * this position or beyond, or has ended. Positions never fall. Nothing when alone. */
void turns_meet(turns *t, uint64_t position);
/* Before each sample; may hand over. Position: beyond that of turns_meet. */
void turns_sample(turns *t, uint64_t position);

/* The other goes on alone. The first waits for its end. Returns its exit status; 0 in the second
 * and when alone. */
int turns_end(turns *t);

/* After the directory of a first run, that of the second. */
#define TURNS_SUFFIX "-against"

#endif
