/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/tune_work.h"

#include <stdlib.h>
#include <string.h>

#include "harness/progress.h"

enum { DEFAULTS = 3 };
static const char *const gpu_defaults[DEFAULTS] = {"h=8,n=1024,d=64", "h=8,n=1024,d=128",
                                                   "h=32,hk=8,n=1,m=8192,split=512,d=128"};
/* A CPU has fewer cores to fill, and slow kernels run to their end. */
static const char *const software_defaults[DEFAULTS] = {"h=2,n=512,d=64", "h=2,n=512,d=128",
                                                        "h=8,hk=2,n=1,m=4096,split=512,d=128"};

attn_status tune_workloads_add(tune_workloads *workloads, const char *text, attn_reason *why)
{
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_status status = attn_workload_parse(text, list, &count, why);
    for (size_t i = 0; status == ATTN_OK && i < count; i++) {
        const gpu_class class = gpu_class_of(&list[i]);
        if (attn_flops(&list[i]) == 0)
            return attn_because(why, ATTN_ERROR, "%.100s: no query sees a key", text);
        for (size_t j = 0; status == ATTN_OK && j < workloads->count; j++)
            if (gpu_class_equal(class, gpu_class_of(&workloads->list[j])))
                status = attn_because(why, ATTN_ERROR,
                                      "%.100s: one workload of a class (head sizes to %u, %s than "
                                      "%d rows per key head) is enough, this is the second",
                                      text, (unsigned)class.head, class.few ? "fewer" : "no fewer",
                                      GPU_CLASS_ROWS);
        if (status == ATTN_OK)
            workloads->list[workloads->count++] = list[i]; /* there are fewer classes than room */
    }
    return status;
}

/* The workloads for a device; list[ATTN_MAX_SWEEP]. */
static size_t workloads_for(const tune_workloads *workloads, bool software, attn_workload *list)
{
    tune_workloads own = {.count = 0};
    attn_reason why;
    if (workloads->count == 0)
        for (size_t i = 0; i < DEFAULTS; i++)
            tune_workloads_add(&own, (software ? software_defaults : gpu_defaults)[i], &why);
    const tune_workloads *from = workloads->count > 0 ? workloads : &own;
    memcpy(list, from->list, from->count * sizeof *list);
    return from->count;
}

/* Adds what the device's kernels can do with a workload: those of contract X take it in f16, where
 * it does not say otherwise. */
static void add_items(const registry *r, const cli_list *globs, const char *device,
                      const attn_workload *w, attn_dtype dtype, tune_work *work)
{
    attn_reason why;
    for (size_t i = 0; i < r->count; i++) {
        const attn_kernel *kernel = &r->kernels[i];
        if (strcmp(kernel->device, device) != 0 || kernel->unavailable ||
            !registry_matches(kernel, globs->items, globs->count) ||
            attn_contract_takes(kernel->contract, dtype, &why) != ATTN_OK)
            continue;
        work->items[work->count] = (tune_item){kernel, *w};
        work->items[work->count++].w.dtype = dtype;
    }
}

static void add_unavailable(const registry *r, const cli_list *globs, tune_work *work)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->kernels[i].unavailable &&
            registry_matches(&r->kernels[i], globs->items, globs->count))
            work->items[work->count++].kernel = &r->kernels[i];
}

attn_status tune_work_plan(tune_work *work, const registry *r, const tune_workloads *workloads,
                           const cli_list *globs, attn_reason *why)
{
    const size_t most = 2 * ATTN_MAX_SWEEP * r->count + 1;
    attn_workload list[ATTN_MAX_SWEEP];
    work->items = calloc(most, sizeof *work->items);
    if (!work->items)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    add_unavailable(r, globs, work);
    for (size_t d = 0; d < gpu_device_count(r->gpu); d++) {
        const gpu_device_info *info = gpu_device(r->gpu, d);
        const size_t count = workloads_for(workloads, info->software, list);
        for (size_t i = 0; i < count; i++) {
            add_items(r, globs, info->selector, &list[i], list[i].dtype, work);
            if (list[i].dtype == ATTN_F32)
                add_items(r, globs, info->selector, &list[i], ATTN_F16, work);
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
static bool same_case(const tune_item *a, const tune_item *b)
{
    return strcmp(a->kernel->device, b->kernel->device) == 0 && attn_workload_same(&a->w, &b->w);
}

void tune_work_measure(tune_work *work, double budget_s)
{
    tune_case c;
    attn_status status = ATTN_UNAVAILABLE;
    attn_reason why = {""};
    const tune_item *opened = NULL;
    for (size_t i = 0; i < work->count; i++) {
        const tune_item *item = &work->items[i];
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

void tune_work_free(tune_work *work)
{
    free(work->items);
    free(work->groups);
    free(work->best);
    *work = (tune_work){.count = 0};
}
