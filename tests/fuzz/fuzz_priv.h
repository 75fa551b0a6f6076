// SPDX-License-Identifier: MIT
//
// What the files of the targets share.
#pragma once

#include "fuzz/fuzz.h"

void fuzz_write_altered(
    struct fuzz_input *input, const struct fuzz_corpus *corpus, struct text_buffer *out);
