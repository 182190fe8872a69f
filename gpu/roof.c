/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/roof.h"

#include <math.h>

#include "attn/clock.h"
#include "gpu/start.h"

#define BUDGET_S   0.05 /* a dispatch takes no longer: far from what watchdogs end */
#define MOST_COUNT 32768

typedef struct roof_row {
    const char *name;
    attn_roof_kind kind;
    attn_contract contract;
    const char *module;
    uint32_t passes, pass;
    size_t context; /* roofs that share one share its buffers */
} roof_row;

static const roof_row rows[GPU_ROOFS] = {
    {"roof_m_vk", ATTN_ROOF_MAC, ATTN_CONTRACT_M, "roof_mac_m", 1, 0, 0},
    {"roof_f_vk", ATTN_ROOF_MAC, ATTN_CONTRACT_F, "roof_mac_f", 1, 0, 1},
    {"roof_x_vk", ATTN_ROOF_MAC, ATTN_CONTRACT_X, "roof_mac_x", 1, 0, 2},
    {"roof_read_vk", ATTN_ROOF_READ, ATTN_CONTRACT_NONE, "bandwidth_m", BANDWIDTH_PASSES,
     BANDWIDTH_READ, 3},
    {"roof_copy_vk", ATTN_ROOF_COPY, ATTN_CONTRACT_NONE, "bandwidth_m", BANDWIDTH_PASSES,
     BANDWIDTH_COPY, 3},
    {"roof_triad_vk", ATTN_ROOF_TRIAD, ATTN_CONTRACT_NONE, "bandwidth_m", BANDWIDTH_PASSES,
     BANDWIDTH_TRIAD, 3},
};

static attn_status open_count(gpu_roof *roof, const roof_row *row, uint32_t count, attn_reason *why)
{
    const gpu_roof_shape shape = gpu_roof_shape_of(roof->device, row->kind);
    const gpu_tool_size size = {.passes = row->passes,
                                .pass = row->pass,
                                .local = shape.local,
                                .groups = shape.groups,
                                .count = count};
    gpu_buffer *buffers[BIND_BUFFERS];
    for (uint32_t i = 0; i < BIND_BUFFERS; i++)
        buffers[i] = roof->buffers[i].handle ? &roof->buffers[i] : NULL;
    const attn_status status = gpu_tool_program(roof->device, row->module, &size, buffers,
                                                &roof->programs[row->pass], why);
    roof->counts[row->pass] = status == ATTN_OK ? count : 0;
    return status;
}

/* One dispatch. Learns the time of a loop iteration: the shortest, since others share the device,
 * and since a dispatch takes a while to start. */
static attn_status dispatch(gpu_roof *roof, uint32_t pass, double *device_s, attn_reason *why)
{
    const double start = clock_seconds();
    const attn_status status = gpu_program_run(&roof->programs[pass], device_s, why);
    const double wall_s = clock_seconds() - start;
    if (status != ATTN_OK)
        return status;
    const double seconds = (*device_s > 0 ? *device_s : wall_s) / roof->counts[pass];
    if (roof->count_s[pass] == 0 || seconds < roof->count_s[pass])
        roof->count_s[pass] = seconds;
    return ATTN_OK;
}

static attn_status open_first(gpu_roof *roof, const roof_row *row, attn_reason *why)
{
    attn_status status = ATTN_OK;
    double device_s;
    if (!roof->buffers[BIND_OUT].handle)
        status = gpu_roof_open_buffers(roof, row->kind, why);
    if (status == ATTN_OK)
        status = open_count(roof, row, 1, why);
    if (status == ATTN_OK)
        status = dispatch(roof, row->pass, &device_s, why);
    if (status != ATTN_OK)
        gpu_roof_close(roof);
    return status;
}

/* Moves what is open to the device that was opened again after a loss. */
static attn_status move(gpu_roof *roof, attn_reason *why)
{
    gpu_context *device;
    const attn_status status = gpu_context_usable(roof->named, &device, why);
    if (status == ATTN_OK && device != roof->device) {
        gpu_roof_close(roof);
        roof->device = device;
    }
    return status;
}

/* Loop iterations of a dispatch, where as few as the budget allows are to do `wanted` together. The
 * budget holds a power of two: it seldom changes as the shortest time does. */
static uint32_t count_for(const gpu_roof *roof, uint32_t pass, uint64_t wanted)
{
    const uint64_t loops = roof->device->limits.loops - 1; /* the trip that ends a loop is one */
    const double limit = loops < MOST_COUNT ? (double)loops : MOST_COUNT;
    const double budget = exp2(floor(log2(BUDGET_S / roof->count_s[pass])));
    const double most = fmax(fmin(budget, limit), 1), counts = fmax((double)wanted, 1);
    return (uint32_t)ceil(counts / ceil(counts / most));
}

static attn_status run(const attn_roof *self, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why)
{
    const roof_row *row = self->impl;
    gpu_roof *roof = self->context;
    const uint64_t work = gpu_roof_shape_of(roof->named, row->kind).work;
    (void)threads;
    *done = 0;
    timing->device_s = 0;
    attn_status status = move(roof, why);
    if (status == ATTN_OK && !roof->counts[row->pass])
        status = open_first(roof, row, why);
    if (status != ATTN_OK)
        return status;
    const uint32_t count = count_for(roof, row->pass, (wanted + work - 1) / work);
    if (count != roof->counts[row->pass])
        status = open_count(roof, row, count, why);
    while (status == ATTN_OK && *done < wanted) {
        double seconds;
        status = dispatch(roof, row->pass, &seconds, why);
        timing->device_s += seconds;
        *done += work * count;
    }
    return status;
}

static uint64_t host_bytes(const attn_roof *self, unsigned threads)
{
    const roof_row *row = self->impl;
    const gpu_roof *roof = self->context;
    (void)threads;
    if (!roof->device->info.software || roof->buffers[BIND_OUT].handle)
        return 0;
    return 2 * gpu_roof_shape_of(roof->device, row->kind).buffer_bytes;
}

static uint64_t cache_bytes(const attn_roof *self, unsigned threads)
{
    const gpu_roof *roof = self->context;
    (void)threads;
    return gpu_roof_caches(roof->device);
}

static void release(const attn_roof *self)
{
    gpu_roof_close(self->context);
}

attn_contract gpu_roof_contract(size_t index)
{
    return rows[index].contract;
}

attn_roof gpu_roof_make(gpu_context *device, size_t index, gpu_roof *contexts)
{
    const roof_row *row = &rows[index];
    gpu_roof *roof = &contexts[row->context];
    roof->named = roof->device = device;
    return (attn_roof){.name = row->name,
                       .kind = row->kind,
                       .level = attn_roof_moves(row->kind) ? ATTN_LEVEL_MEMORY : ATTN_LEVEL_NONE,
                       .contract = row->contract,
                       .device = device->info.selector,
                       .run = run,
                       .bytes = host_bytes,
                       .cache_bytes = attn_roof_moves(row->kind) ? cache_bytes : NULL,
                       .release = release,
                       .impl = row,
                       .context = roof};
}

void gpu_roof_close(gpu_roof *roof)
{
    for (uint32_t i = 0; i < BANDWIDTH_PASSES; i++) {
        gpu_program_close(&roof->programs[i]);
        roof->counts[i] = 0;
        roof->count_s[i] = 0;
    }
    for (uint32_t i = 0; i < BIND_BUFFERS; i++)
        gpu_buffer_close(roof->device, &roof->buffers[i]);
}
