//! From the syntax tree to the typed tree: names, types, inference, narrowing, definite assignment, all rules.
//!
//! [`check::check`] is the entry. Items are collected first, then constants are evaluated, then bodies are checked one by
//! one: each is scanned for what later parts of it do to variables, then walked once, which gives types, narrowing,
//! definite assignment and the typed tree together.

pub mod typed; // the typed tree, the result
pub mod types; // interned types

pub mod check; // the entry: tables of the program, the order of the stages

mod constants; // constant expressions and their values
mod globals;
mod items; // collecting items, resolving written types
mod order; // the order in which constants and globals are checked, cycles
mod scan; // what a body does to its variables and which items it names, before it is checked // globals and their initialisers

mod body; // the state while a body is checked: scopes, variables, expressions made so far
mod builtins; // the table of built-in functions and methods
mod calls; // calls, methods and other postfix operations
mod conditions; // conditions and `if`
mod expr; // expressions
mod flow; // facts that hold at a point: assigned variables, narrowed variables
mod infer; // unification, joins, coercions
mod loops; // loops and jumps
mod operators; // operators of all kinds
mod patterns;
mod requirements; // which types have `Show`, `Eq`, `Ord`, `Hash`
mod stmt; // statements and blocks
mod values; // struct values and arrays // patterns

pub mod print;
mod suggest; // near misses of names
mod warnings; // unused names, pure statements // types and typed trees as text
