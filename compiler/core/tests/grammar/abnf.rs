//! ABNF: grammars of RFCs on valid and invalid texts, and random small grammars against a matcher that derives texts
//! from the generated rules, not from the parser's output.

mod random;
mod rfcs;
