/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/probe.h"

void gpu_context_start(gpu_context *device)
{
    attn_reason why;
    gpu_device_info *info = &device->info;
    device->faults.armed = false;
    if (!info->unavailable[0] &&
        (gpu_context_open(device, &why) != ATTN_OK || gpu_probe_run(device, &why) != ATTN_OK))
        snprintf(info->unavailable, sizeof info->unavailable, "%.150s", why.text);
    if (info->unavailable[0])
        gpu_context_close(device);
    device->faults.armed = true;
}

static attn_status open_again(gpu_context *device, attn_reason *why)
{
    gpu_context *again = calloc(1, sizeof *again);
    if (!again)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to open the lost device again");
    again->info = device->info;
    again->limits = device->limits;
    again->physical = device->physical;
    again->queue_family = device->queue_family;
    again->memory = device->memory;
    again->subgroup = device->subgroup;
    again->robust = device->robust;
    again->staging = device->staging;
    again->faults = device->faults;
    gpu_context_start(again);
    device->again = again;
    return ATTN_OK;
}

attn_status gpu_context_usable(gpu_context *device, gpu_context **usable, attn_reason *why)
{
    *usable = device;
    if (!device->lost)
        return ATTN_OK;
    if (!device->again) {
        const attn_status status = open_again(device, why);
        if (status != ATTN_OK)
            return status;
    }
    gpu_context *again = *usable = device->again;
    const char *before = device->info.probe.verdict, *after = again->info.probe.verdict;
    if (again->info.unavailable[0])
        return attn_because(why, ATTN_DEVICE_LOST, "lost, and cannot be opened again: %s",
                            again->info.unavailable);
    if (again->lost)
        return attn_because(why, ATTN_DEVICE_LOST, "the device was lost twice");
    if (strcmp(before, after) != 0)
        return attn_because(why, ATTN_ERROR,
                            "opened again after its loss, the device meets other contracts: "
                            "\"%.70s\", before \"%.70s\"",
                            after, before);
    return ATTN_OK;
}
