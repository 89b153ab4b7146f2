//! Compares named tokens and token-counted rules of random automata with a slow, obvious implementation: every bit of every mask, built at
//! first use and ahead of time, after every token of random walks.

use std::collections::BTreeSet;
use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::artifact::{Artifact, Format, write};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Call, Escapes, OpId, Root, RuleId, StateId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::trie::greedy_tokens;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder, marker};

const NAMES: [&str; 6] = ["</s>", "<t>", "<t", "", "ab", "a"];

/// A vocabulary of all bytes, some joins, added tokens that are also text (one of them a byte), and special tokens.
fn vocabulary() -> Arc<Vocabulary> {
    let mut texts: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let joins = ["aa", "ba", "bb", "aba", "\u{e9}", "a\u{e9}", "\u{e9}b\u{e9}", "<t>", "a</s>", "abab", "b<t"];
    texts.extend(joins.iter().map(|text| text.as_bytes().to_vec()));
    texts.extend([&b"a\xC3"[..], b"\xA9a", b"\xA9\xC3", b"\xFFa", b"<t>\xFE", b"\xFF<t>\xFE"].map(<[u8]>::to_vec));
    let mut builder = VocabularyBuilder::new();
    for (id, text) in (0..).zip(&texts) {
        builder.text(id, text).expect("a token");
    }
    for (id, name) in (texts.len() as u64..).zip(NAMES) {
        match name {
            "ab" | "a" => builder.named_text(id, name, name.as_bytes()).expect("a token"),
            _ => builder.special(id, name).expect("a token"),
        }
    }
    Arc::new(builder.build().expect("a vocabulary"))
}

/// A rule that counts tokens: random states between characters, each of which may be the last.
fn counted(builder: &mut AutomatonBuilder, random: &mut Random) -> RuleId {
    let rule = builder.rule("counted", 0);
    builder.count_tokens(rule);
    let mut state = || builder.state(rule, StateKind::Bytes);
    let (start, end, spent) = (state(), state(), state());
    let states: Vec<StateId> = (0..1 + random.below(3)).map(|_| state()).chain([end]).collect();
    builder.start(rule, start);
    for &state in states.iter().chain([&spent]) {
        builder.accept(state);
        builder.spent(state, spent);
    }
    let sources: Vec<StateId> = states.iter().copied().filter(|&state| state != end).chain([start]).collect();
    for &from in &sources {
        for _ in 0..1 + random.below(3) {
            let to = states[random.below(states.len())];
            match random.below(6) {
                0 | 1 => builder.edge(from, b'a', b'a' + random.below(2) as u8, OpId::NONE, to),
                2 => builder.edge(from, b'b', b'b', OpId::NONE, to),
                3 | 4 => {
                    let [middle, rest] = [0; 2].map(|_| builder.state(rule, StateKind::Bytes));
                    builder.edge(from, 0xC3, 0xC3, OpId::NONE, middle);
                    builder.edge(middle, 0xA9, 0xA9, OpId::NONE, to);
                    builder.edge(rest, 0xA9, 0xA9, OpId::NONE, spent);
                    builder.spent(middle, rest);
                }
                _ => token(builder, rule, random, from, to, Some(spent)),
            }
        }
    }
    rule
}

/// Adds a named token between two states. Inside its marker, a counted rule has twins as everywhere.
fn token(
    builder: &mut AutomatonBuilder,
    rule: RuleId,
    random: &mut Random,
    from: StateId,
    to: StateId,
    spent: Option<StateId>,
) {
    let bytes = builder.token(NAMES[random.below(NAMES.len())]);
    let (mut at, mut twin) = (from, None);
    for (index, &byte) in bytes.iter().enumerate() {
        let is_last = index + 1 == bytes.len();
        let next = if is_last { to } else { builder.state(rule, StateKind::Bytes) };
        builder.edge(at, byte, byte, OpId::NONE, next);
        if let Some(spent) = spent {
            let rest = if is_last { spent } else { builder.state(rule, StateKind::Bytes) };
            if let Some(twin) = twin {
                builder.edge(twin, byte, byte, OpId::NONE, rest);
            }
            if !is_last {
                builder.spent(next, rest);
            }
            twin = Some(rest);
        }
        at = next;
    }
}

/// Adds the characters of a token's name.
fn characters(builder: &mut AutomatonBuilder, rule: RuleId, from: StateId, to: StateId) {
    let [one, two] = [0; 2].map(|_| builder.state(rule, StateKind::Bytes));
    for (from, byte, to) in [(from, b'<', one), (one, b't', two), (two, b'>', to)] {
        builder.edge(from, byte, byte, OpId::NONE, to);
    }
}

/// A rule that calls the others.
fn caller(builder: &mut AutomatonBuilder, random: &mut Random, callees: &[RuleId]) -> RuleId {
    let rule = builder.rule("caller", 0);
    let states: Vec<StateId> = (0..3 + random.below(4)).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    builder.start(rule, states[0]);
    for &state in states.iter().skip(1).filter(|_| random.below(3) == 0) {
        builder.accept(state);
    }
    builder.accept(states[states.len() - 1]);
    for &from in &states {
        for _ in 0..1 + random.below(3) {
            let to = states[random.below(states.len())];
            match random.below(7) {
                0 => builder.edge(from, b'a', b'b', OpId::NONE, to),
                1 => builder.edge(from, b'a', b'a', OpId::NONE, to),
                2 => characters(builder, rule, from, to),
                3 | 4 => token(builder, rule, random, from, to, None),
                _ => {
                    let callee = callees[random.below(callees.len())];
                    let a = 1 + random.below(3) as u32;
                    builder.call(from, Call { rule: callee, ret: to, op: OpId::NONE, a, b: 0 });
                }
            }
        }
    }
    rule
}

fn automaton(random: &mut Random) -> Option<Arc<Automaton>> {
    let mut builder = AutomatonBuilder::new();
    let mut rules = vec![counted(&mut builder, random), counted(&mut builder, random)];
    rules.push(caller(&mut builder, random, &rules.clone()));
    let root = if random.below(8) == 0 { rules[0] } else { caller(&mut builder, random, &rules) };
    builder.finish((root, 1 + random.below(3) as u32, 0), random.below(9) == 0, Escapes::Any).map(Arc::new).ok()
}

/// A stack of frames, lowest first: states, and the tokens left.
type Stack = Vec<(StateId, u32)>;

/// All ways to read the text so far, each kept separately.
#[derive(Clone)]
struct Reading<'a> {
    automaton: &'a Automaton,
    vocabulary: &'a Vocabulary,
    stacks: BTreeSet<Stack>,
    nothing_read: bool,
}

impl std::fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} after something: {}", self.stacks, !self.nothing_read)
    }
}

impl<'a> Reading<'a> {
    fn new(automaton: &'a Automaton, vocabulary: &'a Vocabulary) -> Self {
        let Root { rule, a, .. } = automaton.root;
        let stacks = BTreeSet::from([vec![(automaton.rules[rule.index()].start, a)]]);
        Self { automaton, vocabulary, stacks, nothing_read: true }
    }

    fn accepts(&self, state: StateId) -> bool {
        self.automaton.states[state.index()].accept
    }

    fn is_complete(&self) -> bool {
        let ends = |stack: &Stack| stack.iter().all(|(state, _)| self.accepts(*state));
        (self.automaton.nullable && self.nothing_read) || self.stacks.iter().any(ends)
    }

    fn byte(&self, stack: &Stack, byte: u8, out: &mut BTreeSet<Stack>) {
        let Some((&(state, left), below)) = stack.split_last() else { return };
        for edge in self.automaton.edges(state).iter().filter(|edge| edge.lo <= byte && byte <= edge.hi) {
            out.insert([below, &[(edge.to, left)]].concat());
        }
        for call in self.automaton.calls(state) {
            let start = self.automaton.rules[call.rule.index()].start;
            self.byte(&[below, &[(call.ret, left), (start, call.a)]].concat(), byte, out);
        }
        if self.accepts(state) {
            self.byte(&below.to_vec(), byte, out);
        }
    }

    fn bytes(&self, bytes: &[u8]) -> BTreeSet<Stack> {
        bytes.iter().fold(self.stacks.clone(), |stacks, &byte| {
            let mut next = BTreeSet::new();
            stacks.iter().for_each(|stack| self.byte(stack, byte, &mut next));
            next
        })
    }

    /// Returns the stack after a token was counted.
    fn counted(&self, mut stack: Stack) -> Stack {
        if let Some((state, left)) = stack.last_mut()
            && self.automaton.rule_of(*state).counts_tokens
        {
            *left = left.saturating_sub(1);
            let twin = self.automaton.twins.iter().find(|(of, _)| of == state);
            if let Some((_, twin)) = twin.filter(|_| *left == 0) {
                *state = *twin;
            }
        }
        stack
    }

    /// Returns the readings after a token, if it is allowed. The inner `None` is a text that has ended.
    fn after(&self, token: TokenId) -> Option<Option<Self>> {
        if self.vocabulary.eos().contains(&token) && self.is_complete() {
            return Some(None);
        }
        let named = self.vocabulary.name_of(token).map(|name| self.bytes(&marker(name))).unwrap_or_default();
        let text = self.vocabulary.text(token).filter(|text| !text.contains(&0xFF)).unwrap_or_default();
        let read = match (named.is_empty(), text) {
            (false, _) => named,
            (true, b"") => return None,
            (true, text) => self.bytes(text),
        };
        let stacks: BTreeSet<Stack> = read.into_iter().map(|stack| self.counted(stack)).collect();
        (!stacks.is_empty()).then_some(Some(Self { stacks, nothing_read: false, ..self.clone() }))
    }
}

/// Checks that the mask, a fork, the explanation and the readings agree about every token. `None` if the automaton is too ambiguous for the
/// matcher, which reports that.
fn assert_agrees(matcher: &mut Matcher, reading: &Reading<'_>) -> Option<Vec<TokenId>> {
    let mask = matcher.mask().expect("a mask");
    let mut allowed = Vec::new();
    for token in (0..reading.vocabulary.len() as u32).map(TokenId) {
        let right = reading.after(token).is_some();
        assert_eq!(mask.contains(token), right, "mask of {token:?}: {reading:?}");
        let accepted = matcher.fork().accept_token(token);
        if matches!(accepted, Err(MatchError::Limit { .. })) {
            return None;
        }
        assert_eq!(accepted.is_ok(), right, "{token:?}, {accepted:?}: {reading:?}");
        assert_eq!(matcher.explain(token).allowed, right, "explanation of {token:?}: {reading:?}");
        allowed.extend(right.then_some(token));
    }
    assert_eq!(matcher.is_complete(), reading.is_complete());
    assert!(!allowed.is_empty() || reading.is_complete(), "a dead end: {reading:?}");
    Some(allowed)
}

/// Checks that forced bytes are what comes, in the tokens in which they come.
fn assert_forced(matcher: &mut Matcher) {
    let store = Arc::clone(matcher.store());
    let forced = matcher.forced_tokens(|text| greedy_tokens(store.trie(), text).expect("tokens"));
    let bytes = matcher.forced_bytes();
    assert!(forced.is_empty() || !bytes.is_empty());
    assert_eq!(matcher.validate_tokens(&forced), forced.len(), "{forced:?} of {bytes:?}");
    let mut fork = matcher.fork();
    assert_eq!(fork.accept_bytes(&bytes), Ok(()));
}

fn walk(matchers: &mut [Matcher], reading: Reading<'_>, random: &mut Random) {
    let mut past = vec![reading];
    for _ in 0..10 {
        let reading = past.last().expect("a reading").clone();
        let Some(allowed) = assert_agrees(&mut matchers[0], &reading) else { return };
        assert_forced(&mut matchers[0]);
        for other in &mut matchers[1..] {
            assert_eq!(other.mask().expect("a mask").tokens(), allowed, "a packed mask");
        }
        let Some(&token) = allowed.get(random.below(allowed.len())) else { return };
        matchers.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("the mask allows it"));
        let Some(next) = reading.after(token).expect("it is allowed") else { return };
        past.push(next);
        if random.below(5) == 0 {
            let back = 1 + random.below(past.len() - 1);
            past.truncate(past.len() - back);
            matchers.iter_mut().for_each(|matcher| matcher.rollback(back).expect("they were accepted"));
        }
    }
}

/// Checks that a text is complete in time whatever is chosen under a budget, and that the masks agree with the matcher.
fn assert_keeps_budget(matcher: &mut Matcher, random: &mut Random) {
    matcher.reset();
    let limit = match matcher.set_budget(Some(0)) {
        Ok(()) => 0,
        Err(MatchError::Budget { limit, .. }) => limit,
        Err(error) => panic!("{error}"),
    };
    let budget = limit + random.below(6) as u32;
    matcher.set_budget(Some(budget)).expect("it is enough");
    for step in 0.. {
        let mask = matcher.mask().expect("a completion is left");
        let eos = matcher.store().vocabulary().eos().to_vec();
        let mut tokens = mask.tokens();
        tokens.retain(|token| !mask.allows_end() || !eos.contains(token));
        let Some(&token) = tokens.get(random.below(tokens.len())) else {
            assert!(mask.allows_end(), "a dead end");
            return;
        };
        assert!(step < budget, "{step} tokens were written of {budget}");
        for token in (0..matcher.store().vocabulary().len() as u32).map(TokenId) {
            match matcher.fork().accept_token(token) {
                Err(MatchError::Limit { .. }) => return,
                accepted => assert_eq!(accepted.is_ok(), mask.contains(token), "{token:?}: {accepted:?}"),
            }
        }
        matcher.accept_token(token).expect("the mask allows it");
    }
}

#[test]
fn masks_agree_with_a_slow_reader() {
    let vocabulary = vocabulary();
    let (mut built, mut counts) = (0, 0);
    for seed in 1..=160u64 {
        let mut random = Random::new(seed);
        let Some(automaton) = automaton(&mut random) else { continue };
        built += 1;
        counts += usize::from(!automaton.twins.is_empty());
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let pack = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).expect("a pack");
        assert!(pack.report().complete);
        let artifact = Artifact::load(write(&Format::new(Arc::clone(&automaton)), Some(&pack))).expect("an artifact");
        assert_eq!(artifact.format().automaton, automaton);
        let packed = MaskStore::new(Arc::clone(&vocabulary));
        let mut matchers =
            [Matcher::new(Arc::clone(&automaton), store), artifact.matcher(Arc::clone(&packed)).expect("a matcher")];
        for _ in 0..3 {
            walk(&mut matchers, Reading::new(&automaton, &vocabulary), &mut random);
            matchers.iter_mut().for_each(Matcher::reset);
        }
        assert_eq!((packed.stats().bases, packed.stats().tails), (0, 0), "the pack has every mask");
        assert_keeps_budget(&mut matchers[0], &mut random);
        assert_keeps_budget(&mut matchers[1], &mut random);
    }
    assert!(built > 100 && counts > 80, "{built} automata, {counts} of them count");
}
