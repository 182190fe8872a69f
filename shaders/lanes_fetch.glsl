/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage load of lanes.comp: rows of K and V through texel buffers. Each of WIDTH neighbouring
 * lanes fetches one texel of a row, a shuffle with a constant lane hands an element to all.
 * Texels are of four words where rows are whole texels: one fetch serves 4 or 8 elements per
 * lane and costs little more than one of a single word.
 */
#ifdef CONTRACT_X
const uint WORD_ELEMENTS = 2;
#else
const uint WORD_ELEMENTS = 1;
#endif
const uint ELEMENTS = TEXEL_WORDS == 4 ? 4 * WORD_ELEMENTS : 1; /* of a row, per lane and fetch */
const uint CHUNK = WIDTH * ELEMENTS;                            /* of a row, per fetch */

layout(binding = BIND_K_TEXELS) uniform utextureBuffer k_texels;
layout(binding = BIND_V_TEXELS) uniform utextureBuffer v_texels;

float own[KEYS * ELEMENTS]; /* [key][element]: what this lane fetched, widened */

/* Units of ELEMENTS: where the row of a key starts, in a tensor that begins at element `base`. Keys
 * past the end repeat the last one. */
uint unit_row(uint base, uint key, uint columns)
{
    return base / ELEMENTS + (first_key + min(key, push.m - 1)) * (columns / ELEMENTS);
}

/* ... and the own part of a chunk of that row; lanes past the row's end repeat its last. */
uint own_unit(uint row, uint chunk, uint columns)
{
    return row + min(chunk * WIDTH + own_lane, columns / ELEMENTS - 1);
}

/* A row of an odd size may start within a word. */
int texel_of(uint unit)
{
    return int(TEXEL_WORDS == 4 ? unit : unit / WORD_ELEMENTS);
}

/* Keeps a fetched texel, or zeros, as those of key `k`. */
void keep_own(uvec4 texel, uint unit, uint k, bool zero)
{
    [[unroll]] for (uint i = 0; i < ELEMENTS; i++) {
#ifdef CONTRACT_X
        uint half_word = TEXEL_WORDS == 4 ? i : unit;
        float value = widen(texel[i / 2] >> half_word % 2 * 16);
#else
        float value = uintBitsToFloat(texel[i]);
#endif
        own[k * ELEMENTS + i] = zero ? 0.0 : value;
    }
}

/* Element i of the chunk of key `k`, i and k constant */
float chunk_element(uint k, uint i)
{
    return subgroupShuffle(own[k * ELEMENTS + i % ELEMENTS], i / ELEMENTS);
}
