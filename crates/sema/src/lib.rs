//! From the syntax tree to the typed tree: names, types, inference, narrowing, definite assignment, all rules.
//!
//! [`check::check`] is the entry. Items are collected first, then constants are evaluated, then bodies are checked one by
//! one: each is scanned for what later parts of it do to variables, then walked once, which gives types, narrowing,
//! definite assignment and the typed tree together.

pub mod typed; // the typed tree, the result
pub mod types; // interned types

pub mod check; // the entry: tables of the program, the order of the stages

mod items; // collecting items, resolving written types
pub mod modules; // modules: their names, imports, order
mod path; // looking up names and paths
mod generics; // type parameters, bounds, what stands for them
mod members; // variants, methods, associated functions
mod order; // the order in which things that need each other are checked, cycles
mod constants; // constant expressions and their values
mod globals; // globals and their initialisers

mod scan; // what a body does to its variables and which items it names, before it is checked
mod body; // the state while a body is checked: scopes, variables, expressions made so far
mod flow; // facts that hold at a point: assigned variables, narrowed variables
mod infer; // unification, joins, coercions
mod stmt; // statements, blocks, places
mod loops; // loops and jumps
mod conditions; // conditions and `if`
mod expr; // expressions
mod operators; // operators of all kinds
mod calls; // calls, methods and other postfix operations
mod builtins; // the table of built-in functions and methods
pub mod c_words; // names that C can not have
mod externs; // C functions, and functions for C
mod values; // struct values and arrays
mod user_index; // structs that are used like arrays
mod closures; // closures
mod patterns; // patterns
mod matching; // `match`
mod coverage; // which values the arms of a `match` cover
mod requirements; // which types have `Show`, `Eq`, `Ord`, `Hash`

mod uses; // what a function's body refers to: functions, types, texts
mod instances; // which functions the program needs at which types
mod instance_errors; // reports of instances and types that the program asks for and that can not be

mod advice; // what was probably meant
mod warnings; // unused names, pure statements
pub mod print; // types and typed trees as text
