//! Compiles the calls of the C library's own test for the target `c_calls`.

fn main() {
    let c = "../crates/surefoot-c";
    println!("cargo:rerun-if-changed={c}/tests/hostile.c");
    cc::Build::new()
        .file(format!("{c}/tests/hostile.c"))
        .include(format!("{c}/include"))
        .define("SUREFOOT_FUZZ", None)
        .warnings(false)
        .compile("hostile");
}
