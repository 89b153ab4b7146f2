//! Finds the contradiction of a value, or of the innermost required part of it.

use ogc_grammar::nearest;
use ogc_regular::budget::{self, Allowance, spend};
use ogc_schema::keyword::{Keyword, Subject};
use ogc_schema::source::{NodeId, Schemas, Types};
use ogc_schema::{Algebra, Limits, Table};

use super::condition::{Condition, Part, conjuncts, parts};
use super::least::least;
use super::{Cause, Contradiction, Step};

/// Cap on the conditions of one value: with more, the search would take longer than compiling.
const CONDITIONS: usize = 10_000;

/// Cap on the nesting of members, items and branches that the search follows.
const DEPTH: usize = 16;

/// Budget of the search, separate from that of the failed compilation: about a second.
const ALLOWED: Allowance = Allowance { work: 10_000_000, bytes: 128 << 20 };

/// Returns the contradiction of a schema that no value satisfies; `None` if the search does not find it within its
/// budget.
pub(crate) fn find(schemas: &Schemas, root: NodeId, limits: Limits) -> Option<Contradiction> {
    let search = || Search { schemas: schemas.clone(), limits, path: Vec::new(), seen: Vec::new() }.of_all(&[root]);
    let (found, usage) = spend(ALLOWED, search);
    found.filter(|_| usage.exceeded.is_none())
}

/// The graph with the conditions written so far, and the path that the search followed.
struct Search {
    schemas: Schemas,
    limits: Limits,
    path: Vec<Step>,
    /// The conjunctions on the path, each as the list of its schemas.
    seen: Vec<Vec<NodeId>>,
}

/// Asks the algebra whether conjunctions are empty.
struct Judge<'t> {
    algebra: Algebra<'t>,
}

impl Judge<'_> {
    /// Returns whether no value satisfies all of `nodes`; `false` where the algebra cannot tell.
    fn is_empty(&mut self, nodes: &[NodeId]) -> bool {
        let value = self.algebra.value_of_all(nodes);
        self.algebra.solve(value).is_ok() && !self.algebra.holds_something(value) && !budget::exhausted()
    }

    fn are_empty(&mut self, parts: &[&Part]) -> bool {
        let nodes: Vec<NodeId> = parts.iter().map(|part| part.node).collect();
        self.is_empty(&nodes)
    }
}

impl Search {
    /// Finds the contradiction among schemas that all hold of one value.
    fn of_all(&mut self, nodes: &[NodeId]) -> Option<Contradiction> {
        let mut schemas = conjuncts(&self.schemas, nodes);
        let parts = parts(&mut self.schemas, &schemas);
        schemas.sort_unstable();
        if self.seen.contains(&schemas) {
            return Some(self.found(Cause::Endless, &[]));
        }
        if parts.len() > CONDITIONS || self.seen.len() >= DEPTH {
            return None;
        }
        self.seen.push(schemas);
        let found = self.of_parts(&parts);
        self.seen.pop();
        found
    }

    fn of_parts(&mut self, parts: &[Part]) -> Option<Contradiction> {
        let (core, next, to_open) = {
            let table = Table::new(&self.schemas);
            let mut judge = Judge { algebra: Algebra::new(&table, self.limits) };
            let core = core(parts, &mut judge)?;
            let next = next(&core, &mut judge);
            let to_open = if matches!(next, Next::Undeclared(_)) { to_open(parts, &mut judge) } else { Vec::new() };
            (core, next, to_open)
        };
        match next {
            Next::Here => Some(self.found(told(&core), &core)),
            Next::Undeclared(key) => {
                let mut found = self.found(undeclared(key, parts, &core), &core);
                found.to_open = to_open.iter().map(|part| part.origin).collect();
                Some(found)
            }
            Next::Overlap => {
                let others =
                    shown(&core).into_iter().filter(|part| !is_choice(part)).map(|part| part.condition.clone());
                let others = others.collect();
                Some(self.found(Cause::Overlap(others), &core))
            }
            Next::Inside(step, nodes) => {
                self.path.push(step);
                let inside = self.of_all(&nodes);
                self.path.pop();
                inside.or_else(|| Some(self.found(told(&core), &core)))
            }
            Next::Branches(first) => Some(self.of_branches(first, &core)),
        }
    }

    /// Builds the contradiction of a choice whose branches all conflict with the other conditions.
    fn of_branches(&mut self, first: Option<NodeId>, core: &[&Part]) -> Contradiction {
        let others: Vec<&Part> = core.iter().filter(|part| !is_choice(part)).copied().collect();
        let nodes: Vec<NodeId> = others.iter().map(|part| part.node).chain(first).collect();
        let path = std::mem::take(&mut self.path);
        let first = first.and_then(|_| self.of_all(&nodes)).map(Box::new);
        self.path = path;
        let Some(choice) = core.iter().find(|part| is_choice(part)) else { return self.found(told(core), core) };
        let others = others.iter().map(|part| part.condition.clone()).collect();
        let mut found = self.found(Cause::NoBranch { choice: choice.condition.clone(), others, first: None }, core);
        if let (Some(first), Cause::NoBranch { first: inner, .. }) = (first, &mut found.cause) {
            let beside = first.places.iter().filter(|one| !found.places.contains(one)).cloned().collect::<Vec<_>>();
            found.places.extend(beside);
            *inner = Some(first);
        }
        found
    }

    fn found(&self, cause: Cause, core: &[&Part]) -> Contradiction {
        let places = shown(core).iter().map(|part| (part.origin, part.condition.clone())).collect();
        Contradiction { path: self.path.clone(), cause, places, to_open: Vec::new() }
    }
}

/// The next step of the search, once the fewest conditions are known.
enum Next {
    /// Stop: these conditions are the contradiction to report.
    Here,
    /// This key is required, and a closed object does not declare it.
    Undeclared(String),
    /// The contradiction is in these schemas of a required part.
    Inside(Step, Vec<NodeId>),
    /// The branches of a `oneOf` overlap, so that no value satisfies exactly one.
    Overlap,
    /// No branch of a choice agrees with the other conditions. Holds the first branch, if there is one.
    Branches(Option<NodeId>),
}

/// Returns the fewest conditions that are empty together.
fn core<'p>(parts: &'p [Part], judge: &mut Judge<'_>) -> Option<Vec<&'p Part>> {
    let all: Vec<&Part> = parts.iter().collect();
    let is_required =
        |name: &str| parts.iter().any(|part| matches!(&part.condition, Condition::Required(key) if key == name));
    let is_likely = |part: &&Part| match &part.condition {
        Condition::Property(name, _) => is_required(name),
        Condition::Keyword(_) => false,
        _ => !is_choice(part),
    };
    let likely: Vec<&Part> = all.iter().copied().filter(is_likely).collect();
    let from = if judge.are_empty(&likely) { likely } else { all };
    if !judge.are_empty(&from) {
        return None;
    }
    Some(least(&from, &mut |some: &[&Part]| judge.are_empty(some)))
}

/// Decides the next step from the fewest conditions: into one member or item, or into a choice.
fn next(core: &[&Part], judge: &mut Judge<'_>) -> Next {
    let others: Vec<&Part> =
        core.iter().filter(|part| !matches!(part.condition, Condition::Type(..))).copied().collect();
    let choices = others.iter().filter_map(|part| match &part.condition {
        Condition::AnyOf(arms) => Some((arms, None, *part)),
        Condition::OneOf(arms, any) => Some((arms, Some(*any), *part)),
        _ => None,
    });
    if let [(arms, any, choice)] = choices.collect::<Vec<_>>()[..] {
        let beside = core.iter().filter(|part| part.node != choice.node).map(|part| part.node);
        let overlaps = any.is_some_and(|any| !judge.is_empty(&beside.chain([any]).collect::<Vec<_>>()));
        return if overlaps { Next::Overlap } else { Next::Branches(arms.first().copied()) };
    }
    member(&others, judge).or_else(|| item(&others, judge)).unwrap_or(Next::Here)
}

/// Finds the one required member that all conditions are about.
fn member(others: &[&Part], judge: &mut Judge<'_>) -> Option<Next> {
    let mut keys = others.iter().filter_map(|part| match &part.condition {
        Condition::Required(key) => Some(key),
        _ => None,
    });
    let (key, None) = (keys.next()?, keys.next()) else { return None };
    let mut nodes = Vec::new();
    for part in others {
        match &part.condition {
            Condition::Required(_) => {}
            Condition::Additional(names, _, true) if !names.contains(key) => {
                return Some(Next::Undeclared(key.clone()));
            }
            Condition::Additional(_, _, true) => {}
            Condition::Property(_, node) | Condition::PatternProperty(_, node) | Condition::Additional(_, node, _) => {
                nodes.push(*node);
            }
            _ => return None,
        }
    }
    judge.is_empty(&nodes).then(|| Next::Inside(Step::Key(key.clone()), nodes))
}

/// Finds the first required item that no value satisfies.
fn item(others: &[&Part], judge: &mut Judge<'_>) -> Option<Next> {
    let least = others.iter().find_map(|part| match &part.condition {
        Condition::Bound(Keyword::MinItems, least) => least.parse::<usize>().ok(),
        _ => None,
    })?;
    let longest = others.iter().map(|part| match &part.condition {
        Condition::PrefixItems(items) => Some(items.len()),
        Condition::Items(behind, _) => Some(behind + 1),
        Condition::Bound(Keyword::MinItems, _) => Some(0),
        _ => None,
    });
    let longest = longest.collect::<Option<Vec<usize>>>()?.into_iter().max()?;
    (0..longest.min(least)).find_map(|at| {
        let nodes: Vec<NodeId> = others
            .iter()
            .filter_map(|part| match &part.condition {
                Condition::PrefixItems(items) => items.get(at).copied(),
                Condition::Items(behind, node) if at >= *behind => Some(*node),
                _ => None,
            })
            .collect();
        judge.is_empty(&nodes).then_some(Next::Inside(Step::Item(at), nodes))
    })
}

/// Returns the closed objects that lack a required key, if opening them leaves values.
fn to_open<'p>(parts: &'p [Part], judge: &mut Judge<'_>) -> Vec<&'p Part> {
    let required = || {
        parts.iter().filter_map(|part| match &part.condition {
            Condition::Required(key) => Some(key),
            _ => None,
        })
    };
    let lacks = |part: &&Part| match &part.condition {
        Condition::Additional(names, _, true) => required().any(|key| !names.contains(key)),
        _ => false,
    };
    let (closed, others): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(lacks);
    if judge.are_empty(&others) { Vec::new() } else { closed }
}

/// Builds the cause for a required key that a closed object does not declare.
fn undeclared(key: String, parts: &[Part], core: &[&Part]) -> Cause {
    let closed = |part: &Part| match &part.condition {
        Condition::Additional(names, _, true) => Some(names.clone()),
        _ => None,
    };
    let names = core.iter().find_map(|part| closed(part)).unwrap_or_default();
    let both = parts.iter().filter_map(closed).any(|names| names.contains(&key));
    let near = nearest(&key, names.iter().map(String::as_str)).map(str::to_owned);
    Cause::Undeclared { key, near, both }
}

fn is_choice(part: &Part) -> bool {
    matches!(part.condition, Condition::AnyOf(_) | Condition::OneOf(..))
}

/// Returns the conditions to report: all but a `type` that only repeats the type that all others are about.
fn shown<'p>(core: &[&'p Part]) -> Vec<&'p Part> {
    let is_type = |part: &Part| matches!(part.condition, Condition::Type(..));
    let others: Vec<&Part> = core.iter().copied().filter(|part| !is_type(part)).collect();
    let about = others.first().and_then(|part| part.condition.about());
    let is_one = about.is_some_and(|about| others.iter().all(|part| part.condition.about() == Some(about)));
    let is_meant = |types: Types, all_numbers| {
        let number = types.number || types.integer && all_numbers;
        let types = Types { number, integer: types.integer && !number, ..types };
        about.is_some_and(|about| is_one && types == only(about))
    };
    let is_told = |part: &&Part| !matches!(&part.condition, Condition::Type(types, all) if is_meant(*types, *all));
    core.iter().copied().filter(is_told).collect()
}

/// Returns the type of the values that keywords are about.
fn only(subject: Subject) -> Types {
    let is = |one: Subject| subject == one || subject == Subject::Any;
    Types {
        null: is(Subject::Any),
        boolean: is(Subject::Any),
        integer: is(Subject::Any),
        number: is(Subject::Numbers),
        string: is(Subject::Strings),
        array: is(Subject::Arrays),
        object: is(Subject::Objects),
    }
}

fn told(core: &[&Part]) -> Cause {
    let conditions: Vec<&Condition> = shown(core).iter().map(|part| &part.condition).collect();
    if let [Condition::Never] = conditions[..] {
        return Cause::Never;
    }
    Cause::Together(conditions.into_iter().cloned().collect())
}
