// SPDX-License-Identifier: MIT
//
// What kernels depend on beside the shader: a text made by the build of the sources of the compiler
// and the code generator, of LLVM's version, the C compiler and its options. Two builds of one
// source tree by the same tools have the same one. Any thread.
#pragma once

// 64 hexadecimal digits, static.
const char *kernel_build_identity(void);
