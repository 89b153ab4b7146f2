//! Vocabulary tokens with the name of a rule: `<digit>` in a grammar with a rule `digit`.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::rules::{ExprKind, Grammar, Rule, TokenSet, VocabularyToken};

/// Returns warnings with `code` about vocabulary tokens that are named like a rule; `text` is the grammar as it is
/// written.
pub(crate) fn tokens_beside_rules(grammar: &Grammar, text: &str, code: Code) -> Vec<Diagnostic> {
    // If the rule's definition has angle brackets too, it has a finding of its own.
    let is_bare = |rule: &&Rule| !rule.name.span.text(text).starts_with('<');
    let rules: HashSet<&str> = grammar.rules.iter().filter(is_bare).map(|rule| rule.name.value.as_str()).collect();
    let mut found = Vec::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            let ExprKind::Token(VocabularyToken::Of(TokenSet::Named(token))) = &expr.kind else { return };
            let name = token.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or_default();
            if rules.contains(name) {
                let message = format!("`{token}` is a token of the vocabulary, and not the rule `{name}`");
                let help = format!("write `{name}` for the rule; give it another name if the token is meant");
                found.push(Diagnostic::warning(code, expr.span, message).help(help));
            }
        });
    }
    found
}
