//! `minic build FILE [-o OUT] [--emit exe|obj|asm|header] [--link ARG]…`

use super::Shown;
use crate::output::{self, Executable};
use crate::settings;
use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::options::Output;
use mini_driver::pipeline;
use mini_driver::session::is_standard_input;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Compiles and writes the output file.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let source = arguments.get_one::<PathBuf>("file").expect("clap requires it");
    let kind: Output = settings::choice(arguments)?;
    if kind != Output::Executable && settings::is_given(arguments, "link") {
        return Err(Failure::Usage("`--link` has no effect here: only executables are linked".into()));
    }
    let target = match arguments.get_one::<PathBuf>("output") {
        Some(path) => path.clone(),
        None => default_target(source, kind)?,
    };
    let to_stdout = is_standard_input(&target);
    if !to_stdout {
        output::check_target(&target, source)?;
        for argument in arguments.get_many::<OsString>("link").into_iter().flatten() {
            output::refuse_input(&target, Path::new(argument), "given with `--link`")?;
        }
    }
    let (bytes, session) =
        super::with_session("build", arguments, source, Shown::All, |session| pipeline::build(session, source, kind))?;
    let executable = match kind {
        Output::Executable => Executable::Yes,
        Output::Object | Output::Assembly | Output::Header => Executable::No,
    };
    if to_stdout {
        return output::print(&bytes).map(|()| 0);
    }
    for (_, file) in session.sources.files() {
        output::refuse_input(&target, &file.path, "a module of the program")?;
    }
    output::write_file(&target, &bytes, executable)?;
    Ok(0)
}

/// The source's name without `.mini`, in the current folder.
fn default_target(source: &Path, kind: Output) -> Result<PathBuf, Failure> {
    let no_name = || Failure::Usage(format!("`{}` gives the output no name; choose one with `-o`", source.display()));
    if is_standard_input(source) {
        return Err(Failure::Usage(
            "a program on standard input gives the output no name; choose one with `-o`".into(),
        ));
    }
    let name = source.file_name().ok_or_else(no_name)?;
    let plain = match source.extension().and_then(|e| e.to_str()) {
        Some("mini" | "ir") => Path::new(source.file_stem().ok_or_else(no_name)?).to_path_buf(),
        _ => PathBuf::from(name),
    };
    Ok(match kind {
        // Without an extension to drop, the executable would take the source's own name.
        Output::Executable if plain.as_os_str() == name => PathBuf::from(format!("{}.out", plain.display())),
        Output::Executable => plain,
        Output::Object => append(plain, ".o"),
        Output::Assembly => append(plain, ".s"),
        Output::Header => append(plain, ".h"),
    })
}

fn append(path: PathBuf, suffix: &str) -> PathBuf {
    let mut name = path.into_os_string();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_the_source() {
        let name = |source: &str, kind| default_target(Path::new(source), kind).expect("has a name");
        assert_eq!(name("a/b/hello.mini", Output::Executable), Path::new("hello"));
        assert_eq!(name("hello.v2.mini", Output::Object), Path::new("hello.v2.o"));
        assert_eq!(name("/dev/stdin", Output::Executable), Path::new("stdin.out"));
        assert!(default_target(Path::new("-"), Output::Executable).is_err());
        assert!(default_target(Path::new("/"), Output::Executable).is_err());
    }
}
