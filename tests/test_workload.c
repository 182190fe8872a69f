/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of workloads, its errors, limits and counts.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>

#include "attn/workload.h"

static void defaults_follow_what_is_given(void **state)
{
    (void)state;
    char text[ATTN_WORKLOAD_TEXT];
    static const struct {
        const char *given, *canonical;
    } cases[] = {
        {"", "b=1,h=8,hk=8,n=1024,m=1024,d=64,dv=64,dtype=f32,mask=full,scale=0.125,split=0"},
        {"h=6,hk=2,n=1,m=8",
         "b=1,h=6,hk=2,n=1,m=8,d=64,dv=64,dtype=f32,mask=full,scale=0.125,split=0"},
        {"n=37,h=3,d=16",
         "b=1,h=3,hk=3,n=37,m=37,d=16,dv=16,dtype=f32,mask=full,scale=0.25,split=0"},
        {"split=128,mask=window:5,dtype=bf16,scale=-2e-3,dv=7,d=1,b=2,h=1,n=0009",
         "b=2,h=1,hk=1,n=9,m=9,d=1,dv=7,dtype=bf16,mask=window:5,scale=-0.002,split=128"},
        {"mask=len:0:9,b=2,n=9,h=1,scale=-0",
         "b=2,h=1,hk=1,n=9,m=9,d=64,dv=64,dtype=f32,mask=len:0:9,scale=0,split=0"},
        {"dtype=f16,mask=causal-tl,n=2,h=1,scale=+1.",
         "b=1,h=1,hk=1,n=2,m=2,d=64,dv=64,dtype=f16,mask=causal-tl,scale=1,split=0"},
        {"mask=chunk:16777216,n=2,h=1,scale=.5E+1",
         "b=1,h=1,hk=1,n=2,m=2,d=64,dv=64,dtype=f32,mask=chunk:16777216,scale=5,split=0"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const attn_workload w = parse_workload(cases[i].given);
        assert_string_equal(attn_workload_format(&w, text), cases[i].canonical);
    }
}

static void sweeps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t n[8];
    } cases[] = {
        {"n=256..4096", {256, 512, 1024, 2048, 4096}},
        {"n=256..4095", {256, 512, 1024, 2048}},
        {"n=7..7", {7}},
        {"n=16777216", {16777216}},
        {"n=8388608..16777216,h=1,d=1", {8388608, 16777216}},
        {"n=256:300:512", {256, 300, 512}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_workload list[ATTN_MAX_SWEEP];
        size_t count = 0;
        assert_int_equal(attn_workload_parse(cases[i].text, list, &count, NULL), ATTN_OK);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(list[k].n, cases[i].n[k]);
            assert_int_equal(list[k].m, cases[i].n[k]);
        }
        assert_int_equal(cases[i].n[count], 0);
    }
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count = 0;
    assert_int_equal(attn_workload_parse("n=1..4,m=9", list, &count, NULL), ATTN_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[2].n, 4);
    assert_int_equal(list[2].m, 9);
    assert_int_equal(attn_workload_parse("m=64..300,n=3", list, &count, NULL), ATTN_OK);
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(list[k].n, 3);
        assert_int_equal(list[k].m, 64u << k);
    }
    assert_int_equal(attn_workload_parse("m=5:7", list, &count, NULL), ATTN_OK);
    assert_int_equal(count, 2);
    assert_int_equal(list[1].n, 1024);
    assert_int_equal(list[1].m, 7);
}

#define LENGTH "1..16777216"

static const struct {
    const char *text, *key, *range;
} errors[] = {
    {"n=4294967297", "n: ", LENGTH},
    {"n=18446744073709551617", "n: ", LENGTH},
    {"n=-1", "n: ", LENGTH},
    {"n=+1", "n: ", LENGTH},
    {"n=1e6", "n: ", LENGTH},
    {"n=0x10", "n: ", LENGTH},
    {"n= 1", "n: ", LENGTH},
    {"n=1 ", "n: ", LENGTH},
    {"n=0", "n: ", LENGTH},
    {"n=", "n: ", LENGTH},
    {"n=512..256", "n: ", LENGTH},
    {"n=256..", "n: ", LENGTH},
    {"n=..256", "n: ", LENGTH},
    {"n=1..2..4", "n: ", LENGTH},
    {"n=1...4", "n: ", LENGTH},
    {"n=0..4", "n: ", LENGTH},
    {"n=1..16777217", "n: ", LENGTH},
    {"n=1:", "n: ", LENGTH},
    {"n=:1", "n: ", LENGTH},
    {"n=1::2", "n: ", LENGTH},
    {"n=2:2", "n: ", "rising list"},
    {"n=512:256", "n: ", "rising list"},
    {"m=16777217", "m: ", LENGTH},
    {"m=4..1", "m: ", LENGTH},
    {"m=4:4", "m: ", "rising list"},
    {"n=1,m=0..4", "m: ", LENGTH},
    {"m=1..4,n=1..4", "m: ", "where n sweeps"},
    {"mask=len:3,n=1,m=2..4", "mask: ", "0..m=2"},
    {"d=0", "d: ", "1..1024"},
    {"d=1025", "d: ", "1..1024"},
    {"dv=0", "dv: ", "1..1024"},
    {"b=0", "b: ", "1..65536"},
    {"b=65537", "b: ", "1..65536"},
    {"h=0", "h: ", "1..65536"},
    {"hk=0", "hk: ", "1..65536"},
    {"h=4,hk=3", "hk: ", "divisor of h=4 in 1..65536"},
    {"h=2,hk=4", "hk: ", "divisor of h=2"},
    {"split=63", "split: ", "multiple of 64"},
    {"split=96", "split: ", "multiple of 64"},
    {"split=16777280", "split: ", "multiple of 64 up to 16777216"},
    {"split=-64", "split: ", "multiple of 64"},
    {"dtype=f64", "dtype: ", "f32, f16 or bf16"},
    {"dtype=", "dtype: ", "f32, f16 or bf16"},
    {"mask=none", "mask: ", "full, causal, causal-tl, window:W"},
    {"mask=full:1", "mask: ", "full, causal"},
    {"mask=causal:", "mask: ", "full, causal"},
    {"mask=window", "mask: ", LENGTH},
    {"mask=window:0", "mask: ", LENGTH},
    {"mask=window:16777217", "mask: ", LENGTH},
    {"mask=chunk:", "mask: ", LENGTH},
    {"mask=chunk:4:4", "mask: ", LENGTH},
    {"mask=len", "mask: ", "0..m"},
    {"mask=len:", "mask: ", "0..m"},
    {"mask=len:1:", "mask: ", "0..m"},
    {"mask=len:9,n=8", "mask: ", "0..m=8"},
    {"mask=len:1:2,b=3", "mask: ", "1 or b=3 entries"},
    {"mask=len:1:2", "mask: ", "1 or b=1 entries"},
    {"scale=nan", "scale: ", "finite decimal number"},
    {"scale=inf", "scale: ", "finite decimal number"},
    {"scale=-inf", "scale: ", "finite decimal number"},
    {"scale=0x1p3", "scale: ", "finite decimal number"},
    {"scale=1e39", "scale: ", "2.35e38"},
    {"scale=1e999", "scale: ", "finite decimal number"},
    {"scale=0,5", "key=value", "'5'"},
    {"scale=1.5x", "scale: ", "finite decimal number"},
    {"scale=.", "scale: ", "finite decimal number"},
    {"scale=1e", "scale: ", "finite decimal number"},
    {"scale=e5", "scale: ", "finite decimal number"},
    {"scale=--1", "scale: ", "finite decimal number"},
    {"scale= 1", "scale: ", "finite decimal number"},
    {"scale=", "scale: ", "finite decimal number"},
    {"n=1,n=2", "n: ", "twice"},
    {"scale=1,scale=1", "scale: ", "twice"},
    {"heads=8", "unknown key 'heads'", "b, h, hk, n, m, d, dv, dtype, mask, scale or split"},
    {"N=8", "unknown key 'N'", "b, h, hk"},
    {" n=8", "unknown key ' n'", "b, h, hk"},
    {"=8", "unknown key ''", "b, h, hk"},
    {"n", "key=value", "'n'"},
    {"n=8,", "key=value", "''"},
    {",n=8", "key=value", "''"},
    {"n=8;d=4\n", "n: ", LENGTH},
    {"b=65536,h=65536,n=16777216,d=1024", "b, h, n, m, d, dv: ", "2^62 bytes"},
    {"b=65536,h=65536,n=1,m=16777216,d=1024", "b, h, n, m, d, dv: ", "2^62 bytes"},
    {"b=65536,h=65536,n=16384,d=1", "b, h, n, m, d, dv: ", "2^62 FLOPs"},
};

static void errors_name_the_key_and_its_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        attn_workload list[ATTN_MAX_SWEEP];
        attn_reason why = {""};
        size_t count = 99;
        if (attn_workload_parse(errors[i].text, list, &count, &why) != ATTN_ERROR)
            fail_msg("'%s' was accepted", errors[i].text);
        assert_int_equal(count, 0);
        if (strncmp(why.text, errors[i].key, strlen(errors[i].key)) != 0 ||
            !strstr(why.text, errors[i].range) || strchr(why.text, '\n'))
            fail_msg("'%s' gave: %s", errors[i].text, why.text);
    }
}

static void append_sizes(char *text, size_t size, int count)
{
    size_t used = (size_t)snprintf(text, size, "n=1");

    for (int i = 2; i <= count; i++)
        used += (size_t)snprintf(text + used, size - used, ":%d", i);
}

static void texts_over_the_limits(void **state)
{
    (void)state;
    attn_workload list[ATTN_MAX_SWEEP];
    attn_reason why;
    size_t count;
    char text[4096];

    append_sizes(text, sizeof text, ATTN_MAX_SWEEP);
    assert_int_equal(attn_workload_parse(text, list, &count, &why), ATTN_OK);
    assert_int_equal(count, ATTN_MAX_SWEEP);
    append_sizes(text, sizeof text, ATTN_MAX_SWEEP + 1);
    assert_int_equal(attn_workload_parse(text, list, &count, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "up to 64 sizes"));

    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(attn_workload_parse(text, list, &count, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "at most 2047 characters"));
    memcpy(text, "scale=0.", 8);
    text[200] = '\0';
    assert_int_equal(attn_workload_parse(text, list, &count, &why), ATTN_ERROR);
    assert_memory_equal(why.text, "scale: ", 7);
}

static void check_round_trip(const attn_workload *w)
{
    char text[ATTN_WORKLOAD_TEXT], again[ATTN_WORKLOAD_TEXT];

    attn_workload_format(w, text);
    const attn_workload read = parse_workload(text);
    assert_string_equal(attn_workload_format(&read, again), text);
    assert_true(read.scale == w->scale);
    assert_int_equal(read.n, w->n);
    assert_int_equal(read.lens, w->lens);
    assert_memory_equal(read.len, w->len, sizeof w->len);
}

static void canonical_texts_read_back_equal(void **state)
{
    (void)state;
    static const double scales[] = {0.0,    1.0 / 3.0, 0.1,         -0.1,       1e-300, 5e-324,
                                    2.3e38, -2.35e38,  1.0 + 1e-15, 16777216.0, 1e22,   123456.789};
    attn_workload w = attn_workload_default(129, 80);

    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        w.scale = scales[i];
        check_round_trip(&w);
    }
    for (uint32_t d = 1; d <= 256; d++) {
        w = attn_workload_default(16777216, d);
        w.h = w.hk = 1;
        check_round_trip(&w);
    }
    w = attn_workload_default(16777216, 1);
    w.h = w.hk = 1;
    w.b = w.lens = ATTN_MAX_LENS;
    w.mask = ATTN_MASK_LEN;
    for (uint32_t s = 0; s < w.lens; s++)
        w.len[s] = ATTN_MAX_LENGTH - s;
    check_round_trip(&w);
}

static void workloads_are_the_same_when_their_texts_are(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "n=8",
        "n=8,m=16",
        "n=8,h=4,hk=2",
        "n=8,b=2",
        "n=8,d=32",
        "n=8,dv=32",
        "n=8,split=64",
        "n=8,scale=0",
        "n=8,scale=-0",
        "n=8,scale=0.1",
        "n=8,dtype=f16",
        "n=8,mask=causal",
        "n=8,mask=window:4",
        "n=8,mask=window:5",
        "n=8,mask=chunk:4",
        "n=8,mask=len:4",
        "n=8,mask=len:5",
        "n=8,b=2,mask=len:4:5",
        "n=8,b=2,mask=len:4:6",
        "n=8,h=8,d=64,mask=full,scale=0.125",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t k = 0; k < TEXTS; k++) {
            char text[ATTN_WORKLOAD_TEXT], other[ATTN_WORKLOAD_TEXT];
            const attn_workload a = parse_workload(texts[i]), b = parse_workload(texts[k]);
            const bool same =
                strcmp(attn_workload_format(&a, text), attn_workload_format(&b, other)) == 0;
            if (attn_workload_same(&a, &b) != same)
                fail_msg("'%s', '%s': not as their texts", texts[i], texts[k]);
        }
}

static void the_scale_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    char text[ATTN_WORKLOAD_TEXT];
    attn_workload w = attn_workload_default(8, 128);

    assert_non_null(strstr(attn_workload_format(&w, text), "scale=0.08838834764831843,"));
    w.scale = 0.1;
    assert_non_null(strstr(attn_workload_format(&w, text), "scale=0.1,"));
}

static void workloads_built_in_code_are_checked(void **state)
{
    (void)state;
    attn_reason why;
    attn_workload w = attn_workload_default(8, 4);

    assert_int_equal(attn_workload_check(&w, &why), ATTN_OK);
    w.scale = NAN;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    w.scale = 1e300;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    w = attn_workload_default(8, 4);
    w.hk = 0;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    assert_string_equal(why.text, "hk: 1..65536 wanted, got 0");
    w = attn_workload_default(8, 4);
    w.mask = ATTN_MASK_LEN;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    w.mask = ATTN_MASK_CHUNK;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    w.mask = (attn_mask_kind)99;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
    w = attn_workload_default(8, 4);
    w.dtype = (attn_dtype)3;
    assert_int_equal(attn_workload_check(&w, &why), ATTN_ERROR);
}

static void counts(void **state)
{
    (void)state;
    attn_workload w = parse_workload("b=2,h=6,hk=2,n=5,m=7,d=3,dv=4,dtype=f16");

    assert_int_equal(attn_q_elements(&w), 2 * 6 * 5 * 3);
    assert_int_equal(attn_k_elements(&w), 2 * 2 * 7 * 3);
    assert_int_equal(attn_v_elements(&w), 2 * 2 * 7 * 4);
    assert_int_equal(attn_out_elements(&w), 2 * 6 * 5 * 4);
    assert_int_equal(attn_bytes(&w), 2 * (180 + 84 + 112) + 4 * 240);
    assert_int_equal(attn_pairs(&w), 2 * 6 * 5 * 7);
    assert_int_equal(attn_flops(&w), 2 * 420 * 7);
    assert_int_equal(attn_flops_dense(&w), 2 * 420 * 7);

    w = parse_workload("h=1,n=1024,mask=causal");
    assert_int_equal(attn_pairs(&w), 524800);
    assert_int_equal(attn_flops(&w), 2 * UINT64_C(524800) * 128);
    assert_int_equal(attn_flops_dense(&w), 2 * UINT64_C(1048576) * 128);
    w = parse_workload("h=1,n=1,m=8,d=64,mask=causal");
    assert_int_equal(attn_flops(&w), 2048);
    w = parse_workload("h=1,n=4096,d=32");
    assert_int_equal(attn_flops(&w), UINT64_C(2147483648));
    w = parse_workload("h=1,n=4096,d=64");
    assert_int_equal(attn_flops(&w), UINT64_C(4294967296));
    w = parse_workload("h=1,n=46341,d=1");
    assert_int_equal(attn_pairs(&w), UINT64_C(2147488281));
    w = parse_workload("h=1,n=65536,d=1");
    assert_int_equal(attn_pairs(&w), UINT64_C(4294967296));
    w = parse_workload("h=12,n=65536,d=64,b=3");
    assert_int_equal(attn_flops(&w), UINT64_C(39582418599936));
    assert_int_equal(attn_bytes(&w), UINT64_C(2415919104));
}

/* A key that no query sees need not be read. */
static void bytes_count_what_is_seen(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t keys; /* of all sequences */
    } cases[] = {
        {"n=4,m=100", 100},
        {"n=4,m=100,mask=causal", 100},
        {"n=100,m=4,mask=causal", 4},
        {"n=4,m=100,mask=causal-tl", 4},
        {"n=1,m=100,mask=window:7", 7},
        {"n=3,m=100,mask=window:7", 9},
        {"n=1,m=100,mask=chunk:64", 36},
        {"n=40,m=100,mask=chunk:64", 100},
        {"n=1,m=100,b=3,mask=len:5", 15},
        {"n=1,m=100,b=3,mask=len:0:10:100", 110},
        {"n=1,m=100,mask=len:0", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_workload w = parse_workload(cases[i].text);
        w.h = 6;
        w.hk = 2;
        w.d = 3;
        w.dv = 5;
        w.dtype = ATTN_BF16;
        assert_int_equal(attn_bytes(&w), 2 * (attn_q_elements(&w) + 2 * cases[i].keys * 8) +
                                             4 * attn_out_elements(&w));
    }
}

static void s2_is_rounded_once(void **state)
{
    (void)state;
    attn_workload w = attn_workload_default(8, 64);

    assert_int_equal(attn_bits_of(attn_workload_s2(&w)), 0x3e38aa3b); /* log2(e) / 8 */
    w.scale = 0.0;
    assert_int_equal(attn_bits_of(attn_workload_s2(&w)), 0);
    w.scale = 2.35e38;
    assert_true(isfinite(attn_workload_s2(&w)));
}

static void names_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(attn_dtype_name(ATTN_F32), "f32");
    assert_string_equal(attn_dtype_name(ATTN_F16), "f16");
    assert_string_equal(attn_dtype_name(ATTN_BF16), "bf16");
    assert_int_equal(attn_dtype_size(ATTN_F32), 4);
    assert_int_equal(attn_dtype_size(ATTN_F16), 2);
    assert_int_equal(attn_dtype_size(ATTN_BF16), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_follow_what_is_given),
        cmocka_unit_test(sweeps),
        cmocka_unit_test(errors_name_the_key_and_its_range),
        cmocka_unit_test(texts_over_the_limits),
        cmocka_unit_test(canonical_texts_read_back_equal),
        cmocka_unit_test(workloads_are_the_same_when_their_texts_are),
        cmocka_unit_test(the_scale_is_the_shortest_that_reads_back),
        cmocka_unit_test(workloads_built_in_code_are_checked),
        cmocka_unit_test(counts),
        cmocka_unit_test(bytes_count_what_is_seen),
        cmocka_unit_test(s2_is_rounded_once),
        cmocka_unit_test(names_and_sizes),
    };

    return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
