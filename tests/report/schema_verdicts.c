/* SPDX-License-Identifier: Apache-2.0
 *
 * schema_verdicts: reads lines of JSON, writes 1 for each that obeys the schema of run.jsonl in the
 * program, 0 for each that does not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/report/schema_check.h"

int main(void)
{
    attn_reason why;
    schema *s;
    char *text = NULL;
    size_t room = 0;
    if (schema_open_run(&s, &why) != ATTN_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    while (getline(&text, &room, stdin) > 0) {
        json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
        printf("%d\n", value != NULL && schema_check(s, NULL, value, &why) == ATTN_OK);
        json_decref(value);
    }
    free(text);
    schema_free(s);
    return 0;
}
