#include <webgpu/webgpu.h>

#include <stdio.h>

int main(void) {
    WGPUInstance instance = wgpuCreateInstance(NULL);
    puts(instance ? "alba works" : "no instance");
    wgpuInstanceRelease(instance);
    return 0;
}
