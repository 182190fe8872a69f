/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/columns.h"
#include "harness/export.h"
#include "harness/table.h"

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "unknown";
}

static void put_item(FILE *out, const char *name, const char *text)
{
    fprintf(out, "- %s: ", name);
    columns_escape(out, text);
    fputc('\n', out);
}

/* What the numbers are of: without this a table is gossip. */
static void put_origin(FILE *out, const run_file *run)
{
    size_t i;
    json_t *device;
    const json_t *build = json_object_get(run->header, "build");
    put_item(out, "run", run->path);
    put_item(out, "time", text_of(run->header, "time"));
    put_item(out, "cpu", text_of(json_object_get(run->header, "machine"), "cpu_model"));
    json_array_foreach(json_object_get(run->header, "devices"), i, device)
        put_item(out, text_of(device, "selector"), text_of(device, "name"));
    put_item(out, "attnmark", text_of(run->header, "tool_version"));
    put_item(out, "compiler", text_of(build, "compiler"));
    put_item(out, "commit", text_of(build, "commit"));
    put_item(out, "result", run->end != NULL ? text_of(run->end, "result") : "did not end");
}

attn_status export_markdown(FILE *out, const run_file *runs, size_t count, attn_reason *why)
{
    for (size_t r = 0; r < count; r++) {
        if (r > 0)
            fputc('\n', out);
        put_origin(out, &runs[r]);
        fputc('\n', out);
        if (!table_rows_markdown(out, runs[r].rows, runs[r].count))
            return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    }
    return ATTN_OK;
}
