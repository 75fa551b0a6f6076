// SPDX-License-Identifier: MIT
//
// What kernels on disk are named by: everything that their code depends on, and nothing else.

#include "backend/cpu/cpu_priv.h"
#include "check.h"
#include "shader/kernel/identity.h"

static struct jit_options options_of(enum jit_level level, uint32_t width, uint32_t jam, bool polls) {
    struct jit_options options;
    memset(&options, 0, sizeof(options));
    options.level = level;
    options.width = width;
    options.jam = jam;
    options.poll_cancel = polls;
    return options;
}

TEST(everything_that_changes_code_changes_the_key) {
    const struct {
        const char *identity;
        const char *generator;
        struct jit_options options;
        const char *module;
    } rows[] = {
        {"build", "", options_of(JIT_LEVEL_AVX2, 0, 0, true), "module"},
        {"other", "", options_of(JIT_LEVEL_AVX2, 0, 0, true), "module"},
        {"build", "/lib/other.so", options_of(JIT_LEVEL_AVX2, 0, 0, true), "module"},
        {"build", "", options_of(JIT_LEVEL_SSE42, 0, 0, true), "module"},
        {"build", "", options_of(JIT_LEVEL_AVX2, 8, 0, true), "module"},
        {"build", "", options_of(JIT_LEVEL_AVX2, 0, 8, true), "module"},
        {"build", "", options_of(JIT_LEVEL_AVX2, 0, 0, false), "module"},
        {"build", "", options_of(JIT_LEVEL_AVX2, 0, 0, true), "modulf"},
        {"build", "", options_of(JIT_LEVEL_AVX2, 0, 0, true), ""},
        {"buil", "d", options_of(JIT_LEVEL_AVX2, 0, 0, true), "module"},
        {"build", "m", options_of(JIT_LEVEL_AVX2, 0, 0, true), "odule"},
    };
    enum { COUNT = sizeof(rows) / sizeof(rows[0]) };
    struct kernel_key keys[COUNT], again;
    for (int i = 0; i < COUNT; i++) {
        struct text module = text_from_string(rows[i].module);
        cpu_kernel_hash(rows[i].identity, rows[i].generator, &rows[i].options, module, &keys[i]);
        cpu_kernel_hash(rows[i].identity, rows[i].generator, &rows[i].options, module, &again);
        CHECK_BYTES(&keys[i], &again, sizeof(again));
        for (int k = 0; k < i; k++) {
            CHECK(memcmp(&keys[i], &keys[k], sizeof(keys[i])) != 0);
        }
    }
}

TEST(a_build_has_an_identity) {
    const char *identity = kernel_build_identity();
    CHECK_EQ(strlen(identity), 64);
    CHECK_EQ(strspn(identity, "0123456789abcdef"), 64);
    CHECK_STR(identity, kernel_build_identity());
}

CHECK_MAIN(everything_that_changes_code_changes_the_key, a_build_has_an_identity)
