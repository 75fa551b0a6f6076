// error: override-id
@id(3) override a: f32;
@id(4) override b: f32;
@id(3) override c: f32;
