//! Gives the shared library a name of its own. Without one, a program that is linked with the file by its path
//! looks for it at that path ever after.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos" | "ios") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsurefoot_c.dylib");
        }
        Ok("windows") | Err(_) => {}
        Ok(_) => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsurefoot_c.so"),
    }
}
