//! The grammar IR: rules over bytes, between the front ends of grammar notations and the automaton.
//!
//! Characters are gone (a class is a small automaton over its UTF-8 bytes), names are resolved. Repetitions stay
//! symbolic: whether `{m,n}` becomes copies or a countdown is decided where automata are built ([`crate::pass`]).

pub(crate) mod print;

use ogc_grammar::{Diagnostic, Span, Spanned};
use ogc_regular::Dfa;
use ogc_schema::source::{NodeId, Origin, Schemas};

/// Index of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// Index of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

/// Index of a rule that another lowering writes: a JSON value inside text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalId(pub u32);

/// Index of a regular language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineId(pub u32);

impl ExprId {
    /// Returns the position in the list of expressions.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ExternalId {
    /// Returns the position in the list of externals.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RuleId {
    /// Returns the position in the list of rules.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MachineId {
    /// Returns the position in the list of machines.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A grammar over bytes.
///
/// Invariants: every id is in range; an expression's children have lesser ids than itself, and every expression has at
/// most one parent or is one rule's body: expressions are trees, and walks over them are loops over the arena.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// All expressions, children before parents.
    pub exprs: Vec<Expr>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// Character classes and other leaves.
    pub machines: Vec<Dfa>,
    /// The rule of the whole output.
    pub root: RuleId,
    /// Names of the vocabulary's tokens that literals spell as markers.
    pub tokens: Vec<String>,
    /// Free texts with triggered regions, to be checked.
    pub mixes: Vec<Mix>,
    /// Parts that are captured; they change nothing about which texts there are. Ordered by body, those of one body
    /// inner ones first.
    pub captures: Vec<Captured>,
    /// Parts that are calls of tools, by the tools' names; ordered by body.
    pub calls: Vec<Captured>,
}

/// A named part of a text: a capture, or a call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Its name.
    pub name: String,
    /// The expression of the part.
    pub body: ExprId,
    /// Where it is written.
    pub origin: Origin,
}

/// The regions of one free text with triggers. Each begins with a literal or a token by which it is told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    /// The regions.
    pub regions: Vec<ExprId>,
    /// Where it is written.
    pub origin: Origin,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in the source.
    pub name: String,
    /// Where the name is written.
    pub origin: Origin,
    /// What it stands for.
    pub body: ExprId,
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The kind, with its children.
    pub kind: ExprKind,
    /// Where it is written.
    pub origin: Origin,
}

/// The places of a grammar's expressions and rules in its text: its source map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<Span>);

impl Places {
    /// Adds a place; gives the origin by which it is found again.
    pub(crate) fn add(&mut self, span: Span) -> Origin {
        self.0.push(span);
        Origin(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }

    /// The place of an origin.
    #[must_use]
    pub fn get(&self, origin: Origin) -> Option<Span> {
        self.0.get((origin.0 as usize).checked_sub(1)?).copied()
    }

    /// The finding with places in the text; what has no place is about the beginning.
    #[must_use]
    pub fn resolve(&self, found: &Diagnostic<Origin>) -> Diagnostic {
        found.map_places(|origin| self.get(*origin).unwrap_or_default())
    }
}

/// A grammar with its source map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedGrammar {
    /// The grammar.
    pub grammar: Grammar,
    /// The places of its origins.
    pub places: Places,
    /// The JSON values in its texts.
    pub values: GrammarValues,
}

/// The JSON values in the texts of a grammar that is not written in `.ogc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrammarValues {
    /// The texts of their schemas, by `ExternalId`.
    pub texts: Vec<Spanned<String>>,
    /// The graph of all of them, once they were read. Its origins are those of the grammar.
    pub schemas: Schemas,
    /// Their nodes, by `ExternalId`.
    pub nodes: Vec<NodeId>,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// These bytes; may be none.
    Literal(Box<[u8]>),
    /// Any text of a regular language.
    Machine(MachineId),
    /// Any text of a rule.
    Rule(RuleId),
    /// One after another; none is the empty text.
    Sequence(Box<[ExprId]>),
    /// Any one; none is no text at all.
    Alternation(Box<[ExprId]>),
    /// `min` to `max` times, without `max` any number from `min`. Invariant: `min <= max < u32::MAX`.
    Repeat {
        /// The repeated expression.
        body: ExprId,
        /// Least number of times.
        min: u32,
        /// Greatest number of times.
        max: Option<u32>,
    },
    /// The texts of the first without those of the second. Gone after [`crate::pass`]'s step `regular`, as all that
    /// follows but the last two.
    Exception(ExprId, ExprId),
    /// The texts that are in both.
    Intersection(ExprId, ExprId),
    /// The texts of which no shorter beginning is one too.
    Lazy(ExprId),
    /// Free text: any characters without a text of `without` in them, and without the literals with which the texts
    /// behind it begin.
    Free {
        /// The texts that do not occur in it.
        without: Option<ExprId>,
    },
    /// A regular text of bounded length.
    Limited {
        /// The text.
        body: ExprId,
        /// Its length.
        limit: TextLimit,
    },
    /// A text of a rule that another lowering writes; never the empty one.
    External(ExternalId),
}

/// The greatest length of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextLimit {
    /// In characters.
    Chars(u32),
    /// In tokens, whatever the vocabulary.
    Tokens(u32),
}

impl ExprKind {
    /// Returns the kind with other children.
    pub(crate) fn with_children(&self, id: impl Fn(ExprId) -> ExprId) -> ExprKind {
        let ids = |list: &[ExprId]| list.iter().map(|&child| id(child)).collect();
        match self {
            Self::Sequence(items) => Self::Sequence(ids(items)),
            Self::Alternation(arms) => Self::Alternation(ids(arms)),
            Self::Repeat { body, min, max } => Self::Repeat { body: id(*body), min: *min, max: *max },
            Self::Exception(one, other) => Self::Exception(id(*one), id(*other)),
            Self::Intersection(one, other) => Self::Intersection(id(*one), id(*other)),
            Self::Lazy(body) => Self::Lazy(id(*body)),
            Self::Free { without } => Self::Free { without: without.map(id) },
            Self::Limited { body, limit } => Self::Limited { body: id(*body), limit: *limit },
            Self::Literal(_) | Self::Machine(_) | Self::Rule(_) | Self::External(_) => self.clone(),
        }
    }

    /// Returns whether it is an operation on regular operands.
    pub(crate) fn is_operation(&self) -> bool {
        use ExprKind::{Exception, Free, Intersection, Lazy, Limited};
        matches!(self, Exception(..) | Intersection(..) | Lazy(_) | Free { .. } | Limited { .. })
    }

    /// Calls `visit` with every child, first to last.
    pub fn children(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Sequence(items) | Self::Alternation(items) => items.iter().for_each(|&item| visit(item)),
            Self::Repeat { body, .. } | Self::Lazy(body) | Self::Limited { body, .. } => visit(*body),
            Self::Exception(one, other) | Self::Intersection(one, other) => {
                visit(*one);
                visit(*other);
            }
            Self::Free { without } => without.iter().for_each(|&id| visit(id)),
            Self::Literal(_) | Self::Machine(_) | Self::Rule(_) | Self::External(_) => {}
        }
    }
}

impl Grammar {
    /// Returns an expression's kind.
    #[must_use]
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.exprs[id.index()].kind
    }

    /// Returns whether its texts have parts that a reader is told of: captures, calls, JSON values.
    pub(crate) fn has_parts(&self) -> bool {
        !self.captures.is_empty() || !self.calls.is_empty() || self.has_values()
    }

    /// Returns whether there are JSON values in its texts.
    pub(crate) fn has_values(&self) -> bool {
        self.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::External(_)))
    }

    /// Computes for every expression whether it is part of an operation's operands, through rules.
    #[must_use]
    pub fn inside_operands(&self) -> Vec<bool> {
        let mut inside = vec![false; self.exprs.len()];
        let mut open = Vec::new();
        let operations = self.exprs.iter().filter(|expr| expr.kind.is_operation());
        operations.for_each(|expr| expr.kind.children(|child| open.push(child)));
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut inside[id.index()], true) {
                continue;
            }
            self.kind(id).children(|child| open.push(child));
            if let ExprKind::Rule(rule) = self.kind(id) {
                open.push(self.rules[rule.index()].body);
            }
        }
        inside
    }

    /// Returns for every rule the rules that its body names, in order of place, repeated as often as written.
    pub(crate) fn references(&self) -> Vec<Vec<u32>> {
        self.rules.iter().map(|rule| self.named_in(rule.body)).collect()
    }

    fn named_in(&self, body: ExprId) -> Vec<u32> {
        let mut named = Vec::new();
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            if let ExprKind::Rule(rule) = self.kind(id) {
                named.push(rule.0);
            }
            let first = open.len();
            self.kind(id).children(|child| open.push(child));
            open[first..].reverse();
        }
        named
    }
}

/// Returns the literal that spells a token of the vocabulary.
#[must_use]
pub fn marker(name: &str) -> Vec<u8> {
    ogc_runtime::vocabulary::marker(name)
}

/// Returns whether the literal spells a token of the vocabulary, not characters: it begins with a byte that UTF-8 does
/// not have.
#[must_use]
pub fn is_marker(literal: &[u8]) -> bool {
    literal.first() == Some(&0xff)
}
