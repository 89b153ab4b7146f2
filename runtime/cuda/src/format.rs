//! The tables of an automaton in device memory; kernels read them by `kernels/format.cuh`.
//!
//! A format is one block of words of 32 bits: a header, then the tables, one after another. Offsets are counted in words from the beginning
//! of the block, so that the block can be at any address. `kernels/step.cuh` steps the format; `kernels/ops.cuh` states which operations
//! are left to the host.

use ogc_runtime::automaton::{Automaton, Escapes, KeyOrder, ObjectId, ObjectShape, Op, OpId, StateKind};
use zerocopy::{Immutable, IntoBytes};

use crate::record::{bits, shared};
use crate::slot::SET_WORDS;

/// The automaton cannot be put in device memory.
///
/// ```
/// let error = ogc_cuda::FormatError { given: 1 << 33, limit: 1 << 30 };
/// assert_eq!(error.to_string(), "the format takes 8589934592 words, the limit is 1073741824: split it");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format takes {given} words, the limit is {limit}: split it")]
pub struct FormatError {
    /// Size of the format, in words of 32 bits.
    pub given: u64,
    /// Maximum number of words of a format.
    pub limit: u64,
}

/// Maximum number of words of a format: kernels count its bytes in 32 bits.
const MOST_WORDS: u64 = 1 << 30;

shared! {
    header "format";

    /// The first word of every format, and the layout version in the second.
    const MAGIC: u32 = u32::from_le_bytes(*b"ogcd");
    const VERSION: u32 = 2;

    /// The value of a countdown that never runs out.
    extern const UNBOUNDED: u32 = ogc_runtime::automaton::UNBOUNDED;

    /// Bits of a format: it accepts the empty text; every spelling of a character in strings is allowed, not only one; some state reads
    /// special tokens.
    const NULLABLE: u32 = 1;
    const ANY_ESCAPES: u32 = 2;
    const READS_MARKERS: u32 = 4;

    /// Bits of a state: the rule may end here; it is the inside of a string; the string may be closed here; it can only end; it counts
    /// tokens.
    const ACCEPTS: u32 = 1;
    const TEXT: u32 = 2;
    const CLOSES: u32 = 4;
    const BARE: u32 = 8;
    const COUNTED: u32 = 16;

    /// The twin of a state that has none.
    const NO_TWIN: u32 = u32::MAX;

    /// The bit of a rule that counts the tokens of its texts.
    const COUNTS_TOKENS: u32 = 1;

    /// Kinds of operations: none; a guard on countdowns; a tick and then the guard; checks and updates of the keys of an object; operations that
    /// only the host performs.
    const OP_NONE: u32 = 0;
    const OP_COUNT: u32 = 1;
    const OP_TICK: u32 = 2;
    const OP_KEY_ALIVE: u32 = 3;
    const OP_KEY_OR_EXTRA_ALIVE: u32 = 4;
    const OP_KEY_TAKE: u32 = 5;
    const OP_KEY_TAKE_EXTRA: u32 = 6;
    const OP_KEY_NEXT: u32 = 7;
    const OP_OBJECT_CLOSE: u32 = 8;
    const OP_HOST: u32 = 9;

    /// Bits of an object: its keys come in any order; it has undeclared keys; it counts its members.
    const ANY_ORDER: u32 = 1;
    const HAS_EXTRA: u32 = 2;
    const COUNTS_MEMBERS: u32 = 4;

    /// The location of a table: its first word and its number of records.
    struct Table { first: u32, count: u32 }

    /// Header of a format.
    struct Header {
        magic: u32,
        version: u32,
        /// `NULLABLE` etc.
        bits: u32,
        states: Table,
        edges: Table,
        calls: Table,
        ops: Table,
        rules: Table,
        shapes: Table,
        /// Lists of keys, a word each: required keys of objects, and keys that are still possible.
        keys: Table,
        /// The rule and the countdowns of the beginning of a text.
        root_rule: u32,
        root_a: u32,
        root_b: u32,
    }

    /// A state: bits (`ACCEPTS` etc.), spans of the tables, how it is closed if it is the inside of a string, and its twin, the next state of a frame
    /// that has used its last token.
    struct State {
        bits: u32,
        first_edge: u32,
        edge_count: u32,
        first_call: u32,
        call_count: u32,
        close_op: u32,
        close_to: u32,
        twin: u32,
    }

    /// An edge on the bytes from `lo` to `hi`; edges of a state are sorted by `lo`.
    struct Edge { lo: u32, hi: u32, op: u32, to: u32 }

    /// A call with the countdowns of the callee.
    struct Call { rule: u32, ret: u32, op: u32, a: u32, b: u32 }

    /// An operation (`OP_NONE` etc.) on the keys of a shape or on countdowns. Its operands are the maximum `a` and the minimum sum of a guard;
    /// the offset in the table of keys and the number of the keys still possible; or the key that is taken.
    struct Operation { kind: u32, shape: u32, first: u32, second: u32 }

    /// A rule: bits (`COUNTS_TOKENS`), and the set of first bytes of its texts, one bit each, the lowest first.
    struct Rule { start: u32, bits: u32, first_bytes: [u32; 8] }

    /// The keys of an object, in a format and in its masks: bits (`ANY_ORDER` etc.), the number of declared keys, and the offset in the table of
    /// keys and the number of the required keys, which are ascending.
    struct Shape { bits: u32, key_count: u32, first_required: u32, required_count: u32 }

    /// A format in the table of formats: the addresses of its automaton and of its masks.
    struct FormatEntry { automaton: u64, masks: u64 }
}

impl Shape {
    /// Makes the record of an object's keys. `first_required` is the offset of its required keys in the table of keys.
    pub(crate) fn new(shape: &ObjectShape, first_required: u32) -> Self {
        let any_order = shape.order == KeyOrder::Any;
        let bits = bits([(ANY_ORDER, any_order), (HAS_EXTRA, shape.extra), (COUNTS_MEMBERS, shape.counted)]);
        Self { bits, key_count: shape.keys, first_required, required_count: shape.required.len() as u32 }
    }
}

/// First byte of the markers that stand for tokens by name.
const MARKER: u8 = 0xFF;

/// The tables of an automaton, laid out for device memory.
///
/// ```
/// use ogc_cuda::DeviceFormat;
/// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("a", 0);
/// let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
/// builder.start(rule, start);
/// builder.edge(start, b'a', b'a', OpId::NONE, end);
/// builder.accept(end);
/// let format = DeviceFormat::new(&builder.finish((rule, 0, 0), false, Escapes::Any)?)?;
/// assert!(format.bytes().starts_with(b"ogcd"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFormat {
    bytes: Vec<u8>,
}

impl DeviceFormat {
    /// Lays out the tables of an automaton.
    ///
    /// # Errors
    /// The tables take more words than 32 bits can count.
    ///
    /// ```
    /// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// # let mut builder = AutomatonBuilder::new();
    /// # let rule = builder.rule("a", 0);
    /// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    /// # builder.start(rule, start);
    /// # builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// # builder.accept(end);
    /// # let automaton = builder.finish((rule, 0, 0), false, Escapes::Any)?;
    /// assert_eq!(ogc_cuda::DeviceFormat::new(&automaton)?.bytes().len() % 4, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(automaton: &Automaton) -> Result<Self, FormatError> {
        let mut layout = Layout { bytes: vec![0; size_of::<Header>()] };
        let root = automaton.root;
        let header = Header {
            magic: MAGIC,
            version: VERSION,
            bits: bits([
                (NULLABLE, automaton.nullable),
                (ANY_ESCAPES, automaton.escapes == Escapes::Any),
                (READS_MARKERS, automaton.edges.iter().any(|edge| edge.hi == MARKER)),
            ]),
            states: layout.table(states(automaton))?,
            edges: layout.table(automaton.edges.iter().map(edge))?,
            calls: layout.table(automaton.calls.iter().map(call))?,
            ops: layout.table(operations(automaton))?,
            rules: layout.table(automaton.rules.iter().map(rule))?,
            shapes: layout.table(shapes(automaton))?,
            keys: layout.table(keys(automaton).flatten().copied())?,
            root_rule: root.rule.0,
            root_a: root.a,
            root_b: root.b,
        };
        layout.bytes[..size_of::<Header>()].copy_from_slice(header.as_bytes());
        Ok(Self { bytes: layout.bytes })
    }

    /// Returns the bytes. Copy them to an address that is a multiple of 4.
    ///
    /// ```
    /// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// # let mut builder = AutomatonBuilder::new();
    /// # let rule = builder.rule("a", 0);
    /// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    /// # builder.start(rule, start);
    /// # builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// # builder.accept(end);
    /// # let automaton = builder.finish((rule, 0, 0), false, Escapes::Any)?;
    /// assert_eq!(ogc_cuda::DeviceFormat::new(&automaton)?.bytes()[..4], *b"ogcd");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A format being laid out.
pub(crate) struct Layout {
    pub(crate) bytes: Vec<u8>,
}

impl Layout {
    /// Adds a table.
    pub(crate) fn table<R: IntoBytes + Immutable>(
        &mut self,
        records: impl Iterator<Item = R>,
    ) -> Result<Table, FormatError> {
        let first = self.bytes.len() / 4;
        let mut count = 0;
        for record in records {
            self.bytes.extend(record.as_bytes());
            count += 1;
        }
        let given = self.bytes.len() as u64 / 4;
        if given > MOST_WORDS {
            return Err(FormatError { given, limit: MOST_WORDS });
        }
        // Both numbers are below the number of words.
        Ok(Table { first: first as u32, count })
    }
}

fn states(automaton: &Automaton) -> impl Iterator<Item = State> {
    let mut twins = vec![NO_TWIN; automaton.states.len()];
    for (state, twin) in &automaton.twins {
        twins[state.index()] = twin.0;
    }
    // If no state has a twin, the matcher does not count tokens.
    let counts = !automaton.twins.is_empty();
    automaton.states.iter().zip(twins).map(move |(state, twin)| {
        let (close_op, close_to) = state.close.map_or((OpId::NONE.0, 0), |(op, to)| (op.0, to.0));
        State {
            bits: bits([
                (ACCEPTS, state.accept),
                (TEXT, state.kind == StateKind::Text),
                (CLOSES, state.close.is_some()),
                (BARE, state.accept && state.edges.len == 0 && state.calls.len == 0 && state.close.is_none()),
                (COUNTED, counts && automaton.rules[state.rule.index()].counts_tokens),
            ]),
            first_edge: state.edges.first,
            edge_count: state.edges.len,
            first_call: state.calls.first,
            call_count: state.calls.len,
            close_op,
            close_to,
            twin,
        }
    })
}

fn edge(edge: &ogc_runtime::automaton::Edge) -> Edge {
    Edge { lo: edge.lo.into(), hi: edge.hi.into(), op: edge.op.0, to: edge.to.0 }
}

fn call(call: &ogc_runtime::automaton::Call) -> Call {
    Call { rule: call.rule.0, ret: call.ret.0, op: call.op.0, a: call.a, b: call.b }
}

/// Returns whether the device can track the keys of an object: keys in any order need a bit each, and there may be no conditions.
fn is_known(shape: &ObjectShape) -> bool {
    shape.conditions.is_empty() && (shape.order == KeyOrder::Declared || shape.keys as usize <= 32 * SET_WORDS)
}

fn operations(automaton: &Automaton) -> impl Iterator<Item = Operation> {
    let mut next_key = automaton.objects.iter().map(|shape| shape.required.len() as u32).sum();
    automaton.ops.iter().map(move |op| {
        let first_key = next_key;
        // There are fewer keys than words of the format, whose number is checked.
        next_key += possible_keys(op).len() as u32;
        operation(automaton, op, first_key)
    })
}

fn operation(automaton: &Automaton, op: &Op, first_key: u32) -> Operation {
    let of_keys = |kind: u32, object: ObjectId, first: u32, second: u32| {
        let kind = if is_known(&automaton.objects[object.index()]) { kind } else { OP_HOST };
        Operation { kind, shape: object.0, first, second }
    };
    match *op {
        Op::None => Operation { kind: OP_NONE, ..Operation::default() },
        Op::Count { tick, max_a, min_total } => {
            Operation { kind: if tick { OP_TICK } else { OP_COUNT }, shape: 0, first: max_a, second: min_total }
        }
        Op::KeyAlive { object, ref keys, extra } => {
            let kind = if extra { OP_KEY_OR_EXTRA_ALIVE } else { OP_KEY_ALIVE };
            of_keys(kind, object, first_key, keys.len() as u32)
        }
        Op::KeyTake { object, key } => of_keys(OP_KEY_TAKE, object, key, 0),
        Op::KeyTakeExtra { object } => of_keys(OP_KEY_TAKE_EXTRA, object, 0, 0),
        Op::KeyNext { object } => of_keys(OP_KEY_NEXT, object, 0, 0),
        Op::ObjectClose { object } => of_keys(OP_OBJECT_CLOSE, object, 0, 0),
        // It occurs only in objects whose undeclared keys must differ, which a device does not remember.
        Op::Owing { .. } => Operation { kind: OP_HOST, ..Operation::default() },
    }
}

/// Returns the keys of an operation that requires that one of several keys may still come.
fn possible_keys(op: &Op) -> &[u32] {
    match op {
        Op::KeyAlive { keys, .. } => keys,
        Op::None
        | Op::Count { .. }
        | Op::KeyTake { .. }
        | Op::KeyTakeExtra { .. }
        | Op::KeyNext { .. }
        | Op::ObjectClose { .. }
        | Op::Owing { .. } => &[],
    }
}

/// Returns the lists of keys: first the required keys of each object, then the possible keys of each operation.
fn keys(automaton: &Automaton) -> impl Iterator<Item = &[u32]> {
    let required = automaton.objects.iter().map(|shape| &*shape.required);
    required.chain(automaton.ops.iter().map(possible_keys))
}

fn shapes(automaton: &Automaton) -> impl Iterator<Item = Shape> {
    let mut next_required = 0;
    automaton.objects.iter().map(move |shape| {
        let shape = Shape::new(shape, next_required);
        next_required += shape.required_count;
        shape
    })
}

fn rule(rule: &ogc_runtime::automaton::Rule) -> Rule {
    let mut first_bytes = [0; 8];
    for (words, set) in first_bytes.chunks_exact_mut(2).zip(rule.first) {
        words.copy_from_slice(&[set as u32, (set >> 32) as u32]);
    }
    Rule { start: rule.start.0, bits: bits([(COUNTS_TOKENS, rule.counts_tokens)]), first_bytes }
}
