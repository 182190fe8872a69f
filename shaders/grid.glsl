/* SPDX-License-Identifier: Apache-2.0
 *
 * Workgroups are numbered 0 .. push.groups - 1; a grid too long for x is folded into y, and then
 * may hold a few more.
 */
uint group_index()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
