//! Finds the bounds of a format that may be written out in the automaton.

use std::collections::BTreeSet;

use ogc_compiler::foreign::read_rules;
use ogc_compiler::hir::items::item_tree;
use ogc_compiler::ir::{ExprId, ExprKind, Grammar, Places, TextLimit};
use ogc_grammar::ogc::ast::{Expr, ExprKind as Written};
use ogc_grammar::{Span, rules};
use ogc_regular::pattern::{compile, compile_anchored};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin, Schemas};

use super::pattern::{Compile, worst};
use super::without::{Change, Keyword, file_pattern};
use super::{ROWS, states_at};
use crate::compiled::{Compiled, Source};

/// Bounds below this number are ignored, whatever is repeated.
const BOUND: u64 = 64;

/// A bound that may be written out.
pub(super) struct Bound {
    pub(super) handle: u32,
    /// The bound as it is written.
    pub(super) written: String,
    /// Its description in messages.
    pub(super) what: String,
    /// The description of the format without it.
    pub(super) instead: String,
    pub(super) value: u64,
    pub(super) help: &'static str,
    pub(super) change: Change,
}

impl Bound {
    /// Returns the sort key for trying bounds: patterns first, as they have been measured already; then the greatest
    /// bounds.
    pub(super) fn promise(&self) -> (bool, u64) {
        let measured = !matches!(self.change, Change::Keyword { .. } | Change::Repeat(_));
        (measured, self.value)
    }

    /// Returns whether the bound is counted at run time, and so costs rows instead of states.
    pub(super) fn counts_characters(&self) -> bool {
        matches!(self.change, Change::Characters(_))
    }
}

/// Returns the bounds of a format; bounds that are written out are included only if a rule is `large`.
pub(super) fn bounds(compiled: &Compiled<'_>, large: bool) -> Vec<Bound> {
    let mut bounds = Vec::new();
    let grammar = compiled.grammar();
    bounds.extend(grammar.as_deref().into_iter().flat_map(|grammar| counted_texts(compiled, grammar)));
    if !large {
        return bounds;
    }
    bounds.extend(compiled.schemas().into_iter().flat_map(in_schemas));
    if let Some(grammar) = grammar.as_deref() {
        bounds.extend(repetitions(grammar));
        bounds.extend(patterns(compiled, grammar));
    }
    bounds.extend(
        file_pattern(compiled).and_then(|pattern| of_pattern(1, pattern, (compile_anchored, IN_TEXT), Change::File)),
    );
    bounds
}

const IN_VALUE: &str = "count outside of the pattern, `string<1..2000> & /[a-z]*/` (in JSON Schema `minLength` and \
                        `maxLength`), or use a lower bound, or none";
const IN_TEXT: &str = "count outside of the pattern, `/[a-z]/[1..2000]`, or use a lower bound, or none";
const IN_OPERATION: &str = "inside of `-`, `&`, `lazy` and texts of bounded length nothing is counted; take it out of there, or \
                            use a lower bound, or none";
const OF_VALUE: &str = "lengths of keys are not counted, nor those of strings whose pattern allows only some lengths; use a \
                        lower bound, or none";
const OF_CHARACTERS: &str = "masks differ from count to count near the end of the text; `max_tokens` bounds a text for next to \
                             nothing";

/// Returns the repetition that makes a pattern large, if one does.
fn of_pattern(
    handle: u32,
    pattern: &str,
    (compile, help): (Compile, &'static str),
    change: impl Fn(String) -> Change,
) -> Option<Bound> {
    let worst = worst(pattern, compile)?;
    Some(Bound {
        handle,
        what: format!("`{}`", worst.written),
        written: worst.written,
        instead: format!("with `{}`", worst.unbounded),
        value: worst.copies.into(),
        help,
        change: change(worst.loosened),
    })
}

fn of_number(handle: u32, value: u64, help: &'static str, change: Change) -> Option<Bound> {
    let (written, what) = (value.to_string(), format!("the bound `{value}`"));
    let instead = "without it".to_owned();
    (value > BOUND).then_some(Bound { handle, written, what, instead, value, help, change })
}

/// Returns the texts whose characters are counted and that use many rows.
fn counted_texts(compiled: &Compiled<'_>, grammar: &Grammar) -> Vec<Bound> {
    let counted = grammar.exprs.iter().zip(0..).filter_map(|(expr, at)| match expr.kind {
        ExprKind::Limited { limit: TextLimit::Chars(most), .. } => Some((expr.origin.0, most, ExprId(at))),
        _ => None,
    });
    let costly = |handle: u32| compiled.cost(states_at(compiled, handle).into_iter()).row_count() > ROWS;
    let costly = counted.filter(|(handle, ..)| costly(*handle));
    costly
        .filter_map(|(handle, most, at)| of_number(handle, most.into(), OF_CHARACTERS, Change::Characters(at)))
        .collect()
}

/// Finds patterns and bounds of values. A pattern that occurs twice is one automaton.
fn in_schemas(schemas: &Schemas) -> Vec<Bound> {
    let mut bounds = Vec::new();
    let mut seen = BTreeSet::new();
    for (node, at) in schemas.nodes.iter().zip(0..) {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        let keys = keywords.object.pattern_properties.iter().map(|(key, _)| key);
        let patterns = keywords.string.patterns.iter().chain(keys);
        bounds.extend(patterns.filter(|pattern| seen.insert(pattern.value.as_str())).filter_map(of_value_pattern));
        bounds.extend(bounds_of(NodeId(at), keywords));
    }
    bounds
}

fn of_value_pattern(pattern: &At<String>) -> Option<Bound> {
    let change = |new| Change::Pattern { old: pattern.value.clone(), new };
    of_pattern(pattern.origin.0, &pattern.value, (compile, IN_VALUE), change)
}

/// Keywords that count something, however they are compiled.
const KEYWORDS: [Keyword; 8] = [
    |keywords| &mut keywords.string.min_length,
    |keywords| &mut keywords.string.max_length,
    |keywords| &mut keywords.array.min_items,
    |keywords| &mut keywords.array.max_items,
    |keywords| &mut keywords.array.min_contains,
    |keywords| &mut keywords.array.max_contains,
    |keywords| &mut keywords.object.min_properties,
    |keywords| &mut keywords.object.max_properties,
];

fn bounds_of(node: NodeId, keywords: &Keywords) -> Vec<Bound> {
    let mut keywords = keywords.clone();
    let mut bound = |keyword: Keyword| {
        let found = keyword(&mut keywords).as_ref()?;
        of_number(found.origin.0, found.value, OF_VALUE, Change::Keyword { node, keyword })
    };
    KEYWORDS.into_iter().filter_map(&mut bound).collect()
}

/// Finds repetitions inside operands of regular operations.
fn repetitions(grammar: &Grammar) -> Vec<Bound> {
    let inside = grammar.inside_operands();
    let exprs = grammar.exprs.iter().zip(0..).filter(|(_, at)| inside[*at as usize]);
    let bound = |(expr, at): (&ogc_compiler::ir::Expr, u32)| match expr.kind {
        ExprKind::Repeat { min, max, .. } => {
            let value = max.unwrap_or(min).into();
            of_number(expr.origin.0, value, IN_OPERATION, Change::Repeat(ExprId(at)))
        }
        _ => None,
    };
    exprs.filter_map(bound).collect()
}

/// Finds patterns in text.
fn patterns(compiled: &Compiled<'_>, grammar: &Grammar) -> Vec<Bound> {
    let written = Patterns::of(compiled);
    let machines = grammar.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Machine(machine) => Some((expr.origin.0, machine)),
        _ => None,
    });
    let bound = |(handle, machine)| {
        let pattern = written.at(handle)?;
        of_pattern(handle, pattern, (compile_anchored, IN_TEXT), |new| Change::Machine { machine, new })
    };
    machines.filter_map(bound).collect()
}

/// The patterns in the source of a format.
enum Patterns<'c> {
    /// In items of an `.ogc` file.
    Items(&'c Compiled<'c>),
    /// In a grammar, with their spans.
    Rules(Vec<(Span, &'c str)>, &'c Places),
}

impl<'c> Patterns<'c> {
    fn of(compiled: &'c Compiled<'c>) -> Self {
        if let Source::Module(_) = compiled.source {
            return Self::Items(compiled);
        }
        let mut found = Vec::new();
        let rules = &read_rules(compiled.db, compiled.file).0.rules;
        rules.iter().for_each(|rule| collect(&rule.body, &mut found));
        match compiled.rules() {
            Some(placed) => Self::Rules(found, &placed.places),
            None => Self::Items(compiled),
        }
    }

    /// Returns the pattern at a place, if there is one.
    fn at(&self, handle: u32) -> Option<&str> {
        match self {
            Self::Rules(found, places) => {
                let place = places.get(Origin(handle))?;
                found.iter().find(|(at, _)| *at == place).map(|(_, pattern)| *pattern)
            }
            Self::Items(compiled) => {
                let place = compiled.module()?.place(Origin(handle))?;
                let body = &item_tree(compiled.db, place.item.as_ref()?).item.definition()?.body;
                let mut found = None;
                body.walk(&mut |expr: &'c Expr| match &expr.kind {
                    Written::Regex(pattern) if expr.span == place.span => found = Some(pattern.as_str()),
                    _ => {}
                });
                found
            }
        }
    }
}

/// Collects the patterns of an expression. The parser's limit on nesting bounds the recursion.
fn collect<'t>(expr: &'t rules::Expr, found: &mut Vec<(Span, &'t str)>) {
    use rules::ExprKind as Tree;
    match &expr.kind {
        Tree::Regex(pattern) => found.push((expr.span, pattern)),
        Tree::Sequence(parts) | Tree::Alternation(parts) => parts.iter().for_each(|part| collect(part, found)),
        Tree::Repeat { expr, .. } | Tree::Limited(expr, _) | Tree::Lazy(expr) | Tree::Captured { expr, .. } => {
            collect(expr, found);
        }
        Tree::Exception(one, other) => [one, other].into_iter().for_each(|part| collect(part, found)),
        Tree::Literal(_)
        | Tree::Class { .. }
        | Tree::Any
        | Tree::Name(_)
        | Tree::Token(_)
        | Tree::Substring(_)
        | Tree::Json(_) => {}
    }
}
