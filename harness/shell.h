/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that messages and reports give to users, for a POSIX shell.
 */
#ifndef HARNESS_SHELL_H
#define HARNESS_SHELL_H

/* The word as a shell reads it back: as it is where that is safe, else in single quotes. Owned by
 * the caller; NULL when out of memory. */
char *shell_word(const char *word);

#endif
