//! The places of names in a grammar, for editors: every rule's name where it is defined and where it is used.

use crate::span::Span;

/// One place where a grammar names a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleName {
    /// The name, as the rule tree has it.
    pub name: String,
    /// Its place; in ISO EBNF of all its words.
    pub span: Span,
    /// What stands there.
    pub kind: RuleNameKind,
}

/// The kind of a place where a rule is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleNameKind {
    /// The head of a rule.
    Definition,
    /// The name in a library, under which it is brought in: `%import common.WORD` in Lark.
    Import,
    /// A use.
    Use,
}

impl RuleName {
    pub(crate) fn new(name: &str, span: Span, kind: RuleNameKind) -> RuleName {
        RuleName { name: name.to_owned(), span, kind }
    }
}
