/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/own_shaders.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "harness/json_value.h"
#include "harness/shell.h"

#define MOST_LOG_LINES 20
#define MOST_DEFINE    200 /* characters */

bool own_shaders_take(own_shaders *own, int val, const char *argument, bool *taken)
{
    *taken = val == OWN_SHADERS_FILE || val == OWN_SHADERS_DEFINE;
    if (!*taken)
        return true;
    return cli_list_add(val == OWN_SHADERS_FILE ? &own->files : &own->defines, argument);
}

/* As the shading language has them; gl_ and two underscores belong to the language. */
static bool is_identifier(const char *text, size_t length)
{
    bool good = length > 0 && !isdigit((unsigned char)text[0]) && strncmp(text, "gl_", 3) != 0 &&
                strncmp(text, "GL_", 3) != 0;
    for (size_t i = 0; good && i < length; i++)
        good = (isalnum((unsigned char)text[i]) || text[i] == '_') &&
               !(i > 0 && text[i] == '_' && text[i - 1] == '_');
    return good;
}

static bool is_line(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            return false;
    return strlen(text) <= MOST_DEFINE;
}

static bool same_name(const char *a, const char *b)
{
    const size_t length = strcspn(a, "=");
    return length == strcspn(b, "=") && memcmp(a, b, length) == 0;
}

static int check_defines(const own_shaders *own)
{
    char *const *items = own->defines.items;
    for (size_t i = 0; i < own->defines.count; i++) {
        if (!is_line(items[i]) || !is_identifier(items[i], strcspn(items[i], "=")))
            return cli_usage("--define %zu of %zu: want NAME or NAME=VALUE, a name of the shading "
                             "language, at most %d printable characters",
                             i + 1, own->defines.count, MOST_DEFINE);
        if (same_name(items[i], "CONTRACT_F") || same_name(items[i], "CONTRACT_X") ||
            same_name(items[i], "VULKAN") || same_name(items[i], "defined"))
            return cli_usage("--define %s: this name is taken", items[i]);
        for (size_t j = 0; j < i; j++)
            if (same_name(items[i], items[j]))
                return cli_usage("--define %s: defined before, as %s", items[i], items[j]);
    }
    return -1;
}

/* A kernel's name must say which kernel is meant. */
static int check_name(const own_shaders *own, const gpu_own_shader *shader, const char *file)
{
    size_t cpu_count;
    const attn_kernel *cpu = cpu_kernels(&cpu_count);
    const char *const name = shader->rows[0].kernel;
    bool taken = false;
    for (size_t i = 0; i < shader->note.contract_count; i++) {
        const char *own_name = shader->rows[i].kernel;
        for (size_t k = 0; k < cpu_count; k++)
            taken = taken || strcmp(cpu[k].name, own_name) == 0;
        for (size_t k = 0; k < gpu_row_count; k++)
            taken = taken || strcmp(gpu_rows[k].kernel, own_name) == 0;
        for (size_t k = 0; k < own->row_count; k++)
            taken = taken || strcmp(own->rows[k]->kernel, own_name) == 0;
    }
    return taken
               ? cli_usage("--shader %s: there is a kernel %s already: give the file another name",
                           file, name)
               : -1;
}

/* Messages are the user's text in part: no escapes for the terminal. */
static void print_log(char *log)
{
    unsigned lines = 0;
    for (char *c = log; *c; c++)
        if (*c != '\n' && ((unsigned char)*c < ' ' || *c == 0x7f))
            *c = '?';
    for (char *line = strtok(log, "\n"); line && lines <= MOST_LOG_LINES;
         line = strtok(NULL, "\n"), lines++)
        fprintf(stderr, "attnmark: %s\n", lines < MOST_LOG_LINES ? line : "...");
}

static int open_one(own_shaders *own, const char *file)
{
    gpu_own_shader *shader = &own->shaders[own->count];
    attn_reason why;
    char *log;
    const attn_status status = gpu_own_open(file, (const char *const *)own->defines.items,
                                            own->defines.count, shader, &log, &why);
    if (log)
        print_log(log);
    free(log);
    if (status != ATTN_OK)
        return cli_usage("--shader %s", why.text);
    own->count++;
    const int taken = check_name(own, shader, file);
    for (size_t i = 0; taken < 0 && i < shader->note.contract_count; i++)
        own->rows[own->row_count++] = &shader->rows[i];
    return taken;
}

int own_shaders_open(own_shaders *own, cli_list *kernels)
{
    const size_t files = own->files.count;
    int status = check_defines(own);
    if (status < 0 && files == 0 && own->defines.count > 0)
        status = cli_usage("--define goes with --shader");
    if (status >= 0 || files == 0)
        return status;
    own->shaders = calloc(files, sizeof *own->shaders);
    own->rows = calloc(files * GPU_NOTE_CONTRACTS, sizeof *own->rows);
    if (!own->shaders || !own->rows)
        return cli_usage("out of memory");
    for (size_t i = 0; i < files && status < 0; i++)
        status = open_one(own, own->files.items[i]);
    const bool alone = kernels->count == 0;
    for (size_t i = 0; alone && status < 0 && i < own->row_count; i++)
        if (!cli_list_add(kernels, own->rows[i]->kernel))
            status = cli_usage("out of memory");
    return status;
}

void own_shaders_close(own_shaders *own)
{
    for (size_t i = 0; i < own->count; i++)
        gpu_own_close(&own->shaders[i]);
    free(own->shaders);
    free(own->rows);
    cli_list_free(&own->files);
    cli_list_free(&own->defines);
    *own = (own_shaders){.shaders = NULL};
}

gpu_options own_shaders_options(const own_shaders *own, const gpu_tuning *tuning)
{
    return (gpu_options){own->rows, own->row_count, tuning};
}

static void print_option(FILE *to, const char *option, const char *value)
{
    char *const word = shell_word(value);
    fprintf(to, " %s %s", option, word ? word : "?");
    free(word);
}

void own_shaders_print(FILE *to, const own_shaders *own)
{
    for (size_t i = 0; i < own->files.count; i++)
        print_option(to, "--shader", own->files.items[i]);
    for (size_t i = 0; i < own->defines.count; i++)
        print_option(to, "--define", own->defines.items[i]);
}

static json_t *shader_json(const own_shaders *own, size_t index)
{
    const gpu_own_shader *shader = &own->shaders[index];
    const gpu_note *note = &shader->note;
    json_t *o = json_object(), *defines = json_array(), *spirv = json_object();
    for (size_t i = 0; i < own->defines.count; i++)
        json_array_append_new(defines, json_value_text(own->defines.items[i]));
    for (size_t i = 0; i < note->contract_count; i++) {
        const shader_module *code = &shader->code[i];
        json_object_set_new(spirv, code->name,
                            json_value_text(attn_digest_bytes(code->words, code->bytes).hex));
    }
    json_object_set_new(o, "file", json_value_text(own->files.items[index]));
    json_object_set_new(o, "defines", defines);
    json_object_set_new(o, "plan", json_value_text(note->kind->name));
    json_object_set_new(o, "local_x", json_value_count(note->local_x));
    json_object_set_new(o, "local_y", json_value_count(note->local_y));
    json_object_set_new(o, "rows", json_value_count(note->rows));
    json_object_set_new(o, "story", json_value_text(note->story));
    json_object_set_new(o, "spirv_digests", spirv);
    return o;
}

json_t *own_shaders_json(const own_shaders *own)
{
    json_t *list = json_array();
    for (size_t i = 0; i < own->count; i++)
        json_array_append_new(list, shader_json(own, i));
    return list;
}
