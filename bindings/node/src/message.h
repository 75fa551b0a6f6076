// SPDX-License-Identifier: MIT
//
// Messages of libalba name its C functions; a program in JavaScript knows them by other names. Any
// thread.

#ifndef ALBA_NODE_MESSAGE_H_
#define ALBA_NODE_MESSAGE_H_

#include <stddef.h>

// Turns "wgpuBufferMapAsync" to "GPUBuffer.mapAsync" and "WGPUMapMode_Read" to "GPUMapMode.READ", in
// place, and returns the new length, which is no greater. What stands in double quotes, labels and
// names of the shader's, stays. A name that JavaScript does not have stays as well.
size_t message_translate(char *text, size_t length);

#endif // ALBA_NODE_MESSAGE_H_
