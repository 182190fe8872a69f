/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attn/clock.h"
#include "harness/interrupt.h"

#define NAME "ATTNMARK_TURN" /* "FROM TO ID DIRECTORY" */
#define DONE UINT64_MAX      /* the last position: what follows is done alone */
#define TICK 1000            /* ms: a signal just before poll() waits no longer */

extern char **environ;

static attn_status open_second(turns *t, const char *text, char **directory, attn_reason *why)
{
    int used = 0;
    if (sscanf(text, "%d %d %32[0-9a-f] %n", &t->from, &t->to, t->id, &used) != 3 ||
        text[used] == '\0' || fcntl(t->from, F_GETFD) < 0 || fcntl(t->to, F_GETFD) < 0) {
        *t = (turns){.from = -1, .to = -1};
        return attn_because(why, ATTN_ERROR, NAME " is set: only bench --against may do that");
    }
    free(*directory);
    *directory = strdup(text + used);
    unsetenv(NAME);
    t->second = true;
    return *directory != NULL ? ATTN_OK : attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

attn_status turns_open(turns *t, const char *program, char **directory, attn_reason *why)
{
    const char *text = getenv(NAME);
    *t = (turns){.from = -1, .to = -1};
    if (text != NULL)
        return open_second(t, text, directory, why);
    if (program == NULL)
        return ATTN_OK;
    snprintf(t->id, sizeof t->id, "%016" PRIx64 "%08lx", (uint64_t)(1e9 * clock_seconds()),
             (unsigned long)getpid() & 0xffffffff);
    t->program = strdup(program);
    return t->program ? ATTN_OK : attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

static void leave(turns *t)
{
    if (t->from >= 0)
        close(t->from);
    if (t->to >= 0)
        close(t->to);
    t->from = t->to = -1;
}

/* Whole or not at all; a signal that asked to stop ends the waiting. */
static bool take(turns *t, uint64_t *position)
{
    struct pollfd from = {.fd = t->from, .events = POLLIN};
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        if (interrupt_signal() != 0)
            return false;
        ready = poll(&from, 1, TICK);
    }
    return ready > 0 && read(t->from, position, sizeof *position) == (ssize_t)sizeof *position;
}

static bool give(turns *t, uint64_t position)
{
    ssize_t put;
    do
        put = write(t->to, &position, sizeof position);
    while (put < 0 && errno == EINTR);
    return put == (ssize_t)sizeof position;
}

/* The other ended and did not say so: it was killed, or told to stop. What the first started ends
 * with it, in order; the first itself has results of its own to finish. */
static void lose(turns *t)
{
    leave(t);
    t->lost = true;
    if (t->second && interrupt_signal() == 0)
        raise(SIGTERM);
}

/* The position of the other; as this one's when alone. */
static uint64_t hand_over(turns *t, uint64_t position)
{
    const double start = clock_seconds();
    uint64_t other = 0;
    bool together = t->from >= 0;
    while (together && other < position) {
        together = give(t, position) && take(t, &other);
        if (!together)
            lose(t);
    }
    if (other == DONE)
        leave(t);
    t->waited_s += clock_seconds() - start;
    return together ? other : position;
}

/* The one that comes back while the other still waits here has the first sample. */
void turns_meet(turns *t, uint64_t position)
{
    t->leads = hand_over(t, position) == position;
    t->met = t->last = position;
}

void turns_sample(turns *t, uint64_t position)
{
    const bool odd = (position - t->met) % 2 == 1;
    const bool leads = position != t->last && odd == t->leads;
    if (!leads && t->last != t->met) /* turns_meet has just come back */
        hand_over(t, position);
    t->last = position;
}

/* A pipe whose one end, `kept`, goes with this process's next exec. */
static bool make_pipe(int ends[2], int kept)
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[kept], F_SETFD, FD_CLOEXEC);
    return true;
}

/* The same command line, its table to nowhere: run.jsonl has it all. Returns an errno. */
static int spawn(turns *t, int argc, const char *const *argv, const char *environment)
{
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    char **words = calloc((size_t)argc + 2, sizeof *words);
    int fault = words == NULL ? ENOMEM : posix_spawn_file_actions_init(&actions);
    if (fault == 0) {
        words[0] = t->program;
        words[1] = "bench";
        for (int i = 1; i < argc; i++)
            words[i + 1] = (char *)argv[i];
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        setenv(NAME, environment, 1);
        fault = posix_spawnp(&child, t->program, &actions, NULL, words, environ);
        unsetenv(NAME);
        posix_spawn_file_actions_destroy(&actions);
    }
    t->process = fault == 0 ? (long)child : 0;
    free(words);
    return fault;
}

/* Two pipes, and the other with its ends of them. Returns an errno. */
static int start_other(turns *t, int argc, const char *const *argv)
{
    int there[2], back[2];
    if (!make_pipe(there, 1))
        return errno;
    if (!make_pipe(back, 0)) {
        const int fault = errno;
        close(there[0]);
        close(there[1]);
        return fault;
    }
    t->from = back[0];
    t->to = there[1];
    const size_t size = strlen(t->directory) + 128;
    char *environment = malloc(size);
    int fault = ENOMEM;
    if (environment != NULL) {
        snprintf(environment, size, "%d %d %s %s", there[0], back[1], t->id, t->directory);
        fault = spawn(t, argc, argv, environment);
    }
    free(environment);
    close(there[0]);
    close(back[1]);
    return fault;
}

/* Absolute: what starts the other may do so from another directory. */
static bool place_other(turns *t, const char *directory)
{
    char *path = realpath(directory, NULL);
    const size_t size = path != NULL ? strlen(path) + sizeof TURNS_SUFFIX : 0;
    t->directory = path != NULL ? realloc(path, size) : NULL;
    if (t->directory == NULL) {
        free(path);
        return false;
    }
    strcat(t->directory, TURNS_SUFFIX);
    return true;
}

/* The exit status of the other. */
static int wait_for(turns *t)
{
    int status = 0;
    while (t->process > 0 && waitpid((pid_t)t->process, &status, 0) < 0 && errno == EINTR) {
    }
    t->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Why it goes no further than this. The other is not known to be an attnmark yet: it is not waited
 * for where the user wants an end. */
static attn_status not_begun(turns *t, attn_reason *why)
{
    leave(t);
    if (t->second)
        return attn_because(why, ATTN_ERROR, "the run that this one takes turns with has ended");
    if (interrupt_signal() != 0) {
        kill((pid_t)t->process, SIGTERM);
        wait_for(t);
        return attn_because(why, ATTN_SKIPPED, "stopped by %s", interrupt_name());
    }
    return attn_because(why, ATTN_ERROR,
                        "--against %.150s: it ended before its first turn, with status %d",
                        t->program, wait_for(t));
}

attn_status turns_begin(turns *t, int argc, const char *const *argv, const char *directory,
                        attn_reason *why)
{
    uint64_t position;
    if (t->id[0] == '\0')
        return ATTN_OK;
    const int fault = t->second                    ? 0
                      : !place_other(t, directory) ? errno
                                                   : start_other(t, argc, argv);
    if (fault != 0)
        return attn_because(why, ATTN_ERROR, "--against %.150s: %s", t->program, strerror(fault));
    if (t->second)
        give(t, 0);
    return take(t, &position) && position != DONE ? ATTN_OK : not_begun(t, why);
}

int turns_end(turns *t)
{
    if (t->to >= 0 && interrupt_signal() == 0)
        give(t, DONE);
    leave(t);
    const int status = wait_for(t);
    free(t->program);
    free(t->directory);
    t->program = t->directory = NULL;
    return status;
}
