//! How a run ended, and what it counted.

use mini_ir::class::Class;
use mini_ir::verify::VerifyError;

/// How a run ended. What the language defines was also written to the host's streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It returned or called `exit`: the status, 0 to 255.
    Exit(u8),
    /// A run-time error: the text behind `runtime error: `.
    RuntimeError(Vec<u8>),
    /// A write to stdout found its reader gone.
    StdoutClosed,
    /// A write to stdout failed for another reason.
    StdoutFailed,
    /// The IR did what no program may do; only IR that no checked program became can get here.
    Undefined(String),
    /// It called the C function of that name, which only native code can.
    CallsC(String),
    /// The fuel ran out.
    OutOfFuel,
    /// The module breaks the verifier's rules, or has no function to start with.
    Invalid(Vec<VerifyError>),
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Executed operations; all zero unless counting was asked for.
    pub counts: Counts,
}

impl Outcome {
    /// The exit status of the process. Ends that are no program's own have 70.
    pub fn status(&self) -> u8 {
        match &self.end {
            End::Exit(status) => *status,
            End::RuntimeError(_) | End::StdoutFailed => 101,
            End::StdoutClosed => 141,
            End::CallsC(_) => 2,
            End::Undefined(_) | End::OutOfFuel | End::Invalid(_) => 70,
        }
    }
}

/// Executed operations by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    by_class: [u64; Class::ALL.len()],
}

impl Counts {
    /// Counts in the order of `Class::ALL`.
    pub(crate) fn new(by_class: [u64; Class::ALL.len()]) -> Counts {
        Counts { by_class }
    }

    /// How many operations of a class were executed.
    pub fn of(&self, class: Class) -> u64 {
        self.by_class[class as usize]
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.by_class.iter().sum()
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for class in Class::ALL {
            writeln!(f, "{:<12}{:>16}", class.name(), self.of(class))?;
        }
        writeln!(f, "{:<12}{:>16}", "total", self.total())
    }
}
