/* SPDX-License-Identifier: Apache-2.0
 *
 * What attnmark itself brings: how it was built, hooks of its tests, devices of software.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/facts_parts.h"
#include "harness_config.h"

/* The macro of a sanitizer, where the compiler has one; meson's option names the others. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif
#ifdef __OPTIMIZE__
#define OPTIMISED 1
#else
#define OPTIMISED 0
#endif

static void build(machine_facts *f)
{
    static const char advice[] = "meson setup --buildtype=release, without sanitizers";
    if (SANITIZED || strcmp(ATTNMARK_BUILD_SANITIZE, "none") != 0)
        facts_add(f, "build", FACT_FATAL, advice, "with sanitizers (%s)",
                  strcmp(ATTNMARK_BUILD_SANITIZE, "none") != 0 ? ATTNMARK_BUILD_SANITIZE
                                                               : "of CFLAGS");
    else if (ATTNMARK_BUILD_COVERAGE)
        facts_add(f, "build", FACT_FATAL, advice, "counts coverage");
    else if (!OPTIMISED || ATTNMARK_BUILD_OPTIMIZATION[0] == '0' ||
             ATTNMARK_BUILD_OPTIMIZATION[0] == 'g')
        facts_add(f, "build", FACT_FATAL, advice, "not optimised");
    else
        facts_add(f, "build", ATTNMARK_BUILD_OPTIMIZATION[0] == '1' ? FACT_WARNING : FACT_FINE,
                  advice, "-O%s, %s", ATTNMARK_BUILD_OPTIMIZATION, ATTNMARK_BUILD_COMPILER);
}

/* Variables that make this run another one than it says, or a lesser one. */
static const struct hook {
    const char *variable;
    fact_severity severity;
} hooks[] = {{"ATTNMARK_GPU_FAULT", FACT_FATAL},    {"ATTNMARK_GPU_STAGING", FACT_FATAL},
             {"ATTNMARK_GPU_LIMITS", FACT_FATAL},   {"ATTNMARK_SLOWED", FACT_FATAL},
             {"ATTNMARK_VALIDATION", FACT_WARNING}, {"ATTNMARK_CPU_DISABLE", FACT_WARNING}};

static void environment(machine_facts *f)
{
    char found[160] = "";
    fact_severity worst = FACT_FINE;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        const char *value = getenv(hooks[i].variable);
        if (value == NULL || value[0] == '\0')
            continue;
        attn_text_add(found, sizeof found, "%s%s=%.40s", found[0] ? ", " : "", hooks[i].variable,
                      value);
        /* "gpu" has the shaders instrumented. */
        const fact_severity severity =
            strstr(value, "gpu") != NULL ? FACT_FATAL : hooks[i].severity;
        worst = severity > worst ? severity : worst;
    }
    facts_add(f, "hooks", worst, "unset them: they make this another machine, or a slower one",
              "%s", found[0] ? found : "none");
}

static void vulkan_software(machine_facts *f, const gpu_set *gpu)
{
    char found[160] = "";
    for (size_t i = 0; gpu != NULL && i < gpu_device_count(gpu); i++) {
        const gpu_device_info *info = gpu_device(gpu, i);
        if (info->software)
            attn_text_add(found, sizeof found, "%s%s: %.60s", found[0] ? ", " : "", info->selector,
                          info->name);
    }
    facts_add(f, "vulkan_software", found[0] ? FACT_NOTE : FACT_FINE,
              "they run on the CPU: their times say nothing about a GPU", "%s",
              found[0] ? found : "none in use");
}

/* Missing ones spoil no number: there are only fewer of them. */
static void meters(machine_facts *f, const facts_sources *s)
{
    if (s->counters != NULL)
        facts_add(f, "counters", s->counters->why.text[0] ? FACT_NOTE : FACT_FINE,
                  "rows have none of these", "%s%s",
                  s->counters->why.text[0] ? "not available: " : "all", s->counters->why.text);
    if (s->energy != NULL)
        facts_add(f, "energy", s->energy->count > 0 ? FACT_FINE : FACT_NOTE, "rows have no energy",
                  "%s%s", s->energy->count > 0 ? s->energy->source : "not available: ",
                  s->energy->why.text);
}

void facts_own(machine_facts *f, const facts_sources *s)
{
    build(f);
    environment(f);
    vulkan_software(f, s->gpu);
    meters(f, s);
}
