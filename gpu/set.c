/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernels.h"
#include "gpu/result.h"
#include "gpu/rows.h"
#include "gpu/start.h"
#include "gpu/tuning.h"
#include "shaders/modules.h"

static attn_status out_of_memory(attn_reason *why)
{
    return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of Vulkan devices");
}

/* robust: shaders that nobody vouches for will run. */
static attn_status find_devices(gpu_set *set, bool robust, attn_reason *why)
{
    uint32_t count = 0;
    const VkInstance instance = set->instance.handle;
    attn_status status = gpu_result(vkEnumeratePhysicalDevices(instance, &count, NULL),
                                    "vkEnumeratePhysicalDevices", why);
    if (status != ATTN_OK)
        return status;
    if (count == 0)
        return attn_because(why, ATTN_UNAVAILABLE, "no Vulkan device");

    VkPhysicalDevice *handles = calloc(count, sizeof *handles);
    gpu_device_info **infos = calloc(count, sizeof *infos);
    set->devices = calloc(count, sizeof *set->devices);
    if (!handles || !infos || !set->devices)
        status = out_of_memory(why);
    else
        status = gpu_result(vkEnumeratePhysicalDevices(instance, &count, handles),
                            "vkEnumeratePhysicalDevices", why);
    for (uint32_t i = 0; status == ATTN_OK && i < count; i++) {
        gpu_context *device = &set->devices[set->device_count++];
        gpu_context_describe(handles[i], i, device);
        device->robust = robust;
        infos[i] = &device->info;
        gpu_context_start(device);
    }
    if (status == ATTN_OK)
        gpu_mark_duplicates(infos, count);
    free(handles);
    free(infos);
    return status;
}

/* Why a contract cannot be met on a device, or NULL. */
static const char *contract_unavailable(const gpu_device_info *info, attn_contract contract)
{
    if (info->unavailable[0])
        return info->unavailable;
    if (!info->probe.m)
        return info->probe.verdict;
    if (contract == ATTN_CONTRACT_F && !info->probe.f)
        return info->probe.fused ? "fma() on this device differs from the host's"
                                 : "fma() is split on this device";
    return NULL;
}

static const char *row_unavailable(const gpu_context *device, const gpu_row *row)
{
    const char *reason = contract_unavailable(&device->info, row->contract);
    if (!reason && row->software_only && !device->info.software)
        return "made for Vulkan drivers that run on the CPU";
    if (!reason && row->subgroup & ~device->subgroup)
        return "needs operations of subgroups that this device lacks";
    return reason;
}

static attn_status make_kernels(gpu_set *set, const gpu_options *options, attn_reason *why)
{
    const size_t rows = gpu_rows_total(options);
    set->kernel_count = rows * (set->device_count > 0 ? set->device_count : 1);
    set->kernels = calloc(set->kernel_count, sizeof *set->kernels);
    if (!set->kernels) {
        set->kernel_count = 0;
        return out_of_memory(why);
    }
    if (set->device_count == 0)
        gpu_rows_absent(set->unavailable, options, set->kernels);
    for (size_t i = 0; options && i < set->device_count; i++)
        set->devices[i].tuned = gpu_tuning_device(options->tuning, &set->devices[i].info);
    for (size_t i = 0; i < set->device_count * rows; i++) {
        gpu_context *device = &set->devices[i / rows];
        const gpu_row *row = gpu_rows_at(options, i % rows);
        attn_kernel *kernel = &set->kernels[i];
        *kernel = gpu_row_kernel(row, &device->limits, row_unavailable(device, row));
        kernel->device = device->info.selector;
        kernel->device_name = device->info.name;
        kernel->software = device->info.software;
        kernel->ops = &gpu_kernel_ops;
        kernel->context = device;
    }
    return ATTN_OK;
}

static attn_status make_roofs(gpu_set *set, attn_reason *why)
{
    set->roofs = calloc(GPU_ROOFS * set->device_count + 1, sizeof *set->roofs);
    set->roof_contexts = calloc(GPU_ROOFS * set->device_count + 1, sizeof *set->roof_contexts);
    if (!set->roofs || !set->roof_contexts)
        return out_of_memory(why);
    for (size_t i = 0; i < GPU_ROOFS * set->device_count; i++) {
        const size_t device = i / GPU_ROOFS, roof = i % GPU_ROOFS;
        if (!contract_unavailable(&set->devices[device].info, gpu_roof_contract(roof)))
            set->roofs[set->roof_count++] =
                gpu_roof_make(&set->devices[device], roof, &set->roof_contexts[GPU_ROOFS * device]);
    }
    return ATTN_OK;
}

gpu_set *gpu_open(const gpu_options *options)
{
    attn_reason why;
    gpu_set *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    attn_status status = gpu_instance_open(&set->instance, &why);
    if (status == ATTN_OK)
        status = find_devices(set, options && options->row_count > 0, &why);
    if (status != ATTN_OK)
        memcpy(set->unavailable, why.text, sizeof set->unavailable);
    if (make_kernels(set, options, &why) != ATTN_OK || make_roofs(set, &why) != ATTN_OK) {
        gpu_close(set);
        return NULL;
    }
    return set;
}

unsigned gpu_close(gpu_set *set)
{
    bool closed = true;
    if (!set)
        return 0;
    for (size_t i = 0; i < set->roof_count; i++)
        gpu_roof_close(set->roofs[i].context);
    for (size_t i = 0; i < set->device_count; i++)
        closed = gpu_context_close(&set->devices[i]) && closed;
    gpu_instance_close(&set->instance, closed);
    const unsigned messages = set->instance.messages;
    free(set->roof_contexts);
    free(set->roofs);
    free(set->kernels);
    free(set->devices);
    free(set);
    return messages;
}

const char *gpu_unavailable(const gpu_set *set)
{
    return set->unavailable[0] ? set->unavailable : NULL;
}

size_t gpu_device_count(const gpu_set *set)
{
    return set->device_count;
}

const gpu_device_info *gpu_device(const gpu_set *set, size_t index)
{
    return &set->devices[index].info;
}

const attn_kernel *gpu_kernels(const gpu_set *set, size_t *count)
{
    *count = set->kernel_count;
    return set->kernels;
}

const attn_roof *gpu_roofs(const gpu_set *set, size_t *count)
{
    *count = set->roof_count;
    return set->roofs;
}
