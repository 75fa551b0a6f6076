// error: unsupported-extension unsupported-extension unsupported-extension
// no features
enable f16;
enable subgroups, clip_distances;
