//! Reads policies (rules for spelling values) from `policy` items, attributes and `json<T, ...>`. The innermost one
//! applies.
//!
//! A [`Policy`] is complete: it applies to a whole text or value and is passed down while texts are elaborated. A
//! [`PolicyChange`] sets parts of it for one node of the schema graph, as `@space("any")` on a field does.

use ogc_grammar::nearest;
use ogc_grammar::ogc::ast::{Argument as Written, Attribute, Expr, ExprKind, ItemKind, Name, Reference};
use ogc_grammar::{Code, Fix};
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder, TokenPolicy};
use ogc_schema::Words;
use ogc_schema::source::{Keywords, NodeId, NodeKind, Origin};

use super::{Elaborator, EnvId};
use crate::db::{JsonPolicy, Space};
use crate::hir::attribute::AttributeKind;
use crate::hir::items::{ItemId, item_tree};
use crate::hir::setting::{PolicyKind, Setting, SettingKind};
use crate::lower::json::PolicyChange;

/// The help for a policy on one part of a set.
pub(super) const MISPLACED: &str = "put it on the whole, in parentheses, or on a field";

/// Returns whether an attribute sets a policy.
pub(super) fn is_policy(attribute: &Attribute) -> bool {
    PolicyKind::of(&attribute.name.text).is_some()
}

/// A value for every policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Policy {
    space: SpaceName,
    indent: u32,
    run: u32,
    order: KeyOrder,
    /// The escapes, if something sets them.
    pub(super) chosen_escapes: Option<Escapes>,
    numbers: Spelling,
    pub(super) words: Words,
    /// The policy for tokens of the whole output, if it has one.
    pub(super) tokens: Option<TokenPolicy>,
    /// Maximum nesting of arrays and records.
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
            chosen_escapes: None,
            numbers: Spelling::Plain,
            words: Words::Json,
            tokens: None,
            depth: None,
        }
    }
}

impl Policy {
    /// Returns the order of keys.
    pub(super) fn order(self) -> KeyOrder {
        self.order
    }

    /// Returns the escapes.
    pub(super) fn escapes(self) -> Escapes {
        self.chosen_escapes.unwrap_or(Escapes::Any)
    }

    /// Returns the policies in the form that lowering needs. The depth is missing, because the nodes enforce it
    /// already.
    pub(super) fn json(self) -> JsonPolicy {
        let space = match self.space {
            SpaceName::Compact => Space::Compact,
            SpaceName::Spaced => Space::Spaced,
            SpaceName::Pretty => Space::Pretty { indent: self.indent },
            SpaceName::Any => Space::Any { max_run: Some(self.run) },
        };
        JsonPolicy { space, order: self.order, escapes: self.escapes(), spelling: self.numbers, words: self.words }
    }
}

impl<'db> Elaborator<'db> {
    /// Returns `policy` changed by the settings of a `policy` item.
    pub(super) fn settings(&mut self, item: &ItemId, env: EnvId, mut policy: Policy) -> Policy {
        let ItemKind::Policy(written) = &item_tree(self.db, item).item.kind else { return policy };
        for setting in &written.settings {
            let Some(name) = &setting.name else { continue };
            if Setting::of(&name.text).is_none_or(|known| matches!(known.kind, SettingKind::Policy(_))) {
                self.set(&mut policy, name, &setting.value, env);
            }
        }
        policy
    }

    /// Returns `policy` changed by the attributes of an item.
    pub(super) fn item_policy(&mut self, item: &ItemId, env: EnvId, policy: Policy) -> Policy {
        self.attributes_policy(&item_tree(self.db, item).item.attributes, env, policy)
    }

    /// Returns `policy` changed by attributes; attributes that set no policy are ignored.
    pub(super) fn attributes_policy(&mut self, attributes: &'db [Attribute], env: EnvId, mut policy: Policy) -> Policy {
        for attribute in attributes {
            let Some(setting) = Setting::of(&attribute.name.text).filter(|_| is_policy(attribute)) else { continue };
            let [argument] = attribute.arguments.as_slice() else {
                let message = format!("`@{}` takes one value", attribute.name.text);
                self.error(Code::PolicyValue, attribute.span, env, message).help = Some(setting.values.to_owned());
                continue;
            };
            self.set(&mut policy, &attribute.name, &argument.value, env);
        }
        policy
    }

    /// Returns `policy` changed by the arguments of `json<T, ...>`.
    pub(super) fn arguments_policy(&mut self, arguments: &'db [Written], env: EnvId, mut policy: Policy) -> Policy {
        for argument in arguments {
            if let Some(name) = &argument.name {
                self.check_part(name, env);
                self.set(&mut policy, name, &argument.value, env);
            }
        }
        policy
    }

    /// Reports a policy of whole outputs that is set for a value inside an output.
    fn check_part(&mut self, name: &Name, env: EnvId) {
        if PolicyKind::of(&name.text).is_some_and(PolicyKind::is_of_outputs) {
            let message = format!("`{}` is about a whole output", name.text);
            let help = format!("put `@{0}(...)` before the output, or `{0}` in the file's `policy`", name.text);
            self.error(Code::MisplacedPolicy, name.span, env, message).help = Some(help);
        }
    }

    /// Sets one policy, or reports an unknown name or value. An opaque parameter is accepted as value.
    fn set(&mut self, policy: &mut Policy, name: &Name, value: &'db Expr, env: EnvId) {
        let (inner, inside) = self.unfolded(value, env);
        if self.is_opaque(inner, inside) {
            return;
        }
        let Some(setting @ &Setting { kind: SettingKind::Policy(kind), .. }) = Setting::of(&name.text) else {
            return self.unknown_policy(name, env);
        };
        if kind == PolicyKind::UniqueKeys && matches!(inner.kind, ExprKind::Bool(true)) {
            let message = "keys of patterns and of `...` cannot be kept from repeating yet";
            self.error(Code::UnsupportedPolicy, value.span, env, message).help =
                Some("declare the keys by name: declared keys are never repeated".to_owned());
            return;
        }
        if !apply(policy, kind, &inner.kind) {
            let fix = other_quotes(policy, kind, value);
            let fix = fix.map(|written| self.fix(&Fix::new(format!("write `{written}`"), value.span, written), env));
            let found = self.error(Code::PolicyValue, value.span, env, format!("this is no value of `{}`", name.text));
            (found.help, found.fix) = (Some(setting.values.to_owned()), fix);
        }
    }

    fn unknown_policy(&mut self, name: &Name, env: EnvId) {
        if let Some(SettingKind::Schemas(kind)) = Setting::of(&name.text).map(|known| known.kind) {
            let message = format!("`{}` is about imported schemas", name.text);
            self.error(Code::MisplacedPolicy, name.span, env, message).help =
                Some(AttributeKind::Schemas(kind).home().to_owned());
            return;
        }
        let policies = Setting::policies().filter(|one| matches!(one.kind, SettingKind::Policy(_)));
        let names: Vec<&str> = policies.map(|policy| policy.name).collect();
        let near = nearest(&name.text, names.iter().copied());
        let guess = near.map(|near| self.fix(&Fix::instead(name.span, near), env));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the policies are {}", names.join(", ")),
        };
        let message = format!("there is no policy `{}`", name.text);
        let found = self.error(Code::UnknownPolicy, name.span, env, message);
        found.help = Some(help);
        found.guesses.extend(guess);
    }

    /// Returns the policy change that a type's attributes make for its values, and the depth that they set.
    pub(super) fn item_change(&mut self, item: &ItemId, env: EnvId) -> (Option<PolicyChange>, Option<u32>) {
        self.change(&item_tree(self.db, item).item.attributes, env)
    }

    /// Returns the policy change that attributes make for one node, and the depth that they set.
    fn change(&mut self, attributes: &'db [Attribute], env: EnvId) -> (Option<PolicyChange>, Option<u32>) {
        let find = |kind: PolicyKind| attributes.iter().find(|one| PolicyKind::of(&one.name.text) == Some(kind));
        if !attributes.iter().any(is_policy) {
            return (None, None);
        }
        let policy = self.attributes_policy(attributes, env, Policy::default());
        let json = policy.json();
        if let Some(escapes) = find(PolicyKind::Escapes) {
            let message = "escapes are the same in the whole of an output";
            self.error(Code::MisplacedPolicy, escapes.span, env, message).help =
                Some("put `@escapes(...)` before the output, or in the file's `policy`".to_owned());
        }
        let space = find(PolicyKind::Space);
        let without_space = [PolicyKind::Indent, PolicyKind::Run].into_iter().filter(|_| space.is_none());
        for dependent in without_space.filter_map(find) {
            let message = format!("`@{}` needs `@space(...)` beside it here", dependent.name.text);
            self.error(Code::MisplacedPolicy, dependent.span, env, message).help =
                Some("write `@space(\"pretty\")` for `indent`, `@space(\"any\")` for `run`".to_owned());
        }
        let change = PolicyChange {
            space: space.map(|_| json.space),
            order: find(PolicyKind::Order).map(|_| json.order),
            spelling: find(PolicyKind::Numbers).map(|_| json.spelling),
            words: find(PolicyKind::Words).map(|_| json.words),
        };
        ((change != PolicyChange::default()).then_some(change), policy.depth)
    }

    /// Returns the node of a value with attributes before it.
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
        let made = self.parts.node(kind, origin);
        self.parts.policies.extend(change.map(|change| (made, change)));
        made
    }

    /// Returns a node that means `body`, and the policy change that the node must carry.
    pub(super) fn changed(
        &self,
        body: NodeId,
        change: Option<PolicyChange>,
        origin: Origin,
    ) -> (NodeKind, Option<PolicyChange>) {
        let keywords = match change {
            // A plain reference would be followed and lose the policy, so a conjunction with a single part wraps the
            // body.
            Some(_) => Keywords { all_of: vec![body], ..Keywords::default() },
            None => Keywords { reference: Some(ogc_schema::source::At { origin, value: body }), ..Keywords::default() },
        };
        (NodeKind::Keywords(Box::new(keywords)), change)
    }
}

/// Sets a policy; returns whether the policy takes this value.
fn apply(policy: &mut Policy, kind: PolicyKind, value: &ExprKind) -> bool {
    let word = match value {
        ExprKind::String(word) => word.as_str(),
        _ => "",
    };
    let number = match value {
        ExprKind::Number(number) => number.parse::<u32>().ok(),
        _ => None,
    };
    match (kind, word, number) {
        // The name of a formatter stands for its white space.
        (PolicyKind::Space, "compact" | "JSON.stringify", _) => policy.space = SpaceName::Compact,
        (PolicyKind::Space, "spaced" | "json.dumps", _) => policy.space = SpaceName::Spaced,
        (PolicyKind::Space, "pretty", _) => policy.space = SpaceName::Pretty,
        (PolicyKind::Space, "any", _) => policy.space = SpaceName::Any,
        (PolicyKind::Order, "declared", _) => policy.order = KeyOrder::Declared,
        (PolicyKind::Order, "any", _) => policy.order = KeyOrder::Any,
        (PolicyKind::Escapes, "any", _) => policy.chosen_escapes = Some(Escapes::Any),
        (PolicyKind::Escapes, "canonical", _) => policy.chosen_escapes = Some(Escapes::Canonical),
        (PolicyKind::Tokens, word, _) => match word.parse() {
            Ok(tokens) => policy.tokens = Some(tokens),
            Err(_) => return false,
        },
        (PolicyKind::Words, "json", _) => policy.words = Words::Json,
        (PolicyKind::Words, "python", _) => policy.words = Words::Python,
        (PolicyKind::Numbers, "plain", _) => policy.numbers = Spelling::Plain,
        (PolicyKind::Numbers, "printed" | "json", _) => policy.numbers = Spelling::Json,
        (PolicyKind::Indent, _, Some(indent @ 0..=16)) => policy.indent = indent,
        (PolicyKind::Run, _, Some(run @ 1..=100_000)) => policy.run = run,
        (PolicyKind::Depth, _, Some(depth @ 0..=1_000)) => policy.depth = Some(depth),
        (PolicyKind::UniqueKeys, ..) => return matches!(value, ExprKind::Bool(false)),
        _ => return false,
    }
    true
}

/// Returns the corrected spelling of a value: with quotes for a word that lacks them, without for a number that has
/// them.
fn other_quotes(policy: &Policy, kind: PolicyKind, written: &Expr) -> Option<String> {
    let fits = |value: ExprKind| apply(&mut { *policy }, kind, &value);
    match &written.kind {
        ExprKind::Reference(Reference { path, arguments }) if arguments.is_empty() => {
            let word = path.segments.first().filter(|_| path.segments.len() == 1)?.text.clone();
            fits(ExprKind::String(word.clone())).then(|| format!("\"{word}\""))
        }
        ExprKind::String(text) => fits(ExprKind::Number(text.clone())).then(|| text.clone()),
        _ => None,
    }
}
