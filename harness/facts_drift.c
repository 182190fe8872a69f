/* SPDX-License-Identifier: Apache-2.0
 *
 * What slows the CPU down over time: a hypervisor that takes time away, heat, a battery.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "harness/facts_parts.h"

#define MUCH_STOLEN 0.02 /* of the time that was wanted */

static facts_ticks read_ticks(const char *root)
{
    facts_ticks t = {false, 0, 0};
    double user, nice, system, irq, soft_irq, stolen;
    const system_line text = system_first_line(root, "/proc/stat");
    if (sscanf(text.text, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice, &system, &irq,
               &soft_irq, &stolen) != 6)
        return t;
    return (facts_ticks){true, user + nice + system + irq + soft_irq + stolen, stolen};
}

bool facts_throttle_events(const char *root, uint64_t *events)
{
    static const char *const field[] = {"core_throttle_count", "package_throttle_count"};
    const unsigned limit = system_cpu_limit(root);
    bool known = false;
    *events = 0;
    for (unsigned i = 0; i < limit; i++)
        for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
            uint64_t value;
            if (!system_number(root, &value, SYSTEM_CPUS "/cpu%u/thermal_throttle/%s", i, field[k]))
                continue;
            known = true;
            *events += value;
        }
    return known;
}

facts_moment facts_moment_now(const char *root)
{
    facts_moment now = {.ticks = read_ticks(root)};
    now.throttles_known = facts_throttle_events(root, &now.throttles);
    return now;
}

static double share(double stolen, double busy)
{
    return busy > 0 ? stolen / busy : 0;
}

static void steal(machine_facts *f, double window_s, const facts_ticks *before,
                  const facts_ticks *after)
{
    static const char advice[] = "the host gives this machine's CPUs to others: repeat, elsewhere "
                                 "or later";
    if (!before->known || !after->known) {
        facts_add(f, "steal", FACT_UNKNOWN, advice, "no steal time in /proc/stat");
        return;
    }
    const double ever = share(after->stolen, after->busy),
                 now = share(after->stolen - before->stolen, after->busy - before->busy);
    const fact_severity severity = now > MUCH_STOLEN    ? FACT_WARNING
                                   : ever > MUCH_STOLEN ? FACT_NOTE
                                                        : FACT_FINE;
    facts_add(f, "steal", severity, advice,
              "%.1f %% of the CPU time wanted in %.1f s, %.2f %% since the start", 100 * now,
              window_s, 100 * ever);
}

static void throttling(machine_facts *f, const facts_moment *before, const facts_moment *after)
{
    static const char advice[] = "the CPU was too hot: cool it, or lower its clock";
    static const char id[] = "throttling";
    if (!after->throttles_known)
        facts_add(f, id, FACT_UNKNOWN, advice, "no %s/cpu*/thermal_throttle", SYSTEM_CPUS);
    else if (after->throttles > before->throttles)
        facts_add(f, id, FACT_WARNING, advice, "now: %llu events more",
                  (unsigned long long)(after->throttles - before->throttles));
    else
        facts_add(f, id, after->throttles > 0 ? FACT_NOTE : FACT_FINE, advice,
                  "%llu events since the start, none now", (unsigned long long)after->throttles);
}

static bool discharging(const char *root, const char *name, bool *battery)
{
    static const char supplies[] = "/sys/class/power_supply";
    const system_line type = system_first_line(root, "%s/%s/type", supplies, name),
                      scope = system_first_line(root, "%s/%s/scope", supplies, name),
                      status = system_first_line(root, "%s/%s/status", supplies, name);
    /* Scope "Device": the battery of a mouse. */
    const bool own = strcmp(type.text, "Battery") == 0 && strcmp(scope.text, "Device") != 0;
    *battery = *battery || own;
    return own && strcmp(status.text, "Discharging") == 0;
}

static void power(machine_facts *f, const char *root)
{
    static const char advice[] = "plug it in: on battery the clock is lower";
    char path[512], empty[64] = "";
    snprintf(path, sizeof path, "%.255s/sys/class/power_supply", root);
    DIR *directory = opendir(path);
    if (directory == NULL) {
        facts_add(f, "power", FACT_UNKNOWN, advice, "no /sys/class/power_supply");
        return;
    }
    bool battery = false;
    for (struct dirent *e = readdir(directory); e != NULL; e = readdir(directory))
        if (e->d_name[0] != '.' && discharging(root, e->d_name, &battery))
            snprintf(empty, sizeof empty, "%.60s", e->d_name);
    closedir(directory);
    if (empty[0] != '\0')
        facts_add(f, "power", FACT_WARNING, advice, "on battery: %s discharges", empty);
    else
        facts_add(f, "power", FACT_FINE, advice, battery ? "plugged in" : "no battery");
}

void facts_drift(machine_facts *f, const facts_sources *s, const facts_moment *before,
                 const facts_moment *after)
{
    steal(f, s->window_s, &before->ticks, &after->ticks);
    throttling(f, before, after);
    power(f, s->root);
}
