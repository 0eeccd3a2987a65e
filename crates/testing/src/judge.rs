//! Compares what a run gave with what its case wants.

use crate::case::Run;
use crate::process::{End, Outcome};

/// What differs, in a line or two.
pub fn judge(wanted: &Run, outcome: &Outcome) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let said = || format!("stderr: {}", cut(&stderr, 600));
    let Some(stdout) = &wanted.stdout else {
        return match outcome.end {
            End::TimedOut if outcome.stdout.is_empty() => Ok(()),
            End::TimedOut => Err(format!(
                "it must run on in silence, but printed {:?}",
                cut(&String::from_utf8_lossy(&outcome.stdout), 200)
            )),
            End::Status(_) | End::Signal(_) => {
                Err(format!("it must not end, but ended: {:?}; {}", outcome.end, said()))
            }
        };
    };
    if outcome.end != End::Status(wanted.status) {
        return Err(format!("ended by {:?}, wanted status {}; {}", outcome.end, wanted.status, said()));
    }
    if outcome.stdout != *stdout {
        return Err(first_difference(stdout, &outcome.stdout));
    }
    let mut rest = &*stderr;
    for text in &wanted.stderr {
        match rest.find(text.as_str()) {
            Some(at) => rest = &rest[at + text.len()..],
            None => return Err(format!("stderr lacks {text:?}; {}", said())),
        }
    }
    Ok(())
}

/// The first line that differs.
pub fn first_difference(wanted: &[u8], got: &[u8]) -> String {
    let (mut a, mut b) = (wanted.split(|&c| c == b'\n'), got.split(|&c| c == b'\n'));
    for line in 1.. {
        let (want, have) = (a.next(), b.next());
        if want != have {
            let show = |l: Option<&[u8]>| {
                l.map_or("nothing".to_string(), |l| format!("{:?}", cut(&String::from_utf8_lossy(l), 200)))
            };
            return format!("line {line}: wanted {}, got {}", show(want), show(have));
        }
        if want.is_none() {
            break;
        }
    }
    "equal line by line".to_string()
}

/// At most `limit` bytes of a text.
pub fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        Run { stdout: Some(b"a\nb\n".to_vec()), status: 3, stderr: vec!["x".into(), "y".into()], ..Run::default() }
    }

    #[test]
    fn each_kind_of_difference_is_seen() {
        let good = Outcome { end: End::Status(3), stdout: b"a\nb\n".to_vec(), stderr: b"x\ny\n".to_vec() };
        assert_eq!(judge(&run(), &good), Ok(()));
        assert!(judge(&run(), &Outcome { end: End::Status(0), ..good.clone() }).is_err());
        assert!(judge(&run(), &Outcome { stdout: b"a\nb".to_vec(), ..good.clone() }).is_err());
        assert!(judge(&run(), &Outcome { stderr: b"y\nx\n".to_vec(), ..good.clone() }).is_err());
        let endless = Run { stdout: None, ..run() };
        assert!(judge(&endless, &good).is_err());
        assert_eq!(judge(&endless, &Outcome::default()), Ok(()));
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nc\n"), "line 2: wanted \"b\", got \"c\"");
        assert_eq!(first_difference(b"a", b"a\nb"), "line 2: wanted nothing, got \"b\"");
    }
}
