//! The findings of lowering and exports about a schema; their places are still handles into a source map.

mod in_ogc;

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::LimitError;
use ogc_regular::budget::Spender;
use ogc_runtime::automaton::BuildError;
use ogc_schema::source::Origin;
use ogc_schema::{SchemaError, SchemaErrorKind};

use crate::contradiction::Contradiction;

/// A finding about a schema that cannot be compiled, or cannot be written in another notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SchemaFault {
    /// The keyword or schema at fault.
    pub origin: Origin,
    /// The cause, which prints as the message.
    pub kind: SchemaFaultKind,
}

/// Lists the causes of a [`SchemaFault`]; each prints as a message in the words of JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaFaultKind {
    /// The algebra refuses the schema.
    #[error(transparent)]
    Schema(#[from] SchemaErrorKind),
    /// The compilation exceeds its budget; this place used most of it.
    #[error("{0}, and this part uses most of them")]
    Budget(LimitError),
    /// Indented values nest without a bound, or too deeply for one rule per level.
    #[error(transparent)]
    Nesting(LimitError),
    /// The conditions of the schema exclude each other.
    #[error("no JSON value satisfies this schema")]
    Unsatisfiable,
    /// The conditions of the schema exclude each other, and the conflicting ones are known.
    #[error("no JSON value satisfies this schema: {0}")]
    Contradiction(Box<Contradiction>),
    /// A closed object declares fewer keys than its minimum of members.
    #[error("no object has so many properties: the keys that are left are all declared")]
    TooFewKeys,
    /// More members are needed than there are undeclared keys, and no declared key may follow an undeclared one.
    #[error(
        "`minProperties` cannot be enforced in declared order: no declared key comes behind the undeclared ones, and these are too few"
    )]
    FewUndeclaredKeys,
    /// Members with undeclared keys would have to be counted, but grammar rules cannot count.
    #[error("rules cannot enforce `minProperties` of an object with undeclared keys: they could repeat")]
    RulesForMinProperties,
    /// Items that are not listed strings are required and must differ, and there may be too few different values.
    #[error("`uniqueItems` over free items cannot be enforced where an item that must come may have no new value left")]
    FreeItemsDiffer,
    /// Too many required items must differ.
    #[error(transparent)]
    ManyItemsDiffer(LimitError),
    /// Too many combinations of item counts would have to be distinguished.
    #[error(transparent)]
    Counts(LimitError),
    /// An array needs items to reach its minimum, but each such item would count towards a bound.
    #[error("`maxContains` and `minItems` interact here")]
    CountedPadding,
    /// The runtime refuses the automaton.
    #[error(transparent)]
    Automaton(#[from] BuildError),
    /// Strings may have escapes that Python reads in another way, beside Python's words.
    #[error("with Python's words, escapes are canonical: Python reads `\\/` and `\\ud83d\\ude00` in another way")]
    PythonEscapes,
    /// Keys may come in any order, which grammar rules cannot express.
    #[error("rules cannot say that keys come in any order, each once")]
    RulesForAnyOrder,
    /// Items must differ, which grammar rules cannot express.
    #[error("rules cannot say that no two items are equal")]
    RulesForUniqueItems,
    /// Items are counted, which grammar rules cannot express.
    #[error("rules do not count the items that are of a kind")]
    RulesForContains,
    /// The automaton of a pattern with a length is too large.
    #[error(transparent)]
    RulesForLength(LimitError),
    /// The automaton of the keys other than the named ones is too large.
    #[error(transparent)]
    RulesForKeys(LimitError),
    /// The texts of an automaton need too many rules.
    #[error(transparent)]
    TooManyRules(LimitError),
}

impl SchemaFault {
    /// Makes a fault with its origin.
    #[must_use]
    pub fn new(origin: Origin, kind: SchemaFaultKind) -> Self {
        Self { origin, kind }
    }

    /// Makes the finding at a single place, without labels, in the words of JSON Schema.
    #[must_use]
    pub fn at<P>(&self, place: P) -> Diagnostic<P> {
        Diagnostic::error(self.kind.code(), place, self.to_string()).help(self.kind.help())
    }

    /// Makes the finding in the words of JSON Schema; `place` maps origins to places.
    #[must_use]
    pub fn placed<P>(&self, place: impl Fn(Origin) -> P) -> Diagnostic<P> {
        self.finding().map_places(|origin| place(*origin))
    }

    /// Makes the finding with origins as places, in the words of JSON Schema.
    #[must_use]
    pub fn finding(&self) -> Diagnostic<Origin> {
        let found = self.at(self.origin);
        match &self.kind {
            SchemaFaultKind::Contradiction(kind) => labelled(found, kind.labels()),
            _ => found,
        }
    }

    /// Makes the fault of one schema that exceeds a limit.
    #[must_use]
    pub fn limit(origin: Origin, error: LimitError) -> Self {
        SchemaError::new(origin, error).into()
    }

    /// Makes the fault of a compilation that exceeds its budget; `place` used most of it.
    #[must_use]
    pub fn budget(place: Spender, error: LimitError) -> Self {
        Self::new(Origin(place.0), SchemaFaultKind::Budget(error))
    }
}

impl From<SchemaError> for SchemaFault {
    fn from(SchemaError { origin, kind }: SchemaError) -> Self {
        Self { origin, kind: SchemaFaultKind::Schema(kind) }
    }
}

impl From<&SchemaError> for SchemaFault {
    fn from(error: &SchemaError) -> Self {
        error.clone().into()
    }
}

impl SchemaFaultKind {
    /// Returns the code under which the fault is explained.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Schema(kind) => code_of_schema(kind),
            Self::Budget(_) | Self::Nesting(_) => Code::Limit,
            Self::Unsatisfiable
            | Self::Contradiction(_)
            | Self::TooFewKeys
            | Self::Automaton(BuildError::Empty { .. }) => Code::EmptyFormat,
            Self::FewUndeclaredKeys | Self::RulesForMinProperties => Code::MinPropertiesOpen,
            Self::FreeItemsDiffer | Self::ManyItemsDiffer(_) => Code::UniqueItems,
            Self::Counts(_) | Self::CountedPadding => Code::Contains,
            Self::Automaton(_) => Code::Automaton,
            Self::PythonEscapes => Code::PythonEscapes,
            Self::RulesForAnyOrder => Code::ExportOrder,
            Self::RulesForUniqueItems => Code::ExportUnique,
            Self::RulesForContains => Code::ExportContains,
            Self::RulesForLength(_) | Self::RulesForKeys(_) => Code::ExportLength,
            Self::TooManyRules(_) => Code::ExportSize,
        }
    }

    /// Returns advice for the author of a JSON Schema.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Schema(kind) => kind.help(),
            Self::Budget(_) => "make this part smaller, or split the format into several",
            Self::Nesting(_) => "bound the depth of the values, or do not indent them",
            Self::Unsatisfiable => "look for a required key or a bound that contradicts another",
            Self::Contradiction(found) => found.help(),
            Self::TooFewKeys => "lower `minProperties`",
            Self::FewUndeclaredKeys => "let keys come in any order, or lower `minProperties`",
            Self::RulesForMinProperties => {
                "close the object with `additionalProperties: false`, require keys by name, or ask for one property"
            }
            Self::FreeItemsDiffer => {
                "let items that must come have more values, set `minItems` and `minContains` to 1, or list the items as an `enum` of strings"
            }
            Self::ManyItemsDiffer(_) => "lower `minItems` and `minContains`, or list the items as an `enum` of strings",
            Self::Counts(_) => "use small numbers for `minContains` and `maxContains`",
            Self::CountedPadding => "let some item of the array be outside of `contains`",
            Self::Automaton(_) => "simplify the schema",
            Self::PythonEscapes => "write `escapes = \"canonical\"`, or leave `escapes` out",
            Self::RulesForAnyOrder => "export with the declared order of keys",
            Self::RulesForUniqueItems => "drop `uniqueItems`, or limit the array to one item",
            Self::RulesForContains => "say the items by position, or drop `contains`",
            Self::RulesForLength(_) => "say the length in the pattern",
            Self::RulesForKeys(_) => "use simpler patterns of keys",
            Self::TooManyRules(_) => {
                "bound the length, as in `string<..60>` or `maxLength`, or write a simpler pattern; the artifact and \
                 `.ogc` itself have no such limit"
            }
        }
    }
}

/// Adds labels at known places, at most one for each place.
fn labelled(found: Diagnostic<Origin>, labels: impl Iterator<Item = (Origin, String)>) -> Diagnostic<Origin> {
    labels.filter(|(place, _)| *place != Origin::default()).fold(found, |found, (place, label)| {
        let is_there = found.labels.iter().any(|(known, _)| *known == place);
        if is_there { found } else { found.label(place, label) }
    })
}

/// Returns the code of an error of the algebra, which knows no codes.
fn code_of_schema(kind: &SchemaErrorKind) -> Code {
    match kind {
        SchemaErrorKind::Empty => Code::EmptyFormat,
        SchemaErrorKind::UnknownFormat { .. } => Code::Format,
        SchemaErrorKind::Limit(_) => Code::Limit,
        SchemaErrorKind::Number(_) => Code::Number,
        SchemaErrorKind::Pattern(_) => Code::Pattern,
        SchemaErrorKind::RawBrackets | SchemaErrorKind::RawWithoutEnd => Code::RawValue,
        SchemaErrorKind::Cycle => Code::ReferenceCycle,
        SchemaErrorKind::EqualItems | SchemaErrorKind::UnnamedKey { .. } | SchemaErrorKind::FormatComplement { .. } => {
            Code::UnsupportedComplement
        }
    }
}
