//! Finds the literals and tokens with which a text begins: free text before it stops at them.

use std::collections::BTreeSet;

use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind};

use super::Judge;
use super::scope::{Env, Meaning, defined};
use super::text::marker;

/// The beginnings of a set of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Begin {
    pub(super) literals: BTreeSet<Vec<u8>>,
    /// Whether the beginning may be other than a literal.
    pub(super) unknown: bool,
    /// Whether the text may be empty.
    empty: bool,
}

impl Begin {
    fn unknown() -> Begin {
        Begin { unknown: true, ..Begin::default() }
    }

    fn nothing() -> Begin {
        Begin { empty: true, ..Begin::default() }
    }

    pub(super) fn or(&self, other: &Begin) -> Begin {
        Begin {
            literals: &self.literals | &other.literals,
            unknown: self.unknown || other.unknown,
            empty: self.empty || other.empty,
        }
    }

    /// Returns the beginnings of a text followed by another.
    pub(super) fn then(&self, next: &Begin) -> Begin {
        if !self.empty {
            return self.clone();
        }
        Begin { empty: next.empty, ..self.or(next) }
    }
}

impl<'p> Judge<'p> {
    /// Returns the beginnings of parts in sequence.
    pub(super) fn first_of(&self, parts: impl IntoIterator<Item = &'p Expr>, env: &Env<'p>) -> Begin {
        let mut all = Begin::nothing();
        for part in parts {
            if all.empty {
                all = all.then(&self.first(part, env));
            }
        }
        all
    }

    pub(super) fn first(&self, expr: &'p Expr, env: &Env<'p>) -> Begin {
        if !self.step() {
            return Begin::unknown();
        }
        match &expr.kind {
            ExprKind::String(text) if text.is_empty() => Begin::nothing(),
            ExprKind::String(text) => Begin { literals: [text.clone().into_bytes()].into(), ..Begin::default() },
            ExprKind::Token(name) => Begin { literals: [marker(name)].into(), ..Begin::default() },
            ExprKind::Union(arms) => {
                let all = arms.iter().map(|arm| self.first(&arm.expr, env));
                all.reduce(|all, arm| all.or(&arm)).unwrap_or_default()
            }
            ExprKind::Sequence(parts) => self.first_of(parts, env),
            ExprKind::Capture { item, .. } | ExprKind::Group(item) => self.first(item, env),
            ExprKind::Repeat { item, times } => self.first_of_some(item, self.times(times, env).0, env),
            ExprKind::List { item, times, .. } => {
                let least = times.as_ref().map_or(1, |times| self.times(times, env).0);
                self.first_of_some(item, least, env)
            }
            ExprKind::Reference(reference) => match self.meaning(reference, env) {
                Meaning::Argument(inner, inside) => self.first(inner, &inside),
                Meaning::Item(item, inside) if !matches!(item.kind, ItemKind::Type(_)) => {
                    defined(item).map_or_else(Begin::unknown, |definition| self.first(&definition.body, &inside))
                }
                _ => Begin::unknown(),
            },
            _ => Begin::unknown(),
        }
    }

    fn first_of_some(&self, item: &'p Expr, least: usize, env: &Env<'p>) -> Begin {
        let first = self.first(item, env);
        if least == 0 { first.or(&Begin::nothing()) } else { first }
    }
}
