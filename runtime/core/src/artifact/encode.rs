//! Encodes a format as the sections of an artifact. The same format always gives the same bytes.

use std::sync::Arc;

use zerocopy::{Immutable, IntoBytes};

use super::Format;
use super::record::{
    ACCEPT, ANY_TOKENS, CALL, CANONICAL_TOKENS, CAPTURE, CLOSE, COUNTS_TOKENS, CallRecord, DISTINCT_ITEMS, EdgeRecord,
    FEW, FormatRecord, NameRecord, ObjectRecord, OpRecord, PartRecord, PlaceRecord, ProvenanceRecord, RuleRecord,
    SourceRecord, StateRecord, TEXT, TwinRecord, VALUE,
};
use crate::automaton::{
    Automaton, Call, Edge, Escapes, KeyOrder, ObjectShape, Op, Root, Rule, StateId, StateKind, TokenPolicy,
};
use crate::captures::{CapturePart, Content};
use crate::container::{SectionKind, assemble};

/// The text and the lists of an artifact while they are collected; records refer to ranges of them.
#[derive(Default)]
struct Pools {
    text: Vec<u8>,
    lists: Vec<u32>,
}

impl Pools {
    fn text(&mut self, text: &str) -> [u32; 2] {
        let at = self.text.len() as u32;
        self.text.extend_from_slice(text.as_bytes());
        [at, text.len() as u32]
    }

    fn list(&mut self, list: &[u32]) -> [u32; 2] {
        let at = self.lists.len() as u32;
        self.lists.extend_from_slice(list);
        [at, list.len() as u32]
    }
}

fn section<T: IntoBytes + Immutable>(kind: SectionKind, records: impl Iterator<Item = T>) -> (SectionKind, Vec<u8>) {
    let mut bytes = Vec::new();
    records.for_each(|record| bytes.extend_from_slice(record.as_bytes()));
    (kind, bytes)
}

/// Encodes everything but the masks as sections, in their order.
pub(super) fn sections(format: &Format) -> Vec<(SectionKind, Vec<u8>)> {
    let automaton = &format.automaton;
    let mut pools = Pools::default();
    let rules = section(SectionKind::Rules, automaton.rules.iter().map(|rule| rule_record(rule, &mut pools)));
    let states = 0..automaton.states.len() as u32;
    let states = section(SectionKind::States, states.map(|state| state_record(automaton, StateId(state))));
    let edges = section(SectionKind::Edges, automaton.edges.iter().map(edge_record));
    let calls = section(SectionKind::Calls, automaton.calls.iter().map(call_record));
    let ops = section(SectionKind::Ops, automaton.ops.iter().map(|op| op_record(op, &mut pools)));
    let objects = automaton.objects.iter();
    let objects = section(SectionKind::Objects, objects.map(|shape| object_record(shape, &mut pools)));
    let names = format.sources.sources.iter();
    let sources = section(SectionKind::Sources, names.map(|name| SourceRecord { name: pools.text(name) }));
    let places = section(SectionKind::Places, format.sources.places.iter().map(place_record));
    let lines = format.provenance.iter();
    let provenance = section(
        SectionKind::Provenance,
        lines.map(|(key, value)| ProvenanceRecord { key: pools.text(key), value: pools.text(value) }),
    );
    let names = automaton.tokens.iter();
    let tokens = section(SectionKind::Tokens, names.map(|name| NameRecord { name: pools.text(name) }));
    let parts = parts(format, &mut pools);
    let pairs = automaton.twins.iter();
    let twins = section(SectionKind::Twins, pairs.map(|(state, twin)| TwinRecord { state: state.0, twin: twin.0 }));
    let whole = (SectionKind::Format, format_record(format).as_bytes().to_vec());
    let lists = (SectionKind::Lists, pools.lists.as_bytes().to_vec());
    let text = (SectionKind::Text, pools.text);
    let mut sections =
        vec![whole, rules, states, edges, calls, ops, objects, lists, text, sources, places, provenance, tokens, twins];
    sections.extend(parts.into_iter().flatten());
    sections
}

/// Encodes the parts of texts, and the automaton that finds them; `None` if texts have no parts.
fn parts(format: &Format, pools: &mut Pools) -> Option<[(SectionKind, Vec<u8>); 2]> {
    let captures = format.content.parts()?;
    let inner = assemble(&sections(&Format::new(Arc::clone(&captures.automaton))));
    let parts = captures.parts.iter();
    let parts = section(SectionKind::Parts, parts.map(|part| part_record(part, pools)));
    Some([(SectionKind::Captures, inner), parts])
}

fn part_record(part: &CapturePart, pools: &mut Pools) -> PartRecord {
    match part {
        CapturePart::Capture(name) => PartRecord { kind: CAPTURE, name: pools.text(name) },
        CapturePart::Call(name) => PartRecord { kind: CALL, name: pools.text(name) },
        CapturePart::Value => PartRecord { kind: VALUE, name: [0; 2] },
    }
}

fn format_record(format: &Format) -> FormatRecord {
    let automaton = &format.automaton;
    let Root { rule, a, b } = automaton.root;
    FormatRecord {
        root: [rule.0, a, b],
        nullable: u32::from(automaton.nullable),
        canonical_escapes: u32::from(automaton.escapes == Escapes::Canonical),
        is_value: u32::from(format.content == Content::Value),
        token_policy: match automaton.token_policy {
            None => 0,
            Some(TokenPolicy::Canonical) => CANONICAL_TOKENS,
            Some(TokenPolicy::Any) => ANY_TOKENS,
        },
        reserved: 0,
    }
}

fn rule_record(rule: &Rule, pools: &mut Pools) -> RuleRecord {
    RuleRecord {
        name: pools.text(&rule.name),
        origin: rule.origin,
        start: rule.start.0,
        states: [rule.states.first, rule.states.len],
        object: rule.object.map_or(0, |object| object.0 + 1),
        flags: u32::from(rule.counts_tokens) * COUNTS_TOKENS
            + u32::from(rule.distinct_items) * DISTINCT_ITEMS
            + (if rule.object.is_some() { rule.few_keys } else { rule.item_choices } << FEW),
    }
}

fn state_record(automaton: &Automaton, id: StateId) -> StateRecord {
    let state = &automaton.states[id.index()];
    let flag = |holds: bool, flag: u32| if holds { flag } else { 0 };
    StateRecord {
        rule: state.rule.0,
        flags: flag(state.accept, ACCEPT)
            | flag(state.kind == StateKind::Text, TEXT)
            | flag(state.close.is_some(), CLOSE),
        edges: state.edges.len,
        calls: state.calls.len,
        close: state.close.map_or([0; 2], |(op, to)| [op.0, to.0]),
        origin: automaton.origins[id.index()],
        min_bytes: automaton.min_bytes[id.index()],
    }
}

fn edge_record(edge: &Edge) -> EdgeRecord {
    EdgeRecord { op: edge.op.0, to: edge.to.0, lo: edge.lo, more: edge.hi.saturating_sub(edge.lo), reserved: [0; 2] }
}

fn call_record(call: &Call) -> CallRecord {
    CallRecord { rule: call.rule.0, ret: call.ret.0, op: call.op.0, a: call.a, b: call.b }
}

fn op_record(op: &Op, pools: &mut Pools) -> OpRecord {
    let record = |kind, values| OpRecord { kind, values, list: [0; 2] };
    match op {
        Op::None => record(0, [0; 3]),
        Op::Count { tick, max_a, min_total } => record(1, [u32::from(*tick), *max_a, *min_total]),
        Op::KeyAlive { object, keys, extra } => {
            OpRecord { list: pools.list(keys), ..record(2, [object.0, u32::from(*extra), 0]) }
        }
        Op::KeyTake { object, key } => record(3, [object.0, *key, 0]),
        Op::KeyTakeExtra { object } => record(4, [object.0, 0, 0]),
        Op::KeyNext { object } => record(5, [object.0, 0, 0]),
        Op::ObjectClose { object } => record(6, [object.0, 0, 0]),
        Op::Owing { declared, undeclared, op } => record(7, [*declared, *undeclared, op.0]),
    }
}

fn object_record(shape: &ObjectShape, pools: &mut Pools) -> ObjectRecord {
    ObjectRecord {
        keys: shape.keys,
        any_order: u32::from(shape.order == KeyOrder::Any),
        extra: u32::from(shape.extra),
        counted: u32::from(shape.counted),
        required: pools.list(&shape.required),
        conditions: pools.list(&shape.conditions.words()),
    }
}

fn place_record(place: &super::SourcePlace) -> PlaceRecord {
    PlaceRecord { handle: place.handle, source: place.source, start: place.start, end: place.end }
}
