//! Grammars as formats: compared with an obvious recogniser, on a corpus, and with the verdicts of other engines'
//! tests.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read corpora and say what they count"
)]

mod abnf;
mod captures;
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
