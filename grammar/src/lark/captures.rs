//! Adds the captures that a rule's attributes ask for to its expression.
//!
//! As in llguidance, `capture` reports the text of a rule without the text that ends it (`stop`, `suffix`), which
//! `stop_capture` reports. Ignored text behind the last terminal of a rule is no part of a capture.

use super::ast::{Ending, File, Item, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::rules::{CapturedPart, Expr};
use crate::span::Spanned;

/// Adds the captures of an item to its expression; `ignored` is the rule of ignored text that may end its texts.
pub(super) fn captured(item: &Item, body: Expr, ignored: Option<&str>, file: &File, sink: &mut Sink) -> Expr {
    let captures = &item.captures;
    let Ending::Marker(marker, _) = &item.ending else {
        if let Some(stop) = &captures.stop {
            let message = "`stop_capture` names the text that ends a rule, and this rule has no `stop` or `suffix`";
            sink.push(Diagnostic::warning(Code::LarkCapture, stop.span, message).help("remove `stop_capture`"));
        }
        let part = ignored.map_or(CapturedPart::Whole, |rule| CapturedPart::WithoutIgnored(rule.to_owned()));
        return with(body, captures.text.as_ref(), part);
    };
    let Some(end) = literal(marker, file) else {
        for name in captures.text.iter().chain(&captures.stop) {
            let message = format!(
                "`{}` is not reported: the end of the rule is a pattern, so it has no fixed length",
                name.value
            );
            let help = "write the end as a string, `suffix=\"x\"`, or capture the rule that uses this one";
            sink.push(Diagnostic::warning(Code::LarkCapture, name.span, message).help(help));
        }
        return body;
    };
    let body = with(body, captures.text.as_ref(), CapturedPart::Before(end.to_owned()));
    with(body, captures.stop.as_ref(), CapturedPart::End(end.to_owned()))
}

fn with(body: Expr, name: Option<&Spanned<String>>, part: CapturedPart) -> Expr {
    match name {
        Some(name) => body.captured(name, part),
        None => body,
    }
}

/// Returns the text of an expression that is a string, or the name of a terminal that is one.
fn literal<'f>(node: &'f Node, file: &'f File) -> Option<&'f str> {
    match &node.kind {
        NodeKind::Literal(text) => Some(text),
        NodeKind::Name(name) => {
            let item = file.items.iter().find(|item| item.name.value == *name)?;
            match &item.body.kind {
                NodeKind::Literal(text) if item.ending == Ending::Free && item.length.is_none() => Some(text),
                _ => None,
            }
        }
        _ => None,
    }
}
