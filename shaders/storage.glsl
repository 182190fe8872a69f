/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of Q, K and V as memory holds them, by index. Contracts F and M store binary32. The
 * 16-bit elements of contract X lie two to a word, as on the host, and are widened by integer
 * operations. VK_KHR_16bit_storage would be a feature that devices may lack, and knows no bf16;
 * unpackHalf2x16 may flush subnormal numbers. A row of an odd size may start within a word.
 */
#ifdef CONTRACT_X
#define STORED                 uint
#define ELEMENT(tensor, index) widen(tensor[(index) / 2] >> (index) % 2 * 16)
#define TEXEL(texels, index)   widen(texelFetch(texels, int((index) / 2)).x >> (index) % 2 * 16)

layout(constant_id = SPEC_BF16) const uint BF16 = 0;

/* The value of the low half of a word: exact, NaN and infinities included. */
float widen(uint word)
{
    if (BF16 != 0)
        return uintBitsToFloat(word << 16);
    const uint two_to_minus_24 = 0x33800000u;
    uint sign = (word & 0x8000u) << 16, size = word & 0x7fffu;
    uint bits = (size << 13) + (size < 0x7c00u ? (127u - 15u) << 23 : (255u - 31u) << 23);
    if (size < 0x0400u) /* subnormal or zero: an integer times the smallest number */
        bits = floatBitsToUint(multiply(float(size), uintBitsToFloat(two_to_minus_24)));
    return uintBitsToFloat(sign | bits);
}
#else
#define STORED                 float
#define ELEMENT(tensor, index) tensor[index]
#define TEXEL(texels, index)   uintBitsToFloat(texelFetch(texels, int(index)).x)
#endif
