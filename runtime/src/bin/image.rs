//! The run-time library as an image: what `crates/link/build.rs` links once and every executable carries.

#![no_std]
#![no_main]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    mini_runtime::trap::internal(b"the run-time library panicked")
}

/// What `crates/link/build.rs` reads.
#[used]
#[unsafe(link_section = ".mini.exports")]
static EXPORTS: [mini_runtime::exports::Export; mini_runtime::exports::COUNT] = mini_runtime::exports::EXPORTS;
