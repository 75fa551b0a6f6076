// SPDX-License-Identifier: MIT
//
// One million particles, simulated, drawn and tone-mapped by compute shaders alone. The point of the
// example is where the data lives: the particles are uploaded once and never leave the device. Two
// buffers take turns, one read and one written, inside one compute pass; only the finished picture
// comes back, once.
//
//   particles [OUTPUT.png [FRAMES]]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <alba/alba.h>
#include <webgpu/webgpu.h>

#include "common/example.h"

#define PARTICLE_COUNT (1u << 20)
#define WIDTH 1280u
#define HEIGHT 720u
#define STEPS_A_FRAME 4u

extern const char particles_wgsl[];

// The same layout as the WGSL structures: a vec3f is 12 bytes, aligned to 16.
struct particle {
    float position[3];
    float heat;
    float velocity[3];
    float seed;
};
_Static_assert(sizeof(struct particle) == 32, "one particle is 32 bytes");

struct frame {
    float time_step, damping, angle_sine, angle_cosine;
    uint32_t width, height;
    float exposure, drag;
};

static uint32_t random_state = 20260101u;

static float random_unit(void) { // xorshift, [-1, 1)
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (float)(random_state >> 8) / 8388608.0f - 1.0f;
}

static WGPUBuffer upload_particles(const struct example *gpu) {
    struct particle *particles = malloc(sizeof(struct particle) * PARTICLE_COUNT);
    if (particles == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (uint32_t i = 0; i < PARTICLE_COUNT; i++) {
        particles[i] = (struct particle){
            .position = {3.2f * random_unit(), 3.2f * random_unit(), 3.2f * random_unit()},
            .seed = random_unit(),
        };
    }
    // mappedAtCreation: the bytes are written straight into the buffer, with nothing to wait for.
    WGPUBuffer buffer = example_buffer(gpu, "particles A", WGPUBufferUsage_Storage,
                                       sizeof(struct particle) * PARTICLE_COUNT, particles);
    free(particles);
    return buffer;
}

enum { SIMULATE, CLEAR, SPLAT, TONE_MAP, PIPELINE_COUNT };

struct scene {
    WGPUBuffer uniform, particles[2], light, image;
    WGPUComputePipeline pipelines[PIPELINE_COUNT];
    WGPUBindGroup simulate[2]; // [k] reads particles[k] and writes the other
    WGPUBindGroup clear, splat[2], tone_map;
};

static struct scene make_scene(const struct example *gpu) {
    struct scene scene = {0};
    scene.uniform = example_buffer(gpu, "frame", WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                                   sizeof(struct frame), NULL);
    scene.particles[0] = upload_particles(gpu);
    scene.particles[1] = example_buffer(gpu, "particles B", WGPUBufferUsage_Storage,
                                        sizeof(struct particle) * PARTICLE_COUNT, NULL);
    scene.light = example_buffer(gpu, "light", WGPUBufferUsage_Storage, WIDTH * HEIGHT * 12u, NULL);
    scene.image = example_buffer(gpu, "image", WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc,
                                 WIDTH * HEIGHT * 4u, NULL);

    WGPUShaderModule module = example_shader(gpu, "particles", particles_wgsl);
    static const char *const entry_points[PIPELINE_COUNT] = {"simulate", "clear", "splat",
                                                             "tone_map"};
    for (int i = 0; i < PIPELINE_COUNT; i++) {
        scene.pipelines[i] = example_compute_pipeline(gpu, module, entry_points[i]);
    }
    wgpuShaderModuleRelease(module);

    // Bind groups are made once, one for each direction, and swapped; each names the bindings that
    // its entry point uses.
    for (int k = 0; k < 2; k++) {
        WGPUBuffer simulate[] = {scene.uniform, scene.particles[k], scene.particles[1 - k]};
        WGPUBuffer splat[] = {scene.uniform, scene.particles[k], NULL, scene.light};
        scene.simulate[k] = example_bind_group(gpu, scene.pipelines[SIMULATE],
                                               k == 0 ? "A to B" : "B to A", simulate, 3);
        scene.splat[k] = example_bind_group(gpu, scene.pipelines[SPLAT],
                                            k == 0 ? "splat A" : "splat B", splat, 4);
    }
    WGPUBuffer clear[] = {NULL, NULL, NULL, scene.light};
    WGPUBuffer tone_map[] = {scene.uniform, NULL, NULL, scene.light, scene.image};
    scene.clear = example_bind_group(gpu, scene.pipelines[CLEAR], "clear", clear, 4);
    scene.tone_map = example_bind_group(gpu, scene.pipelines[TONE_MAP], "tone map", tone_map, 5);
    return scene;
}

static void free_scene(struct scene *scene) {
    for (int k = 0; k < 2; k++) {
        wgpuBindGroupRelease(scene->simulate[k]);
        wgpuBindGroupRelease(scene->splat[k]);
        wgpuBufferRelease(scene->particles[k]);
    }
    wgpuBindGroupRelease(scene->clear);
    wgpuBindGroupRelease(scene->tone_map);
    for (int i = 0; i < PIPELINE_COUNT; i++) {
        wgpuComputePipelineRelease(scene->pipelines[i]);
    }
    wgpuBufferRelease(scene->uniform);
    wgpuBufferRelease(scene->light);
    wgpuBufferRelease(scene->image);
}

static void dispatch(WGPUComputePassEncoder pass, WGPUComputePipeline pipeline,
                     WGPUBindGroup group, uint32_t invocations) {
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    // At most 65,535 workgroups fit one dimension: 64 invocations each leave room for 4 million.
    wgpuComputePassEncoderDispatchWorkgroups(pass, (invocations + 63u) / 64u, 1, 1);
}

// One frame is one compute pass. Each dispatch sees everything that the one before it wrote: no
// barrier is needed, and the two buffers can swap roles between dispatches.
static void draw_frame(const struct example *gpu, const struct scene *scene, uint32_t number,
                       int *current) {
    float angle = 0.35f + 0.004f * (float)number;
    struct frame frame = {.time_step = 0.02f,
                          .damping = 0.19f,
                          .angle_sine = sinf(angle),
                          .angle_cosine = cosf(angle),
                          .width = WIDTH,
                          .height = HEIGHT,
                          .exposure = 0.0045f,
                          .drag = 6.0f};
    wgpuQueueWriteBuffer(gpu->queue, scene->uniform, 0, &frame, sizeof(frame));

    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    for (uint32_t step = 0; step < STEPS_A_FRAME; step++) {
        dispatch(pass, scene->pipelines[SIMULATE], scene->simulate[*current], PARTICLE_COUNT);
        *current = 1 - *current;
    }
    dispatch(pass, scene->pipelines[CLEAR], scene->clear, WIDTH * HEIGHT * 3u);
    dispatch(pass, scene->pipelines[SPLAT], scene->splat[*current], PARTICLE_COUNT);
    dispatch(pass, scene->pipelines[TONE_MAP], scene->tone_map, WIDTH * HEIGHT);
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
}

static double mebibytes(uint64_t bytes) {
    return (double)bytes / 1048576.0;
}

// What crossed between host, staging and device: alba's own bookkeeping, beside the standard API.
static void print_ledger(WGPUDevice device, const char *when) {
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    if (albaDeviceGetLedgerTotals(device, &totals) != WGPUStatus_Success) {
        return;
    }
    printf("  ledger, %s: host to device %.3f MiB, device to host %.3f MiB\n", when,
           mebibytes(totals.crossed.hostToStaging), mebibytes(totals.crossed.stagingToHost));
}

int main(int argument_count, char **arguments) {
    const char *usage = "particles [OUTPUT.png [FRAMES]]";
    example_check_arguments(argument_count, arguments, 0, 2, usage);
    const char *path = argument_count > 1 ? arguments[1] : "particles.png";
    uint32_t frames = argument_count > 2 ? example_parse_count(arguments[2], usage) : 240u;

    printf("particles: %u particles of 32 bytes (%u MiB), %u frames of %u steps at %ux%u\n",
           PARTICLE_COUNT, PARTICLE_COUNT / 32768u, frames, STEPS_A_FRAME, WIDTH, HEIGHT);
    struct example gpu = example_open("particles");
    struct scene scene = make_scene(&gpu);
    int current = 0;
    draw_frame(&gpu, &scene, 0, &current); // the first frame warms caches and page tables
    example_wait_for_queue(&gpu);

    print_ledger(gpu.device, "upload");
    albaDeviceResetLedger(gpu.device);
    double start = example_now_ms();
    for (uint32_t number = 1; number <= frames; number++) {
        draw_frame(&gpu, &scene, number, &current);
        if (number % 4 == 0) { // stay at most a few frames ahead
            example_wait_for_queue(&gpu);
        }
    }
    example_wait_for_queue(&gpu);
    double elapsed = example_now_ms() - start;

    print_ledger(gpu.device, "all frames");

    albaDeviceResetLedger(gpu.device);
    uint32_t *pixels = malloc(WIDTH * HEIGHT * 4u);
    if (pixels == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    example_read_buffer(&gpu, scene.image, pixels, WIDTH * HEIGHT * 4u);
    example_write_png(path, pixels, WIDTH, HEIGHT);
    free(pixels);

    print_ledger(gpu.device, "picture");
    printf("  %.1f frames/s, %.1f million particle steps/s\n", frames * 1e3 / elapsed,
           (double)frames * STEPS_A_FRAME * PARTICLE_COUNT / elapsed * 1e-3);
    printf("  picture: %s\n", path);
    free_scene(&scene);
    example_close(&gpu);
    return 0;
}
