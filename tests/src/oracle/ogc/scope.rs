//! Resolves names to parameters, definitions and built-in names, and reads the policies that attributes set.

use std::collections::BTreeMap;
use std::rc::Rc;

use ogc_grammar::ogc::ast::{
    Argument, Attribute, Bound, BoundKind, Definition, Expr, ExprKind, Imported, Item, ItemKind, Reference,
};
use ogc_grammar::ogc::ast::{Range, Repetition};

use super::{Judge, Policy, Space};

/// The names of the policies for the spelling of values.
const POLICIES: [&str; 6] = ["space", "order", "escapes", "indent", "run", "words"];

/// The arguments of the parameters, each with its environment.
#[derive(Clone, Debug, Default)]
pub(super) struct Env<'p>(Rc<BTreeMap<&'p str, (&'p Expr, Env<'p>)>>);

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'p> {
    Argument(&'p Expr, Env<'p>),
    Item(&'p Item, Env<'p>),
    Builtin(&'p str),
}

/// Returns the definition in an item.
pub(super) fn defined(item: &Item) -> Option<&Definition> {
    match &item.kind {
        ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition) => Some(definition),
        _ => None,
    }
}

/// Returns the argument of this name.
pub(super) fn named<'p>(arguments: &'p [Argument], name: &str) -> Option<&'p Expr> {
    let is_named = |one: &&Argument| one.name.as_ref().is_some_and(|given| given.text == name);
    arguments.iter().find(is_named).map(|one| &one.value)
}

/// Returns the names that an import brings into the file.
pub(super) fn imported(item: &Item) -> Vec<&str> {
    let ItemKind::Import(import) = &item.kind else { return Vec::new() };
    match &import.imported {
        Imported::Whole(name) => vec![&name.text],
        Imported::Names(names) => {
            names.iter().map(|one| one.alias.as_ref().unwrap_or(&one.name).text.as_str()).collect()
        }
    }
}

/// Returns whether a type, or a part of one, sets a policy of its own.
pub(super) fn sets_policies_inside(items: &[Item]) -> bool {
    let policy = |attribute: &Attribute| POLICIES.contains(&attribute.name.text.as_str());
    let mut found = false;
    for item in items {
        let Some(definition) = defined(item) else { continue };
        let is_type = matches!(item.kind, ItemKind::Type(_));
        found |= is_type && item.attributes.iter().any(policy);
        definition.body.walk(&mut |expr| {
            found |= match &expr.kind {
                ExprKind::Record(record) => record.members.iter().any(|member| member.attributes.iter().any(policy)),
                ExprKind::Attributed { attributes, .. } => is_type && attributes.iter().any(policy),
                _ => false,
            };
        });
    }
    found
}

impl<'p> Judge<'p> {
    /// Returns the meaning of a reference, with its arguments.
    pub(super) fn meaning(&self, reference: &'p Reference, env: &Env<'p>) -> Meaning<'p> {
        let name = reference.path.segments.first().map_or("", |name| name.text.as_str());
        if let Some((expr, inside)) = env.0.get(name) {
            return Meaning::Argument(expr, inside.clone());
        }
        match self.names.get(name) {
            Some(item) => Meaning::Item(item, bind(item, &reference.arguments, env)),
            None => {
                if self.imported.contains(name) {
                    self.give_up();
                }
                Meaning::Builtin(name)
            }
        }
    }

    /// Follows parentheses, parameters and types that are only other names for types.
    pub(super) fn unfolded(&self, expr: &'p Expr, env: &Env<'p>) -> (&'p Expr, Env<'p>) {
        let (mut expr, mut env) = (expr.ungrouped(), env.clone());
        while let ExprKind::Reference(reference) = &expr.kind
            && self.step()
        {
            (expr, env) = match self.meaning(reference, &env) {
                Meaning::Argument(inner, inside) => (inner.ungrouped(), inside),
                Meaning::Item(item, inside) => match defined(item) {
                    Some(definition) => (definition.body.ungrouped(), inside),
                    None => break,
                },
                Meaning::Builtin(_) => break,
            };
        }
        (expr, env)
    }

    /// Returns the number of a bound, as written.
    pub(super) fn bound(&self, bound: &'p Bound, env: &Env<'p>) -> &'p str {
        let name = match &bound.kind {
            BoundKind::Number(number) => return number,
            BoundKind::Name(name) => name,
        };
        let Some((expr, inside)) = env.0.get(name.as_str()) else { return "0" };
        match &self.unfolded(expr, inside).0.kind {
            ExprKind::Number(number) => number,
            _ => "0",
        }
    }

    pub(super) fn count(&self, bound: &'p Bound, env: &Env<'p>) -> usize {
        self.bound(bound, env).parse().unwrap_or(0)
    }

    /// Returns the ends of a range of counts.
    pub(super) fn counts(&self, range: &'p Range, env: &Env<'p>) -> (usize, usize) {
        let min = range.min.as_ref().map_or(0, |bound| self.count(bound, env));
        (min, range.max.as_ref().map_or(usize::MAX, |bound| self.count(bound, env)))
    }

    /// Returns the ends of an argument that is a count or a range of counts.
    pub(super) fn times_argument(&self, expr: &'p Expr, env: &Env<'p>) -> (usize, usize) {
        let (expr, env) = self.unfolded(expr, env);
        match &expr.kind {
            ExprKind::Number(number) => number.parse().map_or((0, 0), |count| (count, count)),
            ExprKind::Range(range) => self.counts(range, &env),
            _ => (0, usize::MAX),
        }
    }

    /// Returns the minimum and the maximum number of a repetition.
    pub(super) fn times(&self, times: &'p Repetition, env: &Env<'p>) -> (usize, usize) {
        match times {
            Repetition::Optional => (0, 1),
            Repetition::Star => (0, usize::MAX),
            Repetition::Plus => (1, usize::MAX),
            Repetition::Exactly(bound) => (self.count(bound, env), self.count(bound, env)),
            Repetition::Between(range) => self.counts(range, env),
        }
    }

    /// Returns the policy that the `policy` items of the file set.
    pub(super) fn file_policy(&self, items: &'p [Item]) -> Policy {
        let mut policy = Policy::default();
        for item in items {
            if let ItemKind::Policy(written) = &item.kind {
                written.settings.iter().for_each(|setting| self.set(&mut policy, setting));
            }
        }
        policy
    }

    /// Sets the policy that a named argument names; other arguments are ignored.
    pub(super) fn set(&self, policy: &mut Policy, setting: &'p Argument) {
        let name = setting.name.as_ref().map_or("", |name| name.text.as_str());
        self.set_named(policy, name, &setting.value);
    }

    pub(super) fn set_named(&self, policy: &mut Policy, name: &str, value: &'p Expr) {
        let (word, number) = match &value.kind {
            ExprKind::String(word) => (word.as_str(), 0),
            ExprKind::Number(number) => ("", number.parse().unwrap_or(0)),
            _ => ("", 0),
        };
        match name {
            "space" => policy.space = space(word),
            "order" => policy.any_order = word == "any",
            "escapes" => policy.canonical = word == "canonical",
            "words" => policy.python = word == "python",
            "indent" => policy.indent = number,
            "run" => policy.run = number,
            "depth" => policy.depth = Some(number),
            _ => {}
        }
    }
}

fn space(word: &str) -> Space {
    match word {
        "spaced" | "json.dumps" => Space::Spaced,
        "pretty" => Space::Pretty,
        "any" => Space::Any,
        _ => Space::Compact,
    }
}

/// Binds the parameters of a definition to arguments: by name, by position, by default.
fn bind<'p>(item: &'p Item, arguments: &'p [Argument], env: &Env<'p>) -> Env<'p> {
    let Some(definition) = defined(item) else { return Env::default() };
    let mut bound = Env::default();
    for (at, parameter) in definition.parameters.iter().enumerate() {
        let named = |argument: &&Argument| argument.name.as_ref().is_some_and(|name| name.text == parameter.name.text);
        let by_place = || arguments.get(at).filter(|argument| argument.name.is_none());
        let given = arguments.iter().find(named).or_else(by_place);
        let value = match (given, &parameter.default) {
            (Some(argument), _) => (&argument.value, env.clone()),
            (None, Some(default)) => (default, bound.clone()),
            (None, None) => continue,
        };
        Rc::make_mut(&mut bound.0).insert(&parameter.name.text, value);
    }
    bound
}
