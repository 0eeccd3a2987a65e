//! A stack that is large enough for the compiler, whatever the shell's limit.
//!
//! The parser bounds nesting at 1,000; the tree walks behind it may recurse that deep. Memory of a stack costs only
//! where it is touched, so that the size is an address range, not a price.

use std::thread::Builder;

/// Bytes of the compiler's stacks.
pub const STACK_BYTES: usize = 256 << 20;

/// Runs `work` on a large stack and gives its result; a panic goes on in the caller.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    // The work is kept outside the thread's closure: if no thread can be started, it is still there to be run here.
    let mut slot = Some(work);
    let outcome = std::thread::scope(|scope| {
        let task = || slot.take().map(|work| work());
        match Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, task) {
            Ok(thread) => Some(thread.join()),
            Err(_) => None,
        }
    });
    match outcome {
        Some(Ok(result)) => result.expect("the thread runs the work once"),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => slot.take().map(|work| work()).expect("the thread was not started"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        let filler = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { depth(n - 1) + filler[63] / n }
    }

    #[test]
    fn a_hundred_thousand_frames_fit() {
        assert_eq!(on_large_stack(|| depth(100_000)), 100_000);
    }
}
