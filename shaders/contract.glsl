/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of docs/numerics.md. CONTRACT_F is defined for contract F, whose
 * multiply-accumulate is fused; contracts M and X round the product. CONTRACT_X is defined for
 * contract X: 16-bit storage, weights of 12 bits. Every intermediate is `precise`, so that no
 * compiler contracts or reorders it. Comparisons that decide about NaN and infinities look at
 * bits: devices may treat such values as they like.
 */
#ifdef CONTRACT_F
#define CONTRACT_MAC(a, b, c) fma(a, b, c)
#else
#define CONTRACT_MAC(a, b, c) ((a) * (b) + (c))
#endif

float mac(float a, float b, float c)
{
    precise float r = CONTRACT_MAC(a, b, c);
    return r;
}

vec4 mac(vec4 a, vec4 b, vec4 c)
{
    precise vec4 r = CONTRACT_MAC(a, b, c);
    return r;
}

float multiply(float a, float b)
{
    precise float r = a * b;
    return r;
}

vec4 multiply(vec4 a, vec4 b)
{
    precise vec4 r = a * b;
    return r;
}

float add(float a, float b)
{
    precise float r = a + b;
    return r;
}

vec4 add(vec4 a, vec4 b)
{
    precise vec4 r = a + b;
    return r;
}

float subtract(float a, float b)
{
    precise float r = a - b;
    return r;
}

/* E2(x) = 2^x for finite x <= 0. t - magic is taken from the bits, where it is exact: some drivers
 * unroll loops with spirv-opt, which drops the decoration behind `precise`, and then fold
 * (x + magic) - magic into x. */
float e2(float x)
{
    uint t = floatBitsToUint(add(x, uintBitsToFloat(ATTN_E2_MAGIC_BITS)));
    float f = subtract(x, float(int(t - ATTN_E2_MAGIC_BITS)));
    float y = uintBitsToFloat(ATTN_E2_C6_BITS);
    y = mac(y, f, uintBitsToFloat(ATTN_E2_C5_BITS));
    y = mac(y, f, uintBitsToFloat(ATTN_E2_C4_BITS));
    y = mac(y, f, uintBitsToFloat(ATTN_E2_C3_BITS));
    y = mac(y, f, uintBitsToFloat(ATTN_E2_C2_BITS));
    y = mac(y, f, uintBitsToFloat(ATTN_E2_C1_BITS));
    y = mac(y, f, 1.0);
    y = multiply(y, uintBitsToFloat(t << 23));
    return x < uintBitsToFloat(ATTN_E2_MIN_BITS) ? 0.0 : y;
}

float newton_step(float l, float r)
{
    return mac(r, mac(-l, r, 1.0), r);
}

/* RECIP(l) = 1/l for l >= 1 */
float recip(float l)
{
    float r = uintBitsToFloat(ATTN_RECIP_SEED - floatBitsToUint(l));
    return newton_step(l, newton_step(l, newton_step(l, r)));
}

/* Row maxima are kept as unsigned integers that order like the scores. NaN and +inf, which make a
 * row NaN, become the largest key and so stick; -inf, and no score at all, is KEY_NONE. */
#define KEY_NONE 0x007fffffu
#define KEY_BAD 0xffffffffu

uint score_key(float score)
{
    uint bits = floatBitsToUint(score);
    if ((bits & 0x7fffffffu) >= 0x7f800000u)
        return bits == ATTN_NEG_INF_BITS ? KEY_NONE : KEY_BAD;
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/* The finite score of a key other than KEY_NONE and KEY_BAD */
float key_score(uint key)
{
    return uintBitsToFloat((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key);
}

/* E2 of how far the score of one key lies below that of another; 0 from KEY_NONE. */
float weight_below(uint key, uint maximum)
{
    return key == KEY_NONE ? 0.0 : e2(subtract(key_score(key), key_score(maximum)));
}

/* Contract X rounds weights to 12 significant bits, ties to even. No weight is NaN but in rows that
 * become NaN by their maximum. */
float round_weight(float p)
{
#ifdef CONTRACT_X
    uint bits = floatBitsToUint(p);
    p = uintBitsToFloat((bits + 0x7ffu + (bits >> 12 & 1u)) & ~0xfffu);
#endif
    return p;
}

/* The weight of a key */
float key_weight(uint key, uint maximum)
{
    return round_weight(weight_below(key, maximum));
}

/* The same of a score itself, which is -inf where its key is hidden */
float score_weight(float score, uint maximum)
{
    float p = e2(subtract(score, key_score(maximum)));
    return round_weight(floatBitsToUint(score) == ATTN_NEG_INF_BITS ? 0.0 : p);
}
