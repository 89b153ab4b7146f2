//! Exports strings: a language of decoded texts, written character by character between quotes.

use ogc_compiler::lower::json::JsonPolicy;
use ogc_compiler::{SchemaFault, SchemaFaultKind};
use ogc_grammar::rules::Expr;
use ogc_regular::Dfa;
use ogc_regular::length::with_length;
use ogc_runtime::automaton::Escapes;
use ogc_schema::source::Origin;
use ogc_schema::{StringArm, StringLanguage};

use super::characters::{Ranges, graph};
use super::combine::{alternation, sequence, times};
use super::regular;
use super::spelled::spelled;
use super::values::Exporter;
use super::{call, literal, rule};

impl Exporter<'_, '_> {
    /// Exports the strings of an arm.
    pub(super) fn string(&mut self, arm: &StringArm) -> Option<Expr> {
        match &arm.language {
            StringLanguage::Any => {
                let character = self.characters(&vec![('\0', char::MAX)]);
                let min = self.bound(arm.min, "least length of a string", arm.origin);
                // A greatest length that no counter reaches is no bound.
                let max = arm.max.and_then(|max| u32::try_from(max).ok()).filter(|&max| max < u32::MAX);
                Some(quoted(times(character, min, max)))
            }
            StringLanguage::Finite(texts) => {
                let arms = texts.iter().map(|text| self.quoted_text(text)).collect();
                Some(alternation(arms))
            }
            StringLanguage::Dfa(dfa) => self.pattern(dfa, (dfa.address(), arm.min, arm.max), arm.origin),
        }
    }

    fn pattern(&mut self, dfa: &Dfa, key: (usize, u64, Option<u64>), origin: Origin) -> Option<Expr> {
        if let Some(known) = self.texts.get(&key) {
            return Some(call(known));
        }
        let (_, min, max) = key;
        let counted = min > 0 || max.is_some();
        let made = counted.then(|| {
            let min = self.bound(min, "least length of a string", origin);
            let max = max.and_then(|max| u32::try_from(max).ok());
            with_length(dfa, min, max, self.limits.regular.states)
        });
        let made = match made.transpose() {
            Ok(made) => made,
            Err(error) => {
                self.errors.push(SchemaFault::new(origin, SchemaFaultKind::RulesForLength(error)));
                return None;
            }
        };
        let body = self.texts_of(made.as_ref().unwrap_or(dfa), origin)?;
        let name = self.names.fresh("string");
        self.rules.push(rule(&name, quoted(body)));
        self.texts.insert(key, name.clone());
        Some(call(&name))
    }

    /// Exports the spellings of a language's texts, without quotes.
    pub(super) fn texts_of(&mut self, dfa: &Dfa, origin: Origin) -> Option<Expr> {
        let graph = graph(dfa, &mut |ranges| self.characters(ranges));
        self.regular(graph, origin)
    }

    /// Writes a graph as an expression, unless it is too large for rules.
    pub(super) fn regular(&mut self, graph: regular::ExportGraph, origin: Origin) -> Option<Expr> {
        let written = regular::write(graph, &mut self.names, &mut self.rules);
        let refused = |error| SchemaFault::new(origin, SchemaFaultKind::TooManyRules(error));
        written.map_err(|error| self.errors.push(refused(error))).ok()
    }

    /// Exports the spellings of one text, quotes included.
    pub(super) fn quoted_text(&mut self, text: &str) -> Expr {
        let start = literal("\"");
        let inner = text.chars().fold(start, |before, c| {
            let next = self.characters(&vec![(c, c)]);
            sequence(before, next)
        });
        sequence(inner, literal("\""))
    }

    /// Exports the spellings of one character; as a rule if there are several.
    fn characters(&mut self, ranges: &Ranges) -> Expr {
        if let Some(known) = self.characters.get(ranges) {
            return known.clone();
        }
        let JsonPolicy { escapes, .. } = self.policy;
        let mut expr = spelled(ranges, escapes);
        let simple = matches!(expr.kind, ogc_grammar::rules::ExprKind::Literal(_))
            || escapes == Escapes::Canonical && matches!(expr.kind, ogc_grammar::rules::ExprKind::Class { .. });
        if !simple {
            let name = self.names.fresh("char");
            self.rules.push(rule(&name, expr));
            expr = call(&name);
        }
        self.characters.insert(ranges.clone(), expr.clone());
        expr
    }
}

pub(super) fn quoted(inner: Expr) -> Expr {
    sequence(sequence(literal("\""), inner), literal("\""))
}
