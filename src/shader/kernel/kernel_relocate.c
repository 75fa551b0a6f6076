// SPDX-License-Identifier: MIT
//
// Relocations by processor: the psABI of x86-64 and ELF for the Arm 64-bit architecture. See
// kernel_link_priv.h.
#include <string.h>

#include "shader/kernel/kernel_link_priv.h"

// Numbers of the ELF supplements: kind of change, need.
// clang-format off
#define X86_RELOCATIONS(X) \
    X(0,  NONE,       NOTHING) /* R_X86_64_NONE */ \
    X(1,  ADDRESS,    ADDRESS) /* R_X86_64_64 */ \
    X(2,  RELATIVE32, NOTHING) /* R_X86_64_PC32 */ \
    X(4,  RELATIVE32, JUMP)    /* R_X86_64_PLT32 */ \
    X(9,  RELATIVE32, SLOT)    /* R_X86_64_GOTPCREL */ \
    X(24, RELATIVE64, NOTHING) /* R_X86_64_PC64 */ \
    X(41, RELATIVE32, SLOT)    /* R_X86_64_GOTPCRELX */ \
    X(42, RELATIVE32, SLOT)    /* R_X86_64_REX_GOTPCRELX */
#define AARCH64_RELOCATIONS(X) \
    X(0,   NONE,       NOTHING) /* R_AARCH64_NONE */ \
    X(257, ADDRESS,    ADDRESS) /* R_AARCH64_ABS64 */ \
    X(260, RELATIVE64, NOTHING) /* R_AARCH64_PREL64 */ \
    X(261, RELATIVE32, NOTHING) /* R_AARCH64_PREL32 */ \
    X(274, ADR,        NOTHING) /* R_AARCH64_ADR_PREL_LO21 */ \
    X(275, ADR_PAGE,   NOTHING) /* R_AARCH64_ADR_PREL_PG_HI21 */ \
    X(277, LOW12_1,    NOTHING) /* R_AARCH64_ADD_ABS_LO12_NC */ \
    X(278, LOW12_1,    NOTHING) /* R_AARCH64_LDST8_ABS_LO12_NC */ \
    X(282, BRANCH26,   JUMP)    /* R_AARCH64_JUMP26 */ \
    X(283, BRANCH26,   JUMP)    /* R_AARCH64_CALL26 */ \
    X(284, LOW12_2,    NOTHING) /* R_AARCH64_LDST16_ABS_LO12_NC */ \
    X(285, LOW12_4,    NOTHING) /* R_AARCH64_LDST32_ABS_LO12_NC */ \
    X(286, LOW12_8,    NOTHING) /* R_AARCH64_LDST64_ABS_LO12_NC */ \
    X(299, LOW12_16,   NOTHING) /* R_AARCH64_LDST128_ABS_LO12_NC */ \
    X(311, ADR_PAGE,   SLOT)    /* R_AARCH64_ADR_GOT_PAGE */ \
    X(312, LOW12_8,    SLOT)    /* R_AARCH64_LD64_GOT_LO12_NC */
// clang-format on

enum change {
    CHANGE_NONE,
    CHANGE_ADDRESS,
    CHANGE_RELATIVE32,
    CHANGE_RELATIVE64,
    CHANGE_ADR,
    CHANGE_ADR_PAGE,
    CHANGE_BRANCH26,
    CHANGE_LOW12_1, // the low 12 bits of the address in the unit of the access
    CHANGE_LOW12_2,
    CHANGE_LOW12_4,
    CHANGE_LOW12_8,
    CHANGE_LOW12_16,
};

struct row {
    uint32_t type;
    enum change change;
    enum kernel_need need;
};

#define X(type, change, need) {type, CHANGE_##change, KERNEL_NEED_##need},
static const struct row x86_rows[] = {X86_RELOCATIONS(X)};
static const struct row aarch64_rows[] = {AARCH64_RELOCATIONS(X)};
#undef X

static const struct row *find_row(enum kernel_machine machine, uint32_t type) {
    bool is_x86 = machine == KERNEL_MACHINE_X86_64;
    const struct row *rows = is_x86 ? x86_rows : aarch64_rows;
    size_t count = is_x86 ? sizeof(x86_rows) / sizeof(x86_rows[0])
                          : sizeof(aarch64_rows) / sizeof(aarch64_rows[0]);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].type == type) {
            return &rows[i];
        }
    }
    return NULL;
}

enum kernel_need kernel_relocation_need(enum kernel_machine machine, uint32_t type) {
    const struct row *row = find_row(machine, type);
    return row != NULL ? row->need : KERNEL_NEED_UNKNOWN;
}

static bool fits(int64_t value, int bits) {
    int64_t limit = INT64_C(1) << (bits - 1);
    return value >= -limit && value < limit;
}

// Puts a field of an instruction in place of what is there.
static bool set_field(uint8_t *place, uint64_t value, int lowest_bit, int bit_count) {
    uint32_t instruction;
    uint32_t mask = ((UINT32_C(1) << bit_count) - 1) << lowest_bit;
    memcpy(&instruction, place, sizeof(instruction));
    instruction = (instruction & ~mask) | ((uint32_t)(value << lowest_bit) & mask);
    memcpy(place, &instruction, sizeof(instruction));
    return true;
}

static bool set_adr(uint8_t *place, int64_t value) {
    return fits(value, 21) && set_field(place, (uint64_t)value & 3, 29, 2) &&
        set_field(place, (uint64_t)(value >> 2), 5, 19);
}

static bool set_low12(uint8_t *place, int64_t target, int shift) {
    uint64_t low = (uint64_t)target & 0xfff;
    bool is_aligned = (low & ((UINT64_C(1) << shift) - 1)) == 0;
    return is_aligned && set_field(place, low >> shift, 10, 12);
}

bool kernel_relocate(enum kernel_machine machine, uint32_t type, uint8_t *image,
    uint32_t size_bytes, uint64_t place, int64_t target) {
    const struct row *row = find_row(machine, type);
    uint64_t width = row != NULL && row->change == CHANGE_RELATIVE64 ? 8 : 4;
    if (row == NULL || size_bytes < width || place > size_bytes - width) {
        return false;
    }
    int64_t distance = target - (int64_t)place;
    uint8_t *bytes = image + place;
    switch (row->change) {
    case CHANGE_NONE:
        return true;
    case CHANGE_ADDRESS:
        return false; // a fixup
    case CHANGE_RELATIVE32: {
        int32_t word = (int32_t)distance;
        memcpy(bytes, &word, sizeof(word));
        return fits(distance, 32);
    }
    case CHANGE_RELATIVE64:
        memcpy(bytes, &distance, sizeof(distance));
        return true;
    case CHANGE_ADR:
        return set_adr(bytes, distance);
    case CHANGE_ADR_PAGE:
        return set_adr(bytes, (target >> 12) - (int64_t)(place >> 12));
    case CHANGE_BRANCH26:
        return (distance & 3) == 0 && fits(distance, 28) &&
            set_field(bytes, (uint64_t)(distance >> 2), 0, 26);
    case CHANGE_LOW12_1:
        return set_low12(bytes, target, 0);
    case CHANGE_LOW12_2:
        return set_low12(bytes, target, 1);
    case CHANGE_LOW12_4:
        return set_low12(bytes, target, 2);
    case CHANGE_LOW12_8:
        return set_low12(bytes, target, 3);
    case CHANGE_LOW12_16:
        return set_low12(bytes, target, 4);
    }
    return false;
}

void kernel_write_stub(
    enum kernel_machine machine, uint8_t *image, uint32_t stub_offset, uint32_t slot_offset) {
    uint8_t *stub = image + stub_offset;
    if (machine == KERNEL_MACHINE_X86_64) {
        // jmp *distance(%rip), six bytes, and int3
        uint32_t distance = slot_offset - (stub_offset + 6);
        static const uint8_t code[KERNEL_STUB_BYTES] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
        memcpy(stub, code, sizeof(code));
        memcpy(stub + 2, &distance, sizeof(distance));
        return;
    }
    // ldr x16, distance; br x16. The slots follow within a few pages.
    uint32_t words[2] = {
        UINT32_C(0x58000010) | ((slot_offset - stub_offset) / 4 & 0x7ffff) << 5, UINT32_C(0xd61f0200)};
    memcpy(stub, words, sizeof(words));
}
