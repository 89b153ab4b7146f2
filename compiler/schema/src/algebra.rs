//! The algebra's state, and the expansion of values into shapes, on demand and memoised.

use std::rc::Rc;

use ogc_regular::budget::{self, Spender};
use rustc_hash::FxHashMap;

use crate::atom::{Atom, Type, TypeSet};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::key_formula::Part;
use crate::leaf::{CombinationCache, Text};
use crate::limits::{Limits, Writing};
use crate::shape::{ObjectArm, Shape};
use crate::source::{NodeId, NodeKind, Origin};
use crate::table::Table;
use crate::value::{Lit, ValueId, Values};

/// Cap on the references followed in a row.
const ALIASES: usize = 64;

/// Tracks the expansion of a value into its shape.
#[derive(Clone, Debug)]
enum Expansion {
    Open,
    Busy,
    Done(Rc<Shape>),
}

/// The values of one schema graph.
#[derive(Debug)]
pub struct Algebra<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) limits: Limits,
    pub(crate) values: Values,
    pub(crate) overlaps: FxHashMap<(NodeId, NodeId), TypeSet>,
    pub(crate) patterns: FxHashMap<&'t str, Text>,
    pub(crate) meets: CombinationCache,
    /// Strings that are names of properties; `None` for all strings.
    pub(crate) names: FxHashMap<ValueId, Option<Text>>,
    /// The formulas of schemas computed so far; `None` if a formula cannot express the schema.
    pub(crate) formulas: FxHashMap<(NodeId, bool), Option<Part<'t>>>,
    /// Whether formulas may count members, and describe keys by patterns.
    pub(crate) wide: bool,
    /// Choices that are kept as conditions on keys instead of being split.
    pub(crate) kept: Vec<Part<'t>>,
    /// Nested expansions.
    pub(crate) depth: usize,
    /// Steps of all expansions so far.
    pub(crate) steps: usize,
    shapes: Vec<Expansion>,
    pub(crate) inhabited: Vec<bool>,
}

impl<'t> Algebra<'t> {
    /// An algebra over prepared nodes.
    #[must_use]
    pub fn new(table: &'t Table<'t>, limits: Limits) -> Self {
        Self {
            table,
            limits,
            values: Values::new(),
            overlaps: FxHashMap::default(),
            patterns: FxHashMap::default(),
            meets: CombinationCache::default(),
            names: FxHashMap::default(),
            formulas: FxHashMap::default(),
            wide: false,
            kept: Vec::new(),
            depth: 0,
            steps: 0,
            shapes: Vec::new(),
            inhabited: Vec::new(),
        }
    }

    /// The value of the root; every value where there is none.
    pub fn root(&mut self) -> ValueId {
        self.table.root().map_or(ValueId::ANY, |root| self.value(&[Lit::yes(root)]))
    }

    /// The value of one node.
    pub fn value_of(&mut self, node: NodeId) -> ValueId {
        self.value(&[Lit::yes(node)])
    }

    /// The value of the conjunction of nodes.
    pub fn value_of_all(&mut self, nodes: &[NodeId]) -> ValueId {
        let literals: Vec<Lit> = nodes.iter().map(|&node| Lit::yes(node)).collect();
        self.value(&literals)
    }

    /// The nodes whose conjunction a value is, without those that it negates.
    pub fn nodes_of(&self, value: ValueId) -> impl Iterator<Item = NodeId> {
        self.values.literals(value).iter().filter(|literal| !literal.negated()).map(|literal| literal.node())
    }

    /// The nodes whose conjunction a value is, each with whether it is negated.
    pub fn literals_of(&self, value: ValueId) -> impl Iterator<Item = (NodeId, bool)> {
        self.values.literals(value).iter().map(|literal| (literal.node(), literal.negated()))
    }

    /// Counts the values so far; each has a number below the count.
    #[must_use]
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The value in which `by` takes the place of `node`.
    pub fn replaced(&mut self, value: ValueId, node: NodeId, by: &[NodeId]) -> ValueId {
        let mut literals = Vec::new();
        for literal in self.values.literals(value) {
            match *literal == Lit::yes(node) {
                true => literals.extend(by.iter().map(|&node| Lit::yes(node))),
                false => literals.push(*literal),
            }
        }
        self.value(&literals)
    }

    /// The conjunction of literals.
    pub(crate) fn value(&mut self, literals: &[Lit]) -> ValueId {
        let _ = budget::work(1 + literals.len() / 4);
        let mut kept = Vec::with_capacity(literals.len());
        for &literal in literals {
            let literal = self.resolve(literal);
            match self.known(literal) {
                Some(true) => {}
                Some(false) => return ValueId::NONE,
                None => kept.push(literal),
            }
        }
        self.values.intern(kept)
    }

    /// Follows references to nodes that are references and nothing else.
    fn resolve(&self, literal: Lit) -> Lit {
        let mut node = literal.node();
        for _ in 0..ALIASES {
            match self.table.summary(node).alias {
                Some(next) => node = next,
                None => break,
            }
        }
        if literal.negated() { Lit::no(node) } else { Lit::yes(node) }
    }

    /// Whether a literal obviously holds of everything (`true`) or of nothing (`false`).
    fn known(&self, literal: Lit) -> Option<bool> {
        let summary = self.table.summary(literal.node());
        let holds = match self.table.node(literal.node()).kind {
            NodeKind::Bool(holds) => Some(holds),
            NodeKind::Keywords(_) if summary.free == TypeSet::ALL => Some(true),
            NodeKind::Keywords(_) if summary.may.is_empty() => Some(false),
            NodeKind::Keywords(_) => None,
        };
        holds.map(|holds| holds != literal.negated())
    }

    /// The normal form of a value; `None` while it is under construction further up the stack.
    pub(crate) fn try_shape(&mut self, value: ValueId) -> Option<Rc<Shape>> {
        if self.shapes.len() < self.values.len() {
            self.shapes.resize(self.values.len(), Expansion::Open);
        }
        match self.shapes.get(value.index()) {
            Some(Expansion::Done(shape)) => return Some(Rc::clone(shape)),
            Some(Expansion::Open) => {}
            Some(Expansion::Busy) | None => return None,
        }
        // Once the budget is exhausted, no value is expanded any more: the result is discarded.
        if self.depth > self.limits.depth || budget::exhausted() {
            return None;
        }
        let _place = budget::at(Spender(self.origin(value).0));
        self.shapes[value.index()] = Expansion::Busy;
        self.depth += 1;
        let shape = Rc::new(self.expand(value));
        self.depth -= 1;
        self.shapes[value.index()] = Expansion::Done(Rc::clone(&shape));
        Some(shape)
    }

    /// The normal form of a value that [`Algebra::solve`] has reached.
    #[must_use]
    pub fn shape(&self, value: ValueId) -> Rc<Shape> {
        match self.shapes.get(value.index()) {
            Some(Expansion::Done(shape)) => Rc::clone(shape),
            Some(Expansion::Open | Expansion::Busy) | None => Rc::default(),
        }
    }

    fn expand(&mut self, value: ValueId) -> Shape {
        let mut shape = Shape { origin: self.origin(value), ..Shape::default() };
        if value == ValueId::NONE {
            return shape;
        }
        let may = self.types_of(value);
        for ty in Type::ALL {
            if !may.has(ty) {
                continue;
            }
            let added = match ty {
                Type::Object => self.object_arms(value, &mut shape),
                _ => self.terms(ty, value).and_then(|terms| self.assemble(ty, &terms, &mut shape)),
            };
            if let Err(error) = added {
                shape.errors.push(Rc::new(error));
            }
        }
        shape
    }

    /// The objects of a value: as few alternatives, or with conditions on their keys, or else as many alternatives as
    /// the limits allow.
    fn object_arms(&mut self, value: ValueId, shape: &mut Shape) -> Result<(), SchemaError> {
        let written = self.limits.written.min(self.limits.arms);
        let few = self.terms_within(Type::Object, value, Writing::Alternatives(written));
        let few = few.and_then(|terms| Ok((terms.len(), self.objects_of(&terms, shape.origin)?)));
        let is_few = match &few {
            Ok((terms, arms)) => arms.len() <= written.max(*terms),
            Err(error) => !matches!(error.kind, SchemaErrorKind::Limit(_)),
        };
        if is_few || written == self.limits.arms || budget::exhausted() {
            shape.objects = few?.1;
            return Ok(());
        }
        let mut refused = Vec::new();
        for writing in [Writing::Conditions, Writing::WideConditions] {
            let kept = self.terms_within(Type::Object, value, writing);
            let kept = kept.and_then(|terms| self.objects_of(&terms, shape.origin));
            if kept.as_ref().is_ok_and(|arms| self.can_be_written(arms)) {
                shape.objects = kept?;
                return Ok(());
            }
            refused.push(kept);
        }
        let all = few.map(|(_, arms)| arms).or_else(|_| {
            let terms = self.terms(Type::Object, value)?;
            self.objects_of(&terms, shape.origin)
        });
        // If neither form works, the error of the conditions is the better explanation: alternatives are merely too
        // many.
        shape.objects = all.or_else(|error| refused.into_iter().find_map(Result::ok).ok_or(error))?;
        Ok(())
    }

    /// Whether no value of a key needs something inexpressible, such as a complement that conditions need and
    /// alternatives may not.
    fn can_be_written(&mut self, arms: &[ObjectArm]) -> bool {
        arms.iter().flat_map(|arm| &arm.keys).all(|key| {
            self.try_shape(key.value).is_none_or(|shape| {
                shape.errors.is_empty()
                    && shape.objects.iter().all(|arm| arm.poison.is_none())
                    && shape.arrays.iter().all(|arm| arm.poison.is_none())
            })
        })
    }

    fn objects_of(&mut self, terms: &[Vec<Atom>], origin: Origin) -> Result<Vec<ObjectArm>, SchemaError> {
        let mut arms = Vec::new();
        for term in terms {
            self.objects(term, self.place_of(term, terms.len(), origin), &mut arms)?;
        }
        Ok(arms)
    }

    /// The types that no literal of the value excludes by itself. [`Self::terms`] expects one of them.
    pub(crate) fn types_of(&self, value: ValueId) -> TypeSet {
        let kept = self.values.literals(value).iter().filter(|literal| !literal.negated());
        kept.fold(TypeSet::ALL, |set, literal| set.and(self.table.summary(literal.node()).may))
    }

    fn assemble(&mut self, ty: Type, terms: &[Vec<Atom>], shape: &mut Shape) -> Result<(), SchemaError> {
        match ty {
            Type::Null => shape.null = self.some_term(terms, &crate::source::Value::Null),
            Type::Bool => {
                shape.yes = self.some_term(terms, &crate::source::Value::Bool(true));
                shape.no = self.some_term(terms, &crate::source::Value::Bool(false));
            }
            Type::Number => {
                shape.numbers = self.numbers(terms)?;
                shape.number = self.all_numbers(&shape.numbers)?;
                shape.integers = terms.iter().all(|term| self.is_integer(term));
            }
            Type::String => shape.strings = self.strings(terms)?,
            Type::Array => {
                for term in terms {
                    let arm = self.array(term, self.place_of(term, terms.len(), shape.origin));
                    shape.arrays.extend(arm);
                }
            }
            Type::Object => shape.objects = self.objects_of(terms, shape.origin)?,
        }
        Ok(())
    }

    /// Finds the place of one of several arms: the last-read schema among those it conjoins, which is innermost in a
    /// union. A single arm has the place of the whole.
    fn place_of(&self, term: &[Atom], arms: usize, whole: Origin) -> Origin {
        let places = term.iter().map(|atom| self.table.node(atom.node()).origin);
        places.max().filter(|place| arms > 1 && *place != Origin::default()).unwrap_or(whole)
    }

    /// Whether one of the terms contains `value`, which is `null` or a boolean.
    fn some_term(&self, terms: &[Vec<Atom>], value: &crate::source::Value) -> bool {
        terms.iter().any(|term| term.iter().all(|atom| self.holds_of(*atom, value)))
    }

    fn holds_of(&self, atom: Atom, value: &crate::source::Value) -> bool {
        match atom {
            Atom::Listed(node, list) => self.list(node, list).contains(value),
            Atom::Unlisted(node, list) => !self.list(node, list).contains(value),
            _ => true,
        }
    }

    /// The n-th `enum` of a node.
    pub(crate) fn list(&self, node: NodeId, list: u32) -> &'t [crate::source::Value] {
        let lists = self.table.keywords(node).map(|keywords| keywords.one_of_values.as_slice()).unwrap_or_default();
        lists.get(list as usize).map_or(&[], |list| list.value.as_slice())
    }
}
