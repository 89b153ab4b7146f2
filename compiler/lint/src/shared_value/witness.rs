//! Writes a short value of a schema, as a witness.

use std::sync::Arc;

use ogc_compiler::db::{JsonPolicy, Space};
use ogc_compiler::pipeline::Graph;
use ogc_runtime::automaton::{Automaton, Escapes, KeyOrder};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_schema::source::{NodeId, Schemas};

use super::super::compiled::Compiled;

/// Greatest length of a value that is shown, in bytes.
const BYTES: u32 = 120;

/// Cap on the states of an automaton that is searched for a value.
const STATES: usize = 20_000;

/// The bytes that are tried first, for readable strings.
const FIRST: &[u8] = b"\"a0";

/// Returns a shortest value of a schema, as JSON; `None` if it cannot be compiled, or if the value is too long for a
/// message.
pub(super) fn witness(graph: &Graph, schemas: &Schemas, node: NodeId, compiled: &Compiled<'_>) -> Option<String> {
    let json = JsonPolicy {
        space: Space::Compact,
        order: KeyOrder::Declared,
        escapes: Escapes::Canonical,
        ..JsonPolicy::default()
    };
    let graph = graph.changed(|changed| *changed = Schemas { root: Some(node), ..schemas.clone() });
    let lowered = graph.lowered(&json, &compiled.limits()).ok()?;
    if lowered.automaton.states.len() > STATES {
        return None;
    }
    shortest(lowered.automaton)
}

/// Writes a shortest text of a format byte by byte: with a length budget of exactly its length, every allowed byte
/// leads to its end.
fn shortest(automaton: Automaton) -> Option<String> {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).ok()?;
    let mut matcher = Matcher::new(Arc::new(automaton), MaskStore::new(Arc::new(vocabulary)));
    let least = matcher.least_budget().filter(|least| *least <= BYTES)?;
    matcher.set_budget(Some(least)).ok()?;
    let mut text = Vec::new();
    while !matcher.is_complete() && text.len() < least as usize {
        let mask = matcher.mask().ok()?;
        let allowed = |byte: &u8| mask.contains(TokenId(u32::from(*byte)));
        let byte = FIRST.iter().copied().chain(b' '..=u8::MAX).find(allowed)?;
        matcher.accept_token(TokenId(u32::from(byte))).ok()?;
        text.push(byte);
    }
    String::from_utf8(text).ok()
}
