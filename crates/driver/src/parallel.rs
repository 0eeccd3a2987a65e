//! The function-level steps, over all functions of a module: in order, or by several threads.
//!
//! The result does not depend on the number of threads: results and the first bug are taken in the order of the
//! functions. Threads cost more than they bring until there is something to do; hello world starts none.

use crate::bug::Bug;
use crate::failure::Failure;
use crate::session::Session;
use crate::stack::STACK_BYTES;
use mini_ir::func::Func;
use rayon::prelude::*;
use std::num::NonZeroUsize;

/// Instructions in the whole module from which on threads pay.
const ENOUGH: usize = 20_000;

/// More threads than any machine of today has processors bring nothing, and thousands take long to start.
const MOST_THREADS: usize = 256;

/// What costs work: as much as it has instructions.
pub trait Weighed {
    /// Instructions.
    fn weight(&self) -> usize;
}

impl Weighed for &Func {
    fn weight(&self) -> usize {
        self.inst_count()
    }
}

impl Weighed for &mut Func {
    fn weight(&self) -> usize {
        self.inst_count()
    }
}

/// Does `work` for each function and gives the results in their order.
pub fn each_function<F: Weighed + Send, T: Send>(
    session: &Session,
    functions: impl Iterator<Item = F>,
    work: impl Fn(F) -> Result<T, Bug> + Sync,
) -> Result<Vec<T>, Failure> {
    let functions: Vec<F> = functions.collect();
    let threads = threads(session, &functions);
    if threads < 2 {
        return functions.into_iter().map(|f| work(f).map_err(Failure::Bug)).collect();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build();
    match pool {
        Ok(pool) => {
            let results: Vec<Result<T, Bug>> = pool.install(|| functions.into_par_iter().map(&work).collect());
            results.into_iter().map(|r| r.map_err(Failure::Bug)).collect()
        }
        // The system has no threads to give: it goes without.
        Err(_) => functions.into_iter().map(|f| work(f).map_err(Failure::Bug)).collect(),
    }
}

fn threads<F: Weighed>(session: &Session, functions: &[F]) -> usize {
    // Printing between the steps is in the order of the functions only if they are done in that order.
    if functions.len() < 2 || session.options.print_after.is_some() {
        return 1;
    }
    if functions.iter().map(F::weight).sum::<usize>() < ENOUGH {
        return 1;
    }
    let wanted = session
        .options
        .jobs
        .map_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get), NonZeroUsize::get);
    wanted.min(functions.len()).min(MOST_THREADS)
}
