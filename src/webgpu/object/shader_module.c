// SPDX-License-Identifier: MIT
//
// Shader modules. Any thread.
#include "webgpu/object/shader_module.h"

static void destroy(struct gpu_object *object) {
    compile_module_destroy(((struct WGPUShaderModuleImpl *)object)->module);
    gpu_object_free(object);
}

const struct gpu_object_class gpu_shader_module_class = {GPU_SHADER_MODULE, destroy, NULL};

struct WGPUShaderModuleImpl *gpu_shader_module_create(struct WGPUDeviceImpl *device,
    struct text label, struct compile_module *module, bool is_valid) {
    struct WGPUShaderModuleImpl *shader = gpu_object_create(
        &gpu_shader_module_class, sizeof(*shader), device, label, is_valid);
    if (shader == NULL) {
        compile_module_destroy(module);
        return NULL;
    }
    shader->module = module;
    return shader;
}
