/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans played through without a device, for many workloads and limits: every tile of rows meets
 * every key once, in order, and every output is written once.
 */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gpu/rows.h"

/* What the workgroups of a plan have done so far, of one piece. */
typedef struct board {
    const gpu_plan *plan;
    const attn_workload *w;
    uint64_t tiles;    /* of one slot */
    uint64_t split;    /* keys */
    uint64_t merged;   /* splits */
    uint64_t *reached; /* [slot][tile]: keys of the split so far */
    bool *finished;    /* [tile] */
} board;

static uint64_t split_keys(const board *b, uint64_t split)
{
    const uint64_t begin = split * b->split;
    return begin >= b->w->m ? 0 : gpu_smaller(b->split, b->w->m - begin);
}

static void play_keys(board *b, const gpu_step *step)
{
    const shader_push *push = &step->push;
    const uint64_t first_split = push->key_begin / b->split, from = push->key_begin % b->split;
    const uint64_t to = push->key_end - first_split * b->split;
    assert_true(push->group_begin < push->group_end && from < to);
    assert_true(from % ATTN_BK == 0 && (to % ATTN_BK == 0 || to >= b->w->m % b->split));
    assert_int_equal(first_split, b->merged);
    for (uint64_t group = push->group_begin; group < push->group_end; group++) {
        const uint64_t slot = group / b->tiles, tile = group % b->tiles;
        const uint64_t keys = split_keys(b, first_split + slot);
        assert_true(slot < push->slots);
        uint64_t *reached = &b->reached[group];
        assert_int_equal(!!(push->flags & STATE_RESUME), from > 0);
        assert_true(*reached == from || (from > keys && *reached >= keys));
        *reached = to;
        if (push->flags & STATE_FINISH) {
            assert_true(b->split >= b->w->m && to >= b->w->m && !b->finished[tile]);
            b->finished[tile] = true;
        }
    }
}

static void play_merge(board *b, const gpu_step *step)
{
    const shader_push *push = &step->push;
    const uint64_t elements = (uint64_t)push->rows * b->w->dv;
    const uint64_t turn = b->merged / push->slots;
    const bool last = (b->merged + push->count) * b->split >= b->w->m;
    for (uint64_t i = 0; i < push->count * b->tiles; i++) {
        assert_true(b->reached[i] >= split_keys(b, b->merged + i / b->tiles));
        if (push->group_end * (uint64_t)MERGE_LOCAL >= elements)
            b->reached[i] = 0;
    }
    assert_int_equal(b->merged % push->slots, 0);
    assert_int_equal(!!(push->flags & STATE_RESUME), turn > 0);
    assert_int_equal(!!(push->flags & STATE_SECOND), turn % 2);
    assert_int_equal(!!(push->flags & STATE_FINISH), last);
    if (push->group_end * (uint64_t)MERGE_LOCAL < elements)
        return;
    b->merged += push->count;
    for (uint64_t i = 0; last && i < b->tiles; i++)
        b->finished[i] = true;
}

/* The states that the steps of a piece use lie within scratch. */
static void check_scratch(const gpu_plan *plan, const gpu_step *step)
{
    const shader_push *push = &step->push;
    const bool whole = (push->flags & STATE_FINISH) && !(push->flags & STATE_RESUME);
    uint64_t states = whole ? 0 : push->slots;
    if (step->pass == GPU_PASS_MERGE)
        states = (push->flags & STATE_RESUME) || !(push->flags & STATE_FINISH) ? push->slots + 2
                                                                               : push->slots;
    assert_true(states * push->rows * 4 * STATE_WORDS(plan->specs[SPEC_DV]) <= plan->scratch);
}

static void play_piece(const gpu_plan *plan, const attn_workload *w, uint32_t piece,
                       uint32_t tile_q)
{
    board b = {.plan = plan, .w = w};
    uint32_t end = 0;
    const gpu_step *before = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        const gpu_step *step = &plan->steps[i];
        if (step->piece != piece)
            continue;
        const uint64_t run = (uint64_t)step->push.n * step->push.stack;
        if (!b.reached) {
            assert_int_equal(step->push.rows % run, 0);
            b.split = step->push.split;
            b.tiles = step->push.rows / run * gpu_ceil_div(run, tile_q);
            b.reached = calloc(b.tiles * step->push.slots, sizeof *b.reached);
            b.finished = calloc(b.tiles, sizeof *b.finished);
        }
        /* Without waiting, only the next workgroups of the same dispatch. */
        const bool goes_on = before && step->pass == before->pass &&
                             step->push.key_begin == before->push.key_begin &&
                             step->push.group_begin == end;
        assert_true(step->waits ? step->push.group_begin == 0 : goes_on || i == 0);
        end = step->push.group_end;
        before = step;
        check_scratch(plan, step);
        if (step->pass == GPU_PASS_MERGE)
            play_merge(&b, step);
        else
            play_keys(&b, step);
    }
    assert_non_null(b.finished);
    for (uint64_t i = 0; i < b.tiles; i++)
        assert_true(b.finished[i]);
    free(b.reached);
    free(b.finished);
}

/* Pieces cover the heads in order, bind what belongs to them, and begin where the push says. */
static void check_pieces(const gpu_plan *plan, const gpu_limits *limits, const attn_workload *w)
{
    const uint64_t size = attn_dtype_size(w->dtype), group = w->h / w->hk;
    uint32_t head = 0;
    for (uint32_t i = 0; i < plan->piece_count; i++) {
        const gpu_piece *piece = &plan->pieces[i];
        const shader_push push = gpu_plan_push(plan, w, i);
        const uint64_t key_head = head / group, last = (head + piece->heads - 1) / group;
        assert_int_equal(piece->head, head);
        assert_true(piece->heads > 0);
        assert_int_equal(piece->bound[BIND_Q].offset + size * push.q_at, size * head * w->n * w->d);
        assert_int_equal(piece->bound[BIND_K].offset + size * push.k_at,
                         size * key_head * w->m * w->d);
        assert_int_equal(piece->bound[BIND_V].offset + size * push.v_at,
                         size * key_head * w->m * w->dv);
        assert_int_equal(piece->bound[BIND_OUT].offset + 4 * (uint64_t)push.out_at,
                         4 * (uint64_t)head * w->n * w->dv);
        assert_int_equal((push.head_skip + piece->heads - 1) / group, last - key_head);
        for (uint32_t b = 0; b <= BIND_OUT; b++) {
            assert_int_equal(piece->bound[b].offset % limits->align, 0);
            assert_true(piece->bound[b].bytes <= limits->range);
        }
        assert_true(piece->bound[BIND_V].offset + piece->bound[BIND_V].bytes >=
                    size * (last + 1) * w->m * w->dv);
        head += piece->heads;
    }
    assert_int_equal(head, w->b * w->h);
}

static const uint64_t work_limits[] = {1, 1u << 16, 1u << 20, 1u << 24, GPU_ANY_WORK};
static const uint64_t range_limits[] = {40000, 150000, 1u << 27};
static const uint64_t loop_limits[] = {12000, 49149, UINT64_MAX};

static gpu_limits limits_of(int i)
{
    return (gpu_limits){.shared = 32768,
                        .invocations = 256,
                        .group_x = 256,
                        .group_y = 256,
                        .groups = i % 2 ? 7 : 65535,
                        .range = range_limits[i % 3],
                        .allocation = UINT64_C(1) << 31,
                        .align = i % 4 < 2 ? 4 : 256,
                        .texels = 1u << 27,
                        .width = 8,
                        .loops = loop_limits[i / 3 % 3],
                        .work = work_limits[i / 9 % 5],
                        .fill = i % 5 ? 4 : 1024};
}
enum { LIMITS = 2 * 3 * 3 * 5 * 5 };

/* Rows of a workgroup in a plan. */
static uint32_t tile_rows(const gpu_row *row, const gpu_plan *plan)
{
    const uint32_t *specs = plan->specs;
    return row->plan == gpu_plan_tile     ? specs[SPEC_LOCAL_Y] * specs[SPEC_ROWS]
           : row->plan == gpu_plan_decode ? specs[SPEC_ROWS]
                                          : specs[SPEC_LOCAL_X] * specs[SPEC_ROWS];
}

static unsigned play(const char *text, attn_contract contract)
{
    const attn_workload w = parse_workload(text);
    unsigned played = 0;
    for (size_t r = 0; r < gpu_row_count; r++) {
        const gpu_row *row = &gpu_rows[r];
        for (int i = 0; row->contract == contract && i < LIMITS; i++) {
            const gpu_limits limits = limits_of(i);
            attn_reason why;
            gpu_plan plan;
            if (row->plan(row, &limits, &w, &plan, &why) != ATTN_OK)
                continue;
            check_pieces(&plan, &limits, &w);
            for (uint32_t p = 0; row->plan != gpu_plan_naive && p < plan.piece_count; p++)
                play_piece(&plan, &w, p, tile_rows(row, &plan));
            gpu_plan_free(&plan);
            played++;
        }
    }
    return played;
}

static void every_key_once(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "h=1,n=1,m=1,d=1",
        "h=3,n=70,m=200,d=8,dv=5",
        "b=2,h=6,hk=2,n=33,m=130,d=16",
        "b=2,h=6,hk=2,n=2,m=1000,d=16,split=128",
        "h=4,hk=1,n=100,m=700,d=40,dv=9,split=64",
        "h=8,n=1,m=5000,d=32,split=192",
        "b=5,h=2,hk=2,n=9,m=65,d=7,split=64",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const unsigned played = play(texts[i], ATTN_CONTRACT_M);
        print_message("# %s: %u plans\n", texts[i], played);
        assert_true(played > 100);
    }
    assert_true(play("h=4,hk=2,n=33,m=130,d=5,dv=3,dtype=f16", ATTN_CONTRACT_X) > 100);
}

/* No step does more than the limit, unless it is one workgroup and one block of keys. */
static void work_is_limited(void **state)
{
    (void)state;
    const attn_workload w = parse_workload("h=4,n=500,m=3000,d=64");
    gpu_limits limits = limits_of(2);
    limits.work = 1u << 24;
    for (size_t r = 0; r < gpu_row_count; r++) {
        const gpu_row *row = &gpu_rows[r];
        attn_reason why;
        gpu_plan plan;
        if (row->contract != ATTN_CONTRACT_M)
            continue;
        assert_int_equal(row->plan(row, &limits, &w, &plan, &why), ATTN_OK);
        for (size_t i = 0; i < plan.count; i++)
            assert_true(plan.steps[i].work <= (double)limits.work);
        assert_true(plan.count > 8);
        gpu_plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_once),
        cmocka_unit_test(work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
