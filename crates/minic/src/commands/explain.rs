//! `minic explain [E0123…]`

use crate::output;
use clap::ArgMatches;
use mini_base::near;
use mini_diag::codes::{self, CodeInfo};
use mini_driver::failure::Failure;

/// Prints what there is to say about codes; without any, their list.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let given: Vec<&String> = arguments.get_many::<String>("code").into_iter().flatten().collect();
    let texts = match &given[..] {
        [] => vec![list()],
        _ => given.into_iter().map(|code| find(code).map(explanation)).collect::<Result<Vec<_>, _>>()?,
    };
    output::print(texts.join("\n").as_bytes())?;
    Ok(0)
}

fn list() -> String {
    let mut rows: Vec<&CodeInfo> = codes::all().collect();
    rows.sort_by_key(|row| row.code);
    rows.iter().map(|row| format!("{}  {}\n", row.code, row.title)).collect()
}

fn find(given: &str) -> Result<&'static CodeInfo, Failure> {
    let wanted = given.to_ascii_uppercase();
    codes::find(&wanted).ok_or_else(|| {
        let hint = near::hint(&wanted, codes::all().map(|row| row.code));
        Failure::Usage(format!("there is no diagnostic code `{given}`{hint}; `minic explain` lists them"))
    })
}

fn explanation(row: &CodeInfo) -> String {
    let example: String = row.example.lines().map(|line| format!("    {line}\n")).collect();
    format!("{}: {}\n\n{}\n\n{example}", row.code, row.title, row.explanation)
}
