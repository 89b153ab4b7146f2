//! The table of attributes, which serves to resolve, check, suggest and explain their names.
//!
//! Every policy is an attribute too; the policies are in [`super::SETTINGS`]. Policies of schemas stand before imports.

mod check;

use ogc_grammar::Level;
use ogc_grammar::ogc::ast::Attribute;

pub(super) use check::check_attributes;

use super::setting::{PolicyKind, SchemaPolicyKind, Setting, SettingKind};

/// A row of the table of attributes, for an attribute other than a policy.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct AttributeInfo {
    /// The name after `@`.
    pub name: &'static str,
    /// The attribute.
    pub kind: AttributeKind,
    /// The places where it may stand.
    pub sites: &'static [Site],
    /// Advice on where to write it.
    pub home: &'static str,
    /// Arguments of the attribute in words, to follow "it takes".
    pub takes: &'static str,
    /// One sentence of documentation for authors.
    pub doc: &'static str,
}

/// The attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeKind {
    /// A keyword of JSON Schema that constrains nothing.
    Annotation,
    /// The maximum costs of a definition.
    Budget,
    /// The value that an absent field has.
    Default,
    /// Marks a definition, field or branch as deprecated.
    Deprecated,
    /// The key that tells the branches of a union apart.
    Discriminator,
    /// Example values.
    Examples,
    /// The level of findings with given codes: allowed, warnings or errors.
    Level(Level),
    /// A policy.
    Policy(PolicyKind),
    /// A policy for reading imported schemas.
    Schemas(SchemaPolicyKind),
    /// The text that may stand between parts.
    Skip,
    /// A name for people.
    Title,
}

/// A place where attributes may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// Before a type.
    Type,
    /// Before a rule.
    Rule,
    /// Before an output.
    Output,
    /// Before an import.
    Import,
    /// Before a policy or a test.
    OtherItem,
    /// Before a field.
    Member,
    /// Before a branch of a union of values.
    Branch,
    /// Before another expression.
    Expression,
}

/// Sites of attributes on definitions.
const DEFINITIONS: &[Site] = &[Site::Type, Site::Rule, Site::Output];
const ITEMS: &[Site] = &[Site::Type, Site::Rule, Site::Output, Site::Import, Site::OtherItem];
const DESCRIBED: &[Site] = &[Site::Type, Site::Rule, Site::Output, Site::Member, Site::Branch];
const VALUES: &[Site] = &[Site::Type, Site::Member, Site::Branch];
const EVERYWHERE_INSIDE: &[Site] =
    &[Site::Type, Site::Rule, Site::Output, Site::Member, Site::Branch, Site::Expression];

/// The attributes that are no policies, in alphabetical order.
pub static ATTRIBUTES: [AttributeInfo; 11] = [
    level("allow", Level::Allow, "Leaves out warnings and notes of these codes in the item."),
    AttributeInfo {
        name: "annotation",
        kind: AttributeKind::Annotation,
        sites: VALUES,
        home: "write it before a type, a field or a branch of a type",
        takes: "a keyword of JSON Schema in quotes, and its value",
        doc: "Keeps a keyword of JSON Schema that constrains nothing, for exports.",
    },
    AttributeInfo {
        name: "budget",
        kind: AttributeKind::Budget,
        sites: DEFINITIONS,
        home: "write it before a type, rule or output",
        takes: "`states = 400`, `mask = \"64KiB\"`, `build = \"50ms\"`, at least one of them",
        doc: "Says what the definition may cost; more is an error.",
    },
    AttributeInfo {
        name: "default",
        kind: AttributeKind::Default,
        sites: VALUES,
        home: "write it before a type, a field or a branch of a type",
        takes: "one value",
        doc: "Gives the value that is meant where none is written; it changes no mask.",
    },
    level("deny", Level::Deny, "Makes warnings and notes of these codes errors in the item."),
    AttributeInfo {
        name: "deprecated",
        kind: AttributeKind::Deprecated,
        sites: DESCRIBED,
        home: "write it before an item, a field or a branch of a type",
        takes: "nothing, or why, in quotes",
        doc: "Warns whoever uses the definition.",
    },
    AttributeInfo {
        name: "discriminator",
        kind: AttributeKind::Discriminator,
        sites: &[Site::Type],
        home: "write it before a type that is a union of records",
        takes: "the name of a key, in quotes",
        doc: "Names the key whose literals tell the branches of a union apart.",
    },
    AttributeInfo {
        name: "examples",
        kind: AttributeKind::Examples,
        sites: DESCRIBED,
        home: "write it before a definition, a field or a branch of a type",
        takes: "at least one value",
        doc: "Gives values as they may be, for prompts and exports.",
    },
    AttributeInfo {
        name: "skip",
        kind: AttributeKind::Skip,
        sites: &[Site::Rule, Site::Output],
        home: "write it before a rule or output",
        takes: "the text between the parts",
        doc: "Allows a text between neighbouring parts, such as white space.",
    },
    AttributeInfo {
        name: "title",
        kind: AttributeKind::Title,
        sites: DESCRIBED,
        home: "write it before a definition, a field or a branch of a type",
        takes: "one text in quotes",
        doc: "Gives a name for people, for prompts and exports.",
    },
    level("warn", Level::Warn, "Makes notes of these codes warnings in the item."),
];

const fn level(name: &'static str, level: Level, doc: &'static str) -> AttributeInfo {
    let kind = AttributeKind::Level(level);
    let takes = "the codes of findings, in quotes";
    AttributeInfo { name, kind, sites: ITEMS, home: "write it before an item", takes, doc }
}

impl AttributeKind {
    /// Returns the attribute of this name.
    ///
    /// ```
    /// use ogc_compiler::hir::{AttributeKind, PolicyKind};
    /// assert_eq!(AttributeKind::of("title"), Some(AttributeKind::Title));
    /// assert_eq!(AttributeKind::of("space"), Some(AttributeKind::Policy(PolicyKind::Space)));
    /// assert_eq!(AttributeKind::of("nullable"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str) -> Option<AttributeKind> {
        let own = ATTRIBUTES.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.kind);
        own.or_else(|| match Setting::of(name)?.kind {
            SettingKind::Policy(kind) => Some(AttributeKind::Policy(kind)),
            SettingKind::Schemas(kind) => Some(AttributeKind::Schemas(kind)),
            SettingKind::Budget(_) => None,
        })
    }

    /// Returns whether an attribute in a program is of this kind.
    pub(crate) fn is(self, attribute: &Attribute) -> bool {
        AttributeKind::of(&attribute.name.text) == Some(self)
    }

    /// Returns the names of all attributes, in alphabetical order.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let own = ATTRIBUTES.iter().map(|attribute| attribute.name);
        let mut names: Vec<&str> = own.chain(Setting::policies().map(|policy| policy.name)).collect();
        names.sort_unstable();
        names
    }

    /// Returns the row of the table; `None` for policies, which have one in [`super::SETTINGS`].
    #[must_use]
    pub fn info(self) -> Option<&'static AttributeInfo> {
        ATTRIBUTES.iter().find(|attribute| attribute.kind == self)
    }

    /// Returns whether the attribute may stand at `site`.
    #[must_use]
    pub fn belongs(self, site: Site) -> bool {
        let sites = match self {
            Self::Schemas(_) => &[Site::Import],
            Self::Policy(policy) if policy.is_of_outputs() => &[Site::Output],
            _ => self.info().map_or(EVERYWHERE_INSIDE, |attribute| attribute.sites),
        };
        sites.contains(&site)
    }

    /// Returns advice on where to write the attribute.
    #[must_use]
    pub fn home(self) -> &'static str {
        match self {
            Self::Schemas(_) => {
                "write it before the import of a schema, or in a `policy` for all that the file imports"
            }
            Self::Policy(policy) if policy.is_of_outputs() => {
                "write it before an output, or in a `policy` for all outputs of the file"
            }
            _ => {
                self.info().map_or("write it before a definition, a field or an expression", |attribute| attribute.home)
            }
        }
    }

    /// Returns the attribute's arguments in words, to follow "it takes".
    #[must_use]
    pub fn takes(self) -> &'static str {
        self.info().map_or("one value", |attribute| attribute.takes)
    }
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, AttributeKind};

    #[test]
    fn attributes_are_sorted_and_found_by_name() {
        assert!(ATTRIBUTES.is_sorted_by(|one, next| one.name < next.name));
        assert!(AttributeKind::names().into_iter().all(|name| AttributeKind::of(name).is_some()));
    }
}
