// SPDX-License-Identifier: MIT
//
// Every function of webgpu-abi.tsv is exported by libalba.so, and wgpuGetProcAddress finds the same
// address under its name; no other name is found. The library's path is the first argument.

#include <webgpu/webgpu.h>

#include <dlfcn.h>

#include "check.h"

static const char *library_path;

static WGPUProc find_proc(const char *name, size_t length) {
    WGPUStringView view = {name, length};
    return wgpuGetProcAddress(view);
}

// Object and function pointers have one representation where dlsym exists.
static WGPUProc as_proc(void *symbol) {
    WGPUProc proc;
    memcpy(&proc, &symbol, sizeof proc);
    return proc;
}

TEST(every_function_is_exported_and_found) {
    void *library = dlopen(library_path, RTLD_NOW);
    FILE *file = fopen(ABI_TABLE, "r");
    if (!CHECK(library != NULL) || !CHECK(file != NULL)) {
        return;
    }
    size_t function_count = 0;
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        char name[256];
        if (sscanf(line, "func\t%255[^\t]", name) != 1) {
            continue;
        }
        function_count++;
        void *symbol = dlsym(library, name);
        if (!check_record(symbol != NULL, __FILE__, __LINE__, name)) {
            continue;
        }
        check_record(find_proc(name, WGPU_STRLEN) == as_proc(symbol), __FILE__, __LINE__, name);
        check_record(find_proc(name, strlen(name)) == as_proc(symbol), __FILE__, __LINE__, name);
    }
    fclose(file);
    dlclose(library);
    CHECK_EQ(function_count, 202);
}

TEST(other_names_are_not_found) {
    CHECK(find_proc("wgpuNoSuchFunction", WGPU_STRLEN) == NULL);
    CHECK(find_proc("wgpuCreateInstanc", WGPU_STRLEN) == NULL);
    CHECK(find_proc("wgpuCreateInstanceX", WGPU_STRLEN) == NULL);
    CHECK(find_proc("wgpucreateinstance", WGPU_STRLEN) == NULL);
    CHECK(find_proc("", 0) == NULL);
    CHECK(find_proc(NULL, WGPU_STRLEN) == NULL);
    CHECK(find_proc("wgpuCreateInstanceX", strlen("wgpuCreateInstance")) != NULL);
}

int main(int argc, char **argv) {
    static const check_test tests[] = {
        every_function_is_exported_and_found, other_names_are_not_found};
    if (argc != 2) {
        fprintf(stderr, "usage: %s LIBALBA\n", argv[0]);
        return 2;
    }
    library_path = argv[1];
    return check_run(
        tests, 2, "every_function_is_exported_and_found, other_names_are_not_found", 1, argv);
}
