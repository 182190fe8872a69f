/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes out of a run what tells who made it: names of users, hosts and accounts, paths, addresses
 * of the form user@host, what a batch system says of its job, serial numbers of GPUs. All texts of
 * a line are gone through, known members and later ones. Thread binding, numbers and digests stay.
 */
#ifndef HARNESS_REPORT_STRIP_H
#define HARNESS_REPORT_STRIP_H

#include <jansson.h>
#include <stdbool.h>

#include "attn/status.h"

#define STRIP_WITHHELD "(stripped)" /* stands for what was taken out whole */

/* One thing that was taken out. Texts are owned. */
typedef struct strip_note {
    char *place; /* "command[3]", "environment.VK_DRIVER_FILES"; without the row */
    char *before, *after;
    size_t count; /* lines in which it was */
} strip_note;

typedef struct strip {
    char **names; /* of users, hosts and accounts; the longest first */
    size_t name_count;
    bool own_kernels; /* kernels of users' shaders carry the names of their files */
    strip_note *notes;
    size_t note_count;
    bool exhausted; /* out of memory on the way: what was stripped is not to be trusted */
} strip;

/* A name to take out wherever it is a word of its own. Names that tell nothing (root, localhost,
 * numbers, one letter) are left out. */
void strip_add_name(strip *s, const char *name);
/* Those of this machine: user, host, home directory. The run may come from another one. */
void strip_add_own_names(strip *s);
/* Names that a line gives away: whose home directories its paths go through, accounts of a batch
 * system. All lines are learnt from before any is stripped. */
void strip_learn(strip *s, const json_t *line);

/* Changes the line; false where there was nothing to take out. */
bool strip_line(strip *s, json_t *line);
void strip_free(strip *s);

/* How a text is to be read. */
typedef enum {
    STRIP_PROSE, /* paths are words in it */
    STRIP_VALUE, /* of an option or a variable: a path may be all of it, or a list of them */
    STRIP_PATH,  /* a file's name, also where it is no absolute one */
} strip_kind;

/* The text without paths, but for their last parts, and without user@host; names stay, and so do
 * paths of the system, as /sys/devices. Allocated; NULL when out of memory. */
char *strip_paths(const char *text, strip_kind kind);
/* The text with every name that is a word of its own withheld, in any case. Allocated likewise. */
char *strip_names(const strip *s, const char *text);

#endif
