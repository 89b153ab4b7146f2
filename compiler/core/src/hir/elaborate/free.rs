//! Elaborates the built-in texts: `text`, `mix` (text with triggered regions), `substring`, `lazy` and `json`.
//!
//! `raw`, `quoted` and `each` have files of their own.

use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Reference};
use ogc_grammar::{Code, Fix, Span, nearest};
use ogc_regular::{Dfa, DfaState, Edge, StateId};
use ogc_schema::source::Origin;

use super::policy::Policy;
use super::text::Context;
use super::{Elaborator, EnvId};
use crate::hir::builtin::TextKind;
use crate::ir::{ExprId, ExprKind as Ir, Mix, TextLimit};

/// Maximum number of characters in the text of `substring<"...">`.
const SUBSTRING: usize = 100_000;

impl<'db> Elaborator<'db> {
    /// Elaborates a built-in text.
    pub(super) fn builtin_text(
        &mut self,
        kind: TextKind,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        match kind {
            TextKind::Text => self.free(reference, env, context, origin),
            TextKind::Mix => self.mix(expr, reference, env, context, origin),
            TextKind::Substring => self.substring(expr, reference, env, origin),
            TextKind::Lazy => match reference.arguments.as_slice() {
                [Written { name: None, value, .. }] => {
                    let body = self.text(value, env, Context::plain(context.policy));
                    self.parts.expr(Ir::Lazy(body), origin)
                }
                _ => self.wrong_text(expr, env, "`lazy` takes one text", "write `lazy<x>`", origin),
            },
            TextKind::Quoted => self.quoted(expr, reference, env, context, origin),
            TextKind::Raw => self.raw(expr, reference, env, context),
            TextKind::Each => self.each(expr, reference, env, context, origin),
            TextKind::Json => self.json(expr, reference, env, context, origin),
        }
    }

    /// Reports wrong arguments of a built-in text; returns the empty text in its place.
    pub(super) fn wrong_text(&mut self, expr: &Expr, env: EnvId, message: &str, help: &str, origin: Origin) -> ExprId {
        self.error(Code::WrongArguments, expr.span, env, message).help = Some(help.to_owned());
        self.nothing(origin)
    }

    /// Elaborates `text<max_tokens = n, max_chars = n, without = x>`.
    fn free(&mut self, reference: &'db Reference, env: EnvId, context: Context, origin: Origin) -> ExprId {
        let mut without = None;
        let mut limits = Vec::new();
        for written in &reference.arguments {
            match written.name.as_ref().map(|name| name.text.as_str()) {
                Some("without") => {
                    without = Some(self.text(&written.value, env, Context::plain(context.policy)));
                }
                Some("max_tokens") => {
                    limits.extend(self.limit_argument(&written.value, env).map(TextLimit::Tokens));
                }
                Some("max_chars") => {
                    limits.extend(self.limit_argument(&written.value, env).map(TextLimit::Chars));
                }
                Some(given) => {
                    let names = ["without", "max_tokens", "max_chars"];
                    let span = written.name.as_ref().map_or(written.span, |name| name.span);
                    let guess = nearest(given, names).map(|near| self.fix(&Fix::instead(span, near), env));
                    let help = "`text` has `max_tokens = n`, `max_chars = n` and `without = x`";
                    let found = self.error(Code::WrongArguments, written.span, env, "`text` has no such parameter");
                    found.help = Some(help.to_owned());
                    found.guesses.extend(guess);
                }
                None => {
                    let help = "write `max_tokens = 200` or `max_chars = 200`; what cannot occur is `without = x`";
                    self.error(Code::WrongArguments, written.span, env, "the parameters of `text` have names").help =
                        Some(help.to_owned());
                }
            }
        }
        if limits.len() > 1 {
            let message = "a text has one limit: `max_tokens` or `max_chars`";
            self.error(Code::WrongArguments, reference.path.span, env, message).help =
                Some("keep one of them".to_owned());
        }
        let body = self.parts.expr(Ir::Free { without }, origin);
        match limits.first() {
            Some(&limit) => self.parts.expr(Ir::Limited { body, limit }, origin),
            None => body,
        }
    }

    /// Elaborates `mix<stretch, A | B, calls = m..n>` as a stretch and then, `m` to `n` times, a region and a stretch.
    fn mix(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let mut plain = reference.arguments.iter().filter(|written| written.name.is_none());
        let (Some(stretch), Some(regions), None) = (plain.next(), plain.next(), plain.next()) else {
            let help = "write `mix<text, A | B>`, and `calls = 0..3` for how many regions";
            return self.wrong_text(expr, env, "`mix` takes a text and its regions", help, origin);
        };
        let (mut min, mut max) = (0, None);
        for written in reference.arguments.iter().filter(|written| written.name.is_some()) {
            if written.name.as_ref().is_some_and(|name| name.text == "calls") {
                let ends = self.count_argument(&written.value, env);
                let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX - 1).min(u32::MAX - 1);
                min = ends.as_ref().and_then(|ends| ends.min).map_or(0, narrow);
                max = ends.as_ref().and_then(|ends| ends.max).map(narrow).map(|max| max.max(min));
            } else {
                self.error(Code::WrongArguments, written.span, env, "`mix` has no such parameter").help =
                    Some("how many regions there are is `calls = m..n`".to_owned());
            }
        }
        let context = Context::plain(context.policy);
        let stretch = self.shared(&stretch.value, env, context);
        let (union, inside) = self.unfolded_union(&regions.value, env);
        let arms: Vec<&'db Expr> = match &union.kind {
            ExprKind::Union(arms) => arms.iter().map(|arm| &arm.expr).collect(),
            _ => vec![union],
        };
        self.open_unions.push(union);
        let arms: Vec<ExprId> = arms.into_iter().map(|arm| self.text(arm, inside, context)).collect();
        self.open_unions.pop();
        self.parts.mixes.push(Mix { regions: arms.clone(), origin });
        let region = self.parts.expr(Ir::Alternation(arms.into()), origin);
        let behind = self.use_of(stretch, origin);
        let body = self.parts.expr(Ir::Sequence([region, behind].into()), origin);
        let regions = self.parts.expr(Ir::Repeat { body, min, max }, origin);
        let first = self.use_of(stretch, origin);
        self.parts.expr(Ir::Sequence([first, regions].into()), origin)
    }

    /// Returns the union of texts behind a parameter or a rule. Inside its own alternatives, a recursive rule is not
    /// unfolded again.
    fn unfolded_union(&mut self, expr: &'db Expr, env: EnvId) -> (&'db Expr, EnvId) {
        let (inner, inside) = self.unfolded(expr, env);
        let is_union = matches!(inner.kind, ExprKind::Union(_)) && !self.is_value(inner, inside);
        let open = self.open_unions.iter().any(|union| std::ptr::eq(*union, inner));
        if is_union && !open { (inner, inside) } else { (expr.ungrouped(), env) }
    }

    /// Elaborates `substring<"...">`.
    fn substring(&mut self, expr: &'db Expr, reference: &'db Reference, env: EnvId, origin: Origin) -> ExprId {
        let help = "write the text in quotes: `substring<\"...\">`";
        let [Written { name: None, value, .. }] = reference.arguments.as_slice() else {
            return self.wrong_text(expr, env, "`substring` takes one text", help, origin);
        };
        let (inner, inside) = self.unfolded(value, env);
        if self.is_opaque(inner, inside) {
            return self.nothing(origin);
        }
        let ExprKind::String(text) = &inner.kind else {
            return self.wrong_text(value, env, "`substring` takes a text that is known", help, origin);
        };
        let given = text.chars().count();
        if given > SUBSTRING {
            let message = format!("the text has {given} characters; the limit is {SUBSTRING}");
            return self.wrong_text(value, env, &message, "give the part that may be quoted", origin);
        }
        self.parts.machine(factors(text), origin)
    }

    /// Elaborates `json<T, space = "pretty">`.
    fn json(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let Some((first, policy)) = self.json_arguments(expr, reference, env, context.policy) else {
            return self.nothing(origin);
        };
        let rest = reference.arguments.get(1..).unwrap_or_default();
        self.check_escapes(rest_span(rest, expr), env, policy);
        let node = self.value(first, env);
        let value = self.value_use(node, policy, origin);
        self.external(value, env, origin)
    }

    /// Returns the type in `json<T, ...>` and the policies of that use.
    pub(super) fn json_arguments(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        policy: Policy,
    ) -> Option<(&'db Expr, Policy)> {
        let Some((first, rest)) = reference.arguments.split_first().filter(|(first, _)| first.name.is_none()) else {
            self.error(Code::WrongArguments, expr.span, env, "`json` takes a type").help =
                Some("write `json<T>`, and policies after it: `json<T, space = \"pretty\">`".to_owned());
            return None;
        };
        if let Some(stray) = rest.iter().find(|written| written.name.is_none()) {
            self.error(Code::WrongArguments, stray.span, env, "`json` takes one type").help =
                Some("join types with `|`; policies have names: `space = \"pretty\"`".to_owned());
        }
        Some((&first.value, self.arguments_policy(rest, env, policy)))
    }
}

/// Returns the place of the policy `escapes`; the whole expression if it is not set.
pub(super) fn rest_span(policies: &[Written], whole: &Expr) -> Span {
    let escapes = policies.iter().find(|one| one.name.as_ref().is_some_and(|name| name.text == "escapes"));
    escapes.map_or(whole.span, |escapes| escapes.span)
}

/// Returns the automaton of all contiguous parts of a text, the empty part included: the text's suffix automaton over
/// characters (Blumer et al., "The smallest automaton recognizing the subwords of a text", 1985), converted to bytes.
fn factors(text: &str) -> Dfa {
    let mut automaton = Suffixes::default();
    automaton.nodes.push(SuffixNode::default());
    text.chars().for_each(|char| automaton.push(char));
    automaton.spelled()
}

/// A state of a suffix automaton: edges by character, suffix link, and the length of the state's longest text.
#[derive(Clone, Debug, Default)]
struct SuffixNode {
    next: std::collections::BTreeMap<char, usize>,
    link: Option<usize>,
    len: usize,
}

/// A suffix automaton over characters.
#[derive(Debug, Default)]
struct Suffixes {
    nodes: Vec<SuffixNode>,
    last: usize,
}

impl Suffixes {
    /// Appends a character to the text.
    fn push(&mut self, char: char) {
        let fresh = self.nodes.len();
        self.nodes.push(SuffixNode { len: self.nodes[self.last].len + 1, ..SuffixNode::default() });
        let mut at = Some(self.last);
        while let Some(node) = at.filter(|&node| !self.nodes[node].next.contains_key(&char)) {
            self.nodes[node].next.insert(char, fresh);
            at = self.nodes[node].link;
        }
        self.nodes[fresh].link = Some(match at {
            None => 0,
            Some(node) => self.joined(node, char),
        });
        self.last = fresh;
    }

    /// Returns the target of the new state's suffix link. The target is cloned if it also stands for longer texts.
    fn joined(&mut self, node: usize, char: char) -> usize {
        let target = self.nodes[node].next[&char];
        if self.nodes[target].len == self.nodes[node].len + 1 {
            return target;
        }
        let clone = self.nodes.len();
        let mut copy = self.nodes[target].clone();
        copy.len = self.nodes[node].len + 1;
        self.nodes.push(copy);
        self.nodes[target].link = Some(clone);
        let mut at = Some(node);
        while let Some(node) = at.filter(|&node| self.nodes[node].next.get(&char) == Some(&target)) {
            self.nodes[node].next.insert(char, clone);
            at = self.nodes[node].link;
        }
        clone
    }

    /// Converts the automaton to UTF-8 bytes: characters with the same first bytes share states.
    fn spelled(self) -> Dfa {
        let mut states: Vec<DfaState> =
            self.nodes.iter().map(|_| DfaState { accept: true, edges: Vec::new() }).collect();
        for (from, node) in self.nodes.iter().enumerate() {
            for (char, &to) in &node.next {
                let mut buffer = [0; 4];
                let bytes = char.encode_utf8(&mut buffer).as_bytes();
                let mut at = from;
                for (index, &byte) in bytes.iter().enumerate() {
                    let last = index + 1 == bytes.len();
                    let known = states[at].step(byte).filter(|_| !last).map(StateId::index);
                    let next = known.unwrap_or(if last { to } else { states.len() });
                    if next == states.len() {
                        states.push(DfaState::default());
                    }
                    if known.is_none() {
                        states[at].edges.push(Edge { lo: byte, hi: byte, to: StateId(next as u32) });
                    }
                    at = next;
                }
            }
        }
        Dfa::from_states(states)
    }
}

#[cfg(test)]
mod tests {
    use super::factors;

    #[test]
    fn the_substring_automaton_accepts_exactly_the_substrings() {
        for text in ["", "a", "abcbc", "aaaa", "héhé ☃h", "abab\u{10348}ab"] {
            let dfa = factors(text);
            let chars: Vec<char> = text.chars().collect();
            for from in 0..=chars.len() {
                for to in from..=chars.len() {
                    let part: String = chars[from..to].iter().collect();
                    assert!(dfa.contains(part.as_bytes()), "{text:?} {part:?}");
                }
            }
            for other in ["x", "ac", "aaaaa", "hh", "ba\u{10348}", "cb c"] {
                assert_eq!(dfa.contains(other.as_bytes()), text.contains(other), "{text:?} {other:?}");
            }
        }
    }
}
