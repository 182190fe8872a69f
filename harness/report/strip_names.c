/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose names are to be taken out, and that.
 */
#include <ctype.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "harness/report/strip.h"

/* Names that many have. "stripped" is our own word. */
static const char *const common[] = {
    "root",   "user",  "users",       "home",   "admin",   "administrator", "debian",   "ubuntu",
    "fedora", "pi",    "localhost",   "runner", "default", "guest",         "nobody",   "public",
    "docker", "local", "localdomain", "linux",  "build",   "builder",       "stripped", "shared",
};

static bool tells_nothing(const char *name)
{
    bool nothing = strlen(name) < 2 || name[strspn(name, "0123456789.:-")] == '\0';
    for (size_t i = 0; i < sizeof common / sizeof *common && !nothing; i++)
        nothing = strcasecmp(name, common[i]) == 0;
    return nothing;
}

void strip_add_name(strip *s, const char *name)
{
    if (name == NULL || tells_nothing(name))
        return;
    for (size_t i = 0; i < s->name_count; i++)
        if (strcasecmp(s->names[i], name) == 0)
            return;
    char **names = realloc(s->names, (s->name_count + 1) * sizeof *names);
    char *copy = strdup(name);
    s->names = names != NULL ? names : s->names;
    if (names == NULL || copy == NULL) {
        free(copy);
        s->exhausted = true;
        return;
    }
    size_t at = s->name_count++;
    for (; at > 0 && strlen(s->names[at - 1]) < strlen(copy); at--)
        s->names[at] = s->names[at - 1];
    s->names[at] = copy;
}

/* A host's name, and what is before its first dot. */
static void add_host(strip *s, const char *host)
{
    char label[256];
    if (host == NULL)
        return;
    strip_add_name(s, host);
    snprintf(label, sizeof label, "%.*s", (int)strcspn(host, "."), host);
    strip_add_name(s, label);
}

static void add_last_part(strip *s, const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL)
        strip_add_name(s, slash + 1);
}

void strip_add_own_names(strip *s)
{
    char host[256];
    const struct passwd *own = getpwuid(getuid());
    if (own != NULL) {
        strip_add_name(s, own->pw_name);
        add_last_part(s, own->pw_dir);
    }
    strip_add_name(s, getenv("USER"));
    strip_add_name(s, getenv("LOGNAME"));
    strip_add_name(s, getenv("SUDO_USER"));
    add_last_part(s, getenv("HOME"));
    if (gethostname(host, sizeof host) == 0) {
        host[sizeof host - 1] = '\0';
        add_host(s, host);
    }
}

/* Every home directory in a text. */
static void learn_homes(strip *s, const char *text)
{
    static const char *const above[] = {"/home/", "/Users/", "\\Users\\", "/scratch/"};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        for (const char *c = text; (c = strstr(c, above[i])) != NULL;) {
            char name[128] = "";
            c += strlen(above[i]);
            const size_t length = strcspn(c, "/\\\"'`,;:=|<>()");
            if (length < sizeof name)
                strncat(name, c, length);
            strip_add_name(s, c[length] == '/' || c[length] == '\\' ? name : NULL);
            name[strcspn(name, " \t")] = '\0';
            strip_add_name(s, name);
        }
}

static void learn_value(strip *s, const json_t *value)
{
    const char *name;
    json_t *inner;
    if (json_is_string(value))
        learn_homes(s, json_string_value(value));
    for (size_t i = 0; i < json_array_size(value); i++)
        learn_value(s, json_array_get(value, i));
    json_object_foreach((json_t *)value, name, inner)
    {
        learn_value(s, inner);
    }
}

void strip_learn(strip *s, const json_t *line)
{
    static const char *const accounts[] = {"SLURM_JOB_USER", "SLURM_JOB_ACCOUNT",
                                           "SLURM_CLUSTER_NAME", "SLURM_JOB_NAME"};
    static const char *const hosts[] = {"SLURM_SUBMIT_HOST", "SLURMD_NODENAME",
                                        "SLURM_JOB_NODELIST", "SLURM_LAUNCH_NODE_IPADDR"};
    const json_t *environment = json_object_get(line, "environment");
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++)
        strip_add_name(s, json_string_value(json_object_get(environment, accounts[i])));
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        add_host(s, json_string_value(json_object_get(environment, hosts[i])));
    if (json_array_size(json_object_get(line, "shaders")) > 0)
        s->own_kernels = true;
    learn_value(s, line);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) != 0;
}

/* Bytes of the name that stands here as a word of its own; 0: none does. */
static size_t name_here(const strip *s, const char *text, size_t at)
{
    if (at > 0 && in_word(text[at - 1]))
        return 0;
    for (size_t i = 0; i < s->name_count; i++) {
        const size_t length = strlen(s->names[i]);
        if (strncasecmp(text + at, s->names[i], length) == 0 && !in_word(text[at + length]))
            return length;
    }
    return 0;
}

char *strip_names(const strip *s, const char *text)
{
    const size_t length = strlen(text), withheld = strlen(STRIP_WITHHELD);
    char *out = malloc((length + 1) * sizeof STRIP_WITHHELD), *end = out;
    for (size_t i = 0; out != NULL && i < length;) {
        const size_t name = name_here(s, text, i);
        memcpy(end, name > 0 ? STRIP_WITHHELD : text + i, name > 0 ? withheld : 1);
        end += name > 0 ? withheld : 1;
        i += name > 0 ? name : 1;
    }
    if (out != NULL)
        *end = '\0';
    return out;
}
