//! Judges `quoted<x>`: a JSON string in the spelling of `serde_json`, whose characters are judged as a text of their
//! own.

use std::cell::{Cell, RefCell};

use ogc_grammar::ogc::ast::Expr;

use super::first::Begin;
use super::{Context, Ends, Judge};

impl<'p> Judge<'p> {
    /// Returns the end of the string that begins at `from`, if it is in `quoted<inner>`.
    pub(super) fn quoted(&self, inner: &'p Expr, context: &Context<'p>, from: usize) -> Ends {
        let rest = self.text.get(from..).unwrap_or_default();
        if rest.first() != Some(&b'"') {
            return Ends::new();
        }
        let mut strings = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
        let Some(Ok(decoded)) = strings.next() else { return Ends::new() };
        let end = from + strings.byte_offset();
        let is_shortest =
            serde_json::to_string(&decoded).is_ok_and(|written| written.as_bytes() == &self.text[from..end]);
        let inside = Context { skip: None, follow: Begin::default(), ..context.clone() };
        if is_shortest && self.judges(inner, &inside, decoded.as_bytes()) { Ends::from([end]) } else { Ends::new() }
    }

    /// Returns whether another text is in an expression.
    fn judges(&self, expr: &'p Expr, context: &Context<'p>, text: &[u8]) -> bool {
        let judge = Judge {
            names: self.names.clone(),
            imported: self.imported.clone(),
            text,
            doubt: Cell::new(false),
            steps: self.steps.clone(),
            patterns: RefCell::default(),
        };
        let is_whole = judge.ends(expr, &context.clone(), 0).contains(&text.len());
        self.steps.set(judge.steps.get());
        if judge.doubt.get() {
            self.give_up();
        }
        is_whole
    }
}
