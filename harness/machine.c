/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "harness/system.h"

extern char **environ;

static json_t *file_text(const char *path)
{
    return json_value_text(system_first_line("", "%s", path).text);
}

static uint64_t number_in(const char *text)
{
    return strtoull(text, NULL, 10);
}

uint64_t machine_memory_bytes(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        uint64_t limit = number_in(system_first_line("", "%s", limits[i]).text); /* "max" gives 0 */
        if (limit > 0 && (bytes == 0 || limit < bytes))
            bytes = limit;
    }
    return bytes;
}

static json_t *memory_json(void)
{
    uint64_t total = machine_memory_bytes();
    uint64_t available_kib = number_in(system_keyed_line("", "/proc/meminfo", "MemAvailable").text);
    json_t *o = json_object();
    json_object_set_new(o, "total_bytes", total ? json_value_count(total) : json_null());
    json_object_set_new(o, "available_bytes",
                        available_kib ? json_value_count(available_kib * 1024) : json_null());
    return o;
}

static json_t *caches_json(void)
{
    static const char *const field[] = {"level", "type", "size", "shared_cpu_list"};
    json_t *caches = json_array();
    for (unsigned i = 0; i < 16; i++) {
        json_t *cache = json_object();
        for (size_t f = 0; f < sizeof field / sizeof *field; f++) {
            const system_line text =
                system_first_line("", SYSTEM_CPUS "/cpu0/cache/index%u/%s", i, field[f]);
            json_object_set_new(cache, field[f], json_value_text(text.text));
        }
        if (json_is_null(json_object_get(cache, "level"))) {
            json_decref(cache);
            break;
        }
        json_array_append_new(caches, cache);
    }
    return caches;
}

/* Physical cores: processors that are the first of their hardware threads. */
static json_t *physical_cores_json(long logical)
{
    long cores = 0;
    for (long i = 0; i < logical; i++) {
        const system_line siblings =
            system_first_line("", SYSTEM_CPUS "/cpu%ld/topology/thread_siblings_list", i);
        cores += siblings.text[0] != '\0' && strtol(siblings.text, NULL, 10) == i;
    }
    return cores > 0 ? json_integer(cores) : json_null();
}

static json_t *answer_json(system_answer answer)
{
    return answer == SYSTEM_UNKNOWN ? json_null() : json_boolean(answer == SYSTEM_YES);
}

static json_t *load_json(void)
{
    double load[3];
    if (getloadavg(load, 3) != 3)
        return json_null();
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(array, json_value_number(load[i]));
    return array;
}

static json_t *system_json(void)
{
    struct utsname names;
    json_t *o = json_object();
    bool known = uname(&names) == 0;
    json_object_set_new(o, "name", json_value_text(known ? names.sysname : NULL));
    json_object_set_new(o, "release", json_value_text(known ? names.release : NULL));
    json_object_set_new(o, "machine", json_value_text(known ? names.machine : NULL));
    json_object_set_new(
        o, "distribution",
        json_value_text(system_keyed_line("", "/etc/os-release", "PRETTY_NAME").text));
    return o;
}

/* Where each thread of the CPU kernels may run. The process as a whole does not tell: under
 * OMP_PROC_BIND its first thread is bound as well. */
static json_t *thread_processors_json(void)
{
    const unsigned threads = cpu_default_threads();
    json_t *array = json_array();
    system_line *allowed = calloc(threads, sizeof *allowed);
    if (allowed != NULL) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads((int)threads)
#endif
        for (unsigned i = 0; i < threads; i++)
            allowed[i] = system_keyed_line("", "/proc/thread-self/status", "Cpus_allowed_list");
    }
    for (unsigned i = 0; allowed != NULL && i < threads; i++)
        json_array_append_new(array, json_value_text(allowed[i].text));
    free(allowed);
    return array;
}

json_t *machine_json(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN), configured = sysconf(_SC_NPROCESSORS_CONF);
    json_t *o = json_object();
    json_object_set_new(o, "cpu_model", json_value_text(cpu_model()));
    json_object_set_new(o, "cpu_vendor", json_value_text(cpu_vendor()));
    json_object_set_new(o, "isa", json_value_text(cpu_isa()));
    json_object_set_new(o, "processors", online > 0 ? json_integer(online) : json_null());
    json_object_set_new(o, "cores", physical_cores_json(configured));
    json_object_set_new(o, "processors_allowed",
                        cpu_allowed() > 0 ? json_integer(cpu_allowed()) : json_null());
    json_object_set_new(o, "thread_processors", thread_processors_json());
    json_object_set_new(o, "default_threads", json_integer(cpu_default_threads()));
    json_object_set_new(o, "caches", caches_json());
    json_object_set_new(o, "governor", file_text(SYSTEM_CPUS "/cpu0/cpufreq/scaling_governor"));
    json_object_set_new(o, "boost", answer_json(system_boost("")));
    json_object_set_new(o, "load_average", load_json());
    json_object_set_new(o, "memory", memory_json());
    json_object_set_new(o, "virtualised", answer_json(system_hypervisor("")));
    json_object_set_new(o, "vendor", file_text("/sys/class/dmi/id/sys_vendor"));
    json_object_set_new(o, "product", file_text("/sys/class/dmi/id/product_name"));
    json_object_set_new(o, "system", system_json());
    return o;
}

static bool has_prefix(const char *text)
{
    static const char *const prefix[] = {"VK_",   "MESA_", "LP_",    "OMP_",
                                         "GOMP_", "KMP_",  "SLURM_", "ATTNMARK_"};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (strncmp(text, prefix[i], strlen(prefix[i])) == 0)
            return true;
    return false;
}

/* SLURM_JWT is a login token; results get published. */
static bool credential(const char *name)
{
    return strstr(name, "JWT") != NULL || strstr(name, "TOKEN") != NULL ||
           strstr(name, "SECRET") != NULL || strstr(name, "PASSWORD") != NULL;
}

json_t *machine_environment_json(void)
{
    json_t *o = json_object();
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        size_t length = strcspn(*entry, "=");
        if (!has_prefix(*entry) || (*entry)[length] != '=' || length >= sizeof name)
            continue;
        memcpy(name, *entry, length);
        name[length] = '\0';
        const char *value = credential(name) ? "(withheld)" : *entry + length + 1;
        json_t *text = value[0] == '\0' ? json_string("") : json_value_text(value);
        json_object_set_new(o, name, text);
    }
    return o;
}

const char *machine_time(char text[MACHINE_TIME])
{
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(text, MACHINE_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        text[0] = '\0';
    return text;
}
