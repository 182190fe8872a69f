/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/golden.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/contract.h"
#include "attn/file.h"
#include "attn/tensor.h"
#include "golden_config.h"
#include "harness/verify.h"

/* Lines "F <32 hex digits> <canonical workload>", '#' begins a comment line. */
static const char *const table[] = {GOLDEN_LINES};

enum { LINES = sizeof table / sizeof table[0] };

/* false: a comment. */
static bool read_line(const char *line, golden_entry *entry)
{
    char contract;
    if (sscanf(line, "%c %32[0-9a-f] %1000s", &contract, entry->digest.hex, entry->workload) != 3 ||
        contract == '#')
        return false;
    entry->contract = contract == 'F'   ? ATTN_CONTRACT_F
                      : contract == 'M' ? ATTN_CONTRACT_M
                                        : ATTN_CONTRACT_X;
    return true;
}

bool golden_at(size_t index, golden_entry *entry)
{
    for (size_t i = 0; i < LINES; i++)
        if (read_line(table[i], entry) && index-- == 0)
            return true;
    return false;
}

bool golden_lookup(attn_contract contract, const attn_workload *w, attn_digest *digest)
{
    char text[ATTN_WORKLOAD_TEXT];
    golden_entry entry;
    attn_workload_format(w, text);
    for (size_t i = 0; i < LINES; i++)
        if (read_line(table[i], &entry) && entry.contract == contract &&
            strcmp(entry.workload, text) == 0) {
            *digest = entry.digest;
            return true;
        }
    return false;
}

static attn_status reference_digest(attn_contract contract, const attn_workload *w,
                                    attn_digest *digest, attn_reason *why)
{
    const uint64_t rows = (uint64_t)w->b * w->h * w->n;
    attn_inputs in;
    attn_status status = attn_inputs_make(w, ATTN_GEN_NORMAL, GOLDEN_SEED, &in, why);
    if (status != ATTN_OK)
        return status;
    uint64_t *all = attn_alloc(rows * sizeof *all);
    float *out = attn_alloc(attn_out_elements(w) * sizeof *out);
    if (all && out) {
        for (uint64_t i = 0; i < rows; i++)
            all[i] = i;
        status = verify_reference(contract, w, &in, all, rows, out, why);
    } else {
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for golden digests");
    }
    if (status == ATTN_OK)
        *digest = attn_digest_floats(out, attn_out_elements(w));
    attn_free(all);
    attn_free(out);
    attn_inputs_free(&in);
    return status;
}

static attn_status write_entry(FILE *file, attn_contract contract, const attn_workload *w,
                               bool again, attn_reason *why)
{
    char text[ATTN_WORKLOAD_TEXT];
    attn_digest digest;
    if (again || !golden_lookup(contract, w, &digest)) {
        attn_status status = reference_digest(contract, w, &digest, why);
        if (status != ATTN_OK)
            return status;
        printf("%s %s %s\n", attn_contract_name(contract), digest.hex,
               attn_workload_format(w, text));
        fflush(stdout);
    }
    fprintf(file, "%s %s %s\n", attn_contract_name(contract), digest.hex,
            attn_workload_format(w, text));
    return ATTN_OK;
}

/* Every workload of one line of the list, under every contract of its storage type. */
static attn_status write_line(FILE *file, const char *line, bool again, attn_reason *why)
{
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
    attn_status status = attn_workload_parse(line, list, &count, why);
    for (size_t i = 0; status == ATTN_OK && i < count; i++) {
        if (list[i].dtype != ATTN_F32) {
            status = write_entry(file, ATTN_CONTRACT_X, &list[i], again, why);
            continue;
        }
        status = write_entry(file, ATTN_CONTRACT_F, &list[i], again, why);
        if (status == ATTN_OK)
            status = write_entry(file, ATTN_CONTRACT_M, &list[i], again, why);
    }
    return status;
}

static attn_status write_all(FILE *list, FILE *file, bool again, attn_reason *why)
{
    char line[ATTN_WORKLOAD_TEXT];
    attn_status status = ATTN_OK;
    fprintf(file,
            "# Golden digests of numerics contract %d, made by the scalar reference in full:\n"
            "# contract, XXH3-128 of the canonical output, workload; inputs: generator normal, "
            "seed %d.\n",
            ATTN_CONTRACT_VERSION, GOLDEN_SEED);
    while (status == ATTN_OK && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] && line[0] != '#')
            status = write_line(file, line, again, why);
    }
    if (status == ATTN_OK && ferror(list))
        status = attn_because(why, ATTN_ERROR, "reading the list of workloads failed");
    return status;
}

attn_status golden_write(const char *dir, bool again, attn_reason *why)
{
    char list_path[4096], path[4096];
    attn_file file;
    snprintf(list_path, sizeof list_path, "%s/workloads.txt", dir);
    snprintf(path, sizeof path, "%s/contract-%d.txt", dir, ATTN_CONTRACT_VERSION);
    FILE *list = fopen(list_path, "r");
    if (!list)
        return attn_because(why, ATTN_ERROR, "%s: %s (run --write-golden in the source tree)",
                            list_path, strerror(errno));
    attn_status status = attn_file_create(path, &file, why);
    if (status == ATTN_OK) {
        status = write_all(list, file.stream, again, why);
        if (status == ATTN_OK)
            status = attn_file_commit(&file, why);
        else
            attn_file_abandon(&file);
    }
    fclose(list);
    return status;
}
