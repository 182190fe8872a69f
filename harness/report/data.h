/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal to harness/report/data*.c: the island of report.h while it grows.
 */
#ifndef HARNESS_REPORT_DATA_H
#define HARNESS_REPORT_DATA_H

#include "harness/json_value.h"
#include "harness/report/report.h"

typedef struct data_builder {
    const run_file *runs;
    size_t count;
    json_t *workloads, *kernels, *rows; /* lists of the island */
    /* Places in those lists by canonical text and by name, and groups by what remains of the text
     * without lengths. */
    json_t *workload_places, *kernel_places, *groups;
    size_t **places; /* of each run's rows among rows; DATA_NOWHERE: a roof */
} data_builder;

#define DATA_NOWHERE SIZE_MAX

/* Each returns a new reference. */
json_t *data_names(const run_file *runs, size_t count); /* of the runs: unique texts */
/* Of these names, without beginnings that tell nothing: none that all share, nor one that those
 * share which would look alike where a long name is cut. */
json_t *data_short_names(const json_t *names);
json_t *data_run(const run_file *run, const json_t *name, const json_t *short_name);
json_t *data_machine(const run_file *run);     /* [[label, text]] */
json_t *data_build(const run_file *run);       /* the same */
json_t *data_environment(const run_file *run); /* the same */
json_t *data_devices(const run_file *run);
/* The driver of a row's Vulkan device, as the header names it; "": the CPU, or it says nothing. */
const char *data_driver(const run_file *run, const result_row *row);
json_t *data_roofs(const run_file *run);
json_t *data_columns(void);
json_t *data_comparisons(const data_builder *b); /* NULL when out of memory */

/* Fill b->rows and b->places, and with them the other lists; false when out of memory. */
bool data_add_rows(data_builder *b);
/* NULL when out of memory. */
json_t *data_curves(const data_builder *b);

/* The place of a workload, or of a kernel, in its list, which gets it where it is new. */
json_t *data_workload_place(data_builder *b, const attn_workload *w);
json_t *data_kernel_place(data_builder *b, const result_row *row);
json_t *data_library_place(data_builder *b, const result_row *row); /* null: no library */
/* Fills in the rungs, once every kernel is there. */
bool data_rank_kernels(data_builder *b); /* false when out of memory */

/* The text; "-" for an unknown one, NULL or "". */
json_t *data_known(const char *text);
/* Appends [label, text], with data_known's text. */
void data_add_pair(json_t *list, const char *label, const char *text);
/* A value of a header as a text: yes and no for booleans; "" when unknown. */
typedef struct data_text {
    char text[ATTN_WORKLOAD_TEXT];
} data_text;
data_text data_value(const json_t *value);

#endif
