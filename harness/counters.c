/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/counters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "attn/text.h"
#include "harness/system.h"
#endif

static const char *const names[COUNTER_KINDS] = {"cycles",       "instructions", "branch_misses",
                                                 "cache_misses", "llc_loads",    "task_clock_ns"};

const char *counter_name(counter_kind kind)
{
    return names[kind];
}

const char *counters_reason(int error, const char *paranoid, char text[COUNTERS_TEXT])
{
    switch (error) {
    case EACCES:
    case EPERM:
        snprintf(text, COUNTERS_TEXT,
                 "not permitted (kernel.perf_event_paranoid is %.20s; up to 2 permits it, unless a "
                 "container forbids it)",
                 paranoid[0] ? paranoid : "unknown");
        break;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        snprintf(text, COUNTERS_TEXT, "no such counter here");
        break;
    case ENOSYS:
        snprintf(text, COUNTERS_TEXT, "this kernel or sandbox has no perf_event_open");
        break;
    default:
        snprintf(text, COUNTERS_TEXT, "%.100s", strerror(error));
    }
    return text;
}

#ifdef __linux__
static const struct event {
    uint32_t type;
    uint64_t config;
} events[COUNTER_KINDS] = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
                           {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
                           {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
                           {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
                           {PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL |
                                                    (PERF_COUNT_HW_CACHE_OP_READ << 8) |
                                                    (PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16)},
                           {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}};

/* Not a group: inherited events cannot be read as one, and each may be missing alone. */
static int open_event(const struct event *e)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = e->type;
    attr.config = e->config;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.inherit = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void counters_open(counters *c)
{
    char missing[96] = "", text[COUNTERS_TEXT];
    int error = 0;
    *c = (counters){.any = false};
    for (int i = 0; i < COUNTER_KINDS; i++) {
        c->file[i] = open_event(&events[i]);
        c->any = c->any || c->file[i] >= 0;
        if (c->file[i] >= 0)
            continue;
        error = error ? error : errno; /* as a rule it is the same for all */
        attn_text_add(missing, sizeof missing, "%s%s", missing[0] ? ", " : "", names[i]);
    }
    const system_line paranoid = system_first_line("", "/proc/sys/kernel/perf_event_paranoid");
    if (error)
        attn_because(&c->why, ATTN_UNAVAILABLE, "%s: %s", c->any ? missing : "all",
                     counters_reason(error, paranoid.text, text));
}

void counters_close(counters *c)
{
    for (int i = 0; i < COUNTER_KINDS; i++)
        if (c->file[i] >= 0)
            close(c->file[i]);
}

void counters_read(const counters *c, counters_reading *now)
{
    for (int i = 0; i < COUNTER_KINDS; i++) {
        uint64_t raw[3] = {0}; /* value, time enabled, time running */
        now->of[i].known =
            c->file[i] >= 0 && read(c->file[i], raw, sizeof raw) == (ssize_t)sizeof raw;
        now->of[i].value = raw[0];
        now->of[i].enabled_ns = raw[1];
        now->of[i].running_ns = raw[2];
    }
}
#else
void counters_open(counters *c)
{
    *c = (counters){.any = false};
    for (int i = 0; i < COUNTER_KINDS; i++)
        c->file[i] = -1;
    attn_because(&c->why, ATTN_UNAVAILABLE, "all: they are read on Linux only");
}

void counters_close(counters *c)
{
    (void)c;
}

void counters_read(const counters *c, counters_reading *now)
{
    (void)c;
    memset(now, 0, sizeof *now);
}
#endif

double counters_between(const counters_reading *before, const counters_reading *after,
                        counter_kind kind)
{
    const uint64_t running = after->of[kind].running_ns - before->of[kind].running_ns;
    const uint64_t enabled = after->of[kind].enabled_ns - before->of[kind].enabled_ns;
    if (!before->of[kind].known || !after->of[kind].known || running == 0)
        return NAN;
    return (double)(after->of[kind].value - before->of[kind].value) *
           ((double)enabled / (double)running);
}
