// SPDX-License-Identifier: MIT
//
// textureLoad and textureStore: every texel of every shape, what lies outside, samples, aspects,
// swizzles, and the bytes between the texels that a store must leave.
#include "backend/cpu/image.h"

#include "backend/cpu/texel.h"
#include "check.h"
#include "unit/backend/cpu/image_reference.h"

#define WIDTH 16u

static const struct {
    uint32_t view;
    enum texture_dimension dimension;
    uint8_t axis_count;
    bool is_array;
} shapes[] = {
    {WGPUTextureViewDimension_1D, TEXTURE_DIMENSION_1D, 1, false},
    {WGPUTextureViewDimension_2D, TEXTURE_DIMENSION_2D, 2, false},
    {WGPUTextureViewDimension_2DArray, TEXTURE_DIMENSION_2D_ARRAY, 2, true},
    {WGPUTextureViewDimension_3D, TEXTURE_DIMENSION_3D, 3, false},
};

// The formats that all shapes but those of samples may have.
static bool is_loadable(uint32_t format) {
    const struct texture_format_info *info = texture_format_get_info(format);
    return info != NULL && !texture_format_is_compressed(info) &&
        info->aspect == TEXTURE_ASPECT_COLOR && format != WGPUTextureFormat_RGB9E5Ufloat;
}

static uint32_t get_kind(uint32_t format) {
    enum texture_sample sample = texture_format_get_info(format)->sample;
    return sample == TEXTURE_SAMPLE_UINT ? TYPE_U32
        : sample == TEXTURE_SAMPLE_SINT  ? TYPE_I32
                                         : TYPE_F32;
}

static double get_number(uint32_t kind, uint32_t word) {
    return kind == TYPE_U32 ? word
        : kind == TYPE_I32  ? (double)(int32_t)word
                            : (double)reference_float(word);
}

// Numbers around a range: often inside, sometimes just or far outside.
static uint32_t choose_place(uint32_t size) {
    uint32_t choice = reference_random(12);
    return choice == 0 ? 0xffffffffu
        : choice == 1  ? 0x80000000u
        : choice == 2  ? size
                       : reference_random(size + 1);
}

TEST(texels_are_loaded_or_zero) {
    uint32_t differences = 0;
    uint32_t inside_count = 0;
    for (uint32_t number = 0; number < 3000; number++) {
        uint32_t shape = number % 4;
        uint32_t format = 1 + reference_random(WGPUTextureFormat_RGBA32Sint);
        if (!is_loadable(format)) {
            continue;
        }
        uint32_t size[3] = {1 + reference_random(9), shape != 0 ? 1 + reference_random(9) : 1,
            shape >= 2 ? 1 + reference_random(5) : 1};
        struct backend_texture texture;
        struct backend_texture_view view;
        struct cpu_image image;
        reference_texture_init(&texture, format, shapes[shape].view, size, 3, 1);
        reference_view_init(&view, &texture, shapes[shape].view);
        view.base_mip_level = reference_random(3);
        view.mip_level_count = 3 - view.base_mip_level;
        cpu_image_init(&image, &view);
        struct jit_texture_call call = {.opcode = IR_TEXTURE_LOAD,
            .dimension = (uint8_t)shapes[shape].dimension,
            .sampled_type = (uint8_t)get_kind(format),
            .width = WIDTH};
        uint32_t arguments[5][WIDTH];
        uint32_t results[4][WIDTH];
        memset(results, 0xee, sizeof(results));
        for (uint32_t lane = 0; lane < WIDTH; lane++) {
            for (uint32_t i = 0; i < 4; i++) {
                arguments[i][lane] = choose_place(i < 3 ? size[i] >> view.base_mip_level : 2);
            }
            uint32_t last = shapes[shape].axis_count + shapes[shape].is_array;
            if (shapes[shape].is_array) {
                arguments[2][lane] = choose_place(size[2]);
            }
            arguments[last][lane] = choose_place(view.mip_level_count);
        }
        uint64_t lanes = reference_random(1u << WIDTH);
        cpu_image_call(&call, &image.seen, NULL, lanes, arguments[0], results[0]);
        for (uint32_t lane = 0; lane < WIDTH; lane++) {
            if ((lanes >> lane & 1) == 0) {
                continue;
            }
            uint32_t last = shapes[shape].axis_count + shapes[shape].is_array;
            uint32_t level = arguments[last][lane];
            uint8_t zero[HOST_TEXEL_BYTES] = {0};
            const uint8_t *texel = zero;
            const struct host_texture_level *from = level < view.mip_level_count
                ? &texture.planes[0].levels[view.base_mip_level + level]
                : NULL;
            uint32_t x = arguments[0][lane];
            uint32_t y = shape != 0 ? arguments[1][lane] : 0;
            uint32_t z = shape >= 2 ? arguments[2][lane] : 0;
            if (from != NULL && x < from->width && y < from->height && z < from->image_count) {
                texel = from->data + z * from->image_bytes + y * from->row_bytes +
                    (size_t)x * texture.planes[0].block_bytes;
                inside_count++;
            }
            double expected[4];
            host_texel_decode(format, texel, expected);
            for (uint32_t c = 0; c < 4; c++) {
                double got = get_number(call.sampled_type, results[c][lane]);
                bool are_nan = isnan(got) && isnan(expected[c]);
                differences += !are_nan &&
                    got !=
                        (call.sampled_type == TYPE_F32 ? (double)(float)expected[c] : expected[c]);
            }
        }
        reference_texture_finish(&texture);
    }
    CHECK(inside_count > 2000);
    CHECK_EQ(differences, 0);
}

TEST(samples_are_loaded) {
    static const uint32_t formats[] = {WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_R16Uint,
        WGPUTextureFormat_Depth32Float, WGPUTextureFormat_RGBA16Float};
    for (uint32_t number = 0; number < 4; number++) {
        const uint32_t size[3] = {5, 3, 1};
        struct backend_texture texture;
        struct backend_texture_view view;
        struct cpu_image image;
        reference_texture_init(&texture, formats[number], WGPUTextureViewDimension_2D, size, 1, 4);
        reference_view_init(&view, &texture, WGPUTextureViewDimension_2D);
        cpu_image_init(&image, &view);
        CHECK_EQ(image.seen.sample_count, 4);
        bool is_depth = formats[number] == WGPUTextureFormat_Depth32Float;
        struct jit_texture_call call = {.opcode = IR_TEXTURE_LOAD,
            .dimension = TEXTURE_DIMENSION_2D,
            .sampled_type = (uint8_t)get_kind(formats[number]),
            .is_depth = is_depth,
            .is_multisampled = 1,
            .width = WIDTH};
        for (uint32_t at = 0; at < 5 * 3 * 6; at += WIDTH) {
            uint32_t arguments[3][WIDTH];
            uint32_t results[4][WIDTH];
            for (uint32_t lane = 0; lane < WIDTH; lane++) {
                arguments[0][lane] = (at + lane) % 5;
                arguments[1][lane] = (at + lane) / 5 % 3;
                arguments[2][lane] = (at + lane) / 15 % 6; // the last two are outside
            }
            cpu_image_call(&call, &image.seen, NULL, 0xffff, arguments[0], results[0]);
            for (uint32_t lane = 0; lane < WIDTH; lane++) {
                double expected[4];
                uint8_t zero[HOST_TEXEL_BYTES] = {0};
                size_t texel = arguments[1][lane] * 5 + arguments[0][lane];
                uint32_t bytes = texture.planes[0].block_bytes / 4;
                host_texel_decode(formats[number],
                    arguments[2][lane] < 4 ? texture.planes[0].levels[0].data +
                            (texel * 4 + arguments[2][lane]) * bytes
                                           : zero,
                    expected);
                for (uint32_t c = 0; c < (is_depth ? 1u : 4u); c++) {
                    CHECK(get_number(call.sampled_type, results[c][lane]) == (float)expected[c]);
                }
            }
        }
        reference_texture_finish(&texture);
    }
}

// Each lane stores to a texel of its own or outside; the whole texture is compared.
TEST(stores_touch_their_texels_alone) {
    uint32_t differences = 0;
    for (uint32_t number = 0; number < 3000; number++) {
        uint32_t shape = number % 4;
        uint32_t format = 1 + reference_random(WGPUTextureFormat_RGBA32Sint);
        if (!is_loadable(format) ||
            texture_format_get_info(format)->needs[TEXTURE_CAPABILITY_STORAGE_WRITE] ==
                TEXTURE_NEVER) {
            continue;
        }
        uint32_t size[3] = {1 + reference_random(9), shape != 0 ? 1 + reference_random(9) : 1,
            shape >= 2 ? 1 + reference_random(5) : 1};
        struct backend_texture texture;
        struct backend_texture_view view;
        struct cpu_image image;
        reference_texture_init(&texture, format, shapes[shape].view, size, 1, 1);
        reference_view_init(&view, &texture, shapes[shape].view);
        cpu_image_init(&image, &view);
        const struct host_texture_level *level = &texture.planes[0].levels[0];
        uint32_t bytes = texture.planes[0].block_bytes;
        size_t size_bytes = level->image_bytes * level->image_count;
        uint8_t *expected = malloc(size_bytes);
        memcpy(expected, level->data, size_bytes);
        uint32_t kind = get_kind(format);
        struct jit_texture_call call = {.opcode = IR_TEXTURE_STORE,
            .texel_format = format,
            .dimension = (uint8_t)shapes[shape].dimension,
            .sampled_type = (uint8_t)kind,
            .width = WIDTH};
        uint32_t arguments[7][WIDTH];
        uint64_t lanes = reference_random(1u << WIDTH);
        uint32_t axis_count = shape >= 2 ? 3 : shape + 1;
        for (uint32_t lane = 0; lane < WIDTH; lane++) {
            for (uint32_t i = 0; i < axis_count; i++) {
                arguments[i][lane] = choose_place(size[i]);
            }
            double value[4];
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t word = kind == TYPE_F32 ? reference_word((float)reference_between(-2, 2))
                                                 : reference_random(0xffffffffu);
                arguments[axis_count + c][lane] = word;
                value[c] = get_number(kind, word);
            }
            uint32_t x = arguments[0][lane];
            uint32_t y = shape != 0 ? arguments[1][lane] : 0;
            uint32_t z = shape >= 2 ? arguments[2][lane] : 0;
            if ((lanes >> lane & 1) != 0 && x < size[0] && y < size[1] && z < size[2]) {
                host_texel_encode(format, value,
                    expected + z * level->image_bytes + y * level->row_bytes + (size_t)x * bytes);
            }
        }
        cpu_image_call(&call, &image.seen, NULL, lanes, arguments[0], NULL);
        differences += memcmp(expected, level->data, size_bytes) != 0;
        free(expected);
        reference_texture_finish(&texture);
    }
    CHECK_EQ(differences, 0);
}

TEST(views_swizzle) {
    const uint32_t size[3] = {4, 4, 1};
    struct backend_texture texture;
    struct backend_texture_view view;
    struct cpu_image image;
    reference_texture_init(
        &texture, WGPUTextureFormat_RGBA8Uint, WGPUTextureViewDimension_2D, size, 1, 1);
    reference_view_init(&view, &texture, WGPUTextureViewDimension_2D);
    static const uint8_t swizzle[4] = {WGPUComponentSwizzle_One, WGPUComponentSwizzle_B,
        WGPUComponentSwizzle_Zero, WGPUComponentSwizzle_R};
    memcpy(view.swizzle, swizzle, 4);
    cpu_image_init(&image, &view);
    CHECK(image.has_swizzle);
    struct jit_texture_call call = {.opcode = IR_TEXTURE_LOAD,
        .dimension = TEXTURE_DIMENSION_2D,
        .sampled_type = TYPE_U32,
        .width = WIDTH};
    uint32_t arguments[3][WIDTH];
    uint32_t results[4][WIDTH];
    for (uint32_t lane = 0; lane < WIDTH; lane++) {
        arguments[0][lane] = lane % 4;
        arguments[1][lane] = lane / 4;
        arguments[2][lane] = 0;
    }
    cpu_image_call(&call, &image.seen, NULL, 0xffff, arguments[0], results[0]);
    const uint8_t *texels = texture.planes[0].levels[0].data;
    for (uint32_t lane = 0; lane < WIDTH; lane++) {
        CHECK_EQ(results[0][lane], 1);
        CHECK_EQ(results[1][lane], texels[4 * lane + 2]);
        CHECK_EQ(results[2][lane], 0);
        CHECK_EQ(results[3][lane], texels[4 * lane]);
    }
    // Gathering takes the component that the swizzle puts there.
    struct backend_sampler state = {.address_modes = {1, 1, 1},
        .mag_filter = WGPUFilterMode_Nearest,
        .min_filter = WGPUFilterMode_Nearest,
        .mipmap_filter = WGPUMipmapFilterMode_Nearest,
        .lod_max_clamp = 32,
        .max_anisotropy = 1};
    struct cpu_sampler sampler;
    cpu_sampler_init(&sampler, &state);
    for (uint32_t component = 0; component < 4; component++) {
        call.opcode = IR_TEXTURE_GATHER;
        call.component = (uint8_t)component;
        for (uint32_t lane = 0; lane < WIDTH; lane++) {
            arguments[0][lane] = reference_word(0.5f);
            arguments[1][lane] = reference_word(0.25f);
        }
        cpu_image_call(&call, &image.seen, &sampler, 0xffff, arguments[0], results[0]);
        static const uint8_t places[4] = {5, 6, 2, 1}; // below left, below right, right, left
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t expected[4] = {1, texels[4 * places[i] + 2], 0, texels[4 * places[i]]};
            CHECK_EQ(results[i][3], expected[component]);
        }
    }
    reference_texture_finish(&texture);
}

// The aspects of a texture with both, by the views' aspect.
TEST(aspects_are_told_apart) {
    struct backend_texture_description description = {.dimension = WGPUTextureDimension_2D,
        .format = WGPUTextureFormat_Depth24PlusStencil8,
        .width = 2,
        .height = 2,
        .depth_or_array_layers = 3,
        .mip_level_count = 1,
        .sample_count = 1};
    struct backend_texture *texture = NULL;
    CHECK_EQ(host_texture_create(&description, &texture), BACKEND_OK);
    const double depth[4] = {0.75, 0, 0, 0};
    const double stencil[4] = {201, 0, 0, 0};
    // Texel (1, 0) of layer 1.
    struct host_texture_level *levels[2] = {
        &texture->planes[0].levels[0], &texture->planes[1].levels[0]};
    host_texel_encode(WGPUTextureFormat_Depth24Plus, depth,
        levels[0]->data + levels[0]->image_bytes + texture->planes[0].block_bytes);
    host_texel_encode(WGPUTextureFormat_Stencil8, stencil,
        levels[1]->data + levels[1]->image_bytes + texture->planes[1].block_bytes);
    static const uint8_t aspects[2] = {TEXTURE_ASPECT_DEPTH, TEXTURE_ASPECT_STENCIL};
    for (uint32_t i = 0; i < 2; i++) {
        struct backend_texture_view view = {.texture = texture,
            .format = WGPUTextureFormat_Depth24PlusStencil8,
            .dimension = WGPUTextureViewDimension_2D,
            .aspect = (enum texture_aspect)aspects[i],
            .mip_level_count = 1,
            .base_array_layer = 1,
            .array_layer_count = 1};
        struct cpu_image image;
        cpu_image_init(&image, &view);
        struct jit_texture_call call = {.opcode = IR_TEXTURE_LOAD,
            .dimension = TEXTURE_DIMENSION_2D,
            .sampled_type = i == 0 ? TYPE_F32 : TYPE_U32,
            .width = 4};
        const uint32_t arguments[12] = {1, 0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0};
        uint32_t results[16];
        cpu_image_call(&call, &image.seen, NULL, 15, arguments, results);
        uint32_t one = i == 0 ? reference_word(1) : 1;
        const uint32_t expected[16] = {i == 0 ? reference_word(0.75f) : 201, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, one, one, one, one};
        CHECK_BYTES(results, expected, sizeof(results));
    }
    host_texture_destroy(texture);
}

CHECK_MAIN(texels_are_loaded_or_zero, samples_are_loaded, stores_touch_their_texels_alone,
    views_swizzle, aspects_are_told_apart)
