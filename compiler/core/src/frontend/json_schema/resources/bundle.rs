//! The other documents: those that the caller gave, those that the caller finds on request, and the meta-schemas. Each
//! is parsed when it is first needed.

use super::super::by_name::Draft;
use super::super::metaschema;
use super::super::options::ReadOptions;
use super::super::outside::{Asked, FindSchema, refers_outside};
use super::super::scope::Dialect;
use always_assert::never;
use ogc_grammar::json::{self, JsonValue, Member};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};

/// The documents other than the text that is read.
pub(in super::super) struct Bundle<'a> {
    remotes: Vec<Remote<'a>>,
    by_uri: FxHashMap<&'a str, usize>,
    options: &'a ReadOptions,
    find: FindSchema<'a>,
    found: FoundList,
    /// Total bytes of the documents found so far.
    bytes: Cell<usize>,
    /// Whether any text may hold a dynamic reference, perhaps spelled with escapes. If none does, dynamic scopes are
    /// not tracked.
    dynamic: bool,
}

struct Remote<'a> {
    uri: &'a str,
    text: &'a str,
    value: OnceCell<Result<JsonValue, String>>,
}

/// A linked list of the parsed documents that were found: they stay at their addresses while more are added.
#[derive(Default)]
struct FoundList {
    value: OnceCell<JsonValue>,
    next: OnceCell<Box<FoundList>>,
}

impl FoundList {
    fn push(&self, value: JsonValue) -> &JsonValue {
        let mut at = self;
        while at.value.get().is_some() {
            at = at.next.get_or_init(Box::default);
        }
        at.value.get_or_init(|| value)
    }
}

impl std::fmt::Debug for Bundle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bundle").field("by_uri", &self.by_uri).finish_non_exhaustive()
    }
}

impl<'a> Bundle<'a> {
    /// Makes the bundle for reading `text`.
    pub(in super::super) fn new(text: &str, options: &'a ReadOptions, find: FindSchema<'a>) -> Bundle<'a> {
        let dynamic = |text: &str| {
            ["$dynamicRef", "$recursiveRef", "\\u00"].iter().any(|hint| text.contains(hint))
                || metaschema::is_referred_to(text)
        };
        let remote =
            |(uri, text): &'a (String, String)| Remote { uri: uri.trim_end_matches('#'), text, value: OnceCell::new() };
        let remotes: Vec<_> = options.resources.iter().map(remote).collect();
        let by_uri = remotes.iter().enumerate().map(|(index, remote)| (remote.uri, index)).collect();
        // Documents that are found later may contain dynamic references.
        let finds = find.is_some() && refers_outside(text);
        let dynamic = finds || dynamic(text) || options.resources.iter().any(|(_, text)| dynamic(text));
        Bundle { remotes, by_uri, options, find, found: FoundList::default(), bytes: Cell::new(0), dynamic }
    }

    pub(super) fn default_draft(&self) -> Draft {
        self.options.default_draft
    }

    pub(super) fn is_dynamic(&self) -> bool {
        self.dynamic
    }

    /// Returns the index of the given document with this URI.
    pub(super) fn given(&self, uri: &str) -> Option<usize> {
        self.by_uri.get(uri).copied()
    }

    pub(super) fn given_len(&self) -> usize {
        self.remotes.len()
    }

    /// Returns the URI of a given document and its value.
    pub(super) fn parse(&self, index: usize) -> Option<(&'a str, Result<&JsonValue, &str>)> {
        let remote = self.remotes.get(index)?;
        let value = remote.value.get_or_init(|| self.read(remote.text));
        Some((remote.uri, value.as_ref().map_err(String::as_str)))
    }

    /// Returns a document that was not given: a meta-schema, or a document that the caller finds.
    pub(super) fn find(&self, asked: &Asked) -> Option<Result<&JsonValue, String>> {
        if let Some(known) = metaschema::position(&asked.uri).and_then(|index| metaschema::ALL.get(index)) {
            return Some(self.read(known.text).map(|value| self.found.push(value)));
        }
        let text = self.find.and_then(|find| find(asked))?;
        let (given, limit) = (self.bytes.get().saturating_add(text.len()), self.options.limits.bytes);
        if given > limit {
            return Some(Err(format!("the other files have {given} bytes up to here, and the limit is {limit}")));
        }
        self.bytes.set(given);
        Some(self.read(&text).map(|value| self.found.push(value)))
    }

    fn read(&self, text: &str) -> Result<JsonValue, String> {
        let (value, findings) = json::parse_with(text, self.options.limits.json());
        let error = findings.into_iter().find(ogc_grammar::Diagnostic::is_error);
        match (error, value) {
            (Some(error), _) => Err(error.message),
            (None, Some(value)) => Ok(value),
            (None, None) => {
                never!("a text of {} bytes has neither a value nor an error", text.len());
                Err(String::new())
            }
        }
    }

    /// Returns the dialect that a `$schema` names; `None` if it is unknown.
    pub(in super::super) fn dialect(&self, uri: &str) -> Option<Dialect> {
        if let Some(draft) = Draft::of_uri(uri) {
            return Some(Dialect::of(draft));
        }
        let (_, meta) = self.parse(self.given(uri.trim_end_matches('#'))?)?;
        let meta = meta.ok()?;
        let draft = meta.get("$schema").and_then(JsonValue::as_str).and_then(Draft::of_uri);
        let draft = draft.unwrap_or(self.options.default_draft);
        let vocabularies = meta.get("$vocabulary").and_then(JsonValue::as_object);
        let asserts = |list: &[Member]| list.iter().any(|m| m.key.value.ends_with("/vocab/validation"));
        Some(Dialect { assertions: vocabularies.is_none_or(asserts), ..Dialect::of(draft) })
    }
}
