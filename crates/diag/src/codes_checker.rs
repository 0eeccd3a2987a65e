//! The codes of the checker (E02xx to E05xx, W0xxx).

use crate::codes::CodeInfo;

macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal, $explanation:literal, $example:literal;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*
        /// The checker's rows.
        pub static CHECKER: &[CodeInfo] = &[
            $(CodeInfo { code: $code, title: $title, explanation: $explanation, example: $example },)*
        ];
    };
}

codes! {
    E0201_UNKNOWN_NAME = "E0201", "a name that nothing declares",
        "Names are looked up among the variables in scope, then the items and imports of the module, then the names of the library that need no import, then the built-in functions. Variables are known from behind their `let` to the end of their block; items are known everywhere.",
        "// wrong\nfn main() { let count = 1; print(cuont); }\n// right\nfn main() { let count = 1; print(count); }";
    E0202_UNKNOWN_TYPE = "E0202", "a type that nothing declares",
        "Types are `int`, `float`, `bool`, `byte`, `string`, arrays `[T]`, optionals `T?`, function types, and the structs and enums of the program. Upper and lower case matter.",
        "// wrong\nfn f(n: Int) -> int { n }\nfn main() { print(f(1)); }\n// right\nfn f(n: int) -> int { n }\nfn main() { print(f(1)); }";
    E0203_DUPLICATE_ITEM = "E0203", "a name declared twice in a module",
        "A module has one namespace for functions, structs, enums, constants, globals and imports. Rename one of the two.",
        "// wrong\nfn f() {}\nconst f = 1;\nfn main() { f(); }\n// right\nfn f() {}\nconst G = 1;\nfn main() { f(); print(G); }";
    E0204_DUPLICATE_MEMBER = "E0204", "a field, variant, method, parameter or name in a pattern declared twice",
        "Within one struct, enum, parameter list or pattern every name is declared once.",
        "// wrong\nstruct P { x: int, x: int }\nfn main() {}\n// right\nstruct P { x: int, y: int }\nfn main() {}";
    E0205_WRONG_KIND_OF_NAME = "E0205", "a name of one kind where another is wanted",
        "A type is no value, a value is no type, and only modules, structs and enums have something behind `::`.",
        "// wrong\nstruct P { x: int }\nfn main() { let p = P; }\n// right\nstruct P { x: int }\nfn main() { let p = P { x: 1 }; print(p.x); }";
    E0206_SELF_OUTSIDE_METHOD = "E0206", "`self` where there is none",
        "`self` is the first parameter of methods in an `impl`, and is known in their bodies only.",
        "// wrong\nfn f() -> int { self.x }\nfn main() { print(f()); }\n// right\nstruct P { x: int }\nfn f(p: P) -> int { p.x }\nfn main() { print(f(P { x: 1 })); }";
    E0207_UNKNOWN_LABEL = "E0207", "a label that no enclosing loop has",
        "`break` and `continue` may name a loop around them in the same function. Labels have a namespace of their own.",
        "// wrong\nfn main() { outer: while true { break outr; } }\n// right\nfn main() { outer: while true { break outer; } }";
    E0208_JUMP_OUTSIDE_LOOP = "E0208", "`break` or `continue` outside of a loop",
        "Both need a loop around them in the same function; a closure is a function of its own.",
        "// wrong\nfn main() { break; }\n// right\nfn main() { while true { break; } }";
    E0209_RETURN_OUTSIDE_FUNCTION = "E0209", "`return` outside of a function",
        "The initialiser of a global is no function body: its value is that of its expression.",
        "// wrong\nlet a: int = { return 1; };\nfn main() { print(a); }\n// right\nlet a: int = { 1 };\nfn main() { print(a); }";
    E0210_BUILTIN_AS_VALUE = "E0210", "a built-in function used as a value",
        "Built-in functions and `extern` functions can be called, but are not values. A function of your own is one.",
        "// wrong\nfn main() { let f = sqrt; print(f(2.0)); }\n// right\nfn root(x: float) -> float { sqrt(x) }\nfn main() { let f = root; print(f(2.0)); }";
    E0211_UNKNOWN_FIELD = "E0211", "a field that the type does not have",
        "Only structs have fields: those of their declaration. The fields of a struct that may be null can be reached after a test.",
        "// wrong\nstruct P { x: int }\nfn main() { print(P { x: 1 }.y); }\n// right\nstruct P { x: int }\nfn main() { print(P { x: 1 }.x); }";
    E0212_UNKNOWN_METHOD = "E0212", "a method that the type does not have",
        "Strings and arrays have built-in methods; structs and enums have those of their `impl`s.",
        "// wrong\nfn main() { print(\"abc\".length()); }\n// right\nfn main() { print(\"abc\".len()); }";
    E0213_MISSING_FIELD = "E0213", "a struct value that lacks a field",
        "A struct value names every field exactly once, in any order.",
        "// wrong\nstruct P { x: int, y: int }\nfn main() { print(P { x: 1 }.x); }\n// right\nstruct P { x: int, y: int }\nfn main() { print(P { x: 1, y: 2 }.x); }";
    E0214_FIELD_TWICE = "E0214", "a struct value that gives a field twice",
        "A struct value names every field exactly once.",
        "// wrong\nstruct P { x: int }\nfn main() { print(P { x: 1, x: 2 }.x); }\n// right\nstruct P { x: int }\nfn main() { print(P { x: 1 }.x); }";
    E0215_METHOD_BY_PATH = "E0215", "a method named with `::`",
        "Methods are called on values: `x.name(…)`. Only functions without `self` are called as `Type::name(…)`.",
        "// wrong\nstruct P { x: int }\nimpl P { fn get(self) -> int { self.x } }\nfn main() { print(P::get(P { x: 1 })); }\n// right\nstruct P { x: int }\nimpl P { fn get(self) -> int { self.x } }\nfn main() { print((P { x: 1 }).get()); }";
    E0216_UNKNOWN_MEMBER = "E0216", "a variant or associated function that the type does not have",
        "Behind `Type::` stands a variant of the enum, or a function of an `impl` of the type that has no `self`.",
        "// wrong\nenum Color { Red, Green }\nfn main() { print(Color::Gren); }\n// right\nenum Color { Red, Green }\nfn main() { print(Color::Green); }";
    E0217_PRIVATE = "E0217", "a name that is private to another module",
        "Other modules can name the `pub` items of a module, and call the `pub` functions of its types. Fields are as visible as their struct, except that those of the library's structs are private. `x[i]` and `for` over a struct of another module need its `index`, `index_set`, `len` and `next` to be `pub`.",
        "// wrong\nimport std.math.{multiply_mod};\nfn main() { print(multiply_mod(2, 3, 5)); }\n// right\nimport std.math.{pow_mod};\nfn main() { print(pow_mod(2, 3, 5)); }";
    E0218_NOT_IN_MODULE = "E0218", "a name that a module does not declare",
        "`module::name` and the names in the braces of an import are the items that the module declares; what it imports itself must be imported from where it is declared.",
        "// wrong\nimport std.math;\nfn main() { print(math::gdc(4, 6)); }\n// right\nimport std.math;\nfn main() { print(math::gcd(4, 6)); }";
    E0219_IMPL_ELSEWHERE = "E0219", "an `impl` of a type of another module",
        "Methods are declared in the module of their type, the library's in the library. A function that takes the value as a parameter can stand anywhere.",
        "// wrong\nimport std.random.{Random};\nimpl Random { fn coin(self) -> bool { self.below(2) == 0 } }\nfn main() { print(Random::new(1).coin()); }\n// right\nimport std.random.{Random};\nfn coin(r: Random) -> bool { r.below(2) == 0 }\nfn main() { print(coin(Random::new(1))); }";
    E0301_TYPE_MISMATCH = "E0301", "a value of one type where another is wanted",
        "There are no implicit conversions, except that a `T` is accepted where a `T?` is wanted. Conversions are written as calls of the type's name: `int(x)`, `float(n)`, `string(x)`.",
        "// wrong\nfn main() { let n: int = \"1\"; print(n); }\n// right\nfn main() { let n: int = 1; print(n); }";
    E0302_OPERATOR_TYPES = "E0302", "an operator applied to types that it does not take",
        "Both sides of an operator have one type. `+ - * / %` take ints or floats, `+` also strings; shifts and `~` take ints; `& | ^` ints or bools; `&& || !` bools. Bytes have comparisons only. Optionals have `==` and `!=` only.",
        "// wrong\nfn main() { print(1 + 2.0); }\n// right\nfn main() { print(float(1) + 2.0); }";
    E0303_ARGUMENT_COUNT = "E0303", "a call with too many or too few arguments",
        "A call gives exactly as many arguments as there are parameters. There are no default arguments.",
        "// wrong\nfn f(a: int, b: int) -> int { a + b }\nfn main() { print(f(1)); }\n// right\nfn f(a: int, b: int) -> int { a + b }\nfn main() { print(f(1, 2)); }";
    E0304_NOT_CALLABLE = "E0304", "a call of something that is no function",
        "Functions, closures and values of function types can be called.",
        "// wrong\nfn main() { let n = 5; print(n(1)); }\n// right\nfn main() { let n = 5; print(n * 1); }";
    E0305_NOT_INDEXABLE = "E0305", "an index or slice of something that has no elements",
        "Arrays and strings can be indexed and sliced, and structs with the method `index` indexed.",
        "// wrong\nfn main() { let n = 5; print(n[0]); }\n// right\nfn main() { let n = [5]; print(n[0]); }";
    E0306_NOT_ITERABLE = "E0306", "a `for` over something that has no elements",
        "`for` runs over ranges of ints, arrays, strings, and structs with `len` and `index` or with `next`.",
        "// wrong\nfn main() { for i in 3 { print(i); } }\n// right\nfn main() { for i in 0..3 { print(i); } }";
    E0307_TYPE_NEEDED = "E0307", "a value whose type is not known from its context",
        "`[]`, `null` and uses of generic items such as `List::new()` have many types. The context must say which: a written type, a parameter, the other elements, type arguments as in `List::<int>::new()`. Later statements don't count.",
        "// wrong\nfn main() { let a = []; print(a.len()); }\n// right\nfn main() { let a: [int] = []; print(a.len()); }";
    E0308_DOUBLE_OPTIONAL = "E0308", "an optional of an optional",
        "In `T?`, `T` is any type but another optional; a generic item that has a `T?` can't be used with an optional for `T`. To tell two kinds of absence apart, use an enum or a struct.",
        "// wrong\nfn f(a: int??) { print(a); }\nfn main() { f(1); }\n// right\nfn f(a: int?) { print(a); }\nfn main() { f(1); }";
    E0309_TYPE_ARGUMENTS = "E0309", "type arguments that don't fit the declaration",
        "Only generic items take type arguments, as many as they have type parameters. An `impl` of a generic type names all its type parameters: `impl<T> List<T>`.",
        "// wrong\nfn main() { let a: int<int> = 1; print(a); }\n// right\nfn main() { let a: int = 1; print(a); }";
    E0310_NOT_OPTIONAL = "E0310", "a test for null of something that is never null",
        "`x == null`, `x != null`, `x!` and `x ?? y` need an `x` of an optional type.",
        "// wrong\nfn main() { let n = 1; if n == null { print(n); } }\n// right\nfn main() { let n: int? = 1; if n == null { print(n); } }";
    E0311_REQUIREMENT = "E0311", "a type that lacks what is required of it",
        "`print` and `string` need `Show`: numbers, bools, strings, and arrays and optionals of such, and types with a method `show`. `hash` needs `Hash`: int, byte, bool, string, enums without payload. `==` needs `Eq`: all but enums with payload. `<` needs `Ord`: numbers, bools, strings, enums without payload. A type parameter has what its bounds say, as in `fn f<T: Eq + Show>(x: T)`, and what stands for it must have it too.",
        "// wrong\nstruct P { x: int }\nfn main() { print(P { x: 1 }); }\n// right\nstruct P { x: int }\nfn main() { print(P { x: 1 }.x); }";
    E0312_NO_CONVERSION = "E0312", "a conversion that does not exist",
        "`int(x)` takes a float, byte, bool or plain enum, `float(x)` an int, `byte(x)` an int, `string(x)` anything that can be shown. Converting to the type it already has is an error, so that conversions always mean something.",
        "// wrong\nfn main() { print(int(\"5\")); }\n// right\nfn main() { print(parse_int(\"5\") ?? 0); }";
    E0313_MISSING_VALUE = "E0313", "a block that can end without the value it must have",
        "The body of a function with a result ends in an expression without `;`, or control never reaches its end. Only `while true` counts as a loop that never ends.",
        "// wrong\nfn f(n: int) -> int { n + 1; }\nfn main() { print(f(1)); }\n// right\nfn f(n: int) -> int { n + 1 }\nfn main() { print(f(1)); }";
    E0314_NO_VALUE = "E0314", "an expression without a value where one is needed",
        "Calls of functions without `->` have no value; they can't be stored, compared or passed on.",
        "// wrong\nfn f() {}\nfn main() { let a = f(); }\n// right\nfn f() {}\nfn main() { f(); }";
    E0315_BRANCHES_DISAGREE = "E0315", "branches or elements of different types",
        "The branches of an `if` or `match` whose value is used, and the elements of an array, have one common type. `T`, `T?` and `null` meet in `T?`.",
        "// wrong\nfn main() { let a = if args().len() > 0 { 1 } else { \"a\" }; print(a); }\n// right\nfn main() { let a = if args().len() > 0 { \"1\" } else { \"a\" }; print(a); }";
    E0316_NOT_ASSIGNABLE = "E0316", "an assignment to something that can't be assigned",
        "Variables, parameters, globals, elements of arrays and fields of structs can be assigned. Constants, functions, `self` and the bytes of a string can't.",
        "// wrong\nconst N = 1;\nfn main() { N = 2; }\n// right\nlet n = 1;\nfn main() { n = 2; print(n); }";
    E0317_PATTERN_TYPE = "E0317", "a pattern that can't match values of the type",
        "A literal matches values of its own type, `null` matches optionals, a variant matches values of its enum.",
        "// wrong\nfn main() { let n = 1; if let \"1\" = n { print(n); } }\n// right\nfn main() { let n = 1; if let 1 = n { print(n); } }";
    E0318_EMPTY_RANGE = "E0318", "an empty range in a pattern",
        "A range in a pattern includes both its bounds; the first must not be above the last.",
        "// wrong\nfn main() { let n = 1; if let 9..=1 = n { print(n); } }\n// right\nfn main() { let n = 1; if let 1..=9 = n { print(n); } }";
    E0319_ALTERNATIVES_DISAGREE = "E0319", "alternatives of a pattern that bind different names",
        "All alternatives of `p | q` bind the same names at the same types, since the code behind can't know which one matched.",
        "// wrong\nfn main() { let n: int? = 1; if let 1 | m = n { print(m); } }\n// right\nfn main() { let n: int? = 1; if let m = n { print(m); } }";
    E0320_NOT_EXHAUSTIVE = "E0320", "a `match` that does not cover every value",
        "The arms of a `match` cover every value of the matched type. Arms with a guard don't count, since the guard may fail. The message names a value that is missing.",
        "// wrong\nfn main() { match 1 { 1 => print(1) } }\n// right\nfn main() { match 1 { 1 => print(1), _ => print(2) } }";
    E0321_TYPE_TOO_DEEP = "E0321", "a type that nests deeper than 1,000",
        "Each array of arrays is a type of its own. What is written may nest 1,000 deep, and so may types that follow from it.",
        "// wrong: a thousand lines like the second one\nfn main() { let a = [1];\nlet b = [a];\nprint(b); }\n// right\nfn main() { let a = [1]; print(a); }";
    E0322_UNKNOWN_BOUND = "E0322", "a bound that does not exist",
        "A type parameter can have the bounds `Eq` (`==`), `Ord` (`<`), `Hash` (`hash(x)`) and `Show` (`print(x)`, `string(x)`), joined by `+`. No bound implies another.",
        "// wrong\nfn f<T: Debug>(x: T) -> T { x }\nfn main() { print(f(1)); }\n// right\nfn f<T: Show>(x: T) -> string { string(x) }\nfn main() { print(f(1)); }";
    E0323_INFINITE_INSTANTIATION = "E0323", "a generic item that is needed at types without end",
        "A generic function or type is compiled once for each list of type arguments that the program needs. Where it needs itself at ever larger types there is no last one; types may nest 64 deep. There may be no more than 100,000 instances either.",
        "// wrong\nfn grow<T>(n: int, x: T) -> int { if n == 0 { 0 } else { 1 + grow(n - 1, [x]) } }\nfn main() { print(grow(3, 1)); }\n// right\nfn count<T>(n: int, x: T) -> int { if n == 0 { 0 } else { 1 + count(n - 1, x) } }\nfn main() { print(count(3, 1)); }";
    E0401_READ_BEFORE_ASSIGNMENT = "E0401", "a variable read before it is assigned on every path",
        "A variable declared without a value must be assigned on every path that leads to a read. A loop may run no round, so assignments in its body don't count behind it.",
        "// wrong\nfn main() { let a: int; if args().len() > 0 { a = 1; } print(a); }\n// right\nfn main() { let a: int; if args().len() > 0 { a = 1; } else { a = 2; } print(a); }";
    E0501_NO_MAIN = "E0501", "a program without `main`",
        "A program starts at the function `main` of its root file, with or without the result `int`.",
        "// wrong\nfn start() { print(1); }\n// right\nfn main() { print(1); }";
    E0502_MAIN_SIGNATURE = "E0502", "a `main` that is not `fn main()` or `fn main() -> int`",
        "`main` takes no parameters, is not generic, and has the result `int` (the exit status) or none. The built-in `args()` gives the program's arguments.",
        "// wrong\nfn main(a: [string]) { print(a); }\n// right\nfn main() { print(args()); }";
    E0503_NOT_CONSTANT = "E0503", "something in a constant expression that is not constant",
        "Constant expressions are literals, other constants, operators, `??`, conversions and parentheses. A global (`let`) may have any initialiser.",
        "// wrong\nconst ROOT = sqrt(2.0);\nfn main() { print(ROOT); }\n// right\nlet root = sqrt(2.0);\nfn main() { print(root); }";
    E0504_CONSTANT_DIVISION_BY_ZERO = "E0504", "a division by zero in a constant",
        "Constants are evaluated when the program is compiled, and so is the mistake found.",
        "// wrong\nconst A = 1 / 0;\nfn main() { print(A); }\n// right\nconst A = 1 / 2;\nfn main() { print(A); }";
    E0505_CONSTANT_CYCLE = "E0505", "a constant that depends on itself",
        "The value of a constant can't be needed to find that value.",
        "// wrong\nconst A = B + 1;\nconst B = A;\nfn main() { print(A); }\n// right\nconst A = B + 1;\nconst B = 1;\nfn main() { print(A); }";
    E0506_GLOBAL_TYPE_CYCLE = "E0506", "a global whose unwritten type depends on itself",
        "The type of a global without a written type is that of its initialiser. Where initialisers name each other, one type must be written.",
        "// wrong\nlet a = b;\nlet b = a;\nfn main() { print(a); }\n// right\nlet a: int = b;\nlet b = a;\nfn main() { print(a); }";
    E0507_GLOBAL_READ_EARLY = "E0507", "a global used before its initialiser has run",
        "Globals are initialised in the order of the text, those of imported modules first. Before that they show the zero of their type; structs, enums and functions have none.",
        "// wrong\nstruct P { x: int }\nlet a = b.x;\nlet b = P { x: 1 };\nfn main() { print(a); }\n// right\nstruct P { x: int }\nlet b = P { x: 1 };\nlet a = b.x;\nfn main() { print(a); }";
    E0508_UNKNOWN_MODULE = "E0508", "a module that does not exist",
        "`import a.b;` loads `a/b.mini`, looked for from the folder of the root file on. `std.*` is the library, whose modules are `std.math`, `std.random` and `std.text`; `List`, `Map`, `Set`, `StringBuilder` and `stdin_lines` need no import.",
        "// wrong\nimport std.maths;\nfn main() { print(maths::PI); }\n// right\nimport std.math;\nfn main() { print(math::PI); }";
    E0509_ROOT_IMPORTED = "E0509", "an import of the root file",
        "Modules may import each other, but not the file that the compiler is given: the program starts there. What both need belongs into a module of its own.",
        ": `import main;` in a module, or in `main.mini` itself, where `main.mini` is the root file";
    E0510_UNREADABLE_MODULE = "E0510", "a module whose file can't be read",
        "The file is there, but the system does not let it be read, or it is a folder.",
        ": `import shapes;` where `shapes.mini` is a folder";
    E0511_C_TYPE = "E0511", "a type that does not cross the C interface",
        "C functions take `int`, `float`, `bool`, `byte`, `string` and arrays of `int`, `float`, `bool` or `byte`, and give `int`, `float`, `bool`, `byte` or nothing: see docs/c-interface.md.",
        "// wrong\nstruct P { x: int }\nextern fn show_point(p: P);\nfn main() { show_point(P { x: 1 }); }\n// right\nstruct P { x: int }\nextern fn show_point(x: int);\nfn main() { let p = P { x: 1 }; show_point(p.x); }";
    W0001_UNUSED_VARIABLE = "W0001", "a variable that is never read",
        "Remove it, or begin its name with `_`.",
        "// wrong\nfn main() { let a = 1; }\n// right\nfn main() { let _a = 1; }";
    W0002_UNUSED_PARAMETER = "W0002", "a parameter that is never read",
        "Remove it, call it `_`, or begin its name with `_`.",
        "// wrong\nfn f(a: int) {}\nfn main() { f(1); }\n// right\nfn f(_a: int) {}\nfn main() { f(1); }";
    W0003_UNUSED_FUNCTION = "W0003", "a function that is never used",
        "Nothing but the function itself names it.",
        "// wrong\nfn f() {}\nfn main() {}\n// right\nfn f() {}\nfn main() { f(); }";
    W0004_UNUSED_IMPORT = "W0004", "an import that is never used",
        "Nothing in the module uses the imported name.",
        "// wrong\nimport std.math;\nfn main() {}\n// right\nfn main() {}";
    W0005_UNREACHABLE_CODE = "W0005", "code that can't be reached",
        "It stands behind a jump, a call that never returns, or a loop that never ends.",
        "// wrong\nfn main() { return; print(1); }\n// right\nfn main() { print(1); }";
    W0006_UNREACHABLE_ARM = "W0006", "an arm that can't be reached",
        "The arms before it match every value that it matches.",
        "// wrong\nfn main() { match 1 { _ => print(1), 2 => print(2) } }\n// right\nfn main() { match 1 { 2 => print(2), _ => print(1) } }";
    W0007_CONSTANT_CONDITION = "W0007", "a condition that is always the same",
        "Only one branch can ever run. `while true` is fine.",
        "// wrong\nfn main() { if true { print(1); } }\n// right\nfn main() { print(1); }";
    W0008_NEVER_NULL = "W0008", "a test for null of something that can't be null",
        "An earlier test or assignment has shown that the variable is not null here.",
        "// wrong\nfn f(a: int?) { if a != null { print(a!); } }\nfn main() { f(1); }\n// right\nfn f(a: int?) { if a != null { print(a); } }\nfn main() { f(1); }";
    W0009_SHARED_ROWS = "W0009", "an array whose rows are one array",
        "`[v; n]` evaluates `v` once: in `[[0; n]; m]` all rows are the same array.",
        "// wrong\nfn main() { let a = [[0; 3]; 3]; a[0][0] = 1; print(a); }\n// right\nfn main() { let a: [[int]] = [[]; 3]; for i in 0..3 { a[i] = [0; 3]; } a[0][0] = 1; print(a); }";
    W0010_UNUSED_RESULT = "W0010", "a statement that only computes a value",
        "The value is dropped, and computing it does nothing else.",
        "// wrong\nfn main() { 1 + 2; }\n// right\nfn main() { print(1 + 2); }";
    W0011_NOT_FOR_C = "W0011", "a `pub` function that C can't call",
        "With `--emit obj` and `--emit header` the `pub` functions of the root module are for C. One that is generic, or has types that C has not, or a word of C's for its name, is left out.",
        "// wrong\nstruct P { x: int }\npub fn double(p: P) -> int { 2 * p.x }\nfn main() {}\n// right\npub fn double(x: int) -> int { 2 * x }\nfn main() {}";
}
