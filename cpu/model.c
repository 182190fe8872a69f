/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU model as the system names it, and how many CPUs this process may use.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/cpu.h"

#ifdef __APPLE__
#include <sys/sysctl.h>

static void read_model(char *text, size_t size)
{
    if (sysctlbyname("machdep.cpu.brand_string", text, &size, NULL, 0) != 0)
        text[0] = '\0';
}
#else
/* "model name : X" on x86; aarch64 kernels name no model, so "implementer / part" codes serve. */
static void read_model(char *text, size_t size)
{
    char line[256], implementer[32] = "", part[32] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (!value)
            continue;
        value += strspn(value, ": \t");
        value[strcspn(value, "\n")] = '\0';
        if (strncmp(line, "model name", 10) == 0) {
            snprintf(text, size, "%s", value);
            break;
        }
        if (strncmp(line, "CPU implementer", 15) == 0)
            snprintf(implementer, sizeof implementer, "%.31s", value);
        if (strncmp(line, "CPU part", 8) == 0)
            snprintf(part, sizeof part, "%.31s", value);
    }
    if (file)
        fclose(file);
    if (!text[0] && part[0])
        snprintf(text, size, "CPU implementer %s part %s", implementer, part);
}
#endif

const char *cpu_model(void)
{
    static char text[256];
    if (!text[0])
        read_model(text, sizeof text);
    if (!text[0]) {
        struct utsname name;
        snprintf(text, sizeof text, "%s CPU", uname(&name) == 0 ? name.machine : "unknown");
    }
    return text;
}

unsigned cpu_allowed(void)
{
#ifdef _OPENMP
    return (unsigned)omp_get_num_procs();
#else
    return 0;
#endif
}
