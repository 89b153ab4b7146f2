//! Decodes the sections of an artifact into a format: checks every number against the table that it points into, then
//! the automaton against its invariants ([`Automaton::validate`]). Derived data is computed, not read.

use std::sync::Arc;

use super::record::{
    ACCEPT, ANY_TOKENS, CALL, CANONICAL_TOKENS, CAPTURE, CLOSE, COUNTS_TOKENS, CallRecord, DISTINCT_ITEMS, EdgeRecord,
    FEW, FormatRecord, NameRecord, ObjectRecord, OpRecord, PartRecord, PlaceRecord, ProvenanceRecord, RuleRecord,
    SourceRecord, StateRecord, TEXT, TwinRecord, VALUE,
};
use super::{Format, SourceMap, SourcePlace};
use crate::automaton::{
    Automaton, AutomatonState, Call, Derived, Edge, Escapes, KeyConditions, KeyOrder, ObjectId, ObjectShape, Op, OpId,
    Root, Rule, RuleId, StateId, StateKind, TableRange, TokenPolicy,
};
use crate::captures::{CapturePart, Captures, Content, MAX_PARTS};
use crate::container::{Bytes, LoadError, SectionKind, Sections, Table, check};

/// The text and the lists of an artifact; records refer to ranges of them.
struct Pools {
    text: Table<u8>,
    lists: Table<u32>,
}

fn range([at, len]: [u32; 2]) -> std::ops::Range<usize> {
    at as usize..at as usize + len as usize
}

impl Pools {
    fn text(&self, at: [u32; 2]) -> Result<String, LoadError> {
        let invalid = |what| LoadError::Invalid { section: "text", what };
        let raw = self.text.records().get(range(at));
        let text = std::str::from_utf8(raw.ok_or(invalid("a text lies outside"))?);
        Ok(text.map_err(|_| invalid("a text is not UTF-8"))?.to_owned())
    }

    fn list(&self, at: [u32; 2]) -> Result<Box<[u32]>, LoadError> {
        let list = self.lists.records().get(range(at));
        list.map(Into::into).ok_or(LoadError::Invalid { section: "lists", what: "a list lies outside" })
    }
}

fn flag(value: u32, section: &'static str) -> Result<bool, LoadError> {
    check(value <= 1, section, "a flag is neither 0 nor 1")?;
    Ok(value == 1)
}

/// Reads and checks everything but the masks.
pub(super) fn format(sections: &Sections) -> Result<Format, LoadError> {
    let pools = Pools { text: sections.table(SectionKind::Text)?, lists: sections.table(SectionKind::Lists)? };
    Ok(Format {
        automaton: Arc::new(automaton(sections, &pools)?),
        sources: sources(sections, &pools)?,
        provenance: provenance(sections, &pools)?,
        content: content(sections, &pools)?,
    })
}

fn whole(sections: &Sections) -> Result<FormatRecord, LoadError> {
    match sections.table::<FormatRecord>(SectionKind::Format)?.records() {
        [whole] => Ok(*whole),
        _ => Err(LoadError::Invalid { section: "format", what: "there must be one" }),
    }
}

fn automaton(sections: &Sections, pools: &Pools) -> Result<Automaton, LoadError> {
    let whole = whole(sections)?;
    check(whole.reserved == 0, "format", "a reserved field is set")?;
    let canonical = flag(whole.canonical_escapes, "format")?;
    let states = sections.table::<StateRecord>(SectionKind::States)?;
    let mut automaton = Automaton {
        states: read_states(states.records())?,
        edges: read_edges(sections)?,
        calls: read_calls(sections)?,
        ops: read_ops(sections, pools)?,
        objects: read_objects(sections, pools)?,
        rules: read_rules(sections, pools)?,
        root: Root { rule: RuleId(whole.root[0]), a: whole.root[1], b: whole.root[2] },
        nullable: flag(whole.nullable, "format")?,
        tokens: read_tokens(sections, pools)?,
        twins: read_twins(sections)?,
        origins: states.records().iter().map(|state| state.origin).collect(),
        escapes: if canonical { Escapes::Canonical } else { Escapes::Any },
        token_policy: token_policy(whole.token_policy)?,
        min_bytes: states.records().iter().map(|state| state.min_bytes).collect(),
        derived: Derived::default(),
    };
    automaton.validate().map_err(|(section, what)| LoadError::Invalid { section, what })?;
    Ok(automaton)
}

fn token_policy(policy: u32) -> Result<Option<TokenPolicy>, LoadError> {
    match policy {
        0 => Ok(None),
        CANONICAL_TOKENS => Ok(Some(TokenPolicy::Canonical)),
        ANY_TOKENS => Ok(Some(TokenPolicy::Any)),
        _ => Err(LoadError::Invalid { section: "format", what: "an unknown policy for tokens" }),
    }
}

fn read_states(records: &[StateRecord]) -> Result<Vec<AutomatonState>, LoadError> {
    let (mut edges, mut calls) = (0u32, 0u32);
    let mut states = Vec::with_capacity(records.len());
    for record in records {
        check(record.flags < 8, "states", "an unknown flag is set")?;
        let close = record.flags & CLOSE != 0;
        check(close || record.close == [0; 2], "states", "an unused field is set")?;
        states.push(AutomatonState {
            rule: RuleId(record.rule),
            kind: if record.flags & TEXT != 0 { StateKind::Text } else { StateKind::Bytes },
            accept: record.flags & ACCEPT != 0,
            edges: TableRange { first: edges, len: record.edges },
            calls: TableRange { first: calls, len: record.calls },
            close: close.then_some((OpId(record.close[0]), StateId(record.close[1]))),
        });
        let overflow = || LoadError::Invalid { section: "states", what: "more edges or calls than there can be" };
        edges = edges.checked_add(record.edges).ok_or_else(overflow)?;
        calls = calls.checked_add(record.calls).ok_or_else(overflow)?;
    }
    Ok(states)
}

fn read_edges(sections: &Sections) -> Result<Vec<Edge>, LoadError> {
    let table = sections.table::<EdgeRecord>(SectionKind::Edges)?;
    let unused = table.records().iter().all(|edge| edge.reserved == [0; 2]);
    check(unused, "edges", "a reserved byte is set")?;
    let edge = |edge: &EdgeRecord| {
        let hi = edge.lo.checked_add(edge.more)?;
        Some(Edge { lo: edge.lo, hi, op: OpId(edge.op), to: StateId(edge.to) })
    };
    let edges = table.records().iter().map(edge).collect::<Option<Vec<Edge>>>();
    edges.ok_or(LoadError::Invalid { section: "edges", what: "an edge reads more than all bytes" })
}

fn read_calls(sections: &Sections) -> Result<Vec<Call>, LoadError> {
    let table = sections.table::<CallRecord>(SectionKind::Calls)?;
    let calls = table.records().iter().map(|call| Call {
        rule: RuleId(call.rule),
        ret: StateId(call.ret),
        op: OpId(call.op),
        a: call.a,
        b: call.b,
    });
    Ok(calls.collect())
}

fn read_ops(sections: &Sections, pools: &Pools) -> Result<Vec<Op>, LoadError> {
    let table = sections.table::<OpRecord>(SectionKind::Ops)?;
    table.records().iter().map(|record| read_op(record, pools)).collect()
}

fn read_op(record: &OpRecord, pools: &Pools) -> Result<Op, LoadError> {
    let [x, y, z] = record.values;
    let object = ObjectId(x);
    let op = match record.kind {
        0 => Op::None,
        1 => Op::Count { tick: flag(x, "operations")?, max_a: y, min_total: z },
        2 => Op::KeyAlive { object, keys: pools.list(record.list)?, extra: flag(y, "operations")? },
        3 => Op::KeyTake { object, key: y },
        4 => Op::KeyTakeExtra { object },
        5 => Op::KeyNext { object },
        6 => Op::ObjectClose { object },
        7 => Op::Owing { declared: x, undeclared: y, op: OpId(z) },
        _ => {
            return Err(LoadError::Invalid { section: "operations", what: "an unknown operation" });
        }
    };
    Ok(op)
}

fn read_objects(sections: &Sections, pools: &Pools) -> Result<Vec<ObjectShape>, LoadError> {
    let table = sections.table::<ObjectRecord>(SectionKind::Objects)?;
    let objects = table.records().iter().map(|record| {
        Ok(ObjectShape {
            keys: record.keys,
            required: pools.list(record.required)?,
            order: if flag(record.any_order, "objects")? { KeyOrder::Any } else { KeyOrder::Declared },
            extra: flag(record.extra, "objects")?,
            counted: flag(record.counted, "objects")?,
            conditions: conditions(&pools.list(record.conditions)?)?,
        })
    });
    objects.collect()
}

fn conditions(words: &[u32]) -> Result<KeyConditions, LoadError> {
    let what = "a condition on keys is cut short";
    KeyConditions::from_words(words).ok_or(LoadError::Invalid { section: "objects", what })
}

fn read_rules(sections: &Sections, pools: &Pools) -> Result<Vec<Rule>, LoadError> {
    let table = sections.table::<RuleRecord>(SectionKind::Rules)?;
    let rules = table.records().iter().map(|record| {
        Ok(Rule {
            name: pools.text(record.name)?,
            origin: record.origin,
            start: StateId(record.start),
            states: TableRange { first: record.states[0], len: record.states[1] },
            object: record.object.checked_sub(1).map(ObjectId),
            counts_tokens: record.flags & COUNTS_TOKENS != 0,
            distinct_items: record.flags & DISTINCT_ITEMS != 0,
            few_keys: if record.object == 0 { 0 } else { record.flags >> FEW },
            item_choices: if record.object == 0 { record.flags >> FEW } else { 0 },
            first: [0; 4],
        })
    });
    rules.collect()
}

fn content(sections: &Sections, pools: &Pools) -> Result<Content, LoadError> {
    let is_value = flag(whole(sections)?.is_value, "format")?;
    if !sections.has(SectionKind::Captures) {
        check(!sections.has(SectionKind::Parts), "parts", "nothing finds them")?;
        return Ok(if is_value { Content::Value } else { Content::Text });
    }
    check(!is_value, "captures", "a value has none")?;
    let automaton = automaton_of_captures(sections.table::<u8>(SectionKind::Captures)?.records())?;
    let parts = sections.table::<PartRecord>(SectionKind::Parts)?;
    let parts: Vec<CapturePart> =
        parts.records().iter().map(|record| read_part(record, pools)).collect::<Result<_, _>>()?;
    check(!parts.is_empty() && parts.len() <= MAX_PARTS, "parts", "there are none, or too many")?;
    Ok(Content::Parts(Arc::new(Captures { automaton, parts })))
}

fn read_part(record: &PartRecord, pools: &Pools) -> Result<CapturePart, LoadError> {
    match record.kind {
        CAPTURE => Ok(CapturePart::Capture(pools.text(record.name)?)),
        CALL => Ok(CapturePart::Call(pools.text(record.name)?)),
        VALUE => check(record.name == [0; 2], "parts", "a value has a name").map(|()| CapturePart::Value),
        _ => Err(LoadError::Invalid { section: "parts", what: "an unknown kind" }),
    }
}

fn read_tokens(sections: &Sections, pools: &Pools) -> Result<Vec<String>, LoadError> {
    let names = sections.table::<NameRecord>(SectionKind::Tokens)?;
    names.records().iter().map(|record| pools.text(record.name)).collect()
}

fn read_twins(sections: &Sections) -> Result<Vec<(StateId, StateId)>, LoadError> {
    let table = sections.table::<TwinRecord>(SectionKind::Twins)?;
    Ok(table.records().iter().map(|record| (StateId(record.state), StateId(record.twin))).collect())
}

fn sources(sections: &Sections, pools: &Pools) -> Result<SourceMap, LoadError> {
    let names = sections.table::<SourceRecord>(SectionKind::Sources)?;
    let names = names.records().iter().map(|record| pools.text(record.name));
    let sources: Vec<String> = names.collect::<Result<_, _>>()?;
    let places = sections.table::<PlaceRecord>(SectionKind::Places)?;
    let mut last = 0;
    for place in places.records() {
        check(place.handle > last, "places", "handles do not ascend")?;
        check((place.source as usize) < sources.len(), "places", "an unknown source")?;
        check(place.start <= place.end, "places", "a place ends before it starts")?;
        last = place.handle;
    }
    let places = places.records().iter().map(|place| SourcePlace {
        handle: place.handle,
        source: place.source,
        start: place.start,
        end: place.end,
    });
    Ok(SourceMap { places: places.collect(), sources })
}

fn provenance(sections: &Sections, pools: &Pools) -> Result<Vec<(String, String)>, LoadError> {
    let table = sections.table::<ProvenanceRecord>(SectionKind::Provenance)?;
    let lines = table.records().iter().map(|line| Ok((pools.text(line.key)?, pools.text(line.value)?)));
    lines.collect()
}

/// Loads and checks the automaton that finds the parts of texts. It is a nested artifact with an automaton and nothing
/// else.
fn automaton_of_captures(bytes: &[u8]) -> Result<Arc<Automaton>, LoadError> {
    let sections = Sections::open(Bytes::new(bytes.to_vec()))?;
    // The nested artifact must not nest another.
    let plain = !sections.has(SectionKind::Captures) && sections.has_no_masks();
    check(plain, "captures", "more than an automaton")?;
    let Format { automaton, sources, provenance, content } = format(&sections)?;
    let bare = sources.sources.is_empty() && provenance.is_empty() && content == Content::Text;
    check(bare, "captures", "more than an automaton")?;
    Ok(automaton)
}
