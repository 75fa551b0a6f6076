// SPDX-License-Identifier: MIT
//
// From JavaScript values to C, as Web IDL converts arguments: numbers with [EnforceRange], texts,
// enumerations, objects, sequences and dictionaries. Every function returns false with an exception
// pending if the value does not convert; the message names the method and the member. What is made
// lives in the call's scratch memory. For the environment's thread.

#pragma once

#include "enum.h"
#include "object.h"

enum idl_type {
    IDL_BOOLEAN,          // WGPUBool
    IDL_OPTIONAL_BOOLEAN, // WGPUOptionalBool
    IDL_U16_CLAMP,        // uint16_t
    IDL_U32,              // uint32_t
    IDL_MASK,             // uint32_t, whose default of all ones is a value like any other
    IDL_I32,              // int32_t
    IDL_U64,              // uint64_t
    IDL_FLAGS,            // WGPUFlags, from an unsigned long
    IDL_FLOAT,            // float
    IDL_DOUBLE,           // double
    IDL_STRING,           // WGPUStringView
    IDL_ENUM,             // uint32_t; of: struct enum_table
    IDL_OBJECT,           // handle; of: struct interface
    IDL_DICTIONARY,       // its struct; of: struct dictionary
    IDL_UNION             // whatever `convert` makes
};

struct idl_member;

// Converts to *out, whose address is that of the member.
typedef bool (*union_function)(struct call *call, napi_value value, void *out);

// A type, of a member or of a sequence's elements. Exactly one of the pointers belongs to it.
struct idl_kind {
    enum idl_type type;
    const struct enum_table *words;
    const struct interface *interface;
    const struct dictionary *dictionary;
    union_function convert;
};

enum idl_shape {
    IDL_PLAIN,
    IDL_POINTER,          // a pointer to the converted value
    IDL_SEQUENCE,         // a count and a pointer to elements
    IDL_NULLABLE_SEQUENCE // the same; elements may be null
};

struct idl_member {
    const char *name;
    struct idl_kind kind;
    enum idl_shape shape;
    bool is_required;
    size_t offset;
    size_t count_offset; // of sequences
    uint32_t word;       // IDL_ENUM: the default; 0: the struct's own
};

struct dictionary {
    const char *name;
    size_t size_bytes;
    void (*start)(void *out); // writes the defaults
    const struct idl_member *members;
    size_t member_count;
};

// Throws TypeError "INTERFACE.METHOD: PATH TEXT".
bool fail_type(struct call *call, const char *text);
// Throws DOMException of this name, its message begun as above.
bool fail_dom(struct call *call, const char *name, const char *text);
bool fail_range(struct call *call, const char *text);
bool fail_memory(struct call *call);
// A text's message for a log or an exception: INTERFACE.METHOD and the path, cut to `size`.
void describe_place(const struct call *call, char *out, size_t size);

bool is_missing(struct call *call, napi_value value); // undefined
bool is_nullish(struct call *call, napi_value value); // undefined or null
bool is_object(struct call *call, napi_value value);  // object or function

bool convert_u32(struct call *call, napi_value value, uint32_t *out);
bool convert_i32(struct call *call, napi_value value, int32_t *out);
bool convert_u64(struct call *call, napi_value value, uint64_t *out);
bool convert_float(struct call *call, napi_value value, float *out);
bool convert_double(struct call *call, napi_value value, double *out);
bool convert_string(struct call *call, napi_value value, WGPUStringView *out);
bool convert_enum(
    struct call *call, napi_value value, const struct enum_table *words, uint32_t *out);
bool convert_object(
    struct call *call, napi_value value, const struct interface *interface, void *out_handle);
// undefined and null are the empty dictionary.
bool convert_dictionary(
    struct call *call, napi_value value, const struct dictionary *dictionary, void *out);
// Elements of element_size_bytes, converted by kind; NULL if there are none.
bool convert_sequence(struct call *call, napi_value value, struct idl_kind kind, bool is_nullable,
    size_t *out_count, const void **out_elements);
// The elements of anything iterable, as an array; *out_array is NULL for an object that is not.
bool convert_iterable(struct call *call, napi_value value, napi_value *out_array);

// The same of argument `index`, named for messages.
bool argument_u32(struct call *call, uint32_t index, const char *name, uint32_t *out);
bool argument_u64(struct call *call, uint32_t index, const char *name, uint64_t *out);
// Leaves *out as it is if the argument is undefined.
bool optional_u32(struct call *call, uint32_t index, const char *name, uint32_t *out);
bool optional_i32(struct call *call, uint32_t index, const char *name, int32_t *out);
bool optional_u64(struct call *call, uint32_t index, const char *name, uint64_t *out);
bool argument_float(struct call *call, uint32_t index, const char *name, float *out);
bool argument_string(struct call *call, uint32_t index, const char *name, WGPUStringView *out);
bool argument_enum(struct call *call, uint32_t index, const char *name,
    const struct enum_table *words, uint32_t *out);
bool argument_object(struct call *call, uint32_t index, const char *name,
    const struct interface *interface, void *out_handle);
bool argument_union(
    struct call *call, uint32_t index, const char *name, union_function convert, void *out);
bool argument_dictionary(struct call *call, uint32_t index, const char *name,
    const struct dictionary *dictionary, void *out);

// Results. NULL with an exception pending if there is no memory.
napi_value result_u32(struct call *call, uint32_t value);
napi_value result_u64(struct call *call, uint64_t value);
napi_value result_text(struct call *call, const char *text);

// The bytes behind an ArrayBuffer, a SharedArrayBuffer or a view. element_size_bytes is 1 but for
// typed arrays.
struct byte_range {
    const uint8_t *data;
    size_t size_bytes;
    size_t element_size_bytes;
};
// What it gives is good until other arguments are converted, or any JavaScript runs.
bool argument_bytes(struct call *call, uint32_t index, const char *name, struct byte_range *out);
// The part of argument `index`, "data", that starts at dataOffset and has size elements, arguments
// `first` and `first + 1`; throws OperationError if it is not inside, or not of a multiple of 4
// bytes.
bool argument_bytes_part(
    struct call *call, uint32_t index, uint32_t first, struct byte_range *range);
