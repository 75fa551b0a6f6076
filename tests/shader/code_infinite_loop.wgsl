// error: infinite-loop infinite-loop infinite-loop
fn a() { loop { } }
fn b() { while true { } }
fn c() { for (;;) { } }
fn d() { loop { continuing { } } }
