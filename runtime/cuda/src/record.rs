//! Records of words, mostly of 32 bits, that Rust and the headers of `kernels/` both declare, and the assertions of C++ that compare them.

/// Declares a record of words, which a header of `kernels/` declares too.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable)]
        #[repr(C)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: $kind,)*
        }

        impl Default for $name {
            /// All words 0.
            fn default() -> Self {
                <Self as zerocopy::FromZeros>::new_zeroed()
            }
        }

        impl $name {
            /// Its size and the places of its fields in bytes, as assertions of C++.
            pub(crate) fn assertions() -> String {
                let size = size_of::<Self>();
                let mut text = format!("static_assert(sizeof(ogc::{0}) == {size});\n", stringify!($name));
                $(text.push_str(&format!(
                    "static_assert(offsetof(ogc::{0}, {1}) == {2});\n",
                    stringify!($name), stringify!($field), std::mem::offset_of!($name, $field),
                ));)*
                text
            }
        }
    };
}

pub(crate) use record;

/// Returns an assertion of C++: a constant of the headers has this value.
pub(crate) fn constant_assertion(name: &str, value: u32) -> String {
    format!("static_assert(ogc::{name} == {value}u);\n")
}

/// Returns the word with the bits that are set.
pub(crate) fn bits<const N: usize>(bits: [(u32, bool); N]) -> u32 {
    bits.into_iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum()
}
