//! Parses the text of a pattern to a [`Pattern`]: alternatives, terms, groups and quantifiers.
//!
//! The grammar is that of ECMA-262 with the `u` flag, extended where schemas in practice need it and all engines agree:
//! identity escapes of punctuation, `{`, `}` and `]` standing alone, `(?P<name>...)`, and `(?i)` at the very beginning.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Half, HalfId, Node, Pattern, SetId, Span};
use super::error::{PatternError, PatternErrorKind as Kind};
use crate::charset::CharSet;
use crate::limits::{LimitError, Limits};

/// The flags in force.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multi_line: bool,
    pub(super) dot_all: bool,
}

/// The line terminators of ECMA-262.
pub(super) const LINE_ENDS: [(u32, u32); 3] = [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// The parser: its position in the text, and its results so far.
pub(super) struct Parser<'p> {
    pub(super) text: &'p str,
    pub(super) at: usize,
    pub(super) flags: Flags,
    depth: usize,
    limits: &'p Limits,
    /// The position of the first class that has both `(` and `[` as members.
    pub(super) swallowing: Option<usize>,
    names: FxHashSet<&'p str>,
    sets: Vec<CharSet>,
    halves: Vec<Half>,
    known: FxHashMap<CharSet, SetId>,
    chars: FxHashMap<(char, bool), SetId>,
}

/// Reads a whole pattern.
pub(crate) fn parse(text: &str, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        flags: Flags::default(),
        depth: 0,
        limits,
        swallowing: None,
        names: FxHashSet::default(),
        sets: Vec::new(),
        halves: Vec::new(),
        known: FxHashMap::default(),
        chars: FxHashMap::default(),
    };
    parser.leading_flags()?;
    let root = parser.alternatives()?;
    if parser.at < text.len() {
        // An unclosed class may have swallowed the parenthesis that opens the group.
        let error = parser.swallowing.map(|start| parser.unclosed(start));
        return Err(error.unwrap_or_else(|| Kind::UnopenedGroup.at(parser.at..parser.at + 1)));
    }
    Ok(Pattern { root, sets: parser.sets, halves: parser.halves })
}

impl<'p> Parser<'p> {
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'p str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Returns the span from `start` to here.
    pub(super) fn since(&self, start: usize) -> Span {
        start..self.at
    }

    /// Interns a set of characters.
    pub(super) fn set(&mut self, set: CharSet) -> SetId {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }

    /// Adds halves of surrogate pairs, all high or all low.
    pub(super) fn half(&mut self, is_high: bool, ranges: Vec<(u32, u32)>, span: Span) -> Node {
        self.halves.push(Half { is_high, ranges, ignores_case: self.flags.ignore_case, span });
        Node::Half(HalfId(self.halves.len() as u32 - 1))
    }

    /// Interns the set of one character, under the flags.
    fn char(&mut self, one: char) -> SetId {
        let key = (one, self.flags.ignore_case);
        if let Some(&known) = self.chars.get(&key) {
            return known;
        }
        let set = self.folded(CharSet::single(one));
        let id = self.set(set);
        self.chars.insert(key, id);
        id
    }

    /// Returns the set, closed under case if the flags say so.
    pub(super) fn folded(&self, set: CharSet) -> CharSet {
        if self.flags.ignore_case { set.fold_case() } else { set }
    }

    fn leading_flags(&mut self) -> Result<(), PatternError> {
        let Some(end) = self.rest().strip_prefix("(?").and_then(|rest| rest.find(')')) else { return Ok(()) };
        let names = &self.text[2..2 + end];
        if names.is_empty() || !names.bytes().all(|name| matches!(name, b'i' | b'm' | b's')) {
            return Ok(());
        }
        self.flags = with_flags(self.flags, names, true).unwrap_or(self.flags);
        self.at = end + 3;
        Ok(())
    }

    fn alternatives(&mut self) -> Result<Node, PatternError> {
        let mut arms = vec![self.sequence()?];
        while self.eat("|") {
            arms.push(self.sequence()?);
        }
        Ok(one_or(arms, Node::Alt))
    }

    fn sequence(&mut self) -> Result<Node, PatternError> {
        let mut terms = Vec::new();
        while let Some(next) = self.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            terms.push(self.term()?);
        }
        Ok(one_or(terms, Node::Concat))
    }

    fn term(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        let node = self.atom()?;
        let Some((min, max)) = self.quantifier()? else { return Ok(node) };
        let span = self.since(start);
        if matches!(node, Node::Start | Node::End | Node::Boundary { .. } | Node::Look { .. }) {
            return Err(Kind::NothingToRepeat.at(span));
        }
        Ok(Node::Repeat { node: Box::new(node), min, max, span })
    }

    fn atom(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        match self.bump() {
            None => Ok(Node::Empty),
            Some('^') => Ok(self.start()),
            Some('$') => Ok(self.end()),
            Some('.') => Ok(self.dot()),
            Some('(') => self.group(start),
            Some('[') => self.class(start),
            Some('\\') => self.escape(start),
            Some('*' | '+' | '?') => Err(Kind::NothingToRepeat.at(self.since(start))),
            Some('{') => self.brace(start),
            Some(other) => Ok(Node::Set(self.char(other))),
        }
    }

    /// Reads a `{`. If it starts no quantifier, it is a character; if it does, there is nothing to repeat.
    fn brace(&mut self, start: usize) -> Result<Node, PatternError> {
        self.at = start;
        match self.counts()? {
            Some(_) => Err(Kind::NothingToRepeat.at(self.since(start))),
            None => {
                self.at = start + 1;
                Ok(Node::Set(self.char('{')))
            }
        }
    }

    pub(super) fn literal(&mut self, one: char) -> Node {
        Node::Set(self.char(one))
    }

    fn dot(&mut self) -> Node {
        let ends = CharSet::from_ranges(LINE_ENDS.to_vec()).complement();
        Node::Set(self.set(if self.flags.dot_all { CharSet::all() } else { ends }))
    }

    fn start(&mut self) -> Node {
        if self.flags.multi_line { self.or_line_end(Node::Start, true) } else { Node::Start }
    }

    fn end(&mut self) -> Node {
        if self.flags.multi_line { self.or_line_end(Node::End, false) } else { Node::End }
    }

    fn or_line_end(&mut self, edge: Node, behind: bool) -> Node {
        let ends = Node::Set(self.set(CharSet::from_ranges(LINE_ENDS.to_vec())));
        let span = self.at - 1..self.at;
        Node::Alt(vec![edge, Node::Look { node: Box::new(ends), behind, negated: false, span }])
    }

    fn group(&mut self, start: usize) -> Result<Node, PatternError> {
        let flags = self.flags;
        let look = self.group_head(start)?;
        self.depth += 1;
        LimitError::check("levels of nested groups", self.depth, self.limits.depth)
            .map_err(|limit| Kind::Limit(limit).at(self.since(start)))?;
        let node = self.alternatives()?;
        self.depth -= 1;
        if !self.eat(")") {
            return Err(Kind::UnclosedGroup.at(start..start + 1));
        }
        self.flags = flags;
        let span = self.since(start);
        Ok(match look {
            None => Node::Concat(vec![node]),
            Some((behind, negated)) => Node::Look { node: Box::new(node), behind, negated, span },
        })
    }

    /// Reads the characters behind a `(`; for a lookaround, returns `(behind, negated)`.
    fn group_head(&mut self, start: usize) -> Result<Option<(bool, bool)>, PatternError> {
        if !self.eat("?") || self.eat(":") {
            return Ok(None);
        }
        for (head, look) in [("=", (false, false)), ("!", (false, true)), ("<=", (true, false)), ("<!", (true, true))] {
            if self.eat(head) {
                return Ok(Some(look));
            }
        }
        if self.eat("<") || self.eat("P<") {
            return self.group_name(start).map(|()| None);
        }
        self.modifiers(start).map(|()| None)
    }

    fn group_name(&mut self, start: usize) -> Result<(), PatternError> {
        let name = self.rest().split('>').next().unwrap_or("");
        let first = name.chars().next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$'));
        let others = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        self.at += name.len();
        if !first || !others || !self.eat(">") || !self.names.insert(name) {
            return Err(Kind::GroupName.at(self.since(start)));
        }
        Ok(())
    }

    fn modifiers(&mut self, start: usize) -> Result<(), PatternError> {
        let end = self.rest().find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(0);
        let names = &self.rest()[..end];
        let unknown = Kind::UnknownGroup.at(start..start + 2);
        self.at += end;
        if names.is_empty() || names == "-" || !self.eat(":") {
            return Err(unknown);
        }
        let (add, remove) = names.split_once('-').unwrap_or((names, ""));
        let clash = add.chars().any(|name| remove.contains(name));
        let changed = with_flags(self.flags, add, true).and_then(|flags| with_flags(flags, remove, false));
        self.flags = changed.filter(|_| !clash).ok_or(unknown)?;
        Ok(())
    }

    /// Reads a quantifier, if there is one here; whether it is lazy does not change the language.
    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let (sign, counts) = match self.peek() {
            Some('*') => ('*', (0, None)),
            Some('+') => ('+', (1, None)),
            Some('?') => ('?', (0, Some(1))),
            Some('{') => return self.counts(),
            _ => return Ok(None),
        };
        let start = self.at;
        self.bump();
        if self.eat("+") {
            return Err(Kind::Possessive(sign).at(self.since(start)));
        }
        self.eat("?");
        Ok(Some(counts))
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`; leaves anything else in place.
    fn counts(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let start = self.at;
        let Some(inner) = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|parts| parts.0)
        else {
            return Ok(None);
        };
        let (low, high) = inner.split_once(',').map_or((inner, None), |(low, high)| (low, Some(high)));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(low) || !high.is_none_or(digits) {
            return Ok(None);
        }
        if low.is_empty() {
            return if high.is_none_or(str::is_empty) { Ok(None) } else { Err(self.no_least(start, inner)) };
        }
        self.at += inner.len() + 2;
        let number = |part: &str| part.parse().unwrap_or(u32::MAX);
        let min = number(low);
        let max = match high {
            None => Some(min),
            Some("") => None,
            Some(high) => Some(number(high)),
        };
        if let Some(max) = max.filter(|&max| max < min) {
            return Err(Kind::CountOrder { min, max }.at(self.since(start)));
        }
        self.eat("?");
        Ok(Some((min, max)))
    }

    fn no_least(&self, start: usize, inner: &str) -> PatternError {
        Kind::Ambiguous { what: "a count without a least number", instead: "`{0,n}`" }
            .at(start..start + inner.len() + 2)
    }
}

/// Returns the only node, or the nodes combined by `join`.
pub(super) fn one_or(mut nodes: Vec<Node>, join: impl Fn(Vec<Node>) -> Node) -> Node {
    match nodes.len() {
        0 => Node::Empty,
        1 => nodes.pop().unwrap_or(Node::Empty),
        _ => join(nodes),
    }
}

/// Returns the flags after switching `names` on or off; `None` for an unknown or repeated name.
fn with_flags(mut flags: Flags, names: &str, on: bool) -> Option<Flags> {
    for (at, name) in names.char_indices() {
        let flag = match name {
            'i' => &mut flags.ignore_case,
            'm' => &mut flags.multi_line,
            's' => &mut flags.dot_all,
            _ => return None,
        };
        if names[..at].contains(name) {
            return None;
        }
        *flag = on;
    }
    Some(flags)
}
