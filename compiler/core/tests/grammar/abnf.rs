//! ABNF: grammars of RFCs on valid and invalid texts, and random small grammars against a matcher that derives texts from what was
//! written, not from what was read.

mod random;
mod rfcs;
