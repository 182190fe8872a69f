/* SPDX-License-Identifier: Apache-2.0
 *
 * A site of a collection of runs: results/<vendor>/<machine>/<UTC time>.jsonl.
 *
 *   index.html                        leaderboards, digests, machines, what could not be read
 *   compare.html                      any two runs
 *   machines/<vendor>--<machine>.html facts, runs, history
 *   reports/<vendor>--<machine>--<time>.html the report of a run
 *
 * Every page holds its data as an island, as report.h describes it, and requests nothing:
 *
 * all: { "format": 1, "page": "index" | "machine" | "compare", "root": "" | "../" before links,
 *        "title", "tool_version", "generated", "contract_version",
 *        "machines": [{ "slug", "vendor", "name", "devices": of all its runs,
 *                       "runs", "valid": counts, "latest": time,
 *                       on its own page also "facts", "build", and "hardware", as "machine",
 *                       "build" and "devices" of its latest run in a report }],
 *        "runs": [{ "machine": index, "name": unique among them, "time", "file": below results,
 *                   "result", "reasons", "devices", "compiler": text | null, "seed",
 *                   "elapsed_s", "rows", "ok": counts, "report": link | null,
 *                   "report_fault": why there is none | null }],
 *        "workloads": as in a report }
 *
 * Devices are those that have a time: [{ "name": "cpu" | text, "driver": text | null,
 * "software" }], each once, the CPU first. One of the same name and another driver is another
 * device; where the header of a run names no driver, the name alone tells.
 *
 * index: "leaders": the fastest exact, verified row of every workload, machine and device among
 *        VALID runs; "apart": where there is no such row the fastest other one, and every row
 *        whose output was wrong; both as
 *        [{ "workload", "machine", "run": indices, "device", "device_name", "driver", "software",
 *           "threads", "kernel", "contract", "median_ns", "low_ns", "high_ns", "gflops",
 *           "gb_per_s", "bound", "share", "digest", "why": text | null }]
 *        "hashes": [{ "workload", "contract", "seed", "golden": digest | null,
 *                     "digests": [{ "digest", "machines": [index], "rows": count }] }]
 *        "faults": [{ "file", "fault" }]
 *
 * machine: "history_from": the first run whose rows are in it; there is no room for older ones
 *          "series": [{ "workload", "kernel", "exact", "device", "device_name", "driver",
 *                       "software", "threads", "compiler": text | null,
 *                       "points": [{ "run", "median_ns", "low_ns", "high_ns", "gflops" }] }]
 *
 * compare: "kernels": as in a report, "devices": of all runs, of which 0 is the CPU,
 *          "rows": of each run [[kernel, workload, device, threads | null, median_ns, low_ns,
 *                                high_ns, gflops | null, exact]]; null: there is no room for it
 */
#ifndef HARNESS_REPORT_GALLERY_H
#define HARNESS_REPORT_GALLERY_H

#include "harness/report/data.h"
#include "harness/report/submission.h"

#define GALLERY_SLUG (PLACE_VENDOR + PLACE_MACHINE + 2)

typedef struct gallery_run {
    char slug[GALLERY_SLUG]; /* of its machine: "amd--epyc-2cpu-software" */
    char vendor[PLACE_VENDOR], time[PLACE_TIME];
    char *file;            /* below the collection; owned */
    submission submission; /* the run is there */
    size_t machine;        /* index: runs of one machine follow each other, by their time */
    bool valid;
    char *report;             /* file below the site; NULL: there is none; owned */
    attn_reason report_fault; /* why */
} gallery_run;

typedef struct gallery {
    gallery_run *runs;
    size_t count, machines;
    json_t *faults; /* [{"file", "fault"}] */
} gallery;

/* Reads a collection. What cannot be read, or is not what `submit` would take, is a fault, and in
 * the list. ATTN_ERROR: no such directory. Free it in any case. */
attn_status gallery_read(const char *results, gallery *g, attn_reason *why);
void gallery_free(gallery *g);

/* Writes the site: to a new directory, an empty one, or one that an earlier gallery has marked,
 * whose pages are replaced one by one; what else is there stays. Refuses any other directory. */
attn_status gallery_write(gallery *g, const char *site, attn_reason *why);

/* Internal to gallery_*.c: the islands; NULL when out of memory. */
json_t *gallery_index(const gallery *g);
json_t *gallery_machine(const gallery *g, size_t machine);
json_t *gallery_compare(const gallery *g);

/* Lists of names, each once, as in a report. */
data_builder gallery_builder(void);
void gallery_builder_free(data_builder *b);
/* What all islands have. first, count: of the runs that are in it. */
json_t *gallery_island(const gallery *g, const char *page, const char *title, size_t first,
                       size_t count);
/* First run of a machine; that of the number of machines is the number of runs. */
size_t gallery_first(const gallery *g, size_t machine);
/* May it stand in a list of bests: exact, verified, with a digest and an interval? */
bool gallery_is_earned(const result_row *row);
/* What a list of bests, a series or the comparison can be made of: a kernel with a time. */
bool gallery_is_timed(const result_row *row);
/* Of the build; NULL: the header does not say. */
const char *gallery_compiler(const run_file *run);
/* "cpu", or the name of a device. */
const char *gallery_device(const result_row *row);
/* Are these rows of one device: by name and driver? */
bool gallery_same_device(const run_file *run_a, const result_row *a, const run_file *run_b,
                         const result_row *b);
/* The list of a run's devices; adds to a list what a run has more; the place of a row's device in
 * a list. */
json_t *gallery_devices(const run_file *run);
void gallery_add_devices(json_t *list, const run_file *run);
json_t *gallery_device_place(const json_t *list, const run_file *run, const result_row *row);

#endif
