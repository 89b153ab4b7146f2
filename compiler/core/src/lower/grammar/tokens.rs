//! Lowers tokens of the vocabulary: `<think>`, `<[12]>`, `<[12,20-30]>`, and any token except some, `!<think>` and
//! `<[^12]>`.
//!
//! Special tokens have a name for each id. All other tokens are text. So "any token except some special ones" means
//! text of one token, and any number of these means any text, since special tokens never occur in text.

use ogc_grammar::rules::{TokenSet, VocabularyToken};
use ogc_grammar::{Code, Diagnostic, Span};

use super::{Lowering, class};
use crate::ir::{ExprKind, TextLimit, marker};

impl Lowering<'_> {
    /// Lowers a token given by name.
    pub(super) fn named(&mut self, name: &str) -> ExprKind {
        self.tokens.insert(name.to_owned());
        ExprKind::Literal(marker(name).into())
    }

    /// Lowers tokens given by id, such as `<[12,20-30]>`.
    pub(super) fn numbered(&mut self, ranges: &[(u32, u32)], span: Span) -> ExprKind {
        let written = VocabularyToken::Of(TokenSet::Numbered(ranges.to_vec()));
        let Some(names) = self.names_of(ranges, &written, span) else {
            return ExprKind::Alternation(Box::default());
        };
        let arms: Vec<ExprKind> = names.into_iter().map(|name| self.named(&name)).collect();
        ExprKind::Alternation(arms.into_iter().map(|arm| self.push(arm, span)).collect())
    }

    /// Lowers between `least` and `most` tokens, none of which is in a set: text, whose tokens are counted if their
    /// number is bounded.
    pub(super) fn other_tokens(&mut self, set: &TokenSet, (least, most): (u32, Option<u32>), span: Span) -> ExprKind {
        let written = VocabularyToken::Except(set.clone());
        match set {
            // Records that the vocabulary must have the token: otherwise the name would be text, which is not excluded.
            TokenSet::Named(name) => drop(self.tokens.insert(name.clone())),
            TokenSet::Numbered(ranges) => {
                if self.names_of(ranges, &written, span).is_none() {
                    return ExprKind::Alternation(Box::default());
                }
            }
        }
        if least > 1 {
            let message =
                format!("at least {least} tokens `{written}`: the least number of tokens in a text is not counted");
            return self.refuse(span, message, "write `*` or `+`, or a greatest number alone, as in `{0,100}`");
        }
        if most == Some(0) {
            return ExprKind::Sequence(Box::default());
        }
        let any = self.class(class::complement(&[]));
        let any = self.push(any, span);
        let text = ExprKind::Repeat { body: any, min: least, max: None };
        match most {
            Some(most) => ExprKind::Limited { body: self.push(text, span), limit: TextLimit::Tokens(most) },
            None => text,
        }
    }

    /// Returns the names of the special tokens with these ids; `None` if one of them is not special, which is reported.
    fn names_of(&mut self, ranges: &[(u32, u32)], written: &VocabularyToken, span: Span) -> Option<Vec<String>> {
        if ranges.is_empty() {
            return Some(Vec::new());
        }
        let Some(name_of) = self.names else {
            let message = format!("`{written}` names tokens by number, and no vocabulary says which they are");
            self.refuse(span, message, "name the token: `<think>`, or compile the grammar for a vocabulary");
            return None;
        };
        let mut names = Vec::new();
        for id in ranges.iter().flat_map(|(low, high)| *low..=*high) {
            let Some(name) = name_of(id) else {
                let message = format!("token {id} is no special token of the vocabulary");
                let help = match written {
                    VocabularyToken::Of(_) => "write its text: other tokens have the same characters",
                    VocabularyToken::Except(_) => {
                        "exclude its text with `-` or a class: other tokens have the same characters"
                    }
                };
                self.refuse(span, message, help);
                return None;
            };
            names.push(name.to_owned());
        }
        Some(names)
    }

    fn refuse(&mut self, span: Span, message: String, help: &str) -> ExprKind {
        self.diagnostics.push(Diagnostic::error(Code::TokenTerminal, span, message).help(help));
        ExprKind::Alternation(Box::default())
    }
}
