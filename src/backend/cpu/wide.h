// SPDX-License-Identifier: MIT
//
// CPU_WIDE before a function: compiled twice, for the baseline and for the wider vectors that most
// processors have; the loader chooses. For loops over rows that compilers turn into vectors. The
// results are the same: nothing is contracted. They are static: not every compiler gives them a name
// that another file could call. Sanitizers' start-up does not bear functions chosen at load time.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CPU_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CPU_SANITIZED
#endif
#endif
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(CPU_SANITIZED)
#define CPU_WIDE __attribute__((target_clones("avx2", "default"))) static
#else
#define CPU_WIDE static
#endif

// Functions of such loops that are called from CPU_WIDE ones: only inside of them are they compiled
// twice.
#if defined(__GNUC__)
#define CPU_WIDE_INLINE static inline __attribute__((always_inline))
#else
#define CPU_WIDE_INLINE static inline
#endif
