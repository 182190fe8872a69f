/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/table.h"

#include "harness/caption.h"
#include "harness/columns.h"
#include "harness/format.h"

static bool timed_on_gpu(const result_row *row)
{
    return row->status == ATTN_OK && row->clock_samples > 0;
}

static bool add_row(columns *c, const result_row *row, const caption *names)
{
    char own[ATTN_WORKLOAD_TEXT], device[64], dispatches[16];
    const format_text by_device = format_ns(row->device_ns), wall = format_ns(row->wall_ns),
                      net = format_ns(row->wall_net_ns), empty = format_ns(row->empty_ns),
                      compile = format_ns(row->compile_ns);
    snprintf(device, sizeof device, "%s%s", row->device, row->software ? " (software)" : "");
    snprintf(dispatches, sizeof dispatches, "%u", (unsigned)row->dispatches);
    const char *cells[] = {caption_own(names, row->workload, own),
                           row->kernel,
                           device,
                           row->config,
                           dispatches,
                           by_device.text,
                           wall.text,
                           net.text,
                           empty.text,
                           compile.text};
    return columns_add(c, cells, COLUMNS_PLAIN);
}

void table_clocks(FILE *out, const result_row *rows, size_t count)
{
    static const char *const titles[] = {"workload",   "kernel",      "device",    "workgroup",
                                         "dispatches", "device time", "wall time", "less empty",
                                         "empty",      "compile"};
    columns *c = columns_new(titles, "llllrrrrrr");
    const caption names = caption_of_rows(rows, count);
    bool any = false, filled = c != NULL;
    for (size_t i = 0; i < count && filled; i++)
        if (timed_on_gpu(&rows[i])) {
            filled = add_row(c, &rows[i], &names);
            any = true;
        }
    if (any) {
        fputs("\nClocks of a run on Vulkan: the device's timestamps; wall time from submission to "
              "done;"
              " that less an empty submission's\n",
              out);
        columns_print(c, out, false);
    }
    columns_free(c);
}
