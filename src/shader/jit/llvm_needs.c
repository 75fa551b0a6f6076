// SPDX-License-Identifier: MIT
//
// What LLVM's static libraries call outside themselves and never need here. Where LLVM is linked as a
// shared library it has its own, and these are dropped. Safe from any thread.
//
// The end of the program: LLVM's options, over a thousand, and tables would be destroyed one by one,
// and under the feet of threads that still compile. The library is never unloaded; nothing in it has
// to be done at the end.
//
// zlib and Zstandard, to compress debug information and to read it: generated code has none, so that
// none of these is ever called; but with them the two libraries are not loaded with libalba-jit,
// which costs as much as a twentieth of compiling a small kernel.
#include <stddef.h>
#include <stdint.h>

int __cxa_atexit(void (*destroy)(void *), void *object, void *library);

int __cxa_atexit(void (*destroy)(void *), void *object, void *library) {
    (void)destroy, (void)object, (void)library;
    return 0;
}

// zlib's and Zstandard's numbers for failure.
#define ZLIB_STREAM_ERROR (-2)
#define ZSTD_ERROR ((size_t)-1)

unsigned long compressBound(unsigned long length);
int compress2(unsigned char *to, unsigned long *to_length, const unsigned char *from,
    unsigned long length, int level);
int uncompress(unsigned char *to, unsigned long *to_length, const unsigned char *from,
    unsigned long length);
unsigned long crc32(unsigned long crc, const unsigned char *bytes, unsigned length);
size_t ZSTD_compressBound(size_t length);
void *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(void *context);
size_t ZSTD_CCtx_setParameter(void *context, int parameter, int value);
size_t ZSTD_compress2(void *context, void *to, size_t to_length, const void *from, size_t length);
size_t ZSTD_compress(void *to, size_t to_length, const void *from, size_t length, int level);
size_t ZSTD_decompress(void *to, size_t to_length, const void *from, size_t length);
unsigned ZSTD_isError(size_t code);
const char *ZSTD_getErrorName(size_t code);

unsigned long compressBound(unsigned long length) {
    return length;
}

int compress2(unsigned char *to, unsigned long *to_length, const unsigned char *from,
    unsigned long length, int level) {
    (void)to, (void)to_length, (void)from, (void)length, (void)level;
    return ZLIB_STREAM_ERROR;
}

int uncompress(unsigned char *to, unsigned long *to_length, const unsigned char *from,
    unsigned long length) {
    (void)to, (void)to_length, (void)from, (void)length;
    return ZLIB_STREAM_ERROR;
}

// The one that has no way to fail: CRC-32 as zlib computes it (ISO 3309).
unsigned long crc32(unsigned long crc, const unsigned char *bytes, unsigned length) {
    uint32_t sum = ~(uint32_t)crc;
    for (unsigned i = 0; bytes != NULL && i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ ((sum & 1) != 0 ? UINT32_C(0xedb88320) : 0);
        }
    }
    return bytes != NULL ? (uint32_t)~sum : 0;
}

size_t ZSTD_compressBound(size_t length) {
    return length;
}

void *ZSTD_createCCtx(void) {
    return NULL;
}

size_t ZSTD_freeCCtx(void *context) {
    (void)context;
    return 0;
}

size_t ZSTD_CCtx_setParameter(void *context, int parameter, int value) {
    (void)context, (void)parameter, (void)value;
    return ZSTD_ERROR;
}

size_t ZSTD_compress2(void *context, void *to, size_t to_length, const void *from, size_t length) {
    (void)context, (void)to, (void)to_length, (void)from, (void)length;
    return ZSTD_ERROR;
}

size_t ZSTD_compress(void *to, size_t to_length, const void *from, size_t length, int level) {
    (void)to, (void)to_length, (void)from, (void)length, (void)level;
    return ZSTD_ERROR;
}

size_t ZSTD_decompress(void *to, size_t to_length, const void *from, size_t length) {
    (void)to, (void)to_length, (void)from, (void)length;
    return ZSTD_ERROR;
}

unsigned ZSTD_isError(size_t code) {
    return code == ZSTD_ERROR;
}

const char *ZSTD_getErrorName(size_t code) {
    (void)code;
    return "compression is not built in";
}
