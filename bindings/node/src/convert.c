// SPDX-License-Identifier: MIT
//
// See convert.h.

#include "convert.h"

#include "device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 512, ENUM_WORD_BYTES = 64 };
#define MAX_SAFE_INTEGER 9007199254740991.0

//
// Failures
//

static size_t append(char *out, size_t size, size_t length, const char *text) {
    int written = snprintf(out + length, size - length, "%s", text);
    size_t added = written < 0 ? 0 : (size_t)written;
    return length + added < size ? length + added : size - 1;
}

enum { PATH_DEPTH = 16 };

void describe_place(const struct call *call, char *out, size_t size) {
    const struct path *frames[PATH_DEPTH];
    size_t count = 0;
    for (const struct path *path = call->path; path != NULL && count < PATH_DEPTH;
         path = path->parent) {
        frames[count++] = path;
    }
    size_t length = append(out, size, 0, call->method->interface->name);
    length = append(out, size, length, ".");
    length = append(out, size, length, call->method->name);
    length = append(out, size, length, ": ");
    for (size_t i = count; i > 0; i--) {
        const struct path *frame = frames[i - 1];
        if (frame->name == NULL) {
            char index[16];
            snprintf(index, sizeof index, "[%u]", (unsigned)frame->index);
            length = append(out, size, length, index);
        } else {
            length = append(out, size, length, i == count ? "" : ".");
            length = append(out, size, length, frame->name);
        }
    }
    append(out, size, length, count > 0 ? " " : "");
}

static void build_message(struct call *call, const char *text, char *out, size_t size) {
    describe_place(call, out, size);
    append(out, size, strlen(out), text);
}

bool fail_type(struct call *call, const char *text) {
    char message[MESSAGE_BYTES];
    build_message(call, text, message, sizeof message);
    napi_throw_type_error(call->env, NULL, message);
    return false;
}

bool fail_range(struct call *call, const char *text) {
    char message[MESSAGE_BYTES];
    build_message(call, text, message, sizeof message);
    napi_throw_range_error(call->env, NULL, message);
    return false;
}

bool fail_dom(struct call *call, const char *name, const char *text) {
    char message[MESSAGE_BYTES];
    build_message(call, text, message, sizeof message);
    napi_value argv[2];
    if (napi_create_string_utf8(call->env, message, NAPI_AUTO_LENGTH, &argv[0]) == napi_ok &&
        napi_create_string_utf8(call->env, name, NAPI_AUTO_LENGTH, &argv[1]) == napi_ok) {
        napi_value error = node_env_call_hook(call->node, HOOK_createDOMException, 2, argv);
        if (error != NULL) {
            napi_throw(call->env, error);
        }
    }
    return false;
}

bool fail_memory(struct call *call) {
    return fail_range(call, "out of memory");
}

//
// Kinds of value
//

static napi_valuetype type_of(struct call *call, napi_value value) {
    napi_valuetype type = napi_undefined;
    napi_typeof(call->env, value, &type);
    return type;
}

bool is_missing(struct call *call, napi_value value) {
    return type_of(call, value) == napi_undefined;
}

bool is_nullish(struct call *call, napi_value value) {
    napi_valuetype type = type_of(call, value);
    return type == napi_undefined || type == napi_null;
}

bool is_object(struct call *call, napi_value value) {
    napi_valuetype type = type_of(call, value);
    return type == napi_object || type == napi_function;
}

//
// Numbers
//

static bool to_number(struct call *call, napi_value value, double *out) {
    if (napi_get_value_double(call->env, value, out) == napi_ok) {
        return true;
    }
    napi_valuetype type = type_of(call, value);
    if (type == napi_symbol || type == napi_bigint) {
        return fail_type(call, "is not a number");
    }
    napi_value number;
    if (napi_coerce_to_number(call->env, value, &number) != napi_ok) {
        bool is_pending = false;
        napi_is_exception_pending(call->env, &is_pending);
        return is_pending ? false : fail_type(call, "is not a number");
    }
    return napi_get_value_double(call->env, number, out) == napi_ok;
}

// Web IDL [EnforceRange].
static bool to_integer(struct call *call, napi_value value, double low, double high, double *out) {
    double number;
    if (!to_number(call, value, &number)) {
        return false;
    }
    double integer = trunc(number);
    if (!(integer >= low && integer <= high)) {
        char text[96];
        if (isnan(number)) {
            snprintf(text, sizeof text, "is not a number");
        } else {
            snprintf(text, sizeof text, "is %.17g, outside %.17g to %.17g", number, low, high);
        }
        return fail_type(call, text);
    }
    *out = integer;
    return true;
}

bool convert_u32(struct call *call, napi_value value, uint32_t *out) {
    double integer;
    if (!to_integer(call, value, 0, UINT32_MAX, &integer)) {
        return false;
    }
    *out = (uint32_t)integer;
    return true;
}

bool convert_i32(struct call *call, napi_value value, int32_t *out) {
    double integer;
    if (!to_integer(call, value, INT32_MIN, INT32_MAX, &integer)) {
        return false;
    }
    *out = (int32_t)integer;
    return true;
}

bool convert_u64(struct call *call, napi_value value, uint64_t *out) {
    double integer;
    if (!to_integer(call, value, 0, MAX_SAFE_INTEGER, &integer)) {
        return false;
    }
    *out = (uint64_t)integer;
    return true;
}

bool convert_double(struct call *call, napi_value value, double *out) {
    if (!to_number(call, value, out)) {
        return false;
    }
    return isfinite(*out) || fail_type(call, "is not a finite number");
}

bool convert_float(struct call *call, napi_value value, float *out) {
    double number;
    if (!convert_double(call, value, &number)) {
        return false;
    }
    // 2^128 - 2^103 is half way between the largest float and what would come after it.
    if (fabs(number) >= 0x1.ffffffp127) {
        return fail_type(call, "is outside the range of float");
    }
    *out = (float)number;
    return true;
}

static bool convert_u16_clamp(struct call *call, napi_value value, uint16_t *out) {
    double number;
    if (!to_number(call, value, &number)) {
        return false;
    }
    if (!(number > 0)) {
        *out = 0;
    } else {
        *out = number >= UINT16_MAX ? UINT16_MAX : (uint16_t)nearbyint(number);
    }
    return true;
}

static bool convert_boolean(struct call *call, napi_value value, bool *out) {
    napi_value boolean;
    return napi_coerce_to_bool(call->env, value, &boolean) == napi_ok &&
        napi_get_value_bool(call->env, boolean, out) == napi_ok;
}

//
// Texts, enumerations, objects
//

static bool to_string(struct call *call, napi_value value, napi_value *out) {
    napi_valuetype type = type_of(call, value);
    if (type == napi_string) {
        *out = value;
        return true;
    }
    if (type == napi_symbol) {
        return fail_type(call, "is a symbol, not a text");
    }
    return napi_coerce_to_string(call->env, value, out) == napi_ok;
}

bool convert_string(struct call *call, napi_value value, WGPUStringView *out) {
    napi_value string;
    size_t length;
    if (!to_string(call, value, &string) ||
        napi_get_value_string_utf8(call->env, string, NULL, 0, &length) != napi_ok) {
        return false;
    }
    char *data = scratch_allocate(call->node, length + 1);
    if (data == NULL) {
        return fail_memory(call);
    }
    if (napi_get_value_string_utf8(call->env, string, data, length + 1, &length) != napi_ok) {
        return false;
    }
    *out = (WGPUStringView){.data = data, .length = length};
    return true;
}

// The feature that a value of an enumeration needs; 0 if none (WebGPU §"Optional Capabilities":
// without it, the value converts no better than an unknown word).
static WGPUFeatureName needed_feature(const struct enum_table *words, uint32_t value) {
    if (words == &enum_query_type && value == WGPUQueryType_Timestamp) {
        return WGPUFeatureName_TimestampQuery;
    }
    if (words == &enum_blend_factor && value >= WGPUBlendFactor_Src1 &&
        value <= WGPUBlendFactor_OneMinusSrc1Alpha) {
        return WGPUFeatureName_DualSourceBlending;
    }
    if (words != &enum_texture_format) {
        return (WGPUFeatureName)0;
    }
    if (value >= WGPUTextureFormat_ASTC4x4Unorm) {
        return WGPUFeatureName_TextureCompressionASTC;
    }
    if (value >= WGPUTextureFormat_ETC2RGB8Unorm) {
        return WGPUFeatureName_TextureCompressionETC2;
    }
    if (value >= WGPUTextureFormat_BC1RGBAUnorm) {
        return WGPUFeatureName_TextureCompressionBC;
    }
    switch (value) {
    case WGPUTextureFormat_Depth32FloatStencil8:
        return WGPUFeatureName_Depth32FloatStencil8;
    case WGPUTextureFormat_R16Unorm:
    case WGPUTextureFormat_R16Snorm:
    case WGPUTextureFormat_RG16Unorm:
    case WGPUTextureFormat_RG16Snorm:
    case WGPUTextureFormat_RGBA16Unorm:
    case WGPUTextureFormat_RGBA16Snorm:
        return WGPUFeatureName_TextureFormatsTier1;
    default:
        return (WGPUFeatureName)0;
    }
}

static bool check_feature(
    struct call *call, const struct enum_table *words, const char *word, uint32_t value) {
    WGPUFeatureName feature = needed_feature(words, value);
    const struct device *device = call->self->device;
    if (feature == 0 || device == NULL || device_has(device, feature)) {
        return true;
    }
    char text[160];
    snprintf(text, sizeof text, "is '%s', which needs the feature '%s'", word,
        enum_find_word(&enum_feature_name, feature));
    return fail_type(call, text);
}

bool convert_enum(
    struct call *call, napi_value value, const struct enum_table *words, uint32_t *out) {
    napi_value string;
    char word[ENUM_WORD_BYTES];
    size_t length;
    if (!to_string(call, value, &string) ||
        napi_get_value_string_utf8(call->env, string, word, sizeof word, &length) != napi_ok) {
        return false;
    }
    if (enum_find_value(words, word, length, out)) {
        return check_feature(call, words, word, *out);
    }
    char text[160];
    snprintf(text, sizeof text, "is '%s', which is no %s", word, words->name);
    return fail_type(call, text);
}

bool convert_object(
    struct call *call, napi_value value, const struct interface *interface, void *out_handle) {
    struct object *object = object_find(call->node, value, interface);
    if (object == NULL) {
        char text[64];
        snprintf(text, sizeof text, "is not a %s", interface->name);
        return fail_type(call, text);
    }
    memcpy(out_handle, &object->handle, sizeof object->handle);
    return true;
}

bool convert_iterable(struct call *call, napi_value value, napi_value *out_array) {
    bool is_array = false;
    napi_is_array(call->env, value, &is_array);
    if (is_array) {
        *out_array = value;
        return true;
    }
    if (!is_object(call, value)) {
        return fail_type(call, "is not an object");
    }
    napi_value array = node_env_call_hook(call->node, HOOK_toArrayOrNull, 1, &value);
    if (array == NULL) {
        return false;
    }
    *out_array = is_nullish(call, array) ? NULL : array;
    return true;
}

// One value of a kind other than dictionaries and unions, into the memory of its C type.
static bool convert_basic(
    struct call *call, napi_value value, const struct idl_kind *kind, void *out) {
    bool boolean = false;
    uint32_t flags = 0;
    switch (kind->type) {
    case IDL_BOOLEAN:
        if (!convert_boolean(call, value, &boolean)) {
            return false;
        }
        *(WGPUBool *)out = boolean ? WGPU_TRUE : WGPU_FALSE;
        return true;
    case IDL_OPTIONAL_BOOLEAN:
        if (!convert_boolean(call, value, &boolean)) {
            return false;
        }
        *(WGPUOptionalBool *)out = boolean ? WGPUOptionalBool_True : WGPUOptionalBool_False;
        return true;
    case IDL_U16_CLAMP:
        return convert_u16_clamp(call, value, out);
    case IDL_U32:
    case IDL_MASK:
        return convert_u32(call, value, out);
    case IDL_I32:
        return convert_i32(call, value, out);
    case IDL_U64:
        return convert_u64(call, value, out);
    case IDL_FLAGS:
        if (!convert_u32(call, value, &flags)) {
            return false;
        }
        *(WGPUFlags *)out = flags;
        return true;
    case IDL_FLOAT:
        return convert_float(call, value, out);
    case IDL_DOUBLE:
        return convert_double(call, value, out);
    case IDL_STRING:
        return convert_string(call, value, out);
    case IDL_ENUM:
        return convert_enum(call, value, kind->words, out);
    case IDL_OBJECT:
        return convert_object(call, value, kind->interface, out);
    case IDL_DICTIONARY:
        return convert_dictionary(call, value, kind->dictionary, out);
    case IDL_UNION:
        return kind->convert(call, value, out);
    }
    return false;
}

static size_t kind_size(const struct idl_kind *kind) {
    switch (kind->type) {
    case IDL_BOOLEAN:
    case IDL_OPTIONAL_BOOLEAN:
    case IDL_U32:
    case IDL_MASK:
    case IDL_I32:
    case IDL_ENUM:
    case IDL_FLOAT:
        return sizeof(uint32_t);
    case IDL_U16_CLAMP:
        return sizeof(uint16_t);
    case IDL_U64:
    case IDL_FLAGS:
    case IDL_DOUBLE:
        return sizeof(uint64_t);
    case IDL_STRING:
        return sizeof(WGPUStringView);
    case IDL_OBJECT:
    case IDL_UNION: // elements of sequences that are unions are handles
        return sizeof(void *);
    case IDL_DICTIONARY:
        return kind->dictionary->size_bytes;
    }
    return 0;
}

//
// Dictionaries and sequences
//

// Room for elements grows with what is converted: an array may claim a length that it has no
// elements for.
enum { FIRST_ELEMENTS = 1024 };
struct elements {
    char *data;
    uint32_t capacity;
};

static bool grow(
    struct call *call, struct elements *elements, uint32_t used, uint32_t count, size_t size) {
    uint64_t wanted = elements->capacity == 0 ? FIRST_ELEMENTS : 2 * (uint64_t)elements->capacity;
    uint32_t capacity = wanted < count ? (uint32_t)wanted : count;
    char *data = scratch_allocate(call->node, capacity * size);
    if (data == NULL) {
        return fail_memory(call);
    }
    if (used > 0) {
        memcpy(data, elements->data, used * size);
    }
    memset(data + used * size, 0, (capacity - used) * size);
    *elements = (struct elements){data, capacity};
    return true;
}

bool convert_sequence(struct call *call, napi_value value, struct idl_kind kind, bool is_nullable,
    size_t *out_count, const void **out_elements) {
    napi_value array;
    if (!convert_iterable(call, value, &array)) {
        return false;
    }
    if (array == NULL) {
        return fail_type(call, "is not iterable");
    }
    uint32_t count = 0;
    if (napi_get_array_length(call->env, array, &count) != napi_ok) {
        return false;
    }
    size_t size = kind_size(&kind);
    struct elements elements = {0};
    struct path path = {.parent = call->path};
    for (uint32_t i = 0; i < count; i++) {
        if (i == elements.capacity && !grow(call, &elements, i, count, size)) {
            return false;
        }
        // No handle scope of its own: an object that a getter made for this element must live until
        // the call is over, since only its libalba handle is kept.
        napi_value element;
        path.index = i;
        call->path = &path;
        void *out = elements.data + i * size;
        bool is_done = napi_get_element(call->env, array, i, &element) == napi_ok;
        if (is_done && is_nullable && is_nullish(call, element)) {
            if (kind.type == IDL_DICTIONARY) {
                kind.dictionary->start(out);
            }
        } else if (is_done) {
            is_done = convert_basic(call, element, &kind, out);
        }
        if (!is_done) {
            return false;
        }
        call->path = path.parent;
    }
    *out_count = count;
    *out_elements = elements.data;
    return true;
}

// UINT32_MAX, which means "not given" in C where it is the default, is a value like any other here:
// its neighbour stands for it, which is out of every range as well.
static bool convert_given_u32(struct call *call, napi_value value, uint32_t *out) {
    bool has_sentinel = *out == UINT32_MAX;
    if (!convert_u32(call, value, out)) {
        return false;
    }
    *out -= has_sentinel && *out == UINT32_MAX;
    return true;
}

static bool convert_member(
    struct call *call, napi_value value, const struct idl_member *member, char *out) {
    switch (member->shape) {
    case IDL_PLAIN:
        if (member->kind.type == IDL_U32) {
            return convert_given_u32(call, value, (uint32_t *)(void *)(out + member->offset));
        }
        return convert_basic(call, value, &member->kind, out + member->offset);
    case IDL_POINTER: {
        void *target = scratch_allocate(call->node, kind_size(&member->kind));
        if (target == NULL) {
            return fail_memory(call);
        }
        memcpy(out + member->offset, &target, sizeof target);
        return convert_basic(call, value, &member->kind, target);
    }
    case IDL_SEQUENCE:
    case IDL_NULLABLE_SEQUENCE: {
        size_t count;
        const void *elements;
        if (!convert_sequence(call, value, member->kind, member->shape == IDL_NULLABLE_SEQUENCE,
                &count, &elements)) {
            return false;
        }
        memcpy(out + member->count_offset, &count, sizeof count);
        memcpy(out + member->offset, &elements, sizeof elements);
        return true;
    }
    }
    return false;
}

bool convert_dictionary(
    struct call *call, napi_value value, const struct dictionary *dictionary, void *out) {
    dictionary->start(out);
    bool is_empty = is_nullish(call, value);
    if (!is_empty && !is_object(call, value)) {
        char text[96];
        snprintf(text, sizeof text, "is not an object (%s)", dictionary->name);
        return fail_type(call, text);
    }
    struct path path = {.parent = call->path};
    for (size_t i = 0; i < dictionary->member_count; i++) {
        const struct idl_member *member = &dictionary->members[i];
        napi_value property = NULL;
        if (!is_empty &&
            napi_get_named_property(call->env, value, member->name, &property) != napi_ok) {
            return false;
        }
        path.name = member->name;
        call->path = &path;
        if (property == NULL || is_missing(call, property)) {
            if (member->is_required) {
                return fail_type(call, "is required");
            }
            if (member->word != 0) {
                memcpy((char *)out + member->offset, &member->word, sizeof member->word);
            }
        } else if (!convert_member(call, property, member, out)) {
            return false;
        }
        call->path = path.parent;
    }
    return true;
}
