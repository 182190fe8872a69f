/* SPDX-License-Identifier: Apache-2.0
 *
 * One row of the oracle at work: what its values (oracle.c) and their bound (oracle_bound.c)
 * share. Internal to attn/oracle*.c.
 */
#ifndef ATTN_ORACLE_ROW_H
#define ATTN_ORACLE_ROW_H

#include "attn/oracle.h"

#define LEAST_NORMAL 0x1p-126

/* What is known of the output elements, [dv] each. */
typedef struct oracle_columns {
    double *sum, *lost; /* compensated: the value is their sum */
    double *absolute;   /* sum w |v| */
    double *deviation;  /* sum w |e| |v - out| */
    double *farthest;   /* max |v - out| */
    double *special;    /* 0, or what visible NaN and inf in V make of the output */
} oracle_columns;

/* One row. Arrays are indexed by key - span.lo. */
typedef struct oracle_row {
    const attn_workload *w;
    const attn_inputs *in;
    uint32_t batch, head, query;
    bool any_order; /* else the contract's */
    attn_span span;
    double *score, *score_error;
    double *log_error;  /* L_j */
    double *weight;     /* w_j: takes the place of score */
    double *weight_off; /* largest |w_j e_j|: takes the place of score_error */
    oracle_columns columns;
    double max, max_error; /* of the scores; the largest score error */
    double total_off;      /* sum of weight_off */
    uint32_t rescales;     /* most factors that any weight meets after its own block */
} oracle_row;

/* The largest relative change by so many roundings. */
double oracle_rise(double roundings);
/* From scores and their errors: fills log_error and rescales. */
void oracle_log_errors(oracle_row *r);
/* From weights, their changes and the columns: the bound of each value in out, which visible NaN
 * and inf in V replace. */
void oracle_bound(const oracle_row *r, double *out, double *bound);

#endif
