// SPDX-License-Identifier: MIT
//
// PNG files through libpng's simplified interface. Built without libpng, pictures are refused with a
// message, so that the examples still compile.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/example.h"

#if defined(ALBA_HAVE_PNG)
#include <png.h>

void example_write_png(const char *path, const uint32_t *pixels, uint32_t width, uint32_t height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    if (png_image_write_to_file(&image, path, 0, pixels, 0, NULL) == 0) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        exit(1);
    }
}

uint32_t *example_read_png(const char *path, uint32_t *out_width, uint32_t *out_height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (png_image_begin_read_from_file(&image, path) == 0) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        exit(1);
    }
    image.format = PNG_FORMAT_RGBA;
    uint32_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels == NULL || png_image_finish_read(&image, NULL, pixels, 0, NULL) == 0) {
        fprintf(stderr, "%s: %s\n", path, pixels == NULL ? "out of memory" : image.message);
        exit(1);
    }
    *out_width = image.width;
    *out_height = image.height;
    return pixels;
}

#else

void example_write_png(const char *path, const uint32_t *pixels, uint32_t width, uint32_t height) {
    (void)pixels, (void)width, (void)height;
    fprintf(stderr, "%s: built without libpng, cannot write pictures\n", path);
    exit(1);
}

uint32_t *example_read_png(const char *path, uint32_t *out_width, uint32_t *out_height) {
    (void)out_width, (void)out_height;
    fprintf(stderr, "%s: built without libpng, cannot read pictures\n", path);
    exit(1);
}

#endif
