// error: uniform-layout uniform-layout
struct Weights { v: array<f32, 64> }
struct Header { n: u32 }
struct Block { head: Header, next: u32 }
@group(0) @binding(0) var<uniform> weights: Weights;
@group(0) @binding(1) var<uniform> block: Block;
