/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attn/file.h"
#include "harness/report/output.h"

extern char **environ;

#define NOT_FOUND 127 /* exit status of a program that could not be started */

static const char *const endings[] = {".svg", ".pdf"};

/* Starts it in the directory, where the script finds its data. posix_spawn knows no directory:
 * this process goes there and back. Returns an errno. */
static int start(const char *directory, char *const *argv, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    const int here = open(".", O_RDONLY | O_CLOEXEC);
    int error = here < 0 ? errno : 0;
    if (error == 0 && chdir(directory) != 0)
        error = errno;
    if (error == 0)
        error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (here >= 0) {
        if (fchdir(here) != 0 && error == 0)
            error = errno;
        close(here);
    }
    return error;
}

/* -1 where it did not end by itself. */
static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Renames the drawn files, or removes them and those of an earlier time. */
static attn_status settle(const char *directory, const char *stem, const char *name, bool drawn,
                          attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char from[128], to[128];
        snprintf(from, sizeof from, "%s%s", stem, endings[i]);
        snprintf(to, sizeof to, "%s%s", name, endings[i]);
        char *source = report_path(directory, from), *target = report_path(directory, to);
        if (source == NULL || target == NULL)
            status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
        else if (drawn && rename(source, target) != 0)
            status = attn_file_refuse(why, target, "cannot write: %s", strerror(errno));
        if (source != NULL)
            unlink(source);
        if (target != NULL && !drawn)
            unlink(target);
        free(source);
        free(target);
    }
    return status;
}

attn_status gnuplot_draw(const char *directory, const char *name, bool *found, attn_reason *why)
{
    char stem[96], set_stem[128], script[96];
    char program[] = "gnuplot", plain[] = "-d", execute[] = "-e";
    char *const argv[] = {program, plain, execute, set_stem, script, NULL};
    pid_t pid;
    snprintf(stem, sizeof stem, ".%.40s.%ld.tmp", name, (long)getpid());
    snprintf(set_stem, sizeof set_stem, "stem='%s'", stem);
    snprintf(script, sizeof script, "%.40s.gp", name);
    const int error = start(directory, argv, &pid);
    const int exit_status = error == 0 ? wait_for(pid) : -1;
    *found = error != ENOENT && exit_status != NOT_FOUND;
    const attn_status status = settle(directory, stem, name, exit_status == 0, why);
    if (exit_status == 0 || !*found)
        return status;
    return error != 0 ? attn_because(why, ATTN_ERROR, "cannot start gnuplot: %s", strerror(error))
                      : attn_file_refuse(why, directory,
                                         "gnuplot failed: 'gnuplot -d %s' there "
                                         "says why",
                                         script);
}
