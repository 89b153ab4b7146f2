//! The places of names in a grammar, for editors: every rule's name where it is defined and where it is used.

use crate::span::Span;

/// One place where a grammar names a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleName {
    /// Name of the rule, as in the rule tree.
    pub name: String,
    /// Place of the name; in ISO EBNF, of all its words.
    pub span: Span,
    /// Kind of the place.
    pub kind: RuleNameKind,
}

/// The kind of a place where a rule is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleNameKind {
    /// The head of a rule.
    Definition,
    /// The name in a library from which it is imported: `%import common.WORD` in Lark.
    Import,
    /// A use.
    Use,
}

impl RuleName {
    pub(crate) fn new(name: &str, span: Span, kind: RuleNameKind) -> RuleName {
        RuleName { name: name.to_owned(), span, kind }
    }
}
