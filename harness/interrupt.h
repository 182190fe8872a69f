/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C in the middle of a long command: the first signal asks for an orderly end, the second
 * kills.
 */
#ifndef HARNESS_INTERRUPT_H
#define HARNESS_INTERRUPT_H

/* From here on SIGINT and SIGTERM are remembered, unless they were ignored (nohup); and a reader of
 * the output that goes away (| head) is an error of writing, not the end of the process. */
void interrupt_catch(void);
/* The signal that came, or 0. */
int interrupt_signal(void);
const char *interrupt_name(void); /* "SIGINT", "SIGTERM" */

#endif
