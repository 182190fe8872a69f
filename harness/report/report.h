/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages about finished runs: what the C side computes, and how it reaches the page.
 *
 * A page holds its data as one JSON object, the island, in <script type="application/json"
 * id="data">, and requests nothing. C computes every figure (medians, intervals, fits, shares,
 * verdicts); the page only presents them. Texts are raw, with <, >, & and U+2028/9 as \uXXXX, so
 * that none can end the script element. What is unknown is null.
 *
 * { "format": 1, "tool_version", "generated": UTC time, "contract_version", "title",
 *   "runs": [{ "name": unique within the page, "file", "time", "elapsed_s",
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
 *   "columns": ["run", "kernel", "workload", "device", "device_name", "software", "threads",
 *               "status", "reason", "verified", "digest", "median_ns", "low_ns", "high_ns",
 *               "samples", "outliers", "gflops", "gb_per_s", "bound", "share", "intensity",
 *               "library", "vs_library", "vs_low", "vs_high", "device_ns", "wall_ns", "empty_ns",
 *               "net_ns", "compile_ns", "dispatches", "config", "stopped_by", "energy_j"],
 *   "rows": [[in the order of the columns; run, kernel, workload and library are indices]],
 *   "curves": [{ "run", "kernel", "device", "threads", "length": "n" | "m", "rows": [index],
 *                "a_ns", "b_ns", "c_ns", "slope", "slope_low", "slope_high", "slope_flops",
 *                "half", "half_low", "half_high", "exponents": [number], "verdict": text }],
 *   "comparisons": [{ "a", "b": runs, the first against each other, "error": text | null,
 *                     "differences": [[what, a, b]], "warnings": [text], "mean_ratio",
 *                     "counts": {"FASTER", "SLOWER", "SAME", "UNCLEAR"},
 *                     "pairs": [{"a", "b": rows, "ratio", "low", "high", "p", "verdict",
 *                                "why"}] }] }
 *
 * Roofs are in their run, not among the rows.
 */
#ifndef HARNESS_REPORT_REPORT_H
#define HARNESS_REPORT_REPORT_H

#include "harness/run_file.h"

#endif
