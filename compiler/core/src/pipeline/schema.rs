//! The queries of JSON Schema: text -> graph of schemas -> automaton.

use std::sync::Arc;

use crate::{SchemaFault, SchemaFaultKind};
use ogc_grammar::{Diagnostic, Span};
use ogc_runtime::automaton::Automaton;
use ogc_schema::source::{Origin, Schemas};

use crate::budget::within_schema;
use crate::db::{Db, JsonPolicy, Language, Limits, SourceFile};
use crate::foreign::{SchemaPolicy, foreign_fates, read_schema};
use crate::frontend::json_schema::{Fate, FateKind, Imported, is_constraint};
use crate::hir::schema_policy;
use crate::hir::scope::imported_files;
use crate::lower::json::{Lowered, lower_with};

/// The graph of a schema without errors. Graphs are equal if they mean the same, wherever their keywords stand.
#[derive(Clone, Debug)]
pub struct Graph(Arc<Imported>);

impl Graph {
    /// Returns the schemas.
    #[must_use]
    pub fn schemas(&self) -> &Schemas {
        &self.0.schemas
    }

    /// Returns the graph with `change` applied to its schemas.
    #[must_use]
    pub fn changed(&self, change: impl FnOnce(&mut Schemas)) -> Graph {
        let mut imported = (*self.0).clone();
        change(&mut imported.schemas);
        Graph(Arc::new(imported))
    }

    /// Lowers the graph to an automaton.
    pub fn lowered(&self, policy: &JsonPolicy, limits: &Limits) -> Result<Lowered, Vec<SchemaFault>> {
        let integers = self.0.integers(policy.spelling);
        within_schema(limits, || lower_with(self.schemas(), policy, integers, &limits.schema))
    }
}

impl Graph {
    /// Returns errors about tools whose arguments cannot be compiled.
    fn tool_errors(&self, policy: &JsonPolicy, limits: &Limits) -> Vec<SchemaFault> {
        let mut schemas = self.schemas().clone();
        let each = || {
            let mut errors = Vec::new();
            for tool in &self.0.definitions {
                schemas.root = Some(tool.node);
                errors.extend(lower_with(&schemas, policy, policy.spelling, &limits.schema).err().unwrap_or_default());
            }
            if errors.is_empty() { Ok(()) } else { Err(errors) }
        };
        within_schema(limits, each).err().unwrap_or_default()
    }
}

impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        let tools =
            |graph: &Self| graph.0.is_tools.then(|| graph.0.definitions.iter().map(|one| one.node).collect::<Vec<_>>());
        self.0.plain_integers == other.0.plain_integers
            && self.schemas() == other.schemas()
            && tools(self) == tools(other)
    }
}

impl Eq for Graph {}

/// Returns the schemas of a file; `None` if there are errors.
#[salsa::tracked(returns(clone))]
pub fn schema_graph(db: &dyn Db, file: SourceFile) -> Option<Graph> {
    let imported = read_schema(db, file);
    (!imported.has_errors()).then_some(Graph(imported))
}

/// The result of lowering a graph: the automaton, or the reasons why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredSchema {
    /// The automaton.
    pub automaton: Option<Arc<Automaton>>,
    /// Errors about parts that cannot be compiled exactly; their origins are indices into the source map.
    pub errors: Vec<SchemaFault>,
}

/// Lowers a file's graph. The query reads no places, so moving text does not rerun it.
#[salsa::tracked]
pub fn lower_schema(db: &dyn Db, file: SourceFile) -> LoweredSchema {
    let Some(graph) = schema_graph(db, file) else { return LoweredSchema::default() };
    let options = file.options(db);
    if options.json(db).is_misread() {
        let root = graph
            .schemas()
            .root
            .and_then(|root| graph.schemas().nodes.get(root.0 as usize))
            .map_or(Origin(0), |node| node.origin);
        return LoweredSchema { automaton: None, errors: vec![SchemaFault::new(root, SchemaFaultKind::PythonEscapes)] };
    }
    if graph.0.is_tools {
        return LoweredSchema { automaton: None, errors: graph.tool_errors(&options.json(db), &options.limits(db)) };
    }
    match graph.lowered(&options.json(db), &options.limits(db)) {
        Ok(lowered) => LoweredSchema { automaton: Some(Arc::new(lowered.automaton)), errors: Vec::new() },
        Err(errors) => LoweredSchema { automaton: None, errors },
    }
}

/// Returns the fate of every keyword, errors of lowering included: an error becomes the fate of the keyword that it is
/// about, or of the constraining keywords of the schema that it is about.
pub fn schema_fates(db: &dyn Db, file: SourceFile) -> Vec<Fate> {
    let imported = read_schema(db, file);
    let mut fates = imported.report.clone();
    for error in &lower_schema(db, file).errors {
        fail(&mut fates, imported.span(error.origin), &error.to_string());
    }
    fates
}

/// Returns the schemas that an `.ogc` file imports, each with the fate of every keyword, read under the policy of its
/// import. A schema that is imported twice under the same policy occurs once.
pub fn imported_fates(db: &dyn Db, file: SourceFile) -> Vec<(SourceFile, Vec<Fate>)> {
    let mut ways: Vec<(SourceFile, SchemaPolicy)> = Vec::new();
    for (import, target) in imported_files(db, file) {
        let way = (target, schema_policy(db, &import));
        if target.language(db) == Language::JsonSchema && !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways.into_iter().map(|(schema, policy)| (schema, foreign_fates(db, schema, policy))).collect()
}

fn fail(fates: &mut [Fate], place: Span, why: &str) {
    let about: Vec<usize> = (0..fates.len()).filter(|&at| fates[at].span.start == place.start).collect();
    let about = if about.is_empty() { constraints_of(fates, place) } else { about };
    for at in about {
        if fates[at].fate == FateKind::Enforced {
            fates[at].fate = FateKind::Error(why.to_owned());
        }
    }
}

/// Returns the constraining keywords of the schema object at a place: of the keywords inside that place, those with the
/// least nesting.
fn constraints_of(fates: &[Fate], place: Span) -> Vec<usize> {
    let depth = |fate: &Fate| fate.pointer.matches('/').count();
    let is_inside = |fate: &&Fate| place.start < fate.span.start && fate.span.end < place.end;
    let least = fates.iter().filter(is_inside).map(depth).min();
    let wanted = |fate: &Fate| is_inside(&fate) && Some(depth(fate)) == least && is_constraint(&fate.keyword);
    (0..fates.len()).filter(|&at| wanted(&fates[at])).collect()
}

/// Returns the findings of reading and lowering, with places.
pub(super) fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let imported = read_schema(db, file);
    let errors = lower_schema(db, file).errors.iter();
    let lowering = errors.map(|error| error.placed(|origin| imported.span(origin)));
    imported.diagnostics.iter().cloned().chain(lowering).collect()
}
