// SPDX-License-Identifier: MIT
//
// The two halves of linking: kernel_link.c reads the object and lays the image out, and what one
// relocation does to it is the processor's business (kernel_relocate.c). Private to the folder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What a relocation needs beside its symbol's address.
enum kernel_need {
    KERNEL_NEED_NOTHING,
    KERNEL_NEED_ADDRESS, // a fixup in its own place, eight bytes
    KERNEL_NEED_SLOT,    // eight bytes that hold the symbol's address
    KERNEL_NEED_JUMP,    // a stub that jumps to the symbol, if that is outside the image
    KERNEL_NEED_UNKNOWN, // not a relocation of this processor's that we know
};

enum kernel_machine {
    KERNEL_MACHINE_X86_64 = 62, // as ELF numbers them
    KERNEL_MACHINE_AARCH64 = 183,
};

enum kernel_need kernel_relocation_need(enum kernel_machine machine, uint32_t type);

// Changes the image's bytes at `place` for a relocation that needs no fixup. Offsets are from the
// image's start, which is aligned to KERNEL_IMAGE_ALIGNMENT; target: of the symbol, its slot or its
// stub, with the addend in it. false: it does not reach, or the place is not in the image.
bool kernel_relocate(enum kernel_machine machine, uint32_t type, uint8_t *image,
    uint32_t size_bytes, uint64_t place, int64_t target);

// Writes a stub: jumps to the address in the slot.
#define KERNEL_STUB_BYTES 8u
void kernel_write_stub(
    enum kernel_machine machine, uint8_t *image, uint32_t stub_offset, uint32_t slot_offset);
