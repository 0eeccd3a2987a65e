//! How passes run: what is known of each, the table of all of them, and the loop that runs, guards, times, verifies and dumps.

pub mod info; // what is known of a pass
pub mod registry; // the table of all passes; names and lists
pub mod run; // runs passes on a function
