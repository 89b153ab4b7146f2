//! Names of tokens of the vocabularies that are set for the file.

use std::collections::BTreeSet;

use always_assert::never;
use ogc_runtime::vocabulary::TokenKind;

use super::item::{CompletionKind, Items, Rank};
use crate::costs;
use crate::shape::quoted;
use crate::walk::Walk;

/// Adds the tokens that have names, special ones first. If a vocabulary is not loaded yet, its tokens are missing.
pub(super) fn tokens(walk: &Walk<'_>, items: &mut Items) {
    let snapshot = walk.snapshot;
    let settings = snapshot.settings(walk.position.file);
    let mut seen = BTreeSet::new();
    for name in &settings.vocabularies {
        if snapshot.lacks_vocabulary(name) {
            costs::want_vocabularies(snapshot);
            items.more();
        }
        let Some(input) = snapshot.settings.vocabularies.get(name) else { continue };
        let store = input.store(&snapshot.db);
        let vocabulary = store.vocabulary();
        for (id, token) in vocabulary.named_tokens() {
            if !seen.insert(token.to_owned()) {
                continue;
            }
            let special = vocabulary.kind(id) == TokenKind::Special;
            let rank = if special { Rank::First } else { Rank::Rare };
            let item = items.add(CompletionKind::Token, rank, token, None);
            item.says(format!("token {} of {name}", id.0));
            // A name with quotes or backslashes is written with escapes.
            let escaped = quoted(token);
            let content = escaped.trim_start_matches('"').strip_suffix('"').unwrap_or(&escaped);
            if content != token {
                let closing = match &item.insert {
                    super::Insert::Plain(text) => text.strip_prefix(token).unwrap_or_else(|| {
                        never!("the item `{}` writes `{}`", token, text);
                        ""
                    }),
                    super::Insert::Snippet(_) => "",
                };
                item.writes(format!("{content}{closing}"));
            }
        }
    }
}
