//! Types as the checker and the lowering see them: interned, compared by id.

use mini_base::ids::IdVec;
use rustc_hash::FxHashMap;

mini_base::define_id! {
    /// An interned type: equal types have equal ids (inference variables excepted: resolve them first).
    pub struct Ty, "ty";
    /// A struct declaration.
    pub struct StructId, "struct";
    /// An enum declaration.
    pub struct EnumId, "enum";
    /// A type parameter of a function, struct, enum or `impl`; unique in the program.
    pub struct TypeParam, "param";
    /// An inference variable of the body being checked.
    pub struct InferVar, "infer";
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// 64-bit two's complement.
    Int,
    /// binary64.
    Float,
    /// true, false.
    Bool,
    /// 0 to 255.
    Byte,
    /// Immutable bytes.
    String,
    /// The result of functions without `->`.
    Unit,
    /// Control does not get here.
    Never,
    /// `[T]`
    Array(Ty),
    /// `T?`; the inner type is not optional.
    Optional(Ty),
    /// `fn(A, B) -> R`
    Function(Box<[Ty]>, Ty),
    /// A struct with its type arguments.
    Struct(StructId, Box<[Ty]>),
    /// An enum with its type arguments.
    Enum(EnumId, Box<[Ty]>),
    /// A type parameter, inside its generic item.
    Param(TypeParam),
    /// A type not known yet, inside the body being checked.
    Infer(InferVar),
    /// Something that was reported; fits everywhere, silently.
    Error,
}

/// What is known of a type without walking through it.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// How deep it nests; 1 for types without parts.
    depth: u32,
    /// Whether inference variables are in it.
    open: bool,
    /// Whether type parameters are in it.
    generic: bool,
    /// Whether the error type is in it.
    wrong: bool,
    /// Whether an optional of an optional is in it.
    double: bool,
}

impl TyKind {
    /// Whether a test holds for a type that this one is made of; asks from left to right until it does.
    pub fn any_part(&self, mut test: impl FnMut(Ty) -> bool) -> bool {
        match self {
            TyKind::Array(inner) | TyKind::Optional(inner) => test(*inner),
            TyKind::Function(params, result) => params.iter().any(|&ty| test(ty)) || test(*result),
            TyKind::Struct(_, args) | TyKind::Enum(_, args) => args.iter().any(|&ty| test(ty)),
            TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::String
            | TyKind::Unit
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Infer(_)
            | TyKind::Error => false,
        }
    }
}

/// What stands for the type parameters of an item: one type each.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Substitution {
    pairs: Box<[(TypeParam, Ty)]>,
}

impl Substitution {
    /// The arguments in the order of the parameters, as many.
    pub fn new(params: &[TypeParam], args: &[Ty]) -> Substitution {
        debug_assert_eq!(params.len(), args.len(), "each parameter has its argument");
        Substitution { pairs: params.iter().copied().zip(args.iter().copied()).collect() }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// What stands for a parameter. An item has few.
    pub fn get(&self, param: TypeParam) -> Option<Ty> {
        self.pairs.iter().find(|&&(p, _)| p == param).map(|&(_, ty)| ty)
    }
}

/// The table of types.
#[derive(Debug)]
pub struct Types {
    kinds: IdVec<Ty, TyKind>,
    shapes: IdVec<Ty, Shape>,
    ids: FxHashMap<TyKind, Ty>,
    /// `int`
    pub int: Ty,
    /// `float`
    pub float: Ty,
    /// `bool`
    pub bool: Ty,
    /// `byte`
    pub byte: Ty,
    /// `string`
    pub string: Ty,
    /// unit
    pub unit: Ty,
    /// never
    pub never: Ty,
    /// the error type
    pub error: Ty,
}

impl Default for Types {
    fn default() -> Self {
        Types::new()
    }
}

impl Types {
    /// A table with the built-in types.
    pub fn new() -> Types {
        let mut kinds = IdVec::new();
        let mut ids = FxHashMap::default();
        let mut add = |kind: TyKind| {
            let ty = kinds.push(kind.clone());
            ids.insert(kind, ty);
            ty
        };
        let [int, float, bool, byte, string, unit, never, error] = [
            TyKind::Int,
            TyKind::Float,
            TyKind::Bool,
            TyKind::Byte,
            TyKind::String,
            TyKind::Unit,
            TyKind::Never,
            TyKind::Error,
        ]
        .map(&mut add);
        let plain = Shape { depth: 1, open: false, generic: false, wrong: false, double: false };
        let mut shapes = IdVec::filled(plain, kinds.len());
        shapes[error].wrong = true;
        Types { kinds, shapes, ids, int, float, bool, byte, string, unit, never, error }
    }

    /// The id of a type. O(arguments).
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(&ty) = self.ids.get(&kind) {
            return ty;
        }
        let ty = self.kinds.push(kind.clone());
        let shape = self.shape_of(&kind);
        self.shapes.push(shape);
        self.ids.insert(kind, ty);
        ty
    }

    fn shape_of(&self, kind: &TyKind) -> Shape {
        let mut shape = Shape {
            depth: 1,
            open: matches!(kind, TyKind::Infer(_)),
            generic: matches!(kind, TyKind::Param(_)),
            wrong: false,
            double: matches!(kind, TyKind::Optional(inner) if self.optional_inner(*inner).is_some()),
        };
        kind.any_part(|ty| {
            shape.depth = shape.depth.max(self.shapes[ty].depth + 1);
            shape.open |= self.shapes[ty].open;
            shape.generic |= self.shapes[ty].generic;
            shape.wrong |= self.shapes[ty].wrong;
            shape.double |= self.shapes[ty].double;
            false // all parts are wanted
        });
        shape
    }

    /// How deep a type nests; 1 for types without parts. O(1).
    pub fn depth(&self, ty: Ty) -> u32 {
        self.shapes[ty].depth
    }

    /// Whether inference variables are in a type, bound or not. O(1).
    pub fn has_variables(&self, ty: Ty) -> bool {
        self.shapes[ty].open
    }

    /// Whether a part of a type was reported as wrong. O(1).
    pub fn is_wrong(&self, ty: Ty) -> bool {
        self.shapes[ty].wrong
    }

    /// Whether type parameters are in a type. O(1).
    pub fn has_params(&self, ty: Ty) -> bool {
        self.shapes[ty].generic
    }

    /// Whether a type is a struct or an enum.
    pub fn is_nominal(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Struct(..) | TyKind::Enum(..))
    }

    /// Whether an optional of an optional, which is no type of the language, is in a type. O(1).
    pub fn has_double_optional(&self, ty: Ty) -> bool {
        self.shapes[ty].double
    }

    /// The type with type parameters replaced by what stands for them; others stay. An optional may come to hold an
    /// optional, which is no type of the language. Cost: linear in the number of different types that it is made of.
    pub fn substitute(&mut self, ty: Ty, substitution: &Substitution) -> Ty {
        self.substitute_memo(ty, substitution, &mut FxHashMap::default())
    }

    /// The same with a memory of what was replaced under this substitution: a type's parts may share theirs, so that walking
    /// all of them could take exponential time.
    pub fn substitute_memo(&mut self, ty: Ty, substitution: &Substitution, memo: &mut FxHashMap<Ty, Ty>) -> Ty {
        if !self.has_params(ty) || substitution.is_empty() {
            return ty;
        }
        if let Some(&done) = memo.get(&ty) {
            return done;
        }
        let mut all = |types: &mut Types, parts: &[Ty]| -> Box<[Ty]> {
            parts.iter().map(|&ty| types.substitute_memo(ty, substitution, memo)).collect()
        };
        let done = match self.kind(ty).clone() {
            TyKind::Param(param) => substitution.get(param).unwrap_or(ty),
            kind => {
                let kind = match kind {
                    TyKind::Array(element) => TyKind::Array(all(self, &[element])[0]),
                    TyKind::Optional(inner) => TyKind::Optional(all(self, &[inner])[0]),
                    TyKind::Function(params, result) => {
                        let params = all(self, &params);
                        TyKind::Function(params, all(self, &[result])[0])
                    }
                    TyKind::Struct(id, args) => TyKind::Struct(id, all(self, &args)),
                    TyKind::Enum(id, args) => TyKind::Enum(id, all(self, &args)),
                    TyKind::Int
                    | TyKind::Float
                    | TyKind::Bool
                    | TyKind::Byte
                    | TyKind::String
                    | TyKind::Unit
                    | TyKind::Never
                    | TyKind::Param(_)
                    | TyKind::Infer(_)
                    | TyKind::Error => unreachable!("types without parts have no parameters"),
                };
                self.intern(kind)
            }
        };
        memo.insert(ty, done);
        done
    }

    /// [`Types::substitute`] for each of several types.
    pub fn substitute_all(&mut self, types: &[Ty], substitution: &Substitution) -> Box<[Ty]> {
        let mut memo = FxHashMap::default();
        types.iter().map(|&ty| self.substitute_memo(ty, substitution, &mut memo)).collect()
    }

    /// What a type is.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty]
    }

    /// `[element]`
    pub fn array(&mut self, element: Ty) -> Ty {
        self.intern(TyKind::Array(element))
    }

    /// `inner?`
    pub fn optional(&mut self, inner: Ty) -> Ty {
        self.intern(TyKind::Optional(inner))
    }

    /// The `T` of `T?`.
    pub fn optional_inner(&self, ty: Ty) -> Option<Ty> {
        match *self.kind(ty) {
            TyKind::Optional(inner) => Some(inner),
            _ => None,
        }
    }
}
