//! Compiles a format again without one of its bounds.

use std::sync::Arc;

use ogc_compiler::db::Language;
use ogc_compiler::frontend::regex::{compile_regex, pattern_of};
use ogc_compiler::ir::{ExprId, ExprKind, Grammar, MachineId};
use ogc_compiler::pass::compile;
use ogc_compiler::pipeline::lower_as;
use ogc_regular::pattern::compile_anchored;
use ogc_runtime::automaton::Automaton;
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Schemas};

use crate::compiled::{Compiled, Source};

/// A change of a format that removes one of its bounds.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Replace a pattern of values, or of their keys, wherever it occurs.
    Pattern { old: String, new: String },
    /// Remove a keyword of a value.
    Keyword { node: NodeId, keyword: Keyword },
    /// Replace a pattern in text.
    Machine { machine: MachineId, new: String },
    /// Remove the upper bound of a repetition in text, and reduce its lower bound to at most one.
    Repeat(ExprId),
    /// Stop counting the characters of a text.
    Characters(ExprId),
    /// Replace the file, which is a pattern.
    File(String),
}

/// Accessor of a keyword that is a numeric bound.
pub(super) type Keyword = fn(&mut Keywords) -> &mut Option<At<u64>>;

/// Returns the automaton of the changed format.
pub(super) fn bound(compiled: &Compiled<'_>, change: &Change) -> Option<Automaton> {
    let limits = compiled.limits();
    match (&compiled.source, change) {
        (_, Change::File(pattern)) => compile_regex(pattern, &limits.grammar).0,
        (Source::Module(module), _) => {
            let mut module = (**module).clone();
            in_schemas(&mut module.schemas, change);
            in_grammar(&mut module.grammar, change)?;
            lower_as(&module, &limits).automaton.map(Arc::unwrap_or_clone)
        }
        (Source::Schema(graph), _) => {
            let graph = graph.changed(|schemas| in_schemas(schemas, change));
            let policy = compiled.file.options(compiled.db).json(compiled.db);
            graph.lowered(&policy, &limits).ok().map(|lowered| lowered.automaton)
        }
        (Source::Other, _) => {
            let mut grammar = compiled.grammar()?.into_owned();
            in_grammar(&mut grammar, change)?;
            compile(grammar, &limits.grammar).0
        }
    }
}

fn in_schemas(schemas: &mut Schemas, change: &Change) {
    match change {
        Change::Keyword { node, keyword } => {
            if let NodeKind::Keywords(keywords) = &mut schemas.nodes[node.0 as usize].kind {
                *keyword(keywords) = None;
            }
        }
        Change::Pattern { old, new } => schemas.nodes.iter_mut().for_each(|node| replace(&mut node.kind, old, new)),
        Change::Machine { .. } | Change::Repeat(_) | Change::Characters(_) | Change::File(_) => {}
    }
}

/// Replaces a pattern of a node.
fn replace(node: &mut NodeKind, old: &str, new: &str) {
    let NodeKind::Keywords(keywords) = node else { return };
    let keys = keywords.object.pattern_properties.iter_mut().map(|(key, _)| key);
    let patterns = keywords.string.patterns.iter_mut().chain(keys);
    patterns.filter(|pattern| pattern.value == old).for_each(|pattern| new.clone_into(&mut pattern.value));
}

fn in_grammar(grammar: &mut Grammar, change: &Change) -> Option<()> {
    match change {
        Change::Machine { machine, new } => {
            grammar.machines[machine.index()] = compile_anchored(new, &ogc_regular::Limits::default()).ok()?;
        }
        Change::Repeat(expr) => {
            if let ExprKind::Repeat { min, max, .. } = &mut grammar.exprs[expr.index()].kind {
                (*min, *max) = ((*min).min(1), None);
            }
        }
        Change::Characters(expr) => {
            if let ExprKind::Limited { body, .. } = grammar.exprs[expr.index()].kind {
                grammar.exprs[expr.index()].kind = ExprKind::Sequence([body].into());
            }
        }
        Change::Pattern { .. } | Change::Keyword { .. } | Change::File(_) => {}
    }
    Some(())
}

/// Returns the pattern that makes up the whole file, if it is one.
pub(super) fn file_pattern<'t>(compiled: &Compiled<'t>) -> Option<&'t str> {
    let is_pattern = compiled.file.language(compiled.db) == Language::Regex;
    is_pattern.then(|| pattern_of(compiled.file.text(compiled.db)).0)
}
