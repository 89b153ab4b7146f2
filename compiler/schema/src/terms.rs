//! A value as alternatives of atoms (a disjunctive normal form), for one JSON type at a time.
//!
//! Unit propagation comes before any split, and a choice that already holds is never split, so real schemas need few
//! alternatives. There is no recursion: open alternatives wait on an explicit stack.

use std::rc::Rc;

use ogc_regular::LimitError;
use ogc_regular::budget::{self, Loan};

use crate::algebra::Algebra;
use crate::atom::{Atom, Type};
use crate::error::{ALTERNATIVES, SchemaError, SchemaErrorKind};
use crate::key_formula::Part;
use crate::limits::Writing;
use crate::ordered_set::OrderedSet;
use crate::source::{Keywords, NodeId, NodeKind, Origin};
use crate::table::{has_array, has_number, has_object_base, has_string};
use crate::value::{Lit, ValueId};

/// Cap on the parts of one alternative that are examined one by one.
const CONJUNCTS: usize = 256;

/// Parts of an alternative under construction whose processing takes about as long as the rest of a step.
const PARTS_OF_A_STEP: usize = 16;

/// Cap on the alternatives of arrays and objects, in whatever form: each may be a head that is distinguished at run
/// time, and there may be 4,096 of these.
const HEADS: usize = 2_000;

/// Units of budget per step.
const WORK_OF_A_STEP: usize = 16;

/// One way to meet a choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alternative {
    pub(crate) literals: Vec<Lit>,
    pub(crate) atoms: Vec<Atom>,
}

impl Alternative {
    /// The alternative that consists of these literals.
    pub(crate) fn of(literals: impl IntoIterator<Item = Lit>) -> Self {
        Self { literals: literals.into_iter().collect(), atoms: Vec::new() }
    }

    /// The alternative that consists of one atom.
    pub(crate) fn atom(atom: Atom) -> Self {
        Self { literals: Vec::new(), atoms: vec![atom] }
    }
}

/// A choice that is still open.
type Choice = Rc<[Alternative]>;

/// An alternative under construction.
#[derive(Clone, Debug, Default)]
struct PartialTerm {
    /// Literals still to be processed, in reverse order.
    todo: Vec<Lit>,
    seen: OrderedSet<Lit>,
    atoms: OrderedSet<Atom>,
    choices: Vec<Choice>,
    /// Whether choices between keys of an object are kept as conditions.
    keeps: bool,
}

impl PartialTerm {
    fn take(&mut self, alternative: &Alternative) {
        self.todo.extend(alternative.literals.iter().rev());
        for &atom in &alternative.atoms {
            self.add(atom);
        }
    }

    fn add(&mut self, atom: Atom) {
        self.atoms.push(atom);
    }

    /// Bytes that a copy takes.
    fn bytes(&self) -> usize {
        let lists = size_of_val(self.todo.as_slice()) + size_of_val(self.choices.as_slice());
        size_of::<Self>() + lists + size_of_val(self.seen.list()) + size_of_val(self.atoms.list())
    }

    /// The work, in steps, to go through all parts.
    fn weight(&self) -> usize {
        let parts = self.todo.len() + self.seen.list().len() + self.atoms.list().len() + self.choices.len();
        1 + parts / PARTS_OF_A_STEP
    }
}

impl<'t> Algebra<'t> {
    /// The alternatives of `value` for `ty`: each is a conjunction of atoms, and the empty conjunction is every value
    /// of the type.
    pub(crate) fn terms(&mut self, ty: Type, value: ValueId) -> Result<Vec<Vec<Atom>>, SchemaError> {
        self.terms_within(ty, value, Writing::Alternatives(self.limits.arms))
    }

    /// The alternatives of `value` for `ty`, represented as `writing` says.
    pub(crate) fn terms_within(
        &mut self,
        ty: Type,
        value: ValueId,
        writing: Writing,
    ) -> Result<Vec<Vec<Atom>>, SchemaError> {
        // Values that are made meanwhile choose their own representation.
        let outer = std::mem::replace(&mut self.wide, writing == Writing::WideConditions);
        let terms = self.written_terms(ty, value, writing);
        self.wide = outer;
        terms
    }

    fn written_terms(&mut self, ty: Type, value: ValueId, writing: Writing) -> Result<Vec<Vec<Atom>>, SchemaError> {
        let todo = self.values.literals(value).iter().rev().copied().collect();
        let keeps = matches!(writing, Writing::Conditions | Writing::WideConditions);
        let mut open = vec![PartialTerm { todo, keeps, ..PartialTerm::default() }];
        let mut found: Vec<Vec<Atom>> = Vec::new();
        let mut work = 0;
        let mut arms = match writing {
            Writing::Alternatives(arms) => arms,
            Writing::Conditions | Writing::WideConditions => self.limits.arms,
        };
        let mut loan = Loan::default();
        while let Some(mut partial) = open.pop() {
            work += 1;
            self.check_terms(value, work, (found.len(), arms))?;
            self.check_steps(value, partial.weight())?;
            if !self.propagate(ty, &mut partial)? {
                continue;
            }
            match self.next_choice(ty, &mut partial) {
                None if partial.atoms.list().is_empty() => return Ok(vec![Vec::new()]),
                None => add_term(&mut found, partial.atoms.into_list()),
                Some(alternatives) => {
                    let copies = partial.bytes().saturating_mul(alternatives.len());
                    arms = arms.max(self.written(ty, alternatives.len()));
                    loan.grow(copies).map_err(|error| SchemaError::new(self.origin(value), error))?;
                    self.split(ty, &partial, &alternatives, &mut open);
                }
            }
        }
        Ok(found)
    }

    /// Makes one partial term for each alternative. After an alternative that holds whenever its key is present, the
    /// others may assume that the key is absent.
    fn split(&mut self, ty: Type, partial: &PartialTerm, alternatives: &[Alternative], open: &mut Vec<PartialTerm>) {
        let mut supposed: Vec<Atom> = Vec::new();
        let mut parts = Vec::with_capacity(alternatives.len());
        let context = (ty == Type::Object).then(|| self.context(partial.atoms.list()));
        let (certain, others): (Vec<_>, Vec<_>) = alternatives.iter().partition(|alternative| {
            let atom = context.as_ref().and_then(|context| self.fails_if_present(alternative, context));
            supposed.extend(atom);
            atom.is_some()
        });
        for (at, alternative) in certain.into_iter().chain(others).enumerate() {
            let mut next = partial.clone();
            supposed.iter().take(at).for_each(|&atom| next.add(atom));
            next.take(alternative);
            parts.push(next);
        }
        open.extend(parts.into_iter().rev());
    }

    /// The number of alternatives allowed because one choice lists that many: those do not multiply.
    fn written(&self, ty: Type, listed: usize) -> usize {
        match ty {
            Type::Null | Type::Bool | Type::Number | Type::String => listed,
            Type::Array | Type::Object => listed.min(HEADS),
        }
    }

    fn check_terms(&self, value: ValueId, work: usize, (found, arms): (usize, usize)) -> Result<(), SchemaError> {
        let origin = self.origin(value);
        SchemaError::check(origin, "steps to resolve the combinations of this schema", work, self.limits.work)?;
        SchemaError::check(origin, ALTERNATIVES, found, arms)
    }

    /// Checks the steps of all values together: a schema has many values, each within its own limit.
    fn check_steps(&mut self, value: ValueId, weight: usize) -> Result<(), SchemaError> {
        self.steps = self.steps.saturating_add(weight);
        budget::work(weight.saturating_mul(WORK_OF_A_STEP))
            .map_err(|error| SchemaError::new(self.origin(value), error))?;
        LimitError::check("steps to resolve all combinations of the schema", self.steps, self.limits.steps)
            .map_err(|error| SchemaError::new(self.origin(value), error))
    }

    /// The place of a value in the source.
    pub(crate) fn origin(&self, value: ValueId) -> Origin {
        self.values.literals(value).first().map_or(Origin(0), |lit| self.table.node(lit.node()).origin)
    }

    /// Processes everything that leaves no choice; returns `false` if the alternative is dead.
    fn propagate(&mut self, ty: Type, partial: &mut PartialTerm) -> Result<bool, SchemaError> {
        while let Some(literal) = partial.todo.pop() {
            match self.status(ty, literal) {
                Some(true) => continue,
                Some(false) => return Ok(false),
                None if partial.seen.contains(&literal) => continue,
                None if partial.seen.contains(&literal.not()) => return Ok(false),
                None => drop(partial.seen.push(literal)),
            }
            let node = literal.node();
            self.check_cycle(node)?;
            let table = self.table;
            let Some(keywords) = table.keywords(node) else { continue };
            if literal.negated() {
                let alternatives = self.failures(ty, node, keywords)?;
                if !choose(partial, alternatives) {
                    return Ok(false);
                }
            } else if !self.hold(ty, node, keywords, partial)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn check_cycle(&self, node: NodeId) -> Result<(), SchemaError> {
        if !self.table.summary(node).cyclic {
            return Ok(());
        }
        Err(SchemaError::new(self.table.node(node).origin, SchemaErrorKind::Cycle))
    }

    /// Decides a literal by its summary, if that suffices.
    pub(crate) fn status(&self, ty: Type, literal: Lit) -> Option<bool> {
        let summary = self.table.summary(literal.node());
        let holds = match &self.table.node(literal.node()).kind {
            NodeKind::Bool(holds) => Some(*holds),
            NodeKind::Keywords(_) if !summary.may.has(ty) => Some(false),
            NodeKind::Keywords(_) if summary.free.has(ty) => Some(true),
            NodeKind::Keywords(_) => None,
        };
        holds.map(|holds| holds != literal.negated())
    }

    /// Adds a node's keywords; returns `false` if they cannot hold.
    fn hold(
        &mut self,
        ty: Type,
        node: NodeId,
        keywords: &Keywords,
        partial: &mut PartialTerm,
    ) -> Result<bool, SchemaError> {
        if has_base(ty, keywords) {
            partial.add(Atom::Base(node));
        }
        for (list, values) in (0u32..).zip(&keywords.one_of_values) {
            let alive = match ty {
                Type::Array | Type::Object => choose(partial, self.listed_as(ty, node, list, values.value.len())),
                Type::Null | Type::Bool | Type::Number | Type::String => {
                    partial.add(Atom::Listed(node, list));
                    true
                }
            };
            if !alive {
                return Ok(false);
            }
        }
        let mut units: Vec<Lit> = keywords.reference.iter().map(|reference| Lit::yes(reference.value)).collect();
        units.extend(keywords.all_of.iter().map(|&node| Lit::yes(node)));
        units.extend(keywords.not.iter().map(|not| Lit::no(not.value)));
        partial.todo.extend(units.into_iter().rev());
        self.hold_choices(ty, node, keywords, partial)
    }

    fn hold_choices(
        &mut self,
        ty: Type,
        node: NodeId,
        keywords: &Keywords,
        partial: &mut PartialTerm,
    ) -> Result<bool, SchemaError> {
        for any in &keywords.any_of {
            if !choose(partial, any.value.iter().map(|&node| Alternative::of(self.conjuncts(node))).collect()) {
                return Ok(false);
            }
        }
        for one in &keywords.one_of {
            // Written as alternatives, each of n would exclude n - 1 others.
            if partial.keeps && ty == Type::Object {
                let formula = self.formula_of_one(&one.value);
                if self.keep(node, formula, partial) {
                    continue;
                }
            }
            let alternatives = self.exactly_one(ty, one)?;
            if !choose(partial, alternatives) {
                return Ok(false);
            }
        }
        if let Some(conditional) = &keywords.conditional {
            let then = conditional.value.then.map(Lit::yes);
            let otherwise = conditional.value.otherwise.map(Lit::yes);
            let holds = Alternative::of([Lit::yes(conditional.value.condition)].into_iter().chain(then));
            let fails = Alternative::of([Lit::no(conditional.value.condition)].into_iter().chain(otherwise));
            choose(partial, vec![holds, fails]);
        }
        if ty == Type::Object {
            depend(node, keywords, partial);
        }
        Ok(true)
    }

    /// The literals that a node consists of, if it is only a conjunction of others. Through them a choice shows what it
    /// excludes; the node itself would hide that until it is chosen.
    fn conjuncts(&self, node: NodeId) -> Vec<Lit> {
        let mut open = vec![Lit::yes(node)];
        let mut found = Vec::new();
        // A reference may lead back to itself.
        let mut fuel = CONJUNCTS;
        while let Some(literal) = open.pop() {
            let keywords = self.table.keywords(literal.node()).filter(|_| !literal.negated());
            fuel = fuel.saturating_sub(1);
            match keywords.and_then(only_parts).filter(|parts| parts.len() <= fuel) {
                Some(parts) => open.extend(parts.into_iter().rev()),
                None => found.push(literal),
            }
        }
        found
    }

    /// The arrays or objects of an `enum`.
    fn listed_as(&self, ty: Type, node: NodeId, list: u32, len: usize) -> Vec<Alternative> {
        let nodes = (0..len as u32).filter_map(|at| self.table.listed(node, list, at));
        nodes
            .filter(|&node| self.table.summary(node).may.has(ty))
            .map(|node| Alternative::of([Lit::yes(node)]))
            .collect()
    }

    /// Returns the next choice to split, without its dead alternatives; choices that already hold are dropped.
    /// `Some(&[])` means that the alternative is dead.
    fn next_choice(&mut self, ty: Type, partial: &mut PartialTerm) -> Option<Choice> {
        if partial.choices.is_empty() {
            return None;
        }
        let context = (ty == Type::Object).then(|| self.context(partial.atoms.list()));
        while !partial.choices.is_empty() {
            let choice = partial.choices.remove(0);
            let Some(choice) = self.simplify(ty, partial, &choice) else { continue };
            let Some(context) = &context else { return Some(choice) };
            if partial.keeps && self.keep_choice(&choice, partial) {
                continue;
            }
            let decided: Vec<Option<bool>> =
                choice.iter().map(|alternative| self.decide(alternative, context)).collect();
            if decided.contains(&Some(true)) {
                continue;
            }
            if decided.contains(&Some(false)) {
                let left = choice.iter().zip(decided).filter(|(_, decided)| decided.is_none());
                return Some(left.map(|(alternative, _)| alternative.clone()).collect());
            }
            return Some(choice);
        }
        None
    }

    /// Keeps a choice that can be a condition on an object's keys; returns whether it can.
    fn keep_choice(&mut self, choice: &Choice, partial: &mut PartialTerm) -> bool {
        let literals = choice.iter().flat_map(|alternative| &alternative.literals).map(|literal| literal.node());
        let atoms = choice.iter().flat_map(|alternative| &alternative.atoms).map(|atom| atom.node());
        let node = literals.chain(atoms).next();
        node.is_some_and(|node| {
            let formula = self.formula_of_choice(choice);
            self.keep(node, formula, partial)
        })
    }

    fn keep(&mut self, node: NodeId, formula: Option<Part<'t>>, partial: &mut PartialTerm) -> bool {
        let Some(formula) = formula else { return false };
        partial.add(Atom::Kept(node, self.kept.len() as u32));
        self.kept.push(formula);
        true
    }

    /// Returns a choice without its dead alternatives; `None` if it already holds.
    fn simplify(&self, ty: Type, partial: &PartialTerm, choice: &Choice) -> Option<Choice> {
        let dead = |alternative: &Alternative| {
            let contradicts = |literal: &Lit| partial.seen.contains(&literal.not());
            alternative.literals.iter().any(|literal| self.status(ty, *literal) == Some(false) || contradicts(literal))
        };
        let holds = |alternative: &Alternative| {
            let known = |literal: &Lit| self.status(ty, *literal) == Some(true) || partial.seen.contains(literal);
            alternative.literals.iter().all(known) && alternative.atoms.iter().all(|atom| partial.atoms.contains(atom))
        };
        if choice.iter().any(holds) {
            return None;
        }
        if choice.iter().any(dead) {
            return Some(choice.iter().filter(|alternative| !dead(alternative)).cloned().collect());
        }
        Some(Rc::clone(choice))
    }
}

/// The parts of a node that has only references, `allOf` and `not`.
fn only_parts(keywords: &Keywords) -> Option<Vec<Lit>> {
    let reference = keywords.reference.iter().map(|node| Lit::yes(node.value));
    let all = keywords.all_of.iter().map(|&node| Lit::yes(node));
    let not = keywords.not.iter().map(|node| Lit::no(node.value));
    let parts: Vec<Lit> = reference.chain(all).chain(not).collect();
    let is_plain = keywords.any_of.is_empty()
        && keywords.one_of.is_empty()
        && keywords.conditional.is_none()
        && keywords.types.is_none()
        && keywords.one_of_values.is_empty()
        && keywords.string == Default::default()
        && keywords.number == Default::default()
        && keywords.array == Default::default()
        && keywords.object == Default::default();
    (is_plain && !parts.is_empty()).then_some(parts)
}

/// Whether the node has keywords of type `ty`.
fn has_base(ty: Type, keywords: &Keywords) -> bool {
    match ty {
        Type::Null | Type::Bool => false,
        Type::Number => has_number(keywords),
        Type::String => has_string(keywords),
        Type::Array => has_array(keywords),
        Type::Object => has_object_base(keywords),
    }
}

/// Adds `dependentRequired` and `dependentSchemas`: the key is absent, or present together with what it requires.
fn depend(node: NodeId, keywords: &Keywords, partial: &mut PartialTerm) {
    let required = |key: &str| keywords.object.required.iter().any(|required| required.value == key);
    for (at, (key, _)) in (0u32..).zip(&keywords.object.dependent_required) {
        let present = Alternative::atom(Atom::ListPresent(node, at));
        let absent = Some(Alternative::atom(Atom::ListAbsent(node, at))).filter(|_| !required(&key.value));
        choose(partial, absent.into_iter().chain([present]).collect());
    }
    for (at, (key, schema)) in (0u32..).zip(&keywords.object.dependent_schemas) {
        let present = Alternative { literals: vec![Lit::yes(*schema)], atoms: vec![Atom::SchemaPresent(node, at)] };
        let absent = Some(Alternative::atom(Atom::SchemaAbsent(node, at))).filter(|_| !required(&key.value));
        choose(partial, absent.into_iter().chain([present]).collect());
    }
}

/// Adds a choice. No alternatives: returns `false`, as the term is dead. One alternative: it is taken at once.
fn choose(partial: &mut PartialTerm, alternatives: Vec<Alternative>) -> bool {
    match alternatives.as_slice() {
        [] => return false,
        [only] => partial.take(only),
        _ => partial.choices.push(alternatives.into()),
    }
    true
}

/// Adds a term, unless an existing term is more general.
fn add_term(found: &mut Vec<Vec<Atom>>, atoms: Vec<Atom>) {
    let within =
        |inner: &[Atom], outer: &[Atom]| inner.len() <= outer.len() && inner.iter().all(|atom| outer.contains(atom));
    if found.len() > 64 {
        found.push(atoms);
        return;
    }
    if found.iter().any(|known| within(known, &atoms)) {
        return;
    }
    found.retain(|known| !within(&atoms, known));
    found.push(atoms);
}
