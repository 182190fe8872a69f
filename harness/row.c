/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats.h"

void result_row_init(result_row *row)
{
    memset(row, 0, sizeof *row);
    row->max_rel_error = row->max_bound_share = NAN;
    row->prepare_ns = row->compile_ns = NAN;
    row->device_ns = row->wall_ns = row->empty_ns = row->wall_net_ns = NAN;
    row->median_ns = row->ci_low_ns = row->ci_high_ns = NAN;
    row->gflops = row->roof_gflops = row->roof_share = NAN;
    row->library_ratio = row->library_ratio_low = row->library_ratio_high = NAN;
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        row->counters[kind] = NAN;
    row->energy_j = NAN;
    row->gb_per_s = row->roof_gb_per_s = row->bandwidth_share = NAN;
}

void result_row_free(result_row *row)
{
    free(row->samples_ns);
    free(row->wall_samples_ns);
    free(row->empty_samples_ns);
    free(row->sample_at_s);
    row->samples_ns = row->sample_at_s = row->wall_samples_ns = row->empty_samples_ns = NULL;
    row->samples = row->clock_samples = 0;
}

static bool append(double **values, size_t count, double value)
{
    double *grown = realloc(*values, (count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    grown[count] = value;
    *values = grown;
    return true;
}

bool result_row_sample(result_row *row, double ns, double at_s)
{
    const bool appended =
        append(&row->samples_ns, row->samples, ns) && append(&row->sample_at_s, row->samples, at_s);
    row->samples += appended;
    return appended;
}

bool result_row_clocks(result_row *row, double wall_ns, double empty_ns)
{
    const bool appended = append(&row->wall_samples_ns, row->clock_samples, wall_ns) &&
                          append(&row->empty_samples_ns, row->clock_samples, empty_ns);
    row->clock_samples += appended;
    return appended;
}

double result_row_precision(const result_row *row)
{
    stats_interval interval = stats_median_interval(row->samples_ns, row->samples);
    double half_width = (interval.high - interval.low) / 2 / interval.median;
    return isfinite(half_width) ? half_width : INFINITY;
}

/* Of the differences, since what drifts is in both of a pair; NAN without memory for them. */
static double median_net_ns(const result_row *row)
{
    double *net = malloc(row->clock_samples * sizeof *net);
    if (net == NULL)
        return NAN;
    for (size_t i = 0; i < row->clock_samples; i++)
        net[i] = row->wall_samples_ns[i] - row->empty_samples_ns[i];
    const double median = stats_median_interval(net, row->clock_samples).median;
    free(net);
    return median;
}

static void finish_clocks(result_row *row)
{
    if (row->clock != NULL && strcmp(row->clock, "gpu_timestamp") == 0)
        row->device_ns = row->median_ns;
    else
        row->wall_ns = row->median_ns;
    if (row->clock_samples == 0)
        return;
    row->wall_ns = stats_median_interval(row->wall_samples_ns, row->clock_samples).median;
    row->empty_ns = stats_median_interval(row->empty_samples_ns, row->clock_samples).median;
    row->wall_net_ns = median_net_ns(row);
}

void result_row_finish(result_row *row)
{
    if (row->status == ATTN_OK) {
        stats_interval interval = stats_median_interval(row->samples_ns, row->samples);
        if (row->samples == 0) {
            row->status = attn_because(&row->why, ATTN_ERROR, "the timing engine gave no sample");
        } else if (!(interval.median > 0)) {
            row->status = attn_because(&row->why, ATTN_ERROR,
                                       "zero elapsed ticks: the clock did not move in one run");
        } else {
            row->median_ns = interval.median;
            row->ci_low_ns = interval.low;
            row->ci_high_ns = interval.high;
            finish_clocks(row);
            if (row->flops > 0) /* a mask may leave nothing to compute */
                row->gflops = (double)row->flops / interval.median; /* FLOP per ns */
            if (row->bytes > 0)
                row->gb_per_s = (double)row->bytes / interval.median;
        }
    }
    if (row->status != ATTN_OK)
        result_row_free(row);
}

void result_row_judge(result_row *row, const result_row *mac, const result_row *read)
{
    if (row->status != ATTN_OK)
        return;
    row->roof_gflops = mac != NULL && mac->status == ATTN_OK ? mac->gflops : NAN;
    row->roof_share = row->gflops / row->roof_gflops;
    row->roof_gb_per_s = read != NULL && read->status == ATTN_OK ? read->gb_per_s : NAN;
    row->bandwidth_share = row->gb_per_s / row->roof_gb_per_s;
    /* Seconds that each roof would take. */
    const double mac_s = (double)row->flops / row->roof_gflops;
    const double read_s = (double)row->bytes / row->roof_gb_per_s;
    row->bound = isfinite(read_s) && !(mac_s >= read_s) ? ATTN_ROOF_READ : ATTN_ROOF_MAC;
}

const char *result_row_bound(const result_row *row)
{
    return attn_roof_kind_name(row->bound);
}

double result_row_intensity(const result_row *row)
{
    const bool known = !row->roof && row->flops > 0 && row->bytes > 0;
    return known ? (double)row->flops / (double)row->bytes : NAN;
}

void result_row_compare(result_row *row, const result_row *library, uint64_t seed)
{
    if (row->status != ATTN_OK)
        return;
    stats_ratio ratio = {1, 1, 1}; /* to itself, whatever the noise */
    if (row != library)
        ratio = stats_median_ratio(library->samples_ns, library->samples, row->samples_ns,
                                   row->samples, seed);
    row->library = library->kernel;
    row->library_ratio = ratio.value;
    row->library_ratio_low = ratio.low;
    row->library_ratio_high = ratio.high;
}

bool result_row_alarming(const result_row *row)
{
    return attn_status_alarming(row->status);
}
