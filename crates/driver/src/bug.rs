//! Bugs in the compiler itself: caught where they happen, told as one paragraph.
//!
//! Every step of the pipeline runs under [`guard`]. A panic inside becomes a [`Bug`] that names the step and the function;
//! nothing of it reaches the user but that paragraph. The panic hook, installed once, keeps the place of the last
//! panic of each thread, because the payload of a panic does not carry it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// A bug in the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The step of the pipeline, as in its table.
    pub step: &'static str,
    /// The function that was being compiled, where it is one.
    pub function: Option<String>,
    /// What was noticed, and where in the compiler.
    pub message: String,
    /// What the step was given, as text, where it was kept; else [`crate::emit::before`] can make it again.
    pub given: Option<String>,
}

impl Bug {
    /// A bug in a step that was at work on a function.
    pub fn in_function(step: &'static str, function: &str, message: String) -> Bug {
        Bug { step, function: Some(function.to_string()), message, given: None }
    }

    /// What was noticed, in one line that names the step and the function.
    pub fn summary(&self) -> String {
        match &self.function {
            Some(function) => format!("step `{}`, function `{function}`: {}", self.step, self.message),
            None => format!("step `{}`: {}", self.step, self.message),
        }
    }
}

thread_local! {
    /// Where the last panic of this thread was. A panic payload has no place in it; only the hook sees it.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics silent and their places known. Called by whoever owns the process (the command, a test program).
pub fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|l| format!("{}:{}", l.file(), l.line()));
            PLACE.with(|slot| *slot.borrow_mut() = place);
        }));
    });
}

/// Runs a part of a step; a panic inside is a bug of that step.
pub fn guard<T>(step: &'static str, function: Option<&str>, work: impl FnOnce() -> T) -> Result<T, Bug> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap_or_else(|| "a panic without a message".to_string());
        let place = PLACE.with(|slot| slot.borrow_mut().take());
        let message = match place {
            Some(place) => format!("{text} ({place})"),
            None => text,
        };
        Bug { step, function: function.map(str::to_string), message, given: None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_bug_that_names_step_and_function() {
        let bug = guard("ssa", Some("main"), || -> () { panic!("the invariant {} is broken", 7) }).expect_err("panics");
        assert_eq!((bug.step, bug.function.as_deref()), ("ssa", Some("main")));
        assert!(
            bug.summary().starts_with("step `ssa`, function `main`: the invariant 7 is broken"),
            "{}",
            bug.summary()
        );
        assert_eq!(guard("ssa", None, || 5), Ok(5));
    }
}
