start $start

func half(n: int, n?: bool) -> int, bool {
entry1:
  br n?, and2, else4
and2:
  %1 = const 2
  %2 = rem n, %1
  %3 = const 0
  %4 = eq %2, %3
  br %4, then3, else4
then3:
  %5 = const 2
  %6 = div n, %5
  %7 = const true
  value = copy %6
  value? = copy %7
  jmp endif5
else4:
  %8 = const 0
  %9 = const false
  value = copy %8
  value? = copy %9
  jmp endif5
endif5:
  ret value, value?
}

func main() {
entry1:
  %1 = const 12
  %2 = const true
  %3, %4 = call half(%1, %2)
  o = copy %3
  o? = copy %4
  %5, %6 = call half(o, o?)
  o = copy %5
  o? = copy %6
  %7, %8 = call half(o, o?)
  br %8, some2, none3
some2:
  value = copy %7
  jmp done4
none3:
  %9 = const -1
  value = copy %9
  jmp done4
done4:
  rt out_int(value)
  %10 = const '\n'
  rt out_char(%10)
  ret
}

hidden func $start() -> int {
entry1:
  call main()
  %1 = const 0
  ret %1
}
