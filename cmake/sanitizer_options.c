// SPDX-License-Identifier: MIT
//
// Part of each program of a build with AddressSanitizer: its default options, which ASAN_OPTIONS in
// the environment adds to.

const char *__asan_default_options(void);

// The thread-local storage of a library that is loaded at run time, libalba-jit's, is taken for
// allocated in a way that glibc no longer has: looking for leaks then reads at a wild address.
const char *__asan_default_options(void) {
    return "intercept_tls_get_addr=0";
}
