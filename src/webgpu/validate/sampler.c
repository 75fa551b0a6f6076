// SPDX-License-Identifier: MIT
//
// Rules of samplers.
#include <math.h>

#include "base/try.h"
#include "webgpu/validate/chain.h"
#include "webgpu/validate/texture.h"
#include "webgpu/validate/words.h"

// More than any adapter has: larger values are clamped.
#define MOST_ANISOTROPY 16u

static bool resolve_enum(uint32_t given, uint32_t fallback, uint32_t last, const char *what,
    const char *name, uint32_t *out_value, struct validate_error *error) {
    *out_value = given != 0 ? given : fallback;
    if (given > last) {
        return BROKEN(error, SAMPLER_ENUM, name, what, (unsigned)given);
    }
    return true;
}

bool validate_sampler(const WGPUSamplerDescriptor *descriptor, const char *name,
    struct backend_sampler *out_sampler, struct validate_error *error) {
    WGPUSamplerDescriptor defaults = WGPU_SAMPLER_DESCRIPTOR_INIT;
    const WGPUSamplerDescriptor *given = descriptor != NULL ? descriptor : &defaults;
    struct backend_sampler *out = out_sampler;
    *out = (struct backend_sampler){0};
    TRY(validate_no_chain(given->nextInChain, name, error));
    const uint32_t modes[3] = {given->addressModeU, given->addressModeV, given->addressModeW};
    for (int i = 0; i < 3; i++) {
        TRY(resolve_enum(modes[i], WGPUAddressMode_ClampToEdge, WGPUAddressMode_MirrorRepeat,
            "address mode", name, &out->address_modes[i], error));
    }
    TRY(resolve_enum(given->magFilter, WGPUFilterMode_Nearest, WGPUFilterMode_Linear, "filter mode",
        name, &out->mag_filter, error));
    TRY(resolve_enum(given->minFilter, WGPUFilterMode_Nearest, WGPUFilterMode_Linear, "filter mode",
        name, &out->min_filter, error));
    TRY(resolve_enum(given->mipmapFilter, WGPUMipmapFilterMode_Nearest, WGPUMipmapFilterMode_Linear,
        "mipmap filter mode", name, &out->mipmap_filter, error));
    TRY(resolve_enum(given->compare, WGPUCompareFunction_Undefined, WGPUCompareFunction_Always,
        "compare function", name, &out->compare, error));
    // Written so that a NaN breaks the rule.
    if (!(given->lodMinClamp >= 0)) {
        return BROKEN(error, SAMPLER_LOD_MIN, name, (double)given->lodMinClamp);
    }
    if (!(given->lodMaxClamp >= given->lodMinClamp)) {
        return BROKEN(
            error, SAMPLER_LOD_MAX, name, (double)given->lodMaxClamp, (double)given->lodMinClamp);
    }
    // The lower bound is below it.
    if (!isfinite(given->lodMaxClamp)) {
        return BROKEN(error, SAMPLER_LOD_FINITE, name, "lodMaxClamp", (double)given->lodMaxClamp);
    }
    if (given->maxAnisotropy < 1) {
        return BROKEN(error, SAMPLER_ANISOTROPY, name);
    }
    if (given->maxAnisotropy > 1 &&
        (out->mag_filter != WGPUFilterMode_Linear || out->min_filter != WGPUFilterMode_Linear ||
            out->mipmap_filter != WGPUMipmapFilterMode_Linear)) {
        return BROKEN(error, SAMPLER_ANISOTROPY_FILTER, name, (unsigned)given->maxAnisotropy,
            words_for_filter(out->mag_filter), words_for_filter(out->min_filter),
            words_for_filter(out->mipmap_filter));
    }
    out->lod_min_clamp = given->lodMinClamp;
    out->lod_max_clamp = given->lodMaxClamp;
    out->max_anisotropy = given->maxAnisotropy < MOST_ANISOTROPY ? given->maxAnisotropy
                                                                 : MOST_ANISOTROPY;
    return true;
}
