/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing: what a submission costs beside its work.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x_id = SPEC_LOCAL_X) in;

void main()
{
}
