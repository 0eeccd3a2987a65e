//! A tiny assembler, and a runner for the executables that tests make.

#![allow(dead_code, reason = "each test file uses a part of it")]

use mini_base::ids::Id;
use mini_base::source::{Pos, SourceMap};
use mini_x64::code::{CallSite, Code, CodeId, Data, DataId, Program, Relocation, RelocationKind, Section, Target};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A general register by its number.
#[derive(Clone, Copy)]
pub struct Reg(pub u8);
pub const RAX: Reg = Reg(0);
pub const RCX: Reg = Reg(1);
pub const RDX: Reg = Reg(2);
pub const RBX: Reg = Reg(3);
pub const RSI: Reg = Reg(6);
pub const RDI: Reg = Reg(7);
pub const R12: Reg = Reg(12);
pub const R13: Reg = Reg(13);
/// Parameters in order.
pub const PARAMS: [Reg; 3] = [RDI, RSI, RDX];

/// A function under construction. Its frame is whatever `enter` made of it.
#[derive(Default)]
pub struct Asm {
    pub code: Code,
}

impl Asm {
    /// A function that begins by making a frame of `frame` bytes (8 modulo 16, so that calls are aligned).
    pub fn enter(name: &str, frame: u32) -> Asm {
        let mut asm = Asm { code: Code { name: name.into(), frame_size: frame, ..Code::default() } };
        if frame > 0 {
            asm.put(&[0x48, 0x81, 0xec]).put(&frame.to_le_bytes()); // sub rsp, frame
        }
        asm
    }

    pub fn hidden(mut self) -> Asm {
        self.code.hidden = true;
        self
    }

    pub fn put(&mut self, bytes: &[u8]) -> &mut Asm {
        self.code.bytes.extend_from_slice(bytes);
        self
    }

    pub fn here(&self) -> usize {
        self.code.bytes.len()
    }

    fn relocation(&mut self, kind: RelocationKind, target: Target, addend: i32) {
        let offset = self.here() as u32;
        self.code.relocations.push(Relocation { offset, kind, target, addend });
        self.put(match kind {
            RelocationKind::Pc32 => &[0; 4],
            RelocationKind::Abs64 => &[0; 8],
        });
    }

    pub fn call(&mut self, target: Target, pos: Pos) -> &mut Asm {
        self.put(&[0xe8]);
        self.relocation(RelocationKind::Pc32, target, -4);
        self.code.call_sites.push(CallSite { return_offset: self.here() as u32, pos });
        self
    }

    pub fn runtime(&mut self, name: &'static str) -> &mut Asm {
        self.call(Target::Runtime(name), Pos::NONE)
    }

    /// mov reg, value
    pub fn set(&mut self, reg: Reg, value: i64) -> &mut Asm {
        self.put(&[0x48 | reg.0 >> 3, 0xb8 | reg.0 & 7]).put(&value.to_le_bytes())
    }

    /// mov reg, address
    pub fn address(&mut self, reg: Reg, target: Target) -> &mut Asm {
        self.put(&[0x48 | reg.0 >> 3, 0xb8 | reg.0 & 7]);
        self.relocation(RelocationKind::Abs64, target, 0);
        self
    }

    pub fn data(&mut self, reg: Reg, data: DataId) -> &mut Asm {
        self.address(reg, Target::Data(data))
    }

    /// mov to, from
    pub fn mov(&mut self, to: Reg, from: Reg) -> &mut Asm {
        self.put(&[0x48 | to.0 >> 3 | from.0 >> 3 << 2, 0x89, 0xc0 | (from.0 & 7) << 3 | to.0 & 7])
    }

    fn memory(&mut self, opcode: u8, reg: Reg, base: Reg, offset: i32) -> &mut Asm {
        self.put(&[0x48 | base.0 >> 3 | reg.0 >> 3 << 2, opcode, 0x80 | (reg.0 & 7) << 3 | base.0 & 7]);
        if base.0 & 7 == 4 {
            self.put(&[0x24]);
        }
        self.put(&offset.to_le_bytes())
    }

    /// mov reg, [base + offset]
    pub fn load(&mut self, reg: Reg, base: Reg, offset: i32) -> &mut Asm {
        self.memory(0x8b, reg, base, offset)
    }

    /// mov [base + offset], reg
    pub fn store(&mut self, base: Reg, offset: i32, reg: Reg) -> &mut Asm {
        self.memory(0x89, reg, base, offset)
    }

    /// dec reg; jne to
    pub fn loop_to(&mut self, reg: Reg, to: usize) -> &mut Asm {
        self.put(&[0x48 | reg.0 >> 3, 0xff, 0xc8 | reg.0 & 7, 0x0f, 0x85]);
        let distance = to as i32 - (self.here() as i32 + 4);
        self.put(&distance.to_le_bytes())
    }

    /// add rsp, frame; ret
    pub fn leave(&mut self) -> &mut Asm {
        let frame = self.code.frame_size;
        if frame > 0 {
            self.put(&[0x48, 0x81, 0xc4]).put(&frame.to_le_bytes());
        }
        self.put(&[0xc3])
    }

    /// The inline allocation of an object, as `mini_prim::classes` describes it; the object in rax. Changes rcx and rdi too.
    pub fn alloc(&mut self, desc: DataId, bytes: u32, pos: Pos) -> &mut Asm {
        let (class, size) = mini_prim::classes::size_class(bytes).expect("a small object");
        let table = mini_link::runtime_symbol("mini_alloc_table").expect("exported") as u32 + class as u32 * 16;
        self.put(&[0x48, 0x8b, 0x04, 0x25]).put(&table.to_le_bytes()); // mov rax, [cursor]
        self.put(&[0x48, 0x8d, 0x88]).put(&size.to_le_bytes()); // lea rcx, [rax + size]
        self.put(&[0x48, 0x3b, 0x0c, 0x25]).put(&(table + 8).to_le_bytes()); // cmp rcx, [limit]
        self.put(&[0x77, 23]); // ja slow
        self.put(&[0x48, 0x89, 0x0c, 0x25]).put(&table.to_le_bytes()); // mov [cursor], rcx
        self.data(RCX, desc).put(&[0x48, 0x89, 0x08]); // mov [rax], desc
        self.put(&[0xeb, 15]); // jmp behind slow
        self.data(RDI, desc).call(Target::Runtime("mini_alloc_slow"), pos)
    }

    pub fn done(&mut self) -> Code {
        std::mem::take(&mut self.code)
    }
}

/// A program under construction.
#[derive(Default)]
pub struct Build {
    pub program: Program,
    pub sources: SourceMap,
}

impl Build {
    pub fn add(&mut self, code: Code) -> CodeId {
        self.program.functions.push(code)
    }

    /// The id that the next function will have.
    pub fn next(&self) -> CodeId {
        CodeId::new(self.program.functions.len())
    }

    pub fn start(&mut self, code: Code) {
        self.program.start = Some(self.add(code));
    }

    fn data(&mut self, section: Section, bytes: Vec<u8>, size: u64, relocations: Vec<Relocation>) -> DataId {
        let name = format!("d{}", self.program.data.len());
        self.program.data.push(Data { name, section, align: 8, bytes, size, relocations })
    }

    /// A type descriptor: kind, size, reference fields (for arrays: one entry if the elements are references).
    pub fn desc(&mut self, kind: u32, size: u32, offsets: &[u32]) -> DataId {
        let words = [kind, size, offsets.len() as u32];
        let bytes: Vec<u8> = words.iter().chain(offsets).flat_map(|w| w.to_le_bytes()).collect();
        let size = bytes.len() as u64;
        self.data(Section::ReadOnly, bytes, size, vec![])
    }

    pub fn string(&mut self, text: &[u8]) -> DataId {
        let desc = self.desc(2, 1, &[]);
        let mut bytes = vec![0; 8];
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text);
        bytes.push(0);
        let size = bytes.len() as u64;
        let header = Relocation { offset: 0, kind: RelocationKind::Abs64, target: Target::Data(desc), addend: 0 };
        self.data(Section::ReadOnly, bytes, size, vec![header])
    }

    pub fn globals(&mut self, size: u64) -> DataId {
        self.data(Section::Zeroed, vec![], size, vec![])
    }

    /// Adds a source file; gives a function from byte offsets to positions.
    pub fn source(&mut self, path: &str, text: &str) -> impl Fn(usize) -> Pos + use<> {
        let file = self.sources.add(Path::new(path), text.into()).expect("small");
        let start = self.sources.file(file).pos(0).0;
        move |offset| Pos(start + offset as u32)
    }

    pub fn link(&self) -> Vec<u8> {
        mini_link::executable(&self.program, &self.sources)
    }

    /// Links and runs without arguments and input.
    pub fn run(&self) -> Outcome {
        Run::new(&self.link()).go()
    }
}

/// What a run left.
#[derive(Debug)]
pub struct Outcome {
    pub out: String,
    pub err: String,
    /// The exit status; 128 plus the number for a signal.
    pub status: i32,
    /// Largest resident size in bytes.
    pub peak: u64,
}

/// An executable about to run.
pub struct Run {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
    pub command: Command,
    input: Vec<u8>,
}

const TIME_LIMIT: Duration = Duration::from_secs(60);

impl Run {
    pub fn new(executable: &[u8]) -> Run {
        let folder = tempfile::tempdir().expect("a folder for the executable");
        let path = folder.path().join("program");
        std::fs::write(&path, executable).expect("written");
        std::fs::write("/tmp/dbg.exe", executable).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("allowed");
        let mut command = Command::new(&path);
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Run { _folder: folder, path, command, input: vec![] }
    }

    pub fn env(mut self, name: &str, value: &str) -> Run {
        self.command.env(name, value);
        self
    }

    pub fn input(mut self, bytes: &[u8]) -> Run {
        self.input = bytes.to_vec();
        self
    }

    pub fn args(mut self, args: &[&str]) -> Run {
        self.command.args(args);
        self
    }

    pub fn stdout(mut self, to: impl Into<Stdio>) -> Run {
        self.command.stdout(to);
        self
    }

    /// Runs the command line of a shell, in which `$0` is the program.
    pub fn shell(mut self, line: &str) -> Run {
        self.command = Command::new("sh");
        self.command.arg("-c").arg(line).arg(&self.path);
        self.command.env_clear().env("PATH", "/usr/bin:/bin");
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self
    }

    pub fn go(mut self) -> Outcome {
        // Another test thread may have been forking while this file was written; then it is busy for a moment.
        let mut child = loop {
            match self.command.spawn() {
                Ok(child) => break child,
                Err(error) if error.raw_os_error() == Some(26) => std::thread::sleep(Duration::from_millis(5)),
                Err(error) => panic!("can't run: {error}"),
            }
        };
        let mut stdin = child.stdin.take().expect("piped");
        let input = std::mem::take(&mut self.input);
        let feeder = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let reader = |pipe: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = vec![];
                if let Some(mut pipe) = pipe {
                    let _ = pipe.read_to_end(&mut bytes);
                }
                String::from_utf8_lossy(&bytes).into_owned()
            })
        };
        let out = reader(child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
        let err = reader(child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
        let begun = Instant::now();
        let mut peak = 0;
        let status = loop {
            if let Some(status) = child.try_wait().expect("our child") {
                break status;
            }
            if let Ok(text) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
                let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
                let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
                peak = peak.max(kilobytes.unwrap_or(0) << 10);
            }
            if begun.elapsed() > TIME_LIMIT {
                child.kill().expect("our child");
                panic!("the program takes too long");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        feeder.join().expect("feeds");
        let status = {
            use std::os::unix::process::ExitStatusExt;
            status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
        };
        Outcome { out: out.join().expect("reads"), err: err.join().expect("reads"), status, peak }
    }
}
