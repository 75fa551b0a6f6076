// valid
@group(0) @binding(0) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(1)
fn main(@builtin(local_invocation_index) index: u32) {
    loop {
        var x = out[0];
        let y = x + 1 > 3 && out[1] == 2;
        if y {
            switch x {
                case 1 { continue; }
                case 2 { break; }
                default { return; }
            }
            x = 5;
        }
        out[2] = x;
        continuing {
            x++;
            let x = x * 2;
            out[3] = select(x, 1, y);
            break if x > 10;
        }
    }
    loop {
        if out[4] == 1 { break; } else { return; }
    }
    for (var i = 0; ; i += 2) {
        for (var i = i; i < 9; i++) { if i == 5 { continue; } out[i] = i; }
        if i > 20 { break; }
    }
    while true {
        loop { break; }
        switch 3 { default { break; } }
        return;
    }
}
