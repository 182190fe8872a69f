/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages about finished runs: what the C side computes, and how it reaches the page.
 *
 * A page holds its data as one JSON object, the island, in <script type="application/json"
 * id="data">, and requests nothing. C computes every figure (medians, intervals, fits, shares,
 * verdicts); the page only presents them. Texts are raw, with <, >, & and U+2028/9 as \uXXXX, so
 * that none can end the script element, and '?' for what turns the direction of writing. What is
 * unknown is null.
 *
 * { "format": 1, "tool_version", "generated": UTC time, "contract_version", "title",
 *   "runs": [{ "name": unique within the page, "short": what tells it from the others, "file",
 *              "time", "elapsed_s",
 *              "result": "VALID" | "INVALID" | null: it did not end, "reasons": [text],
 *              "command": quoted for a shell, "seed",
 *              "machine", "build", "environment": [[label, text]], ready to show,
 *              "devices": [{"selector", "name", "software", "driver", "facts": [[label, text]]}],
 *              "doctor": [{"id", "severity", "found", "advice"}], without what is fine,
 *              "drift": [{"reference", "device", "threads", "change", "change_low", "change_high",
 *                         "spread"}],
 *              "roofs": [{"kernel", "device", "threads", "status", "reason",
 *                         "bound": "MAC" | "read" | "copy" | "triad",
 *                         "level": "L1" | "L2" | "L3" | "memory" | null,
 *                         "gflops", "gb_per_s"}], one per roof, device, threads and level }],
 *   "workloads": [{ "text": canonical, "label": what differs, for people, "group": of workloads
 *                   that differ in n and m alone, "b", "h", "hk", "n", "m", "d", "dv", "dtype",
 *                   "mask", "decode": bool, "flops", "bytes" }],
 *   "kernels": [{ "name", "contract": "F" | "M" | "X" | "none", "tier": "exact" | "bounded",
 *                 "story": one line or "", "kind": "scalar" | "vector" | "library" | "shader" |
 *                 "own", "rung": its place on the ladder from the scalar reference upwards }],
 *   "columns": ["run", "kernel", "workload", "device", "threads", "status", "reason", "verified",
 *               "digest", "median_ns", "low_ns", "high_ns", "samples", "outliers", "gflops",
 *               "gb_per_s", "bound", "share", "intensity", "library", "vs_library", "vs_low",
 *               "vs_high", "device_ns", "wall_ns", "empty_ns", "net_ns", "compile_ns",
 *               "dispatches", "config", "stopped_by", "energy_j"],
 *   "rows": [[in the order of the columns; run, kernel, workload and library are indices]],
 *   "curves": [{ "run", "kernel", "device", "threads", "length": "n" | "m", "rows": [index],
 *                "a_ns", "b_ns", "c_ns", "slope", "slope_low", "slope_high", "slope_flops",
 *                "half", "half_low", "half_high", "exponents": [number], "verdict": text }],
 *   "comparisons": [{ "a", "b": runs, the first against each other, "error": text | null,
 *                     "differences": [[what, a, b]], "warnings": [text], "mean_ratio",
 *                     "counts": {"FASTER", "SLOWER", "SAME", "UNCLEAR"},
 *                     "left_out": {"only_a", "only_b", "not_ok"}, rows that are in no pair,
 *                     "pairs": [{"a", "b": rows, "ratio", "low", "high", "p", "verdict",
 *                                "why"}] }] }
 *
 * Roofs are in their run, not among the rows; so is what a device is. For programs,
 * harness/report/page/data.schema.json says the same.
 */
#ifndef HARNESS_REPORT_REPORT_H
#define HARNESS_REPORT_REPORT_H

#include <stdio.h>

#include "harness/report/assets.h"
#include "harness/run_file.h"

/* Of a page: room for 5,000 rows. */
#define REPORT_MOST_BYTES 2000000

/* Which rows are reported. Nothing given: all. Roofs stay, since they judge the others. */
typedef struct report_filter {
    char *const *kernels; /* globs, as registry_matches takes them */
    size_t kernel_count;
    char *const *workloads; /* texts, which may sweep */
    size_t workload_count;
} report_filter;

/* Takes the other rows out of the runs. Refuses, with one line, a malformed workload and a filter
 * that leaves no row of any run. */
attn_status report_select(run_file *runs, size_t count, const report_filter *filter,
                          attn_reason *why);

/* What every format is made from. */
typedef struct report {
    const run_file *runs; /* at least one */
    size_t count;
    json_t *data; /* the island; owned */
    /* How to get from the text to the directory that report_figures filled; NULL: there are none.
     * Borrowed. */
    const char *figures;
} report;

/* title: NULL for one made of the runs' names. Fails only when out of memory. */
attn_status report_make(const run_file *runs, size_t count, const char *title, report *r,
                        attn_reason *why);
void report_free(report *r);

/* Writes one form of it; errors of the stream are the caller's to look at. */
typedef attn_status report_format(FILE *out, const report *r, attn_reason *why);

/* A page of any data that has a "title", with these scripts, of harness/report/assets.h. In the
 * lines of its template @TITLE@, @STYLE@, @SCRIPT@ and @DATA@, each alone on its line, stand for
 * the parts. */
attn_status report_put_page(FILE *out, const report_asset *scripts, const json_t *data,
                            attn_reason *why);

report_format report_page; /* HTML: all in one file; refuses one of over REPORT_MOST_BYTES */

#endif
