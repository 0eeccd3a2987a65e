//! Executables of programs that call C functions: the object file and the run-time library, linked by the system's C compiler.
//!
//! The one place where another program is run: `cc`, or what the environment variable `CC` says, with the user's own
//! arguments between the two. The math library is linked too, since it has much of what people want from C.

use crate::archive;
use crate::relocatable::{self, Exports};
use mini_base::source::SourceMap;
use mini_x64::code::Program;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs, io};

/// Why there is no executable.
#[derive(Debug)]
pub enum Error {
    /// A file can't be written or read, or the compiler is not there: a line that says which, and why.
    Io(String),
    /// The C compiler refused: what it said.
    Refused {
        /// Its name.
        compiler: String,
        /// Its messages.
        messages: String,
    },
}

/// An executable.
#[derive(Debug)]
pub struct Linked {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What the C compiler said all the same: warnings.
    pub messages: String,
}

/// Links a program with C; `arguments` are C files, object files, libraries and options for the C compiler.
pub fn executable_with_c(program: &Program, sources: &SourceMap, arguments: &[OsString]) -> Result<Linked, Error> {
    let folder = tempfile::Builder::new()
        .prefix("minic-cc-")
        .tempdir()
        .map_err(|error| Error::Io(format!("can't make a folder for temporary files: {}", reason(&error))))?;
    let (object, library, out) =
        (folder.path().join("program.o"), folder.path().join("libmini.a"), folder.path().join("program"));
    write(&object, &relocatable::object_with(program, sources, Exports::Executable))?;
    write(&library, &archive::runtime_library())?;
    let compiler = env::var_os("CC").filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into());
    let name = compiler.to_string_lossy().into_owned();
    let mut command = command(&compiler);
    command.arg("-o").arg(&out).arg(&object).args(arguments).arg(&library).args(["-Wl,--as-needed", "-lm"]);
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_run(&name, &error))?;
    let messages = messages(&output, folder.path());
    if !output.status.success() {
        return Err(Error::Refused { compiler: name, messages });
    }
    let bytes =
        fs::read(&out).map_err(|error| Error::Io(format!("can't read what `{name}` linked: {}", reason(&error))))?;
    Ok(Linked { bytes, messages })
}

/// The compiler and the arguments that `CC` has with it, as in `CC="gcc -m64"`.
fn command(compiler: &OsStr) -> Command {
    let Some(text) = compiler.to_str() else { return Command::new(compiler) };
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

fn not_run(name: &str, error: &io::Error) -> Error {
    Error::Io(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "the program has `extern` functions, so it is linked by a C compiler, but there is no `{name}`; install one (the package \
             gcc or clang), or set CC"
        ),
        _ => format!("can't run the C compiler `{name}`: {}", reason(error)),
    })
}

/// What it said, without the folder that is gone by now.
fn messages(output: &Output, folder: &Path) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let folder = format!("{}/", folder.display());
    text.trim_end().replace(&folder, "")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|error| Error::Io(format!("can't write `{}`: {}", path.display(), reason(&error))))
}

/// The system's words, without the number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
