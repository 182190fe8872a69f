/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/registry.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "cpu/cpu.h"
#include "harness/cli.h"

/* Does text, lower-cased and without dashes, equal (or, for part, contain) the wanted word? */
static bool same_word(const char *text, const char *wanted, bool part)
{
    char a[256], b[256];
    const char *from[2] = {text, wanted};
    char *to[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        for (const char *c = from[i]; *c && n + 1 < sizeof a; c++)
            if (*c != '-' || part)
                to[i][n++] = (char)tolower((unsigned char)*c);
        to[i][n] = '\0';
    }
    return part ? strstr(a, b) != NULL : strcmp(a, b) == 0;
}

/* A part of a name has at least three characters: shorter ones are indices, or say nothing. */
static bool selects_device(const char *selector, const gpu_device_info *info)
{
    const char *index = info->selector + 2; /* "vk0" */
    return !selector || same_word("vk", selector, false) ||
           same_word(info->selector, selector, false) || strcmp(index, selector) == 0 ||
           same_word(info->uuid, selector, false) ||
           (strlen(selector) > 2 && same_word(info->name, selector, true));
}

/* Is the Vulkan device that a kernel or roof names among the selected ones? The placeholder "vk"
 * stands for "no device at all". */
static bool selects_name(const char *selector, const gpu_set *gpu, const char *device)
{
    for (size_t i = 0; i < gpu_device_count(gpu); i++)
        if (strcmp(gpu_device(gpu, i)->selector, device) == 0)
            return selects_device(selector, gpu_device(gpu, i));
    return !selector || same_word("vk", selector, false);
}

static attn_status no_such_device(const char *selector, const gpu_set *gpu, attn_reason *why)
{
    char have[160] = "cpu";
    for (size_t i = 0; i < gpu_device_count(gpu); i++) {
        const gpu_device_info *info = gpu_device(gpu, i);
        attn_text_add(have, sizeof have, ", %s (%.40s)", info->selector, info->name);
    }
    return attn_because(why, ATTN_ERROR,
                        "--device %s: no such device (allowed: cpu, vk, an index, a UUID or part "
                        "of a name; here: %s)",
                        selector, have);
}

/* Room for so many more, and never for none: realloc may answer a size of 0 with NULL. */
static bool reserve(registry *r, size_t kernels, size_t roofs)
{
    attn_kernel *more_kernels =
        realloc(r->kernels, (r->count + kernels + 1) * sizeof *more_kernels);
    if (more_kernels)
        r->kernels = more_kernels;
    attn_roof *more_roofs = realloc(r->roofs, (r->roof_count + roofs + 1) * sizeof *more_roofs);
    if (more_roofs)
        r->roofs = more_roofs;
    return more_kernels && more_roofs;
}

static bool add_cpu(registry *r)
{
    size_t kernels, roofs;
    const attn_kernel *kernel = cpu_kernels(&kernels);
    const attn_roof *roof = cpu_roofs(&roofs);
    if (!reserve(r, kernels, roofs))
        return false;
    for (size_t i = 0; i < kernels; i++)
        r->kernels[r->count++] = kernel[i];
    for (size_t i = 0; i < roofs; i++)
        r->roofs[r->roof_count++] = roof[i];
    return true;
}

static bool add_gpu(registry *r, const char *selector, bool *found)
{
    size_t kernels, roofs;
    const attn_kernel *kernel = gpu_kernels(r->gpu, &kernels);
    const attn_roof *roof = gpu_roofs(r->gpu, &roofs);
    if (!reserve(r, kernels, roofs))
        return false;
    for (size_t i = 0; i < kernels; i++)
        if (selects_name(selector, r->gpu, kernel[i].device)) {
            *found = true;
            r->kernels[r->count++] = kernel[i];
        }
    for (size_t i = 0; i < roofs; i++)
        if (selects_name(selector, r->gpu, roof[i].device))
            r->roofs[r->roof_count++] = roof[i];
    return true;
}

attn_status registry_open(registry *r, const char *selector, const gpu_options *options,
                          attn_reason *why)
{
    *r = (registry){0};
    const bool only_cpu = selector && same_word("cpu", selector, false);
    bool ok = true, found = only_cpu;
    if (only_cpu && options && options->row_count > 0)
        return attn_because(why, ATTN_ERROR, "--device %s: shaders run on Vulkan devices",
                            selector);
    if (!selector || only_cpu)
        ok = add_cpu(r);
    if (!only_cpu) {
        r->gpu = gpu_open(options);
        ok = ok && r->gpu && add_gpu(r, selector, &found);
    }
    attn_status status = ATTN_OK;
    if (!ok)
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of kernels");
    else if (!found && selector)
        status = no_such_device(selector, r->gpu, why);
    if (status != ATTN_OK)
        registry_close(r);
    return status;
}

unsigned registry_close(registry *r)
{
    for (size_t i = 0; i < r->roof_count; i++)
        if (r->roofs[i].release)
            r->roofs[i].release(&r->roofs[i]);
    free(r->kernels);
    free(r->roofs);
    const unsigned messages = r->gpu ? gpu_close(r->gpu) : 0;
    *r = (registry){0};
    return messages;
}

int registry_finish(registry *r, int exit_status)
{
    const unsigned messages = registry_close(r);
    if (!messages)
        return exit_status;
    fflush(stdout);
    fprintf(stderr, "attnmark: %u message%s of the Vulkan validation layer\n", messages,
            messages == 1 ? "" : "s");
    return exit_status == EXIT_OK ? EXIT_MISMATCH : exit_status;
}

const char *registry_device(const char *device, const char *kernel)
{
    if (device)
        return device;
    return kernel && strncmp(kernel, "vk", 2) == 0 ? "vk" : "cpu";
}

bool registry_matches(const attn_kernel *kernel, char *const *globs, size_t globs_count)
{
    char path[300];
    if (globs_count == 0)
        return true;
    snprintf(path, sizeof path, "%s/%s", kernel->device, kernel->name);
    for (size_t i = 0; i < globs_count; i++)
        if (fnmatch(globs[i], strchr(globs[i], '/') ? path : kernel->name, 0) == 0)
            return true;
    return false;
}

static const attn_roof *find_roof(const registry *r, const char *device, attn_roof_kind kind,
                                  attn_contract contract)
{
    for (size_t i = 0; i < r->roof_count; i++) {
        const attn_roof *roof = &r->roofs[i];
        if (roof->kind == kind && strcmp(roof->device, device) == 0 && !roof->unavailable &&
            (attn_roof_moves(kind) ? roof->level == ATTN_LEVEL_MEMORY : roof->contract == contract))
            return roof;
    }
    return NULL;
}

const attn_roof *registry_roof(const registry *r, const attn_kernel *kernel, attn_roof_kind kind)
{
    const attn_contract contract =
        kernel->contract == ATTN_CONTRACT_NONE ? ATTN_CONTRACT_F : kernel->contract;
    const attn_roof *roof = find_roof(r, kernel->device, kind, contract);
    return roof ? roof : find_roof(r, kernel->device, kind, ATTN_CONTRACT_M);
}
