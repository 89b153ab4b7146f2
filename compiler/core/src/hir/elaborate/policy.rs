//! Policies: how values are spelled. The innermost holds.

use ogc_grammar::ogc::ast::{Argument as Written, Attribute, Expr, ExprKind, ItemKind, Reference};
use ogc_grammar::{Diagnostic, Fix};
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder};
use ogc_schema::source::{Keywords, NodeId, NodeKind, Origin, Schemas, Value};
use rustc_hash::FxHashMap;

use super::{Elaborator, EnvId, virtual_span};
use crate::db::{JsonPolicy, Space};
use crate::hir::items::{ItemId, item_tree};
use crate::hir::spelling::nearest;
use crate::lower::json::PolicyChange;

/// The names of policies.
const POLICIES: [&str; 8] = ["depth", "escapes", "indent", "numbers", "order", "run", "space", "unique_keys"];

/// Nodes that are looked at to tell what a part of a union holds.
const PARTS: u32 = 1_000;

/// How far inside.
const DEPTH: u32 = 32;

/// Unions inside unions that have the policy of a part.
const NESTED_UNIONS: u32 = 64;

/// What to do where a part of a set has a policy.
pub(super) const MISPLACED: &str = "put it on the whole, in parentheses, or on a field; alternatives of a rule or output itself may \
                                    have policies, as in `output Out = @space(\"pretty\") A | B`";

/// The names of budgets, which a file's policies may set too.
const BUDGETS: [&str; 3] = ["build", "mask", "states"];

/// The name is one of a policy.
pub(super) fn is_policy(name: &str) -> bool {
    POLICIES.contains(&name)
}

/// The policies in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Policy {
    space: SpaceName,
    indent: u32,
    run: u32,
    order: KeyOrder,
    pub(super) escapes: Escapes,
    numbers: Spelling,
    /// How deep arrays and records may nest.
    pub(super) depth: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SpaceName {
    Compact,
    Spaced,
    Pretty,
    Any,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            space: SpaceName::Compact,
            indent: 2,
            run: 32,
            order: KeyOrder::Declared,
            escapes: Escapes::Any,
            numbers: Spelling::Plain,
            depth: None,
        }
    }
}

impl Policy {
    pub(super) fn json(self) -> JsonPolicy {
        let space = match self.space {
            SpaceName::Compact => Space::Compact,
            SpaceName::Spaced => Space::Spaced,
            SpaceName::Pretty => Space::Pretty { indent: self.indent },
            SpaceName::Any => Space::Any { max_run: Some(self.run) },
        };
        JsonPolicy { space, order: self.order, escapes: self.escapes, spelling: self.numbers }
    }
}

impl<'db> Elaborator<'db> {
    /// The settings of a `policy` item.
    pub(super) fn settings(&mut self, item: &ItemId, env: EnvId, mut policy: Policy) -> Policy {
        let ItemKind::Policy(written) = &item_tree(self.db, item).item.kind else { return policy };
        for setting in &written.settings {
            let Some(name) = &setting.name else { continue };
            if BUDGETS.contains(&name.text.as_str()) {
                continue;
            }
            self.set(&mut policy, &name.text, name.span, &setting.value, env);
        }
        policy
    }

    /// The policies of an item's attributes.
    pub(super) fn item_policy(&mut self, item: &ItemId, env: EnvId, policy: Policy) -> Policy {
        self.attributes_policy(&item_tree(self.db, item).item.attributes, env, policy)
    }

    /// The policies of attributes; others are somebody else's.
    pub(super) fn attributes_policy(&mut self, attributes: &'db [Attribute], env: EnvId, mut policy: Policy) -> Policy {
        for attribute in attributes.iter().filter(|attribute| is_policy(&attribute.name.text)) {
            let [argument] = attribute.arguments.as_slice() else {
                let message = format!("`@{}` takes one value", attribute.name.text);
                self.error("policy-value", attribute.span, env, message).help =
                    Some(values(&attribute.name.text).to_owned());
                continue;
            };
            self.set(&mut policy, &attribute.name.text, attribute.name.span, &argument.value, env);
        }
        policy
    }

    /// The policies among the arguments of `json<T, ...>`.
    pub(super) fn arguments_policy(&mut self, arguments: &'db [Written], env: EnvId, mut policy: Policy) -> Policy {
        for argument in arguments {
            if let Some(name) = &argument.name {
                self.set(&mut policy, &name.text, name.span, &argument.value, env);
            }
        }
        policy
    }

    fn set(&mut self, policy: &mut Policy, name: &str, span: ogc_grammar::Span, value: &'db Expr, env: EnvId) {
        let (inner, inside) = self.unfolded(value, env);
        if self.is_opaque(inner, inside) {
            return;
        }
        if !is_policy(name) {
            let near = nearest(name, POLICIES).map_or_else(
                || format!("the policies are {}", POLICIES.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.error("unknown-policy", span, env, format!("there is no policy `{name}`")).help = Some(near);
            return;
        }
        if name == "unique_keys" && matches!(inner.kind, ExprKind::Bool(true)) {
            let message = "keys of patterns and of `...` cannot be kept from repeating yet";
            self.error("unsupported-policy", value.span, env, message).help =
                Some("declare the keys by name: declared keys are never repeated".to_owned());
            return;
        }
        if !apply(policy, name, &inner.kind) {
            let fix = other_quotes(policy, name, value);
            let fix = fix.map(|written| self.fix(Fix::new(format!("write `{written}`"), value.span, written), env));
            let found = self.error("policy-value", value.span, env, format!("this is no value of `{name}`"));
            (found.help, found.fix) = (Some(values(name).to_owned()), fix);
        }
    }

    /// What a type's own attributes change for its values, and the depth they bound.
    pub(super) fn item_change(&mut self, item: &ItemId, env: EnvId) -> (Option<PolicyChange>, Option<u32>) {
        self.change(&item_tree(self.db, item).item.attributes, env)
    }

    /// What attributes change, and the depth they bound.
    fn change(&mut self, attributes: &'db [Attribute], env: EnvId) -> (Option<PolicyChange>, Option<u32>) {
        let named = |name: &str| attributes.iter().any(|attribute| attribute.name.text == name);
        if !attributes.iter().any(|attribute| is_policy(&attribute.name.text)) {
            return (None, None);
        }
        let policy = self.attributes_policy(attributes, env, Policy::default());
        let json = policy.json();
        if let Some(escapes) = attributes.iter().find(|attribute| attribute.name.text == "escapes") {
            let message = "escapes are the same in the whole of an output";
            self.error("misplaced-policy", escapes.span, env, message).help =
                Some("put `@escapes(...)` before the output, or in the file's `policy`".to_owned());
        }
        for dependent in ["indent", "run"] {
            if named(dependent) && !named("space") {
                let place = attributes.iter().find(|attribute| attribute.name.text == dependent);
                let message = format!("`@{dependent}` needs `@space(...)` beside it here");
                self.error("misplaced-policy", place.map_or_else(Default::default, |place| place.span), env, message)
                    .help = Some("write `@space(\"pretty\")` for `indent`, `@space(\"any\")` for `run`".to_owned());
            }
        }
        let change = PolicyChange {
            space: named("space").then_some(json.space),
            order: named("order").then_some(json.order),
            spelling: named("numbers").then_some(json.spelling),
        };
        ((change != PolicyChange::default()).then_some(change), policy.depth)
    }

    /// Policies inside policies: the inner one holds where both say something. A part of `&` or `-` has none, and one of `|`
    /// only where it is that of the whole.
    pub(super) fn settle_policies(&mut self) {
        if self.policies.is_empty() {
            return;
        }
        self.settle_nested();
        for _ in 0..NESTED_UNIONS {
            if !self.policies_of_unions() {
                break;
            }
            self.settle_nested();
        }
        if self.found.iter().any(|found| found.code == "misplaced-policy") {
            return;
        }
        let own: FxHashMap<NodeId, PolicyChange> = self.policies.iter().copied().collect();
        let mut misplaced = Vec::new();
        for (at, node) in (0u32..).zip(&self.schemas.nodes) {
            let NodeKind::Keywords(keywords) = &node.kind else { continue };
            let choices = keywords.any_of.iter().chain(&keywords.one_of).filter(|_| !own.contains_key(&NodeId(at)));
            let choices = choices.flat_map(|choice| &choice.value);
            let joined = keywords.all_of.iter().filter(|_| keywords.all_of.len() > 1);
            let parts = choices.chain(joined).filter(|part| own.contains_key(&behind(&self.schemas, **part)));
            misplaced.extend(parts.map(|part| self.schemas.nodes[part.0 as usize].origin));
        }
        for origin in misplaced {
            let message =
                "a part of `|`, `&` or `-` cannot have a policy of its own: nothing tells its values from the others'";
            let help = MISPLACED;
            let span = virtual_span(origin.0);
            self.found.push(Diagnostic::error("misplaced-policy", span, message).help(help));
        }
    }

    fn settle_nested(&mut self) {
        let own: FxHashMap<NodeId, PolicyChange> = self.policies.iter().copied().collect();
        for (node, change) in &mut self.policies {
            let mut inner = only_part(&self.schemas, *node);
            while let Some(at) = inner {
                let Some(found) = own.get(&at) else { break };
                *change = found.or(*change);
                inner = only_part(&self.schemas, at);
            }
        }
    }

    /// Gives a union the policy that all its parts have of which a policy can say something: in `@space("any") T | null` it
    /// does not matter whether `null` has it too. Whether there was such a union.
    fn policies_of_unions(&mut self) -> bool {
        let own: FxHashMap<NodeId, PolicyChange> = self.policies.iter().copied().collect();
        let mut found = Vec::new();
        for (at, node) in (0u32..).map(NodeId).zip(&self.schemas.nodes) {
            let NodeKind::Keywords(keywords) = &node.kind else { continue };
            let choices: Vec<_> = keywords.any_of.iter().chain(&keywords.one_of).collect();
            let ([choice], false) = (choices.as_slice(), own.contains_key(&at)) else { continue };
            let plain =
                Keywords { any_of: keywords.any_of.clone(), one_of: keywords.one_of.clone(), ..Keywords::default() };
            let parts = choice.value.iter().map(|part| (behind(&self.schemas, *part), *part));
            let changes: Vec<_> = parts.map(|(behind, part)| (own.get(&behind).copied(), part)).collect();
            if changes.iter().all(|(change, _)| change.is_none()) || **keywords != plain {
                continue;
            }
            let numbers = changes.iter().any(|(change, _)| change.is_some_and(|change| change.spelling.is_some()));
            let mut fuel = PARTS;
            let mut concerned = changes.iter().filter(|(_, part)| {
                let holds = holds(&self.schemas, *part, &mut fuel, DEPTH);
                holds.containers || numbers && holds.numbers
            });
            match concerned.next() {
                // Policies say nothing about strings, `null` and booleans.
                None => found.push((at, PolicyChange::default())),
                // Those that it matters for may have none: the others' is nothing then.
                Some((change, _)) if concerned.all(|(other, _)| other == change) => {
                    found.push((at, change.unwrap_or_default()));
                }
                Some(_) => {}
            }
        }
        let any = !found.is_empty();
        self.policies.extend(found);
        any
    }

    /// A value with attributes before it.
    pub(super) fn attributed_value(
        &mut self,
        attributes: &'db [Attribute],
        item: &'db Expr,
        env: EnvId,
        origin: Origin,
    ) -> NodeId {
        let mut node = self.value(item, env);
        let (change, depth) = self.change(attributes, env);
        if let Some(depth) = depth {
            node = self.bounded(node, depth, origin);
        }
        if change.is_none() {
            return node;
        }
        let (kind, change) = self.changed(node, change, origin);
        let made = self.node(kind, origin);
        self.policies.extend(change.map(|change| (made, change)));
        made
    }

    /// What a node is that means `body`, with a policy of its own or without.
    pub(super) fn changed(
        &self,
        body: NodeId,
        change: Option<PolicyChange>,
        origin: Origin,
    ) -> (NodeKind, Option<PolicyChange>) {
        let keywords = match change {
            // A plain reference is looked through; this one is to stay.
            Some(_) => Keywords { all_of: vec![body], ..Keywords::default() },
            None => Keywords { reference: Some(ogc_schema::source::At { origin, value: body }), ..Keywords::default() },
        };
        (NodeKind::Keywords(Box::new(keywords)), change)
    }
}

/// The node behind plain references.
fn behind(schemas: &Schemas, mut node: NodeId) -> NodeId {
    for _ in 0..64 {
        let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { break };
        let plain = Keywords { reference: keywords.reference.clone(), ..Keywords::default() };
        match &keywords.reference {
            Some(next) if **keywords == plain => node = next.value,
            _ => break,
        }
    }
    node
}

/// Of what a policy can say something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holds {
    /// Arrays or objects.
    containers: bool,
    numbers: bool,
}

impl Holds {
    const ALL: Holds = Holds { containers: true, numbers: true };
    const NONE: Holds = Holds { containers: false, numbers: false };

    fn and(self, other: Holds) -> Holds {
        Holds { containers: self.containers && other.containers, numbers: self.numbers && other.numbers }
    }

    fn or(self, other: Holds) -> Holds {
        Holds { containers: self.containers || other.containers, numbers: self.numbers || other.numbers }
    }
}

/// What a node may hold: never too little. `fuel` is how many nodes may still be looked at, `depth` how far inside.
fn holds(schemas: &Schemas, node: NodeId, fuel: &mut u32, depth: u32) -> Holds {
    let (Some(left), Some(depth)) = (fuel.checked_sub(1), depth.checked_sub(1)) else { return Holds::ALL };
    *fuel = left;
    let keywords = match &schemas.nodes[node.0 as usize].kind {
        NodeKind::Bool(true) => return Holds::ALL,
        NodeKind::Bool(false) => return Holds::NONE,
        NodeKind::Keywords(keywords) => keywords,
    };
    let mut all = keywords.types.as_ref().map_or(Holds::ALL, |types| {
        let types = types.value;
        Holds { containers: types.array || types.object, numbers: types.number || types.integer }
    });
    for list in &keywords.one_of_values {
        all = all.and(Holds {
            containers: list.value.iter().any(|value| matches!(value, Value::Array(_) | Value::Object(_))),
            numbers: list.value.iter().any(|value| matches!(value, Value::Number(_))),
        });
    }
    for part in keywords.reference.iter().map(|part| &part.value).chain(&keywords.all_of) {
        all = all.and(holds(schemas, *part, fuel, depth));
    }
    for choice in keywords.any_of.iter().chain(&keywords.one_of) {
        let arms = choice.value.iter();
        all = all.and(arms.fold(Holds::NONE, |one, arm| one.or(holds(schemas, *arm, fuel, depth))));
    }
    all
}

/// What a node with a policy is the whole of.
fn only_part(schemas: &Schemas, node: NodeId) -> Option<NodeId> {
    let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { return None };
    match keywords.all_of.as_slice() {
        [part] => Some(behind(schemas, *part)),
        _ => None,
    }
}

/// Sets a policy; says whether the value is one of it.
fn apply(policy: &mut Policy, name: &str, value: &ExprKind) -> bool {
    let word = match value {
        ExprKind::String(word) => word.as_str(),
        _ => "",
    };
    let number = match value {
        ExprKind::Number(number) => number.parse::<u32>().ok(),
        _ => None,
    };
    match (name, word, number) {
        ("space", "compact", _) => policy.space = SpaceName::Compact,
        ("space", "spaced", _) => policy.space = SpaceName::Spaced,
        ("space", "pretty", _) => policy.space = SpaceName::Pretty,
        ("space", "any", _) => policy.space = SpaceName::Any,
        ("order", "declared", _) => policy.order = KeyOrder::Declared,
        ("order", "any", _) => policy.order = KeyOrder::Any,
        ("escapes", "any", _) => policy.escapes = Escapes::Any,
        ("escapes", "canonical", _) => policy.escapes = Escapes::Canonical,
        ("numbers", "plain", _) => policy.numbers = Spelling::Plain,
        ("numbers", "json", _) => policy.numbers = Spelling::Json,
        ("indent", _, Some(indent @ 0..=16)) => policy.indent = indent,
        ("run", _, Some(run @ 1..=100_000)) => policy.run = run,
        ("depth", _, Some(depth @ 0..=1_000)) => policy.depth = Some(depth),
        ("unique_keys", ..) => return matches!(value, ExprKind::Bool(false)),
        _ => return false,
    }
    true
}

/// The value that is meant where a word stands without quotes, or a number in quotes.
fn other_quotes(policy: &Policy, name: &str, written: &Expr) -> Option<String> {
    let fits = |kind: ExprKind| apply(&mut { *policy }, name, &kind);
    match &written.kind {
        ExprKind::Reference(Reference { path, arguments }) if arguments.is_empty() => {
            let word = path.segments.first().filter(|_| path.segments.len() == 1)?.text.clone();
            fits(ExprKind::String(word.clone())).then(|| format!("\"{word}\""))
        }
        ExprKind::String(text) => fits(ExprKind::Number(text.clone())).then(|| text.clone()),
        _ => None,
    }
}

fn values(name: &str) -> &'static str {
    match name {
        "space" => "write \"compact\", \"spaced\", \"pretty\" or \"any\"",
        "order" => "write \"declared\" or \"any\"",
        "escapes" => "write \"any\" or \"canonical\"",
        "numbers" => "write \"plain\" or \"json\"",
        "indent" => "write a number of spaces up to 16",
        "run" => "write a number from 1 to 100000",
        "depth" => "write a number up to 1000",
        _ => "write `true` or `false`",
    }
}
