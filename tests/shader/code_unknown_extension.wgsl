// error: unknown-extension unknown-extension unknown-extension unknown-extension unknown-extension unknown-extension
enable f61;
enable subgroup;
requires packed_4x8;
enable chromium_experimental_framebuffer_fetch;
requires f16;
enable immediate_address_space;
