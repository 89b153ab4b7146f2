//! The semantic tokens that the client has: the last answer for each open document, relative to which the next one is
//! sent as a delta.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tower_lsp_server::ls_types::SemanticToken;

/// The last answers, by the names of their files.
#[derive(Debug, Default)]
pub(crate) struct LastTokens(Mutex<BTreeMap<String, (String, Vec<SemanticToken>)>>);

impl LastTokens {
    /// Returns the last answer about a file, with its id.
    pub(crate) fn of(&self, name: &str) -> Option<(String, Vec<SemanticToken>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Stores an answer about a file, and drops those about files that are no longer open.
    pub(crate) fn keep(&self, name: String, id: String, data: Vec<SemanticToken>, is_open: impl Fn(&str) -> bool) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.retain(|name, _| is_open(name));
        last.insert(name, (id, data));
    }
}
