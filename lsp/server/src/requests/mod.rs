//! The requests, one file for each: functions of the parameters and of a snapshot of the database.

pub(crate) mod actions;
pub(crate) mod call_hierarchy;
pub(crate) mod commands;
pub(crate) mod completion;
pub(crate) mod diagnostic;
pub(crate) mod edits;
pub(crate) mod extra;
pub(crate) mod folding;
pub(crate) mod formatting;
pub(crate) mod goto;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
pub(crate) mod lenses;
pub(crate) mod links;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod semantic_tokens;
pub(crate) mod settings_file;
pub(crate) mod signature_help;
pub(crate) mod symbols;
