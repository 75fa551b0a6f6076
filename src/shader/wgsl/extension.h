// SPDX-License-Identifier: MIT
//
// The extensions of WGSL as sets of bits. Constants only.
#pragma once

enum wgsl_extension_index {
#define ENABLE_EXTENSION(name, word) WGSL_EXTENSION_INDEX_##name,
#include "shader/wgsl/extension.def"
    WGSL_EXTENSION_COUNT
};

// Enable-extensions, for wgsl_options.enabled_extensions.
enum wgsl_extension {
#define ENABLE_EXTENSION(name, word) WGSL_EXTENSION_##name = 1 << WGSL_EXTENSION_INDEX_##name,
#include "shader/wgsl/extension.def"
};

enum wgsl_language_extension_index {
#define LANGUAGE_EXTENSION(name, word) WGSL_LANGUAGE_EXTENSION_INDEX_##name,
#include "shader/wgsl/extension.def"
    WGSL_LANGUAGE_EXTENSION_COUNT
};

enum wgsl_language_extension {
#define LANGUAGE_EXTENSION(name, word) \
    WGSL_LANGUAGE_EXTENSION_##name = 1 << WGSL_LANGUAGE_EXTENSION_INDEX_##name,
#include "shader/wgsl/extension.def"
};
