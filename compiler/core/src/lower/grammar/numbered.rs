//! Tokens by their numbers, `<[12]>` and `<[12,20-30]>`. The special tokens of a vocabulary have names for them.

use ogc_grammar::{Code, Diagnostic, Span};

use super::Lowering;
use crate::ir::ExprKind;

impl Lowering<'_> {
    /// Lowers tokens by their numbers, of which `numbers` is the list.
    pub(super) fn numbered(&mut self, text: &str, numbers: &str, span: Span) -> ExprKind {
        if numbers.starts_with('^') {
            return self.refuse_others(text, span);
        }
        let Some(name_of) = self.names else {
            let message = format!("`{text}` names tokens by number, and no vocabulary says which they are");
            return self.refuse(span, message, "name the token: `<think>`, or compile the grammar for a vocabulary");
        };
        let mut names = Vec::new();
        for part in numbers.split(',') {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let (Ok(low), Ok(high)) = (low.trim().parse::<u32>(), high.trim().parse::<u32>()) else {
                let message = format!("`{part}` is no number of a token; the greatest is {}", u32::MAX);
                return self.refuse(span, message, "write `<[12]>`, or `<[12,20-30]>`");
            };
            for id in low..=high {
                match name_of(id) {
                    Some(name) => names.push(name),
                    None => {
                        let message = format!("token {id} is no special token of the vocabulary");
                        return self.refuse(span, message, "write its text: characters have no numbers");
                    }
                }
            }
        }
        let arms: Vec<ExprKind> = names.into_iter().map(|name| self.named(name)).collect();
        ExprKind::Alternation(arms.into_iter().map(|arm| self.push(arm, span)).collect())
    }

    /// Refuses any token but some.
    pub(super) fn refuse_others(&mut self, text: &str, span: Span) -> ExprKind {
        let message = format!("`{text}` is any token but some, and a format says of characters what may come");
        self.refuse(span, message, "name the tokens that may come, with `|` between them: `<think> | <answer>`")
    }

    fn refuse(&mut self, span: Span, message: String, help: &str) -> ExprKind {
        self.diagnostics.push(Diagnostic::error(Code::TokenTerminal, span, message).help(help));
        ExprKind::Alternation(Box::default())
    }
}
