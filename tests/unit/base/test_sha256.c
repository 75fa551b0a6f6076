// SPDX-License-Identifier: MIT
//
// SHA-256 against the vectors of FIPS 180-4's examples and of NIST's test suite, whole and in pieces.

#include "base/sha256.h"

#include "check.h"

static void to_text(const uint8_t *bytes, char *out) {
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    }
}

static void hash_pieces(const char *bytes, size_t size, size_t piece, char *out) {
    struct sha256 hash;
    uint8_t result[SHA256_BYTES];
    sha256_init(&hash);
    for (size_t i = 0; i < size; i += piece) {
        sha256_append(&hash, bytes + i, size - i < piece ? size - i : piece);
    }
    sha256_get(&hash, result);
    to_text(result, out);
}

TEST(known_vectors) {
    static const struct {
        const char *bytes;
        const char *hash;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlm"
         "nopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[65];
        for (size_t piece = 1; piece < 130; piece++) {
            hash_pieces(rows[i].bytes, strlen(rows[i].bytes), piece, text);
            CHECK_STR(text, rows[i].hash);
        }
    }
}

TEST(a_million_times_the_letter_a) {
    static char letters[1000000];
    memset(letters, 'a', sizeof(letters));
    static const size_t pieces[] = {1000000, 999, 64, 65, 63};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        char text[65];
        hash_pieces(letters, sizeof(letters), pieces[i], text);
        CHECK_STR(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

TEST(lists_of_strings_are_told_apart) {
    static const char *const lists[][2] = {{"ab", "c"}, {"a", "bc"}, {"", "abc"}, {"abc", ""}};
    char texts[4][65];
    for (size_t i = 0; i < 4; i++) {
        struct sha256 hash;
        uint8_t result[SHA256_BYTES];
        sha256_init(&hash);
        sha256_append_string(&hash, lists[i][0]);
        sha256_append_string(&hash, lists[i][1]);
        sha256_get(&hash, result);
        to_text(result, texts[i]);
        for (size_t k = 0; k < i; k++) {
            CHECK(strcmp(texts[i], texts[k]) != 0);
        }
    }
}

CHECK_MAIN(known_vectors, a_million_times_the_letter_a, lists_of_strings_are_told_apart)
