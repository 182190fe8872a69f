/* SPDX-License-Identifier: Apache-2.0
 *
 * composite.xml, as schemas/result-file.xsd of the Phoronix Test Suite wants it: its elements come
 * in that order, and its texts have limits.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "attn/text.h"
#include "harness/report/best.h"
#include "harness/report/output.h"
#include "harness/report/pts_parts.h"
#include "harness_config.h"

enum { TITLE = 50, IDENTIFIER = 128, DESCRIPTION = 2048, ANY = 4096, STAMP = 20 };

static void put_text(FILE *out, const char *text, size_t most)
{
    static const char special[] = "&<>\"'";
    char clean[ANY];
    for (const char *c = report_clean(text, most, clean, sizeof clean); *c != '\0'; c++) {
        if (strchr(special, *c) != NULL)
            fprintf(out, "&#%d;", *c);
        else
            fputc(*c, out);
    }
}

static void put_element(FILE *out, int depth, const char *name, const char *text, size_t most)
{
    fprintf(out, "%*s<%s>", 2 * depth, "", name);
    put_text(out, text, most);
    fprintf(out, "</%s>\n", name);
}

/* "2026-11-30 10:00:00". The schema has no place for an unknown time: now. */
static void time_stamp(const char *time_text, char stamp[STAMP])
{
    unsigned y, mo, d, h, mi, s;
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(stamp, STAMP, "%Y-%m-%d %H:%M:%S", &utc);
    if (time_text != NULL &&
        sscanf(time_text, "%4u-%2u-%2uT%2u:%2u:%2uZ", &y, &mo, &d, &h, &mi, &s) == 6)
        snprintf(stamp, STAMP, "%04u-%02u-%02u %02u:%02u:%02u", y % 10000, mo % 100, d % 100,
                 h % 100, mi % 100, s % 100);
}

/* The suite cuts these lists at ", " and their items at ": ". */
static void add_fact(char list[ANY], const char *name, const char *text)
{
    char clean[200];
    if (text == NULL || text[0] == '\0' || strlen(list) + sizeof clean + 32 > ANY)
        return;
    report_clean(text, 120, clean, sizeof clean);
    for (char *c = clean; *c != '\0'; c++)
        *c = *c == ',' || *c == ':' ? ';' : *c;
    attn_text_add(list, ANY, "%s%s: %s", list[0] ? ", " : "", name, clean);
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void put_hardware(FILE *out, const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    const json_t *devices = json_object_get(run->header, "devices");
    const double bytes =
        json_number_value(json_object_get(json_object_get(machine, "memory"), "total_bytes"));
    char list[ANY] = "", memory[32] = "";
    add_fact(list, "Processor", text_of(machine, "cpu_model"));
    if (bytes > 0)
        snprintf(memory, sizeof memory, "%.0fGB", bytes / (1 << 30));
    add_fact(list, "Memory", memory);
    for (size_t i = 0; i < json_array_size(devices); i++)
        add_fact(list, "Graphics", text_of(json_array_get(devices, i), "name"));
    put_element(out, 2, "Hardware", list, ANY);
}

static void put_software(FILE *out, const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    const json_t *system = json_object_get(machine, "system");
    const json_t *devices = json_object_get(run->header, "devices");
    char list[ANY] = "";
    add_fact(list, "OS", text_of(system, "distribution"));
    add_fact(list, "Kernel", text_of(system, "release"));
    for (size_t i = 0; i < json_array_size(devices); i++)
        add_fact(list, "Vulkan", text_of(json_array_get(devices, i), "driver"));
    add_fact(list, "Compiler", text_of(json_object_get(run->header, "build"), "compiler"));
    put_element(out, 2, "Software", list, ANY);
}

/* The verdict on the run: a number of an invalid one must not travel without it. */
static void put_notes(FILE *out, const run_file *run)
{
    const json_t *reasons = json_object_get(run->end, "reasons");
    const char *result = text_of(run->end, "result");
    char notes[ANY];
    if (run->end != NULL)
        snprintf(notes, sizeof notes, "RESULT %.40s", result ? result : "unknown");
    else
        snprintf(notes, sizeof notes, "The run did not end");
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *reason = json_string_value(json_array_get(reasons, i));
        char clean[280];
        attn_text_add(notes, sizeof notes, "%s%s", i ? "; " : ": ",
                      report_clean(reason ? reason : "-", 250, clean, sizeof clean));
    }
    put_element(out, 2, "Notes", notes, DESCRIPTION);
}

static void put_client(FILE *out, const char *element, const char *version)
{
    char client[100];
    snprintf(client, sizeof client, "attnmark %.60s", version ? version : "");
    put_element(out, 2, element, client, IDENTIFIER);
}

static void put_system(FILE *out, const report *all, size_t index)
{
    const run_file *run = &all->runs[index];
    char stamp[STAMP];
    fputs("  <System>\n", out);
    put_element(out, 2, "Identifier", report_run_name(all, index), IDENTIFIER);
    put_hardware(out, run);
    put_software(out, run);
    put_element(out, 2, "User", "", ANY);
    time_stamp(text_of(run->header, "time"), stamp);
    put_element(out, 2, "TimeStamp", stamp, STAMP);
    put_client(out, "TestClientVersion", text_of(run->header, "tool_version"));
    put_notes(out, run);
    fputs("  </System>\n", out);
}

/* How the row's numbers are read. */
typedef struct scale {
    const char *unit, *proportion; /* HIB, LIB: higher or lower is better */
    double (*value)(const result_row *row, double ns);
} scale;

static double milliseconds(const result_row *row, double ns)
{
    (void)row;
    return ns / NS_PER_MS;
}

static double rate(const result_row *row, double ns)
{
    return (double)(row->bound == ATTN_ROOF_READ ? row->bytes : row->flops) / ns;
}

static void put_entry(FILE *out, const char *name, const result_row *row, const scale *s)
{
    fputs("      <Entry>\n", out);
    put_element(out, 4, "Identifier", name, IDENTIFIER);
    fprintf(out, "        <Value>%.9g</Value>\n        <RawString>", s->value(row, row->median_ns));
    for (size_t i = 0; i < row->samples; i++)
        fprintf(out, "%s%.6g", i ? ":" : "", s->value(row, row->samples_ns[i]));
    fputs("</RawString>\n      </Entry>\n", out);
}

/* What makes it the same result on another system. */
static void put_test(FILE *out, const result_row *row, const scale *s)
{
    char workload[ATTN_WORKLOAD_TEXT], arguments[ATTN_WORKLOAD_TEXT + 600], about[sizeof arguments];
    char kernel[200], device[200];
    attn_workload_format(row->workload, workload);
    report_clean(row->kernel, 100, kernel, sizeof kernel);
    report_clean(row->device, 100, device, sizeof device);
    snprintf(arguments, sizeof arguments, "bench --kernel %s --workload %s --device %s", kernel,
             workload, device);
    snprintf(about, sizeof about, "%s on %s", kernel, device);
    if (row->threads > 0) {
        attn_text_add(arguments, sizeof arguments, " --threads %u", row->threads);
        attn_text_add(about, sizeof about, ", %u thread%s", row->threads,
                      row->threads == 1 ? "" : "s");
    }
    attn_text_add(about, sizeof about, " - %s", workload);
    put_element(out, 2, "Identifier", "local/attnmark", TITLE);
    put_element(out, 2, "Title", "attnmark", TITLE);
    put_element(out, 2, "AppVersion", ATTNMARK_VERSION, TITLE);
    put_element(out, 2, "Arguments", arguments, ANY);
    put_element(out, 2, "Description", about, ANY);
    put_element(out, 2, "Scale", s->unit, TITLE);
    put_element(out, 2, "Proportion", s->proportion, TITLE);
    put_element(out, 2, "DisplayFormat", "BAR_GRAPH", TITLE);
}

/* The row of this key that counts; NULL if the run has none. */
static const result_row *find(const run_file *run, const result_row *key)
{
    for (size_t i = 0; i < run->count; i++)
        if (report_counts(&run->rows[i]) && run_file_same_key(&run->rows[i], key))
            return &run->rows[i];
    return NULL;
}

static void put_result(FILE *out, const report *all, size_t first, const result_row *row,
                       const scale *s)
{
    fputs("  <Result>\n", out);
    put_test(out, row, s);
    fputs("    <Data>\n", out);
    for (size_t r = first; r < all->count; r++) {
        const result_row *other = r == first ? row : find(&all->runs[r], row);
        if (other != NULL)
            put_entry(out, report_run_name(all, r), other, s);
    }
    fputs("    </Data>\n  </Result>\n", out);
}

static void put_results(FILE *out, const report *all, size_t run)
{
    const scale time_scale = {"ms", "LIB", milliseconds};
    for (size_t i = 0; i < all->runs[run].count; i++) {
        const result_row *row = &all->runs[run].rows[i];
        bool met = !report_counts(row);
        for (size_t r = 0; r < run && !met; r++)
            met = find(&all->runs[r], row) != NULL;
        if (met)
            continue;
        const bool reads = row->bound == ATTN_ROOF_READ;
        const scale rate_scale = {reads ? "GB/s" : "GFLOP/s", "HIB", rate};
        put_result(out, all, run, row, &time_scale);
        if (isfinite(reads ? row->gb_per_s : row->gflops))
            put_result(out, all, run, row, &rate_scale);
    }
}

attn_status pts_write_xml(FILE *out, const void *context, attn_reason *why)
{
    const report *all = context;
    char stamp[STAMP];
    (void)why;
    time_stamp(NULL, stamp);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PhoronixTestSuite>\n  <Generated>\n", out);
    put_element(out, 2, "Title", "attnmark", TITLE);
    put_element(out, 2, "LastModified", stamp, STAMP);
    put_client(out, "TestClient", ATTNMARK_VERSION);
    put_element(out, 2, "Description",
                "Attention kernels; every output was checked bit for bit, or against an error "
                "bound, before it was timed. Values are medians.",
                DESCRIPTION);
    fputs("  </Generated>\n", out);
    for (size_t r = 0; r < all->count; r++)
        put_system(out, all, r);
    for (size_t r = 0; r < all->count; r++)
        put_results(out, all, r);
    fputs("</PhoronixTestSuite>\n", out);
    return ATTN_OK;
}
