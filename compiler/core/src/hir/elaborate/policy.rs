//! Policies: how values are spelled. The innermost holds.

use ogc_grammar::nearest;
use ogc_grammar::ogc::ast::{Argument as Written, Attribute, Expr, ExprKind, ItemKind, Reference};
use ogc_grammar::{Code, Fix};
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder};
use ogc_schema::source::{Keywords, NodeId, NodeKind, Origin};

use super::{Elaborator, EnvId};
use crate::db::{JsonPolicy, Space};
use crate::hir::items::{ItemId, item_tree};
use crate::lower::json::PolicyChange;

/// The names of policies.
const POLICIES: [&str; 8] = ["depth", "escapes", "indent", "numbers", "order", "run", "space", "unique_keys"];

/// What to do where a part of a set has a policy.
pub(super) const MISPLACED: &str = "put it on the whole, in parentheses, or on a field";

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
                self.error(Code::PolicyValue, attribute.span, env, message).help =
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
            self.error(Code::UnknownPolicy, span, env, format!("there is no policy `{name}`")).help = Some(near);
            return;
        }
        if name == "unique_keys" && matches!(inner.kind, ExprKind::Bool(true)) {
            let message = "keys of patterns and of `...` cannot be kept from repeating yet";
            self.error(Code::UnsupportedPolicy, value.span, env, message).help =
                Some("declare the keys by name: declared keys are never repeated".to_owned());
            return;
        }
        if !apply(policy, name, &inner.kind) {
            let fix = other_quotes(policy, name, value);
            let fix = fix.map(|written| self.fix(&Fix::new(format!("write `{written}`"), value.span, written), env));
            let found = self.error(Code::PolicyValue, value.span, env, format!("this is no value of `{name}`"));
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
            self.error(Code::MisplacedPolicy, escapes.span, env, message).help =
                Some("put `@escapes(...)` before the output, or in the file's `policy`".to_owned());
        }
        for dependent in ["indent", "run"] {
            if named(dependent) && !named("space") {
                let place = attributes.iter().find(|attribute| attribute.name.text == dependent);
                let message = format!("`@{dependent}` needs `@space(...)` beside it here");
                self.error(
                    Code::MisplacedPolicy,
                    place.map_or_else(Default::default, |place| place.span),
                    env,
                    message,
                )
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
        // A formatter's name says what it writes by itself.
        ("space", "compact" | "JSON.stringify", _) => policy.space = SpaceName::Compact,
        ("space", "spaced" | "json.dumps", _) => policy.space = SpaceName::Spaced,
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
        "space" => {
            "write \"compact\", \"spaced\", \"pretty\" or \"any\"; or who writes so: \"JSON.stringify\", \"json.dumps\""
        }
        "order" => "write \"declared\" or \"any\"",
        "escapes" => "write \"any\" or \"canonical\"",
        "numbers" => "write \"plain\" or \"json\"",
        "indent" => "write a number of spaces up to 16",
        "run" => "write a number from 1 to 100000",
        "depth" => "write a number up to 1000",
        _ => "write `true` or `false`",
    }
}
