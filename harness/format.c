/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/format.h"

#include <math.h>
#include <stdio.h>

/* Decimals that make four significant digits of a value from 1 to 9999. */
static int decimals(double value)
{
    double size = fabs(value);
    return size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
}

static unsigned time_unit(double ns, double *divisor)
{
    unsigned unit = 0;
    for (*divisor = 1; unit < 3 && fabs(ns) / *divisor >= 999.95; unit++)
        *divisor *= 1000;
    return unit;
}

format_text format_ns(double ns)
{
    static const char *const unit[] = {"ns", "us", "ms", "s"};
    format_text out = {"-"};
    double divisor;
    if (!isfinite(ns))
        return out;
    unsigned u = time_unit(ns, &divisor);
    if (fabs(ns) < 1) {
        snprintf(out.text, sizeof out.text, "%.4g ns", ns); /* a fitted coefficient */
        return out;
    }
    snprintf(out.text, sizeof out.text, "%.*f %s", decimals(ns / divisor), ns / divisor, unit[u]);
    return out;
}

format_text format_interval_ns(double median, double low, double high)
{
    format_text out = {"-"};
    double divisor;
    if (!isfinite(median) || !isfinite(low) || !isfinite(high))
        return out;
    time_unit(median, &divisor);
    int places = decimals(median / divisor);
    snprintf(out.text, sizeof out.text, "[%.*f, %.*f]", places, low / divisor, places,
             high / divisor);
    return out;
}

format_text format_bytes(double bytes)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    format_text out;
    unsigned scale = 0;
    for (; scale < 5 && bytes >= 1024; scale++)
        bytes /= 1024;
    snprintf(out.text, sizeof out.text, "%.*f %s", scale == 0 ? 0 : 1, bytes, unit[scale]);
    return out;
}

format_text format_significant(double value)
{
    format_text out = {"-"};
    if (!isfinite(value))
        return out;
    if (fabs(value) >= 1 && fabs(value) < 1e6)
        snprintf(out.text, sizeof out.text, "%.*f", decimals(value), value);
    else
        snprintf(out.text, sizeof out.text, "%.3g", value);
    return out;
}
