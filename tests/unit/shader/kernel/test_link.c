// SPDX-License-Identifier: MIT
//
// Linking objects to images: an object made here byte by byte, run where the processor is x86-64;
// relocations of both processors against arithmetic; damaged objects, failing memory.

#include "shader/kernel/kernel_link.h"

#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "shader/kernel/kernel_link_priv.h"

// ---------------------------------------------------------------- an object

enum { HEADER, TEXT, CONSTANTS, RELOCATIONS, SYMBOLS, STRINGS, NAMES, SECTION_COUNT };

#define OBJECT_BYTES 2048
#define TABLE_OFFSET 1024

struct object {
    uint8_t bytes[OBJECT_BYTES];
    uint32_t used_bytes;
    uint32_t relocation_count;
    uint32_t symbol_count;
};

static void put(uint8_t *at, uint64_t number, int size_bytes) {
    for (int i = 0; i < size_bytes; i++) {
        at[i] = (uint8_t)(number >> 8 * i);
    }
}

static void put_section(struct object *object, int index, uint32_t name, uint32_t type,
    uint64_t flags, const void *bytes, uint32_t size_bytes, uint32_t alignment) {
    uint8_t *at = object->bytes + TABLE_OFFSET + 64 * index;
    put(at, name, 4);
    put(at + 4, type, 4);
    put(at + 8, flags, 8);
    put(at + 24, object->used_bytes, 8);
    put(at + 32, size_bytes, 8);
    put(at + 48, alignment, 8);
    memcpy(object->bytes + object->used_bytes, bytes, size_bytes);
    object->used_bytes += (size_bytes + 7) / 8 * 8;
}

static void put_symbol(uint8_t *at, uint32_t name, uint16_t section, uint64_t value) {
    put(at, name, 4);
    put(at + 6, section, 2);
    put(at + 8, value, 8);
}

static void put_relocation(
    uint8_t *at, uint64_t place, uint32_t type, uint32_t symbol, int64_t addend) {
    put(at, place, 8);
    put(at + 8, (uint64_t)symbol << 32 | type, 8);
    put(at + 16, (uint64_t)addend, 8);
}

// long kernel(char *to): copies eight constant bytes by memcpy through a stub, and gives the constant
// that a pointer in the constants leads to.
//   push rbx; mov edx, 8; lea rsi, [constants + 8]; call memcpy; mov rax, [slot of constants];
//   mov rax, [rax]; mov rax, [rax]; pop rbx; ret
static const uint8_t text[] = {0x53, 0xba, 8, 0, 0, 0, 0x48, 0x8d, 0x35, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0,
    0x48, 0x8b, 0x05, 0, 0, 0, 0, 0x48, 0x8b, 0x00, 0x48, 0x8b, 0x00, 0x5b, 0xc3};
static const uint8_t constants[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
static const char strings[] = "\0kernel\0memcpy\0system";
static const char names[] = "\0.text\0.data.rel.ro\0.rela.text\0.symtab\0.strtab\0.shstrtab\0.data";

#define NAME_TEXT 1
#define NAME_CONSTANTS 7
#define NAME_DATA 57
#define STRING_KERNEL 1
#define STRING_MEMCPY 8
#define STRING_SYSTEM 15

static void make_object(struct object *object) {
    memset(object, 0, sizeof(*object));
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    memcpy(object->bytes, magic, sizeof(magic));
    put(object->bytes + 16, 1, 2);
    put(object->bytes + 18, KERNEL_MACHINE_X86_64, 2);
    put(object->bytes + 40, TABLE_OFFSET, 8);
    put(object->bytes + 58, 64, 2);
    put(object->bytes + 60, SECTION_COUNT, 2);
    put(object->bytes + 62, NAMES, 2);
    object->used_bytes = 64;
    put_section(object, TEXT, NAME_TEXT, 1, 6, text, sizeof(text), 16);
    put_section(object, CONSTANTS, NAME_CONSTANTS, 1, 3, constants, sizeof(constants), 64);
    uint8_t symbols[4 * 24] = {0};
    put_symbol(symbols + 24, 0, CONSTANTS, 0);
    put_symbol(symbols + 48, STRING_KERNEL, TEXT, 0);
    put_symbol(symbols + 72, STRING_MEMCPY, 0, 0);
    uint8_t relocations[3 * 24] = {0};
    put_relocation(relocations, 9, 2, 1, 8 - 4);   // PC32
    put_relocation(relocations + 24, 14, 4, 3, -4); // PLT32
    put_relocation(relocations + 48, 21, 42, 1, -4); // REX_GOTPCRELX
    put_section(object, RELOCATIONS, 0, 4, 0, relocations, sizeof(relocations), 8);
    put(object->bytes + TABLE_OFFSET + 64 * RELOCATIONS + 40, SYMBOLS, 4);
    put(object->bytes + TABLE_OFFSET + 64 * RELOCATIONS + 44, TEXT, 4);
    put_section(object, SYMBOLS, 0, 2, 0, symbols, sizeof(symbols), 8);
    put(object->bytes + TABLE_OFFSET + 64 * SYMBOLS + 40, STRINGS, 4);
    put_section(object, STRINGS, 0, 3, 0, strings, sizeof(strings), 1);
    put_section(object, NAMES, 0, 3, 0, names, sizeof(names), 1);
    // The constants' first word is the address of their second.
    uint8_t address[24];
    put_relocation(address, 0, 1, 1, 8);
    put_section(object, HEADER, 0, 4, 0, address, sizeof(address), 8);
    put(object->bytes + TABLE_OFFSET + 40, SYMBOLS, 4);
    put(object->bytes + TABLE_OFFSET + 44, CONSTANTS, 4);
}

static bool link_object(const struct object *object, struct kernel_image *out_image) {
    struct text_buffer error = {0};
    bool is_linked = kernel_link(object->bytes, OBJECT_BYTES, "kernel", out_image, &error);
    CHECK(is_linked == (error.length == 0));
    CHECK(is_linked == (out_image->bytes != NULL));
    text_buffer_finish(&error);
    return is_linked;
}

static bool fails_with(const struct object *object, const char *entry, const char *reason) {
    struct kernel_image image;
    struct text_buffer error = {0};
    bool is_linked = kernel_link(object->bytes, OBJECT_BYTES, entry, &image, &error);
    bool is_right = !is_linked && strstr(text_buffer_get(&error).data, reason) != NULL;
    if (!is_right) {
        fprintf(stderr, "message: %s\n", text_buffer_get(&error).data);
    }
    kernel_image_finish(&image);
    text_buffer_finish(&error);
    return is_right;
}

TEST(an_object_becomes_an_image_that_runs_anywhere) {
    struct object object;
    make_object(&object);
    struct kernel_image image;
    CHECK(link_object(&object, &image));
    CHECK_EQ(image.code_bytes, sizeof(text));
    CHECK_EQ(image.entry_offset_bytes, 0);
    CHECK_EQ(image.fixup_count, 3); // the slots of memcpy and of the constants, the pointer
    CHECK(kernel_image_is_consistent(&image));
    struct kernel_code codes[2];
    for (int i = 0; i < 2; i++) { // twice, at two places
        void *entry = NULL;
        CHECK(kernel_code_create(&image, &codes[i], &entry));
        CHECK_EQ((uintptr_t)entry % KERNEL_IMAGE_ALIGNMENT, 0);
#if defined(__x86_64__) && defined(__linux__)
        uint64_t (*run)(void *) = NULL;
        memcpy(&run, &entry, sizeof(run));
        uint8_t copy[8] = {0};
        CHECK_EQ(run(copy), UINT64_C(0x0807060504030201));
        CHECK(memcmp(copy, constants + 8, 8) == 0);
#endif
    }
    CHECK(codes[0].pages != codes[1].pages);
    kernel_code_destroy(&codes[0]);
    kernel_code_destroy(&codes[1]);
    kernel_image_finish(&image);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(what_generated_code_may_not_use_is_an_error) {
    struct object object;
    make_object(&object);
    CHECK(fails_with(&object, "other", "no function 'other'"));
    // memcpy becomes system
    uint8_t *symbols = object.bytes;
    for (uint32_t i = 0; i + 24 < object.used_bytes; i++) {
        if (object.bytes[i] == STRING_MEMCPY && object.bytes[i - 24] == STRING_KERNEL) {
            symbols = object.bytes + i;
        }
    }
    put(symbols, STRING_SYSTEM, 4);
    CHECK(fails_with(&object, "kernel", "may not use the symbol 'system'"));
    make_object(&object);
    put(object.bytes + TABLE_OFFSET + 64 * CONSTANTS, NAME_DATA, 4);
    CHECK(fails_with(&object, "kernel", "data that could change, in '.data'"));
    make_object(&object);
    put(object.bytes + 18, 40, 2); // 32-bit Arm
    CHECK(fails_with(&object, "kernel", "another processor"));
    make_object(&object);
    put(object.bytes + TABLE_OFFSET + 64 * TEXT + 48, 8192, 8);
    CHECK(fails_with(&object, "kernel", "alignment"));
}

TEST(damage_anywhere_is_no_crash) {
    struct object object;
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    make_object(&object);
    for (uint32_t i = 0; i < OBJECT_BYTES; i++) {
        for (size_t k = 0; k < sizeof(changes); k++) {
            object.bytes[i] ^= changes[k];
            struct kernel_image image;
            if (link_object(&object, &image)) {
                CHECK(kernel_image_is_consistent(&image));
            }
            kernel_image_finish(&image);
            object.bytes[i] ^= changes[k];
        }
    }
    // Cut off anywhere: from a block of exactly that size, so that a sanitizer sees what is beyond it.
    for (size_t size = 0; size < OBJECT_BYTES; size++) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy + 1, object.bytes, size);
        struct kernel_image image;
        struct text_buffer error = {0};
        kernel_link(copy + 1, size, "kernel", &image, &error);
        kernel_image_finish(&image);
        text_buffer_finish(&error);
        free(copy);
    }
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(failing_memory_is_an_error) {
    struct object object;
    make_object(&object);
    int failure_count = 0;
    bool is_linked = false;
    for (int countdown = 0; !is_linked && countdown < 50; countdown++) {
        struct kernel_image image;
        struct text_buffer error = {0};
        memory_fail_after(countdown, false);
        is_linked = kernel_link(object.bytes, OBJECT_BYTES, "kernel", &image, &error);
        memory_fail_after(-1, false);
        failure_count += !is_linked;
        kernel_image_finish(&image);
        text_buffer_finish(&error);
    }
    CHECK(is_linked);
    CHECK(failure_count >= 3);
    struct kernel_image image;
    struct kernel_code code;
    void *entry = NULL;
    CHECK(link_object(&object, &image));
    memory_fail_after(0, false);
    CHECK(!kernel_code_create(&image, &code, &entry));
    memory_fail_after(-1, false);
    kernel_image_finish(&image);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), 0);
}

TEST(images_that_would_write_outside_themselves_are_not_consistent) {
    uint8_t bytes[16] = {0};
    struct kernel_fixup fixup = {.offset_bytes = 8, .symbol = KERNEL_SYMBOL_SELF};
    struct kernel_image image = {
        .bytes = bytes, .fixups = &fixup, .size_bytes = 16, .fixup_count = 1};
    CHECK(kernel_image_is_consistent(&image));
    fixup.offset_bytes = 9;
    CHECK(!kernel_image_is_consistent(&image));
    fixup.offset_bytes = UINT32_MAX;
    CHECK(!kernel_image_is_consistent(&image));
    fixup = (struct kernel_fixup){.symbol = KERNEL_SYMBOL_COUNT};
    CHECK(!kernel_image_is_consistent(&image));
    fixup.symbol = 0;
    image.size_bytes = 7;
    CHECK(!kernel_image_is_consistent(&image));
    image.size_bytes = 16;
    image.entry_offset_bytes = 16;
    CHECK(!kernel_image_is_consistent(&image));
}

// ---------------------------------------------------------------- relocations

// The word at 0x100 of an image of 1 MiB after one relocation, 0 when it is refused.
static uint64_t relocate(
    enum kernel_machine machine, uint32_t type, uint64_t word, int64_t target, int size_bytes) {
    static uint8_t image[1 << 20];
    put(image + 0x100, word, 8);
    if (!kernel_relocate(machine, type, image, sizeof(image), 0x100, target)) {
        return 0;
    }
    uint64_t result = 0;
    memcpy(&result, image + 0x100, (size_t)size_bytes);
    return result;
}

TEST(relocations_of_x86_64) {
    const enum kernel_machine machine = KERNEL_MACHINE_X86_64;
    CHECK_EQ(relocate(machine, 2, 0, 0x200, 4), 0x100);           // PC32
    CHECK_EQ(relocate(machine, 4, 0, 0x80, 4), 0xffffff80u);      // PLT32, backwards
    CHECK_EQ(relocate(machine, 24, 0, 0x80, 8), UINT64_C(0xffffffffffffff80)); // PC64
    CHECK_EQ(relocate(machine, 2, 0, INT64_C(0x800000ff), 4), 0x7fffffff);
    CHECK_EQ(relocate(machine, 2, 0, INT64_C(0x80000100), 4), 0); // too far
    CHECK_EQ(kernel_relocation_need(machine, 10), KERNEL_NEED_UNKNOWN); // R_X86_64_32
    CHECK_EQ(kernel_relocation_need(machine, 1), KERNEL_NEED_ADDRESS);
    CHECK_EQ(kernel_relocation_need(machine, 9), KERNEL_NEED_SLOT);
    uint8_t image[4] = {0};
    CHECK(!kernel_relocate(machine, 2, image, sizeof(image), 1, 0));
    CHECK(!kernel_relocate(machine, 24, image, sizeof(image), 0, 0));
    CHECK(!kernel_relocate(machine, 2, image, sizeof(image), UINT64_MAX, 0));
}

TEST(relocations_of_aarch64) {
    const enum kernel_machine machine = KERNEL_MACHINE_AARCH64;
    // Encodings from the Arm architecture reference manual.
    CHECK_EQ(relocate(machine, 283, 0x94000000, 0x300, 4), 0x94000080); // bl +0x200
    CHECK_EQ(relocate(machine, 282, 0x14000000, 0xfc, 4), 0x17ffffff);  // b -4
    CHECK_EQ(relocate(machine, 283, 0x94000000, 0x301, 4), 0);
    CHECK_EQ(relocate(machine, 283, 0x94000000, 0x8000100, 4), 0);
    CHECK_EQ(relocate(machine, 275, 0x90000000, 0x3456, 4), 0xf0000000); // adrp x0, +3 pages
    CHECK_EQ(relocate(machine, 275, 0x90000001, 0x8456, 4), 0x90000041); // adrp x1, +8 pages
    CHECK_EQ(relocate(machine, 277, 0x91000000, 0x3456, 4), 0x91115800); // add x0, x0, #0x456
    CHECK_EQ(relocate(machine, 286, 0xf9400000, 0x3458, 4), 0xf9422c00); // ldr x0, [x0, #0x458]
    CHECK_EQ(relocate(machine, 286, 0xf9400000, 0x3454, 4), 0);          // not a multiple of 8
    CHECK_EQ(relocate(machine, 299, 0x3dc00000, 0x3450, 4), 0x3dc11400); // ldr q0, [x0, #0x450]
    CHECK_EQ(relocate(machine, 285, 0xb9400000, 0x3454, 4), 0xb9445400); // ldr w0, [x0, #0x454]
    CHECK_EQ(relocate(machine, 274, 0x10000000, 0x103, 4), 0x70000000);  // adr x0, +3
    CHECK_EQ(relocate(machine, 261, 0, 0x80, 4), 0xffffff80u);
    CHECK_EQ(kernel_relocation_need(machine, 311), KERNEL_NEED_SLOT);
    CHECK_EQ(kernel_relocation_need(machine, 258), KERNEL_NEED_UNKNOWN); // R_AARCH64_ABS32
    uint8_t image[32] = {0};
    kernel_write_stub(machine, image, 8, 16);
    uint32_t words[2];
    memcpy(words, image + 8, sizeof(words));
    CHECK_EQ(words[0], 0x58000050); // ldr x16, +8
    CHECK_EQ(words[1], 0xd61f0200); // br x16
}

CHECK_MAIN(an_object_becomes_an_image_that_runs_anywhere, what_generated_code_may_not_use_is_an_error,
    damage_anywhere_is_no_crash, failing_memory_is_an_error,
    images_that_would_write_outside_themselves_are_not_consistent, relocations_of_x86_64,
    relocations_of_aarch64)
