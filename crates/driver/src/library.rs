//! The standard library: its modules' sources, which the compiler carries.

/// A module of the library.
#[derive(Debug)]
pub struct LibraryModule {
    /// What an import calls it.
    pub name: &'static str,
    /// Its path in messages.
    pub path: &'static str,
    /// Its source.
    pub text: &'static str,
    /// For a module that is known everywhere, not imported: the names that it makes known. It is loaded where one occurs.
    pub prelude: &'static [&'static str],
}

macro_rules! modules {
    ($($name:literal [$($prelude:literal)*],)*) => {
        &[$(LibraryModule {
            name: concat!("std.", $name),
            path: concat!("std/", $name, ".mini"),
            text: include_str!(concat!("../../../runtime/std/", $name, ".mini")),
            prelude: &[$($prelude),*],
        }),*]
    };
}

/// All modules of the library.
pub static MODULES: &[LibraryModule] = modules! {
    "list" ["List"],
    "map" ["Map"],
    "set" ["Set"],
    "string_builder" ["StringBuilder"],
    "stdin_lines" ["StdinLines" "stdin_lines"],
    "math" [],
    "random" [],
    "text" [],
};

#[cfg(test)]
mod tests {
    use super::*;
    use mini_sema::modules;

    #[test]
    fn the_checker_knows_the_names_for_its_advice() {
        let prelude: Vec<&str> = MODULES.iter().flat_map(|module| module.prelude).copied().collect();
        assert_eq!(prelude, modules::PRELUDE);
        let imported = MODULES.iter().filter(|module| module.prelude.is_empty());
        let imported: Vec<&str> = imported.map(|module| module.name.trim_start_matches("std.")).collect();
        assert_eq!(imported, modules::LIBRARY);
    }
}
