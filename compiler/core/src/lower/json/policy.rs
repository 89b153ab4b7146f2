//! Policies: how a format's values are spelled, as a whole and in their parts.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder};
use ogc_schema::Words;
use ogc_schema::source::NodeId;

/// Maximum run of white space that an import accepts by default, in characters.
const DEFAULT_RUN: u32 = 32;

/// The spelling of a format's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JsonPolicy {
    /// White space between tokens.
    pub space: Space,
    /// The order of an object's keys.
    pub order: KeyOrder,
    /// The spellings of characters in strings.
    pub escapes: Escapes,
    /// The spelling of numbers.
    pub spelling: Spelling,
    /// The words for `null`, `true` and `false`.
    pub words: Words,
}

impl Default for JsonPolicy {
    /// Returns the policy of imports: every spelling, keys in declared order, and white space in runs of at most 32
    /// characters.
    fn default() -> Self {
        let space = Space::Any { max_run: Some(DEFAULT_RUN) };
        Self { space, order: KeyOrder::Declared, escapes: Escapes::Any, spelling: Spelling::Json, words: Words::Json }
    }
}

/// Writes the policy in one line, with the names of command line flags.
impl Display for JsonPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = match self.space {
            Space::Compact => "compact".to_owned(),
            Space::Spaced => "spaced".to_owned(),
            Space::Pretty { indent } => format!("pretty by {indent}"),
            Space::Any { max_run: None } => "any".to_owned(),
            Space::Any { max_run: Some(longest) } => format!("any up to {longest}"),
        };
        let order = match self.order {
            KeyOrder::Declared => "declared",
            KeyOrder::Any => "any",
        };
        let escapes = match self.escapes {
            Escapes::Any => "any",
            Escapes::Canonical => "canonical",
        };
        let numbers = match self.spelling {
            Spelling::Json => "printed",
            Spelling::Plain => "plain",
            Spelling::Signed => "plain with negative zero",
        };
        write!(f, "space {space}, order {order}, escapes {escapes}, numbers {numbers}")?;
        match self.words {
            Words::Json => Ok(()),
            Words::Python => f.write_str(", words python"),
        }
    }
}

/// The maximum run of white space that an `.ogc` file can set, and its default, in characters.
const RUN: (u32, u32) = (100_000, 32);

/// The default indentation of an `.ogc` file, in spaces.
const INDENT: u32 = 2;

/// The value of a setting of an `.ogc` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A word, which is written in quotes.
    Word(&'static str),
    /// A number.
    Number(u32),
}

impl Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "\"{word}\""),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

impl JsonPolicy {
    /// Returns whether Python's words stand beside escapes that Python reads in another way.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        self.words == Words::Python && self.escapes == Escapes::Any
    }

    /// Returns the settings with which an `.ogc` file spells values in this way: those that differ from its defaults.
    ///
    /// ```
    /// use ogc_compiler::lower::json::{JsonPolicy, SettingValue};
    /// let space = ("space", SettingValue::Word("any"));
    /// assert_eq!(JsonPolicy::default().settings(), [space, ("numbers", SettingValue::Word("printed"))]);
    /// ```
    #[must_use]
    pub fn settings(&self) -> Vec<(&'static str, SettingValue)> {
        let mut settings = self.space.settings();
        if self.order == KeyOrder::Any {
            settings.push(("order", SettingValue::Word("any")));
        }
        if self.escapes == Escapes::Canonical {
            settings.push(("escapes", SettingValue::Word("canonical")));
        }
        if self.spelling != Spelling::Plain {
            settings.push(("numbers", SettingValue::Word("printed")));
        }
        if self.words == Words::Python {
            settings.push(("words", SettingValue::Word("python")));
        }
        settings
    }
}

impl Space {
    /// Returns the settings with which an `.ogc` file has this white space.
    #[must_use]
    pub fn settings(self) -> Vec<(&'static str, SettingValue)> {
        let (name, detail) = match self {
            Space::Compact => return Vec::new(),
            Space::Spaced => ("spaced", None),
            Space::Pretty { indent } => ("pretty", (indent != INDENT).then_some(("indent", indent))),
            Space::Any { max_run } => {
                let (most, usual) = RUN;
                let run = max_run.unwrap_or(most).min(most);
                ("any", (run != usual).then_some(("run", run)))
            }
        };
        let detail = detail.map(|(name, value)| (name, SettingValue::Number(value)));
        [("space", SettingValue::Word(name))].into_iter().chain(detail).collect()
    }
}

/// The policy of white space between the tokens of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// No white space.
    Compact,
    /// One space after `,` and `:`.
    Spaced,
    /// A line for each member and item.
    Pretty {
        /// Number of spaces per level.
        indent: u32,
    },
    /// All white space that JSON allows.
    Any {
        /// Maximum length of a run in characters; `None` for no bound.
        max_run: Option<u32>,
    },
}

/// Policies of single nodes of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// The policy changes of nodes, which apply to the node and everything inside it.
    pub changes: BTreeMap<NodeId, PolicyChange>,
    /// Nodes that are written as alternatives, each under policies of its own; an alternative is a conjunction of nodes.
    pub apart: BTreeMap<NodeId, Vec<Vec<NodeId>>>,
}

/// A policy change of a node, which applies to the node and everything inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyChange {
    /// White space.
    pub space: Option<Space>,
    /// The order of keys.
    pub order: Option<KeyOrder>,
    /// The spelling of numbers.
    pub spelling: Option<Spelling>,
    /// The words for `null`, `true` and `false`.
    pub words: Option<Words>,
}

impl PolicyChange {
    /// Returns `policy` with these changes applied.
    #[must_use]
    pub fn applied(self, policy: JsonPolicy) -> JsonPolicy {
        JsonPolicy {
            space: self.space.unwrap_or(policy.space),
            order: self.order.unwrap_or(policy.order),
            spelling: self.spelling.unwrap_or(policy.spelling),
            words: self.words.unwrap_or(policy.words),
            ..policy
        }
    }

    /// Returns these changes, completed by those of `outer`.
    #[must_use]
    pub fn or(self, outer: PolicyChange) -> PolicyChange {
        PolicyChange {
            space: self.space.or(outer.space),
            order: self.order.or(outer.order),
            spelling: self.spelling.or(outer.spelling),
            words: self.words.or(outer.words),
        }
    }
}
