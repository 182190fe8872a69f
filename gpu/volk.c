/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry points of Vulkan, loaded at run time.
 */
#define VOLK_IMPLEMENTATION
#include <volk.h>
