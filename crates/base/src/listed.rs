//! Enums that can list their variants.

/// Defines an enum with `ALL`, its variants in order, so that what must be done for each of them can be a loop.
///
/// ```
/// mini_base::listed_enum! {
///     /// A corner of the table.
///     pub enum Corner { North = 1, South }
/// }
/// assert_eq!(Corner::ALL, [Corner::North, Corner::South]);
/// assert_eq!(Corner::South as u8, 2);
/// ```
#[macro_export]
macro_rules! listed_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident $(= $value:literal)?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        $vis enum $name { $($(#[$variant_meta])* $variant $(= $value)?,)* }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[$name] = &[$($name::$variant,)*];
        }
    };
}
