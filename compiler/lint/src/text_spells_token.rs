//! `text-spells-token`: free text in which the name of a control token can be spelled in ordinary characters.
//!
//! A mask never allows a control token as text, whatever its name is. But a model can write the characters of the name
//! one by one, and a program that tokenizes the text again with special tokens enabled then reads a control token.

use std::collections::BTreeSet;

use ogc_compiler::ir::{Expr, ExprId, ExprKind, Grammar, TextLimit};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::StateId;
use ogc_runtime::vocabulary::{TokenKind, Vocabulary};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// Cap on the listed names; the rest are counted.
const SHOWN: usize = 3;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let (Some(module), Some(vocabulary)) = (compiled.module(), compiled.vocabulary()) else { return Vec::new() };
    let names = control_names(&vocabulary, &module.grammar);
    let mut texts: Vec<u32> = Vec::new();
    let mut spelled: BTreeSet<&str> = BTreeSet::new();
    for (handle, states) in compiled.by_place() {
        let Some(limit) = free_text(&module.grammar, handle) else { continue };
        let states: BTreeSet<StateId> = states.into_iter().collect();
        let here: Vec<&str> = names.iter().copied().filter(|name| can_spell(compiled, &states, limit, name)).collect();
        texts.extend((!here.is_empty()).then_some(handle));
        spelled.extend(here);
    }
    let names: Vec<&str> = names.into_iter().filter(|name| spelled.contains(name)).collect();
    found(&texts, &names).into_iter().collect()
}

/// Makes one finding for all texts of a format.
fn found(texts: &[u32], names: &[&str]) -> Option<Diagnostic<Origin>> {
    let (first, others) = texts.split_first()?;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message =
        format!("this text can spell {}{more}, names of control tokens, in ordinary characters", shown.join(", "));
    let listed: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let help = format!("`text<without = {}>`, if the text is tokenized again with special tokens", listed.join(" | "));
    let found = Diagnostic::note(Code::TextSpellsToken, Compiled::place(*first), message).help(help);
    Some(others.iter().fold(found, |found, text| found.label(Compiled::place(*text), "this one too")))
}

/// Returns the names of special tokens, except names that the format itself spells in a literal.
fn control_names<'v>(vocabulary: &'v Vocabulary, grammar: &Grammar) -> Vec<&'v str> {
    let literals = grammar.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Literal(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    });
    let literals: Vec<String> = literals.collect();
    let named = vocabulary.named_tokens().filter(|(id, _)| vocabulary.kind(*id) == TokenKind::Special);
    let names = named.map(|(_, name)| name).filter(|name| !name.is_empty());
    names.filter(|name| !literals.iter().any(|literal| literal.contains(name))).collect()
}

/// Returns whether a place is that of free text; if so, with the number of characters that it may have, if bounded.
fn free_text(grammar: &Grammar, handle: u32) -> Option<Option<u32>> {
    let here = |expr: &&Expr| expr.origin == Origin(handle);
    let is_free = |id: ExprId| matches!(grammar.kind(id), ExprKind::Free { .. });
    let mut limit = None;
    let mut free = false;
    for expr in grammar.exprs.iter().filter(here) {
        match &expr.kind {
            ExprKind::Free { .. } => free = true,
            ExprKind::Limited { body, limit: TextLimit::Chars(chars) } if is_free(*body) => limit = Some(*chars),
            _ => {}
        }
    }
    free.then_some(limit)
}

/// Returns whether the name can be read within a text. It is read from any state of the text, or from its beginning if
/// characters are counted, and must lead back into the text. On the way, states of something that can end the text are
/// allowed too.
fn can_spell(compiled: &Compiled<'_>, states: &BTreeSet<StateId>, limit: Option<u32>, name: &str) -> bool {
    let fits = limit.is_none_or(|limit| name.chars().count() <= limit as usize);
    let start = |state: &&StateId| limit.is_none() || compiled.automaton.rule_of(**state).start == **state;
    let mut at: BTreeSet<StateId> = states.iter().filter(start).copied().collect();
    for byte in name.bytes() {
        let edges = at.iter().flat_map(|&state| compiled.automaton.edges(state));
        at = edges.filter(|edge| (edge.lo..=edge.hi).contains(&byte)).map(|edge| edge.to).collect();
    }
    fits && at.iter().any(|state| states.contains(state))
}
