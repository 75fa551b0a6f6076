// SPDX-License-Identifier: MIT
//
// The rasteriser's own structures: what its files share beyond the contract in raster.h. Private to
// the files raster*.c and their tests.
#pragma once

#include "backend/cpu/raster.h"

struct raster_primitive_memory; // raster_vertex.c's: vertices and primitives in work
struct raster_tile_memory;      // raster_tile.c's: bins, batches of fragments

// Memory is made when first needed and kept; each owner sets its pointer and how to free it.
struct raster {
    struct cpu_device *device;
    struct raster_primitive_memory *primitive_memory;
    struct raster_tile_memory *tile_memory;
    void (*tile_memory_destroy)(struct raster_tile_memory *memory);
    // Where primitives go: raster_tiles, or what a test puts here.
    enum backend_status (*hand_on)(struct raster *raster, const struct raster_draw *draw,
        const uint8_t *primitives, uint32_t count);
};

void raster_primitive_memory_destroy(struct raster_primitive_memory *memory); // NULL is allowed
