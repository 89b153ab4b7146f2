//! Items: the top-level parts of a file.

use super::doc::Doc;
use super::expr::{Argument, Attribute, Expr, ExprKind, Reference};
use super::json::{Json, JsonMember};
use super::name::Name;
use crate::span::{Span, Spanned};

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct File {
    /// Items in source order; names may repeat.
    pub items: Vec<Item>,
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// Doc comments before the item.
    pub docs: Vec<Doc>,
    /// Attributes before the item.
    pub attributes: Vec<Attribute>,
    /// Kind of the item, with its parts.
    pub kind: ItemKind,
    /// Span from the first attribute to the end, without doc comments.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// An item that could not be read; the error was reported. If the item has a name, the name counts as defined.
    Error(Option<Name>),
    /// `type Name<parameters> = values`
    Type(Definition),
    /// `rule name<parameters> = text`
    Rule(Definition),
    /// `output Name = text`; has no parameters unless an error was reported.
    Output(Definition),
    /// `test Name { ... }`
    Test(Test),
    /// `import ...`
    Import(Import),
    /// `policy space = "any"`
    Policy(Policy),
}

/// A name and the expression that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The name.
    pub name: Name,
    /// The parameters between `<` and `>`; empty if there are none.
    pub parameters: Vec<Parameter>,
    /// Expression that the name stands for.
    pub body: Expr,
}

/// One parameter of a definition: `T` or `max = 50`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The name.
    pub name: Name,
    /// Value of the parameter if no argument is given.
    pub default: Option<Expr>,
    /// Span of the name and the default.
    pub span: Span,
}

/// Policies of the whole file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// The policies. Invariant: at least one, each with a name.
    pub settings: Vec<Argument>,
}

/// An import from another file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// The names that are imported, or the whole file.
    pub imported: Imported,
    /// The path as written, escapes resolved.
    pub path: Spanned<String>,
    /// The definitions that `with { ... }` replaces; empty if there are none.
    pub overrides: Vec<Override>,
}

/// The names that an import brings into scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Imported {
    /// `import A, B as C from "..."`. Invariant: at least one.
    Names(Vec<ImportedName>),
    /// `import "..." as module`
    Whole(Name),
}

/// One imported name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImportedName {
    /// Name in the imported file; in quotes if it is not a word.
    pub name: Name,
    /// Name in this file, if `as` gives another.
    pub alias: Option<Name>,
}

/// `NUMBER = /[0-9]+/` in an import's `with { ... }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Override {
    /// The name in the imported file.
    pub name: Name,
    /// Expression that the name stands for instead.
    pub value: Expr,
    /// Span of the name and the value.
    pub span: Span,
}

/// Texts that an item accepts or rejects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The definition that is tested, with arguments if it has parameters. Invariant: a reference.
    pub target: Expr,
    /// Cases in source order.
    pub cases: Vec<Case>,
}

/// One `accept` or `reject`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Doc comments before the case.
    pub docs: Vec<Doc>,
    /// Whether the case is `accept` or `reject`.
    pub expectation: Expectation,
    /// The text or value.
    pub subject: Subject,
    /// Expected captures after `with`: each name with the text or texts that it captures.
    pub captures: Vec<JsonMember>,
    /// The text after `because`.
    pub reason: Option<Spanned<String>>,
    /// Span from `accept` or `reject` to the end.
    pub span: Span,
}

/// The result that a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// The whole subject is in the set.
    Accept,
    /// The whole subject is not in the set.
    Reject,
}

/// The subject of a case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Texts and tokens in sequence. Invariant: at least one.
    Text(Vec<Piece>),
    /// A JSON object or array, written by the codec of the target.
    Json(Json),
}

/// A part of a text under test.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Kind of the piece, with its content.
    pub kind: PieceKind,
    /// Place of the piece, with the quotes.
    pub span: Span,
}

/// The kinds of pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// `"..."` or `'...'`
    Text(String),
    /// `tok"..."`
    Token(String),
}

impl Test {
    /// Returns the definition that is tested, and its arguments.
    #[must_use]
    pub fn reference(&self) -> Option<&Reference> {
        match &self.target.kind {
            ExprKind::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// Returns the name of the definition that is tested, if it has no arguments and is defined in this file or
    /// imported by name.
    #[must_use]
    pub fn name(&self) -> Option<&Name> {
        match self.reference()? {
            Reference { path, arguments } if arguments.is_empty() && path.segments.len() == 1 => path.segments.first(),
            _ => None,
        }
    }
}

impl Item {
    /// Returns the definition of a type, rule or output; `None` for other items.
    #[must_use]
    pub fn definition(&self) -> Option<&Definition> {
        match &self.kind {
            ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition) => Some(definition),
            ItemKind::Error(_) | ItemKind::Test(_) | ItemKind::Import(_) | ItemKind::Policy(_) => None,
        }
    }

    /// Returns the outermost expressions of the item: arguments of attributes, defaults of parameters, bodies, values.
    #[must_use]
    pub fn expressions(&self) -> Vec<&Expr> {
        let attributes = self.attributes.iter().flat_map(|attribute| &attribute.arguments);
        let mut all: Vec<&Expr> = attributes.map(|argument| &argument.value).collect();
        match &self.kind {
            ItemKind::Type(one) | ItemKind::Rule(one) | ItemKind::Output(one) => {
                all.extend(one.parameters.iter().filter_map(|parameter| parameter.default.as_ref()));
                all.push(&one.body);
            }
            ItemKind::Import(import) => all.extend(import.overrides.iter().map(|one| &one.value)),
            ItemKind::Policy(policy) => all.extend(policy.settings.iter().map(|setting| &setting.value)),
            ItemKind::Test(test) => all.push(&test.target),
            ItemKind::Error(_) => {}
        }
        all
    }
}
