//! Grammars as formats: against an obvious recogniser, on a corpus, and on the verdicts that peers test for.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read corpora and say what they count"
)]

mod abnf;
mod corpus;
mod hostile;
mod lark_files;
mod llguidance;
mod matcher;
mod numbered;
mod oracle;
mod print;
mod random;
pub(crate) mod simulator;
mod unit;
mod xgrammar;
