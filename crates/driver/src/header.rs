//! The header for C programs: what the run-time library offers, and the functions of a program.
//!
//! *In:* a module that was lowered as a library. *Out:* the text of the header. *Cost:* O(functions).

use mini_ir::module::Module;
use std::path::Path;

/// What every program offers.
const LIBRARY: &str = "\
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif

#ifndef MINI_LIBRARY
#define MINI_LIBRARY
/* To be called once, before anything else of Mini's, on the thread that will call it: initialises the globals. */
void mini_start(void);
/* Mini arrays for array parameters: copies of `count` elements, or zeros if the pointer is NULL. They live as long as a local
   variable of C holds the pointer. */
int64_t *mini_ints(const int64_t *elements, int64_t count);
double *mini_floats(const double *elements, int64_t count);
uint8_t *mini_bytes(const uint8_t *elements, int64_t count);
uint8_t *mini_bools(const uint8_t *elements, int64_t count);
/* The length of an array or string that came from Mini. */
int64_t mini_length(const void *data);
#endif
";

/// The header of a program.
pub fn header(source: &Path, module: &Module) -> String {
    let name = source.file_name().map_or_else(|| source.display().to_string(), |name| name.to_string_lossy().into());
    let mut out = format!("/* Made by minic from {}. */\n#pragma once\n{LIBRARY}", name.replace("*/", ""));
    let exports = module.library.iter().flat_map(|library| &library.exports);
    for (n, export) in exports.enumerate() {
        if n == 0 {
            out += "\n";
        }
        out += &format!("{};\n", export.prototype);
    }
    out += "\n#ifdef __cplusplus\n}\n#endif\n";
    out
}
