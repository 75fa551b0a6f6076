// SPDX-License-Identifier: MIT
//
// SHA-256 (FIPS 180-4), for names of what is kept on disk and for its integrity. Not thread-safe:
// one state belongs to one thread at a time.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32u

struct sha256 {
    uint32_t state[8];
    uint64_t length_bytes;
    uint8_t block[64]; // the last bytes, not yet a whole block
};

void sha256_init(struct sha256 *hash);
void sha256_append(struct sha256 *hash, const void *bytes, size_t size_bytes);
// Appends a NUL-terminated string with its NUL, so that lists of strings are told apart.
void sha256_append_string(struct sha256 *hash, const char *string);
// The hash of all that was appended; the state must be initialised again before it is used again.
void sha256_get(struct sha256 *hash, uint8_t out_bytes[SHA256_BYTES]);
