//! The result of elaboration: one definition with all that it uses, and the source map of both.
//!
//! The *places* of a module are its source map: file, item and span. An [`Origin`] in a node, an IR expression or a
//! finding is a 1-based index of a place; 0 means no place. Places are relative to their item, so that a module stays
//! equal when its items move in their files; [`OriginPlace::absolute`] adds the item's start when a place is shown.

use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget::Usage;
use ogc_runtime::automaton::{Escapes, TokenPolicy};
use ogc_schema::Words;
use ogc_schema::source::{NodeId, Origin, Schemas};

use super::items::ItemId;
use super::open_records::opened;
use crate::db::{Db, SourceFile};
use crate::frontend::docs::DocsByNode;
use crate::ir::Grammar;
use crate::lower::json::{Policies, ValueUse};

/// A definition and all that it uses, as graphs without names. Equal modules mean the same, wherever their items stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The entry: the definition's value or text.
    pub root: Root,
    /// The schema graph of all values, including imported schemas.
    pub schemas: Schemas,
    /// The JSON values inside texts, indexed by `ExternalId`: the grammar calls them, as in `"x=" json<int>`.
    pub values: Vec<ValueUse>,
    /// The grammar IR of all texts. If the definition is a text, the root rule is that text.
    pub grammar: Grammar,
    /// Policies of single nodes, such as `@space("any")` on a field.
    pub policies: Policies,
    /// The policy for tokens of the whole output, if it has one.
    pub token_policy: Option<TokenPolicy>,
    /// The names of definitions, each with its node.
    pub names: Vec<(NodeId, String)>,
    /// Doc comments and annotations, by node.
    pub docs: DocsByNode,
    /// The source map: [`Origin`] 1 is the first place.
    pub places: Vec<OriginPlace>,
    /// Errors and warnings of elaboration; [`Module::resolve`] gives them places in a file.
    pub diagnostics: Vec<Diagnostic<Origin>>,
    /// The work and memory that elaboration used.
    pub usage: Usage,
}

/// The entry of a module: a value or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A set of values, and the policy by which they are written.
    Value(ValueUse),
    /// A set of texts, and the way in which its strings are escaped.
    Text(Escapes),
    /// Nothing, because of errors.
    Nothing,
}

/// A place in a file; in an `.ogc` file, relative to the start of its item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OriginPlace {
    /// The file.
    pub file: SourceFile,
    /// The item, in an `.ogc` file.
    pub item: Option<ItemId>,
    /// The range of bytes.
    pub span: Span,
    /// For a place in another file: the import in the root's file that led there, at which findings are shown.
    pub via: Option<(ItemId, Span)>,
}

impl OriginPlace {
    /// Converts the place to a span in its file.
    pub fn absolute(&self, db: &dyn Db) -> Span {
        let base = self.item.as_ref().map_or(0, |item| super::items::item_start(db, item));
        self.span.shifted(base)
    }
}

impl Module {
    /// Returns the place with the index `origin`; `None` for origin 0.
    #[must_use]
    pub fn place(&self, origin: Origin) -> Option<&OriginPlace> {
        self.places.get((origin.0 as usize).checked_sub(1)?)
    }

    /// Makes an empty module with one finding: elaboration exceeded its budget.
    pub(super) fn over_budget(&self, usage: Usage, found: Diagnostic<Origin>) -> Module {
        let place = self.place(found.span).cloned();
        let span = Origin(u32::from(place.is_some()));
        Module {
            root: Root::Nothing,
            schemas: Schemas::default(),
            values: Vec::new(),
            grammar: Grammar::default(),
            policies: Policies::default(),
            token_policy: None,
            names: Vec::new(),
            docs: DocsByNode::default(),
            places: place.into_iter().collect(),
            diagnostics: vec![Diagnostic { span, ..found }],
            usage: Usage { kept: 0, ..usage },
        }
    }

    /// Returns whether values of the definition are written with these words for `null`, `true` and `false`.
    #[must_use]
    pub fn has_words(&self, words: Words) -> bool {
        let whole = if let Root::Value(value) = self.root { Some(value) } else { None };
        let any_value = whole.iter().chain(&self.values).any(|value| value.policy.words == words);
        any_value || self.policies.changes.values().any(|change| change.words == Some(words))
    }

    /// Makes the escapes of all strings canonical.
    pub(super) fn escape_canonically(&mut self) {
        let canonical = Escapes::Canonical;
        self.values.iter_mut().for_each(|value| value.policy.escapes = canonical);
        match &mut self.root {
            Root::Value(value) => value.policy.escapes = canonical,
            Root::Text(escapes) => *escapes = canonical,
            Root::Nothing => {}
        }
    }

    /// Returns the schema graph with another node as its root.
    #[must_use]
    pub fn rooted(&self, node: NodeId) -> Schemas {
        Schemas { root: Some(node), ..self.schemas.clone() }
    }

    /// Converts a diagnostic's origins to places in `file`; a place in another file becomes the import that leads
    /// there.
    pub fn resolve(&self, db: &dyn Db, file: SourceFile, found: &Diagnostic<Origin>) -> Diagnostic {
        let inside = |origin: &Origin| match self.locate(db, file, *origin) {
            (span, None) => Some(span),
            (_, Some(_)) => None,
        };
        let (span, elsewhere) = self.locate(db, file, found.span);
        let mut resolved = found.placed_at(span, inside);
        if found.code == Code::EmptyFormat {
            let here = |origin| self.place(origin).filter(|place| place.file == file);
            let in_item = |origin| here(origin).and_then(|place| Some((place.item.as_ref()?, place.span)));
            let opened = found.fix.as_ref().and_then(|fix| opened(db, fix, in_item));
            // Other users may need the records closed, and who joins records mostly wants the members of both: only offered.
            resolved.fix = None;
            resolved = resolved.guess(opened);
        }
        if let Some(name) = elsewhere {
            resolved.message = format!("{} (in `{name}`)", found.message);
        }
        resolved
    }

    /// Converts a diagnostic's origins to places relative to the start of `item`; `None` if the diagnostic is about
    /// another item. Labels in other items are dropped.
    pub fn resolve_in_item(&self, item: &ItemId, found: &Diagnostic<Origin>) -> Option<Diagnostic> {
        found.placed(|origin| {
            let place = self.place(*origin).filter(|place| place.item.as_ref() == Some(item));
            place.map(|place| place.span)
        })
    }

    /// Returns the span of an origin in `file`. For a place in another file: the span of the import that leads there,
    /// and the name of the other file.
    fn locate(&self, db: &dyn Db, file: SourceFile, origin: Origin) -> (Span, Option<String>) {
        let Some(place) = self.place(origin) else { return (Span::default(), None) };
        if place.file == file {
            return (place.absolute(db), None);
        }
        let name = place.file.name(db).to_owned();
        let via = place.via.as_ref().map(|(item, span)| span.shifted(super::items::item_start(db, item)));
        (via.unwrap_or_default(), Some(name))
    }
}
