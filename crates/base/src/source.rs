//! Source files, positions and spans.
//!
//! All files of a compilation share one space of byte offsets: file *k* begins where file *k - 1* ended, plus one. A
//! [`Pos`] is an offset in that space, so that a position is four bytes and needs no file beside it.

use crate::ids::IdVec;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

crate::define_id! {
    /// A source file; 0 is the root file.
    pub struct FileId, "file";
}

/// A byte position in the shared space of all files. [`Pos::NONE`] is "nowhere" (made by the compiler).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos(pub u32);

impl Pos {
    /// No position.
    pub const NONE: Pos = Pos(0);
}

impl std::fmt::Debug for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// A stretch of source text, from `start` up to and without `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: Pos,
    /// The byte behind the last.
    pub end: Pos,
}

impl Span {
    /// No place.
    pub const NONE: Span = Span { start: Pos::NONE, end: Pos::NONE };

    /// From `start` to `end`.
    pub fn new(start: Pos, end: Pos) -> Span {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            return other;
        }
        if other == Span::NONE {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the start.
    pub fn at_start(self) -> Span {
        Span { start: self.start, end: self.start }
    }

    /// The empty span at the end.
    pub fn at_end(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end.0 - self.start.0) as usize
    }

    /// Whether it holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}..{}", self.start.0, self.end.0)
    }
}

/// A line and a column as people count them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct LineColumn {
    /// From 1.
    pub line: u32,
    /// From 1, in Unicode code points.
    pub column: u32,
}

/// One source file. The text is kept as it was read, a byte-order mark at its start included.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as it is shown in messages.
    pub path: PathBuf,
    /// The whole text.
    pub text: Arc<str>,
    start: u32,
    lines: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The position of the byte at `offset`.
    pub fn pos(&self, offset: usize) -> Pos {
        Pos(self.start + offset as u32)
    }

    /// The offset in this file's text of a position in it.
    pub fn offset(&self, pos: Pos) -> usize {
        (pos.0 - self.start) as usize
    }

    /// The byte offsets at which lines start, in order; made at the first use, O(text).
    pub fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            std::iter::once(0)
                .chain(self.text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
                .collect()
        })
    }

    /// Line and column of a byte offset. A byte-order mark at the start of the file takes no column. O(log lines + line length).
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let starts = self.line_starts();
        let line = starts.partition_point(|&s| s as usize <= offset) - 1;
        let start = starts[line] as usize;
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = self.text[start..offset].trim_start_matches(if line == 0 { '\u{feff}' } else { '\n' });
        LineColumn { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }
}

/// All source files of a compilation.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
}

/// What a source map refuses: all files together must stay below this many bytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 30;

/// The sources are larger than [`MAX_SOURCE_BYTES`] together.
#[derive(Debug)]
pub struct SourceTooLarge;

impl SourceMap {
    /// No files.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Adds a file. Fails when the files together get too large.
    pub fn add(&mut self, path: &Path, text: Arc<str>) -> Result<FileId, SourceTooLarge> {
        // Position 0 is `Pos::NONE`; each file's space ends one past its text, so that the end of a file is a position.
        let start = self.files.iter().last().map_or(1, |f| f.start as usize + f.text.len() + 1);
        if start + text.len() > MAX_SOURCE_BYTES {
            return Err(SourceTooLarge);
        }
        Ok(self.files.push(SourceFile { path: path.into(), text, start: start as u32, lines: OnceLock::new() }))
    }

    /// The file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated()
    }

    /// The file that holds a position; `None` for [`Pos::NONE`]. O(log files).
    pub fn file_of(&self, pos: Pos) -> Option<FileId> {
        if pos == Pos::NONE || self.files.is_empty() {
            return None;
        }
        use crate::ids::Id;
        let at = self.files.as_slice().partition_point(|f| f.start <= pos.0);
        Some(FileId::new(at - 1))
    }

    /// Path, line and column of a position; `None` for [`Pos::NONE`].
    pub fn locate(&self, pos: Pos) -> Option<(&Path, LineColumn)> {
        let file = self.file(self.file_of(pos)?);
        Some((&file.path, file.line_column(file.offset(pos))))
    }

    /// The text of a span; empty for [`Span::NONE`].
    pub fn text(&self, span: Span) -> &str {
        let Some(id) = self.file_of(span.start) else { return "" };
        let file = self.file(id);
        &file.text[file.offset(span.start)..file.offset(span.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_and_skip_the_byte_order_mark() {
        let mut map = SourceMap::new();
        let a = map.add(Path::new("a.mini"), "\u{feff}é1\r\nx".into()).expect("small");
        let b = map.add(Path::new("b.mini"), "日本".into()).expect("small");
        let at = |f: FileId, o: usize| map.locate(map.file(f).pos(o)).map(|(p, lc)| (p.to_str(), lc.line, lc.column));
        assert_eq!(at(a, 3), Some((Some("a.mini"), 1, 1)));
        assert_eq!(at(a, 5), Some((Some("a.mini"), 1, 2)));
        assert_eq!(at(a, 8), Some((Some("a.mini"), 2, 1)));
        assert_eq!(at(a, 9), Some((Some("a.mini"), 2, 2)));
        assert_eq!(at(b, 3), Some((Some("b.mini"), 1, 2)));
        assert_eq!(map.locate(Pos::NONE), None);
    }
}
