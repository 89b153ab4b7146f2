//! Elaborates `quoted<x>`: JSON strings whose decoded characters are a text of `x`, for texts inside JSON, such as the
//! input of a tool.
//!
//! Each character has one spelling: itself if JSON allows it, otherwise its two-character escape, otherwise `\u00xx`.
//! No spelling is a prefix of another. So the strings are described by a grammar, recursive or not, with spellings in
//! place of characters. That grammar is a copy of all rules that `x` uses. They are known only when no rule waits for
//! its body, so [`Elaborator::settle_quotes`] writes the copy at the end.

use always_assert::never;
use ogc_grammar::ogc::ast::{Argument as Written, Expr, Reference};
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::{Dfa, DfaState, Edge, StateId, budget};
use ogc_schema::source::Origin;
use rustc_hash::FxHashMap;

use super::instances::WaitingQuote;
use super::text::Context;
use super::{Elaborator, EnvId};
use crate::ir::{ExprId, ExprKind as Ir, RuleId, is_marker};

/// The rules that are being copied.
#[derive(Default)]
struct Copies {
    /// The copy of each rule.
    rules: FxHashMap<RuleId, RuleId>,
    /// The rules whose copies have no body yet, each with the origin of the use that needs the copy.
    waiting: Vec<(RuleId, Origin)>,
}

impl<'db> Elaborator<'db> {
    /// Elaborates `quoted<x>`.
    pub(super) fn quoted(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let [Written { name: None, value, .. }] = reference.arguments.as_slice() else {
            return self.wrong_text(expr, env, "`quoted` takes one text", "write `quoted<x>`", origin);
        };
        let text = self.parts.rule("text", origin);
        let body = self.text(value, env, Context::plain(context.policy));
        self.parts.rules[text.index()].body = body;
        let rule = self.parts.rule("quoted", origin);
        self.parts.rules[rule.index()].body = self.nothing(origin);
        self.instances.quotes.push(WaitingQuote { rule, text, origin });
        self.parts.expr(Ir::Rule(rule), origin)
    }

    /// Writes the rules of all uses of `quoted`. When an item is elaborated alone, the rules that it names are empty,
    /// so nothing is written.
    pub(super) fn settle_quotes(&mut self) {
        let quotes = std::mem::take(&mut self.instances.quotes);
        if quotes.is_empty() || self.is_alone() || !self.findings.is_sound() {
            return;
        }
        let mut copies = Copies::default();
        for WaitingQuote { rule, text, origin } in &quotes {
            let inside = self.copy_of(*text, *origin, &mut copies);
            let quote = |parts: &mut super::ModuleParts| parts.expr(Ir::Literal(b"\"".as_slice().into()), *origin);
            let (opens, closes) = (quote(&mut self.parts), quote(&mut self.parts));
            let inside = self.parts.expr(Ir::Rule(inside), *origin);
            let body = self.parts.expr(Ir::Sequence([opens, inside, closes].into()), *origin);
            self.parts.rules[rule.index()].body = body;
        }
        let placeholders: Vec<RuleId> = quotes.iter().map(|quote| quote.rule).collect();
        while let Some((rule, used)) = copies.waiting.pop() {
            if budget::exhausted() || !self.copy_body(rule, used, &placeholders, &mut copies) {
                return;
            }
        }
    }

    /// Returns the copy of a rule; the body of a new copy is queued.
    fn copy_of(&mut self, rule: RuleId, used: Origin, copies: &mut Copies) -> RuleId {
        if let Some(&known) = copies.rules.get(&rule) {
            return known;
        }
        let original = &self.parts.rules[rule.index()];
        let (name, origin) = (original.name.clone(), original.origin);
        let copy = self.parts.rule(&name, origin);
        copies.rules.insert(rule, copy);
        copies.waiting.push((rule, used));
        copy
    }

    /// Writes the body of a rule's copy; returns whether it can be quoted.
    fn copy_body(&mut self, rule: RuleId, used: Origin, quotes: &[RuleId], copies: &mut Copies) -> bool {
        let body = self.parts.rules[rule.index()].body;
        let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in self.below(body) {
            let (kind, origin) = (self.parts.exprs[id.index()].kind.clone(), self.parts.exprs[id.index()].origin);
            if let Some(what) = what_is_no_text(&kind, quotes) {
                let message = format!("{what} cannot be `quoted`: characters alone have a spelling in a string");
                let found = Diagnostic::error(Code::WrongArguments, used, message).label(origin, "this part");
                self.findings.add(found.help("quote a text of literals, patterns and rules of them"));
                return false;
            }
            let copy = match kind {
                Ir::Literal(text) => self.parts.expr(Ir::Literal(spelled(&text).into()), origin),
                Ir::Machine(machine) => {
                    let dfa = spelled_automaton(&self.parts.machines[machine.index()]);
                    self.parts.machine(dfa, origin)
                }
                Ir::Rule(inner) => {
                    let inner = self.copy_of(inner, used, copies);
                    self.parts.expr(Ir::Rule(inner), origin)
                }
                other => {
                    let kind = other.with_children(|child| new.get(&child).copied().unwrap_or(child));
                    self.parts.expr(kind, origin)
                }
            };
            new.insert(id, copy);
        }
        let (Some(copy), Some(body)) = (copies.rules.get(&rule), new.get(&body)) else {
            never!("{:?} is copied without a body", rule);
            return false;
        };
        self.parts.rules[copy.index()].body = *body;
        true
    }

    /// Returns an expression and all below it, children before parents.
    fn below(&self, root: ExprId) -> Vec<ExprId> {
        let (mut all, mut open) = (Vec::new(), vec![root]);
        while let Some(id) = open.pop() {
            all.push(id);
            self.parts.exprs[id.index()].kind.children(|child| open.push(child));
        }
        all.sort_unstable();
        all
    }
}

/// Describes an expression that is more than characters; `None` if it is only characters.
fn what_is_no_text(kind: &Ir, quotes: &[RuleId]) -> Option<&'static str> {
    match kind {
        Ir::External(_) => Some("a JSON value"),
        Ir::Free { .. } => Some("free text"),
        Ir::Limited { .. } => Some("a text whose length is counted"),
        Ir::Literal(text) if is_marker(text) => Some("a token of the vocabulary"),
        Ir::Rule(rule) if quotes.contains(rule) => Some("what is quoted already"),
        _ => None,
    }
}

/// Returns whether a byte is a character that must be escaped in a JSON string.
fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\')
}

/// Returns the escape of a character that must be escaped.
fn escape(byte: u8) -> Vec<u8> {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        _ => return format!("\\u{byte:04x}").into_bytes(),
    };
    vec![b'\\', letter]
}

/// Returns the spelling of a text in a JSON string.
fn spelled(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|&byte| if is_escaped(byte) { escape(byte) } else { vec![byte] }).collect()
}

/// Returns the automaton of the spellings of an automaton's texts.
fn spelled_automaton(dfa: &Dfa) -> Dfa {
    let kept =
        |state: &DfaState| DfaState { accept: state.accept, edges: state.edges.iter().flat_map(plain).collect() };
    let mut states: Vec<DfaState> = dfa.states().iter().map(kept).collect();
    for (from, state) in dfa.states().iter().enumerate() {
        for byte in (0..=u8::MAX).filter(|byte| is_escaped(*byte)) {
            if let Some(to) = state.step(byte) {
                add(&mut states, from, &escape(byte), to);
            }
        }
    }
    for state in &mut states {
        state.edges.sort_by_key(|edge| edge.lo);
    }
    Dfa::from_states(states)
}

/// Returns the parts of an edge whose bytes need no escape.
fn plain(edge: &Edge) -> Vec<Edge> {
    let mut parts: Vec<Edge> = Vec::new();
    for byte in (edge.lo..=edge.hi).filter(|byte| !is_escaped(*byte)) {
        match parts.last_mut().filter(|last| last.hi + 1 == byte) {
            Some(last) => last.hi = byte,
            None => parts.push(Edge { lo: byte, hi: byte, to: edge.to }),
        }
    }
    parts
}

/// Adds the path of a spelling between two states. Spellings that leave the same state share their prefixes.
fn add(states: &mut Vec<DfaState>, from: usize, spelling: &[u8], to: StateId) {
    let Some((last, init)) = spelling.split_last() else { return };
    let mut at = from;
    for &byte in init {
        at = match states[at].edges.iter().find(|edge| edge.lo == byte && edge.hi == byte) {
            Some(edge) => edge.to.index(),
            None => {
                let next = states.len();
                states.push(DfaState::default());
                states[at].edges.push(Edge { lo: byte, hi: byte, to: StateId(next as u32) });
                next
            }
        };
    }
    states[at].edges.push(Edge { lo: *last, hi: *last, to });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_spelled_as_json_does() {
        let all: String = (0..0x100u32).chain([0x2028, 0x1_0348, 0x10_ffff]).filter_map(char::from_u32).collect();
        let written = serde_json::to_string(&all).expect("JSON");
        assert_eq!(written.as_bytes(), [b"\"", spelled(all.as_bytes()).as_slice(), b"\""].concat());
    }

    #[test]
    fn a_quoted_automaton_accepts_exactly_the_json_spellings() {
        let dfa = Dfa::any_text();
        let quoted = spelled_automaton(&dfa);
        for text in ["", "a\"b\\c", "\n\r\t\u{8}\u{c}\u{0}\u{1f} \u{7f}", "\u{e9}\u{10348}"] {
            assert!(quoted.contains(&spelled(text.as_bytes())), "{text:?}");
        }
        for wrong in ["\"", "\n", "\\", "\\a", "\\u000", "\\u000A", "\\u000a", "\\u0041", "\\/", "\u{1}"] {
            assert!(!quoted.contains(wrong.as_bytes()), "{wrong:?}");
        }
        let line = Dfa::char_class([('\u{8}', '\u{10}'), ('!', '#'), ('[', ']')]);
        let quoted = spelled_automaton(&line);
        for byte in 0..=0x7fu8 {
            let spelled = spelled(&[byte]);
            assert_eq!(quoted.contains(&spelled), line.contains(&[byte]), "{byte}");
        }
    }
}
