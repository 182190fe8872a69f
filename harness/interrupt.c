/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void remember(int number)
{
    caught = number;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

static void catch_one(int number)
{
    struct sigaction before, now = {.sa_handler = remember, .sa_flags = SA_RESTART};
    sigemptyset(&now.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &now, NULL);
}

void interrupt_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
    signal(SIGPIPE, SIG_IGN);
}

int interrupt_signal(void)
{
    return caught;
}

const char *interrupt_name(void)
{
    return caught == SIGTERM ? "SIGTERM" : "SIGINT";
}
