/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark tune: which sizes of the Vulkan kernels are the fastest on each device, for the commands
 * that run them to use.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli.h"
#include "harness/progress.h"
#include "harness/registry.h"
#include "harness/tune.h"
#include "harness/tuning.h"

#define DEFAULT_BUDGET_S 300

/* Heads enough to fill a GPU; on a device that runs on the CPU two are as good, and faster. */
#define DEFAULT_FEW "h=32,hk=8,n=1,m=8192,split=512,d=128"
#define GPU_HEADS   "h=8,"
#define CPU_HEADS   "h=2,"
#define DEFAULT_64  "n=1024,d=64"
#define DEFAULT_128 "n=1024,d=128"

typedef struct request {
    cli_list kernels, workloads;
    char *device;
    double budget_s;
    attn_workload list[ATTN_MAX_SWEEP]; /* of all --workload texts */
    size_t count;
} request;

/* One kernel on one workload. */
typedef struct item {
    const attn_kernel *kernel;
    attn_workload w;
} item;

typedef struct work {
    item *items; /* those of one device, workload and data type one after the other */
    size_t count;
    tune_group *groups; /* one per item */
    bool *best;
} work;

static attn_status add_workload(request *q, const char *text, attn_reason *why)
{
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_status status = attn_workload_parse(text, list, &count, why);
    for (size_t i = 0; status == ATTN_OK && i < count; i++) {
        const gpu_class class = gpu_class_of(&list[i]);
        for (size_t j = 0; status == ATTN_OK && j < q->count; j++)
            if (gpu_class_equal(class, gpu_class_of(&q->list[j])))
                status = attn_because(why, ATTN_ERROR,
                                      "%.100s: one workload of a class (head sizes to %u, %s than "
                                      "%d rows per key head) is enough, this is the second",
                                      text, (unsigned)class.head, class.few ? "fewer" : "no fewer",
                                      GPU_CLASS_ROWS);
        if (status == ATTN_OK)
            q->list[q->count++] = list[i]; /* there are fewer classes than room */
    }
    return status;
}

/* -1 to go on, else the exit status. */
static int check_request(request *q)
{
    attn_reason why;
    for (size_t i = 0; i < q->workloads.count; i++)
        if (add_workload(q, q->workloads.items[i], &why) != ATTN_OK)
            return cli_usage("--workload: %s", why.text);
    if (!(q->budget_s > 0) || !isfinite(q->budget_s))
        return cli_usage("--budget: want a positive number of seconds");
    return -1;
}

/* The workloads for a device; list[ATTN_MAX_SWEEP]. */
static size_t workloads_for(const request *q, bool software, attn_workload *list)
{
    static const char *const defaults[2][3] = {
        {GPU_HEADS DEFAULT_64, GPU_HEADS DEFAULT_128, DEFAULT_FEW},
        {CPU_HEADS DEFAULT_64, CPU_HEADS DEFAULT_128, DEFAULT_FEW}};
    request own = {.count = 0};
    attn_reason why;
    if (q->count == 0)
        for (size_t i = 0; i < 3; i++)
            add_workload(&own, defaults[software][i], &why);
    const request *from = q->count > 0 ? q : &own;
    memcpy(list, from->list, from->count * sizeof *list);
    return from->count;
}

/* Adds what the device's kernels can do with a workload: those of contract X take it in f16, where
 * it does not say otherwise. */
static void add_items(const registry *r, const request *q, const char *device,
                      const attn_workload *w, attn_dtype dtype, work *work)
{
    attn_reason why;
    for (size_t i = 0; i < r->count; i++) {
        const attn_kernel *kernel = &r->kernels[i];
        if (strcmp(kernel->device, device) != 0 || kernel->unavailable ||
            !registry_matches(kernel, q->kernels.items, q->kernels.count) ||
            attn_contract_takes(kernel->contract, dtype, &why) != ATTN_OK)
            continue;
        work->items[work->count] = (item){kernel, *w};
        work->items[work->count++].w.dtype = dtype;
    }
}

static void add_unavailable(const registry *r, const request *q, work *work)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->kernels[i].unavailable &&
            registry_matches(&r->kernels[i], q->kernels.items, q->kernels.count))
            work->items[work->count++].kernel = &r->kernels[i];
}

static attn_status plan_work(const registry *r, const request *q, work *work, attn_reason *why)
{
    const size_t most = 2 * ATTN_MAX_SWEEP * r->count + 1;
    attn_workload list[ATTN_MAX_SWEEP];
    work->items = calloc(most, sizeof *work->items);
    if (!work->items)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    add_unavailable(r, q, work);
    for (size_t d = 0; d < gpu_device_count(r->gpu); d++) {
        const gpu_device_info *info = gpu_device(r->gpu, d);
        const size_t count = workloads_for(q, info->software, list);
        for (size_t i = 0; i < count; i++) {
            add_items(r, q, info->selector, &list[i], list[i].dtype, work);
            if (list[i].dtype == ATTN_F32)
                add_items(r, q, info->selector, &list[i], ATTN_F16, work);
        }
    }
    work->groups = calloc(work->count + 1, sizeof *work->groups);
    work->best = calloc(work->count + 1, sizeof *work->best);
    if (!work->groups || !work->best)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    return work->count > 0 ? ATTN_OK
                           : attn_because(why, ATTN_ERROR,
                                          "--kernel: no kernel of a Vulkan device matches (see "
                                          "'attnmark list')");
}

/* Do two items have their tensors in common, and the device whose answers are compared? */
static bool same_case(const item *a, const item *b)
{
    char text_a[ATTN_WORKLOAD_TEXT], text_b[ATTN_WORKLOAD_TEXT];
    return strcmp(a->kernel->device, b->kernel->device) == 0 &&
           strcmp(attn_workload_format(&a->w, text_a), attn_workload_format(&b->w, text_b)) == 0;
}

static void measure(work *work, double budget_s)
{
    tune_case c;
    attn_status status = ATTN_UNAVAILABLE;
    attn_reason why = {""};
    const item *opened = NULL;
    for (size_t i = 0; i < work->count; i++) {
        const item *item = &work->items[i];
        tune_group *group = &work->groups[i];
        *group = (tune_group){.kernel = item->kernel, .w = item->w};
        if (item->kernel->unavailable) {
            group->status =
                attn_because(&group->why, ATTN_UNAVAILABLE, "%s", item->kernel->unavailable);
            continue;
        }
        const progress line = {
            (unsigned)i, (unsigned)work->count, item->kernel->name, item->w.n, item->w.m, -1};
        progress_show(&line, true);
        if (!opened || !same_case(item, opened)) {
            if (status == ATTN_OK)
                tune_case_close(&c);
            status = tune_case_open(&c, &item->w, &why);
            opened = item;
        }
        group->status = status;
        group->why = why;
        if (status == ATTN_OK)
            tune_group_run(group, item->kernel, &c, &budget_s, work->count - 1 - i);
    }
    if (status == ATTN_OK)
        tune_case_close(&c);
    progress_clear();
}

static const gpu_device_info *find_device(const registry *r, const char *selector)
{
    for (size_t i = 0; i < gpu_device_count(r->gpu); i++)
        if (strcmp(gpu_device(r->gpu, i)->selector, selector) == 0)
            return gpu_device(r->gpu, i);
    return NULL;
}

/* Into the file as it is now: others may have written to it in the meantime. */
static attn_status store_choices(const registry *r, work *work, const char *file, size_t *stored,
                                 attn_reason *why)
{
    gpu_tuning tuning;
    gpu_choice choice;
    *stored = 0;
    attn_status status = tuning_read(file, &tuning, why);
    for (size_t i = 0; status == ATTN_OK && i < work->count; i++) {
        if (!tune_group_choice(&work->groups[i], &choice))
            continue;
        gpu_tuned *tuned = tuning_entry(&tuning, find_device(r, work->items[i].kernel->device));
        if (!tuned || !tuning_set(tuned, &choice))
            status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the choices");
        ++*stored;
    }
    for (size_t i = 0; i < tuning.count; i++)
        gpu_tuned_mark_best(&tuning.devices[i]);
    for (size_t i = 0; status == ATTN_OK && i < work->count; i++)
        if (work->groups[i].chosen)
            work->best[i] =
                gpu_tuning_find(
                    gpu_tuning_device(&tuning, find_device(r, work->items[i].kernel->device)),
                    work->items[i].kernel->name, &work->items[i].w)
                    ->best;
    if (status == ATTN_OK && *stored > 0)
        status = tuning_write(file, &tuning, why);
    tuning_free(&tuning);
    return status;
}

static int report(const registry *r, work *work, const char *file)
{
    attn_reason why;
    size_t stored, alarms = 0;
    const attn_status status = store_choices(r, work, file, &stored, &why);
    tune_table(work->groups, work->best, work->count); /* also what could not be stored */
    for (size_t i = 0; i < work->count; i++)
        alarms += tune_group_alarming(&work->groups[i]);
    fflush(stdout);
    if (status != ATTN_OK)
        return cli_usage("%s", why.text);
    if (alarms > 0)
        printf("\n%zu kernel%s went wrong: see the notes.\n", alarms, alarms == 1 ? "" : "s");
    if (stored > 0)
        printf("\nStored in %s\n", file);
    else
        fputs("attnmark: nothing was tuned, nothing is stored: see the notes\n", stderr);
    return alarms > 0 || stored == 0 ? EXIT_MISMATCH : EXIT_OK;
}

/* The place of the file, and what is in it, are checked before anything is measured. */
static attn_status check_file(const char **file, char path[TUNING_PATH], attn_reason *why)
{
    gpu_tuning before;
    attn_status status = tuning_path(path, file, why);
    if (status == ATTN_OK && !*file)
        status = attn_because(why, ATTN_ERROR,
                              "no place for the choices: set ATTNMARK_TUNING to a file");
    if (status == ATTN_OK)
        status = tuning_read(*file, &before, why);
    if (status != ATTN_OK)
        return status;
    tuning_free(&before);
    return tuning_writable(*file, why);
}

static int tune(const request *q)
{
    char path[TUNING_PATH];
    const char *file;
    registry r;
    attn_reason why;
    work work = {.count = 0};
    if (check_file(&file, path, &why) != ATTN_OK ||
        registry_open(&r, q->device ? q->device : "vk", NULL, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    int exit_status = EXIT_OK;
    if (!r.gpu) {
        exit_status = cli_usage("--device %s: sizes are tuned on Vulkan devices", q->device);
    } else if (plan_work(&r, q, &work, &why) != ATTN_OK) {
        exit_status = cli_usage("%s", why.text);
    } else {
        measure(&work, q->budget_s);
        exit_status = report(&r, &work, file);
    }
    free(work.items);
    free(work.groups);
    free(work.best);
    return registry_finish(&r, exit_status);
}

static bool take(void *context, int val, const char *argument)
{
    request *q = context;
    if (cli_list_add(val == 'k' ? &q->kernels : &q->workloads, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

int cmd_tune(int argc, const char **argv)
{
    request q = {.budget_s = DEFAULT_BUDGET_S};
    const struct poptOption options[] = {
        {"device", 0, POPT_ARG_STRING, &q.device, 0,
         "a Vulkan device by index, UUID or part of its name (default: vk, all)", "SEL"},
        {"kernel", 0, POPT_ARG_STRING, NULL, 'k',
         "only kernels whose name (or device/name) matches; may be repeated", "GLOB"},
        {"workload", 0, POPT_ARG_STRING, NULL, 'w',
         "instead of the defaults, for its class; may be repeated", "TEXT"},
        {"budget", 0, POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &q.budget_s, 0,
         "seconds of timing in all; preparation and checks come on top", "SECONDS"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "[--device SEL] [--kernel GLOB]...", take, &q);
    if (status < 0)
        status = check_request(&q);
    if (status < 0)
        status = tune(&q);
    cli_list_free(&q.kernels);
    cli_list_free(&q.workloads);
    free(q.device);
    return status;
}
