//! What is known of each pass, and the table of all of them. How they are guarded, timed, verified and printed is the driver's.

pub mod info; // what is known of a pass
pub mod registry; // the table of all passes; names and lists
