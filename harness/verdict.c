/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/json_value.h"
#include "harness/machine.h"

__attribute__((format(printf, 2, 3))) static void add(verdict *v, const char *format, ...)
{
    if (v->count == VERDICT_REASONS)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->reasons[v->count].text, sizeof v->reasons[0].text, format, arguments);
    va_end(arguments);
    v->count++;
}

bool verdict_unsteady(const result_row *row)
{
    return row->status == ATTN_OK && !row->roof && !(result_row_precision(row) <= VERDICT_UNSTEADY);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* What one row or another did wrong, and whether there are rows at all. */
static void judge_rows(verdict *v, const result_row *rows, size_t count,
                       const verdict_context *context)
{
    size_t alarms = 0, timed = 0, hardware = 0, few = 0, unsteady = 0;
    for (size_t i = 0; i < count; i++) {
        const result_row *row = &rows[i];
        alarms += result_row_alarming(row);
        if (row->status != ATTN_OK || row->roof)
            continue;
        timed++;
        hardware += !row->software;
        few += row->samples < VERDICT_SAMPLES;
        unsteady += row->samples >= VERDICT_SAMPLES && verdict_unsteady(row);
    }
    if (alarms > 0)
        add(v, "%zu row%s went wrong", alarms, plural(alarms));
    if (timed == 0)
        add(v, "nothing was timed");
    if (timed > 0 && hardware == 0 && !context->asked_for_software)
        add(v, "only software devices were measured, and nobody asked for them");
    if (few > 0)
        add(v, "%zu of %zu row%s with fewer than %d samples", few, timed, plural(timed),
            VERDICT_SAMPLES);
    if ((double)unsteady > VERDICT_SHARE * (double)timed)
        add(v, "%zu of %zu rows are unsteady: their medians are uncertain by more than %.0f %%",
            unsteady, timed, 100 * VERDICT_UNSTEADY);
}

verdict verdict_of(const result_row *rows, size_t count, const drift *drifts, size_t drift_count,
                   const verdict_context *context)
{
    verdict v = {0};
    for (size_t i = 0; context->facts != NULL && i < context->facts->count; i++) {
        const fact *f = &context->facts->list[i];
        if (f->severity == FACT_FATAL)
            add(&v, "%s: %s", f->id, f->found);
    }
    if (context->lost)
        add(&v, "the run that it took turns with was stopped");
    if (context->stopped != NULL)
        add(&v, "stopped before its end: %.200s", context->stopped);
    judge_rows(&v, rows, count, context);
    for (size_t i = 0; i < drift_count; i++)
        if (drift_throttled(&drifts[i]))
            add(&v, "%s on %s became %.1f %% slower within the run: throttled, or not alone",
                drifts[i].reference->kernel, drifts[i].reference->device, -100 * drifts[i].change);
    return v;
}

void verdict_print(FILE *out, const verdict *v)
{
    fputs(v->count == 0 ? "RESULT VALID" : "RESULT INVALID", out);
    for (size_t i = 0; i < v->count; i++)
        fprintf(out, "%s %s", i == 0 ? ":" : ";", v->reasons[i].text);
    fputc('\n', out);
}

json_t *verdict_json(const verdict *v, const drift *drifts, size_t drift_count, size_t rows,
                     double elapsed_s)
{
    char time[MACHINE_TIME];
    json_t *o = json_object(), *reasons = json_array();
    for (size_t i = 0; i < v->count; i++)
        json_array_append_new(reasons, json_value_text(v->reasons[i].text));
    json_object_set_new(o, "result", json_string(v->count == 0 ? "VALID" : "INVALID"));
    json_object_set_new(o, "reasons", reasons);
    json_object_set_new(o, "rows", json_value_count(rows));
    json_object_set_new(o, "drift", drift_json(drifts, drift_count));
    json_object_set_new(o, "end_time", json_value_text(machine_time(time)));
    json_object_set_new(o, "elapsed_s", json_value_number(elapsed_s));
    return o;
}
