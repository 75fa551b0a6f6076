// SPDX-License-Identifier: MIT
//
// Rules of shader modules. The compiler finds the errors; here is what an error scope is told.
#include "webgpu/validate/shader_module.h"

#include <stdio.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"

bool validate_shader_source(const WGPUShaderModuleDescriptor *descriptor, const char *name,
    WGPUStringView *out_code, struct validate_error *error) {
    struct validate_chain chain = {
        2, {WGPUSType_ShaderSourceWGSL, WGPUSType_ShaderSourceSPIRV}, {NULL}};
    TRY(validate_chain(descriptor->nextInChain, &chain, name, error));
    if (chain.found[1] != NULL) {
        return BROKEN(error, MODULE_SPIRV, name);
    }
    if (chain.found[0] == NULL) {
        return BROKEN(error, MODULE_SOURCE, name);
    }
    *out_code = ((const WGPUShaderSourceWGSL *)chain.found[0])->code;
    return true;
}

// How many errors a message quotes; compilation information has them all.
#define QUOTED_ERRORS 8u

bool validate_shader_module(
    const struct compile_module *module, const char *name, struct validate_error *error) {
    if (module->is_valid) {
        return true;
    }
    const struct diagnostic_list *list = &module->diagnostics;
    struct text_buffer lines = {0};
    uint32_t quoted = 0;
    for (uint32_t i = 0; i < list->count && quoted < QUOTED_ERRORS; i++) {
        const struct diagnostic *item = list->items[i];
        if (item->severity != DIAGNOSTIC_ERROR) {
            continue;
        }
        struct source_location place = source_locate(&module->source, item->span.begin);
        text_buffer_print(
            &lines, "\n  %u:%u: %.*s", place.line, place.column, TEXT_ARGS(item->message));
        quoted++;
    }
    if (list->error_count > quoted) {
        text_buffer_print(&lines, "\n  and %u more", list->error_count - quoted);
    }
    char count[32];
    snprintf(
        count, sizeof(count), "%u error%s", list->error_count, list->error_count == 1 ? "" : "s");
    BROKEN(error, MODULE_WGSL, name, count, text_buffer_get(&lines).data);
    text_buffer_finish(&lines);
    return false;
}

uint32_t validate_get_extensions(struct feature_set features) {
    uint32_t extensions = 0;
    for (uint32_t name = 1; name < 64; name++) {
        const struct feature_info *info = feature_get_info(name);
        if (info != NULL && info->enable[0] != 0 && feature_set_has(features, name)) {
            extensions |= compile_find_extension(info->enable);
        }
    }
    return extensions;
}
