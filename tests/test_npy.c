/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files written byte by byte: what is read, what is refused, what is left behind.
 */
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attn/tensor.h"

/* numpy.save of a (2, 3) float32 array, up to its data: 128 bytes. */
static const char numpy_header[] =
    "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    "                                                          \n";
enum { HEADER_SIZE = sizeof numpy_header - 1 };
static const float six[6] = {0.5f, -1.0f, 2.0f, 3e38f, -0.0f, 1e-40f};

static char directory[] = "npy-test-XXXXXX";
static char path[sizeof directory + 16];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/a.npy", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static int files_in_directory(void)
{
    DIR *dir = opendir(directory);
    int count = 0;

    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void write_bytes(const void *head, size_t head_size, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, head_size, file), head_size);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A file with the dict as its header, unpadded, and `size` zero bytes of data. */
static void write_dict(unsigned major, const char *dict, size_t size)
{
    static const char zeros[4096];
    char head[512] = "\x93NUMPY";
    const size_t length = strlen(dict), start = major == 1 ? 10 : 12;

    head[6] = (char)major;
    head[8] = (char)(length & 0xff);
    head[9] = (char)(length >> 8);
    memcpy(head + start, dict, length);
    write_bytes(head, start + length, zeros, size);
}

static void refused(const char *reason)
{
    attn_array a;
    attn_reason why = {""};

    if (attn_npy_read(path, &a, &why) != ATTN_ERROR)
        fail_msg("accepted, '%s' wanted", reason);
    if (strncmp(why.text, path, strlen(path)) != 0 || !strstr(why.text, reason))
        fail_msg("'%s', '%s' wanted", why.text, reason);
    assert_null(a.data);
}

static void what_numpy_writes_is_read(void **state)
{
    (void)state;
    attn_array a;

    assert_int_equal(HEADER_SIZE, 128);
    write_bytes(numpy_header, HEADER_SIZE, six, sizeof six);
    assert_int_equal(attn_npy_read(path, &a, NULL), ATTN_OK);
    assert_int_equal(a.dtype, ATTN_F32);
    assert_int_equal(a.rank, 2);
    assert_int_equal(a.shape[0], 2);
    assert_int_equal(a.shape[1], 3);
    assert_memory_equal(a.data, six, sizeof six);
    attn_array_free(&a);
    assert_null(a.data);
}

static void writing_gives_the_bytes_of_numpy(void **state)
{
    (void)state;
    const uint64_t shape[] = {2, 3};
    char bytes[HEADER_SIZE + sizeof six + 1];

    assert_int_equal(attn_npy_write(path, six, 2, shape, NULL), ATTN_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes - 1);
    fclose(file);
    assert_memory_equal(bytes, numpy_header, HEADER_SIZE);
    assert_memory_equal(bytes + HEADER_SIZE, six, sizeof six);
    assert_int_equal(files_in_directory(), 1);
}

static void arrays_of_every_rank_come_back(void **state)
{
    (void)state;
    const uint64_t shapes[][4] = {{2, 3}, {1, 2, 3}, {3, 1, 2, 1}};

    for (unsigned i = 0; i < 3; i++) {
        attn_array a;
        assert_int_equal(attn_npy_write(path, six, i + 2, shapes[i], NULL), ATTN_OK);
        assert_int_equal(attn_npy_read(path, &a, NULL), ATTN_OK);
        assert_int_equal(a.rank, i + 2);
        assert_memory_equal(a.shape, shapes[i], sizeof shapes[i]);
        assert_memory_equal(a.data, six, sizeof six);
        attn_array_free(&a);
    }
}

static void every_spelling_of_the_header_is_read(void **state)
{
    (void)state;
    static const struct {
        unsigned major;
        const char *dict;
        attn_dtype dtype;
    } cases[] = {
        {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 6), }\n", ATTN_F16},
        {2, "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 6), }\n", ATTN_F16},
        {3, "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 6), }   \n", ATTN_F16},
        {1, "{'shape':(4,3,),'fortran_order':False,'descr':'<f4'}", ATTN_F32},
        {1, "{ \"fortran_order\" : False ,\n \"descr\":\"<f4\", 'shape' : ( 1 , 2,2,3 ) , } ",
         ATTN_F32},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_array a;
        attn_reason why = {""};
        write_dict(cases[i].major, cases[i].dict, 48);
        if (attn_npy_read(path, &a, &why) != ATTN_OK)
            fail_msg("%s: %s", cases[i].dict, why.text);
        assert_int_equal(a.dtype, cases[i].dtype);
        attn_array_free(&a);
    }
}

#define C_ORDER "'fortran_order': False, "
static const struct {
    const char *dict, *reason;
} refusals[] = {
    {"{'descr': '>f4', " C_ORDER "'shape': (4, 3), }", "big-endian"},
    {"{'descr': '>f2', " C_ORDER "'shape': (4, 3), }", "big-endian"},
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (4, 3), }", "Fortran order"},
    {"{'descr': '<f8', " C_ORDER "'shape': (2, 3), }", "'<f8': '<f4' or '<f2' wanted"},
    {"{'descr': '=f4', " C_ORDER "'shape': (4, 3), }", "'=f4'"},
    {"{'descr': '|u1', " C_ORDER "'shape': (4, 12), }", "'|u1'"},
    {"{'descr': 'f4', " C_ORDER "'shape': (4, 3), }", "'f4'"},
    {"{'descr': [('x', '<f4')], " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (), }", "2 to 4 dimensions wanted, got 0"},
    {"{'descr': '<f4', " C_ORDER "'shape': (12,), }", "2 to 4 dimensions wanted, got 1"},
    {"{'descr': '<f4', " C_ORDER "'shape': (1, 1, 1, 4, 3), }", "got 5"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 0), }", "dimension 1 of the shape: 1.."},
    {"{'descr': '<f4', " C_ORDER "'shape': (16777217, 3), }", "1..16777216 wanted"},
    {"{'descr': '<f4', " C_ORDER "'shape': (18446744073709551617, 12), }", "1..16777216"},
    {"{'descr': '<f4', " C_ORDER "'shape': (16777216, 16777216, 16777216), }", "overflows"},
    {"{'descr': '<f4', " C_ORDER "'shape': (16777216, 16777216, 4096), }", "truncated: 48 of"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 4), }", "truncated: 48 of 64 data bytes"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 2), }", "16 trailing bytes after 32 data"},
    {"{'descr': '<f4', 'fortran_order': Nope, 'shape': (4, 3), }", "fortran_order is 'Nope'"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', 'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "}", "malformed header"},
    {"{" C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', 'descr': '<f4', " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', 'extra': '', " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, -3), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 3, }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4 3), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (12), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (, 12), }", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 3), } x", "malformed header"},
    {"{'descr': '<f4', " C_ORDER "'shape': (4, 3),", "malformed header"},
    {"{'descr': '<f4' " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4, " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<\\x664', " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"{'descr': '<f4444444444444444444', " C_ORDER "'shape': (4, 3), }", "malformed header"},
    {"", "malformed header"},
};

static void other_arrays_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        write_dict(1, refusals[i].dict, 48);
        refused(refusals[i].reason);
    }
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    char bytes[HEADER_SIZE + sizeof six];

    memcpy(bytes, numpy_header, HEADER_SIZE);
    memcpy(bytes + HEADER_SIZE, six, sizeof six);
    for (size_t size = 0; size < sizeof bytes; size++) {
        write_bytes(bytes, size, "", 0);
        refused(size < 8 ? "not a .npy file" : "truncated");
    }
    write_bytes(bytes, sizeof bytes, "x", 1);
    refused("1 trailing bytes after 24 data bytes");
    bytes[1] = 'n';
    write_bytes(bytes, sizeof bytes, "", 0);
    refused("not a .npy file");
    bytes[1] = 'N';
    bytes[6] = 4;
    write_bytes(bytes, sizeof bytes, "", 0);
    refused("got 4.0");
    bytes[6] = 1;
    bytes[7] = 1;
    write_bytes(bytes, sizeof bytes, "", 0);
    refused("got 1.1");
    bytes[7] = 0;
    bytes[6] = 2; /* now the length has four digits, two of them text */
    write_bytes(bytes, sizeof bytes, "", 0);
    refused("a header of at most");
    bytes[6] = 1;
    bytes[20] = '\0';
    write_bytes(bytes, sizeof bytes, "", 0);
    refused("malformed header");
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    attn_array a;
    attn_reason why;

    unlink(path);
    refused("cannot open: ");
    assert_int_equal(attn_npy_read(directory, &a, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "not a regular file"));
    assert_int_equal(attn_npy_read("/dev/zero", &a, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "not a regular file"));
}

static void a_long_name_leaves_room_for_the_reason(void **state)
{
    (void)state;
    char name[1000];
    attn_array a;
    attn_reason why;

    memset(name, 'x', sizeof name - 1);
    memcpy(name + 995, "\ntal", 5);
    assert_int_equal(attn_npy_read(name, &a, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "x?tal: cannot open: "));
}

static void unwritable_leaves_nothing(void **state)
{
    (void)state;
    const uint64_t shape[] = {2, 3}, huge[] = {UINT64_MAX, 3};
    char name[sizeof path + 8];
    attn_reason why;

    unlink(path);
    assert_int_equal(attn_npy_write(path, six, 2, huge, &why), ATTN_ERROR);
    snprintf(name, sizeof name, "%s/no/a.npy", directory);
    assert_int_equal(attn_npy_write(name, six, 2, shape, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "cannot write: No such file"));
    assert_int_equal(files_in_directory(), 0);

    /* A directory in the way: the rename fails, after everything was written. */
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(attn_npy_write(path, six, 2, shape, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "cannot write: "));
    assert_int_equal(files_in_directory(), 1);
    assert_int_equal(rmdir(path), 0);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    const uint64_t shape[] = {2, 3}, larger[] = {64, 64};
    static const float zeros[64 * 64];
    struct rlimit limit, small;
    attn_array a;
    attn_reason why;

    assert_int_equal(attn_npy_write(path, six, 2, shape, &why), ATTN_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const attn_status status = attn_npy_write(path, zeros, 2, larger, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, ATTN_ERROR);
    assert_non_null(strstr(why.text, "cannot write: File too large"));
    assert_int_equal(files_in_directory(), 1);
    assert_int_equal(attn_npy_read(path, &a, NULL), ATTN_OK);
    assert_memory_equal(a.data, six, sizeof six);
    attn_array_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_numpy_writes_is_read),
        cmocka_unit_test(writing_gives_the_bytes_of_numpy),
        cmocka_unit_test(arrays_of_every_rank_come_back),
        cmocka_unit_test(every_spelling_of_the_header_is_read),
        cmocka_unit_test(other_arrays_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(a_long_name_leaves_room_for_the_reason),
        cmocka_unit_test(unwritable_leaves_nothing),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
    };

    return cmocka_run_group_tests_name("npy", tests, make_directory, remove_directory);
}
