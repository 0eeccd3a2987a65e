//! The intermediate representation: one `Func` in three phases (TAC, SSA, CSSA), its operations, and its text.

pub mod types; // value types, object layouts
pub mod op; // the table of operations
pub mod class; // classes of operations, for counting
pub mod builtin; // the table of run-time functions
pub mod func; // functions: blocks, instructions, values, edges, use lists
pub mod module; // modules: functions, signatures, layouts, globals, strings
pub mod cfg; // predecessors
pub mod effects; // what an instruction may do
pub mod leaders; // basic blocks of flat lists of instructions
pub mod eval; // what operations compute on constants
pub mod text; // the textual form
pub mod verify; // the numbered rules

#[cfg(any(test, feature = "testing"))]
pub mod testing; // functions from text, and the examples of head comments
#[cfg(feature = "testing")]
pub mod mutate; // random changes, for tests of the verifier
