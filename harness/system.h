/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of /proc and /sys. All are looked up below `root`: "" for this machine's own, the
 * directory of a made-up machine in tests. Paths are printf formats.
 */
#ifndef HARNESS_SYSTEM_H
#define HARNESS_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#define SYSTEM_CPUS "/sys/devices/system/cpu"

typedef struct system_line {
    char text[256];
} system_line;

bool system_has(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* First line of a file, "" when it cannot be read. */
system_line system_first_line(const char *root, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A file that starts with a whole number; false when it does not, or cannot be read. */
bool system_number(const char *root, uint64_t *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What follows `key` in the first line that starts with it, separators and quotes removed; ""
 * when there is none. */
system_line system_keyed_line(const char *root, const char *path, const char *key);
/* What a symbolic link points to, "" when there is none. */
system_line system_link(const char *root, const char *path);

/* One more than the highest CPU that this machine could have; 0: unknown. */
unsigned system_cpu_limit(const char *root);

typedef enum { SYSTEM_NO, SYSTEM_YES, SYSTEM_UNKNOWN } system_answer;
system_answer system_boost(const char *root);      /* may clocks rise above the nominal one? */
system_answer system_hypervisor(const char *root); /* is this a guest? */

#endif
