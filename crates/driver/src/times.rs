//! Runs the work of a step or pass: guarded against bugs, and timed if `--time-passes` asks for it.

use crate::bug::{Bug, guard};
use crate::options::Timing;
use crate::pipeline::STEPS;
use mini_pass::registry::PASSES;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The time that each step and pass has taken, over all threads.
#[derive(Debug, Default)]
pub struct Times {
    timing: Timing,
    /// One for each of [`names`]; none if nothing is timed.
    nanos: Vec<AtomicU64>,
}

/// The steps of the pipeline, then the passes.
fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|step| step.name).chain(PASSES.iter().map(|pass| pass.name))
}

impl Times {
    /// Nothing measured yet.
    pub fn new(timing: Timing) -> Times {
        let nanos = match timing {
            Timing::Off => Vec::new(),
            Timing::EachStep => names().map(|_| AtomicU64::new(0)).collect(),
        };
        Times { timing, nanos }
    }

    /// Runs a part of a step, for one function or for all. A panic inside is a bug of that step.
    pub fn step<T>(&self, step: &'static str, function: Option<&str>, work: impl FnOnce() -> T) -> Result<T, Bug> {
        match self.timing {
            Timing::Off => guard(step, function, work),
            Timing::EachStep => {
                let start = Instant::now();
                let result = guard(step, function, work);
                // A pass that only a test knows has no row.
                if let Some(index) = names().position(|name| name == step) {
                    self.nanos[index].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
                }
                result
            }
        }
    }

    /// The table of what has run, if times were asked for.
    pub fn table(&self) -> Option<String> {
        if self.timing == Timing::Off {
            return None;
        }
        let millis = |nanos: u64| nanos as f64 / 1e6;
        let each: Vec<u64> = self.nanos.iter().map(|n| n.load(Ordering::Relaxed)).collect();
        let mut text = String::new();
        for (name, &nanos) in names().zip(&each).filter(|&(_, &nanos)| nanos > 0) {
            text += &format!("{:>10.3} ms  {name}\n", millis(nanos));
        }
        text += &format!("{:>10.3} ms  in all, over all threads\n", millis(each.iter().sum()));
        Some(text)
    }
}
