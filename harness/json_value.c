/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_value_text(const char *text)
{
    if (text == NULL || text[0] == '\0')
        return json_null();
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *ascii = strdup(text);
    if (ascii == NULL)
        return json_null();
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = json_string(ascii);
    free(ascii);
    return value != NULL ? value : json_null();
}

json_t *json_value_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_value_count(uint64_t value)
{
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

char *json_value_line(const json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
}
