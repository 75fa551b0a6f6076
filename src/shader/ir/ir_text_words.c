// SPDX-License-Identifier: MIT
//
// The closed lists of words of the text form. Constant data.
#include "shader/ir/ir_text_priv.h"

#include <stddef.h>

const struct ir_word ir_stage_words[] = {
    {"vertex", STAGE_VERTEX}, {"fragment", STAGE_FRAGMENT}, {"compute", STAGE_COMPUTE}, {NULL, 0}};

const struct ir_word ir_dimension_words[] = {
    {"1d", TEXTURE_DIMENSION_1D},
    {"2d", TEXTURE_DIMENSION_2D},
    {"2d_array", TEXTURE_DIMENSION_2D_ARRAY},
    {"3d", TEXTURE_DIMENSION_3D},
    {"cube", TEXTURE_DIMENSION_CUBE},
    {"cube_array", TEXTURE_DIMENSION_CUBE_ARRAY},
    {NULL, 0},
};

const struct ir_word ir_interpolation_words[] = {
    {"perspective", 0}, {"linear", 1}, {"flat", 2}, {NULL, 0}};

const struct ir_word ir_sampling_words[] = {
    {"center", 0}, {"centroid", 1}, {"sample", 2}, {"first", 3}, {"either", 4}, {NULL, 0}};

const char *ir_word_of(const struct ir_word *list, int value) {
    for (; list->word != NULL; list++) {
        if (list->value == value) {
            return list->word;
        }
    }
    return "?";
}
