//! Copies imported schema graphs and grammar rules into the module, and applies the import's replacements.

use ogc_grammar::Span;
use ogc_regular::budget;
use ogc_schema::source::{Keywords, NodeId, NodeKind, Origin};
use rustc_hash::FxHashMap;

use super::Elaborator;
use super::environment::ViewId;
use super::instances::{ImportedGraph, Waiting};
use super::parts::KEYWORDS;
use super::policy::Policy;
use crate::db::Language;
use crate::foreign::{foreign_names_of, foreign_schema_by, imported_grammar};
use crate::ir::{
    Captured, Expr, ExprId, ExprKind, Extent, ExternalId, GrammarValues, MachineId, PlacedGrammar, Places, RuleId,
};

impl<'db> Elaborator<'db> {
    /// Returns whether the file is a JSON Schema.
    pub(super) fn is_schema(&self, view: ViewId) -> bool {
        self.environment.file(view).language(self.db) == Language::JsonSchema
    }

    /// Returns the node of a definition of an imported schema; copies the whole graph at first use.
    pub(super) fn imported_value(&mut self, view: ViewId, name: &str) -> NodeId {
        if self.is_alone() {
            return self.anything(Origin(0));
        }
        if !self.instances.graphs.contains_key(&view) {
            self.import_graph(view);
        }
        self.definition(view, name).unwrap_or_else(|| self.anything(Origin(0)))
    }

    /// Returns the node of a definition of an imported graph; at the first use, copies all nodes that it reaches.
    fn definition(&mut self, view: ViewId, name: &str) -> Option<NodeId> {
        let graph = self.instances.graphs.get_mut(&view)?;
        let node = *graph.definitions.get(name)?;
        let ImportedGraph { base, places, outside, is_empty, .. } = graph;
        let imported = &foreign_schema_by(self.db, self.environment.file(view), self.environment.policy(view)).0;
        let place = |origin: Origin| places.get(origin.0 as usize).copied().unwrap_or(*outside);
        self.parts.schemas.fill(&imported.schemas, *base, node, &place, is_empty);
        Some(graph.moved(node))
    }

    /// Reserves the nodes of an imported schema graph in the module, and copies the graph's errors, places, docs and
    /// names.
    fn import_graph(&mut self, view: ViewId) {
        let file = self.environment.file(view);
        let foreign = foreign_schema_by(self.db, file, self.environment.policy(view));
        let imported = &foreign.0;
        let whole = self.environment.place_in(Span::of(0, file.text(self.db).len()), view);
        for found in imported.diagnostics.iter().filter(|found| found.is_error()) {
            let place = self.environment.place_in(found.span, view);
            let origin = self.parts.place(place);
            self.findings.add(found.map_places(|_| origin));
        }
        let places: Vec<Origin> = imported
            .origins
            .iter()
            .map(|&span| {
                let place = self.environment.place_in(span, view);
                self.parts.place(place)
            })
            .collect();
        let outside = self.parts.place(whole);
        let _ = budget::work(imported.schemas.nodes.len());
        if budget::keep(imported.schemas.nodes.len() * KEYWORDS).is_err() {
            self.instances.graphs.insert(view, ImportedGraph::default());
            return;
        }
        let base = self.parts.schemas.reserve(&imported.schemas, outside);
        let is_empty = vec![true; imported.schemas.nodes.len()];
        let definitions = foreign.definitions().into_iter().collect();
        let graph = ImportedGraph { definitions, base, places, outside, is_empty };
        self.parts.docs.extend(imported.docs.iter().map(|(node, docs)| (graph.moved(*node), docs.clone())));
        let names = imported.definitions.iter().map(|one| (graph.moved(one.node), one.name.clone()));
        self.parts.foreign_names.extend(names);
        // The graph is registered before its definitions are replaced, because a replacement may use the same import.
        self.instances.graphs.insert(view, graph);
        self.replace_definitions(view);
    }

    /// Turns replaced definitions into references to their replacements, so that uses inside the graph see the
    /// replacements too.
    fn replace_definitions(&mut self, view: ViewId) {
        let Some((overrides, env)) = self.overrides(view) else { return };
        for one in overrides {
            // The definition is copied before it is replaced, so that no later use of the import copies it over the
            // replacement.
            let Some(node) = self.definition(view, &one.name.text) else { continue };
            let origin = self.origin(one.span, env);
            let value = self.value(&one.value, env);
            let reference = Some(ogc_schema::source::At { origin, value });
            let keywords = Keywords { reference, ..Keywords::default() };
            self.parts.schemas.nodes[node.0 as usize].kind = NodeKind::Keywords(Box::new(keywords));
        }
    }

    /// Returns the rule of an imported grammar or pattern; copies the whole grammar at first use.
    pub(super) fn imported_rule(&mut self, view: ViewId, name: &str, policy: Policy) -> Option<RuleId> {
        if self.is_alone() {
            return None;
        }
        let key = (view, policy);
        if !self.instances.grammars.contains_key(&key) {
            let rules = self.import_grammar(view, policy);
            self.instances.grammars.insert(key, rules);
        }
        self.instances.grammars.get(&key).and_then(|rules| rules.get(name).copied())
    }

    /// Copies an imported grammar into the module; returns its rules by name. Replaced rules wait for their new bodies.
    fn import_grammar(&mut self, view: ViewId, policy: Policy) -> FxHashMap<String, RuleId> {
        let file = self.environment.file(view);
        let (placed, found) = imported_grammar(self.db, file);
        for found in found.iter().filter(|found| found.is_error()) {
            let place = self.environment.place_in(found.span, view);
            let origin = self.parts.place(place);
            self.findings.add(found.map_places(|_| origin));
        }
        let Some(placed) = placed.as_ref() else { return FxHashMap::default() };
        let mut names = self.append(placed, view, policy);
        // If the grammar has no start rule, no name stands for the whole.
        if !foreign_names_of(self.db, file).iter().any(|name| name == "root") {
            names.remove("root");
        }
        if let Some((overrides, env)) = self.overrides(view) {
            for one in overrides {
                if let Some(&rule) = names.get(&one.name.text) {
                    self.instances.waiting.push_back(Waiting::Expression { rule, expr: &one.value, env, policy });
                }
            }
        }
        names
    }

    /// Appends the rules of a grammar to the module with all ids shifted; returns the rules by name.
    fn append(&mut self, placed: &PlacedGrammar, view: ViewId, policy: Policy) -> FxHashMap<String, RuleId> {
        let PlacedGrammar { grammar, places, .. } = placed;
        let values = self.append_values(placed, view, policy);
        let (exprs, rules) = (self.parts.exprs.len() as u32, self.parts.rules.len() as u32);
        let machines = self.parts.machines.len() as u32;
        let _ = budget::keep(grammar.machines.iter().map(ogc_regular::Dfa::bytes).sum());
        self.parts.machines.extend(grammar.machines.iter().cloned());
        self.parts.tokens.extend(grammar.tokens.iter().cloned());
        for captured in &grammar.captures {
            let origin = self.foreign_origin(places, captured.origin, view);
            self.parts.captures.push(Captured {
                name: captured.name.clone(),
                body: ExprId(captured.body.0 + exprs),
                extent: match &captured.extent {
                    Extent::WithoutIgnored(rule) => Extent::WithoutIgnored(RuleId(rule.0 + rules)),
                    extent => extent.clone(),
                },
                origin,
            });
        }
        for expr in &grammar.exprs {
            let origin = self.foreign_origin(places, expr.origin, view);
            let kind = match expr.kind {
                ExprKind::External(value) => ExprKind::External(values.get(value.index()).copied().unwrap_or(value)),
                _ => shifted(&expr.kind, (exprs, rules, machines)),
            };
            self.parts.exprs.push(Expr { kind, origin });
        }
        let mut names = FxHashMap::default();
        for rule in &grammar.rules {
            let origin = self.foreign_origin(places, rule.origin, view);
            let id = self.parts.rule(&rule.name, origin);
            self.parts.rules[id.index()].body = ExprId(rule.body.0 + exprs);
            names.insert(rule.name.clone(), id);
        }
        let root = RuleId(grammar.root.0 + rules);
        // Where the options name the start rule, `root` is that rule, even beside another rule `root`.
        let is_named = self.environment.file(view).options(self.db).definition(self.db).is_some();
        if is_named || !names.contains_key("root") {
            names.insert("root".to_owned(), root);
        }
        names
    }

    /// Copies the schemas of the JSON values in a grammar; returns their ids in the module.
    fn append_values(&mut self, placed: &PlacedGrammar, view: ViewId, policy: Policy) -> Vec<ExternalId> {
        let GrammarValues { schemas, nodes, .. } = &placed.values;
        if nodes.is_empty() || budget::keep(schemas.nodes.len() * KEYWORDS).is_err() {
            return Vec::new();
        }
        let outside = self.foreign_origin(&placed.places, Origin(0), view);
        let known = (1..).map(Origin).map_while(|origin| placed.places.get(origin).map(|_| origin));
        let origins: Vec<Origin> = known.map(|origin| self.foreign_origin(&placed.places, origin, view)).collect();
        let place = |origin: Origin| {
            let at = (origin.0 as usize).checked_sub(1);
            at.and_then(|at| origins.get(at)).copied().unwrap_or(outside)
        };
        let base = self.parts.schemas.reserve(schemas, outside);
        let mut is_reserved = vec![true; schemas.nodes.len()];
        let mut numbers = Vec::with_capacity(nodes.len());
        for &node in nodes {
            self.parts.schemas.fill(schemas, base, node, &place, &mut is_reserved);
            let value = self.value_use(NodeId(node.0 + base), policy, outside);
            numbers.push(self.parts.external(value));
        }
        numbers
    }

    /// Converts an origin of an imported grammar to an origin of the module.
    fn foreign_origin(&mut self, places: &Places, origin: Origin, view: ViewId) -> Origin {
        let place = self.environment.place_in(places.get(origin).unwrap_or_default(), view);
        self.parts.place(place)
    }
}

/// Returns an expression with all its ids shifted by the sizes of the arenas that it is appended to.
fn shifted(kind: &ExprKind, (exprs, rules, machines): (u32, u32, u32)) -> ExprKind {
    match kind {
        ExprKind::Machine(machine) => ExprKind::Machine(MachineId(machine.0 + machines)),
        ExprKind::Rule(rule) => ExprKind::Rule(RuleId(rule.0 + rules)),
        _ => kind.with_children(|id| ExprId(id.0 + exprs)),
    }
}
