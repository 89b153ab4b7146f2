//! Undefined names that are keywords of other notations, or texts without quotes.

use std::collections::HashMap;

use super::tree::{ExprKind, Grammar};

/// Words for values in programming languages, which are hardly names of rules.
const VALUES: [&str; 7] = ["none", "null", "nil", "true", "false", "undefined", "nan"];

/// The texts of a grammar by their lower-case form, for looking up names among them.
pub(crate) struct Texts<'g>(HashMap<String, &'g str>);

impl<'g> Texts<'g> {
    /// Collects the texts of a grammar that look like names.
    pub(crate) fn of(grammar: &'g Grammar) -> Texts<'g> {
        let mut texts = HashMap::new();
        for rule in &grammar.rules {
            rule.body.walk(&mut |expr| {
                if let ExprKind::Literal(text) = &expr.kind
                    && text.starts_with(char::is_alphabetic)
                    && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                {
                    texts.entry(text.to_lowercase()).or_insert(text.as_str());
                }
            });
        }
        Texts(texts)
    }

    /// Returns the advice for an undefined name that was probably meant as an operator (`or`, `and`) or as a text;
    /// `bar` separates alternatives.
    pub(crate) fn help(&self, name: &str, bar: &str) -> Option<String> {
        let small = name.to_lowercase();
        match small.as_str() {
            "or" => return Some(format!("alternatives are separated by `{bar}`")),
            "and" | "then" => {
                return Some("items of a sequence stand one after another, without a word between".to_owned());
            }
            _ => {}
        }
        match self.0.get(&small) {
            Some(text) => Some(format!("write `\"{text}\"` in quotes if the text is meant")),
            None if VALUES.contains(&small.as_str()) => {
                Some(format!("write `\"{small}\"` in quotes if the text is meant"))
            }
            None => None,
        }
    }
}
