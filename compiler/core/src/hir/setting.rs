//! The table of the settings of `policy` items, which serves to resolve, check, suggest and explain their names.
//!
//! A setting is a policy (how values are written), a policy of schemas (how imported schemas are read), or a budget
//! (what a definition may cost).

use ogc_grammar::ogc::ast::{Argument, ExprKind};

/// A name that a `policy` item can set.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// The name before `=`.
    pub name: &'static str,
    /// The kind of setting.
    pub kind: SettingKind,
    /// Advice on the values that it takes.
    pub values: &'static str,
    /// The possible values as they are written; empty if the setting takes numbers.
    pub choices: &'static [Choice],
    /// One sentence of documentation for authors.
    pub doc: &'static str,
}

/// A value that a setting takes.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The value as it is written, with its quotes.
    pub written: &'static str,
    /// Meaning of the choice in a few words.
    pub doc: &'static str,
}

/// The kind of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingKind {
    /// A policy, which attributes and `json<T, ...>` set too.
    Policy(PolicyKind),
    /// A policy of schemas, which attributes of imports set too.
    Schemas(SchemaPolicyKind),
    /// A budget, which `@budget(...)` sets too.
    Budget(BudgetKind),
}

/// The policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyKind {
    /// Maximum nesting of arrays and records.
    Depth,
    /// The characters of strings that may be escaped.
    Escapes,
    /// Spaces per level of `space = "pretty"`.
    Indent,
    /// The spelling of numbers.
    Numbers,
    /// The order of keys.
    Order,
    /// Maximum length of a white space run where any white space is allowed.
    Run,
    /// The white space between tokens.
    Space,
    /// The tokens of the vocabulary that may write parts whose text is determined.
    Tokens,
    /// Whether an undeclared key may occur only once.
    UniqueKeys,
    /// The words for `null`, `true` and `false`.
    Words,
}

/// The policies of schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemaPolicyKind {
    /// Keywords that are read as annotations.
    Annotate,
    /// The effect of the keyword `format`.
    Formats,
    /// Whether objects have members that their schemas do not name.
    Objects,
}

/// The quantities that a budget limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetKind {
    /// Time to build the definition's masks.
    Build,
    /// Bytes of the definition's masks.
    Mask,
    /// States of the definition's automaton.
    States,
}

const BUDGETS: &str = "write `states = 400`, `mask = \"64KiB\"` or `build = \"50ms\"`";

/// All settings, in alphabetical order.
pub static SETTINGS: [Setting; 16] = [
    schemas(
        "annotate",
        SchemaPolicyKind::Annotate,
        "write names of keywords, separated by commas: \"uniqueItems, minItems\"",
        &[],
        "The keywords of imported schemas that are read as annotations: values that break them are accepted.",
    ),
    budget("build", BudgetKind::Build, "The time that building the masks may take."),
    policy(
        "depth",
        PolicyKind::Depth,
        "write a number up to 1000",
        &[],
        "How deep arrays and records may nest; from there on only plain values are allowed.",
    ),
    policy(
        "escapes",
        PolicyKind::Escapes,
        "write \"any\" or \"canonical\"",
        &[
            choice("\"any\"", "in any way that JSON has"),
            choice("\"canonical\"", "only where it must be, each character in one way"),
        ],
        "Whether characters of strings may be escaped in any way that JSON has, or only where they must be.",
    ),
    schemas(
        "formats",
        SchemaPolicyKind::Formats,
        "write \"assert\", \"all\", \"practical\", \"wide\" or \"annotate\"",
        &[
            choice("\"assert\"", "those that the schema's draft defines constrain"),
            choice("\"all\"", "those of all drafts constrain"),
            choice("\"practical\"", "as \"assert\", in the forms that the types of the language have"),
            choice("\"wide\"", "as \"assert\", with all strings of formats that cannot be checked whole"),
            choice("\"annotate\"", "they constrain nothing"),
        ],
        "What the keyword `format` of imported schemas does.",
    ),
    policy(
        "indent",
        PolicyKind::Indent,
        "write a number of spaces up to 16",
        &[],
        "The spaces of each level where `space` is \"pretty\".",
    ),
    budget("mask", BudgetKind::Mask, "The bytes that the masks may take."),
    policy(
        "numbers",
        PolicyKind::Numbers,
        "write \"plain\" or \"printed\"",
        &[
            choice("\"plain\"", "without exponents"),
            choice("\"printed\"", "with or without an exponent, as printers of numbers write them"),
        ],
        "Whether numbers are written without exponents, or also with those that printers of numbers write.",
    ),
    schemas(
        "objects",
        SchemaPolicyKind::Objects,
        "write \"open\" or \"closed\"",
        &[
            choice("\"open\"", "any other members, unless the schema forbids them"),
            choice("\"closed\"", "no other members, where the schema has `properties` and says nothing of others"),
        ],
        "Whether objects of imported schemas may have members that the schema does not name.",
    ),
    policy(
        "order",
        PolicyKind::Order,
        "write \"declared\" or \"any\"",
        &[choice("\"declared\"", "as they are declared"), choice("\"any\"", "in any order, each key once")],
        "Whether keys stand in the order in which they are declared, or in any.",
    ),
    policy(
        "run",
        PolicyKind::Run,
        "write a number from 1 to 100000",
        &[],
        "The characters of the longest white space where `space` is \"any\".",
    ),
    policy(
        "space",
        PolicyKind::Space,
        "write \"compact\", \"spaced\", \"pretty\" or \"any\"; or who writes so: \"JSON.stringify\", \"json.dumps\"",
        &[
            choice("\"compact\"", "none"),
            choice("\"spaced\"", "one space after `,` and `:`"),
            choice("\"pretty\"", "a line for each member and item"),
            choice("\"any\"", "all that JSON allows"),
            choice("\"JSON.stringify\"", "none, as JavaScript writes it"),
            choice("\"json.dumps\"", "one space after `,` and `:`, as Python writes it"),
        ],
        "The white space between the tokens of a value.",
    ),
    budget("states", BudgetKind::States, "The states that the automaton may have."),
    policy(
        "tokens",
        PolicyKind::Tokens,
        "write \"any\" or \"canonical\"",
        &[
            choice("\"any\"", "any tokens with the bytes that must come"),
            choice("\"canonical\"", "those that the model's tokenizer writes"),
        ],
        "Which tokens of the vocabulary write keys, punctuation and other constants of an output.",
    ),
    policy(
        "unique_keys",
        PolicyKind::UniqueKeys,
        "write `true` or `false`",
        &[choice("true", "once only"), choice("false", "any number of times")],
        "Whether keys that are not declared may be there more than once.",
    ),
    policy(
        "words",
        PolicyKind::Words,
        "write \"json\" or \"python\"",
        &[
            choice("\"json\"", "`null`, `true` and `false`"),
            choice("\"python\"", "`None`, `True` and `False`, as Python writes them"),
        ],
        "The words for `null`, `true` and `false`.",
    ),
];

const fn policy(
    name: &'static str,
    kind: PolicyKind,
    values: &'static str,
    choices: &'static [Choice],
    doc: &'static str,
) -> Setting {
    Setting { name, kind: SettingKind::Policy(kind), values, choices, doc }
}

const fn schemas(
    name: &'static str,
    kind: SchemaPolicyKind,
    values: &'static str,
    choices: &'static [Choice],
    doc: &'static str,
) -> Setting {
    Setting { name, kind: SettingKind::Schemas(kind), values, choices, doc }
}

const fn choice(written: &'static str, doc: &'static str) -> Choice {
    Choice { written, doc }
}

const fn budget(name: &'static str, kind: BudgetKind, doc: &'static str) -> Setting {
    Setting { name, kind: SettingKind::Budget(kind), values: BUDGETS, choices: &[], doc }
}

impl Setting {
    /// Returns the setting of this name.
    ///
    /// ```
    /// use ogc_compiler::hir::{PolicyKind, Setting, SettingKind};
    /// let kind = |name| Setting::of(name).map(|setting| setting.kind);
    /// assert_eq!(kind("space"), Some(SettingKind::Policy(PolicyKind::Space)));
    /// assert_eq!(kind("spaces"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns whether the setting is a policy that a value inside an output may set for itself.
    #[must_use]
    pub fn is_of_values(&self) -> bool {
        matches!(self.kind, SettingKind::Policy(policy) if !policy.is_of_outputs())
    }

    /// Returns all policies, including policies of schemas.
    pub fn policies() -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(|setting| !matches!(setting.kind, SettingKind::Budget(_)))
    }
}

impl PolicyKind {
    /// Returns the policy of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<PolicyKind> {
        match Setting::of(name)?.kind {
            SettingKind::Policy(kind) => Some(kind),
            SettingKind::Budget(_) | SettingKind::Schemas(_) => None,
        }
    }

    /// Returns whether the policy applies only to whole outputs, not to parts.
    #[must_use]
    pub fn is_of_outputs(self) -> bool {
        self == Self::Tokens
    }
}

impl BudgetKind {
    /// Returns the budget of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<BudgetKind> {
        match Setting::of(name)?.kind {
            SettingKind::Budget(kind) => Some(kind),
            SettingKind::Policy(_) | SettingKind::Schemas(_) => None,
        }
    }

    /// Returns the kind of budget that an argument sets, and the limit in states, bytes or milliseconds.
    pub(crate) fn read(argument: &Argument) -> Option<(BudgetKind, u64)> {
        let kind = BudgetKind::of(&argument.name.as_ref()?.text)?;
        let number = match (kind, &argument.value.kind) {
            (BudgetKind::States, ExprKind::Number(number)) => number.parse().ok(),
            (BudgetKind::Mask, ExprKind::String(size)) => bytes(size),
            (BudgetKind::Build, ExprKind::String(time)) => milliseconds(time),
            _ => None,
        };
        Some((kind, number?))
    }
}

/// Returns the help for a limit that is a text without a valid unit. (`64KB` is ambiguous, so it is no valid unit.)
pub(super) fn unit_help(argument: &Argument) -> Option<&'static str> {
    let ExprKind::String(_) = &argument.value.kind else { return None };
    match BudgetKind::of(&argument.name.as_ref()?.text)? {
        BudgetKind::States => Some("states are a number without a unit and without quotes: `states = 400`"),
        BudgetKind::Mask => {
            Some("the units are `B`, `kB` (1,000 bytes), `KiB` (1,024 bytes), `MB`, `MiB` and `GiB`: `64KiB`")
        }
        BudgetKind::Build => Some("the units are `ms`, `s` and `min`: `50ms`"),
    }
}

/// Parses a size, such as `64KiB`, to bytes.
fn bytes(text: &str) -> Option<u64> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000), ("B", 1)];
    measured(text, &units)
}

/// Parses a time, such as `50ms`, to milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    measured(text, &[("ms", 1), ("min", 60_000), ("s", 1_000)])
}

/// Parses a number with a unit, and multiplies it by the unit's factor.
fn measured(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, unit) = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
    number.trim().parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::{SETTINGS, bytes, milliseconds};

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(
            (bytes("64KiB"), bytes("2 MB"), bytes("7B"), bytes("7")),
            (Some(65_536), Some(2_000_000), Some(7), None)
        );
        assert_eq!((milliseconds("50ms"), milliseconds("2s"), milliseconds("2h")), (Some(50), Some(2_000), None));
    }

    #[test]
    fn every_choice_of_a_setting_is_named_in_its_help() {
        for setting in &SETTINGS {
            assert!(setting.choices.iter().all(|one| setting.values.contains(one.written)), "{}", setting.name);
        }
    }

    #[test]
    fn settings_are_sorted_by_name() {
        assert!(SETTINGS.is_sorted_by(|one, next| one.name < next.name));
    }
}
