variant 1 "Expr::Add" { "0": ref, "1": ref }
variant 0 "Expr::Num" { "0": int }
variant 2 "Expr::Neg" { "0": ref }
start $start

func size(expr: ref) -> int {
entry1:
  %1 = copy expr
  %2 = tag %1
  switch %2, 0: arm2, 1: test3, else arm21
arm2:
  %3 = const 0
  value = copy %3
  jmp endmatch22
test3:
  %4 = load_field "Expr::Add"."0", %1
  %5 = tag %4
  switch %5, 0: test4, else test11
test4:
  %6 = load_field "Expr::Num"."0", %4
  %7 = const 1
  %8 = lt %6, %7
  br %8, test5, test6
test5:
  switch %6, 0: arm7, else test11
test6:
  %9 = const 10
  %10 = lt %6, %9
  br %10, test8, test11
arm7:
  %11 = load_field "Expr::Add"."1", %1
  x = copy %11
  jmp arm14
test8:
  %12 = load_field "Expr::Add"."1", %1
  %13 = tag %12
  switch %13, 0: test9, else arm10
test9:
  %14 = load_field "Expr::Num"."0", %12
  switch %14, 0: arm13, else arm10
arm10:
  a = copy %4
  b = copy %12
  %15 = const 1
  way = copy %15
  jmp arm16
test11:
  %16 = load_field "Expr::Add"."1", %1
  %17 = tag %16
  switch %17, 0: test12, else arm15
test12:
  %18 = load_field "Expr::Num"."0", %16
  switch %18, 0: arm13, else arm15
arm13:
  x = copy %4
  jmp arm14
arm14:
  %19 = call size(x)
  value = copy %19
  jmp endmatch22
arm15:
  a = copy %4
  b = copy %16
  %20 = const 0
  way = copy %20
  jmp arm16
arm16:
  %21 = call size(a)
  %22 = const 1
  %23 = eq %21, %22
  br %23, then18, ways17
ways17:
  switch way, 0: arm19, else arm20
then18:
  %24 = call size(b)
  value = copy %24
  jmp endmatch22
arm19:
  %25 = const 2
  value = copy %25
  jmp endmatch22
arm20:
  %26 = const 1
  value = copy %26
  jmp endmatch22
arm21:
  %27 = load_field "Expr::Neg"."0", %1
  x$2 = copy %27
  %28 = call size(x$2)
  value = copy %28
  jmp endmatch22
endmatch22:
  ret value
}

func keyword(word: ref) -> int {
entry1:
  %1 = len word
  switch %1, 2: length2, 4: length4, else arm8
length2:
  %2 = const "if"
  %3 = rt string_eq(word, %2)
  br %3, arm6, test3
test3:
  %4 = const "in"
  %5 = rt string_eq(word, %4)
  br %5, arm7, arm8
length4:
  %6 = const "else"
  %7 = rt string_eq(word, %6)
  br %7, arm5, arm8
arm5:
  %8 = const 3
  value = copy %8
  jmp endmatch9
arm6:
  %9 = const 1
  value = copy %9
  jmp endmatch9
arm7:
  %10 = const 2
  value = copy %10
  jmp endmatch9
arm8:
  %11 = const 0
  value = copy %11
  jmp endmatch9
endmatch9:
  ret value
}

func main() {
entry1:
  %1 = const 1
  %2 = new "Expr::Num"
  store_field "Expr::Num"."0", %2, %1
  %3 = call size(%2)
  %4 = const "if"
  %5 = call keyword(%4)
  rt out_int(%3)
  %6 = const ' '
  rt out_char(%6)
  rt out_int(%5)
  %7 = const '\n'
  rt out_char(%7)
  ret
}

hidden func $start() -> int {
entry1:
  call main()
  %1 = const 0
  ret %1
}
