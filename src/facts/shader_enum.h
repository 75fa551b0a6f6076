// SPDX-License-Identifier: MIT
//
// The small closed enumerations that shaders, reflection, validation and backends share. Facts only.
#pragma once

enum address_space {
#define SPACE(name, word, access) SPACE_##name,
#include "facts/address_space.def"
    SPACE_COUNT
};

enum access_mode { ACCESS_READ, ACCESS_WRITE, ACCESS_READ_WRITE, ACCESS_MODE_COUNT };

enum shader_stage { STAGE_VERTEX, STAGE_FRAGMENT, STAGE_COMPUTE, STAGE_COUNT };

enum builtin_value {
#define BUILTIN_VALUE(name, word, stage, direction, type, enable) BUILTIN_VALUE_##name,
#include "facts/builtin_value.def"
    BUILTIN_VALUE_COUNT
};

enum texture_dimension {
    TEXTURE_DIMENSION_1D,
    TEXTURE_DIMENSION_2D,
    TEXTURE_DIMENSION_2D_ARRAY,
    TEXTURE_DIMENSION_3D,
    TEXTURE_DIMENSION_CUBE,
    TEXTURE_DIMENSION_CUBE_ARRAY
};
