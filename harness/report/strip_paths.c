/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/strip.h"

/* Output that grows no longer than it was made for. */
typedef struct output {
    char *text;
    size_t length;
} output;

static void put(output *o, const char *text, size_t length)
{
    memcpy(o->text + o->length, text, length);
    o->length += length;
    o->text[o->length] = '\0';
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) != 0 || (unsigned char)c >= 0x80;
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Is nothing before text[at] that a path could go on from? "GB/s" and "vk0/avx2_*" are no paths,
 * "-I/opt" holds one. */
static bool starts_word(const char *text, size_t at)
{
    size_t first = at;
    if (at == 0 || (!is_word(text[at - 1]) && strchr("_.*-?)]}%", text[at - 1]) == NULL))
        return true;
    while (first > 0 && is_letter(text[first - 1]))
        first--;
    return first > 0 && text[first - 1] == '-' && (first == 1 || text[first - 2] == ' ');
}

static bool names_home(const char *text)
{
    return strncmp(text, "/home/", 6) == 0 || strncmp(text, "/Users/", 7) == 0 ||
           strncmp(text, "/root/", 6) == 0;
}

static bool starts_path(const char *text, size_t at)
{
    const char *c = text + at;
    if (*c == '/' && (is_word(c[1]) || (c[1] != '\0' && strchr("/._~-*$@+", c[1]) != NULL)))
        return starts_word(text, at) || names_home(c);
    if (*c == '\\' && c[1] == '\\' && is_word(c[2]))
        return true;
    if (!starts_word(text, at))
        return false;
    if (*c == '~')
        return c[1 + strcspn(c + 1, " /'\"")] == '/';
    if (*c == '.')
        return strncmp(c, "./", 2) == 0 || strncmp(c, "../", 3) == 0;
    return is_letter(*c) && c[1] == ':' && is_separator(c[2]) && c[3] != '/';
}

/* Does the word after this blank go on with a directory's name that has blanks in it? */
static bool goes_on(const char *blank)
{
    const size_t word = strcspn(blank + 1, " \t\r\n\"'`,;:=|<>");
    const char *separator = memchr(blank + 1, '/', word);
    return *blank == ' ' && separator != NULL && separator != blank + 1;
}

/* Bytes of the path that starts here. */
static size_t path_length(const char *c, strip_kind kind)
{
    const bool drive = is_letter(c[0]) && c[1] == ':';
    size_t i = drive ? 2 : 1;
    for (; c[i] != '\0'; i++) {
        const bool list = (c[i] == ':' || c[i] == ';') &&
                          (c[i + 1] == '/' || c[i + 1] == '~' || c[i + 1] == '\0');
        if (kind == STRIP_VALUE && list)
            break;
        if (kind == STRIP_PROSE && strchr(" \t\r\n\"'`,;:=|<>", c[i]) != NULL && !goes_on(c + i))
            break;
    }
    return i;
}

/* Places that a system has on any machine: they tell nobody's name. What is below /dev/shm does. */
static bool is_system(const char *path, size_t length)
{
    static const char *const roots[] = {"/sys",       "/proc", "/dev",     "/usr/lib", "/usr/lib64",
                                        "/usr/share", "/etc",  "/usr/bin", "/lib",     "/lib64"};
    bool system = false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !system; i++) {
        const size_t root = strlen(roots[i]);
        system = length >= root && strncmp(path, roots[i], root) == 0 &&
                 (length == root || path[root] == '/');
    }
    return system && strncmp(path, "/dev/shm", 8) != 0;
}

/* Does the path lead elsewhere from where it starts: by "..", or as /proc/7/root/home/jane does? */
static bool leads_away(const char *path, size_t length)
{
    bool away = false;
    for (size_t i = 1; i < length && !away; i++)
        away = path[i] == '/' && (strncmp(path + i, "/..", 3) == 0 || names_home(path + i));
    return away;
}

/* Bytes of a path that stays as it is; 0: it does not. A blank ends it, since what follows may be
 * anything. */
static size_t kept_length(const char *path, size_t length, strip_kind kind)
{
    const size_t word = strcspn(path, " \t\r\n");
    if (word < length && kind != STRIP_PROSE)
        return 0;
    const size_t kept = word < length ? word : length;
    return is_system(path, kept) && !leads_away(path, kept) ? kept : 0;
}

/* The last part of a path. */
static void put_last(output *o, const char *path, size_t length)
{
    while (length > 1 && is_separator(path[length - 1]))
        length--;
    size_t first = length;
    while (first > 0 && !is_separator(path[first - 1]))
        first--;
    const size_t size = length - first;
    const bool upwards = size > 0 && size <= 2 && strncmp(path + first, "..", size) == 0;
    if (size == 0 || upwards || path[first] == '~')
        put(o, STRIP_WITHHELD, strlen(STRIP_WITHHELD));
    else
        put(o, path + first, size);
}

/* Where the value of "--option=value" starts; 0 where the text is a value. */
static size_t value_start(const char *text)
{
    const char *equals = text[0] == '-' ? strchr(text, '=') : NULL;
    return equals != NULL ? (size_t)(equals + 1 - text) : 0;
}

/* Does a path start here? A value that has a separator at all may be one. */
static bool path_here(const char *text, size_t at, size_t first, strip_kind kind)
{
    const bool whole = kind == STRIP_PATH && at == first && text[at] != '\0';
    return at >= first && (whole || starts_path(text, at));
}

static char *without_paths(const char *text, strip_kind kind)
{
    const size_t length = strlen(text), first = kind == STRIP_PROSE ? 0 : value_start(text);
    output o = {malloc((length + 1) * sizeof STRIP_WITHHELD), 0};
    if (o.text == NULL)
        return NULL;
    o.text[0] = '\0';
    for (size_t i = 0; i < length;) {
        if (!path_here(text, i, first, kind)) {
            put(&o, text + i++, 1);
            continue;
        }
        const size_t path = path_length(text + i, kind);
        const size_t kept = kept_length(text + i, path, kind);
        if (kept > 0)
            put(&o, text + i, kept);
        else
            put_last(&o, text + i, path);
        i += kept > 0 ? kept : path;
    }
    return o.text;
}

static bool in_address(char c)
{
    return is_word(c) || (c != '\0' && strchr("._+-", c) != NULL);
}

/* "CPU@2.30GHz" is no address. */
static bool is_frequency(const char *host)
{
    const char *unit = host + strspn(host, "0123456789.");
    return unit != host && (strncmp(unit, "GHz", 3) == 0 || strncmp(unit, "MHz", 3) == 0);
}

static char *without_addresses(const char *text)
{
    output o = {malloc((strlen(text) + 1) * sizeof STRIP_WITHHELD), 0};
    if (o.text == NULL)
        return NULL;
    o.text[0] = '\0';
    for (const char *c = text; *c != '\0';) {
        const bool address =
            *c == '@' && c > text && in_address(c[-1]) && is_word(c[1]) && !is_frequency(c + 1);
        if (!address) {
            put(&o, c++, 1);
            continue;
        }
        while (o.length > 0 && in_address(o.text[o.length - 1]))
            o.length--;
        put(&o, STRIP_WITHHELD, strlen(STRIP_WITHHELD));
        for (c++; in_address(*c);)
            c++;
    }
    return o.text;
}

char *strip_paths(const char *text, strip_kind kind)
{
    char *inner = without_paths(text, kind);
    char *out = inner != NULL ? without_addresses(inner) : NULL;
    free(inner);
    return out;
}
