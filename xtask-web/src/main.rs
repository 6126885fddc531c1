//! `cargo xtask web`.
#![forbid(unsafe_code)]
fn main() {
    let mut b = wasm_bindgen_cli_support::Bindgen::new();
    b.input_path("target/wasm32-unknown-unknown/wasm/surefoot_web.wasm")
        .web(true)
        .unwrap()
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    b.generate("web/dist/surefoot").unwrap();
}
