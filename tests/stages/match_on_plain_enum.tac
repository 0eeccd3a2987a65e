start $start

func name(color: int) -> int {
entry1:
  switch color, 0: arm2, 1: arm3, else arm4
arm2:
  %1 = const 1
  value = copy %1
  jmp endmatch5
arm3:
  %2 = const 2
  value = copy %2
  jmp endmatch5
arm4:
  %3 = const 3
  value = copy %3
  jmp endmatch5
endmatch5:
  ret value
}

func main() {
entry1:
  %1 = const 0
  %2 = call name(%1)
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
