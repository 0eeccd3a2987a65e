//! The stack slots of all activations, and their addresses.
//!
//! An address is a word: the number of an activation above, a place in the stack of slots below. The number tells an
//! address whose activation is over from one of the activation that has the place now; it repeats after 2^32 of them.
//! *Cost:* O(1) an access.

use crate::machine::{Stop, undefined};
use mini_ir::types::Type;

#[derive(Clone, Copy, Debug)]
struct Cell {
    activation: u32,
    ty: Type,
    word: u64,
    is_undef: bool,
}

impl Cell {
    /// Whether it is the slot of an address that leads to its place.
    fn is_at(&self, address: u64) -> bool {
        u64::from(self.activation) == address >> 32
    }
}

/// The stack of slots.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// The number of the last activation that has slots.
    activation: u32,
}

impl Cells {
    /// How many slots there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Makes the slots of an activation, ⊥ in each.
    pub fn enter(&mut self, types: &[Type]) {
        if types.is_empty() {
            return;
        }
        self.activation = self.activation.wrapping_add(1);
        let activation = self.activation;
        self.cells.extend(types.iter().map(|&ty| Cell { activation, ty, word: 0, is_undef: true }));
    }

    /// Drops the slots of the last activation.
    pub fn leave(&mut self, types: &[Type]) {
        self.cells.truncate(self.cells.len() - types.len());
    }

    /// The address of slot `n` of the last activation, which has so many.
    pub fn address(&self, count: usize, n: usize) -> u64 {
        let place = self.cells.len() - count + n;
        u64::from(self.cells[place].activation) << 32 | place as u64
    }

    /// What is in a slot for values of the type with this number, and whether that is ⊥.
    pub fn load(&self, address: u64, ty: usize) -> Result<(u64, bool), Stop> {
        match self.cells.get(address as u32 as usize) {
            Some(cell) if cell.is_at(address) && cell.ty as usize == ty => Ok((cell.word, cell.is_undef)),
            found => undefined(wrong_slot(found, address)),
        }
    }

    /// Changes it.
    pub fn store(&mut self, address: u64, ty: usize, (word, is_undef): (u64, bool)) -> Result<(), Stop> {
        match self.cells.get_mut(address as u32 as usize) {
            Some(cell) if cell.is_at(address) && cell.ty as usize == ty => {
                (cell.word, cell.is_undef) = (word, is_undef);
                Ok(())
            }
            found => undefined(wrong_slot(found.as_deref(), address)),
        }
    }

    /// The references in slots.
    pub fn references(&self) -> impl Iterator<Item = u64> {
        self.cells.iter().filter(|cell| cell.ty == Type::Ref).map(|cell| cell.word)
    }
}

#[cold]
fn wrong_slot(found: Option<&Cell>, address: u64) -> &'static str {
    match found {
        Some(cell) if cell.is_at(address) => "a slot is used with another type than it has",
        _ => "the address of a slot is used after its function has returned",
    }
}

#[cfg(test)]
mod tests {
    use crate::host::MemoryHost;
    use crate::machine::{Options, run};
    use crate::outcome::End;
    use mini_ir::text::parse_module;

    /// How a program ends, and what it writes to stdout; collects at every allocation.
    fn ran(text: &str) -> (End, String) {
        let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut host = MemoryHost::default();
        let end = run(&module, &mut host, Options { heap_step: 0, ..Options::default() }).end;
        (end, String::from_utf8_lossy(&host.stdout).into_owned())
    }

    fn undefined_in(text: &str) -> String {
        match ran(text) {
            (End::Undefined(what), _) => what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_activation_has_its_own() {
        let text = "\
func count(n: int, up: addr) {
entry1:
  own = slot int
  store own, n
  %1 = const 0
  %2 = gt n, %1
  br %2, more2, done3
more2:
  %3 = const 1
  %4 = sub n, %3
  call count(%4, own)
  jmp done3
done3:
  %5 = load int, own
  rt out_int(%5)
  %6 = load int, up
  %7 = add %6, %6
  store up, %7
  ret
}
func main() -> int {
entry1:
  top = slot int
  %1 = const 10
  store top, %1
  %2 = const 3
  call count(%2, top)
  %3 = load int, top
  ret %3
}
";
        // Each reads what its callee made of its number: 0, then 2·1, 2·2, 2·3.
        assert_eq!(ran(text), (End::Exit(20), "0246".into()));
    }

    #[test]
    fn references_in_slots_stay_alive() {
        let text = "\
struct Cell { x: int }
func fill(p: addr) {
entry1:
  %1 = new Cell
  %2 = const 7
  store_field Cell.x, %1, %2
  store p, %1
  ret
}
func main() -> int {
entry1:
  p = slot ref
  call fill(p)
  %1 = new Cell
  %2 = const 8
  store_field Cell.x, %1, %2
  %3 = load ref, p
  %4 = load_field Cell.x, %3
  ret %4
}
";
        assert_eq!(ran(text), (End::Exit(7), String::new()));
    }

    #[test]
    fn an_address_of_a_function_that_returned_is_noticed() {
        let text = "\
func leak(to: addr) {
entry1:
  own = slot int
  store to, own
  ret
}
func main() -> int {
entry1:
  p = slot addr
  call leak(p)
  call leak(p)
  %1 = load addr, p
  %2 = load int, %1
  ret %2
}
";
        let message = "the address of a slot is used after its function has returned";
        assert_eq!(undefined_in(text), message);
        // Another activation has the place now.
        let reused = text.replace("  %2 = load int, %1\n", "  call leak(%1)\n  %2 = load int, %1\n");
        assert_eq!(undefined_in(&reused), message);
        let stored = text.replace("  %2 = load int, %1\n", "  %2 = const 1\n  store %1, %2\n");
        assert_eq!(undefined_in(&stored), message);
    }

    #[test]
    fn types_and_undefined_contents() {
        let body =
            |lines: &str| format!("func main() -> int {{\nentry1:\n  p = slot int\n  q = slot addr\n{lines}}}\n");
        let wrong = "a slot is used with another type than it has";
        assert_eq!(undefined_in(&body("  %1 = load byte, p\n  %2 = byte_to_int %1\n  ret %2\n")), wrong);
        assert_eq!(undefined_in(&body("  %1 = const 1\n  store q, %1\n  ret %1\n")), wrong);
        // ⊥ is copied through slots, and may not decide anything.
        assert_eq!(
            ran(&body("  %1 = load int, p\n  store p, %1\n  %2 = const 3\n  ret %2\n")),
            (End::Exit(3), String::new())
        );
        assert_eq!(undefined_in(&body("  %1 = load int, p\n  rt out_int(%1)\n  ret %1\n")), "use of undef");
        assert_eq!(undefined_in(&body("  %1 = load addr, q\n  %2 = load int, %1\n  ret %2\n")), "use of undef");
        assert_eq!(
            undefined_in(&body("  %1 = undef addr\n  %2 = const 1\n  store %1, %2\n  ret %2\n")),
            "use of undef"
        );
    }

    #[test]
    fn slots_count_as_stack() {
        let text = "func main() {\nentry1:\n  p = slot int\n  call main()\n  ret\n}\n";
        let module = parse_module(text).expect("it is IR");
        let options = Options { max_stack_words: 1000, ..Options::default() };
        let mut host = MemoryHost::default();
        assert_eq!(run(&module, &mut host, options).end, End::RuntimeError(b"stack overflow".to_vec()));
    }
}
