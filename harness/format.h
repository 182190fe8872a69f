/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for people. What is not finite prints as "-", and nothing that is known prints as 0.00.
 */
#ifndef HARNESS_FORMAT_H
#define HARNESS_FORMAT_H

typedef struct format_text {
    char text[48];
} format_text;

/* Four significant digits with a unit: "812.0 ns", "1.234 ms", "51.20 s". */
format_text format_ns(double ns);
/* Low and high in the unit that format_ns takes for the median: "[1.230, 1.241]". */
format_text format_interval_ns(double median, double low, double high);
format_text format_bytes(double bytes);       /* "12.3 GiB" */
format_text format_significant(double value); /* four digits, no unit: "81.25", "0.00412" */

#endif
