/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/gbench_flags.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_S 1e6

/* The value of flag `name`; "" for the flag alone, NULL when it is another flag. */
static const char *value_of(const char *flag, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(flag, name, length) != 0)
        return NULL;
    return flag[length] == '=' ? flag + length + 1 : flag[length] == '\0' ? flag + length : NULL;
}

static bool is_one_of(const char *value, const char *const *words)
{
    while (*words != NULL && strcmp(value, *words) != 0)
        words++;
    return *words != NULL;
}

static bool read_switch(const char *value, bool *on)
{
    static const char *const yes[] = {"", "true", "1", NULL}, *const no[] = {"false", "0", NULL};
    *on = is_one_of(value, yes);
    return *on || is_one_of(value, no);
}

/* "0.5"; also "0.5s", as newer versions of Google Benchmark want it. */
static bool read_seconds(const char *value, double *seconds)
{
    char *end;
    if (strspn(value, "0123456789.") == 0)
        return false;
    *seconds = strtod(value, &end);
    return end != value && (*end == '\0' || strcmp(end, "s") == 0) && *seconds <= LONGEST_S;
}

static bool read_repetitions(const char *value, unsigned *repetitions)
{
    const size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 6 || value[digits] != '\0')
        return false;
    *repetitions = (unsigned)strtoul(value, NULL, 10);
    return *repetitions >= 1 && *repetitions <= GBENCH_MAX_REPETITIONS;
}

static attn_status bad(attn_reason *why, const char *flag, const char *wanted)
{
    return attn_because(why, ATTN_ERROR, "%.120s: %s", flag, wanted);
}

/* Flags that attnmark acts on. *mine: it was one. */
static attn_status take_own(gbench_flags *f, const char *flag, bool *mine, attn_reason *why)
{
    static const char *const samples = "gb.json holds every repetition, as JSON";
    const char *value;
    bool on;
    *mine = true;
    if ((value = value_of(flag, "--benchmark_out")) != NULL) {
        f->output = value;
        return value[0] != '\0' ? ATTN_OK : bad(why, flag, "want a file name");
    }
    if ((value = value_of(flag, "--benchmark_out_format")) != NULL)
        return strcmp(value, "json") == 0 ? ATTN_OK : bad(why, flag, samples);
    if ((value = value_of(flag, "--benchmark_report_aggregates_only")) != NULL ||
        (value = value_of(flag, "--benchmark_display_aggregates_only")) != NULL)
        return read_switch(value, &on) && !on ? ATTN_OK : bad(why, flag, samples);
    if ((value = value_of(flag, "--benchmark_repetitions")) != NULL)
        return read_repetitions(value, &f->repetitions) ? ATTN_OK
                                                        : bad(why, flag, "want 1..100000");
    if ((value = value_of(flag, "--benchmark_min_time")) != NULL)
        return read_seconds(value, &f->min_time) ? ATTN_OK : bad(why, flag, "want 0..1e6 seconds");
    if ((value = value_of(flag, "--benchmark_list_tests")) != NULL)
        return read_switch(value, &f->list) ? ATTN_OK : bad(why, flag, "want true or false");
    *mine = false;
    return ATTN_OK;
}

/* Values over which Google Benchmark would print its help and exit, or add a line of its own. */
static attn_status check_value(const char *flag, attn_reason *why)
{
    static const char *const formats[] = {"console", "json", "csv", NULL};
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    const char *value;
    double seconds;
    if ((value = value_of(flag, "--benchmark_format")) != NULL && !is_one_of(value, formats))
        return bad(why, flag, "want console, json or csv");
    if ((value = value_of(flag, "--benchmark_time_unit")) != NULL && !is_one_of(value, units))
        return bad(why, flag, "want ns, us, ms or s");
    if ((value = value_of(flag, "--benchmark_min_warmup_time")) != NULL &&
        (!read_seconds(value, &seconds) || strchr(value, 's') != NULL))
        return bad(why, flag, "want 0..1e6, in seconds");
    if ((value = value_of(flag, "--benchmark_color")) != NULL && value[0] == '\0')
        return bad(why, flag, "want true, false or auto");
    if ((value = value_of(flag, "--v")) != NULL &&
        (value[0] == '\0' || strspn(value, "0123456789") != strlen(value) || strlen(value) > 3))
        return bad(why, flag, "want 0..999");
    return ATTN_OK;
}

attn_status gbench_flags_take(gbench_flags *flags, const char *flag, bool *pass, attn_reason *why)
{
    bool mine;
    attn_status status = take_own(flags, flag, &mine, why);
    *pass = !mine;
    return status == ATTN_OK ? check_value(flag, why) : status;
}
