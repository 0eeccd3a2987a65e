//! What the run-time library reads about the program: functions, call sites, files, in the format of `mini_prim::tables`.
//!
//! Cost: O(n log n) in the number of call sites, plus the text of the lines that they are on.

use crate::addresses::Addresses;
use mini_base::names::shown_name;
use mini_base::source::{FileId, Pos, SourceMap};
use mini_prim::tables::{GROUP, Place, ProgramInfo};
use mini_x64::code::Program;
use std::os::unix::ffi::OsStrExt;

/// The tables, ready to be placed behind the constants.
#[derive(Debug, Default)]
pub struct Tables {
    functions: Vec<u32>,
    groups: Vec<u32>,
    files: Vec<u32>,
    site_count: usize,
    stream: Vec<u8>,
    pool: Vec<u8>,
}

/// Words of a function's entry, of a group's, of a file's.
const FUNCTION_WORDS: usize = 4;
const GROUP_WORDS: usize = 2;
const FILE_WORDS: usize = 2;

impl Tables {
    /// Makes the tables of a program.
    pub fn new(program: &Program, addresses: &Addresses, sources: &SourceMap) -> Tables {
        let mut tables = Tables::default();
        let places = Places::new(program, sources);
        for &file in &places.files {
            let text = tables.add_text(sources.file(file).path.as_os_str().as_bytes());
            tables.files.extend(text);
        }
        let mut last = (0, Place::default());
        for (id, start) in addresses.in_order() {
            let function = &program.functions[id];
            let name = tables.add_text(shown_name(&function.name).as_bytes());
            tables.functions.extend([start as u32, function.frame_size << 1 | u32::from(function.hidden)]);
            tables.functions.extend(name);
            for site in &function.call_sites {
                tables.add_site(start as u32 + site.return_offset, places.get(site.pos), &mut last);
            }
        }
        tables
    }

    fn add_text(&mut self, text: &[u8]) -> [u32; 2] {
        let offset = self.pool.len() as u32;
        self.pool.extend_from_slice(text);
        [offset, text.len() as u32]
    }

    fn add_site(&mut self, at: u32, place: Place, last: &mut (u32, Place)) {
        if self.site_count.is_multiple_of(GROUP) {
            self.groups.extend([at, self.stream.len() as u32]);
            *last = (at, Place::default());
        }
        self.site_count += 1;
        self.number(at.checked_sub(last.0).expect("call sites ascend"));
        self.difference(last.1.file, place.file);
        self.difference(last.1.line, place.line);
        self.difference(last.1.column, place.column);
        *last = (at, place);
    }

    fn difference(&mut self, from: u32, to: u32) {
        let difference = to.wrapping_sub(from) as i32;
        self.number((difference << 1 ^ difference >> 31) as u32);
    }

    /// Seven bits a byte, low ones first, the top bit says that more follow.
    fn number(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.stream.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.stream.push(value as u8);
    }

    /// Appends the tables to `bytes`, which lie at `base`, and says in `info` where they are.
    pub fn place(&self, bytes: &mut Vec<u8>, base: u64, info: &mut ProgramInfo) {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let mut words = |words: &[u32]| {
            let at = base + bytes.len() as u64;
            bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
            at
        };
        info.functions = words(&self.functions);
        info.function_count = (self.functions.len() / FUNCTION_WORDS) as u64;
        info.groups = words(&self.groups);
        info.group_count = (self.groups.len() / GROUP_WORDS) as u64;
        info.files = words(&self.files);
        info.file_count = (self.files.len() / FILE_WORDS) as u64;
        info.site_count = self.site_count as u64;
        info.stream = base + bytes.len() as u64;
        info.stream_bytes = self.stream.len() as u64;
        bytes.extend_from_slice(&self.stream);
        info.pool = base + bytes.len() as u64;
        info.pool_bytes = self.pool.len() as u64;
        bytes.extend_from_slice(&self.pool);
    }
}

/// The places of all positions that occur.
struct Places {
    /// By ascending position.
    places: Vec<(Pos, Place)>,
    /// The files that occur, in order.
    files: Vec<FileId>,
}

impl Places {
    fn new(program: &Program, sources: &SourceMap) -> Places {
        let sites = program.functions.iter().flat_map(|f| &f.call_sites);
        let mut positions: Vec<Pos> = sites.map(|site| site.pos).filter(|&pos| pos != Pos::NONE).collect();
        positions.sort_unstable();
        positions.dedup();
        let mut files = Vec::new();
        let mut places = Vec::with_capacity(positions.len());
        // Counting columns goes on from the position before if that is on the same line, so that a long line is read once.
        let mut before: Option<(usize, usize, u32)> = None;
        for pos in positions {
            let Some(id) = sources.file_of(pos) else { continue };
            let file = sources.file(id);
            if files.last() != Some(&id) {
                files.push(id);
                before = None;
            }
            let mut offset = file.offset(pos).min(file.text.len());
            while !file.text.is_char_boundary(offset) {
                offset -= 1;
            }
            let line = file.line_starts().partition_point(|&start| start as usize <= offset);
            let column = match before {
                Some((at, same_line, column)) if same_line == line && column > 1 => {
                    column + file.text[at..offset].chars().count() as u32
                }
                _ => file.line_column(offset).column,
            };
            before = Some((offset, line, column));
            places.push((pos, Place { file: files.len() as u32 - 1, line: line as u32, column }));
        }
        Places { places, files }
    }

    /// The place of a position; line 0 for none.
    fn get(&self, pos: Pos) -> Place {
        self.places.binary_search_by_key(&pos, |&(p, _)| p).map_or(Place::default(), |at| self.places[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mini_base::ids::IdVec;
    use mini_prim::tables::{SiteGroup, site_at};
    use mini_x64::code::{CallSite, Code};
    use std::path::Path;

    /// A program of one function with these call sites.
    fn program(call_sites: Vec<CallSite>) -> Program {
        let code = Code { name: "f".into(), call_sites, bytes: vec![0; 64], ..Code::default() };
        let mut functions = IdVec::new();
        functions.push(code);
        Program { functions, ..Program::default() }
    }

    #[test]
    fn every_call_site_reads_back() {
        let mut sources = SourceMap::new();
        // One file of short lines, one of a single long line with wide characters, one unused.
        let lines = sources.add(Path::new("lines.mini"), "ab\n".repeat(500).into()).expect("small");
        sources.add(Path::new("unused.mini"), "x".into()).expect("small");
        let wide = sources.add(Path::new("wide.mini"), "é".repeat(1000).into()).expect("small");
        // Positions jump about, and some are nowhere.
        let pos = |i: usize| match i % 3 {
            0 => sources.file(lines).pos(i * 31 % 1500),
            1 => sources.file(wide).pos(i * 53 % 1000 * 2),
            _ => Pos::NONE,
        };
        let sites: Vec<CallSite> =
            (0..777).map(|i| CallSite { return_offset: (i * i / 7 + 2 * i + 5) as u32, pos: pos(i) }).collect();
        let program = program(sites.clone());
        let tables = Tables::new(&program, &Addresses::new(&program), &sources);
        let (groups, _) = tables.groups.as_chunks::<2>();
        let groups: Vec<SiteGroup> = groups.iter().map(|&[first, offset]| SiteGroup { first, offset }).collect();
        for site in &sites {
            let place = site_at(&groups, &tables.stream, sites.len(), site.return_offset).expect("a site");
            let got = (place.line > 0).then(|| {
                let text = tables.files[place.file as usize * 2 + 1] as usize;
                let at = tables.files[place.file as usize * 2] as usize;
                (tables.pool[at..at + text].to_vec(), place.line, place.column)
            });
            let want = sources.locate(site.pos).map(|(p, lc)| (p.as_os_str().as_bytes().to_vec(), lc.line, lc.column));
            assert_eq!(got, want);
            assert_eq!(site_at(&groups, &tables.stream, sites.len(), site.return_offset + 1), None);
        }
        assert_eq!(tables.files.len(), 4);
        assert!(tables.stream.len() < 6 * sites.len());
    }
}
