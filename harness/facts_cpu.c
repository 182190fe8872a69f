/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU's clock, and how much alike its cores are.
 */
#include <stdlib.h>
#include <string.h>

#include "attn/cache.h"
#include "harness/facts_parts.h"

/* Turbo steps of single cores differ by less; cores of two kinds by more. */
#define ALIKE 0.9

static void governor(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "cpupower frequency-set -g performance";
    const unsigned limit = system_cpu_limit(s->root);
    unsigned known = 0, others = 0;
    system_line other = {""};
    for (unsigned i = 0; i < limit; i++) {
        const system_line name =
            system_first_line(s->root, SYSTEM_CPUS "/cpu%u/cpufreq/scaling_governor", i);
        known += name.text[0] != '\0';
        if (name.text[0] == '\0' || strcmp(name.text, "performance") == 0)
            continue;
        other = name;
        others++;
    }
    if (known == 0)
        facts_add(f, "governor", FACT_UNKNOWN, advice, "no %s/cpu*/cpufreq", SYSTEM_CPUS);
    else if (others == 0)
        facts_add(f, "governor", FACT_FINE, advice, "performance on %u CPUs", known);
    else
        facts_add(f, "governor", FACT_WARNING, advice, "%.60s on %u of %u CPUs", other.text, others,
                  known);
}

static void boost(machine_facts *f, const facts_sources *s)
{
    static const char advice[] =
        "the clock depends on heat and on how many cores work; turn it off to compare small "
        "differences";
    switch (system_boost(s->root)) {
    case SYSTEM_YES:
        facts_add(f, "boost", FACT_NOTE, advice, "on");
        break;
    case SYSTEM_NO:
        facts_add(f, "boost", FACT_FINE, advice, "off");
        break;
    default:
        facts_add(f, "boost", FACT_UNKNOWN, advice,
                  "neither cpufreq/boost nor "
                  "intel_pstate/no_turbo");
    }
}

static void smt(machine_facts *f, const facts_sources *s)
{
    uint64_t active;
    if (!system_number(s->root, &active, SYSTEM_CPUS "/smt/active"))
        facts_add(f, "smt", FACT_UNKNOWN, "", "no %s/smt/active", SYSTEM_CPUS);
    else if (active == 0)
        facts_add(f, "smt", FACT_FINE, "", "one thread per core");
    else
        facts_add(f, "smt", FACT_NOTE,
                  "threads may share a core: OMP_PLACES=cores OMP_PROC_BIND=close, and no more "
                  "threads than cores",
                  "cores run several threads");
}

/* The range of one number over all CPUs. */
typedef struct range {
    bool known;
    uint64_t low, high;
} range;

static range range_of(const char *root, const char *field)
{
    range r = {false, UINT64_MAX, 0};
    const unsigned limit = system_cpu_limit(root);
    for (unsigned i = 0; i < limit; i++) {
        uint64_t value;
        if (!system_number(root, &value, SYSTEM_CPUS "/cpu%u/%s", i, field))
            continue;
        r.known = true;
        r.low = value < r.low ? value : r.low;
        r.high = value > r.high ? value : r.high;
    }
    return r;
}

/* Arm's identification of the core's design; 0: none is named. More than one: true. */
static bool designs_differ(const char *root, bool *known)
{
    system_line first = {""};
    bool differ = false;
    const unsigned limit = system_cpu_limit(root);
    for (unsigned i = 0; i < limit; i++) {
        const system_line midr =
            system_first_line(root, SYSTEM_CPUS "/cpu%u/regs/identification/midr_el1", i);
        if (first.text[0] == '\0')
            first = midr;
        differ = differ || (midr.text[0] != '\0' && strcmp(first.text, midr.text) != 0);
    }
    *known = first.text[0] != '\0';
    return differ;
}

static bool unlike(const range *r)
{
    return r->known && (double)r->low < ALIKE * (double)r->high;
}

static void core_kinds(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "bind to cores of one kind, as by taskset -c 0-3";
    static const char id[] = "core_kinds";
    const system_line big = system_first_line(s->root, "/sys/devices/cpu_core/cpus"),
                      small = system_first_line(s->root, "/sys/devices/cpu_atom/cpus");
    const range clock = range_of(s->root, "cpufreq/cpuinfo_max_freq"),
                capacity = range_of(s->root, "cpu_capacity");
    bool named;
    const bool differ = designs_differ(s->root, &named);
    if (big.text[0] != '\0' && small.text[0] != '\0')
        facts_add(f, id, FACT_WARNING, advice, "performance cores %.60s, efficiency cores %.60s",
                  big.text, small.text);
    else if (unlike(&capacity))
        facts_add(f, id, FACT_WARNING, advice, "capacities from %llu to %llu",
                  (unsigned long long)capacity.low, (unsigned long long)capacity.high);
    else if (differ)
        facts_add(f, id, FACT_WARNING, advice, "cores of several designs (midr_el1)");
    else if (unlike(&clock))
        facts_add(f, id, FACT_WARNING, advice, "highest clocks from %llu to %llu MHz",
                  (unsigned long long)clock.low / 1000, (unsigned long long)clock.high / 1000);
    else if (clock.known || capacity.known || named)
        facts_add(f, id, FACT_FINE, advice, "one kind");
    else
        facts_add(f, id, FACT_UNKNOWN, advice, "no clock, capacity or design of each CPU below %s",
                  SYSTEM_CPUS);
}

static void cpus_allowed(machine_facts *f, const facts_sources *s)
{
    static const char id[] = "cpus_allowed";
    const system_line list = system_first_line(s->root, SYSTEM_CPUS "/online");
    const unsigned online = attn_count_cpus(list.text);
    if (online == 0)
        facts_add(f, id, FACT_UNKNOWN, "", "no %s/online", SYSTEM_CPUS);
    else if (s->cpus_allowed == 0)
        facts_add(f, id, FACT_UNKNOWN, "", "built without OpenMP: cannot ask");
    else if (s->cpus_allowed < online)
        facts_add(f, id, FACT_NOTE, "rates are those of a part of the machine",
                  "%u of %u CPUs online", s->cpus_allowed, online);
    else
        facts_add(f, id, FACT_FINE, "", "all %u CPUs online", online);
}

void facts_cpu(machine_facts *f, const facts_sources *s)
{
    governor(f, s);
    boost(f, s);
    smt(f, s);
    core_kinds(f, s);
    cpus_allowed(f, s);
}
