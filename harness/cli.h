/* SPDX-License-Identifier: Apache-2.0
 *
 * Subcommands and what their command lines share. Options are libpopt tables, so that --help is
 * generated; a usage error is one line on stderr and exit status 2.
 */
#ifndef HARNESS_CLI_H
#define HARNESS_CLI_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_OK = 0, EXIT_MISMATCH = 1, EXIT_USAGE = 2 };

/* argv[0] is "attnmark bench" and so on. Return the exit status. */
int cmd_devices(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_verify(int argc, const char **argv);
int cmd_bench(int argc, const char **argv);
int cmd_compare(int argc, const char **argv);
int cmd_crossover(int argc, const char **argv);
int cmd_export(int argc, const char **argv);
int cmd_gallery(int argc, const char **argv);
int cmd_submit(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_tune(int argc, const char **argv);
int cmd_run(int argc, const char **argv);
int cmd_hash(int argc, const char **argv);

/* "attnmark: ..." on stderr, one line; returns EXIT_USAGE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Values of an option that may be given several times, in order; owned copies. */
typedef struct cli_list {
    char **items;
    size_t count;
} cli_list;

/* Parses argv against the table. Options whose `val` is not 0 are handed to `each` with their
 * argument as they come (for repeated options); the others, fewer than 64, are stored, texts as
 * owned copies. Stray positional arguments, unknown options and a second value for a stored one
 * are usage errors, reported here. So is a number that is not written in decimal; the description
 * of a number's option ends with its range in parentheses, "(0..3600)", which the message repeats.
 * Whether a number is in its range is for the caller to check. `synopsis` follows the name in
 * the usage line of --help ("[--kernel GLOB]..."). Returns -1 to go on, else the exit status. */
int cli_parse(int argc, const char **argv, const struct poptOption *options, const char *synopsis,
              bool (*each)(void *context, int val, const char *argument), void *context);
/* The same for a command with operands ("RUN..."), which are added to the list, in order. */
int cli_parse_operands(int argc, const char **argv, const struct poptOption *options,
                       const char *synopsis,
                       bool (*each)(void *context, int val, const char *argument), void *context,
                       cli_list *operands);
/* false when out of memory. */
bool cli_list_add(cli_list *list, const char *item);
void cli_list_free(cli_list *list);

/* "1,2,4", in the order given, each 1..1024, at most `capacity`. If it is none, says so. */
bool cli_threads(const char *text, unsigned *list, size_t capacity, size_t *count);
/* Is it a --seed? If not, says so. */
bool cli_seed(int seed);

#endif
