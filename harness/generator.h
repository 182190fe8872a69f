/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the input generators on command lines.
 */
#ifndef HARNESS_GENERATOR_H
#define HARNESS_GENERATOR_H

#include "attn/inputs.h"

const char *generator_name(attn_generator generator); /* "normal", "peaked", ... */
/* ATTN_ERROR and the allowed names for any other text. */
attn_status generator_parse(const char *text, attn_generator *generator, attn_reason *why);

#endif
