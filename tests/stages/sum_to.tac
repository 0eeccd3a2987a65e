start $start

func sum_to(n: int) -> int {
entry1:
  %1 = const 0
  s = copy %1
  %2 = const 0
  %3 = copy n
  i = copy %2
  jmp head2
head2:
  %4 = lt i, %3
  br %4, body3, exit5
body3:
  %5 = add s, i
  s = copy %5
  jmp step4
step4:
  %6 = const 1
  %7 = add i, %6
  i = copy %7
  jmp head2
exit5:
  ret s
}

func main() {
entry1:
  %1 = const 10
  %2 = call sum_to(%1)
  rt out_int(%2)
  %3 = const '\n'
  rt out_char(%3)
  ret
}

hidden func $start() -> int {
entry1:
  call main()
  %1 = const 0
  ret %1
}
