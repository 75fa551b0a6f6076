// SPDX-License-Identifier: MIT
//
// Reading an ELF object and laying its parts out as one image: code, stubs for calls that leave it,
// constants, and last the slots that hold addresses. See kernel_link.h. No number of the object is
// believed before it was checked.
#include "shader/kernel/kernel_link.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/try.h"
#include "base/vector.h"
#include "shader/kernel/kernel_link_priv.h"

// The ELF-64 format: sizes of its records, and the numbers that matter here.
#define HEADER_BYTES 64u
#define SECTION_BYTES 64u
#define SYMBOL_BYTES 24u
#define RELOCATION_BYTES 24u
#define TYPE_RELOCATABLE 1u
#define SECTION_PROGRAM_BITS 1u
#define SECTION_SYMBOLS 2u
#define SECTION_RELOCATIONS 4u
#define SECTION_NO_BITS 8u
#define FLAG_WRITE 1u
#define FLAG_ALLOCATE 2u
#define FLAG_EXECUTE 4u
#define FLAG_THREAD_LOCAL 1024u
#define INDEX_UNDEFINED 0u
#define INDEX_RESERVED 0xff00u

#define LARGEST_IMAGE_BYTES ((uint64_t)1 << 30)
#define NO_PLACE UINT32_MAX

struct section {
    uint32_t name;
    uint32_t type;
    uint64_t flags;
    uint64_t offset;
    uint64_t size_bytes;
    uint32_t link;
    uint32_t info;
    uint64_t alignment;
    uint32_t place; // in the image, or NO_PLACE
};

struct symbol {
    const char *name;
    uint32_t section;
    uint64_t value;
    bool is_in_image;
    int64_t address; // in the image
    enum kernel_symbol outside; // if it is not in the image
    bool needs_slot;
    bool needs_stub;
    uint32_t slot;
    uint32_t stub;
};

struct relocation {
    uint64_t place; // in the image
    uint32_t type;
    uint32_t symbol;
    int64_t addend;
};

struct linker {
    struct arena arena;
    struct text_buffer *error;
    const uint8_t *object;
    size_t object_bytes;
    enum kernel_machine machine;
    struct section *sections;
    uint32_t section_count;
    struct symbol *symbols;
    uint32_t symbol_count;
    VECTOR(struct relocation) relocations; // in the arena
    uint64_t size_bytes; // of the image so far
    struct kernel_image *image;
};

static bool fail(struct linker *linker, const char *reason) {
    text_buffer_print(linker->error, "linking the kernel failed: %s", reason);
    return false;
}

static bool fail_with_name(struct linker *linker, const char *reason, const char *name) {
    text_buffer_print(linker->error, "linking the kernel failed: %s '%s'", reason, name);
    return false;
}

// ---------------------------------------------------------------- reading

static uint64_t read_number(const uint8_t *at, int size_bytes) {
    uint64_t number = 0;
    for (int i = size_bytes - 1; i >= 0; i--) {
        number = number << 8 | at[i];
    }
    return number;
}

static bool is_in_object(const struct linker *linker, uint64_t offset, uint64_t size_bytes) {
    return offset <= linker->object_bytes && size_bytes <= linker->object_bytes - offset;
}

// A NUL-terminated name in a section of names; NULL when it is not one.
static const char *find_name(const struct linker *linker, uint32_t section, uint32_t offset) {
    if (section >= linker->section_count) {
        return NULL;
    }
    const struct section *names = &linker->sections[section];
    if (names->type == SECTION_NO_BITS || offset >= names->size_bytes) {
        return NULL;
    }
    const char *name = (const char *)linker->object + names->offset + offset;
    return memchr(name, 0, (size_t)(names->size_bytes - offset)) != NULL ? name : NULL;
}

static bool read_sections(struct linker *linker) {
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 2, 1, 1}; // 64 bits, little-endian
    const uint8_t *object = linker->object;
    if (linker->object_bytes < HEADER_BYTES || memcmp(object, magic, sizeof(magic)) != 0 ||
        read_number(object + 16, 2) != TYPE_RELOCATABLE) {
        return fail(linker, "it is not an ELF object of 64 bits");
    }
    uint64_t machine = read_number(object + 18, 2);
    if (machine != KERNEL_MACHINE_X86_64 && machine != KERNEL_MACHINE_AARCH64) {
        return fail(linker, "it is for another processor");
    }
    linker->machine = (enum kernel_machine)machine;
    uint64_t offset = read_number(object + 40, 8);
    linker->section_count = (uint32_t)read_number(object + 60, 2);
    if (read_number(object + 58, 2) != SECTION_BYTES ||
        !is_in_object(linker, offset, (uint64_t)linker->section_count * SECTION_BYTES)) {
        return fail(linker, "its table of sections is damaged");
    }
    linker->sections = ARENA_ARRAY(&linker->arena, struct section, linker->section_count + 1u);
    if (linker->sections == NULL) {
        return fail(linker, "out of memory");
    }
    for (uint32_t i = 0; i < linker->section_count; i++) {
        const uint8_t *at = object + offset + (uint64_t)i * SECTION_BYTES;
        struct section *section = &linker->sections[i];
        *section = (struct section){
            .name = (uint32_t)read_number(at, 4),
            .type = (uint32_t)read_number(at + 4, 4),
            .flags = read_number(at + 8, 8),
            .offset = read_number(at + 24, 8),
            .size_bytes = read_number(at + 32, 8),
            .link = (uint32_t)read_number(at + 40, 4),
            .info = (uint32_t)read_number(at + 44, 4),
            .alignment = read_number(at + 48, 8),
            .place = NO_PLACE,
        };
        if (section->type != SECTION_NO_BITS &&
            !is_in_object(linker, section->offset, section->size_bytes)) {
            return fail(linker, "a section is not inside the object");
        }
    }
    return true;
}

// ---------------------------------------------------------------- laying out

static bool reserve(
    struct linker *linker, uint64_t size_bytes, uint64_t alignment, uint32_t *out_place) {
    alignment = alignment == 0 ? 1 : alignment;
    if ((alignment & (alignment - 1)) != 0 || alignment > KERNEL_IMAGE_ALIGNMENT) {
        return fail(linker, "a part asks for an alignment that is not possible");
    }
    uint64_t place = (linker->size_bytes + alignment - 1) & ~(alignment - 1);
    if (size_bytes > LARGEST_IMAGE_BYTES || place + size_bytes > LARGEST_IMAGE_BYTES) {
        return fail(linker, "it is too large");
    }
    *out_place = (uint32_t)place;
    linker->size_bytes = place + size_bytes;
    return true;
}

static bool starts_with(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

// Tables for unwinding are of no use: no exception passes through a kernel.
static bool is_wanted(const struct linker *linker, const struct section *section) {
    const char *name = find_name(linker, (uint32_t)read_number(linker->object + 62, 2), section->name);
    return (section->flags & FLAG_ALLOCATE) != 0 && section->size_bytes != 0 &&
        (section->type == SECTION_PROGRAM_BITS || section->type == SECTION_NO_BITS) &&
        !(name != NULL && starts_with(name, ".eh_frame"));
}

static bool place_sections(struct linker *linker, bool is_code) {
    uint32_t names = (uint32_t)read_number(linker->object + 62, 2);
    for (uint32_t i = 0; i < linker->section_count; i++) {
        struct section *section = &linker->sections[i];
        if (!is_wanted(linker, section) || ((section->flags & FLAG_EXECUTE) != 0) != is_code) {
            continue;
        }
        const char *name = find_name(linker, names, section->name);
        // Constants that hold addresses are written by whoever places them alone.
        bool is_constant = (section->flags & FLAG_WRITE) == 0 ||
            (name != NULL && starts_with(name, ".data.rel.ro"));
        if (!is_constant || (section->flags & FLAG_THREAD_LOCAL) != 0) {
            return fail_with_name(
                linker, "it has data that could change, in", name != NULL ? name : "");
        }
        TRY(reserve(linker, section->size_bytes, section->alignment, &section->place));
        if (is_code) {
            linker->image->code_bytes += (uint32_t)section->size_bytes;
        }
    }
    return true;
}

// ---------------------------------------------------------------- symbols

static bool find_outside(const char *name, enum kernel_symbol *out_symbol) {
    for (uint32_t i = 0; i < KERNEL_SYMBOL_SELF; i++) {
        if (strcmp(kernel_symbol_name((enum kernel_symbol)i), name) == 0) {
            *out_symbol = (enum kernel_symbol)i;
            return true;
        }
    }
    return false;
}

// After the sections have their places.
static bool read_symbols(struct linker *linker) {
    const struct section *table = NULL;
    for (uint32_t i = 0; i < linker->section_count && table == NULL; i++) {
        table = linker->sections[i].type == SECTION_SYMBOLS ? &linker->sections[i] : NULL;
    }
    if (table == NULL) {
        return fail(linker, "it has no symbols");
    }
    linker->symbol_count = (uint32_t)(table->size_bytes / SYMBOL_BYTES);
    linker->symbols = ARENA_ARRAY(&linker->arena, struct symbol, linker->symbol_count + 1u);
    if (linker->symbols == NULL) {
        return fail(linker, "out of memory");
    }
    for (uint32_t i = 0; i < linker->symbol_count; i++) {
        const uint8_t *at = linker->object + table->offset + (uint64_t)i * SYMBOL_BYTES;
        struct symbol *symbol = &linker->symbols[i];
        symbol->name = find_name(linker, table->link, (uint32_t)read_number(at, 4));
        symbol->section = (uint32_t)read_number(at + 6, 2);
        symbol->value = read_number(at + 8, 8);
        if (symbol->name == NULL) {
            return fail(linker, "a symbol's name is damaged");
        }
        if (symbol->section == INDEX_UNDEFINED || symbol->section >= INDEX_RESERVED) {
            continue;
        }
        if (symbol->section >= linker->section_count) {
            return fail_with_name(linker, "there is no section for", symbol->name);
        }
        const struct section *section = &linker->sections[symbol->section];
        if (section->place != NO_PLACE && symbol->value <= section->size_bytes) {
            symbol->is_in_image = true;
            symbol->address = (int64_t)(section->place + symbol->value);
        }
    }
    return true;
}

static bool find_entry(struct linker *linker, const char *entry) {
    for (uint32_t i = 0; i < linker->symbol_count; i++) {
        const struct symbol *symbol = &linker->symbols[i];
        if (symbol->is_in_image && strcmp(symbol->name, entry) == 0 &&
            (linker->sections[symbol->section].flags & FLAG_EXECUTE) != 0) {
            linker->image->entry_offset_bytes = (uint32_t)symbol->address;
            return true;
        }
    }
    return fail_with_name(linker, "there is no function", entry);
}

// ---------------------------------------------------------------- relocations

// Adds one relocation of a placed section to the list, and what its symbol needs to the symbol.
static bool read_relocation(
    struct linker *linker, const struct section *section, const uint8_t *at) {
    uint64_t info = read_number(at + 8, 8);
    struct relocation relocation = {
        .place = read_number(at, 8),
        .type = (uint32_t)info,
        .symbol = (uint32_t)(info >> 32),
        .addend = (int64_t)read_number(at + 16, 8),
    };
    if (relocation.symbol >= linker->symbol_count || relocation.place >= section->size_bytes) {
        return fail(linker, "a relocation is damaged");
    }
    relocation.place += section->place;
    struct symbol *symbol = &linker->symbols[relocation.symbol];
    if (!symbol->is_in_image &&
        (symbol->section != INDEX_UNDEFINED || !find_outside(symbol->name, &symbol->outside))) {
        return fail_with_name(linker, "generated code may not use the symbol", symbol->name);
    }
    enum kernel_need need = kernel_relocation_need(linker->machine, relocation.type);
    switch (need) {
    case KERNEL_NEED_NOTHING:
        if (!symbol->is_in_image) {
            return fail_with_name(linker, "no relocation of this kind reaches", symbol->name);
        }
        break;
    case KERNEL_NEED_ADDRESS:
        linker->image->fixup_count++;
        break;
    case KERNEL_NEED_SLOT:
        symbol->needs_slot = true;
        break;
    case KERNEL_NEED_JUMP:
        symbol->needs_stub = symbol->needs_stub || !symbol->is_in_image;
        symbol->needs_slot = symbol->needs_slot || !symbol->is_in_image;
        break;
    case KERNEL_NEED_UNKNOWN:
        text_buffer_print(linker->error,
            "linking the kernel failed: relocation type %u is not known", relocation.type);
        return false;
    }
    return arena_vector_push(&linker->arena, &linker->relocations, relocation) ||
        fail(linker, "out of memory");
}

static bool read_relocations(struct linker *linker) {
    for (uint32_t i = 0; i < linker->section_count; i++) {
        const struct section *table = &linker->sections[i];
        if (table->type != SECTION_RELOCATIONS || table->info >= linker->section_count ||
            linker->sections[table->info].place == NO_PLACE) {
            continue;
        }
        for (uint64_t k = 0; k < table->size_bytes / RELOCATION_BYTES; k++) {
            TRY(read_relocation(linker, &linker->sections[table->info],
                linker->object + table->offset + k * RELOCATION_BYTES));
        }
    }
    return true;
}

static bool place_slots_and_stubs(struct linker *linker) {
    for (uint32_t i = 0; i < linker->symbol_count; i++) {
        struct symbol *symbol = &linker->symbols[i];
        if (symbol->needs_slot) {
            TRY(reserve(linker, 8, 8, &symbol->slot));
            linker->image->fixup_count++;
        }
        if (symbol->needs_stub) {
            TRY(reserve(linker, KERNEL_STUB_BYTES, 8, &symbol->stub));
        }
    }
    return true;
}

// ---------------------------------------------------------------- the image

static bool allocate_image(struct linker *linker) {
    struct kernel_image *image = linker->image;
    image->size_bytes = (uint32_t)linker->size_bytes;
    image->bytes = memory_allocate_zeroed(MEMORY_JIT, 1, image->size_bytes);
    image->fixups =
        memory_allocate_zeroed(MEMORY_JIT, image->fixup_count, sizeof(*image->fixups));
    if (image->bytes == NULL || image->fixups == NULL) {
        return fail(linker, "out of memory");
    }
    for (uint32_t i = 0; i < linker->section_count; i++) {
        const struct section *section = &linker->sections[i];
        if (section->place != NO_PLACE && section->type != SECTION_NO_BITS) {
            memcpy(image->bytes + section->place, linker->object + section->offset,
                (size_t)section->size_bytes);
        }
    }
    return true;
}

static struct kernel_fixup fixup_of(const struct symbol *symbol, uint32_t place, int64_t addend) {
    return (struct kernel_fixup){
        .offset_bytes = place,
        .symbol = symbol->is_in_image ? KERNEL_SYMBOL_SELF : symbol->outside,
        .addend = (uint64_t)addend + (symbol->is_in_image ? (uint64_t)symbol->address : 0),
    };
}

static bool write_image(struct linker *linker) {
    struct kernel_image *image = linker->image;
    uint32_t fixup_count = 0;
    for (uint32_t i = 0; i < linker->symbol_count; i++) {
        const struct symbol *symbol = &linker->symbols[i];
        if (symbol->needs_slot) {
            image->fixups[fixup_count++] = fixup_of(symbol, symbol->slot, 0);
        }
        if (symbol->needs_stub) {
            kernel_write_stub(linker->machine, image->bytes, symbol->stub, symbol->slot);
        }
    }
    for (size_t i = 0; i < linker->relocations.count; i++) {
        const struct relocation *relocation = &linker->relocations.items[i];
        const struct symbol *symbol = &linker->symbols[relocation->symbol];
        enum kernel_need need = kernel_relocation_need(linker->machine, relocation->type);
        if (need == KERNEL_NEED_ADDRESS) {
            image->fixups[fixup_count++] =
                fixup_of(symbol, (uint32_t)relocation->place, relocation->addend);
            continue;
        }
        int64_t target = need == KERNEL_NEED_SLOT ? (int64_t)symbol->slot
            : symbol->is_in_image                 ? symbol->address
                                                  : (int64_t)symbol->stub;
        target = (int64_t)((uint64_t)target + (uint64_t)relocation->addend);
        if (!kernel_relocate(linker->machine, relocation->type, image->bytes, image->size_bytes,
                relocation->place, target)) {
            return fail_with_name(linker, "a relocation does not reach", symbol->name);
        }
    }
    return kernel_image_is_consistent(image) || fail(linker, "it is damaged");
}

static bool link_object(struct linker *linker, const char *entry) {
    TRY(read_sections(linker));
    TRY(place_sections(linker, true));
    TRY(place_sections(linker, false));
    TRY(read_symbols(linker));
    TRY(find_entry(linker, entry));
    TRY(read_relocations(linker));
    TRY(place_slots_and_stubs(linker));
    TRY(allocate_image(linker));
    return write_image(linker);
}

bool kernel_link(const void *object, size_t size_bytes, const char *entry,
    struct kernel_image *out_image, struct text_buffer *out_error) {
    *out_image = (struct kernel_image){0};
    struct linker linker = {
        .error = out_error, .object = object, .object_bytes = size_bytes, .image = out_image};
    arena_init(&linker.arena, MEMORY_JIT);
    bool is_linked = link_object(&linker, entry);
    arena_finish(&linker.arena);
    if (!is_linked) {
        kernel_image_finish(out_image);
    }
    return is_linked;
}
