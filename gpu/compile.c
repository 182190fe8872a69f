/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler runs in a child process, which sends back one word that says whether it worked, the
 * length of the log, the log, the SPIR-V.
 */
#include "gpu/compile.h"

#include <shaderc/shaderc.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/includes.h"
#include "gpu/sandbox.h"

typedef struct compilation {
    const gpu_compile_source *source;
    attn_contract contract;
    size_t includes; /* so far */
    char *failure;   /* why the include that was asked for last failed; owned */
} compilation;

typedef struct answer {
    uint32_t good;
    uint32_t log_bytes;
} answer;

typedef struct open_include {
    shaderc_include_result result;
    gpu_include include;
} open_include;

/* The compiler asks for what it did not get as "name" once more as <name>: the same answer. */
static gpu_include find_include(compilation *c, const char *name, bool angled, const char *from,
                                size_t depth)
{
    if (angled && c->failure) {
        gpu_include include = {.text = c->failure};
        c->failure = NULL;
        return include;
    }
    gpu_include include =
        gpu_include_open(c->source->file, from, name, angled, depth, &c->includes);
    if (!angled && !include.found && include.text)
        c->failure = strdup(include.text);
    return include;
}

static shaderc_include_result *resolve(void *context, const char *name, int type, const char *from,
                                       size_t depth)
{
    static const char no_memory[] = "no memory for an include";
    compilation *c = context;
    open_include *open = calloc(1, sizeof *open);
    if (!open)
        abort(); /* of the child process */
    open->include = find_include(c, name, type == shaderc_include_type_standard, from, depth);
    const gpu_include *include = &open->include;
    const char *shown = include->found && include->name ? include->name : "";
    const char *text = include->text ? include->text : no_memory;
    open->result = (shaderc_include_result){shown, strlen(shown), text, strlen(text), open};
    return &open->result;
}

static void close_include(void *context, shaderc_include_result *result)
{
    (void)context;
    open_include *open = result->user_data;
    gpu_include_close(&open->include);
    free(open);
}

static void define(shaderc_compile_options_t options, const char *text)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : "1";
    shaderc_compile_options_add_macro_definition(
        options, text, equals ? (size_t)(equals - text) : strlen(text), value, strlen(value));
}

/* No optimisation: it copies instructions without their NoContraction decoration. */
static void set_options(shaderc_compile_options_t options, compilation *c)
{
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan,
                                           shaderc_env_version_vulkan_1_1);
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
    shaderc_compile_options_set_include_callbacks(options, resolve, close_include, c);
    if (c->contract == ATTN_CONTRACT_F)
        define(options, "CONTRACT_F=");
    if (c->contract == ATTN_CONTRACT_X)
        define(options, "CONTRACT_X=");
    for (size_t i = 0; i < c->source->define_count; i++)
        define(options, c->source->defines[i]);
}

static bool send(FILE *out, const shaderc_compilation_result_t result)
{
    const char *log = shaderc_result_get_error_message(result);
    const answer a = {shaderc_result_get_compilation_status(result) ==
                          shaderc_compilation_status_success,
                      (uint32_t)strlen(log)};
    fwrite(&a, sizeof a, 1, out);
    fwrite(log, 1, a.log_bytes, out);
    if (a.good)
        fwrite(shaderc_result_get_bytes(result), 1, shaderc_result_get_length(result), out);
    return !ferror(out);
}

static bool compile(void *context, FILE *out)
{
    compilation *c = context;
    const shaderc_compiler_t compiler = shaderc_compiler_initialize();
    const shaderc_compile_options_t options = shaderc_compile_options_initialize();
    if (!compiler || !options)
        return false;
    set_options(options, c);
    const shaderc_compilation_result_t result =
        shaderc_compile_into_spv(compiler, c->source->text, strlen(c->source->text),
                                 shaderc_compute_shader, c->source->file, "main", options);
    return result && send(out, result);
}

/* Takes the child's answer apart. */
static attn_status receive(const char *bytes, size_t count, uint32_t **words, size_t *word_bytes,
                           char **log, attn_reason *why)
{
    answer a;
    if (count < sizeof a)
        return attn_because(why, ATTN_ERROR, "no answer from the compiler");
    memcpy(&a, bytes, sizeof a);
    bytes += sizeof a;
    count -= sizeof a;
    if (a.log_bytes > count)
        return attn_because(why, ATTN_ERROR, "half an answer from the compiler");
    if (a.log_bytes > 0 && (*log = malloc(a.log_bytes + 1)) != NULL) {
        memcpy(*log, bytes, a.log_bytes);
        (*log)[a.log_bytes] = '\0';
    }
    if (!a.good)
        return attn_because(why, ATTN_ERROR, "does not compile%s",
                            a.log_bytes > 0 ? "" : ": the compiler gave up (no memory?)");
    *word_bytes = (count - a.log_bytes) / 4 * 4;
    *words = malloc(*word_bytes + 4);
    if (!*words)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a compiled shader");
    memcpy(*words, bytes + a.log_bytes, *word_bytes);
    return ATTN_OK;
}

attn_status gpu_compile(const gpu_compile_source *source, attn_contract contract, uint32_t **words,
                        size_t *bytes, char **log, attn_reason *why)
{
    compilation c = {source, contract, 0, NULL};
    char *answered;
    size_t count;
    attn_reason how;
    *words = NULL;
    *log = NULL;
    if (gpu_sandbox_run(compile, &c, &answered, &count, &how) != ATTN_OK)
        return attn_because(why, ATTN_ERROR, "the compiler %s", how.text);
    const attn_status status = receive(answered, count, words, bytes, log, why);
    free(answered);
    return status;
}
