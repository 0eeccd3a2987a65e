//! The command is linked at a fixed address: it starts faster without the hundred thousand relocations that the tables of
//! the machine-code crate need otherwise.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
