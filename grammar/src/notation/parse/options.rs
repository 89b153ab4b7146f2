//! Options of rules, of xgrammar's dialect: their effect on the set of texts.

use super::{Head, Parser};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::lexeme::RuleOption;
use crate::rules::{CapturedPart, Expr, ExprKind, TextLength};
use crate::span::Spanned;

/// Options that do not change the set of texts.
const WITHOUT_EFFECT: [&str; 6] = [
    "temperature",
    "stop_capture",
    "capture_hidden_suffix_bytes",
    "capture_hidden_stop_bytes",
    "capture_hidden_body_rule_id",
    "capture_hidden_marker_rule_id",
];

impl Parser<'_, '_> {
    /// Applies the options of a rule to its body, `lazy` first, in whatever order they are written.
    pub(super) fn with_options(&mut self, head: Head<'_>, body: Expr) -> Expr {
        let (mut lazy, mut lengths, mut capture) = (false, Vec::new(), None);
        for (at, option) in head.options.iter().enumerate() {
            let before = head.options.get(..at).unwrap_or_default();
            let is_repeated = before.iter().any(|other| other.name == option.name);
            match (option.name.as_str(), option.value.as_deref()) {
                _ if is_repeated => self.refuse_option(option, "stands twice here"),
                ("lazy", None) => lazy = true,
                ("max_tokens", Some(value)) => match value.parse() {
                    Ok(most) if most > 0 => lengths.push(TextLength::Tokens(most)),
                    _ => self.refuse_option(option, "takes a number from 1"),
                },
                ("max_chars", Some(value)) => match value.parse() {
                    Ok(most) => lengths.push(TextLength::Chars(most)),
                    Err(_) => self.refuse_option(option, "takes a number"),
                },
                ("capture", name) if name != Some("") => {
                    capture = Some(Spanned::new(name.unwrap_or(head.name).to_owned(), option.span));
                }
                (name, Some(_)) if WITHOUT_EFFECT.contains(&name) => self.note_option(option),
                _ => self.refuse_option(option, "is no option, or not with this value"),
            }
        }
        let span = body.span;
        let body = if lazy { Expr::new(ExprKind::Lazy(Box::new(body)), span) } else { body };
        let body = match lengths.as_slice() {
            [] => body,
            [only] => Expr::new(ExprKind::Limited(Box::new(body), *only), span),
            _ => {
                let place = head.options.iter().map(|option| option.span).reduce(crate::span::Span::merge);
                let message = "a text is bounded in tokens or in characters, not in both";
                let found = Diagnostic::error(Code::GbnfRuleAttribute, place.unwrap_or(head.span), message);
                self.fail(found.help("keep one of `max_tokens` and `max_chars`"));
                body
            }
        };
        match capture {
            Some(name) => body.captured(&name, CapturedPart::Whole),
            None => body,
        }
    }

    fn note_option(&mut self, option: &RuleOption) {
        let message = format!("`{}` says nothing about which texts there are: it has no effect here", option.name);
        self.sink.push(Diagnostic::note(Code::GbnfRuleAttribute, option.span, message));
    }

    fn refuse_option(&mut self, option: &RuleOption, why: &str) {
        let message = format!("`{}` {why}", option.name);
        let help = "options of a rule are `lazy`, `max_tokens=100`, `max_chars=100` and `capture=\"name\"`";
        self.fail(Diagnostic::error(Code::GbnfRuleAttribute, option.span, message).help(help));
    }
}
