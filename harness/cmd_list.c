/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark list: every kernel of this machine, and why those that cannot run cannot.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli.h"
#include "harness/registry.h"

static int list(const char *device)
{
    registry r;
    attn_reason why;
    if (registry_open(&r, device, NULL, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    printf("%-7s%-16s%-9s%-9s%-10s%s\n", "device", "kernel", "contract", "tier", "tile", "idea");
    for (size_t i = 0; i < r.count; i++) {
        const attn_kernel *k = &r.kernels[i];
        char tile[24] = "-";
        if (k->tile_q)
            snprintf(tile, sizeof tile, "%ux%u", k->tile_q, k->tile_k);
        printf("%-7s%-16s%-9s%-9s%-10s%s%s\n", k->device, k->name, attn_contract_name(k->contract),
               attn_tier_name(k->tier), tile, k->story, k->software ? " [software device]" : "");
        if (k->unavailable)
            printf("%-7s%-16sunavailable: %s\n", "", "", k->unavailable);
    }
    return registry_finish(&r, EXIT_OK);
}

int cmd_list(int argc, const char **argv)
{
    char *device = NULL;
    const struct poptOption options[] = {
        {"device", 0, POPT_ARG_STRING, &device, 0, "only this device", "SEL"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "[--device SEL]", NULL, NULL);
    if (status < 0)
        status = list(device);
    free(device);
    return status;
}
