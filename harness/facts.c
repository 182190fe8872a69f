/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "attn/clock.h"
#include "attn/text.h"
#include "harness/facts_parts.h"

void facts_add(machine_facts *f, const char *id, fact_severity severity, const char *advice,
               const char *format, ...)
{
    if (f->count == FACTS_MAX)
        return;
    fact *added = &f->list[f->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(added->found, sizeof added->found, format, arguments);
    va_end(arguments);
    added->id = id;
    added->severity = severity;
    added->advice = severity > FACT_UNKNOWN ? advice : "";
}

void facts_read(machine_facts *f, const facts_sources *sources)
{
    f->count = 0;
    facts_load(f, sources); /* before the window: spinning is load */
    const facts_moment before = facts_moment_now(sources->root);
    const double end = clock_seconds() + sources->window_s;
    while (clock_seconds() < end)
        ; /* a sleeping thread loses nothing to others */
    const facts_moment after = facts_moment_now(sources->root);
    facts_drift(f, sources, &before, &after);
    facts_cpu(f, sources);
    facts_place(f, sources);
    facts_emulation(f, sources);
    facts_own(f, sources);
}

const fact *facts_find(const machine_facts *f, const char *id)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->list[i].id, id) == 0)
            return &f->list[i];
    return NULL;
}

fact_severity facts_worst(const machine_facts *f)
{
    fact_severity worst = FACT_FINE;
    for (size_t i = 0; i < f->count; i++)
        worst = f->list[i].severity > worst ? f->list[i].severity : worst;
    return worst;
}

unsigned facts_count(const machine_facts *f, fact_severity severity)
{
    unsigned count = 0;
    for (size_t i = 0; i < f->count; i++)
        count += f->list[i].severity == severity;
    return count;
}

bool facts_invalidating(const machine_facts *f, attn_reason *why)
{
    char text[sizeof why->text] = "";
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i].severity == FACT_FATAL)
            attn_text_add(text, sizeof text, "%s%s: %s", text[0] ? "; " : "", f->list[i].id,
                          f->list[i].found);
    if (why != NULL)
        attn_because(why, ATTN_OK, "%s", text);
    return text[0] != '\0';
}

const char *fact_severity_name(fact_severity severity)
{
    static const char *const names[] = {"fine", "unknown", "note", "warning", "fatal"};
    return names[severity];
}

json_t *facts_json(const machine_facts *f)
{
    if (f == NULL)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < f->count; i++) {
        const fact *one = &f->list[i];
        json_t *o = json_object();
        json_object_set_new(o, "id", json_value_text(one->id));
        json_object_set_new(o, "severity", json_value_text(fact_severity_name(one->severity)));
        json_object_set_new(o, "found", json_value_text(one->found));
        json_object_set_new(o, "advice", json_value_text(one->advice));
        json_array_append_new(array, o);
    }
    return array;
}
