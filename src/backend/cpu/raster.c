// SPDX-License-Identifier: MIT
//
// The rasteriser as a whole: its memory between draws. The queue thread's.
#include "backend/cpu/raster_priv.h"

#include "base/memory.h"

struct raster *raster_create(struct cpu_device *device) {
    struct raster *raster = memory_allocate_zeroed(MEMORY_GENERAL, 1, sizeof(*raster));
    if (raster != NULL) {
        raster->device = device;
        raster->hand_on = raster_tiles;
    }
    return raster;
}

void raster_destroy(struct raster *raster) {
    if (raster == NULL) {
        return;
    }
    raster_primitive_memory_destroy(raster->primitive_memory);
    if (raster->tile_memory_destroy != NULL) {
        raster->tile_memory_destroy(raster->tile_memory);
    }
    memory_free(raster);
}

enum backend_status raster_draw(struct raster *raster, const struct raster_draw *draw) {
    return raster_primitives(raster, draw);
}
