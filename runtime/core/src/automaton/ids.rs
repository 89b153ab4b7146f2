//! The indexes of an automaton's tables.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the index in the table.
            ///
            /// ```
            #[doc = concat!("assert_eq!(ogc_runtime::automaton::", stringify!($name), "(3).index(), 3);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Index of a state; states of one rule are contiguous.
    StateId
);
id!(
    /// Index of a rule.
    RuleId
);
id!(
    /// Index of an operation; [`OpId::NONE`] does nothing and always succeeds.
    OpId
);
id!(
    /// Index of an object shape.
    ObjectId
);

impl OpId {
    /// The operation that does nothing.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::automaton::OpId::NONE.index(), 0);
    /// ```
    pub const NONE: OpId = OpId(0);
}
