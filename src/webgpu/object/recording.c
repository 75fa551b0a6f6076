// SPDX-License-Identifier: MIT
//
// Beginning and end of recordings.
#include "webgpu/object/recording.h"

#include <string.h>

#include "base/memory.h"

bool gpu_recording_init(struct gpu_recording *recording) {
    memset(recording, 0, sizeof(*recording));
    recording->stream = memory_allocate(MEMORY_COMMAND, sizeof(struct command_stream));
    if (recording->stream == NULL) {
        return false;
    }
    command_stream_init(recording->stream);
    return true;
}

void gpu_recording_finish(struct gpu_recording *recording) {
    if (recording->stream != NULL) {
        command_stream_finish(recording->stream);
        memory_free(recording->stream);
    }
    object_set_finish(&recording->objects);
    vector_finish(&recording->notes);
    memset(recording, 0, sizeof(*recording));
}
