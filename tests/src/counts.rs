//! Counts verdicts for the corpus tests, and catches panics as failures.
//!
//! A test runs over its whole corpus before it fails, so that one run shows all failures.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Failure;
use ogc_runtime::automaton::Automaton;
use std::sync::Arc;

/// The counts of a corpus test.
#[derive(Debug, Default)]
pub struct Counts {
    /// Grammars that compiled.
    pub compiled: usize,
    /// Right verdicts.
    pub right: usize,
    /// Wrong verdicts, in words.
    pub wrong: Vec<String>,
    /// Valid instances that were rejected only because of their order of keys.
    pub for_order: usize,
    /// Grammars that did not compile, by code, with their ids.
    pub refused: BTreeMap<String, Vec<String>>,
}

impl Counts {
    /// Compiles a grammar and counts a failure; a panic is a failure.
    pub fn compile(
        &mut self,
        id: &str,
        compile: impl FnOnce() -> Result<Arc<Automaton>, Failure>,
    ) -> Option<Arc<Automaton>> {
        let result = catch_unwind(AssertUnwindSafe(compile));
        let result = result.unwrap_or_else(|_| Err(Failure { code: "panic".to_owned(), message: String::new() }));
        match result {
            Ok(automaton) => {
                self.compiled += 1;
                Some(automaton)
            }
            Err(failure) => {
                self.refused.entry(failure.code).or_default().push(id.to_owned());
                None
            }
        }
    }

    /// Counts a verdict.
    pub fn verdict(&mut self, right: bool, describe: impl FnOnce() -> String) {
        if right {
            self.right += 1;
        } else {
            self.wrong.push(describe());
        }
    }

    /// Returns the counts in a few lines.
    #[must_use]
    pub fn summary(&self, name: &str) -> String {
        let refused: usize = self.refused.values().map(Vec::len).sum();
        let mut text = format!(
            "{name}: {} compiled, {refused} not; verdicts: {} right, {} wrong, {} refused for the order of keys",
            self.compiled,
            self.right,
            self.wrong.len(),
            self.for_order
        );
        for (code, ids) in &self.refused {
            let first: Vec<&str> = ids.iter().take(3).map(String::as_str).collect();
            write!(text, "\n  {:>5} {code} ({} ...)", ids.len(), first.join(", ")).unwrap_or(());
        }
        text
    }

    /// Prints the counts, and fails if a verdict was wrong or a panic was caught.
    ///
    /// # Panics
    /// A verdict was wrong, or a panic was caught.
    #[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
    pub fn settle(&self, name: &str) {
        println!("{}", self.summary(name));
        let shown: Vec<&str> = self.wrong.iter().take(40).map(String::as_str).collect();
        assert!(self.wrong.is_empty(), "{} wrong verdicts:\n{}", self.wrong.len(), shown.join("\n"));
        assert!(!self.refused.contains_key("panic"), "panics: {:?}", self.refused["panic"]);
    }
}

/// Returns the beginning of a text, for messages.
#[must_use]
pub fn short(text: &str) -> String {
    text.chars().take(300).collect()
}
