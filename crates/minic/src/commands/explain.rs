//! `minic explain E0123`

use crate::output;
use clap::ArgMatches;
use mini_base::near;
use mini_diag::codes;
use mini_driver::failure::Failure;

/// Prints what there is to say about a code.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let given = arguments.get_one::<String>("code").expect("clap requires it");
    let wanted = given.to_ascii_uppercase();
    let Some(row) = codes::find(&wanted) else {
        let hint = near::hint(&wanted, codes::all().map(|row| row.code));
        return Err(Failure::Usage(format!("there is no diagnostic code `{given}`{hint}")));
    };
    let example: String = row.example.lines().map(|line| format!("    {line}\n")).collect();
    output::print(format!("{}: {}\n\n{}\n\n{example}", row.code, row.title, row.explanation).as_bytes())?;
    Ok(0)
}
