/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int cli_parse(int argc, const char **argv, const struct poptOption *options, const char *synopsis,
              bool (*each)(void *context, int val, const char *argument), void *context)
{
    poptContext popt = poptGetContext(NULL, argc, argv, options, 0);
    if (!popt)
        return cli_usage("out of memory");
    poptSetOtherOptionHelp(popt, synopsis);
    int val, status = -1;
    while (status < 0 && (val = poptGetNextOpt(popt)) > 0) {
        char *argument = poptGetOptArg(popt);
        if (each && !each(context, val, argument))
            status = EXIT_USAGE;
        free(argument);
    }
    if (status < 0 && val < -1)
        status = cli_usage("%s: %s (see '%s --help')", poptBadOption(popt, POPT_BADOPTION_NOALIAS),
                           poptStrerror(val), argv[0]);
    const char *stray = status < 0 ? poptGetArg(popt) : NULL;
    if (stray)
        status = cli_usage("unexpected argument '%s' (see '%s --help')", stray, argv[0]);
    poptFreeContext(popt);
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

bool cli_threads(const char *text, unsigned *list, size_t capacity, size_t *count)
{
    for (*count = 0; *count < capacity; text++) {
        char *end;
        if (*text < '0' || *text > '9')
            return false;
        errno = 0;
        const unsigned long value = strtoul(text, &end, 10);
        if (errno || value < 1 || value > 1024)
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

bool cli_seed(int seed)
{
    if (seed < 0)
        cli_usage("--seed %d: want 0..2147483647", seed);
    return seed >= 0;
}
