//! The items of a completion list.

use always_assert::never;
use ogc_grammar::Span;

use crate::place::TextEdit;
use crate::walk::{At, Walk};

/// The completions at a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompletionList {
    /// Whether there are more items, which further typing would reveal.
    pub is_incomplete: bool,
    /// The items.
    pub items: Vec<CompletionItem>,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// Name of the item in the list.
    pub label: String,
    /// Kind of the item.
    pub kind: CompletionKind,
    /// A few words beside the name, such as the type of a field.
    pub detail: String,
    /// Text to filter on; defaults to the label.
    pub filter: Option<String>,
    /// Text by which the list is sorted.
    pub sort: String,
    /// The text that is written.
    pub insert: Insert,
    /// The span that is replaced. Invariant: it contains the cursor.
    pub replaced: Span,
    /// Edits elsewhere in the file, such as an import.
    pub edits: Vec<TextEdit>,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
    /// The key by which [`super::resolve()`] finds its documentation.
    pub key: Option<CompletionKey>,
}

/// The text that a completion writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Insert {
    /// Exactly this text.
    Plain(String),
    /// A text with places to fill in, in the protocol's syntax of snippets: `Page<${1:T}>$0`.
    Snippet(String),
}

/// The kinds of items, for icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A type, an imported schema.
    Type,
    /// A rule.
    Rule,
    /// An output.
    Output,
    /// A parameter of a definition.
    Parameter,
    /// A named argument.
    Argument,
    /// A built-in name.
    Builtin,
    /// A field of a record or a property of a schema.
    Field,
    /// An imported file under a name.
    Module,
    /// A file that can be imported.
    File,
    /// A folder that may contain importable files.
    Folder,
    /// An attribute.
    Attribute,
    /// A policy or a budget.
    Setting,
    /// A value out of a fixed list.
    Value,
    /// A diagnostic code.
    Code,
    /// A token of the vocabulary.
    Token,
    /// A word of the language.
    Keyword,
    /// A text with places to fill in.
    Snippet,
}

/// The subject of an item, from which its documentation is found later. The meaning of the texts depends on the kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKey {
    /// A definition of a file: the names of the file and of the definition.
    Definition(String, String),
    /// A field: the file, the definition that contains the field, and the offset in it.
    Field(String, String, u32),
    /// An imported file.
    File(String),
    /// A built-in name.
    Builtin(String),
    /// A parameter of a built-in name: the name and the parameter.
    BuiltinParameter(String, String),
    /// An attribute.
    Attribute(String),
    /// A policy or a budget.
    Setting(String),
    /// A diagnostic code.
    Code(String),
    /// A keyword of JSON Schema.
    SchemaKeyword(String),
}

impl CompletionKey {
    /// Returns the key as a list of texts, for a protocol.
    #[must_use]
    pub fn to_parts(&self) -> Vec<String> {
        let (kind, parts): (&str, Vec<&str>) = match self {
            CompletionKey::Definition(file, name) => ("definition", vec![file, name]),
            CompletionKey::Field(file, name, at) => {
                return vec!["field".to_owned(), file.clone(), name.clone(), at.to_string()];
            }
            CompletionKey::File(file) => ("file", vec![file]),
            CompletionKey::Builtin(name) => ("builtin", vec![name]),
            CompletionKey::BuiltinParameter(name, parameter) => ("parameter", vec![name, parameter]),
            CompletionKey::Attribute(name) => ("attribute", vec![name]),
            CompletionKey::Setting(name) => ("setting", vec![name]),
            CompletionKey::Code(name) => ("code", vec![name]),
            CompletionKey::SchemaKeyword(name) => ("keyword", vec![name]),
        };
        std::iter::once(kind).chain(parts).map(str::to_owned).collect()
    }

    /// Returns the key that [`CompletionKey::to_parts`] wrote; `None` for other texts.
    ///
    /// ```
    /// use ogc_ide::completion::CompletionKey;
    /// let key = CompletionKey::Builtin("int".to_owned());
    /// assert_eq!(CompletionKey::from_parts(&key.to_parts()), Some(key));
    /// ```
    #[must_use]
    pub fn from_parts(parts: &[String]) -> Option<CompletionKey> {
        let (kind, rest) = parts.split_first()?;
        Some(match (kind.as_str(), rest) {
            ("definition", [file, name]) => CompletionKey::Definition(file.clone(), name.clone()),
            ("field", [file, name, at]) => CompletionKey::Field(file.clone(), name.clone(), at.parse().ok()?),
            ("file", [file]) => CompletionKey::File(file.clone()),
            ("builtin", [name]) => CompletionKey::Builtin(name.clone()),
            ("parameter", [name, parameter]) => CompletionKey::BuiltinParameter(name.clone(), parameter.clone()),
            ("attribute", [name]) => CompletionKey::Attribute(name.clone()),
            ("setting", [name]) => CompletionKey::Setting(name.clone()),
            ("code", [name]) => CompletionKey::Code(name.clone()),
            ("keyword", [name]) => CompletionKey::SchemaKeyword(name.clone()),
            _ => return None,
        })
    }
}

/// The order of groups of items in a list, most likely ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Items that are specific to the place: fields of the record, parameters, values of the setting.
    First,
    /// Names of the file.
    Own,
    /// Imported names.
    Imported,
    /// Built-in names that fit.
    Builtin,
    /// Legal items that are rarely meant.
    Rare,
    /// Names of other files, whose import would be added.
    Elsewhere,
    /// Texts with places to fill in.
    Snippet,
}

impl Rank {
    fn letter(self) -> char {
        match self {
            Rank::First => 'a',
            Rank::Own => 'b',
            Rank::Imported => 'c',
            Rank::Builtin => 'd',
            Rank::Rare => 'e',
            Rank::Elsewhere => 'f',
            Rank::Snippet => 'g',
        }
    }
}

/// Maximum number of items in a list.
const MOST: usize = 2000;

/// Collects the items of a list.
pub(crate) struct Items {
    /// The span that items replace.
    pub(crate) replaced: Span,
    /// The text added after each item to close an open quote.
    closing: &'static str,
    list: CompletionList,
}

impl Items {
    /// Makes an empty list for a cursor in an `.ogc` file.
    pub(crate) fn new(walk: &Walk<'_>) -> Items {
        let closing = match walk.at {
            At::String(content, false) => quote_before(walk.text, content),
            At::Tok(content, false) => quote_before(walk.text, content),
            _ => "",
        };
        Items { replaced: walk.replaced(), closing, list: CompletionList::default() }
    }

    /// Makes an empty list of items that replace a part of a text.
    pub(crate) fn replacing(replaced: Span) -> Items {
        Items { replaced, closing: "", list: CompletionList::default() }
    }

    /// Adds an item that writes its label, and returns it for changes.
    pub(crate) fn add(
        &mut self,
        kind: CompletionKind,
        rank: Rank,
        label: impl Into<String>,
        key: Option<CompletionKey>,
    ) -> &mut CompletionItem {
        let label = label.into();
        let insert = Insert::Plain(format!("{label}{}", self.closing));
        let sort = format!("{}{label}", rank.letter());
        self.list.items.push(CompletionItem {
            label,
            kind,
            detail: String::new(),
            filter: None,
            sort,
            insert,
            replaced: self.replaced,
            edits: Vec::new(),
            is_deprecated: false,
            key,
        });
        let last = self.list.items.len().saturating_sub(1);
        &mut self.list.items[last]
    }

    /// Returns whether the list has an item with this label.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.list.items.iter().any(|item| item.label == label)
    }

    /// Records that there are more items.
    pub(crate) fn more(&mut self) {
        self.list.is_incomplete = true;
    }

    /// Returns the list.
    pub(crate) fn finish(mut self) -> CompletionList {
        if self.list.items.len() > MOST {
            self.list.items.truncate(MOST);
            self.list.is_incomplete = true;
        }
        self.list
    }
}

impl CompletionItem {
    /// Sets another text to write than the label.
    pub(crate) fn writes(&mut self, text: impl Into<String>) -> &mut Self {
        self.insert = Insert::Plain(text.into());
        self
    }

    /// Sets a snippet to write.
    pub(crate) fn writes_snippet(&mut self, text: impl Into<String>) -> &mut Self {
        self.insert = Insert::Snippet(text.into());
        self
    }

    /// Sets the detail beside the label.
    pub(crate) fn says(&mut self, detail: impl Into<String>) -> &mut Self {
        self.detail = detail.into();
        self
    }

    /// Sets the position in the list by a number, such as the index of a field in its record.
    pub(crate) fn at(&mut self, index: usize) -> &mut Self {
        let Some(rank) = self.sort.chars().next() else {
            never!("`{}` has no rank", self.label);
            return self;
        };
        self.sort = format!("{rank}{index:04}");
        self
    }
}

/// Returns the quote before a string's content.
fn quote_before(text: &str, content: Span) -> &'static str {
    match text.get(..content.start as usize).and_then(|before| before.chars().next_back()) {
        Some('\'') => "'",
        _ => "\"",
    }
}

/// Escapes the characters that have a meaning in snippets.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}
