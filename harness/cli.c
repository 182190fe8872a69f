/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"

int cli_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("attnmark: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_USAGE;
}

/* Options that are stored, and so may be given once, get a val from here on. */
enum { STORED = 1 << 16 };

/* A copy of the table in which popt reports what it stores, too. Texts are left for us to store:
 * popt would lose the first of two. NULL when out of memory. */
static struct poptOption *reporting(const struct poptOption *options)
{
    size_t count = 0;
    while (options[count].longName != NULL || options[count].arg != NULL)
        count++;
    struct poptOption *table = calloc(count + 1, sizeof *table);
    for (size_t i = 0; table != NULL && i < count; i++) {
        const unsigned kind = options[i].argInfo & POPT_ARG_MASK;
        table[i] = options[i];
        if (options[i].val != 0 || kind == POPT_ARG_NONE || kind == POPT_ARG_INCLUDE_TABLE)
            continue;
        table[i].val = STORED + (int)i;
        if (kind == POPT_ARG_STRING)
            table[i].arg = NULL;
    }
    return table;
}

int cli_parse(int argc, const char **argv, const struct poptOption *options, const char *synopsis,
              bool (*each)(void *context, int val, const char *argument), void *context)
{
    return cli_parse_operands(argc, argv, options, synopsis, each, context, NULL);
}

/* What is left of the command line once its options are read. Returns -1 to go on. */
static int take_operands(poptContext popt, const char *command, cli_list *operands)
{
    const char *operand;
    while ((operand = poptGetArg(popt)) != NULL) {
        if (operands == NULL)
            return cli_usage("unexpected argument '%s' (see '%s --help')", operand, command);
        if (!cli_list_add(operands, operand))
            return cli_usage("out of memory");
    }
    return -1;
}

static bool is_number(const struct poptOption *option)
{
    const unsigned kind = option->argInfo & POPT_ARG_MASK;
    return kind == POPT_ARG_INT || kind == POPT_ARG_DOUBLE;
}

/* popt takes more for a number: nothing as 0, blanks before one, 0x10, and 010 as 8. */
static bool is_decimal(const struct poptOption *option, const char *text)
{
    const bool whole = (option->argInfo & POPT_ARG_MASK) == POPT_ARG_INT;
    const char *const digits = text + (*text == '-' || *text == '+');
    const bool octal = whole && digits[0] == '0' && digits[1] != '\0';
    const bool begins = strchr("0123456789.", digits[0]) != NULL && digits[0] != '\0';
    return begins && !octal &&
           text[strspn(text, whole ? "+-0123456789" : "+-.0123456789eE")] == '\0';
}

static int bad_number(const struct poptOption *option, const char *text, const char *command)
{
    const char *const range = strrchr(option->descrip, '(');
    const int length = range ? (int)strcspn(range + 1, ")") : 0;
    return cli_usage("--%s '%s': want a%s number%s%.*s (see '%s --help')", option->longName, text,
                     (option->argInfo & POPT_ARG_MASK) == POPT_ARG_INT ? " whole" : "",
                     range ? ", " : "", length, range ? range + 1 : "", command);
}

/* The number among the options that "--name" or "--name=value" is, or NULL. */
static const struct poptOption *find_number(const struct poptOption *options, const char *word)
{
    const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    for (const struct poptOption *o = options; o->longName != NULL || o->arg != NULL; o++)
        if (length > 0 && o->longName != NULL && is_number(o) && strlen(o->longName) == length &&
            memcmp(o->longName, word + 2, length) == 0)
            return o;
    return NULL;
}

/* Of a malformed number popt gives "--name=number", or the number without the option before. */
static int bad_option(int argc, const char **argv, const struct poptOption *options,
                      const char *word, int fault)
{
    const char *const value = strchr(word, '=');
    const struct poptOption *number = value ? find_number(options, word) : NULL;
    if (number != NULL)
        return bad_number(number, value + 1, argv[0]);
    for (int i = 2; i < argc && number == NULL; i++)
        if (strcmp(argv[i], word) == 0)
            number = find_number(options, argv[i - 1]);
    if (number != NULL)
        return bad_number(number, word, argv[0]);
    return cli_usage("%s: %s (see '%s --help')", word, poptStrerror(fault), argv[0]);
}

int cli_parse_operands(int argc, const char **argv, const struct poptOption *options,
                       const char *synopsis,
                       bool (*each)(void *context, int val, const char *argument), void *context,
                       cli_list *operands)
{
    struct poptOption *table = reporting(options);
    poptContext popt = table ? poptGetContext(NULL, argc, argv, table, 0) : NULL;
    if (!popt) {
        free(table);
        return cli_usage("out of memory");
    }
    uint64_t seen = 0;
    poptSetOtherOptionHelp(popt, synopsis);
    int val, status = -1;
    while (status < 0 && (val = poptGetNextOpt(popt)) > 0) {
        char *argument = poptGetOptArg(popt);
        const int stored = val - STORED;
        if (stored < 0) {
            if (!each(context, val, argument))
                status = EXIT_USAGE;
        } else if (seen & UINT64_C(1) << stored) {
            status = cli_usage("--%s may be given only once (see '%s --help')",
                               options[stored].longName, argv[0]);
        } else if (is_number(&options[stored]) && !is_decimal(&options[stored], argument)) {
            status = bad_number(&options[stored], argument, argv[0]);
        } else {
            seen |= UINT64_C(1) << stored;
            if (table[stored].arg == NULL) {
                *(char **)options[stored].arg = argument;
                argument = NULL;
            }
        }
        free(argument);
    }
    if (status < 0 && val < -1)
        status = bad_option(argc, argv, options, poptBadOption(popt, POPT_BADOPTION_NOALIAS), val);
    if (status < 0)
        status = take_operands(popt, argv[0], operands);
    poptFreeContext(popt);
    free(table);
    return status;
}

bool cli_list_add(cli_list *list, const char *item)
{
    char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count] = strdup(item);
    return items[list->count++] != NULL;
}

void cli_list_free(cli_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (cli_list){NULL, 0};
}

static bool parse_threads(const char *text, unsigned *list, size_t capacity, size_t *count)
{
    for (*count = 0; *count < capacity; text++) {
        char *end;
        if (*text < '0' || *text > '9')
            return false;
        errno = 0;
        const unsigned long value = strtoul(text, &end, 10);
        if (errno || value < 1 || value > CPU_MAX_THREADS)
            return false;
        list[(*count)++] = (unsigned)value;
        text = end;
        if (*text == '\0')
            return true;
        if (*text != ',')
            return false;
    }
    return false;
}

bool cli_threads(const char *text, unsigned *list, size_t capacity, size_t *count)
{
    const bool parsed = parse_threads(text, list, capacity, count);
    if (!parsed && capacity == 1)
        cli_usage("--threads %s: want 1..%d", text, CPU_MAX_THREADS);
    else if (!parsed && *count == capacity)
        cli_usage("--threads: at most %zu entries", capacity);
    else if (!parsed)
        cli_usage("--threads %s: want a list like 1,2,4, each 1..%d", text, CPU_MAX_THREADS);
    return parsed;
}

bool cli_seed(int seed)
{
    if (seed < 0)
        cli_usage("--seed %d: want 0..2147483647", seed);
    return seed >= 0;
}
