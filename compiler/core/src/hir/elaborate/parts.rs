//! Builds a module: nodes of values, expressions and rules of texts, their source map, doc comments and annotations.

use std::collections::BTreeSet;

use ogc_grammar::Diagnostic;
use ogc_regular::Dfa;
use ogc_regular::budget::{self, Usage};
use ogc_runtime::automaton::TokenPolicy;
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind, Origin, Schemas};

use super::settle::Changes;
use crate::frontend::docs::DocsByNode;
use crate::hir::module::{Module, OriginPlace, Root};
use crate::ir::{Captured, Expr, ExprId, ExprKind, ExternalId, Grammar, MachineId, Mix, Rule, RuleId};
use crate::lower::json::{Policies, ValueUse};

/// Memory of a node's keywords in bytes, with an average for their lists.
pub(super) const KEYWORDS: usize = size_of::<Keywords>() + 64;

/// The parts of a [`Module`]. Parts are added and never removed, and each is charged to the budget.
///
/// Once the budget is used up, adding returns an existing part: the module will be discarded, so the elaborator need
/// not handle a failure at each step.
#[derive(Debug, Default)]
pub(super) struct ModuleParts {
    pub(super) schemas: Schemas,
    pub(super) exprs: Vec<Expr>,
    pub(super) rules: Vec<Rule>,
    pub(super) machines: Vec<Dfa>,
    pub(super) tokens: BTreeSet<String>,
    pub(super) mixes: Vec<Mix>,
    pub(super) captures: Vec<Captured>,
    /// Calls of tools, by the tools' names.
    pub(super) calls: Vec<Captured>,
    values: Vec<ValueUse>,
    pub(super) policies: Changes,
    pub(super) token_policy: Option<TokenPolicy>,
    pub(super) names: Vec<(NodeId, String)>,
    /// Names of definitions of imported schemas. They are appended to `names`, because names of the module itself take
    /// precedence.
    pub(super) foreign_names: Vec<(NodeId, String)>,
    pub(super) docs: DocsByNode,
    pub(super) places: Vec<OriginPlace>,
}

impl ModuleParts {
    pub(super) fn node(&mut self, kind: NodeKind, origin: Origin) -> NodeId {
        let bytes = match &kind {
            NodeKind::Bool(_) => size_of::<Node>(),
            NodeKind::Keywords(_) => size_of::<Node>() + KEYWORDS,
        };
        // If the budget is used up, the module is discarded, so any node will do.
        if budget::work(2).and(budget::keep(bytes)).is_err() && !self.schemas.nodes.is_empty() {
            return NodeId(0);
        }
        self.schemas.nodes.push(Node { origin, kind });
        NodeId((self.schemas.nodes.len() - 1) as u32)
    }

    pub(super) fn keywords(&mut self, keywords: Keywords, origin: Origin) -> NodeId {
        self.node(NodeKind::Keywords(Box::new(keywords)), origin)
    }

    /// Adds a rule; the caller sets its body later.
    pub(super) fn rule(&mut self, name: &str, origin: Origin) -> RuleId {
        self.rules.push(Rule { name: name.to_owned(), origin, body: ExprId(0) });
        RuleId((self.rules.len() - 1) as u32)
    }

    pub(super) fn expr(&mut self, kind: ExprKind, origin: Origin) -> ExprId {
        // If the budget is used up, any expression will do, as for nodes.
        if budget::work(2).and(budget::keep(2 * size_of::<Expr>())).is_err() && !self.exprs.is_empty() {
            return ExprId(0);
        }
        self.exprs.push(Expr { kind, origin });
        ExprId((self.exprs.len() - 1) as u32)
    }

    pub(super) fn machine(&mut self, dfa: Dfa, origin: Origin) -> ExprId {
        let _ = budget::keep(dfa.bytes());
        self.machines.push(dfa);
        self.expr(ExprKind::Machine(MachineId((self.machines.len() - 1) as u32)), origin)
    }

    pub(super) fn place(&mut self, place: OriginPlace) -> Origin {
        let _ = budget::keep(size_of::<OriginPlace>());
        self.places.push(place);
        Origin(self.places.len() as u32)
    }

    /// Returns the id of a value in a text; equal values share one id.
    pub(super) fn external(&mut self, value: ValueUse) -> ExternalId {
        let known = self.values.iter().position(|known| *known == value);
        let at = known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        ExternalId(at as u32)
    }

    /// Makes the module of these parts.
    pub(super) fn finish(mut self, root: Root, policies: Policies, diagnostics: Vec<Diagnostic<Origin>>) -> Module {
        self.captures.sort_by_key(|captured| captured.body);
        self.calls.sort_by_key(|call| call.body);
        self.names.append(&mut self.foreign_names);
        let grammar = Grammar {
            exprs: self.exprs,
            rules: self.rules,
            machines: self.machines,
            root: RuleId(0),
            tokens: self.tokens.into_iter().collect(),
            mixes: self.mixes,
            captures: self.captures,
            calls: self.calls,
        };
        Module {
            root,
            schemas: self.schemas,
            values: self.values,
            grammar,
            policies,
            token_policy: self.token_policy,
            names: self.names,
            docs: self.docs,
            places: self.places,
            diagnostics,
            usage: Usage::default(),
        }
    }
}
