/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/energy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "harness/system.h"

#define POWERCAP "/sys/class/powercap"
#define HWMON    "/sys/class/hwmon"
#define SENSORS  64 /* of hwmon, and of one kind in it */

/* A whole number, or errno in *error. */
static bool read_meter(const char *path, uint64_t *value, int *error)
{
    char text[32];
    FILE *file = fopen(path, "r");
    const bool filled = file != NULL && fgets(text, sizeof text, file) != NULL;
    *error = filled ? EINVAL : errno;
    if (file != NULL)
        fclose(file);
    if (!filled || text[0] < '0' || text[0] > '9')
        return false;
    *value = strtoull(text, NULL, 10);
    return true;
}

/* Takes the meter if it can be read, else keeps why it cannot, once. */
static bool add_meter(energy *e, const char *root, const char *path, uint64_t range)
{
    uint64_t value;
    int error;
    snprintf(e->path[e->count], sizeof e->path[0], "%.100s%.80s", root, path);
    if (!read_meter(e->path[e->count], &value, &error)) {
        if (e->why.text[0] == '\0')
            attn_because(&e->why, ATTN_UNAVAILABLE, "%s: %s%s", path, strerror(error),
                         error == EACCES ? " (only root may read it)" : "");
        return false;
    }
    e->range[e->count++] = range;
    return true;
}

/* intel-rapl:N, also on AMD. What is below a package (intel-rapl:0:1) is in it, and
 * intel-rapl-mmio:N shows it again. All packages, or none: half of them would be no sum. */
static void open_packages(energy *e, const char *root)
{
    bool whole = true;
    for (unsigned i = 0; i < ENERGY_METERS; i++) {
        char path[128];
        uint64_t range = 0;
        const system_line name = system_first_line(root, POWERCAP "/intel-rapl:%u/name", i);
        if (strncmp(name.text, "package", 7) != 0)
            continue;
        system_number(root, &range, POWERCAP "/intel-rapl:%u/max_energy_range_uj", i);
        snprintf(path, sizeof path, POWERCAP "/intel-rapl:%u/energy_uj", i);
        whole = add_meter(e, root, path, range) && whole;
    }
    e->count = whole ? e->count : 0;
    snprintf(e->source, sizeof e->source, "powercap: %zu package%s", e->count,
             e->count == 1 ? "" : "s");
}

/* Sensors of graphics cards say nothing about the CPU. */
static bool graphics(const char *name)
{
    static const char *const drivers[] = {"amdgpu", "radeon", "nouveau", "i915", "xe"};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (strcmp(name, drivers[i]) == 0)
            return true;
    return false;
}

/* Counters of sockets where they are labelled so (amd_energy, which has its cores beside them),
 * else the first one. */
static void open_counters(energy *e, const char *root, unsigned device)
{
    char path[128];
    for (unsigned i = 1; i < SENSORS * ENERGY_METERS && e->count < ENERGY_METERS; i++) {
        const system_line label =
            system_first_line(root, HWMON "/hwmon%u/energy%u_label", device, i);
        snprintf(path, sizeof path, HWMON "/hwmon%u/energy%u_input", device, i);
        if (!system_has(root, "%s", path))
            break;
        if (strncmp(label.text, "Esocket", 7) == 0)
            add_meter(e, root, path, 0);
    }
    const system_line first = system_first_line(root, HWMON "/hwmon%u/energy1_label", device);
    snprintf(path, sizeof path, HWMON "/hwmon%u/energy1_input", device);
    if (e->count == 0 && strncmp(first.text, "Ecore", 5) != 0 && system_has(root, "%s", path))
        add_meter(e, root, path, 0);
}

static void open_power(energy *e, const char *root, unsigned device)
{
    static const char *const kind[] = {"average", "input"};
    for (size_t k = 0; k < sizeof kind / sizeof *kind && e->count == 0; k++) {
        char path[128];
        snprintf(path, sizeof path, HWMON "/hwmon%u/power1_%s", device, kind[k]);
        e->power = system_has(root, "%s", path) && add_meter(e, root, path, 0);
    }
}

static void open_sensors(energy *e, const char *root,
                         void (*open_kind)(energy *, const char *, unsigned))
{
    for (unsigned device = 0; device < SENSORS && e->count == 0; device++) {
        const system_line name = system_first_line(root, HWMON "/hwmon%u/name", device);
        if (graphics(name.text))
            continue;
        open_kind(e, root, device);
        snprintf(e->source, sizeof e->source, "hwmon: %.40s", name.text);
    }
}

void energy_open(energy *e, const char *root)
{
    memset(e, 0, sizeof *e);
    open_packages(e, root);
    if (e->count == 0)
        open_sensors(e, root, open_counters);
    if (e->count == 0)
        open_sensors(e, root, open_power);
    if (e->count > 0) {
        e->why.text[0] = '\0';
        return;
    }
    e->source[0] = '\0';
    if (e->why.text[0] == '\0')
        attn_because(&e->why, ATTN_UNAVAILABLE, "no meter in " POWERCAP " or " HWMON);
}

void energy_read(const energy *e, energy_reading *now)
{
    int error;
    now->known = e->count > 0;
    for (size_t i = 0; i < e->count; i++)
        now->known = read_meter(e->path[i], &now->value[i], &error) && now->known;
    now->at_s = clock_seconds();
}

/* Microjoules of one counter; NAN when it went back and nobody knows from where. */
static double counted(uint64_t range, uint64_t before, uint64_t after)
{
    if (after >= before)
        return (double)(after - before);
    return range >= before ? (double)(range - before) + (double)after : NAN;
}

double energy_between_j(const energy *e, const energy_reading *before, const energy_reading *after)
{
    double sum = 0;
    if (!before->known || !after->known)
        return NAN;
    if (e->power)
        return 1e-6 * ((double)before->value[0] + (double)after->value[0]) / 2 *
               (after->at_s - before->at_s);
    for (size_t i = 0; i < e->count; i++)
        sum += counted(e->range[i], before->value[i], after->value[i]);
    return sum > 0 ? 1e-6 * sum : NAN; /* a meter that stood still saw nothing */
}
