/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' shaders up to the point where a device would see them: the line of the host, includes,
 * macros, and sources that are hostile.
 */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/own.h"
#include "gpu/text_file.h"

#define NOTE    "// attnmark: plan=tile local=16x16 rows=4\n"
#define VERSION "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
#define BASE    NOTE VERSION "#include \"interface.h\"\n#include \"contract.glsl\"\n"
#define COMMON  BASE "#include \"common.glsl\"\n"
#define MAIN    "void main() { o_bits[0] = push.n; }\n"

static char directory[] = "/tmp/attnmark-own-XXXXXX";

static int make_directory(void **state)
{
    char path[64];
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/sub", directory);
    return mkdir(path, 0777);
}

static int remove_directory(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void write_bytes(const char *name, const char *bytes, size_t count)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

/* Opens a file with a macro (or NULL). What was said, reason and log, goes to `said`. */
static bool opens(const char *name, const char *define, gpu_own_shader *shader, char *said,
                  size_t size)
{
    attn_reason why = {""};
    char *log;
    const attn_status status =
        gpu_own_open(path_of(name), &define, define ? 1 : 0, shader, &log, &why);
    snprintf(said, size, "%s\n%s", why.text, log ? log : "");
    free(log);
    return status == ATTN_OK;
}

/* The file is refused, and the message holds `says`. */
static void check_refused(const char *name, const char *says)
{
    gpu_own_shader shader;
    char said[4096];
    const bool opened = opens(name, NULL, &shader, said, sizeof said);
    if (opened || !strstr(said, says))
        fail_msg("%s: want '%s', got '%s'", name, says, opened ? "ok" : said);
}

static void check_refused_text(const char *text, const char *says)
{
    write_text("text.comp", text);
    check_refused("text.comp", says);
}

/* The file compiles; returns the digest of its first module. */
static attn_digest check_opens(const char *name, const char *define)
{
    gpu_own_shader shader;
    char said[4096];
    if (!opens(name, define, &shader, said, sizeof said))
        fail_msg("%s: %s", name, said);
    const attn_digest digest = attn_digest_bytes(shader.code[0].words, shader.code[0].bytes);
    gpu_own_close(&shader);
    return digest;
}

static void the_line_becomes_rows(void **state)
{
    (void)state;
    gpu_own_shader shader;
    char said[1000];
    write_text("my_1.x.comp",
               "/* text */\r\n  //\tattnmark:  rows=2 story=\"an idea\" contracts=xm "
               "local=8x32 plan=tile\r\n" VERSION "#include \"interface.h\"\n"
               "#include \"contract.glsl\"\n#include \"common.glsl\"\n" MAIN);
    if (!opens("my_1.x.comp", NULL, &shader, said, sizeof said))
        fail_msg("%s", said);
    assert_string_equal(shader.name, "my_1");
    assert_int_equal(shader.note.contract_count, 2);
    assert_string_equal(shader.rows[0].kernel, "my_1_m");
    assert_string_equal(shader.rows[1].kernel, "my_1_x");
    assert_int_equal(shader.rows[1].contract, ATTN_CONTRACT_X);
    assert_string_equal(shader.rows[1].story, "an idea");
    assert_true(shader.rows[1].plan == gpu_plan_tile);
    assert_int_equal(shader.rows[1].local_x, 8);
    assert_int_equal(shader.rows[1].local_y, 32);
    assert_int_equal(shader.rows[1].rows, 2);
    assert_true(shader.rows[1].code == &shader.code[1]);
    gpu_own_close(&shader);
}

static void wrong_lines_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no line like // attnmark: plan=tile local=16x16 rows=4"},
        {"/* attnmark: plan=tile */", "no line like"},
        {"//attnmark: plan=tile local=1\n\n//attnmark: plan=tile local=1",
         ":3: a second line // attnmark: (the first is line 1)"},
        {"\n// attnmark: plan=cube local=1", ":2: plan=cube: unknown (allowed: naive, tile, lanes"},
        {"// attnmark: plan", "plan=: unknown"},
        {"// attnmark: local=16", "plan= is missing"},
        {"// attnmark: plan=tile", "local= is missing"},
        {"// attnmark: plan=tile local=", "local=: want X or XxY, as 16x16, each 1..1024"},
        {"// attnmark: plan=tile local=0x1", "local=0x1: want"},
        {"// attnmark: plan=tile local=4x", "local=4x: want"},
        {"// attnmark: plan=tile local=4x4x4", "local=4x4x4: want"},
        {"// attnmark: plan=tile local=99999999999999999999", "want X or XxY"},
        {"// attnmark: plan=tile local=32x8", "plan=tile takes local=16x1024 and rows=16 at most"},
        {"// attnmark: plan=naive local=64 rows=2", "plan=naive takes local=1024x1 and rows=1"},
        {"// attnmark: plan=tile local=16x1024", "at most 1024 invocations"},
        {"// attnmark: plan=lanes local=1024 rows=16", "and 4096 times rows"},
        {"// attnmark: plan=tile local=4 rows=-1", "rows=-1: want 1..4096"},
        {"// attnmark: plan=tile local=4 rows=4.5", "rows=4.5: want"},
        {"// attnmark: plan=tile local=4 contracts=", "contracts=: want some of the letters mfx"},
        {"// attnmark: plan=tile local=4 contracts=mq", "contracts=mq: want"},
        {"// attnmark: plan=tile local=4 contracts=mm", "contracts=mm: want"},
        {"// attnmark: plan=tile local=4 tile=5", "'tile': unknown (allowed: plan=, local="},
        {"// attnmark: plan=tile local=4 story=\"\x1b[1m\"", "story: holds a control character"},
        {NOTE, "no line #version 450"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused_text(cases[i][0], cases[i][1]);
}

static void includes_beside_the_shader_win(void **state)
{
    (void)state;
    write_text("plain.comp", COMMON MAIN);
    const attn_digest first = check_opens("plain.comp", NULL);
    write_text("grid.glsl", "uint group_index() { return 7; }\n");
    write_text("own.comp", COMMON "#include \"grid.glsl\"\n"
                                  "void main() { o_bits[0] = group_index(); }\n");
    write_text("ours.comp", COMMON "#include <grid.glsl>\n"
                                   "void main() { o_bits[0] = group_index(); }\n");
    const attn_digest own = check_opens("own.comp", NULL), ours = check_opens("ours.comp", NULL);
    assert_false(attn_digest_equal(&own, &ours));

    /* One that the program's own files ask for, and one that asks for a file beside itself. */
    write_text("storage.glsl", "#define STORED uint\n#define ELEMENT(t, i) float(t[i])\n");
    const attn_digest stored = check_opens("plain.comp", NULL);
    unlink(path_of("storage.glsl"));
    assert_false(attn_digest_equal(&first, &stored));
    write_text("sub/a.glsl", "#include \"b.glsl\"\n");
    write_text("sub/b.glsl", "#define VALUE 3u\n");
    write_text("nested.comp",
               COMMON "#include \"sub/a.glsl\"\nvoid main() { o_bits[0] = VALUE; }\n");
    check_opens("nested.comp", NULL);
}

static void wrong_includes_are_named(void **state)
{
    (void)state;
    write_text("ring_a.glsl", "\n#include \"ring_b.glsl\"\n");
    write_text("ring_b.glsl", "#include \"ring_a.glsl\"\n");
    check_refused_text(BASE "#include \"ring_a.glsl\"\n",
                       "ring_b.glsl:1: error: '#include' : files include each other");
    write_text("many.glsl", "#include \"nothing_1.glsl\"\n");
    write_text("nothing_1.glsl", "\n");
    char text[20000] = BASE;
    for (int i = 0; i < 600; i++)
        strcat(text, "#include \"many.glsl\"\n");
    check_refused_text(text, "one include too many");
    check_refused_text(BASE "#include \"missing.glsl\"\n",
                       "text.comp:6: error: '#include' : neither "
                       "beside the shader");
    check_refused_text(BASE "#include <sub/a.glsl>\n", "neither beside the shader");
    check_refused_text(BASE "#include \"sub\"\n", "sub: not a regular file");
    assert_int_equal(mkfifo(path_of("pipe.glsl"), 0600), 0);
    check_refused_text(BASE "#include \"pipe.glsl\"\n", "pipe.glsl: not a regular file");
}

static void macros_reach_the_shader(void **state)
{
    (void)state;
    write_text("macro.comp", COMMON "#ifndef VALUE\n#error VALUE is missing\n#endif\n"
                                    "void main() { o_bits[0] = VALUE; }\n");
    const attn_digest one = check_opens("macro.comp", "VALUE"),
                      same = check_opens("macro.comp", "VALUE=1"),
                      two = check_opens("macro.comp", "VALUE=2u");
    assert_true(attn_digest_equal(&one, &same));
    assert_false(attn_digest_equal(&one, &two));
    check_refused("macro.comp", "macro.comp:8: error: '#error' : VALUE is missing");
    check_refused_text(COMMON "#ifdef CONTRACT_X\n#error narrow\n#endif\n" MAIN,
                       "for contract X: does not compile");
}

static void warnings_do_not_refuse(void **state)
{
    (void)state;
    gpu_own_shader shader;
    char said[1000];
    write_text("warns.comp", COMMON "#extension GL_NO_such : warn\n" MAIN);
    assert_true(opens("warns.comp", NULL, &shader, said, sizeof said));
    gpu_own_close(&shader);
    const char *first = strstr(said, "warns.comp:7: warning: ");
    assert_non_null(first);
    assert_null(strstr(first + strlen("warns.comp:7: warning: "),
                       "warning: ")); /* once for the three contracts */
}

static void interfaces_are_checked(void **state)
{
    (void)state;
    check_refused_text(COMMON "layout(binding = 9) buffer B { uint x[]; };\n"
                              "void main() { x[0] = 1; }\n",
                       "uses binding 9: the interface has 0 to 7");
    check_refused_text(COMMON "layout(binding = BIND_K_TEXELS) uniform utextureBuffer t;\n"
                              "void main() { o_bits[0] = texelFetch(t, 0).x; }\n",
                       "plan=tile binds no texel buffers");
    check_refused_text(COMMON "layout(binding = BIND_K_TEXELS) uniform textureBuffer t;\n"
                              "void main() { o_bits[0] = uint(texelFetch(t, 0).x); }\n",
                       "utextureBuffer only");
    check_refused_text(NOTE VERSION
                       "layout(push_constant) uniform P { uint a[50]; };\n"
                       "layout(local_size_x_id = 0) in;\nvoid main() { uint b = a[1]; }\n",
                       "push constants of 200 bytes");
    check_refused_text(NOTE VERSION "layout(local_size_x = 64) in;\nvoid main() { }\n",
                       "wants layout(local_size_x_id");
    check_refused_text(COMMON "void main() { double x = 1.0; o_bits[0] = uint(x + push.n); }\n",
                       "uses double");
    check_refused_text(COMMON "float f() { return 1.0; }\n", "Missing entry point");
}

static void repeat(char *text, size_t size, const char *begin, const char *word, size_t count)
{
    size_t used = (size_t)snprintf(text, size, "%s", begin);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s", word);
}

/* Compilers overflow their stack on the first two, and never end on the third. */
static void hostile_sources_do_no_harm(void **state)
{
    (void)state;
    enum { SIZE = GPU_TEXT_MOST + 1000 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    repeat(text, SIZE, COMMON "#if ", "(", 400000);
    check_refused_text(text, "text.comp");
    repeat(text, SIZE, COMMON "void main() { int x = 1", "+push.n", 120000);
    check_refused_text(text, "text.comp");
    repeat(text, SIZE, COMMON "#define A0 x+x\n", "", 0);
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), 100, "#define A%d A%d+A%d\n", i, i - 1, i - 1);
    strcat(text, "void main() { float x = A39; }\n");
    check_refused_text(text, "text.comp");
    repeat(text, SIZE, COMMON, "{", 200000);
    check_refused_text(text, "does not compile");
    repeat(text, SIZE, COMMON, "\xff\x01\x80", 100000);
    check_refused_text(text, "does not compile");
    repeat(text, SIZE, COMMON, "\n", GPU_TEXT_MOST);
    check_refused_text(text, "longer than 1048576 bytes");
    free(text);
    write_bytes("nul.comp", COMMON "\0" MAIN, sizeof COMMON + sizeof MAIN);
    check_refused("nul.comp", "holds a NUL byte");
}

static void files_are_read_with_care(void **state)
{
    (void)state;
    check_refused("missing.comp", "missing.comp: No such file");
    check_refused("sub", "sub: not a regular file");
    check_refused("my-shader.comp", "its name up to the dot names its kernels");
    check_refused(".comp", "its name up to the dot");
    check_refused("a23456789b123456789c123456789d123456789e1.comp", "1 to 40 letters");
    write_text("marked.comp", "\xef\xbb\xbf" COMMON MAIN);
    write_text("plain.comp", COMMON MAIN);
    const attn_digest marked = check_opens("marked.comp", NULL),
                      plain = check_opens("plain.comp", NULL);
    assert_true(attn_digest_equal(&marked, &plain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_becomes_rows),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(includes_beside_the_shader_win),
        cmocka_unit_test(wrong_includes_are_named),
        cmocka_unit_test(macros_reach_the_shader),
        cmocka_unit_test(warnings_do_not_refuse),
        cmocka_unit_test(interfaces_are_checked),
        cmocka_unit_test(hostile_sources_do_no_harm),
        cmocka_unit_test(files_are_read_with_care),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
