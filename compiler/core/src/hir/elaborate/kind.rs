//! Decides whether an ambiguous expression is a set of values or a set of texts.
//!
//! In `rule r = "id: " A` the name `A` is a JSON value if it is a type, and a text if it is a rule. A literal alone is
//! neither: `"a" | int` is a set of values (so `"a"` has quotes), `"a" | /[0-9]+/` a set of texts (so it has none).

use ogc_grammar::ogc::ast::{Expr, ExprKind, Repetition};

use super::environment::Argument;
use super::reference::Meaning;
use super::{Elaborator, EnvId};
use crate::hir::builtin::BuiltinKind;
use crate::hir::items::{Keyword, item_tree};

/// Maximum length of a chain of names that is followed.
const CHAIN: u32 = 64;

/// The kind of an expression in a rule or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PhraseKind {
    Value,
    Text,
    /// Only literals: values if they stand beside values, otherwise texts. An opaque parameter counts as a literal.
    Literal,
}

impl<'db> Elaborator<'db> {
    /// Returns whether an expression in a rule or output is a set of values.
    pub(super) fn is_value(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        self.kind(expr, env) == PhraseKind::Value
    }

    /// Returns whether the expression consists of literals only.
    pub(super) fn is_literal(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        self.kind(expr, env) == PhraseKind::Literal
    }

    /// Returns the kind of an expression. The result is cached: determined anew at every level of a nested expression,
    /// it would take quadratic time.
    fn kind(&mut self, expr: &'db Expr, env: EnvId) -> PhraseKind {
        let key = (std::ptr::from_ref(expr), env);
        if let Some(known) = self.instances.kinds.get(&key) {
            // `None`: the kind is requested while it is being determined, so the name refers to itself.
            return known.unwrap_or(PhraseKind::Text);
        }
        self.instances.kinds.insert(key, None);
        let kind = self.determined(expr, env);
        self.instances.kinds.insert(key, Some(kind));
        kind
    }

    /// Determines the kind of an expression from those of its parts.
    fn determined(&mut self, expr: &'db Expr, env: EnvId) -> PhraseKind {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => PhraseKind::Literal,
            ExprKind::Range(_) | ExprKind::Record(_) => PhraseKind::Value,
            ExprKind::Error | ExprKind::Regex(_) | ExprKind::Token(_) => PhraseKind::Text,
            ExprKind::Sequence(_) | ExprKind::List { .. } | ExprKind::Capture { .. } => PhraseKind::Text,
            ExprKind::Group(inner) | ExprKind::Attributed { item: inner, .. } => self.kind(inner, env),
            ExprKind::Repeat { item, times: Repetition::Exactly(_) | Repetition::Between(_) } => {
                match self.kind(item, env) {
                    PhraseKind::Value => PhraseKind::Value,
                    PhraseKind::Text | PhraseKind::Literal => PhraseKind::Text,
                }
            }
            ExprKind::Repeat { .. } => PhraseKind::Text,
            ExprKind::Union(arms) => self.joined(arms.iter().map(|arm| &arm.expr), env),
            ExprKind::Intersection(parts) => self.joined(parts.iter(), env),
            ExprKind::Difference { kept, removed } => self.joined(std::iter::once(&**kept).chain(removed.iter()), env),
            ExprKind::Reference(reference) => {
                let meaning = self.meaning(reference, env);
                if matches!(meaning, Meaning::Builtin(builtin) if builtin.kind == BuiltinKind::Calls) {
                    return if self.calls_are_values(reference, env) { PhraseKind::Value } else { PhraseKind::Text };
                }
                self.kind_of(&meaning)
            }
        }
    }

    /// Returns the kind of parts that are joined: text if any part is a text, otherwise value if any part is a value.
    fn joined(&mut self, parts: impl Iterator<Item = &'db Expr>, env: EnvId) -> PhraseKind {
        let mut kind = PhraseKind::Literal;
        for part in parts {
            match self.kind(part, env) {
                PhraseKind::Text => return PhraseKind::Text,
                PhraseKind::Value => kind = PhraseKind::Value,
                PhraseKind::Literal => {}
            }
        }
        kind
    }

    fn kind_of(&mut self, meaning: &Meaning<'db>) -> PhraseKind {
        match meaning {
            Meaning::Argument(Argument::Given(expr, env)) => self.kind(expr, *env),
            Meaning::Argument(Argument::Opaque) => PhraseKind::Literal,
            Meaning::Argument(Argument::Value(_)) => PhraseKind::Value,
            Meaning::Argument(Argument::Names(_)) => PhraseKind::Text,
            Meaning::Builtin(builtin) if builtin.is_text() => PhraseKind::Text,
            Meaning::Builtin(_) => PhraseKind::Value,
            Meaning::Item(_, item) if item.key.kind == Keyword::Type => PhraseKind::Value,
            Meaning::Foreign(view, _) if self.is_schema(*view) => PhraseKind::Value,
            Meaning::Item(..) | Meaning::Foreign(..) | Meaning::Unknown => PhraseKind::Text,
        }
    }

    /// Follows parameters to their arguments and names to the bodies of their definitions, until the expression is
    /// neither. With `type A = B` and `type B = int<0..5>`, it unfolds `A` to `int<0..5>`.
    pub(super) fn unfolded(&mut self, expr: &'db Expr, env: EnvId) -> (&'db Expr, EnvId) {
        let (mut expr, mut env) = (expr, env);
        for _ in 0..CHAIN {
            expr = expr.ungrouped();
            let ExprKind::Reference(reference) = &expr.kind else { break };
            let next = match self.meaning(reference, env) {
                Meaning::Argument(Argument::Given(inner, inner_env)) => Some((inner, inner_env)),
                Meaning::Item(view, item) => {
                    let inside = self.entered(view, &item, reference, env);
                    inside.ok().and_then(|inside| Some((&item_tree(self.db, &item).item.definition()?.body, inside)))
                }
                Meaning::Argument(Argument::Opaque | Argument::Value(_) | Argument::Names(_))
                | Meaning::Builtin(_)
                | Meaning::Foreign(..)
                | Meaning::Unknown => None,
            };
            let Some(next) = next else { break };
            (expr, env) = next;
        }
        (expr, env)
    }

    /// Returns whether the expression is an opaque parameter, because its definition is elaborated alone.
    pub(super) fn is_opaque(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        let ExprKind::Reference(reference) = &expr.ungrouped().kind else { return false };
        let [name] = reference.path.segments.as_slice() else { return false };
        matches!(self.environment.parameter(&name.text, env), Some(Argument::Opaque))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
    use crate::hir::Root;
    use crate::hir::elaborate::module;

    /// Returns the root of the definition `O` of a program.
    fn root(text: &str) -> Root {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "one.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
        module(&db, file, Arc::from("O")).expect("it is defined").root
    }

    #[test]
    fn an_output_that_is_one_conversion_is_its_value() {
        let value = |text: &str| match root(text) {
            Root::Value(value) => Some(value.policy),
            Root::Text(_) | Root::Nothing => None,
        };
        let spaced = value("@space(\"any\") output O = int");
        assert!(spaced.is_some());
        assert_eq!(value("output O = json<int, space = \"any\">"), spaced);
        assert_eq!(value("output O = (json<{ a: int }, space = \"any\">)"), spaced);
        assert_eq!(value("output O = json<int> json<int>"), None);
        assert_eq!(value("output O = json<int, 5>"), None);
    }
}
