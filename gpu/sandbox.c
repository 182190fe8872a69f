/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Address space of this process; 0 where the system does not tell. */
static unsigned long long mapped_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

/* Lowers a limit of this process, where it is higher. */
static void limit(int resource, unsigned long long value)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0 || limits.rlim_cur < value)
        return;
    limits.rlim_cur = (rlim_t)value;
    setrlimit(resource, &limits);
}

static _Noreturn void child(gpu_sandbox_work *work, void *context, int to)
{
    const unsigned long long mapped = mapped_bytes();
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, GPU_SANDBOX_SECONDS);
    if (mapped > 0)
        limit(RLIMIT_AS, mapped + GPU_SANDBOX_BYTES);
    signal(SIGXCPU, SIG_DFL);
    FILE *out = fdopen(to, "wb");
    const bool good = out && work(context, out);
    _exit(good && fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* All that comes until the other end closes. */
static attn_status collect(int from, char **bytes, size_t *count, attn_reason *why)
{
    enum { STEP = 1 << 16 };
    for (ssize_t got = 1; got != 0;) {
        char *more = realloc(*bytes, *count + STEP);
        if (!more)
            return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a compiled shader");
        *bytes = more;
        got = read(from, more + *count, STEP);
        if (got < 0 && errno != EINTR)
            return attn_because(why, ATTN_ERROR, "reading from a child process: %s",
                                strerror(errno));
        *count += got > 0 ? (size_t)got : 0;
    }
    return ATTN_OK;
}

static attn_status judge(int ended, attn_reason *why)
{
    if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)
        return attn_because(why, ATTN_ERROR, "took more than %d s", GPU_SANDBOX_SECONDS);
    if (WIFSIGNALED(ended))
        return attn_because(why, ATTN_ERROR, "crashed, or ran out of memory (signal %d)",
                            WTERMSIG(ended));
    if (WEXITSTATUS(ended) != EXIT_SUCCESS)
        return attn_because(why, ATTN_ERROR, "failed, or ran out of memory");
    return ATTN_OK;
}

attn_status gpu_sandbox_run(gpu_sandbox_work *work, void *context, char **bytes, size_t *count,
                            attn_reason *why)
{
    int ends[2], ended = 0;
    *bytes = NULL;
    *count = 0;
    if (pipe(ends) != 0)
        return attn_because(why, ATTN_ERROR, "pipe: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child(work, context, ends[1]);
    }
    close(ends[1]);
    attn_status status = pid < 0 ? attn_because(why, ATTN_ERROR, "fork: %s", strerror(errno))
                                 : collect(ends[0], bytes, count, why);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (status == ATTN_OK)
        status = judge(ended, why);
    if (status != ATTN_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
