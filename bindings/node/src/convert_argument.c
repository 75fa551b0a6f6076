// SPDX-License-Identifier: MIT
//
// Conversions of arguments by their index, of bytes, and results; see convert.h.

#include "convert.h"

//
// Arguments
//

// BODY converts argument `index`; the path names it while that runs.
#define WITH_ARGUMENT(BODY) \
    struct path path = {.parent = call->path, .name = name}; \
    call->path = &path; \
    bool is_done = BODY; \
    call->path = path.parent; \
    return is_done

bool argument_u32(struct call *call, uint32_t index, const char *name, uint32_t *out) {
    WITH_ARGUMENT(convert_u32(call, call->argv[index], out));
}

bool argument_u64(struct call *call, uint32_t index, const char *name, uint64_t *out) {
    WITH_ARGUMENT(convert_u64(call, call->argv[index], out));
}

bool optional_u32(struct call *call, uint32_t index, const char *name, uint32_t *out) {
    if (index >= call->argc || is_missing(call, call->argv[index])) {
        return true;
    }
    return argument_u32(call, index, name, out);
}

bool optional_i32(struct call *call, uint32_t index, const char *name, int32_t *out) {
    if (index >= call->argc || is_missing(call, call->argv[index])) {
        return true;
    }
    WITH_ARGUMENT(convert_i32(call, call->argv[index], out));
}

bool optional_u64(struct call *call, uint32_t index, const char *name, uint64_t *out) {
    if (index >= call->argc || is_missing(call, call->argv[index])) {
        return true;
    }
    return argument_u64(call, index, name, out);
}

bool argument_float(struct call *call, uint32_t index, const char *name, float *out) {
    WITH_ARGUMENT(convert_float(call, call->argv[index], out));
}

bool argument_string(struct call *call, uint32_t index, const char *name, WGPUStringView *out) {
    WITH_ARGUMENT(convert_string(call, call->argv[index], out));
}

bool argument_enum(struct call *call, uint32_t index, const char *name,
    const struct enum_table *words, uint32_t *out) {
    WITH_ARGUMENT(convert_enum(call, call->argv[index], words, out));
}

bool argument_object(struct call *call, uint32_t index, const char *name,
    const struct interface *interface, void *out_handle) {
    WITH_ARGUMENT(convert_object(call, call->argv[index], interface, out_handle));
}

bool argument_union(
    struct call *call, uint32_t index, const char *name, union_function convert, void *out) {
    WITH_ARGUMENT(convert(call, call->argv[index], out));
}

bool argument_dictionary(struct call *call, uint32_t index, const char *name,
    const struct dictionary *dictionary, void *out) {
    WITH_ARGUMENT(convert_dictionary(call, call->argv[index], dictionary, out));
}

//
// Bytes
//

enum { UNKNOWN_TYPE = 255 };

// 0: a type that a later Node-API adds.
static size_t element_size(napi_typedarray_type type) {
    switch (type) {
    case napi_int8_array:
    case napi_uint8_array:
    case napi_uint8_clamped_array:
        return 1;
    case napi_int16_array:
    case napi_uint16_array:
        return 2;
    case napi_int32_array:
    case napi_uint32_array:
    case napi_float32_array:
        return 4;
    case napi_float64_array:
    case napi_bigint64_array:
    case napi_biguint64_array:
        return 8;
    default:
        return 0;
    }
}

// The bytes of an object that Node-API does not know well: a SharedArrayBuffer, or a typed array of
// a type that it does not name.
static bool convert_bytes(struct call *call, napi_value value, struct byte_range *out);
static bool convert_strange_bytes(struct call *call, napi_value value, struct byte_range *out) {
    napi_value bytes = node_env_call_hook(call->node, HOOK_toBytes, 1, &value);
    if (bytes == NULL) {
        return false;
    }
    if (is_nullish(call, bytes)) {
        return fail_type(call, "is not an ArrayBuffer or a view of one");
    }
    return convert_bytes(call, bytes, out);
}

static bool convert_bytes(struct call *call, napi_value value, struct byte_range *out) {
    bool is_kind = false;
    void *data = NULL;
    size_t length = 0;
    size_t offset;
    napi_value buffer;
    *out = (struct byte_range){.element_size_bytes = 1};
    if (napi_is_typedarray(call->env, value, &is_kind) == napi_ok && is_kind) {
        napi_typedarray_type type = (napi_typedarray_type)UNKNOWN_TYPE;
        if (napi_get_typedarray_info(call->env, value, &type, &length, &data, &buffer, &offset) !=
            napi_ok) {
            return fail_type(call, "is a typed array of an unknown type");
        }
        if (element_size(type) == 0) {
            if (!convert_strange_bytes(call, value, out)) {
                return false;
            }
            out->element_size_bytes = length == 0 ? 1 : out->size_bytes / length;
            return out->element_size_bytes != 0 || fail_type(call, "has no bytes");
        }
        out->element_size_bytes = element_size(type);
        out->size_bytes = length * out->element_size_bytes;
    } else if (napi_is_dataview(call->env, value, &is_kind) == napi_ok && is_kind) {
        if (napi_get_dataview_info(call->env, value, &out->size_bytes, &data, &buffer, &offset) !=
            napi_ok) {
            return fail_type(call, "is a view of a detached ArrayBuffer");
        }
    } else if (napi_is_arraybuffer(call->env, value, &is_kind) == napi_ok && is_kind) {
        if (napi_get_arraybuffer_info(call->env, value, &data, &out->size_bytes) != napi_ok) {
            return false;
        }
    } else if (is_object(call, value)) {
        return convert_strange_bytes(call, value, out);
    } else {
        return fail_type(call, "is not an ArrayBuffer or a view of one");
    }
    out->data = data;
    return true;
}

bool argument_bytes(struct call *call, uint32_t index, const char *name, struct byte_range *out) {
    WITH_ARGUMENT(convert_bytes(call, call->argv[index], out));
}

bool argument_bytes_part(
    struct call *call, uint32_t index, uint32_t first, struct byte_range *range) {
    uint64_t offset = 0;
    uint64_t count = UINT64_MAX;
    // Converting the numbers may run the program's code, which may take the bytes away.
    if (!argument_bytes(call, index, "data", range) ||
        !optional_u64(call, first, "dataOffset", &offset) ||
        !optional_u64(call, first + 1, "size", &count) ||
        !argument_bytes(call, index, "data", range)) {
        return false;
    }
    uint64_t available = range->size_bytes / range->element_size_bytes;
    if (offset > available) {
        return fail_dom(call, "OperationError", "dataOffset is beyond the end of the data");
    }
    if (count == UINT64_MAX) {
        count = available - offset;
    } else if (count > available - offset) {
        return fail_dom(call, "OperationError", "dataOffset + size is beyond the end of the data");
    }
    if (count * range->element_size_bytes % 4 != 0) {
        return fail_dom(call, "OperationError", "the size in bytes is not a multiple of 4");
    }
    range->data = range->data == NULL ? NULL : range->data + offset * range->element_size_bytes;
    range->size_bytes = (size_t)count * range->element_size_bytes;
    return true;
}

//
// Results
//

napi_value result_u32(struct call *call, uint32_t value) {
    napi_value result = NULL;
    napi_create_uint32(call->env, value, &result);
    return result;
}

napi_value result_u64(struct call *call, uint64_t value) {
    napi_value result = NULL;
    napi_create_double(call->env, (double)value, &result);
    return result;
}

napi_value result_text(struct call *call, const char *text) {
    napi_value result = NULL;
    if (text != NULL) {
        napi_create_string_utf8(call->env, text, NAPI_AUTO_LENGTH, &result);
    }
    return result;
}
