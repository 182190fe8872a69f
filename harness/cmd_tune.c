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
#include "harness/registry.h"
#include "harness/tune_work.h"
#include "harness/tuning.h"

#define DEFAULT_BUDGET_S 300

typedef struct request {
    cli_list kernels, texts; /* --kernel, --workload */
    tune_workloads workloads;
    char *device;
    double budget_s;
} request;

/* -1 to go on, else the exit status. */
static int check_request(request *q)
{
    attn_reason why;
    if (getenv("ATTNMARK_GPU_LIMITS"))
        return cli_usage("ATTNMARK_GPU_LIMITS is set: sizes for smaller devices are not stored");
    for (size_t i = 0; i < q->texts.count; i++)
        if (tune_workloads_add(&q->workloads, q->texts.items[i], &why) != ATTN_OK)
            return cli_usage("--workload: %s", why.text);
    if (!(q->budget_s > 0) || !isfinite(q->budget_s))
        return cli_usage("--budget: want a number of seconds above 0");
    return -1;
}

static const gpu_device_info *find_device(const registry *r, const char *selector)
{
    for (size_t i = 0; i < gpu_device_count(r->gpu); i++)
        if (strcmp(gpu_device(r->gpu, i)->selector, selector) == 0)
            return gpu_device(r->gpu, i);
    return NULL;
}

/* Into the file as it is now: others may have written to it in the meantime. */
static attn_status store_choices(const registry *r, tune_work *work, const char *file,
                                 size_t *stored, attn_reason *why)
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
    for (size_t i = 0; status == ATTN_OK && i < work->count; i++) {
        if (!work->groups[i].chosen) /* an unavailable kernel does not even have a workload */
            continue;
        /* None: another version of the same driver had its choices stored in place of these. */
        const gpu_choice *found = gpu_tuning_find(
            gpu_tuning_device(&tuning, find_device(r, work->items[i].kernel->device)),
            work->items[i].kernel->name, &work->items[i].w);
        work->best[i] = found && found->best;
    }
    if (status == ATTN_OK && *stored > 0)
        status = tuning_write(file, &tuning, why);
    tuning_free(&tuning);
    return status;
}

static int report(const registry *r, tune_work *work, const char *file)
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
    tune_work work = {.count = 0};
    if (check_file(&file, path, &why) != ATTN_OK ||
        registry_open(&r, q->device ? q->device : "vk", NULL, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    int exit_status = EXIT_OK;
    if (!r.gpu) {
        exit_status = cli_usage("--device %s: sizes are tuned on Vulkan devices", q->device);
    } else if (tune_work_plan(&work, &r, &q->workloads, &q->kernels, &why) != ATTN_OK) {
        exit_status = cli_usage("%s", why.text);
    } else {
        tune_work_measure(&work, q->budget_s);
        exit_status = report(&r, &work, file);
    }
    tune_work_free(&work);
    return registry_finish(&r, exit_status);
}

static bool take(void *context, int val, const char *argument)
{
    request *q = context;
    if (cli_list_add(val == 'k' ? &q->kernels : &q->texts, argument))
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
         "seconds of timing in all; preparation and checks come on top (above 0)", "SECONDS"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "[--device SEL] [--kernel GLOB]...", take, &q);
    if (status < 0)
        status = check_request(&q);
    if (status < 0)
        status = tune(&q);
    cli_list_free(&q.kernels);
    cli_list_free(&q.texts);
    free(q.device);
    return status;
}
