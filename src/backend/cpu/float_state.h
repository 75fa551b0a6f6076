// SPDX-License-Identifier: MIT
//
// The floating-point state that compiled shaders assume: round to nearest even, subnormals kept, no
// traps. A new thread inherits the state of the thread that made it, so each of ours sets its own.
#pragma once

#include <fenv.h>

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

static inline void cpu_float_state_set(void) {
    fesetenv(FE_DFL_ENV);
#if defined(__SSE__) || defined(_M_X64)
    _mm_setcsr(0x1f80); // exceptions masked, nearest, no flush-to-zero, no denormals-are-zero
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)0));
#endif
}
