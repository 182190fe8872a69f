/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/slowed.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"

#define NAME "ATTNMARK_SLOWED"

typedef struct hook {
    char glob[128];
    double share; /* 0: the hook is not set */
} hook;

/* False when the text is malformed. */
static bool read_hook(const char *text, hook *h)
{
    *h = (hook){"", 0};
    if (text == NULL)
        return true;
    const char *colon = strrchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (length == 0 || length >= sizeof h->glob || strspn(colon + 1, "0123456789.") == 0)
        return false;
    char *end;
    const double percent = strtod(colon + 1, &end);
    if (*end != '\0' || !(percent > 0 && percent <= 1000))
        return false;
    memcpy(h->glob, text, length);
    h->glob[length] = '\0';
    h->share = percent / 100;
    return true;
}

attn_status slowed_check(attn_reason *why)
{
    hook h;
    const char *text = getenv(NAME);
    if (read_hook(text, &h))
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR,
                        NAME "=%.100s: want GLOB:PERCENT, above 0 and at most 1000", text);
}

double slowed_share(const char *kernel)
{
    hook h;
    const bool slowed = read_hook(getenv(NAME), &h) && fnmatch(h.glob, kernel, 0) == 0;
    return slowed ? h.share : 0;
}

void slowed_wait(double share, double start_s)
{
    if (share == 0)
        return;
    const double until = clock_seconds() + share * (clock_seconds() - start_s);
    while (clock_seconds() < until)
        ;
}
