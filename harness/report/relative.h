/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways from one file to another.
 */
#ifndef HARNESS_REPORT_RELATIVE_H
#define HARNESS_REPORT_RELATIVE_H

/* How to get from the directory that holds `file` to `directory`: "figures", "../x", ".". The
 * directories are there, the file need not be. NULL when they are not, or out of memory; free it.
 */
char *relative_path(const char *file, const char *directory);

#endif
