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

/// Index of an external rule, which another lowering writes: a JSON value inside text.
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
/// Invariants: every id is in range. An expression's children have smaller ids than the expression. Every expression
/// has at most one parent or is the body of one rule. So expressions are trees, and a walk over them is a loop over the
/// arena.
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
    /// Names of the tokens of the vocabulary that literals spell as markers.
    pub tokens: Vec<String>,
    /// Free texts with triggered regions, whose triggers are still to be checked.
    pub mixes: Vec<Mix>,
    /// Captured parts, which do not affect the set of texts. Ordered by body; captures of the same body are ordered
    /// from the inside out.
    pub captures: Vec<Captured>,
    /// Parts that are calls of tools, named after the tools; ordered by body.
    pub calls: Vec<Captured>,
}

/// A named part of a text: a capture, or a call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Name of the capture.
    pub name: String,
    /// The expression of the part.
    pub body: ExprId,
    /// The piece of the expression's text that is the part.
    pub extent: Extent,
    /// Place of the part in the source.
    pub origin: Origin,
}

/// The piece of an expression's text that a capture reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The whole text.
    Whole,
    /// The text without the ignored text at its end, which is a text of this rule.
    WithoutIgnored(RuleId),
    /// The text without its end. Invariant: every text of the expression ends with these bytes.
    Before(Box<[u8]>),
    /// The end of the text. Invariant: every text of the expression ends with these bytes.
    End(Box<[u8]>),
}

/// The regions of one free text with triggers. Each region must begin with a literal or a token, its trigger, that no
/// other region begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    /// The regions.
    pub regions: Vec<ExprId>,
    /// Place of the free text in the source.
    pub origin: Origin,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Name of the rule in the source.
    pub name: String,
    /// Place of the name in the source.
    pub origin: Origin,
    /// The rule's expression.
    pub body: ExprId,
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The kind, with its children.
    pub kind: ExprKind,
    /// Place of the expression in the source.
    pub origin: Origin,
}

/// The places of a grammar's expressions and rules in its text: its source map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<Span>);

impl Places {
    /// Adds a place; returns its origin.
    pub(crate) fn add(&mut self, span: Span) -> Origin {
        self.0.push(span);
        Origin(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }

    /// Returns the place of an origin.
    #[must_use]
    pub fn get(&self, origin: Origin) -> Option<Span> {
        self.0.get((origin.0 as usize).checked_sub(1)?).copied()
    }

    /// Converts a finding's origins to places in the text; a finding without a place gets the beginning of the text.
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

/// The JSON values inside the texts of a grammar in a notation other than `.ogc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrammarValues {
    /// The texts of the values' schemas, indexed by `ExternalId`.
    pub texts: Vec<Spanned<String>>,
    /// The graph of all schemas, once they are read. Its origins are those of the grammar.
    pub schemas: Schemas,
    /// The values' nodes, indexed by `ExternalId`.
    pub nodes: Vec<NodeId>,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Exactly these bytes; they may be empty.
    Literal(Box<[u8]>),
    /// Any text of a regular language.
    Machine(MachineId),
    /// Any text of a rule.
    Rule(RuleId),
    /// The parts one after another; without parts, the empty text.
    Sequence(Box<[ExprId]>),
    /// Any one of the alternatives; without alternatives, no text at all.
    Alternation(Box<[ExprId]>),
    /// The body `min` to `max` times; if `max` is `None`, any number of times from `min`. Invariant:
    /// `min <= max < u32::MAX`.
    Repeat {
        /// The repeated expression.
        body: ExprId,
        /// Minimum number of times.
        min: u32,
        /// Maximum number of times; `None` for no maximum.
        max: Option<u32>,
    },
    /// The texts of the first expression except those of the second. [`crate::pass`]'s step `regular` removes this kind
    /// and all kinds below except the last two.
    Exception(ExprId, ExprId),
    /// The texts that both expressions have.
    Intersection(ExprId, ExprId),
    /// The texts that have no shorter text of the same expression as a prefix.
    Lazy(ExprId),
    /// Free text: any characters, but without the texts of `without` and without the literals that begin the texts
    /// after it.
    Free {
        /// The texts that must not occur in it.
        without: Option<ExprId>,
    },
    /// A text of a regular language, of bounded length.
    Limited {
        /// The text.
        body: ExprId,
        /// Maximum length of the text.
        limit: TextLimit,
    },
    /// A text of an external rule; never the empty text.
    External(ExternalId),
}

/// The maximum length of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextLimit {
    /// Number of characters.
    Chars(u32),
    /// Number of tokens, whatever the vocabulary is.
    Tokens(u32),
}

impl ExprKind {
    /// Returns the same kind with the children replaced by `id`.
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

    /// Returns whether the grammar's texts have parts that a reader is told about: captures, calls, JSON values.
    pub(crate) fn has_parts(&self) -> bool {
        !self.captures.is_empty() || !self.calls.is_empty() || self.has_values()
    }

    /// Returns whether there are JSON values in its texts.
    pub(crate) fn has_values(&self) -> bool {
        self.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::External(_)))
    }

    /// Computes for every expression whether it is inside the operands of an operation, also through rules.
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

    /// Returns for every rule the rules that its body names, in order of place and with repetitions.
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

/// Returns whether the literal spells a token of the vocabulary instead of characters: its first byte never occurs in
/// UTF-8.
#[must_use]
pub fn is_marker(literal: &[u8]) -> bool {
    literal.first() == Some(&0xff)
}
