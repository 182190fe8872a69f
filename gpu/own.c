/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/own.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/file.h"
#include "gpu/compile.h"
#include "gpu/reflect.h"
#include "gpu/text_file.h"

static attn_status read_name(const char *file, char *name, attn_reason *why)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const size_t length = strcspn(base, ".");
    bool good = length > 0 && length <= GPU_OWN_NAME;
    for (size_t i = 0; good && i < length; i++)
        good = isalnum((unsigned char)base[i]) || base[i] == '_';
    if (!good)
        return attn_file_refuse(why, file,
                                "its name up to the dot names its kernels: want 1 to %d letters, "
                                "digits and _",
                                GPU_OWN_NAME);
    memcpy(name, base, length);
    name[length] = '\0';
    return ATTN_OK;
}

/* Without the directive the compiler cannot even set up its own declarations. */
static attn_status check_version(const char *file, const char *text, attn_reason *why)
{
    for (const char *hash = strchr(text, '#'); hash; hash = strchr(hash + 1, '#'))
        if (strncmp(hash + 1 + strspn(hash + 1, " \t"), "version", strlen("version")) == 0)
            return ATTN_OK;
    return attn_file_refuse(why, file, "no line #version 450");
}

/* Adds what another contract's compilation said, unless it is what the last one said. */
static void add_log(char **log, char *more)
{
    const size_t length = *log ? strlen(*log) : 0, added = more ? strlen(more) : 0;
    char *all = NULL;
    if (added > 0 && (length < added || strcmp(*log + length - added, more) != 0))
        all = realloc(*log, length + added + 1);
    if (all) {
        memcpy(all + length, more, added + 1);
        *log = all;
    }
    free(more);
}

static attn_status add_row(const gpu_compile_source *source, gpu_own_shader *shader, size_t i,
                           char **log, attn_reason *why)
{
    const attn_contract contract = shader->note.contracts[i];
    uint32_t *words;
    size_t bytes;
    char *said;
    attn_reason how;
    gpu_needs needs = {0};
    snprintf(shader->kernels[i], sizeof shader->kernels[i], "%s_%c", shader->name,
             tolower((unsigned char)attn_contract_name(contract)[0]));
    attn_status status = gpu_compile(source, contract, &words, &bytes, &said, &how);
    add_log(log, said);
    shader->code[i] = (shader_module){shader->kernels[i], words, bytes};
    if (status == ATTN_OK)
        status = gpu_reflect(&shader->code[i], &needs, &how);
    if (status == ATTN_OK && needs.texels && !shader->note.kind->texels)
        status = attn_because(&how, ATTN_ERROR, "plan=%s binds no texel buffers",
                              shader->note.kind->name);
    if (status != ATTN_OK)
        return attn_file_refuse(why, source->file, "for contract %s: %s",
                                attn_contract_name(contract), how.text);
    shader->rows[i] = (gpu_row){.kernel = shader->kernels[i],
                                .module = shader->kernels[i],
                                .story = shader->note.story,
                                .contract = contract,
                                .plan = shader->note.kind->plan,
                                .local_x = shader->note.local_x,
                                .local_y = shader->note.local_y,
                                .rows = shader->note.rows,
                                .code = &shader->code[i],
                                .subgroup = needs.subgroup};
    return ATTN_OK;
}

attn_status gpu_own_open(const char *file, const char *const *defines, size_t define_count,
                         gpu_own_shader *shader, char **log, attn_reason *why)
{
    char *text = NULL;
    *shader = (gpu_own_shader){0};
    *log = NULL;
    attn_status status = read_name(file, shader->name, why);
    if (status == ATTN_OK)
        status = gpu_text_read(file, &text, why);
    if (status == ATTN_OK)
        status = gpu_note_read(file, text, &shader->note, why);
    if (status == ATTN_OK)
        status = check_version(file, text, why);
    const gpu_compile_source source = {file, text, defines, define_count};
    for (size_t i = 0; status == ATTN_OK && i < shader->note.contract_count; i++)
        status = add_row(&source, shader, i, log, why);
    free(text);
    if (status != ATTN_OK)
        gpu_own_close(shader);
    return status;
}

void gpu_own_close(gpu_own_shader *shader)
{
    for (size_t i = 0; i < GPU_NOTE_CONTRACTS; i++)
        free((void *)shader->code[i].words);
    *shader = (gpu_own_shader){0};
}
