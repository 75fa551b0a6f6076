// error: switch switch type-mismatch
fn f(x: i32) {
    switch x { case 1 { } }
    switch x { case 1 { } case 1 { } default { } }
    switch x { case 2u { } default { } }
}
