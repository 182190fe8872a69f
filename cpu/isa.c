/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/isa.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "cpu_config.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

typedef struct feature {
    const char *name;
    bool (*present)(void);
} feature;

#if defined(__x86_64__) || defined(__i386__)
/* The compiler's probe reads CPUID and, through XGETBV, whether the system saves the state. */
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
static bool has_fma(void)
{
    return __builtin_cpu_supports("fma");
}
static bool has_avx512f(void)
{
    return __builtin_cpu_supports("avx512f");
}
static bool has_f16c(void)
{
    unsigned a, b, c = 0, d; /* clang's probe does not know the word */
    return has_avx2() && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
}
#else
static bool has_avx2(void)
{
    return false;
}
static bool has_fma(void)
{
    return false;
}
static bool has_f16c(void)
{
    return false;
}
static bool has_avx512f(void)
{
    return false;
}
#endif

static bool has_neon(void)
{
#if defined(__aarch64__) && defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_ASIMD) != 0;
#elif defined(__aarch64__)
    return true; /* part of the architecture; only Linux can be built for cores without it */
#else
    return false;
#endif
}

static const feature features[] = {{"avx2", has_avx2},
                                   {"fma", has_fma},
                                   {"f16c", has_f16c},
                                   {"avx512f", has_avx512f},
                                   {"neon", has_neon}};
enum { FEATURES = sizeof features / sizeof features[0] };

static const struct {
    bool built;
    const char *needs[3]; /* names of features */
} isas[CPU_ISAS] = {
    [CPU_ISA_scalar] = {CPU_BUILT_scalar, {NULL}},
    [CPU_ISA_avx2] = {CPU_BUILT_avx2, {"avx2", "fma", "f16c"}},
    [CPU_ISA_avx512] = {CPU_BUILT_avx512, {"avx512f"}},
    [CPU_ISA_neon] = {CPU_BUILT_neon, {"neon"}},
};

/* Is `name` an entry of the comma-separated list? */
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (list && *list) {
        const size_t entry = strcspn(list, ",");
        if (entry == length && strncmp(list, name, length) == 0)
            return true;
        list += entry + (list[entry] == ',');
    }
    return false;
}

static bool disabled(const char *name)
{
    const char *list = getenv("ATTNMARK_CPU_DISABLE");
    return listed(list, name) || listed(list, "all");
}

static const feature *find(const char *name)
{
    for (int i = 0; i < FEATURES; i++)
        if (strcmp(features[i].name, name) == 0)
            return &features[i];
    return NULL;
}

const char *cpu_isa_unavailable(cpu_isa_id isa)
{
    static char reasons[CPU_ISAS][96];
    char *reason = reasons[isa];
    if (!isas[isa].built)
        return "not built for this CPU architecture";
    for (int i = 0; i < 3 && isas[isa].needs[i]; i++) {
        const char *name = isas[isa].needs[i];
        if (!find(name)->present()) {
            snprintf(reason, sizeof reasons[isa], "this CPU or its system has no %s", name);
            return reason;
        }
        if (disabled(name)) {
            snprintf(reason, sizeof reasons[isa], "%s is disabled by ATTNMARK_CPU_DISABLE", name);
            return reason;
        }
    }
    return NULL;
}

const char *cpu_isa(void)
{
    static char text[64];
    text[0] = '\0';
    for (int i = 0; i < FEATURES; i++)
        if (features[i].present() && !disabled(features[i].name))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "",
                     features[i].name);
    return text[0] ? text : "scalar";
}

attn_status cpu_check_environment(attn_reason *why)
{
    const char *list = getenv("ATTNMARK_CPU_DISABLE");
    while (list && *list) {
        const int entry = (int)strcspn(list, ",");
        char name[16];
        snprintf(name, sizeof name, "%.*s", entry, list);
        if (strcmp(name, "all") != 0 && !find(name))
            return attn_because(
                why, ATTN_ERROR,
                "ATTNMARK_CPU_DISABLE: unknown feature '%s' (allowed: avx2, fma, f16c, avx512f, "
                "neon, all, separated by commas)",
                name);
        list += entry + (list[entry] == ',');
    }
    if (cpu_default_threads() > CPU_MAX_THREADS)
        return attn_because(why, ATTN_ERROR, "OMP_NUM_THREADS: want 1..%d threads, not %u",
                            CPU_MAX_THREADS, cpu_default_threads());
    return ATTN_OK;
}
