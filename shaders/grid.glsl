/* SPDX-License-Identifier: Apache-2.0
 *
 * A dispatch takes the workgroups push.group_begin .. push.group_end - 1; a grid too long for x is
 * folded into y, and then may hold a few more.
 */
uint group_index()
{
    return push.group_begin + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
