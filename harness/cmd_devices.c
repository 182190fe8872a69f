/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark devices: the CPU and every Vulkan device, with the limits that kernels obey and the
 * verdict of the start-up probe.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cpu/cpu.h"
#include "harness/cli.h"
#include "harness/header.h"
#include "harness/registry.h"

static const char *fma_text(const gpu_probe *probe)
{
    if (probe->shader_fma)
        return probe->fused ? "VK_KHR_shader_fma" : "VK_KHR_shader_fma, but split";
    return probe->fused ? "GLSL.std.450 Fma, fused" : "GLSL.std.450 Fma, split";
}

static void print_device(const gpu_device_info *d, const gpu_tuning *tuning)
{
    char text[TUNING_TEXT];
    printf("%s: %s (%s%s)\n", d->selector, d->name, d->type,
           d->software ? ", software: runs on the CPU" : "");
    printf("  driver        %s\n  Vulkan        %s\n  UUID          %s\n", d->driver,
           d->api_version, d->uuid);
    if (d->duplicate_of[0])
        printf("  duplicate     the same device as %s, by another driver\n", d->duplicate_of);
    if (d->unavailable[0]) {
        printf("  unavailable   %s\n", d->unavailable);
        return;
    }
    printf("  limits        shared memory %u bytes, %u invocations, subgroup %u, buffers of %llu "
           "bytes\n",
           d->max_shared_bytes, d->max_invocations, d->subgroup_size,
           (unsigned long long)d->max_buffer_range);
    if (d->timestamp_bits)
        printf("  timestamps    %u bits of %g ns\n", d->timestamp_bits, d->timestamp_period_ns);
    else
        printf("  timestamps    none: the host clock is used\n");
    printf("  fma()         %s\n", fma_text(&d->probe));
    printf("  contracts     %s\n", d->probe.verdict);
    printf("  tuning        %s\n", tuning_text(tuning, d, text));
}

static int print_text(const gpu_set *gpu, const gpu_tuning *tuning)
{
    printf("cpu: %s\n  instructions  %s\n  threads       %u\n", cpu_model(), cpu_isa(),
           cpu_default_threads());
    for (size_t i = 0; i < gpu_device_count(gpu); i++)
        print_device(gpu_device(gpu, i), tuning);
    if (gpu_unavailable(gpu))
        printf("vk: unavailable: %s\n", gpu_unavailable(gpu));
    return EXIT_OK;
}

static int print_json(const gpu_set *gpu, const gpu_tuning *tuning)
{
    json_t *devices = json_array();
    for (size_t i = 0; i < gpu_device_count(gpu); i++)
        json_array_append_new(devices, header_device_json(gpu_device(gpu, i), tuning));
    json_t *all =
        json_pack("{s:{s:o, s:o, s:i}, s:o, s:o}", "cpu", "model", json_value_text(cpu_model()),
                  "isa", json_value_text(cpu_isa()), "threads", (int)cpu_default_threads(),
                  "vulkan", devices, "vulkan_unavailable", json_value_text(gpu_unavailable(gpu)));
    char *line = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    if (line)
        puts(line);
    free(line);
    json_decref(all);
    return line ? EXIT_OK : cli_usage("out of memory");
}

int cmd_devices(int argc, const char **argv)
{
    int json = 0;
    const struct poptOption options[] = {
        {"json", 0, POPT_ARG_NONE, &json, 0, "as one JSON object", NULL},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "[--json]", NULL, NULL);
    if (status >= 0)
        return status;
    registry r;
    gpu_tuning tuning;
    attn_reason why;
    status = tuning_open(&tuning);
    if (status >= 0)
        return status;
    if (registry_open(&r, NULL, NULL, &why) != ATTN_OK)
        status = cli_usage("%s", why.text);
    else
        status =
            registry_finish(&r, json ? print_json(r.gpu, &tuning) : print_text(r.gpu, &tuning));
    tuning_free(&tuning);
    return status;
}
