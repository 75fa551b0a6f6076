// SPDX-License-Identifier: MIT
//
// libFuzzer's entry point for the target ALBA_FUZZ_TARGET; built with -DALBA_FUZZ=ON. The folders of
// programs to start from are ALBA_FUZZ_CORPUS and what libFuzzer is given.
#include <string.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct fuzz_corpus wgsl, ir;
static const struct fuzz_target *target;

static void prepare(void) {
    fuzz_corpus_read(ALBA_FUZZ_CORPUS, &wgsl, &ir);
    target = fuzz_targets;
    while (strcmp(target->name, ALBA_FUZZ_TARGET) != 0) {
        target++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (target == NULL) {
        prepare();
    }
    struct fuzz_input input = {data, size, 0};
    struct text_buffer text = {0};
    struct fuzz_measure measure;
    target->write(&input, target->language == FUZZ_IR ? &ir : &wgsl, &text);
    fuzz_judge(target->language, text_buffer_get(&text), FUZZ_BYTES_EACH, &measure);
    text_buffer_finish(&text);
    return 0;
}
