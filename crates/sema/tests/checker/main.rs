//! What the checker accepts and refuses: small programs that carry the diagnostics they want, as `//~ E0301` at the end
//! of the line. One file an area.

mod advice;
mod assignment;
mod cascades;
mod closures;
mod codes;
mod constants;
mod enums;
mod externs;
mod generics;
mod globals;
mod instances;
mod items;
mod methods;
mod modules;
mod narrowing;
mod operators;
mod optionals;
mod results;
mod scale;
mod statements;
mod support;
mod typed_tree;
mod values;
mod warnings;
