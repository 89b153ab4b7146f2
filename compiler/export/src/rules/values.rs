//! Exports values as rules: each value gets one name on demand, and bodies are written from a queue, without recursion.

use std::collections::{HashMap, VecDeque};

use ogc_compiler::lower::json::{JsonPolicy, Space};
use ogc_compiler::{SchemaFault, SchemaFaultKind};
use ogc_grammar::Spanned;
use ogc_grammar::rules::{Expr, Rule};
use ogc_regular::LimitError;
use ogc_regular::number::{Decimals, NumberSet, Spelling};
use ogc_schema::source::{Origin, Schemas};
use ogc_schema::{Algebra, Limits, NumberArm, SchemaError, Shape, Table, ValueId};

use super::characters::{class, graph};
use super::combine::{alternation, empty, sequence};
use super::origin_span;
use super::regular::Names;
use super::{call, literal, rule};

/// Cap on the levels of nesting that are written out if each level has its own indentation.
const LEVELS: usize = 24;

/// Returns the rules of a schema's values; the first is called `name`.
pub(super) fn rules(
    names: Names,
    name: &str,
    schemas: &Schemas,
    (policy, integers): (JsonPolicy, Spelling),
    limits: &Limits,
) -> Result<Vec<Rule>, Vec<SchemaFault>> {
    let table = Table::new(schemas);
    // Rules cannot remember keys, so conditions on them are expanded to alternatives.
    let mut algebra = Algebra::new(&table, Limits { written: usize::MAX, ..*limits });
    let root = algebra.root();
    algebra.solve(root).map_err(|error| vec![error.into()])?;
    if !algebra.holds_something(root) {
        return Err(vec![SchemaFault::new(algebra.blame(root), SchemaFaultKind::Unsatisfiable)]);
    }
    let mut exporter = Exporter {
        algebra: &algebra,
        policy,
        integers,
        limits: *limits,
        names,
        rules: Vec::new(),
        errors: Vec::new(),
        space: None,
        characters: HashMap::new(),
        values: HashMap::new(),
        numbers: HashMap::new(),
        texts: HashMap::new(),
        open: VecDeque::new(),
    };
    exporter.whole(name, root);
    if exporter.errors.is_empty() { Ok(exporter.rules) } else { Err(exporter.errors) }
}

/// Makes a rule without a body, whose span encodes an origin ([`origin_span`]).
fn placed(name: &str, origin: Origin) -> Rule {
    Rule { name: Spanned::new(name.to_owned(), origin_span(origin)), body: empty() }
}

/// The export: the rules while they are built.
pub(super) struct Exporter<'a, 't> {
    pub(super) algebra: &'a Algebra<'t>,
    pub(super) policy: JsonPolicy,
    integers: Spelling,
    pub(super) limits: Limits,
    pub(super) names: Names,
    pub(super) rules: Vec<Rule>,
    pub(super) errors: Vec<SchemaFault>,
    pub(super) space: Option<String>,
    /// The rules of spelled characters.
    pub(super) characters: HashMap<super::characters::Ranges, Expr>,
    values: HashMap<(ValueId, u32), String>,
    numbers: HashMap<(NumberSet, Option<Decimals>, Spelling), String>,
    /// The rules of strings, by the address of their automata and their lengths.
    pub(super) texts: HashMap<(usize, u64, Option<u64>), String>,
    open: VecDeque<(String, ValueId, u32)>,
}

impl Exporter<'_, '_> {
    /// Exports the whole text, with white space around it if the policy allows any; then all values that it needs.
    fn whole(&mut self, name: &str, root: ValueId) {
        if matches!(self.policy.space, Space::Any { .. }) {
            let origin = self.algebra.shape(root).origin;
            self.rules.push(placed(name, origin));
            let value = self.value(root, 0);
            let gap = self.gap();
            self.rules[0].body = sequence(sequence(gap.clone(), value), gap);
        } else {
            self.values.insert((root, 0), name.to_owned());
            self.open.push_back((name.to_owned(), root, 0));
        }
        while let Some((name, value, depth)) = self.open.pop_front() {
            let at = self.rules.len();
            self.rules.push(placed(&name, self.algebra.shape(value).origin));
            self.rules[at].body = self.body(value, depth);
            if let Err(error) = LimitError::check("rules", self.rules.len(), self.limits.regular.states) {
                self.errors.push(SchemaFault::limit(self.algebra.shape(value).origin, error));
                return;
            }
        }
    }

    /// Returns the rule of an inhabited value, at a depth of nesting.
    pub(super) fn value(&mut self, value: ValueId, depth: u32) -> Expr {
        let depth = if matches!(self.policy.space, Space::Pretty { .. }) { depth } else { 0 };
        if let Some(known) = self.values.get(&(value, depth)) {
            return call(known);
        }
        let name = self.names.fresh("value");
        self.values.insert((value, depth), name.clone());
        match LimitError::check("levels of indented nesting", depth as usize, LEVELS) {
            Ok(()) => self.open.push_back((name.clone(), value, depth)),
            Err(error) => {
                let origin = self.algebra.shape(value).origin;
                self.errors.push(SchemaFault::new(origin, SchemaFaultKind::Nesting(error)));
            }
        }
        call(&name)
    }

    fn body(&mut self, value: ValueId, depth: u32) -> Expr {
        let shape = self.algebra.shape(value);
        self.errors.extend(shape.errors.iter().map(|error| SchemaFault::from(&**error)));
        let mut arms = self.scalars(&shape);
        for arm in &shape.strings {
            arms.extend(self.string(arm));
        }
        for arm in &shape.arrays {
            if self.algebra.array_holds(arm) && self.sound(arm.poison.as_deref()) {
                arms.extend(self.array(arm, depth + 1));
            }
        }
        for arm in &shape.objects {
            if self.algebra.object_holds(arm) && self.sound(arm.poison.as_deref()) {
                arms.extend(self.object(arm, depth + 1));
            }
        }
        alternation(arms)
    }

    fn scalars(&mut self, shape: &Shape) -> Vec<Expr> {
        let words = self.policy.words;
        let fixed = [(words.null(), shape.null), (words.truth(true), shape.yes), (words.truth(false), shape.no)];
        let mut arms: Vec<Expr> = fixed.iter().filter(|(_, holds)| *holds).map(|(text, _)| literal(*text)).collect();
        let spelling = if shape.integers { self.integers } else { self.policy.spelling };
        for arm in &shape.numbers {
            arms.extend(self.number(arm, spelling, shape.origin));
        }
        arms
    }

    /// Reports a condition that could not be expressed; returns whether there was none.
    fn sound(&mut self, poison: Option<&SchemaError>) -> bool {
        self.errors.extend(poison.map(SchemaFault::from));
        poison.is_none()
    }

    fn number(&mut self, arm: &NumberArm, spelling: Spelling, origin: Origin) -> Option<Expr> {
        let key = (arm.set.clone(), arm.decimals, spelling);
        if let Some(known) = self.numbers.get(&key) {
            return Some(call(known));
        }
        let language = match arm.language(spelling, &self.limits.regular) {
            Ok(language) => language,
            Err(error) => {
                self.errors.push(SchemaError::new(origin, error).into());
                return None;
            }
        };
        let body = self.regular(graph(&language, &mut class), origin)?;
        let name = self.names.fresh("number");
        self.rules.push(rule(&name, body));
        self.numbers.insert(key, name.clone());
        Some(call(&name))
    }

    /// Returns a bound as a number that rules can count to; reports an error if it is too large.
    pub(super) fn bound(&mut self, given: u64, what: &'static str, origin: Origin) -> u32 {
        const MOST: u32 = u32::MAX - 1;
        let narrow = u32::try_from(given).ok().filter(|&bound| bound <= MOST);
        narrow.unwrap_or_else(|| {
            self.errors.push(SchemaFault::limit(origin, LimitError::of_large(what, given, u64::from(MOST))));
            0
        })
    }
}
