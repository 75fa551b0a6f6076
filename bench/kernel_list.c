// SPDX-License-Identifier: MIT
//
// The workloads: sizes in bytes, workgroups, dispatches a measured submission.
#include "bench.h"

#define M (1u << 20)

// clang-format off
const struct bench_kernel bench_kernels[] = {
    // name                  a          b          workgroups       repeats, integer, clears
    {"particle32",           32u * M,   32u * M,   {M / 64, 1, 1},  8, 0, 0},
    {"saxpy",                4u * M,    4u * M,    {M / 64, 1, 1},  16, 0, 0},
    {"nbody",                16u << 14, 16u << 14, {256, 1, 1},     1, 0, 0},
    {"matmul_tiled",         8u * M,    4u * M,    {64, 64, 1},     1, 0, 0},
    {"reduction",            4u * M,    M / 64,    {M / 256, 1, 1}, 8, 0, 0},
    {"mandelbrot",           16,        4u * M,    {M / 64, 1, 1},  2, 0, 0},
    {"particle36",           36u * M,   36u * M,   {M / 64, 1, 1},  8, 0, 0},
    {"copy",                 4u * M,    4u * M,    {M / 64, 1, 1},  16, 0, 0},
    {"matmul_naive",         8u * M,    4u * M,    {64, 64, 1},     1, 0, 0},
    {"histogram_storage",    4u * M,    1024,      {M / 64, 1, 1},  2, 1, 1},
    {"histogram_workgroup",  4u * M,    1024,      {64, 1, 1},      8, 1, 1},
    {"blur",                 4u * M,    4u * M,    {M / 64, 1, 1},  8, 0, 0},
    {"math",                 4u * M,    4u * M,    {M / 64, 1, 1},  4, 0, 0},
    {0, 0, 0, {0, 0, 0}, 0, 0, 0},
};
// clang-format on
