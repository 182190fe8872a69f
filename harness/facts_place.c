/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process runs in: a guest, a container, a control group with a quota.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/facts_parts.h"
#include "harness/format.h"

static void virtual_machine(machine_facts *f, const facts_sources *s)
{
    static const char advice[] =
        "what its neighbours do is not seen here: repeat runs before believing small differences";
    static const char id[] = "virtual_machine";
    const system_line vendor = system_first_line(s->root, "/sys/class/dmi/id/sys_vendor"),
                      product = system_first_line(s->root, "/sys/class/dmi/id/product_name");
    switch (system_hypervisor(s->root)) {
    case SYSTEM_YES:
        facts_add(f, id, FACT_NOTE, advice, "yes%s%.60s%s%.60s",
                  vendor.text[0] || product.text[0] ? ": " : "", vendor.text,
                  vendor.text[0] && product.text[0] ? " " : "", product.text);
        break;
    case SYSTEM_NO:
        facts_add(f, id, FACT_FINE, advice, "no");
        break;
    default:
        facts_add(f, id, FACT_UNKNOWN, advice, "/proc/cpuinfo does not say");
    }
}

/* A file that container runtimes leave, or a word in the control group of the first process. */
static void container(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "limits of the container are limits of the numbers: see "
                                 "cpu_quota and cpus_allowed";
    static const char *const files[] = {"/.dockerenv", "/run/.containerenv",
                                        "/run/systemd/container"};
    static const char *const words[] = {"docker", "kubepods", "containerd", "libpod", "lxc"};
    const char *sign = NULL;
    for (size_t i = 0; i < sizeof files / sizeof *files && sign == NULL; i++)
        sign = system_has(s->root, "%s", files[i]) ? files[i] : NULL;
    const system_line group = system_first_line(s->root, "/proc/1/cgroup");
    for (size_t i = 0; i < sizeof words / sizeof *words && sign == NULL; i++)
        sign = strstr(group.text, words[i]) != NULL ? words[i] : NULL;
    if (sign != NULL)
        facts_add(f, "container", FACT_NOTE, advice, "yes: %s", sign);
    else if (group.text[0] == '\0')
        facts_add(f, "container", FACT_UNKNOWN, advice, "no /proc/1/cgroup");
    else
        facts_add(f, "container", FACT_FINE, advice, "no sign of one");
}

typedef struct quota {
    bool known;
    double cpus; /* 0: no limit */
} quota;

static void tighten(quota *q, double runtime, double period)
{
    q->known = true;
    if (runtime > 0 && period > 0 && (q->cpus == 0 || runtime / period < q->cpus))
        q->cpus = runtime / period;
}

/* Version 2: "max 100000" or "150000 100000". */
static void read_group(quota *q, const char *root, const char *path)
{
    double runtime = 0, period = 0;
    const system_line text = system_first_line(root, "/sys/fs/cgroup%s/cpu.max", path);
    if (sscanf(text.text, "%lf %lf", &runtime, &period) == 2)
        tighten(q, runtime, period);
    else if (strncmp(text.text, "max", 3) == 0)
        tighten(q, 0, 0);
}

/* Version 1: two files; a runtime of -1 is no limit. */
static void read_old_group(quota *q, const char *root, const char *path)
{
    static const char mounted[] = "/sys/fs/cgroup/cpu";
    const system_line runtime = system_first_line(root, "%s%s/cpu.cfs_quota_us", mounted, path),
                      period = system_first_line(root, "%s%s/cpu.cfs_period_us", mounted, path);
    if (runtime.text[0] != '\0' && period.text[0] != '\0')
        tighten(q, strtod(runtime.text, NULL), strtod(period.text, NULL));
}

/* The group's own limit and those of all above it. */
static void read_groups(quota *q, const char *root, const char *group,
                        void (*read)(quota *, const char *, const char *))
{
    char path[256];
    snprintf(path, sizeof path, "%s", group);
    for (char *slash = strrchr(path, '/'); slash != NULL; slash = strrchr(path, '/')) {
        read(q, root, slash[1] != '\0' ? path : "");
        *slash = '\0';
    }
    read(q, root, "");
}

/* "4:cpu,cpuacct:/a/b" of version 1, "0::/a/b" of version 2. */
static void read_membership(quota *q, const char *root)
{
    char name[512], line[512];
    snprintf(name, sizeof name, "%.255s/proc/self/cgroup", root);
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':'), *path = controllers;
        if (controllers == NULL || (path = strchr(++controllers, ':')) == NULL)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (controllers[0] == '\0')
            read_groups(q, root, path, read_group);
        else if (strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0)
            read_groups(q, root, path, read_old_group);
    }
    fclose(file);
    /* The root of version 2 has no limit, and no file that says so. */
    q->known = q->known || system_has(root, "/sys/fs/cgroup/cgroup.controllers");
}

static void cpu_quota(machine_facts *f, const facts_sources *s)
{
    quota q = {false, 0};
    read_membership(&q, s->root);
    if (q.cpus > 0)
        facts_add(f, "cpu_quota", FACT_WARNING,
                  "threads are stopped in every period in which they used it up: raise the quota, "
                  "or use fewer threads",
                  "the control group may use %s CPUs", format_significant(q.cpus).text);
    else if (q.known)
        facts_add(f, "cpu_quota", FACT_FINE, "", "none");
    else
        facts_add(f, "cpu_quota", FACT_UNKNOWN, "", "no control group below /sys/fs/cgroup");
}

void facts_place(machine_facts *f, const facts_sources *s)
{
    virtual_machine(f, s);
    container(f, s);
    cpu_quota(f, s);
}
