/* SPDX-License-Identifier: Apache-2.0
 *
 * A decimal point stays a point where the locale writes a comma. Not a cmocka test: exits with 77
 * (skipped) where no such locale is installed.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "attn/workload.h"

int main(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR.utf8"};
    static const char wanted[] =
        "b=1,h=8,hk=8,n=8,m=8,d=64,dv=64,dtype=f32,mask=full,scale=0.25,split=0";
    attn_workload list[ATTN_MAX_SWEEP];
    attn_reason why = {""};
    char text[ATTN_WORKLOAD_TEXT];
    size_t count, i = 0;

    while (i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i]))
        i++;
    if (strcmp(localeconv()->decimal_point, ",") != 0) {
        puts("skipped: no locale with a decimal comma");
        return 77;
    }
    if (attn_workload_parse("n=8,scale=0.25", list, &count, &why) != ATTN_OK) {
        puts(why.text);
        return 1;
    }
    if (list[0].scale != 0.25 || strcmp(attn_workload_format(&list[0], text), wanted) != 0) {
        printf("%s: scale %g, %s\n", names[i], list[0].scale, attn_workload_format(&list[0], text));
        return 1;
    }
    return 0;
}
