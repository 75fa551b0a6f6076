// error: switch switch switch switch value-out-of-range type-mismatch switch
fn f(i: i32, x: f32, u: u32) {
    switch i { case 0: { } }
    switch i { default: { } default: { } }
    switch i { case 1: { } case 2, 1: { } default: { } }
    switch x { default: { } }
    switch u { case -1: { } default: { } }
    switch i { case 1u: { } default: { } }
    switch true { default: { } }
}
