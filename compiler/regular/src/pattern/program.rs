//! Compiles a pattern to a program of instructions that a set of threads runs over the text (Thompson 1968).
//!
//! Greediness, captures and priorities are gone. A lookaround is an instruction that refers to another entry of the
//! same program. Programs are written from back to front: every piece is given the instruction that follows it.

use super::ast::{HalfId, Node, Pattern, SetId};
use super::error::{INSTRUCTIONS, PatternError, PatternErrorKind as Kind};
use crate::charset::CharSet;
use crate::limits::{LimitError, Limits};

/// Index of an instruction.
pub(super) type Pc = u32;

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instr {
    /// Read one character of the set.
    Char { set: SetId, next: Pc },
    /// Read a surrogate half; [`pairs`](super::pairs) removes all of these.
    Half { half: HalfId, next: Pc },
    /// Go both ways.
    Split(Pc, Pc),
    /// Go on only at the beginning of the text.
    Start { next: Pc },
    /// Go on only at the end of the text.
    End { next: Pc },
    /// Go on only before a character of the set; negated, only before another character or the end.
    Before { set: SetId, negated: bool, next: Pc },
    /// Go on only where the lookbehind has just matched; negated, only where it has not.
    Behind { which: u32, negated: bool, next: Pc },
    /// Go on only where the program at `entry` matches what follows; negated, only where it does not.
    Ahead { entry: Pc, negated: bool, next: Pc },
    /// The search succeeded: the text matches, whatever follows.
    Match,
    /// A lookbehind matches here.
    Found,
}

/// A program: its instructions, the one that it starts with, and the character sets that they use.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) code: Vec<Instr>,
    pub(super) entry: Pc,
    /// Entries of the lookbehinds; each refers only to earlier ones.
    pub(super) behinds: Vec<Pc>,
    pub(super) sets: Vec<CharSet>,
}

/// The part of the text that a pattern must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Any part, as in JSON Schema's `pattern`.
    Anywhere,
    /// All of it.
    Whole,
}

/// Compiles a pattern; [`pairs`](super::pairs) then replaces its surrogate halves.
pub(super) fn write(pattern: Pattern, extent: Extent, limits: &Limits) -> Result<Program, PatternError> {
    let Pattern { root, mut sets, .. } = pattern;
    let any = SetId(sets.len() as u32);
    sets.push(CharSet::all());
    let mut writer =
        Writer { code: Vec::new(), behinds: Vec::new(), words: Vec::new(), any, limit: limits.instructions };
    let entry = writer.top(&root, extent)?;
    Ok(Program { code: writer.code, entry, behinds: writer.behinds, sets })
}

struct Writer {
    code: Vec<Instr>,
    behinds: Vec<Pc>,
    /// Per set of word characters: the lookbehind that tells whether such a character precedes.
    words: Vec<(SetId, u32)>,
    any: SetId,
    limit: usize,
}

impl Writer {
    fn top(&mut self, root: &Node, extent: Extent) -> Result<Pc, PatternError> {
        let done = self.push(Instr::Match).map_err(limit)?;
        match extent {
            Extent::Whole => {
                let end = self.push(Instr::End { next: done }).map_err(limit)?;
                self.node(root, end)
            }
            Extent::Anywhere => {
                let body = self.node(root, done)?;
                if begins(root) { Ok(body) } else { self.anywhere(body).map_err(limit) }
            }
        }
    }

    fn push(&mut self, instr: Instr) -> Result<Pc, LimitError> {
        let at = self.code.len();
        LimitError::check(INSTRUCTIONS, at + 1, self.limit)?;
        self.code.push(instr);
        Ok(at as Pc)
    }

    /// Writes a loop over any text in front of `body`.
    fn anywhere(&mut self, body: Pc) -> Result<Pc, LimitError> {
        let split = self.push(Instr::Split(body, body))?;
        let any = self.push(Instr::Char { set: self.any, next: split })?;
        self.code[split as usize] = Instr::Split(body, any);
        Ok(split)
    }

    /// Writes `node` so that `next` follows it; returns the instruction that it starts with.
    fn node(&mut self, node: &Node, next: Pc) -> Result<Pc, PatternError> {
        match node {
            Node::Empty => Ok(next),
            Node::Set(set) => self.push(Instr::Char { set: *set, next }).map_err(limit),
            Node::Half(half) => self.push(Instr::Half { half: *half, next }).map_err(limit),
            Node::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.node(part, next)),
            Node::Alt(arms) => self.arms(arms, next),
            Node::Start => self.push(Instr::Start { next }).map_err(limit),
            Node::End => self.push(Instr::End { next }).map_err(limit),
            Node::Repeat { node, min, max, span } => {
                self.repeat(node, *min, *max, next).map_err(|error| relocate(error, span))
            }
            Node::Boundary { word, negated, .. } => self.boundary(*word, *negated, next).map_err(limit),
            Node::Look { node, behind: false, negated, .. } => {
                let done = self.push(Instr::Match).map_err(limit)?;
                let entry = self.node(node, done)?;
                self.push(Instr::Ahead { entry, negated: *negated, next }).map_err(limit)
            }
            Node::Look { node, behind: true, negated, .. } => {
                let which = self.behind(node)?;
                self.push(Instr::Behind { which, negated: *negated, next }).map_err(limit)
            }
        }
    }

    fn arms(&mut self, arms: &[Node], next: Pc) -> Result<Pc, PatternError> {
        let mut entry = None;
        for arm in arms.iter().rev() {
            let start = self.node(arm, next)?;
            entry = Some(match entry {
                None => start,
                Some(others) => self.push(Instr::Split(start, others)).map_err(limit)?,
            });
        }
        Ok(entry.unwrap_or(next))
    }

    /// Writes a repetition: `min` copies, and then a loop, or nested optional copies.
    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, next: Pc) -> Result<Pc, PatternError> {
        if max == Some(0) || matches!(node, Node::Empty) {
            return Ok(next);
        }
        let mut entry = next;
        match max {
            None => {
                entry = self.push(Instr::Split(next, next)).map_err(limit)?;
                let body = self.node(node, entry)?;
                self.code[entry as usize] = Instr::Split(body, next);
                if min == 1 {
                    return Ok(body);
                }
            }
            Some(max) => {
                for _ in min..max {
                    let before = self.code.len();
                    let body = self.node(node, entry)?;
                    if self.code.len() == before {
                        break;
                    }
                    entry = self.push(Instr::Split(body, next)).map_err(limit)?;
                }
            }
        }
        for _ in 0..min {
            let before = self.code.len();
            entry = self.node(node, entry)?;
            if self.code.len() == before {
                break;
            }
        }
        Ok(entry)
    }

    /// Writes a word boundary: a word character precedes and none follows, or the other way round.
    fn boundary(&mut self, word: SetId, negated: bool, next: Pc) -> Result<Pc, LimitError> {
        let which = self.word(word)?;
        let follows = self.push(Instr::Before { set: word, negated: false, next })?;
        let ends = self.push(Instr::Before { set: word, negated: true, next })?;
        let (after_word, after_other) = if negated { (follows, ends) } else { (ends, follows) };
        let one = self.push(Instr::Behind { which, negated: false, next: after_word })?;
        let other = self.push(Instr::Behind { which, negated: true, next: after_other })?;
        self.push(Instr::Split(one, other))
    }

    fn word(&mut self, set: SetId) -> Result<u32, LimitError> {
        if let Some(&(_, which)) = self.words.iter().find(|known| known.0 == set) {
            return Ok(which);
        }
        let found = self.push(Instr::Found)?;
        let body = self.push(Instr::Char { set, next: found })?;
        let entry = self.anywhere(body)?;
        let which = self.behinds.len() as u32;
        self.behinds.push(entry);
        self.words.push((set, which));
        Ok(which)
    }

    fn behind(&mut self, node: &Node) -> Result<u32, PatternError> {
        if let Some(error) = looks_on(node) {
            return Err(error);
        }
        let found = self.push(Instr::Found).map_err(limit)?;
        let body = self.node(node, found)?;
        let entry = self.anywhere(body).map_err(limit)?;
        self.behinds.push(entry);
        Ok(self.behinds.len() as u32 - 1)
    }
}

/// Makes a limit error without a position; the nearest enclosing quantifier sets it.
fn limit(error: LimitError) -> PatternError {
    Kind::Limit(error).at(0..0)
}

/// Gives a limit error without a position the position of the repetition that caused it.
fn relocate(error: PatternError, span: &super::ast::Span) -> PatternError {
    if error.span == (0..0) { error.kind.at(span.clone()) } else { error }
}

/// Returns whether every match begins at the start of the text.
fn begins(node: &Node) -> bool {
    match node {
        Node::Start => true,
        Node::Concat(parts) => parts.first().is_some_and(begins),
        Node::Alt(arms) => arms.iter().all(begins),
        _ => false,
    }
}

/// Returns the error for a node in a lookbehind that looks at the text after it: a single pass cannot know that text
/// yet.
fn looks_on(node: &Node) -> Option<PatternError> {
    let refuse = |what, span: &super::ast::Span| Some(Kind::Unsupported(what).at(span.clone()));
    match node {
        Node::Boundary { span, .. } => refuse("a word boundary in a lookbehind", span),
        Node::Look { behind: false, span, .. } => refuse("a lookahead in a lookbehind", span),
        Node::End => refuse("the end of the text in a lookbehind", &(0..0)),
        Node::Look { node, .. } | Node::Repeat { node, .. } => looks_on(node),
        Node::Concat(parts) | Node::Alt(parts) => parts.iter().find_map(looks_on),
        Node::Empty | Node::Set(_) | Node::Half(_) | Node::Start => None,
    }
}
