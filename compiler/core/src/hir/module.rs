//! What elaboration gives: one definition with all that it uses.

use ogc_grammar::{Diagnostic, Span};
use ogc_regular::budget::Usage;
use ogc_runtime::automaton::Escapes;
use ogc_schema::source::{NodeId, Origin, Schemas};

use super::items::ItemId;
use crate::db::{Db, SourceFile};
use crate::frontend::docs::DocsByNode;
use crate::ir::Grammar;
use crate::lower::json::{Policies, ValueUse};

/// A definition and all that it uses, without names. Equal modules mean the same, wherever their items stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The definition.
    pub root: Root,
    /// The values, of imports too.
    pub schemas: Schemas,
    /// Values in text: `ExternalId` counts them.
    pub values: Vec<ValueUse>,
    /// The texts; its root is the definition, if that is a text.
    pub grammar: Grammar,
    /// Policies that nodes have of their own.
    pub policies: Policies,
    /// Names of the nodes that definitions are.
    pub names: Vec<(NodeId, String)>,
    /// What authors say of nodes.
    pub docs: DocsByNode,
    /// The source map: an [`Origin`] counts its places from 1.
    pub places: Vec<Place>,
    /// What was found; [`Module::resolve`] gives it places in a file.
    pub diagnostics: Vec<Diagnostic<Origin>>,
    /// What elaborating it took.
    pub usage: Usage,
}

/// What a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A set of values, and how they are written.
    Value(ValueUse),
    /// A set of texts, with the policy that its strings are escaped by.
    Text(Escapes),
    /// Not known: there are errors.
    Nothing,
}

/// A place in a file; in an `.ogc` file relative to its item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: SourceFile,
    /// The item, in an `.ogc` file.
    pub item: Option<ItemId>,
    /// The place.
    pub span: Span,
    /// The import that led out of the first file.
    pub via: Option<(ItemId, Span)>,
}

impl Place {
    /// The place in its file.
    pub fn absolute(&self, db: &dyn Db) -> Span {
        let base = self.item.as_ref().map_or(0, |item| super::items::item_start(db, item));
        self.span.shifted(base)
    }
}

impl Module {
    /// The place of an origin.
    #[must_use]
    pub fn place(&self, origin: Origin) -> Option<&Place> {
        self.places.get((origin.0 as usize).checked_sub(1)?)
    }

    /// A module of which nothing is known but that it is over its budget.
    pub(super) fn over_budget(&self, usage: Usage, found: Diagnostic<Origin>) -> Module {
        let place = self.place(found.span).cloned();
        let span = Origin(u32::from(place.is_some()));
        Module {
            root: Root::Nothing,
            schemas: Schemas::default(),
            values: Vec::new(),
            grammar: Grammar::default(),
            policies: Policies::default(),
            names: Vec::new(),
            docs: DocsByNode::default(),
            places: place.into_iter().collect(),
            diagnostics: vec![Diagnostic { span, ..found }],
            usage: Usage { kept: 0, ..usage },
        }
    }

    /// The values with one of them as the root.
    #[must_use]
    pub fn rooted(&self, node: NodeId) -> Schemas {
        Schemas { root: Some(node), ..self.schemas.clone() }
    }

    /// A diagnostic with places in `file`: what is in another file is said at the import that leads there.
    pub fn resolve(&self, db: &dyn Db, file: SourceFile, found: &Diagnostic<Origin>) -> Diagnostic {
        let inside = |origin: &Origin| match self.locate(db, file, *origin) {
            (span, None) => Some(span),
            (_, Some(_)) => None,
        };
        if let Some(placed) = found.placed(inside) {
            return placed;
        }
        let (span, elsewhere) = self.locate(db, file, found.span);
        let message = format!("{} (in `{}`)", found.message, elsewhere.unwrap_or_default());
        let labels = found.labels.iter().filter_map(|(origin, text)| Some((inside(origin)?, text.clone()))).collect();
        let fix = found.fix.as_ref().and_then(|fix| fix.placed(inside));
        let Diagnostic { code, severity, help, cost, .. } = found.clone();
        Diagnostic { code, severity, message, span, labels, help, fix, cost }
    }

    /// The same with places from the beginning of an item; `None` for what is said of another one.
    pub fn resolve_in_item(&self, item: &ItemId, found: &Diagnostic<Origin>) -> Option<Diagnostic> {
        found.placed(|origin| {
            let place = self.place(*origin).filter(|place| place.item.as_ref() == Some(item));
            place.map(|place| place.span)
        })
    }

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
