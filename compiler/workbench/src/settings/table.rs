//! Lists the tables, keys and values of `ogc.toml`, each with a sentence of documentation. To add a key, add a line
//! here and a [`KeyKind`]; the compiler then reports every place that must handle it.

pub use ogc_compiler::db::annotated;
use ogc_compiler::db::{Formats, OtherMembers, Space, Spelling, Words};
use ogc_grammar::{Code, Level};
use ogc_runtime::automaton::{Escapes, KeyOrder};

/// A table of the file.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of the table between brackets.
    pub name: &'static str,
    /// One sentence about it.
    pub doc: &'static str,
    /// Keys of the table.
    pub keys: Keys,
}

/// The keys of a table.
#[derive(Clone, Copy, Debug)]
pub enum Keys {
    /// The codes of findings; the values are [`LEVELS`].
    Codes,
    /// Only these keys.
    Listed(&'static [Key]),
    /// URIs of schemas and `index`; the values are paths.
    Uris,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name of the key.
    pub name: &'static str,
    /// One sentence about it.
    pub doc: &'static str,
    /// The setting that it sets.
    pub kind: KeyKind,
}

/// The settings that keys set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// The vocabulary to build for.
    Vocab,
    /// The tokens that end a text.
    End,
    /// The folder for artifacts.
    Out,
    /// A policy.
    Policy(PolicyKey),
}

/// The policies, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyKey {
    /// The white space between the tokens of JSON.
    Space,
    /// The order of keys.
    Order,
    /// The escapes in strings.
    Escapes,
    /// The spellings of numbers.
    Numbers,
    /// The words for `null`, `true` and `false`.
    Words,
    /// The effect of the keyword `format`.
    Formats,
    /// Keywords that are read as annotations.
    Annotate,
    /// Whether objects have members that their schemas do not name.
    Objects,
}

/// A value that is chosen by its name.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// The name.
    pub name: &'static str,
    /// An alternative name that other tools use.
    pub alias: Option<&'static str>,
    /// One sentence about it.
    pub doc: &'static str,
    /// The value.
    pub value: T,
}

/// The values of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// The path of a vocabulary, or the name of the built-in one.
    Vocabulary,
    /// Names of tokens, separated by commas.
    Tokens,
    /// The path of a folder.
    Folder,
    /// Names, each with a sentence.
    Names(Vec<(&'static str, &'static str)>),
    /// Names of keywords, separated by commas.
    Keywords,
}

/// All tables, in the order in which they are usually written.
pub static TABLES: [Table; 4] = [
    Table {
        name: "lints",
        doc: "The levels of findings, by code. Attributes and command-line flags override them.",
        keys: Keys::Codes,
    },
    Table { name: "build", doc: "What `ogc build` reads and writes.", keys: Keys::Listed(&BUILD) },
    Table {
        name: "policy",
        doc: "How JSON values are written, for formats other than .ogc, which have `policy` items of their own.",
        keys: Keys::Listed(&POLICY),
    },
    Table {
        name: "resources",
        doc: "The file of each schema that references name by URI, relative to this file; for a URI that ends in `/`, the folder of all \
              schemas whose URIs begin with it. Nothing is fetched.",
        keys: Keys::Uris,
    },
];

/// The key of `resources` that names an index file instead of a single place.
pub const INDEX: &str = "index";

/// One sentence about [`INDEX`].
const INDEX_DOC: &str = "A JSON object from URI to path, relative to that file.";

static BUILD: [Key; 3] = [
    key(
        "vocab",
        KeyKind::Vocab,
        "The vocabulary to build for: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file or a model's folder, relative to this file, or the built-in `o200k`.",
    ),
    key(
        "end",
        KeyKind::End,
        "The tokens that end a text, in place of those that the vocabulary names: names, or numbers as `#123`, separated by commas.",
    ),
    key(
        "out",
        KeyKind::Out,
        "The folder for artifacts, relative to this file; without it, each artifact lies beside its format.",
    ),
];

static POLICY: [Key; PolicyKey::ALL.len()] = {
    let mut keys = [PolicyKey::Space.key(); PolicyKey::ALL.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = PolicyKey::ALL[at].key();
        at += 1;
    }
    keys
};

/// The levels of findings.
pub static LEVELS: [Choice<Level>; 3] = [
    choice("allow", "Hide findings with this code", Level::Allow),
    choice("warn", "Show findings with this code as warnings", Level::Warn),
    choice("deny", "Show findings with this code as errors", Level::Deny),
];

/// The policies of white space.
pub static SPACES: [Choice<Space>; 4] = [
    also("JSON.stringify", choice("compact", "No white space, as JSON.stringify writes it", Space::Compact)),
    also(
        "json.dumps",
        choice("spaced", "One space after `,` and `:`, as Python's json.dumps writes it", Space::Spaced),
    ),
    choice(
        "pretty",
        "Each member and item on a line of its own, indented by two spaces a level",
        Space::Pretty { indent: 2 },
    ),
    choice("any", "Any white space that JSON allows, at most 32 characters in a row", Space::Any { max_run: Some(32) }),
];

/// The orders of keys.
pub static ORDERS: [Choice<KeyOrder>; 2] = [
    choice("declared", "The order in which the schema declares the keys", KeyOrder::Declared),
    choice("any", "Any order, each key once", KeyOrder::Any),
];

/// The escapes in strings.
pub static ESCAPES: [Choice<Escapes>; 2] = [
    choice("any", "Every spelling that JSON allows", Escapes::Any),
    choice(
        "canonical",
        "Each character in one way: as it is where JSON allows that, else as its shortest escape",
        Escapes::Canonical,
    ),
];

/// The spellings of numbers.
pub static NUMBERS: [Choice<Spelling>; 2] = [
    also("json", choice("printed", "With or without an exponent, as programs print numbers", Spelling::Json)),
    choice("plain", "Without an exponent", Spelling::Plain),
];

/// The words for `null`, `true` and `false`.
pub static WORDS: [Choice<Words>; 2] = [
    choice("json", "`null`, `true`, `false`", Words::Json),
    choice("python", "`None`, `True`, `False`; escapes are canonical", Words::Python),
];

/// The effects of the keyword `format`.
pub static FORMATS: [Choice<Formats>; 5] = [
    choice(
        Formats::Assert.name(),
        "Enforce the formats that the schema's draft defines; refuse one that cannot be enforced exactly",
        Formats::Assert,
    ),
    choice(Formats::All.name(), "Enforce the formats of all drafts", Formats::All),
    choice(
        Formats::Practical.name(),
        "As `assert`, but restrict dates, times, durations, host names and email addresses to the forms that the types of .ogc have",
        Formats::Practical,
    ),
    choice(
        Formats::Wide.name(),
        "As `assert`, but accept what cannot be checked exactly: host names with any `xn--` labels or letters, times with any leap second",
        Formats::Wide,
    ),
    choice(Formats::Annotate.name(), "Do not enforce formats", Formats::Annotate),
];

/// Whether objects may have members that their schema does not name.
pub static OBJECTS: [Choice<OtherMembers>; 2] = [
    choice(OtherMembers::Open.name(), "Any other members, unless the schema forbids them", OtherMembers::Open),
    choice(
        OtherMembers::Closed.name(),
        "No other members, if the schema has `properties` and does not mention others",
        OtherMembers::Closed,
    ),
];

const fn key(name: &'static str, kind: KeyKind, doc: &'static str) -> Key {
    Key { name, doc, kind }
}

const fn choice<T: Copy>(name: &'static str, doc: &'static str, value: T) -> Choice<T> {
    Choice { name, alias: None, doc, value }
}

const fn also<T: Copy>(alias: &'static str, choice: Choice<T>) -> Choice<T> {
    Choice { alias: Some(alias), ..choice }
}

/// Returns the value with this name.
#[must_use]
pub fn chosen<T: Copy>(choices: &[Choice<T>], name: &str) -> Option<T> {
    choices.iter().find(|choice| choice.name == name || choice.alias == Some(name)).map(|choice| choice.value)
}

/// Returns the value with this name.
///
/// # Errors
/// No choice has this name; the message lists the valid names.
pub fn one_of<T: Copy>(choices: &[Choice<T>], name: &str) -> Result<T, String> {
    let names = || choices.iter().map(|choice| format!("\"{}\"", choice.name)).collect::<Vec<_>>().join(", ");
    chosen(choices, name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Returns the names of choices, each with its sentence.
#[must_use]
pub fn names<T>(choices: &[Choice<T>]) -> Vec<(&'static str, &'static str)> {
    choices.iter().map(|choice| (choice.name, choice.doc)).collect()
}

impl KeyKind {
    /// Returns the values that the key takes.
    #[must_use]
    pub fn values(self) -> Values {
        match self {
            Self::Vocab => Values::Vocabulary,
            Self::End => Values::Tokens,
            Self::Out => Values::Folder,
            Self::Policy(policy) => policy.values(),
        }
    }
}

impl PolicyKey {
    /// All policies.
    pub const ALL: [Self; 8] = [
        Self::Space,
        Self::Order,
        Self::Escapes,
        Self::Numbers,
        Self::Words,
        Self::Formats,
        Self::Annotate,
        Self::Objects,
    ];

    /// Returns its name.
    ///
    /// ```
    /// use ogc_workbench::settings::table::PolicyKey;
    /// let names = PolicyKey::ALL.map(PolicyKey::name);
    /// assert_eq!(names, ["space", "order", "escapes", "numbers", "words", "formats", "annotate", "objects"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.key().name
    }

    const fn key(self) -> Key {
        let (name, doc) = match self {
            Self::Space => ("space", "The white space between the tokens of JSON."),
            Self::Order => ("order", "The order of an object's keys."),
            Self::Escapes => ("escapes", "The escapes in strings."),
            Self::Numbers => ("numbers", "The spellings of numbers."),
            Self::Words => ("words", "The words for `null`, `true` and `false`."),
            Self::Formats => ("formats", "What the keyword `format` of JSON Schema does."),
            Self::Annotate => (
                "annotate",
                "Keywords of JSON Schema that are read as annotations, separated by commas: values that break them are accepted.",
            ),
            Self::Objects => ("objects", "Whether objects may have members that their schema does not name."),
        };
        key(name, KeyKind::Policy(self), doc)
    }

    fn values(self) -> Values {
        match self {
            Self::Space => Values::Names(names(&SPACES)),
            Self::Order => Values::Names(names(&ORDERS)),
            Self::Escapes => Values::Names(names(&ESCAPES)),
            Self::Numbers => Values::Names(names(&NUMBERS)),
            Self::Words => Values::Names(names(&WORDS)),
            Self::Formats => Values::Names(names(&FORMATS)),
            Self::Annotate => Values::Keywords,
            Self::Objects => Values::Names(names(&OBJECTS)),
        }
    }
}

impl Table {
    /// Returns the table of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// Returns the documentation of a key; in the table of lints, the summary of the code.
    #[must_use]
    pub fn doc_of(&self, key: &str) -> Option<&'static str> {
        match self.keys {
            Keys::Codes => Code::from_name(key).map(Code::summary),
            Keys::Uris => Some(if key == INDEX { INDEX_DOC } else { self.doc }),
            Keys::Listed(keys) => keys.iter().find(|listed| listed.name == key).map(|listed| listed.doc),
        }
    }

    /// Returns the possible values of a key.
    #[must_use]
    pub fn values_of(&self, key: &str) -> Option<Values> {
        match self.keys {
            Keys::Codes => Code::from_name(key).map(|_| Values::Names(names(&LEVELS))),
            Keys::Uris => Some(Values::Folder),
            Keys::Listed(keys) => keys.iter().find(|listed| listed.name == key).map(|listed| listed.kind.values()),
        }
    }
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::JsonPolicy;

    use super::*;
    use crate::settings::Policy;

    #[test]
    fn names_of_setting_values_are_found() {
        assert_eq!(chosen(&SPACES, "json.dumps"), Some(Space::Spaced));
        assert_eq!(chosen(&SPACES, "any"), Some(JsonPolicy::default().space));
        assert_eq!(chosen(&LEVELS, "loud"), None);
        assert!(LEVELS.iter().all(|level| Level::of_name(level.name) == Some(level.value)));
        let build = Table::of_name("build").expect("a table");
        assert_eq!(build.values_of("vocab"), Some(Values::Vocabulary));
        assert_eq!(build.values_of("vocabulary"), None);
        let lints = Table::of_name("lints").expect("a table");
        assert!(matches!(lints.values_of("unused-item"), Some(Values::Names(names)) if names.len() == 3));
        assert!(lints.doc_of("unused-item").is_some_and(|doc| !doc.is_empty()));
        assert_eq!(Policy::default().json(), JsonPolicy::default());
    }
}
