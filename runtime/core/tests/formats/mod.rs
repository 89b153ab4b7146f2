//! Hand-built formats, a small vocabulary full of tokens that cross frames, and the check that a mask is exact. The runtime's tests share
//! this; they need automata only, and no compiler.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

pub mod tries;

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Call, Escapes, KeyConditions, KeyOrder, ObjectId, ObjectShape, Op, OpId, RuleId,
    StateId, StateKind, UNBOUNDED,
};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};

/// Checks for every token of the vocabulary that the mask has it if and only if the matcher accepts it.
pub fn assert_mask_is_exact(matcher: &mut Matcher) {
    let mask = matcher.mask().expect("a mask");
    let len = matcher.store().vocabulary().len() as u32;
    let words = (len as usize).div_ceil(32) + 1;
    let mut bits = vec![u32::MAX; words];
    mask.fill(&mut bits);
    for token in (0..len).map(TokenId) {
        let accepted = matcher.accept_token(token);
        let allowed = accepted.is_ok();
        if allowed {
            matcher.rollback(1).expect("one was accepted");
        }
        let text = matcher.store().vocabulary().text(token).unwrap_or_default().to_vec();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(mask.contains(token), allowed, "token {token:?} `{text}`: {accepted:?}");
        let bit = bits[token.index() / 32] >> (token.0 % 32) & 1 == 1;
        assert_eq!(bit, allowed, "bit of token {token:?} `{text}`");
    }
    assert_eq!(bits[words - 1], 0, "words beyond the vocabulary are cleared");
}

/// A vocabulary of all bytes, joined tokens as in typical JSON, and random joins of structural bytes.
pub fn vocabulary() -> Arc<Vocabulary> {
    let mut texts: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let joins = [
        "\":",
        "\",",
        "\"}",
        "\"]",
        "}}",
        "]]",
        "{\"",
        "[[",
        "[[[",
        "\",\"",
        "\":\"",
        "\\n",
        "\\u00",
        "\\u",
        "\\\"",
        "\"a\":",
        "\"a\":\"",
        "a\":1",
        "é",
        "日本",
        "日",
        "\u{1F600}",
        "hello",
        "aaaa",
        "aaaaaaaa",
        "bb\":",
        "1}",
        "12",
        "],[",
        "\"}}",
        "a\"",
        "ab",
        "abc",
        "\"a",
        "{\"a\":\"",
        "1,\"",
        "\",\"bb\":",
        "xyz",
        "0]",
        "d83d",
        "\\ud83d\\ude00",
        "a\"}",
        "aab",
        "aac",
        "\"},",
        "\"\"",
    ];
    texts.extend(joins.iter().map(|text| text.as_bytes().to_vec()));
    texts.push("日".as_bytes()[..2].to_vec());
    let mut random = Random::new(7);
    let alphabet = b"{}[]\":,abc01\\ua ";
    for _ in 0..300 {
        let len = 2 + random.below(3);
        texts.push((0..len).map(|_| alphabet[random.below(alphabet.len())]).collect());
    }
    let mut builder = VocabularyBuilder::new();
    for (id, text) in (0..).zip(&texts) {
        // Added tokens that are read as text like any other; one of them is a single byte.
        let name = NAMED_TEXTS.into_iter().find(|name| name.as_bytes() == text);
        match name.filter(|_| texts[..id as usize].iter().all(|other| other != text)) {
            Some(name) => builder.named_text(id, name, text).expect("a token"),
            None => builder.text(id, text).expect("a token"),
        }
    }
    for (id, name) in (texts.len() as u64..).zip(SPECIALS) {
        builder.special(id, name).expect("a token");
    }
    Arc::new(builder.build().expect("a vocabulary"))
}

/// Special tokens: an end of sequence, and names that begin one another.
const SPECIALS: [&str; 5] = ["</s>", "<t>", "<t", "<t>x", ""];

/// Added tokens that are also text.
const NAMED_TEXTS: [&str; 4] = ["ab", "abc", "x", "日本"];

/// Adds edges that spell bytes from one state to another.
pub fn spell(builder: &mut AutomatonBuilder, rule: RuleId, from: StateId, bytes: &[u8], to: StateId) {
    let mut at = from;
    for (left, &byte) in (0..bytes.len()).rev().zip(bytes) {
        let next = if left == 0 { to } else { builder.state(rule, StateKind::Bytes) };
        builder.edge(at, byte, byte, OpId::NONE, next);
        at = next;
    }
}

/// A rule with named tokens: beside the text of their names, one after another, before a call, and after text.
fn tokens(builder: &mut AutomatonBuilder) -> RuleId {
    let number = digits(builder);
    let rule = builder.rule("tokens", 7);
    let [start, thought, body, after, text, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    for (name, to) in [("<t>", thought), ("<t", body), ("ab", body), ("", after), ("x", text)] {
        let marker = builder.token(name);
        spell(builder, rule, start, &marker, to);
    }
    spell(builder, rule, start, b"abc", text);
    spell(builder, rule, start, b"ab", end);
    spell(builder, rule, start, b"<t>", end);
    builder.call(thought, call(number, after, 0, 0));
    builder.call(body, call(rule, end, 0, 0));
    builder.edge(text, b'a', b'z', OpId::NONE, text);
    for (from, name, to) in [(after, "</s>", body), (text, "</s>", end), (text, "x", after), (end, "</s>", thought)] {
        let marker = builder.token(name);
        spell(builder, rule, from, &marker, to);
    }
    rule
}

/// A string that may begin with a named token, or with any character except the token's first letter.
fn token_in_string(builder: &mut AutomatonBuilder) -> RuleId {
    let rule = builder.rule("string with a token", 8);
    let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    let [first, body] = std::array::from_fn(|_| builder.state(rule, StateKind::Text));
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'"', b'"', OpId::NONE, first);
    any_text(builder, rule, body, OpId::NONE);
    builder.close(body, OpId::NONE, end);
    builder.edge(first, 0x20, b'`', OpId::NONE, body);
    builder.edge(first, b'b', 0x7F, OpId::NONE, body);
    for name in ["ab", "x", "<t>"] {
        let bytes = builder.token(name);
        let mut at = first;
        for (left, &byte) in (0..bytes.len()).rev().zip(&bytes) {
            let next = if left == 0 { body } else { builder.state(rule, StateKind::Text) };
            builder.edge(at, byte, byte, OpId::NONE, next);
            at = next;
        }
    }
    rule
}

/// Adds edges for "any character" from `body` back to it, with `op` on the first byte.
pub fn any_text(builder: &mut AutomatonBuilder, rule: RuleId, body: StateId, op: OpId) {
    let none = OpId::NONE;
    let mut text = |from: StateId, lo: u8, hi: u8, to: Option<StateId>| {
        let to = to.unwrap_or_else(|| builder.state(rule, StateKind::Text));
        let op = if from == body { op } else { none };
        builder.edge(from, lo, hi, op, to);
        to
    };
    text(body, 0x00, 0x7F, Some(body));
    let last = text(body, 0xC2, 0xDF, None);
    text(last, 0x80, 0xBF, Some(body));
    let two = text(body, 0xE1, 0xEC, None);
    text(body, 0xEE, 0xEF, Some(two));
    text(two, 0x80, 0xBF, Some(last));
    let after_e0 = text(body, 0xE0, 0xE0, None);
    text(after_e0, 0xA0, 0xBF, Some(last));
    let after_ed = text(body, 0xED, 0xED, None);
    text(after_ed, 0x80, 0x9F, Some(last));
    let three = text(body, 0xF1, 0xF3, None);
    text(three, 0x80, 0xBF, Some(two));
    let after_f0 = text(body, 0xF0, 0xF0, None);
    text(after_f0, 0x90, 0xBF, Some(two));
    let after_f4 = text(body, 0xF4, 0xF4, None);
    text(after_f4, 0x80, 0x8F, Some(two));
}

/// A rule for JSON strings. If `counted`, the countdown counts the characters.
pub fn string(builder: &mut AutomatonBuilder, counted: bool) -> RuleId {
    let rule = builder.rule("string", 1);
    let start = builder.state(rule, StateKind::Bytes);
    let body = builder.state(rule, StateKind::Text);
    let end = builder.state(rule, StateKind::Bytes);
    let count = |tick, max_a| Op::Count { tick, max_a, min_total: 0 };
    let (tick, close) = if counted {
        (builder.op(count(true, u32::MAX)), builder.op(count(false, 0)))
    } else {
        (OpId::NONE, OpId::NONE)
    };
    builder.start(rule, start);
    builder.edge(start, b'"', b'"', OpId::NONE, body);
    any_text(builder, rule, body, tick);
    builder.close(body, close, end);
    builder.accept(end);
    rule
}

/// A rule for one or more digits.
pub fn digits(builder: &mut AutomatonBuilder) -> RuleId {
    let rule = builder.rule("digits", 2);
    let start = builder.state(rule, StateKind::Bytes);
    let more = builder.state(rule, StateKind::Bytes);
    builder.start(rule, start);
    builder.edge(start, b'0', b'9', OpId::NONE, more);
    builder.edge(more, b'0', b'9', OpId::NONE, more);
    builder.accept(more);
    rule
}

/// A call with countdowns.
pub fn call(rule: RuleId, ret: StateId, a: u32, b: u32) -> Call {
    Call { rule, ret, op: OpId::NONE, a, b }
}

/// A key of an object: its name, whether it is required, the rule of its value, and the countdowns of that rule.
pub type Key<'a> = (&'a str, bool, (RuleId, u32, u32));

/// An object under construction.
struct Object<'a> {
    builder: &'a mut AutomatonBuilder,
    rule: RuleId,
    id: ObjectId,
    after: StateId,
    keys: &'a [Key<'a>],
    extra: Option<RuleId>,
    /// The state of an undeclared key's text, and the state after the key.
    free: Option<(StateId, StateId)>,
}

/// A rule for objects. `extra` is the rule for values of undeclared keys.
pub fn object(
    builder: &mut AutomatonBuilder,
    keys: &[Key<'_>],
    extra: Option<RuleId>,
    order: KeyOrder,
    counted: bool,
) -> RuleId {
    let rule = builder.rule("object", 3);
    let required = (0u32..).zip(keys).filter(|(_, key)| key.1).map(|(index, _)| index);
    let shape = ObjectShape {
        keys: keys.len() as u32,
        required: required.collect(),
        order,
        extra: extra.is_some(),
        counted,
        conditions: KeyConditions::default(),
    };
    let id = builder.object(rule, shape);
    let [start, first, after, comma, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'{', b'{', OpId::NONE, first);
    let close = builder.op(Op::ObjectClose { object: id });
    let next = builder.op(Op::KeyNext { object: id });
    builder.edge(first, b'}', b'}', close, end);
    builder.edge(after, b'}', b'}', close, end);
    builder.edge(after, b',', b',', next, comma);
    let mut object = Object { builder, rule, id, after, keys, extra, free: None };
    object.extra_keys();
    let root = object.key_state(&[]);
    object.builder.edge(first, b'"', b'"', next, root);
    object.builder.edge(comma, b'"', b'"', OpId::NONE, root);
    rule
}

impl Object<'_> {
    fn extra_keys(&mut self) {
        let Some(value) = self.extra else { return };
        let free = self.builder.state(self.rule, StateKind::Text);
        any_text(self.builder, self.rule, free, OpId::NONE);
        let take = self.builder.op(Op::KeyTakeExtra { object: self.id });
        let colon = self.value(value, 0, UNBOUNDED);
        self.builder.close(free, take, colon);
        self.free = Some((free, colon));
    }

    /// Returns the state after the key's quote, from which `:` leads to the value.
    fn value(&mut self, rule: RuleId, a: u32, b: u32) -> StateId {
        let colon = self.builder.state(self.rule, StateKind::Bytes);
        let value = self.builder.state(self.rule, StateKind::Bytes);
        self.builder.edge(colon, b':', b':', OpId::NONE, value);
        self.builder.call(value, call(rule, self.after, a, b));
        colon
    }

    /// Returns the state of keys that begin with `prefix`.
    fn key_state(&mut self, prefix: &[u8]) -> StateId {
        let state = self.builder.state(self.rule, StateKind::Text);
        let keys = self.keys;
        match keys.iter().position(|(name, ..)| name.as_bytes() == prefix) {
            Some(key) => {
                let take = Op::KeyTake { object: self.id, key: key as u32 };
                let take = self.builder.op(take);
                let (rule, a, b) = keys[key].2;
                let colon = self.value(rule, a, b);
                self.builder.close(state, take, colon);
            }
            None => {
                if let Some((_, colon)) = self.free {
                    let take = self.builder.op(Op::KeyTakeExtra { object: self.id });
                    self.builder.close(state, take, colon);
                }
            }
        }
        for byte in 0..=0x7F {
            self.key_edge(state, prefix, byte);
        }
        state
    }

    fn key_edge(&mut self, state: StateId, prefix: &[u8], byte: u8) {
        let mut longer = prefix.to_vec();
        longer.push(byte);
        let begins = |(_, (name, ..)): &(u32, &Key<'_>)| name.as_bytes().starts_with(&longer);
        let keys: Box<[u32]> = (0u32..).zip(self.keys).filter(begins).map(|(index, _)| index).collect();
        let extra = self.extra.is_some();
        let to = match self.free {
            _ if !keys.is_empty() => self.key_state(&longer),
            Some((free, _)) => free,
            None => return,
        };
        let alive = self.builder.op(Op::KeyAlive { object: self.id, keys, extra });
        self.builder.edge(state, byte, byte, alive, to);
    }
}

/// Arrays of anything: strings, digits, arrays. If `counted`, the array's own countdown counts its items.
pub fn nested(builder: &mut AutomatonBuilder, counted: bool) -> RuleId {
    let (text, number) = (string(builder, false), digits(builder));
    let rule = builder.rule("array", 4);
    let [start, first, after, comma, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'[', b'[', OpId::NONE, first);
    let count = |tick, max_a, min_total| Op::Count { tick, max_a, min_total };
    let (item, more, close) = if counted {
        (builder.op(count(true, u32::MAX, 0)), builder.op(count(false, u32::MAX, 1)), builder.op(count(false, 0, 0)))
    } else {
        (OpId::NONE, OpId::NONE, OpId::NONE)
    };
    builder.edge(first, b']', b']', close, end);
    builder.edge(after, b']', b']', close, end);
    builder.edge(after, b',', b',', more, comma);
    for from in [first, comma] {
        for value in [text, number, rule] {
            builder.call(from, Call { rule: value, ret: after, op: item, a: 0, b: 3 });
        }
    }
    rule
}

/// Two rules that read the same text and are followed by different bytes, and a tail call.
fn ambiguous(builder: &mut AutomatonBuilder) -> RuleId {
    let letters = |builder: &mut AutomatonBuilder, twice: bool| {
        let rule = builder.rule("letters", 5);
        let [start, one, two] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
        builder.start(rule, start);
        builder.edge(start, b'a', b'a', OpId::NONE, one);
        builder.edge(one, b'a', b'a', OpId::NONE, if twice { two } else { one });
        builder.edge(two, b'a', b'a', OpId::NONE, one);
        builder.accept(if twice { two } else { one });
        rule
    };
    let (any, even) = (letters(builder, false), letters(builder, true));
    let rule = builder.rule("ambiguous", 6);
    let [start, left, right, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    builder.call(start, call(any, left, 0, 0));
    builder.call(start, call(even, right, 0, 0));
    builder.call(start, call(even, end, 0, 0));
    builder.edge(left, b'b', b'b', OpId::NONE, end);
    builder.edge(right, b'b', b'c', OpId::NONE, end);
    builder.call(right, call(rule, end, 0, 0));
    builder.edge(left, b'"', b'"', OpId::NONE, start);
    rule
}

/// Text without `<` and `,`, of at most `a` tokens and `b` characters, for the `a` and `b` of a call.
pub fn limited(builder: &mut AutomatonBuilder) -> RuleId {
    let rule = builder.rule("limited", 9);
    let [start, body, last, middle, spent, spent_last, spent_middle] =
        std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.count_tokens(rule);
    builder.accept(body);
    builder.accept(spent);
    for (state, twin) in [(body, spent), (last, spent_last), (middle, spent_middle)] {
        builder.spent(state, twin);
    }
    let tick = builder.op(Op::Count { tick: true, max_a: u32::MAX, min_total: 0 });
    for from in [start, body] {
        for (lo, hi, to) in [(0x20, b'+', body), (b'-', b';', body), (b'=', 0x7F, body), (0xC2, 0xDF, last)] {
            builder.edge(from, lo, hi, tick, to);
        }
        builder.edge(from, 0xE6, 0xE6, tick, middle);
    }
    for (from, to) in [(last, body), (middle, last), (spent_last, spent), (spent_middle, spent_last)] {
        builder.edge(from, 0x80, 0xBF, OpId::NONE, to);
    }
    rule
}

/// Limited texts, one inside another, after a token and before one.
fn thoughts(builder: &mut AutomatonBuilder) -> RuleId {
    let inner = limited(builder);
    let rule = builder.rule("thoughts", 10);
    let [start, open, text, after, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    let [begin, finish] = ["<t>", "<t"].map(|name| builder.token(name));
    spell(builder, rule, start, &begin, open);
    spell(builder, rule, start, b"<", text);
    builder.call(open, call(inner, after, 3, UNBOUNDED));
    builder.call(open, call(rule, after, 0, 0));
    builder.call(text, call(inner, after, 2, 6));
    builder.call(text, call(inner, text, 1, 3));
    spell(builder, rule, after, &finish, end);
    spell(builder, rule, after, b",", open);
    spell(builder, rule, after, b"<", end);
    rule
}

fn finish(builder: AutomatonBuilder, root: (RuleId, u32, u32), escapes: Escapes) -> Arc<Automaton> {
    Arc::new(builder.finish(root, false, escapes).expect("a format"))
}

fn objects(order: KeyOrder, open: bool, count: Option<(u32, u32)>) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let (text, number) = (string(&mut builder, false), digits(&mut builder));
    let short = string(&mut builder, true);
    let keys = [
        ("a", true, (text, 0, 0)),
        ("bb", false, (number, 0, 0)),
        ("abc", true, (short, 1, 3)),
        ("ab", false, (number, 0, 0)),
    ];
    let extra = open.then_some(number);
    let rule = object(&mut builder, &keys, extra, order, count.is_some());
    let (a, b) = count.unwrap_or((0, 0));
    finish(builder, (rule, a, b), Escapes::Any)
}

/// An object with more keys than objects whose key sets are enumerated.
fn seven_keys(open: bool, count: Option<(u32, u32)>) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let (text, number) = (string(&mut builder, false), digits(&mut builder));
    let names = ["a", "ab", "abc", "b", "bb", "x", "hello"];
    let key = |at: usize| (names[at], at.is_multiple_of(3), (if at.is_multiple_of(2) { text } else { number }, 0, 0));
    let keys: Vec<Key<'_>> = (0..names.len()).map(key).collect();
    let rule = object(&mut builder, &keys, open.then_some(number), KeyOrder::Any, count.is_some());
    let (a, b) = count.unwrap_or((0, 0));
    finish(builder, (rule, a, b), Escapes::Any)
}

/// All formats, with names.
pub fn all() -> Vec<(&'static str, Arc<Automaton>)> {
    let counted = |a, b, escapes| {
        let mut builder = AutomatonBuilder::new();
        let rule = string(&mut builder, true);
        finish(builder, (rule, a, b), escapes)
    };
    let rule_of = |make: fn(&mut AutomatonBuilder) -> RuleId, a, b| {
        let mut builder = AutomatonBuilder::new();
        let rule = make(&mut builder);
        finish(builder, (rule, a, b), Escapes::Any)
    };
    vec![
        ("string", rule_of(|builder| string(builder, false), 0, 0)),
        ("string of 2 to 5", counted(2, 3, Escapes::Any)),
        ("string of 30 to 90", counted(30, 60, Escapes::Canonical)),
        ("string of 3 or more", counted(3, UNBOUNDED, Escapes::Any)),
        ("declared order", objects(KeyOrder::Declared, false, None)),
        ("declared order, open", objects(KeyOrder::Declared, true, None)),
        ("any order", objects(KeyOrder::Any, false, None)),
        ("any order, open", objects(KeyOrder::Any, true, None)),
        ("any order, 3 to 4", objects(KeyOrder::Any, true, Some((3, 1)))),
        ("declared order, 2 to 3", objects(KeyOrder::Declared, false, Some((2, 1)))),
        ("arrays", rule_of(|builder| nested(builder, false), 0, 0)),
        ("arrays of 0 to 3", rule_of(|builder| nested(builder, true), 0, 3)),
        ("arrays of 12 or more", rule_of(|builder| nested(builder, true), 12, UNBOUNDED)),
        ("ambiguous", rule_of(ambiguous, 0, 0)),
        ("limited", rule_of(limited, 4, 9)),
        ("thoughts", rule_of(thoughts, 0, 0)),
        ("tokens", rule_of(tokens, 0, 0)),
        ("token in a string", rule_of(token_in_string, 0, 0)),
        ("seven keys in any order", seven_keys(false, None)),
        ("seven keys in any order, open", seven_keys(true, None)),
        ("seven keys in any order, 4 to 6", seven_keys(true, Some((4, 2)))),
    ]
}
