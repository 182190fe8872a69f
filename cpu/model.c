/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU model as the system names it, and how many CPUs this process may use.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/cpu.h"

/* Codes of x86's CPUID and of Arm's MIDR_EL1, as /proc/cpuinfo has them, and first words of Apple's
 * brand names. */
static const struct {
    const char *code, *name;
} vendors[] = {
    {"AuthenticAMD", "AMD"}, {"GenuineIntel", "Intel"},   {"HygonGenuine", "Hygon"},
    {"CentaurHauls", "VIA"}, {"  Shanghai  ", "Zhaoxin"}, {"VirtualApple", "Apple"},
    {"Apple", "Apple"},      {"Intel(R)", "Intel"},       {"0x41", "Arm"},
    {"0x42", "Broadcom"},    {"0x43", "Cavium"},          {"0x46", "Fujitsu"},
    {"0x48", "HiSilicon"},   {"0x4e", "NVIDIA"},          {"0x50", "APM"},
    {"0x51", "Qualcomm"},    {"0x53", "Samsung"},         {"0x56", "Marvell"},
    {"0x61", "Apple"},       {"0x6d", "Microsoft"},       {"0xc0", "Ampere"},
};

static const char *vendor_of(const char *code)
{
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (strncmp(code, vendors[i].code, strlen(vendors[i].code)) == 0)
            return vendors[i].name;
    return "";
}

#ifdef __APPLE__
#include <sys/sysctl.h>

static void read_vendor(char *text, size_t size)
{
    char brand[128] = "";
    size_t length = sizeof brand;
    if (sysctlbyname("machdep.cpu.brand_string", brand, &length, NULL, 0) == 0)
        snprintf(text, size, "%s", vendor_of(brand));
}

static void read_model(char *text, size_t size)
{
    if (sysctlbyname("machdep.cpu.brand_string", text, &size, NULL, 0) != 0)
        text[0] = '\0';
}
#else
/* "vendor_id" on x86, "CPU implementer" on aarch64. */
static void read_vendor(char *text, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !text[0] && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (value &&
            (strncmp(line, "vendor_id", 9) == 0 || strncmp(line, "CPU implementer", 15) == 0))
            snprintf(text, size, "%s", vendor_of(value + 1 + (value[1] == ' ')));
    }
    if (file)
        fclose(file);
}

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

const char *cpu_vendor(void)
{
    static char text[32];
    if (!text[0])
        read_vendor(text, sizeof text);
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
