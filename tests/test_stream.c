/* SPDX-License-Identifier: Apache-2.0
 *
 * Bandwidth per level on the CPU: the loops move what they say, the sets fit their caches, and a
 * roof counts what its loop did.
 */
#include "unit.h"

#include <stdatomic.h>

#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/roof.h"
#include "cpu_config.h"

static const struct {
    cpu_isa_id isa;
    cpu_stream_loop *loop;
} loops[] = {
#if CPU_BUILT_avx512
    {CPU_ISA_avx512, avx512_stream},
#endif
#if CPU_BUILT_avx2
    {CPU_ISA_avx2, avx2_stream},
#endif
#if CPU_BUILT_neon
    {CPU_ISA_neon, neon_stream},
#endif
    {CPU_ISA_scalar, scalar_stream},
};

enum { LOOPS = sizeof loops / sizeof loops[0], FLOATS = 3 * STREAM_STEP };

static float *guarded(attn_guarded *memory)
{
    assert_int_equal(attn_guarded_alloc(FLOATS * sizeof(float), memory, NULL), ATTN_OK);
    return memory->data;
}

/* Small whole numbers, so that nothing is rounded. */
static void a_loop_leaves_the_right_values(void **state)
{
    (void)state;
    attn_guarded memory[3];
    float *a = guarded(&memory[0]), *b = guarded(&memory[1]), *c = guarded(&memory[2]);
    for (size_t i = 0; i < FLOATS; i++) {
        b[i] = (float)(i + 1);
        c[i] = (float)(7 * i % 1009);
    }
    for (size_t l = 0; l < LOOPS; l++) {
        if (cpu_isa_unavailable(loops[l].isa))
            continue;
        for (size_t passes = 1; passes <= 3; passes++) {
            memset(a, 0xff, FLOATS * sizeof *a);
            loops[l].loop(ATTN_ROOF_COPY, a, b, NULL, FLOATS, passes);
            assert_memory_equal(a, b, FLOATS * sizeof *a);
            memset(a, 0xff, FLOATS * sizeof *a);
            loops[l].loop(ATTN_ROOF_TRIAD, a, b, c, FLOATS, passes);
            for (size_t i = 0; i < FLOATS; i++)
                if (a[i] != b[i] + STREAM_FACTOR * c[i])
                    fail_msg("loop %zu: float %zu is %g", l, i, a[i]);
            const float sum = loops[l].loop(ATTN_ROOF_READ, NULL, b, NULL, FLOATS, passes);
            assert_true(sum == (float)(passes * FLOATS * (FLOATS + 1) / 2));
        }
    }
    for (int i = 0; i < 3; i++)
        attn_guarded_free(&memory[i]);
}

/* A single one in every place: no float is read twice or left out. */
static void every_float_is_read_once_in_a_pass(void **state)
{
    (void)state;
    attn_guarded memory;
    float *b = guarded(&memory);
    memset(b, 0, FLOATS * sizeof *b);
    for (size_t l = 0; l < LOOPS; l++)
        for (size_t i = 0; i < FLOATS && !cpu_isa_unavailable(loops[l].isa); i++) {
            b[i] = 1.0f;
            assert_true(loops[l].loop(ATTN_ROOF_READ, NULL, b, NULL, FLOATS, 2) == 2.0f);
            b[i] = 0.0f;
        }
    attn_guarded_free(&memory);
}

#define KIB UINT64_C(1024)

static void sets_fit_their_caches(void **state)
{
    (void)state;
    static const struct {
        attn_cache caches[ATTN_CACHE_LEVELS];
        unsigned level, threads;
        uint64_t least, most; /* of one thread's set; most 0: there is none */
    } cases[] = {
        /* Private L1 and L2, an L3 for eight. */
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 1, 8, 16 * KIB, 24 * KIB},
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 2, 8, 96 * KIB, 512 * KIB},
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 3, 1, 2048 * KIB, 8192 * KIB},
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 3, 4, 2040 * KIB, 2048 * KIB},
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 3, 8, 2040 * KIB, 2048 * KIB},
        /* More threads than share the cache: as many caches. */
        {{{48 * KIB, 1}, {1024 * KIB, 1}, {32768 * KIB, 8}}, 3, 64, 2040 * KIB, 2048 * KIB},
        /* Two threads of a core share what one has alone. */
        {{{32 * KIB, 2}, {512 * KIB, 2}, {0, 1}}, 1, 1, 14 * KIB, 16 * KIB},
        {{{32 * KIB, 2}, {512 * KIB, 2}, {0, 1}}, 1, 2, 6 * KIB, 8 * KIB},
        /* None, unknown, or hardly more than the level below. */
        {{{32 * KIB, 2}, {512 * KIB, 2}, {0, 1}}, 3, 1, 0, 0},
        {{{0, 1}, {0, 1}, {0, 1}}, 1, 1, 0, 0},
        {{{32 * KIB, 1}, {2048 * KIB, 1}, {20480 * KIB, 16}}, 3, 16, 0, 0},
        {{{64 * KIB, 1}, {128 * KIB, 1}, {0, 1}}, 2, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int kind = ATTN_ROOF_READ; kind <= ATTN_ROOF_TRIAD; kind++) {
            const uint64_t arrays = (uint64_t)(kind - ATTN_ROOF_READ) + 1;
            size_t floats;
            attn_reason why = {""};
            const attn_status status =
                cpu_stream_floats(cases[i].caches, (attn_roof_kind)kind, cases[i].level,
                                  cases[i].threads, &floats, &why);
            assert_int_equal(status, cases[i].most ? ATTN_OK : ATTN_UNAVAILABLE);
            assert_true((status == ATTN_OK) == (why.text[0] == '\0'));
            if (status != ATTN_OK)
                continue;
            const uint64_t bytes = floats * sizeof(float) * arrays;
            /* An odd number of steps: two steps less of each array at the most. */
            if (bytes > cases[i].most ||
                bytes + 2 * arrays * STREAM_STEP * sizeof(float) < cases[i].least)
                fail_msg("case %zu, kind %d: %llu bytes", i, kind, (unsigned long long)bytes);
            assert_int_equal(floats / STREAM_STEP % 2, 1);
        }
}

/* Nothing may be known of a cache; what is known is no smaller than the level below. */
static void the_system_describes_its_caches(void **state)
{
    (void)state;
    uint64_t below = 0;
    for (unsigned level = 1; level <= ATTN_CACHE_LEVELS; level++) {
        const attn_cache cache = attn_cache_level(level);
        assert_true(cache.cpus >= 1);
        assert_true(cache.bytes == 0 || cache.bytes >= below);
        below = cache.bytes > below ? cache.bytes : below;
    }
    if (attn_cache_level(ATTN_CACHE_LEVELS).bytes > 0)
        assert_true(attn_cache_bytes(1) >= attn_cache_level(ATTN_CACHE_LEVELS).bytes);
}

static atomic_uint_fast64_t moved, faults;

/* In place of a real loop: counts the bytes that it was told to move. */
static float count_bytes(attn_roof_kind kind, float *a, const float *b, const float *c,
                         size_t floats, size_t passes)
{
    const uint64_t arrays = kind == ATTN_ROOF_READ ? 1 : kind == ATTN_ROOF_COPY ? 2 : 3;
    const bool given = (a != NULL) == (arrays >= 2) && b && (c != NULL) == (arrays == 3);
    const bool apart = (arrays < 2 || a + floats <= b) && (arrays < 3 || b + floats <= c);
    atomic_fetch_add(&faults, !given || !apart); /* no assertion outside the test's thread */
    atomic_fetch_add(&moved, arrays * floats * passes * sizeof(float));
    return 0.0f;
}

static void a_roof_counts_what_was_moved(void **state)
{
    (void)state;
    static cpu_stream_loop *const counting = count_bytes;
    size_t count;
    const attn_roof *roofs = cpu_roofs(&count);
    for (size_t i = 0; i < count; i++) {
        if (roofs[i].run != cpu_roof_stream_run)
            continue;
        attn_roof roof = roofs[i];
        roof.impl = &counting;
        for (unsigned threads = 1; threads <= 2; threads++)
            for (uint64_t wanted = 1; wanted < UINT64_C(20000000000); wanted *= 1009) {
                uint64_t done = 0;
                attn_timing timing;
                attn_reason why = {""};
                atomic_store(&moved, 0);
                if (roof.run(&roof, threads, wanted, &done, &timing, &why) != ATTN_OK)
                    break; /* no such cache here */
                assert_true(done == atomic_load(&moved) && atomic_load(&faults) == 0);
                /* OpenMP may give one thread where two were asked for. */
                assert_true(done >= wanted / threads);
                assert_true(roof.bytes(&roof, threads) == 0 || threads == 2);
            }
    }
    for (size_t i = 0; i < count; i++)
        if (roofs[i].release)
            roofs[i].release(&roofs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_leaves_the_right_values),
        cmocka_unit_test(every_float_is_read_once_in_a_pass),
        cmocka_unit_test(sets_fit_their_caches),
        cmocka_unit_test(the_system_describes_its_caches),
        cmocka_unit_test(a_roof_counts_what_was_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
