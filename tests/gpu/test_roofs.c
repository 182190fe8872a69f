/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of a device: they do the work that they report, in loops as short as the driver wants
 * them, on memory that is theirs until they are released.
 */
#include "device_test.h"

#include <math.h>
#include <stdlib.h>

#include "gpu/set.h"

/* Small buffers: the tests look at every byte. */
#define LIMITS "range=1048576,loops=50"
#define BYTES  UINT64_C(1048576)

static int open_small(void **state)
{
    setenv("ATTNMARK_GPU_LIMITS", LIMITS, 1);
    return device_test_setup(state);
}

static uint64_t work_of(const attn_roof *roof, uint64_t wanted)
{
    uint64_t done;
    attn_timing timing;
    attn_reason why;
    if (roof->run(roof, 0, wanted, &done, &timing, &why) != ATTN_OK)
        fail_msg("%s on %s: %s", roof->name, roof->device, why.text);
    assert_true(done >= wanted);
    assert_true(isnan(timing.device_s) || timing.device_s >= 0);
    return done;
}

static void the_work_wanted_is_done(void **state)
{
    (void)state;
    size_t count;
    const attn_roof *roofs = gpu_roofs(device_test_set, &count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const gpu_roof *roof = roofs[i].context;
        for (uint64_t wanted = 1; wanted < 1000000000; wanted *= 31623) {
            work_of(&roofs[i], wanted);
            for (int pass = 0; pass < BANDWIDTH_PASSES; pass++)
                assert_true(roof->counts[pass] < roof->device->limits.loops);
        }
    }
}

/* The roof of a kind on each device, one after another; NULL after the last. */
static const attn_roof *next_roof(attn_roof_kind kind, size_t *index)
{
    size_t count;
    const attn_roof *roofs = gpu_roofs(device_test_set, &count);
    while (*index < count && roofs[*index].kind != kind)
        ++*index;
    return *index < count ? &roofs[(*index)++] : NULL;
}

static void every_device_has_roofs_of_memory(void **state)
{
    (void)state;
    size_t usable = 0;
    for (size_t i = 0; i < gpu_device_count(device_test_set); i++)
        usable += !gpu_device(device_test_set, i)->unavailable[0] &&
                  gpu_device(device_test_set, i)->probe.m;
    for (int kind = ATTN_ROOF_READ; kind <= ATTN_ROOF_TRIAD; kind++) {
        size_t roofs = 0, index = 0;
        for (const attn_roof *roof; (roof = next_roof((attn_roof_kind)kind, &index)) != NULL;) {
            assert_int_equal(roof->level, ATTN_LEVEL_MEMORY);
            roofs++;
        }
        assert_int_equal(roofs, usable);
    }
}

static void transfer(gpu_roof *roof, uint32_t binding, void *bytes, bool write)
{
    gpu_buffer *buffer = &roof->buffers[binding];
    attn_reason why;
    assert_int_equal(buffer->bytes, BYTES);
    const attn_status status = write ? gpu_buffer_write(roof->device, buffer, 0, bytes, BYTES, &why)
                                     : gpu_buffer_read(roof->device, buffer, 0, bytes, BYTES, &why);
    if (status != ATTN_OK)
        fail_msg("%s", why.text);
}

static void every_byte_is_copied(void **state)
{
    (void)state;
    static uint32_t from[BYTES / 4], to[BYTES / 4];
    size_t index = 0;
    for (const attn_roof *roof; (roof = next_roof(ATTN_ROOF_COPY, &index)) != NULL;) {
        work_of(roof, 1); /* opens the buffers */
        for (uint32_t i = 0; i < BYTES / 4; i++) {
            from[i] = i * 2654435761u;
            to[i] = 0;
        }
        transfer(roof->context, BIND_K, from, true);
        transfer(roof->context, BIND_V, to, true);
        work_of(roof, 2 * BYTES);
        transfer(roof->context, BIND_V, to, false);
        assert_memory_equal(from, to, BYTES);
        roof->release(roof);
    }
}

/* Small whole numbers, so that no rounding and no fusing shows. */
static void every_float_is_a_triad(void **state)
{
    (void)state;
    static float from[BYTES / 4], to[BYTES / 4];
    size_t index = 0;
    for (const attn_roof *roof; (roof = next_roof(ATTN_ROOF_TRIAD, &index)) != NULL;) {
        const gpu_roof *context = roof->context;
        const gpu_roof_shape shape = gpu_roof_shape_of(context->named, ATTN_ROOF_TRIAD);
        const uint32_t half = BYTES / 4 / shape.groups / 2; /* of a part */
        work_of(roof, 1);
        for (uint32_t i = 0; i < BYTES / 4; i++) {
            from[i] = (float)(i % 4093);
            to[i] = -1.0f;
        }
        transfer(roof->context, BIND_K, from, true);
        transfer(roof->context, BIND_V, to, true);
        work_of(roof, 3 * BYTES);
        transfer(roof->context, BIND_V, to, false);
        for (uint32_t i = 0; i < BYTES / 4; i++)
            if (to[i] != from[i] + (float)BANDWIDTH_FACTOR * from[i ^ half])
                fail_msg("%s: float %u is %g", roof->device, i, to[i]);
        roof->release(roof);
    }
}

/* What was read is known by the one value that the shader answers to. */
static bool reads_place(const attn_roof *roof, uint32_t binding, uint32_t place)
{
    static uint32_t words[BYTES / 4];
    static const uint32_t sign[4] = {1, 2, 3, 4};
    gpu_roof *context = roof->context;
    uint32_t answer = 0;
    attn_reason why;
    memset(words, 0, sizeof words);
    transfer(context, BIND_K, words, true);
    transfer(context, BIND_V, words, true);
    memcpy(words + 4 * (size_t)place, sign, sizeof sign);
    transfer(context, binding, words, true);
    assert_int_equal(
        gpu_buffer_write(context->device, &context->buffers[BIND_OUT], 0, &answer, 4, &why),
        ATTN_OK);
    work_of(roof, 2 * BYTES);
    assert_int_equal(
        gpu_buffer_read(context->device, &context->buffers[BIND_OUT], 0, &answer, 4, &why),
        ATTN_OK);
    return answer == 1;
}

static void every_place_is_read(void **state)
{
    (void)state;
    const uint32_t last = BYTES / 16 - 1;
    size_t index = 0;
    for (const attn_roof *roof; (roof = next_roof(ATTN_ROOF_READ, &index)) != NULL;) {
        work_of(roof, 1);
        uint64_t random = 1;
        for (int i = 0; i < 20; i++) {
            const uint32_t place = i == 0 ? 0 : i == 1 ? last : next_random(&random) % last;
            for (uint32_t binding = BIND_K; binding <= BIND_V; binding++)
                if (!reads_place(roof, binding, place))
                    fail_msg("%s: place %u of binding %u was not read", roof->device, place,
                             binding);
        }
        roof->release(roof);
    }
}

/* A device that runs on the CPU takes host memory, once for both roofs, and gives it back. */
static void memory_is_shared_and_released(void **state)
{
    (void)state;
    size_t index = 0, other = 0;
    for (const attn_roof *read; (read = next_roof(ATTN_ROOF_READ, &index)) != NULL;) {
        const attn_roof *copy = next_roof(ATTN_ROOF_COPY, &other);
        const gpu_roof *context = read->context;
        const uint64_t bytes = context->device->info.software ? 2 * BYTES : 0;
        for (int round = 0; round < 2; round++) {
            assert_true(read->bytes(read, 0) == bytes && copy->bytes(copy, 0) == bytes);
            work_of(read, 1);
            assert_true(read->bytes(read, 0) == 0 && copy->bytes(copy, 0) == 0);
            work_of(copy, 1);
            read->release(read);
            copy->release(copy);
        }
        assert_true(read->cache_bytes(read, 0) > 0 || context->device->info.software);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_wanted_is_done),
        cmocka_unit_test(every_device_has_roofs_of_memory),
        cmocka_unit_test(every_byte_is_copied),
        cmocka_unit_test(every_float_is_a_triad),
        cmocka_unit_test(every_place_is_read),
        cmocka_unit_test(memory_is_shared_and_released),
    };
    return cmocka_run_group_tests(tests, open_small, device_test_teardown);
}
