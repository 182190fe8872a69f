/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files (NEP 1): "\x93NUMPY", format version, header length, a Python dict literal, data.
 * Reading is strict: every byte of the file is accounted for before memory is allocated.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attn/file.h"
#include "attn/tensor.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error ".npy data is read and written as little-endian: swap the words here first"
#endif

enum { MAX_RANK = 4, MAX_HEADER = 65536, PREAMBLE = 8, ALIGNMENT = 64 };

static const char magic[] = "\x93NUMPY";

/* The dict. Dimensions past MAX_RANK are counted, not kept; one over ATTN_MAX_LENGTH is kept as
 * UINT64_MAX. */
typedef struct header {
    char descr[16];
    char fortran_order[8];
    unsigned rank;
    uint64_t shape[MAX_RANK];
} header;

static void skip_space(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take(const char **at, char c)
{
    skip_space(at);
    if (**at != c)
        return false;
    ++*at;
    return true;
}

/* A quoted string without escapes that fits text[size]. */
static bool take_string(const char **at, char *text, size_t size)
{
    skip_space(at);
    const char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = *at + 1, *end = strchr(start, quote);
    if (!end || (size_t)(end - start) >= size || memchr(start, '\\', (size_t)(end - start)))
        return false;
    memcpy(text, start, (size_t)(end - start));
    text[end - start] = '\0';
    *at = end + 1;
    return true;
}

static bool take_word(const char **at, char *text, size_t size)
{
    skip_space(at);
    const size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (!length || length >= size)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length;
    return true;
}

static bool take_dimension(const char **at, uint64_t *value)
{
    skip_space(at);
    if (**at < '0' || **at > '9')
        return false;
    for (*value = 0; **at >= '0' && **at <= '9'; ++*at)
        *value = *value > ATTN_MAX_LENGTH ? UINT64_MAX : 10 * *value + (uint64_t)(**at - '0');
    return true;
}

/* (), (3,), (3, 4), (3, 4,) */
static bool take_shape(const char **at, header *h)
{
    if (!take(at, '('))
        return false;
    while (!take(at, ')')) {
        uint64_t value;
        if (!take_dimension(at, &value))
            return false;
        if (h->rank < MAX_RANK)
            h->shape[h->rank] = value;
        h->rank++;
        if (!take(at, ',')) /* a one-element tuple needs its comma, as in Python */
            return h->rank > 1 && take(at, ')');
    }
    return true;
}

static bool parse_dict(const char *text, size_t length, header *h)
{
    const char *at = text;
    bool descr = false, order = false, shape = false;

    if (!take(&at, '{'))
        return false;
    while (!take(&at, '}')) {
        char key[16];
        if (!take_string(&at, key, sizeof key) || !take(&at, ':'))
            return false;
        bool ok = false;
        if (strcmp(key, "descr") == 0 && !descr)
            ok = descr = take_string(&at, h->descr, sizeof h->descr);
        else if (strcmp(key, "fortran_order") == 0 && !order)
            ok = order = take_word(&at, h->fortran_order, sizeof h->fortran_order);
        else if (strcmp(key, "shape") == 0 && !shape)
            ok = shape = take_shape(&at, h);
        if (!ok)
            return false;
        if (!take(&at, ',')) {
            if (!take(&at, '}'))
                return false;
            break;
        }
    }
    skip_space(&at);
    return at == text + length && descr && order && shape;
}

static attn_status check_header(const header *h, const char *path, attn_array *a, attn_reason *why)
{
    if (h->descr[0] == '>')
        return attn_file_refuse(why, path, "big-endian data ('%s'): '<f4' or '<f2' wanted",
                                h->descr);
    if (strcmp(h->descr, "<f4") == 0)
        a->dtype = ATTN_F32;
    else if (strcmp(h->descr, "<f2") == 0)
        a->dtype = ATTN_F16;
    else
        return attn_file_refuse(why, path, "dtype '%s': '<f4' or '<f2' wanted", h->descr);
    if (strcmp(h->fortran_order, "True") == 0)
        return attn_file_refuse(why, path,
                                "Fortran order: C order wanted (numpy.ascontiguousarray)");
    if (strcmp(h->fortran_order, "False") != 0)
        return attn_file_refuse(why, path, "malformed header: fortran_order is '%s'",
                                h->fortran_order);
    if (h->rank < 2 || h->rank > MAX_RANK)
        return attn_file_refuse(why, path, "2 to 4 dimensions wanted, got %u", h->rank);
    a->rank = h->rank;
    for (unsigned i = 0; i < h->rank; i++) {
        a->shape[i] = h->shape[i];
        if (h->shape[i] < 1 || h->shape[i] > ATTN_MAX_LENGTH)
            return attn_file_refuse(why, path, "dimension %u of the shape: 1..%d wanted", i,
                                    ATTN_MAX_LENGTH);
    }
    return ATTN_OK;
}

/* Reads up to the first data byte, whose offset goes to *start. */
static attn_status read_header(FILE *file, const char *path, attn_array *a, uint64_t *start,
                               attn_reason *why)
{
    unsigned char bytes[PREAMBLE + 4] = {0};
    header h = {0};

    if (fread(bytes, 1, PREAMBLE, file) != PREAMBLE || memcmp(bytes, magic, sizeof magic - 1) != 0)
        return attn_file_refuse(why, path, "not a .npy file");
    const unsigned major = bytes[PREAMBLE - 2], minor = bytes[PREAMBLE - 1];
    if (major < 1 || major > 3 || minor != 0)
        return attn_file_refuse(why, path, ".npy format 1.0, 2.0 or 3.0 wanted, got %u.%u", major,
                                minor);
    const size_t digits = major == 1 ? 2 : 4;
    if (fread(bytes + PREAMBLE, 1, digits, file) != digits)
        return attn_file_refuse(why, path, "truncated in the header");
    const size_t length = bytes[PREAMBLE] | (size_t)bytes[PREAMBLE + 1] << 8 |
                          (size_t)bytes[PREAMBLE + 2] << 16 | (size_t)bytes[PREAMBLE + 3] << 24;
    if (length > MAX_HEADER)
        return attn_file_refuse(why, path, "a header of at most %d bytes wanted, got %zu",
                                MAX_HEADER, length);
    char *text = malloc(length + 1);
    if (!text)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a header");
    const bool whole = fread(text, 1, length, file) == length;
    text[length] = '\0';
    const bool parsed = whole && parse_dict(text, length, &h);
    free(text);
    if (!whole)
        return attn_file_refuse(why, path, "truncated in the header");
    if (!parsed)
        return attn_file_refuse(why, path, "malformed header: descr, fortran_order, shape wanted");
    *start = PREAMBLE + digits + length;
    return check_header(&h, path, a, why);
}

/* Bytes of an array; false when they overflow. */
static bool array_bytes(const uint64_t *shape, unsigned rank, size_t size, uint64_t *bytes)
{
    *bytes = size;
    for (unsigned i = 0; i < rank; i++) {
        if (shape[i] && *bytes > SIZE_MAX / shape[i])
            return false;
        *bytes *= shape[i];
    }
    return true;
}

static attn_status read_array(FILE *file, const char *path, attn_array *a, attn_reason *why)
{
    struct stat st;
    uint64_t start = 0, wanted;

    if (fstat(fileno(file), &st) != 0 || !S_ISREG(st.st_mode))
        return attn_file_refuse(why, path, "not a regular file");
    const attn_status status = read_header(file, path, a, &start, why);
    if (status != ATTN_OK)
        return status;
    if (!array_bytes(a->shape, a->rank, attn_dtype_size(a->dtype), &wanted))
        return attn_file_refuse(why, path, "the shape overflows the address space");
    const uint64_t there = (uint64_t)st.st_size - start;
    if (there < wanted)
        return attn_file_refuse(why, path, "truncated: %llu of %llu data bytes",
                                (unsigned long long)there, (unsigned long long)wanted);
    if (there > wanted)
        return attn_file_refuse(why, path, "%llu trailing bytes after %llu data bytes",
                                (unsigned long long)(there - wanted), (unsigned long long)wanted);
    a->data = attn_alloc((size_t)wanted);
    if (!a->data)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for %llu bytes",
                            (unsigned long long)wanted);
    if (fread(a->data, 1, (size_t)wanted, file) != wanted)
        return attn_file_refuse(why, path, "cannot read: %s",
                                ferror(file) ? strerror(errno) : "truncated");
    return ATTN_OK;
}

attn_status attn_npy_read(const char *path, attn_array *a, attn_reason *why)
{
    *a = (attn_array){0};
    /* O_NONBLOCK: a pipe must be refused, not waited for. */
    const int fd = open(path, O_RDONLY | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!file) {
        const int error = errno;
        if (fd >= 0)
            close(fd);
        return attn_file_refuse(why, path, "cannot open: %s", strerror(error));
    }
    const attn_status status = read_array(file, path, a, why);
    fclose(file);
    if (status != ATTN_OK)
        attn_array_free(a);
    return status;
}

void attn_array_free(attn_array *a)
{
    attn_free(a->data);
    *a = (attn_array){0};
}

/* The whole header of format 1.0, padded so that data start at a multiple of 64. */
static size_t make_header(unsigned rank, const uint64_t *shape, char text[4 * ALIGNMENT])
{
    const size_t room = 4 * ALIGNMENT, fixed = PREAMBLE + 2;
    size_t used = fixed;

    used += (size_t)snprintf(text + used, room - used,
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (");
    for (unsigned i = 0; i < rank; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%llu", i ? ", " : "",
                                 (unsigned long long)shape[i]);
    used += (size_t)snprintf(text + used, room - used, rank == 1 ? ",), }" : "), }");
    const size_t end = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(text + used, ' ', end - used);
    text[end - 1] = '\n';
    memcpy(text, magic, sizeof magic - 1);
    text[PREAMBLE - 2] = 1;
    text[PREAMBLE - 1] = 0;
    text[PREAMBLE] = (char)((end - fixed) & 0xff);
    text[PREAMBLE + 1] = (char)((end - fixed) >> 8);
    return end;
}

attn_status attn_npy_write(const char *path, const float *data, unsigned rank,
                           const uint64_t *shape, attn_reason *why)
{
    char text[4 * ALIGNMENT];
    uint64_t bytes;
    attn_file file;

    if (rank < 1 || rank > MAX_RANK || !array_bytes(shape, rank, sizeof *data, &bytes))
        return attn_file_refuse(why, path, "1 to 4 dimensions that fit the address space wanted");
    const attn_status status = attn_file_create(path, &file, why);
    if (status != ATTN_OK)
        return status;
    const size_t length = make_header(rank, shape, text);
    /* A short write leaves the stream's error set, which commit sees. */
    fwrite(text, 1, length, file.stream);
    fwrite(data, 1, bytes, file.stream);
    return attn_file_commit(&file, why);
}
