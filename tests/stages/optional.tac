struct Node { value: int, next: ref }
start $start

func last(node: ref) -> int, bool {
entry1:
  %1 = const 0
  %2 = const false
  found = copy %1
  found? = copy %2
  jmp head2
head2:
  %3 = const null
  %4 = ne node, %3
  br %4, body3, exit4
body3:
  %5 = load_field Node.value, node
  %6 = const true
  found = copy %5
  found? = copy %6
  %7 = load_field Node.next, node
  node = copy %7
  jmp head2
exit4:
  ret found, found?
}

func main() {
entry1:
  %1 = const null
  %2, %3 = call last(%1)
  br %3, some2, none3
some2:
  value = copy %2
  jmp done4
none3:
  %4 = const -1
  value = copy %4
  jmp done4
done4:
  %5 = const 5
  %6 = const null
  %7 = new Node
  store_field Node.value, %7, %5
  store_field Node.next, %7, %6
  %8, %9 = call last(%7)
  rt text_begin()
  br %9, some5, none6
some5:
  rt text_int(%8)
  jmp done7
none6:
  %10 = const "null"
  rt text_string(%10)
  jmp done7
done7:
  %11 = rt text_end()
  rt out_int(value)
  %12 = const ' '
  rt out_char(%12)
  rt out_string(%11)
  %13 = const '\n'
  rt out_char(%13)
  ret
}

hidden func $start() -> int {
entry1:
  call main()
  %1 = const 0
  ret %1
}
