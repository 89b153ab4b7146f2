//! Records and constants that the crate and its kernels share, declared once, in Rust. A test compares the headers of `kernels/records` with these
//! declarations; with `OGC_BLESS=1` it rewrites them.

#[cfg(test)]
pub(crate) mod header;

/// Declares the constants, records and enumerations of one header of `kernels/records`, in its order. All are visible in the crate.
///
/// Records consist of words, other records and arrays of them, without padding. A word may state its type in kernels: `u64 as *const Slot`
/// is an address, `u32 as f32` has the bits of a number. `extern const` is a constant that only kernels use, though its value comes from
/// Rust. `enum Trouble = VALUES;` declares an enumeration for kernels, from the names and numbers of its values.
macro_rules! shared {
    (header $subject:literal $(, after $($below:literal),+)?; $($items:tt)*) => {
        $crate::record::shared!(@rust $($items)*);

        /// Returns the header of the kernels.
        #[cfg(test)]
        pub(crate) fn header() -> $crate::record::header::Header {
            let mut header = $crate::record::header::Header::new($subject, file!(), &[$($($below),+)?]);
            $crate::record::shared!(@header header $($items)*);
            header
        }
    };

    (@rust) => {};
    (@rust $(#[doc = $doc:literal])* const $name:ident: $kind:ty = $value:expr; $($rest:tt)*) => {
        $(#[doc = $doc])*
        pub(crate) const $name: $kind = $value;
        $crate::record::shared!(@rust $($rest)*);
    };
    (@rust $(#[doc = $doc:literal])* extern const $name:ident: $kind:ty = $value:expr; $($rest:tt)*) => {
        $crate::record::shared!(@rust $($rest)*);
    };
    (@rust $(#[doc = $doc:literal])* enum $name:ident = $values:expr; $($rest:tt)*) => {
        $crate::record::shared!(@rust $($rest)*);
    };
    (@rust
        $(#[doc = $doc:literal])*
        $(#[repr(align($align:literal))])?
        struct $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $kind:ty $(as $meaning:ty)?),* $(,)? }
        $($rest:tt)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable)]
        #[repr(C $(, align($align))?)]
        pub(crate) struct $name {
            $($(#[doc = $field_doc])* pub(crate) $field: $kind,)*
        }

        impl Default for $name {
            /// All words 0.
            fn default() -> Self {
                <Self as zerocopy::FromZeros>::new_zeroed()
            }
        }

        $crate::record::shared!(@rust $($rest)*);
    };

    (@header $header:ident) => {};
    (@header $header:ident $(#[doc = $doc:literal])* const $name:ident: $kind:ty = $value:expr; $($rest:tt)*) => {
        $header.constant(&[$($doc),*], stringify!($name), $name);
        $crate::record::shared!(@header $header $($rest)*);
    };
    (@header $header:ident $(#[doc = $doc:literal])* extern const $name:ident: $kind:ty = $value:expr; $($rest:tt)*) => {
        $header.constant::<$kind>(&[$($doc),*], stringify!($name), $value);
        $crate::record::shared!(@header $header $($rest)*);
    };
    (@header $header:ident $(#[doc = $doc:literal])* enum $name:ident = $values:expr; $($rest:tt)*) => {
        $header.enumeration(&[$($doc),*], stringify!($name), &$values);
        $crate::record::shared!(@header $header $($rest)*);
    };
    (@header $header:ident
        $(#[doc = $doc:literal])*
        $(#[repr(align($align:literal))])?
        struct $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $kind:ty $(as $meaning:ty)?),* $(,)? }
        $($rest:tt)*
    ) => {
        $header.record(&$crate::record::header::Record {
            docs: &[$($doc),*],
            name: stringify!($name),
            align: [$($align)?].first().copied(),
            size: size_of::<$name>(),
            fields: &[$($crate::record::header::Field {
                docs: &[$($field_doc),*],
                name: stringify!($field),
                kind: [$(stringify!($meaning),)? stringify!($kind)][0],
            }),*],
        });
        $crate::record::shared!(@header $header $($rest)*);
    };
}

pub(crate) use shared;

/// Returns the word in which the given bits are set.
pub(crate) fn bits<const N: usize>(bits: [(u32, bool); N]) -> u32 {
    bits.into_iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum()
}
