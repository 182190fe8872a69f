/* SPDX-License-Identifier: Apache-2.0
 *
 * The dispatches of an online softmax.
 */
#include <inttypes.h>

#include "gpu/plan.h"

/* States that a plan keeps at a time: more splits take turns. */
#define MOST_STATE_BYTES (UINT64_C(256) << 20)
#define MOST_SLOTS       4096

/* FLOPs of merge.comp for one slot and output element. */
#define MERGE_WORK 32

/* What is the same for all pieces. */
typedef struct layout {
    const gpu_online *online;
    uint64_t all;    /* keys, in whole blocks */
    uint64_t split;  /* keys of a split, in whole blocks */
    uint64_t splits; /* 1: nothing to merge */
    uint64_t slots;
    uint64_t most_keys; /* of one dispatch and slot, by the loop limit */
    double key_work;    /* FLOPs of a workgroup for one key */
    bool resumes;       /* scratch holds a state for every row of a head */
    bool stacked;       /* rows of the query heads that share a key head make one run */
} layout;

static uint64_t row_state_bytes(const attn_workload *w)
{
    return 4 * STATE_WORDS((uint64_t)w->dv);
}

static void set_layout(const gpu_limits *limits, const attn_workload *w, const gpu_online *online,
                       layout *l)
{
    const uint64_t fit = (limits->loops - online->other_loops - 1) / (1 + online->block_loops);
    l->online = online;
    l->all = gpu_ceil_div(w->m, ATTN_BK) * ATTN_BK;
    l->split = w->split ? gpu_smaller(w->split, l->all) : l->all;
    l->splits = gpu_ceil_div(l->all, l->split);
    l->most_keys = gpu_smaller(fit, l->split / ATTN_BK) * ATTN_BK;
    l->key_work = 2.0 * online->tile_q * ((double)w->d + w->dv);
}

/* Heads of a piece whose states scratch can hold, where they are needed: a running one, and two
 * merged. */
static attn_status most_heads(const gpu_limits *limits, const attn_workload *w, layout *l,
                              uint64_t *heads, attn_reason *why)
{
    const uint64_t bytes = (l->splits > 1 ? 3 : 1) * w->n * row_state_bytes(w);
    l->resumes = bytes <= limits->range;
    *heads = l->resumes ? limits->range / bytes : UINT64_MAX;
    if (!l->resumes && (l->splits > 1 || l->most_keys < l->all))
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " bytes of scratch for a head, the device binds "
                            "%" PRIu64,
                            bytes, limits->range);
    return ATTN_OK;
}

/* As many splits side by side as scratch holds; the merged states need room where they take turns.
 */
static void set_slots(const gpu_limits *limits, const attn_workload *w, uint64_t heads, layout *l)
{
    const uint64_t most = gpu_larger(MOST_STATE_BYTES, 3 * heads * w->n * row_state_bytes(w));
    const uint64_t fit = gpu_smaller(limits->range, most) / (heads * w->n * row_state_bytes(w));
    l->slots = gpu_smaller(l->splits, MOST_SLOTS);
    l->slots = gpu_smaller(l->slots, limits->loops / 2);
    if (fit < l->slots || l->slots < l->splits)
        l->slots = gpu_smaller(l->slots, gpu_larger(fit, 3) - 2);
}

/* Keys of one dispatch and slot: all that the loop limit allows while there is work for every part
 * of the device within the limit of a dispatch, else fewer. */
static uint64_t dispatch_keys(const gpu_limits *limits, const layout *l, uint64_t groups)
{
    const double busy = (double)gpu_smaller(groups, limits->fill);
    const double fit = (double)limits->work / (l->key_work * busy * ATTN_BK);
    if (!l->resumes || fit >= (double)(l->most_keys / ATTN_BK))
        return l->most_keys;
    return (fit < 1 ? 1 : (uint64_t)fit) * ATTN_BK;
}

/* The splits of one turn: their keys in one or several dispatches. */
static attn_status add_turn(const gpu_limits *limits, const layout *l, uint64_t groups,
                            uint64_t first_split, gpu_step *step, gpu_plan *plan, attn_reason *why)
{
    const uint64_t keys = dispatch_keys(limits, l, groups);
    const uint64_t split_begin = first_split * l->split;
    const uint64_t longest =
        gpu_smaller(l->split, l->all - split_begin); /* the last split may be shorter */
    attn_status status = ATTN_OK;
    for (uint64_t begin = 0; begin < longest && status == ATTN_OK; begin += keys) {
        const uint64_t end = gpu_smaller(begin + keys, longest);
        step->push.key_begin = (uint32_t)(split_begin + begin);
        step->push.key_end = (uint32_t)(split_begin + end);
        step->push.flags =
            (begin > 0 ? STATE_RESUME : 0) | (l->splits == 1 && end == longest ? STATE_FINISH : 0);
        const double work = l->key_work * (double)(end - begin);
        status = gpu_plan_add(limits, step, groups, work, plan, why);
    }
    return status;
}

static attn_status add_merge(const gpu_limits *limits, const attn_workload *w, const layout *l,
                             uint64_t turn, gpu_step step, gpu_plan *plan, attn_reason *why)
{
    const uint64_t elements = (uint64_t)step.push.rows * w->dv;
    const bool last = (turn + 1) * l->slots >= l->splits;
    step.pass = GPU_PASS_MERGE;
    step.push.flags =
        (turn > 0 ? STATE_RESUME : 0) | (last ? STATE_FINISH : 0) | (turn % 2 ? STATE_SECOND : 0);
    plan->merges = true;
    return gpu_plan_add(limits, &step, gpu_ceil_div(elements, MERGE_LOCAL),
                        (double)MERGE_WORK * MERGE_LOCAL * step.push.count, plan, why);
}

static attn_status add_piece(const gpu_limits *limits, const attn_workload *w, const layout *l,
                             uint32_t piece, gpu_plan *plan, attn_reason *why)
{
    gpu_step step = {.piece = piece, .push = gpu_plan_push(plan, w, piece)};
    step.push.stack = l->stacked ? w->h / w->hk : 1;
    step.push.split = (uint32_t)l->split;
    step.push.slots = (uint32_t)l->slots;
    const uint64_t run = (uint64_t)w->n * step.push.stack;
    const uint64_t groups = step.push.rows / run * gpu_ceil_div(run, l->online->tile_q);
    attn_status status = ATTN_OK;
    for (uint64_t turn = 0; turn * l->slots < l->splits && status == ATTN_OK; turn++) {
        const uint64_t first = turn * l->slots;
        const uint32_t slots = (uint32_t)gpu_smaller(l->slots, l->splits - first);
        status = add_turn(limits, l, groups * slots, first, &step, plan, why);
        step.push.count = slots;
        if (status == ATTN_OK && l->splits > 1)
            status = add_merge(limits, w, l, turn, step, plan, why);
    }
    return status;
}

/* Is a state stored by some step? */
static bool stores(const gpu_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!(plan->steps[i].push.flags & STATE_FINISH))
            return true;
    return false;
}

attn_status gpu_plan_online(const gpu_limits *limits, const attn_workload *w,
                            const gpu_online *online, gpu_plan *plan, attn_reason *why)
{
    const uint64_t loops = online->other_loops + gpu_plan_loop(1, online->block_loops);
    uint64_t heads;
    layout l = {0};
    attn_status status = gpu_plan_loops(limits, loops, why);
    if (status == ATTN_OK) {
        set_layout(limits, w, online, &l);
        status = most_heads(limits, w, &l, &heads, why);
    }
    if (status == ATTN_OK)
        status = gpu_plan_pieces(limits, w, heads, plan, why);
    if (status != ATTN_OK)
        return status;
    heads = plan->pieces[0].heads; /* no piece has more */
    set_slots(limits, w, heads, &l);
    l.stacked = w->n < online->tile_q && heads % (w->h / w->hk) == 0;
    for (uint32_t i = 0; i < plan->piece_count && status == ATTN_OK; i++)
        status = add_piece(limits, w, &l, i, plan, why);
    const uint64_t states = l.slots + (l.slots < l.splits ? 2 : 0);
    plan->scratch =
        status == ATTN_OK && stores(plan) ? states * heads * w->n * row_state_bytes(w) : 0;
    if (status != ATTN_OK)
        gpu_plan_free(plan);
    return status;
}
