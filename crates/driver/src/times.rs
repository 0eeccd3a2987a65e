//! Runs the work of a step: guarded against bugs, and timed if `--time-passes` asks for it.

use crate::bug::{Bug, guard};
use crate::options::Timing;
use crate::pipeline::STEPS;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The time that each step has taken, over all threads.
#[derive(Debug, Default)]
pub struct Times {
    timing: Timing,
    nanos: [AtomicU64; STEPS.len()],
}

impl Times {
    /// Nothing measured yet.
    pub fn new(timing: Timing) -> Times {
        Times { timing, ..Times::default() }
    }

    /// Runs a part of a step, for one function or for all. A panic inside is a bug of that step.
    pub fn step<T>(&self, step: &'static str, function: Option<&str>, work: impl FnOnce() -> T) -> Result<T, Bug> {
        match self.timing {
            Timing::Off => guard(step, function, work),
            Timing::EachStep => {
                let start = Instant::now();
                let result = guard(step, function, work);
                let index = STEPS.iter().position(|s| s.name == step).expect("the step is in the table");
                self.nanos[index].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
                result
            }
        }
    }

    /// The table, if times were asked for.
    pub fn table(&self) -> Option<String> {
        if self.timing == Timing::Off {
            return None;
        }
        let millis = |nanos: u64| nanos as f64 / 1e6;
        let each: Vec<u64> = self.nanos.iter().map(|n| n.load(Ordering::Relaxed)).collect();
        let mut text = String::new();
        for (step, &nanos) in STEPS.iter().zip(&each) {
            text += &format!("{:>10.3} ms  {}\n", millis(nanos), step.name);
        }
        text += &format!("{:>10.3} ms  in all, over all threads\n", millis(each.iter().sum()));
        Some(text)
    }
}
