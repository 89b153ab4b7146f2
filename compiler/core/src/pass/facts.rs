//! Computes for every expression whether it is nullable (holds the empty text), and whether it holds any other text: a
//! least fixpoint over the whole grammar in linear time.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::Origin;

use crate::ir::{ExprId, ExprKind, Grammar, RuleId};

/// The facts of a grammar.
#[derive(Debug)]
pub(crate) struct Facts {
    exprs: Vec<Fact>,
    rules: Vec<Fact>,
}

/// The facts about one expression or rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fact {
    /// Whether it holds the empty text.
    pub(crate) nullable: bool,
    /// Whether it holds a text that is not empty.
    pub(crate) has_nonempty: bool,
}

impl Fact {
    /// Returns whether it holds some text.
    pub(crate) fn productive(self) -> bool {
        self.nullable || self.has_nonempty
    }
}

impl Facts {
    /// Computes the facts of a grammar whose regular operations have been resolved.
    pub(crate) fn of(grammar: &Grammar) -> Facts {
        let mut search = Search::new(grammar);
        for id in 0..grammar.exprs.len() as u32 {
            search.begin(ExprId(id));
        }
        search.run();
        let rules = grammar.rules.iter().map(|rule| search.facts[rule.body.index()]).collect();
        Facts { exprs: search.facts, rules }
    }

    /// Returns the fact about an expression.
    pub(crate) fn expr(&self, id: ExprId) -> Fact {
        self.exprs[id.index()]
    }

    /// Returns the fact about a rule.
    pub(crate) fn rule(&self, id: RuleId) -> Fact {
        self.rules[id.index()]
    }

    /// Reports reachable rules without any text; an error if the root holds no text, or only the empty one.
    pub(crate) fn report(
        &self,
        grammar: &Grammar,
        reached: &[bool],
        found: &mut Vec<Diagnostic<Origin>>,
    ) -> Result<(), Box<Diagnostic<Origin>>> {
        let root = &grammar.rules[grammar.root.index()];
        let fact = self.rule(grammar.root);
        if !fact.productive() {
            let message = format!("no text matches `{}`", root.name);
            let empty = Diagnostic::error(Code::EmptyGrammar, root.origin, message);
            if let Some(origin) = empty_part(grammar, reached) {
                let help = "write what is to stand there, or remove it";
                return Err(Box::new(empty.label(origin, "no text matches this").help(help)));
            }
            let empty = empty.help("every way through it leads back to itself; add an alternative that ends");
            let others = grammar.rules.iter().zip(&self.rules).zip(reached).skip(1);
            let endless =
                others.filter(|((rule, fact), reached)| **reached && !fact.productive() && rule.name != "part");
            return Err(Box::new(endless.take(3).fold(empty, |empty, ((rule, _), _)| {
                empty.label(rule.origin, format!("`{}` has no end", rule.name))
            })));
        }
        if !fact.has_nonempty {
            let message = format!("`{}` matches the empty text only", root.name);
            let empty = Diagnostic::error(Code::EmptyTextOnly, root.origin, message);
            return Err(Box::new(empty.help("write what is to stand there")));
        }
        for ((rule, fact), reached) in grammar.rules.iter().zip(&self.rules).zip(reached) {
            if *reached && !fact.productive() {
                let message = format!("no text matches the rule `{}`; what uses it is left out", rule.name);
                found.push(Diagnostic::warning(Code::UnproductiveRule, rule.origin, message));
            }
        }
        Ok(())
    }
}

/// Returns the place of a part of the grammar that holds no text by itself.
fn empty_part(grammar: &Grammar, reached: &[bool]) -> Option<Origin> {
    let rules = grammar.rules.iter().zip(reached).filter(|(_, reached)| **reached);
    let mut open: Vec<ExprId> = rules.map(|(rule, _)| rule.body).collect();
    while let Some(id) = open.pop() {
        if let ExprKind::Machine(machine) = grammar.kind(id)
            && grammar.machines[machine.index()].is_empty()
        {
            return Some(grammar.exprs[id.index()].origin);
        }
        grammar.kind(id).children(|child| open.push(child));
    }
    None
}

/// Parent index of an expression that has no parent expression.
const NO_PARENT: u32 = u32::MAX;

struct Search<'g> {
    grammar: &'g Grammar,
    facts: Vec<Fact>,
    /// For each sequence: the facts that its items still lack.
    missing: Vec<Missing>,
    parents: Vec<u32>,
    /// For each rule body: the expressions that name the rule.
    users: Vec<Vec<u32>>,
    /// Changed facts that are still to be propagated: the expression, and its facts before and after.
    open: Vec<(u32, Fact, Fact)>,
}

/// The facts that the items of a sequence lack so far.
#[derive(Clone, Copy, Debug, Default)]
struct Missing {
    /// The number of items not known to be nullable.
    nullable: u32,
    /// The number of items not known to be productive.
    productive: u32,
    /// Whether some item is known to hold a text that is not empty.
    has_nonempty: bool,
}

impl<'g> Search<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        let count = grammar.exprs.len();
        let mut parents = vec![NO_PARENT; count];
        let mut users = vec![Vec::new(); count];
        for (at, expr) in grammar.exprs.iter().enumerate() {
            expr.kind.children(|child| parents[child.index()] = at as u32);
            if let ExprKind::Rule(rule) = expr.kind {
                users[grammar.rules[rule.index()].body.index()].push(at as u32);
            }
        }
        let (facts, missing) = (vec![Fact::default(); count], vec![Missing::default(); count]);
        Self { grammar, facts, missing, parents, users, open: Vec::new() }
    }

    /// Starts with the facts of expressions that do not depend on children.
    fn begin(&mut self, id: ExprId) {
        let known = match self.grammar.kind(id) {
            ExprKind::Literal(text) => Fact { nullable: text.is_empty(), has_nonempty: !text.is_empty() },
            ExprKind::Machine(machine) => {
                let dfa = &self.grammar.machines[machine.index()];
                Fact {
                    nullable: dfa.state(dfa.start()).accept,
                    has_nonempty: dfa.states().iter().any(|s| !s.edges.is_empty()),
                }
            }
            ExprKind::Sequence(items) => {
                let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
                self.missing[id.index()] = Missing { nullable: count, productive: count, has_nonempty: false };
                Fact { nullable: count == 0, has_nonempty: false }
            }
            ExprKind::Repeat { min: 0, .. } => Fact { nullable: true, has_nonempty: false },
            ExprKind::External(_) => Fact { nullable: false, has_nonempty: true },
            ExprKind::Repeat { .. }
            | ExprKind::Alternation(_)
            | ExprKind::Rule(_)
            | ExprKind::Limited { .. }
            | ExprKind::Exception(..)
            | ExprKind::Intersection(..)
            | ExprKind::Lazy(_)
            | ExprKind::Free { .. } => Fact::default(),
        };
        self.learn(id.0, known);
    }

    /// Adds facts to an expression; they are propagated to its parent and users later.
    fn learn(&mut self, id: u32, more: Fact) {
        let fact = &mut self.facts[id as usize];
        let before = *fact;
        *fact = Fact { nullable: fact.nullable || more.nullable, has_nonempty: fact.has_nonempty || more.has_nonempty };
        if *fact != before {
            let after = *fact;
            self.open.push((id, before, after));
        }
    }

    /// Propagates facts until nothing changes. Each expression changes at most twice, so this is linear in the grammar
    /// (the algorithm for Horn formulas; Dowling and Gallier 1984).
    fn run(&mut self) {
        while let Some((id, before, after)) = self.open.pop() {
            let users = std::mem::take(&mut self.users[id as usize]);
            users.iter().for_each(|&user| self.learn(user, after));
            self.users[id as usize] = users;
            let parent = self.parents[id as usize];
            if parent != NO_PARENT {
                self.raise(parent, before, after);
            }
        }
    }

    /// Propagates to `parent` a child's change from `before` to `now`.
    fn raise(&mut self, parent: u32, before: Fact, now: Fact) {
        let known = match self.grammar.kind(ExprId(parent)) {
            ExprKind::Alternation(_) => now,
            ExprKind::Repeat { max: Some(0), .. } => return,
            ExprKind::Repeat { .. } | ExprKind::Limited { .. } => now,
            ExprKind::Sequence(_) => {
                let missing = &mut self.missing[parent as usize];
                missing.nullable -= u32::from(now.nullable && !before.nullable);
                missing.productive -= u32::from(now.productive() && !before.productive());
                missing.has_nonempty |= now.has_nonempty;
                Fact { nullable: missing.nullable == 0, has_nonempty: missing.has_nonempty && missing.productive == 0 }
            }
            ExprKind::Literal(_)
            | ExprKind::Machine(_)
            | ExprKind::Rule(_)
            | ExprKind::External(_)
            | ExprKind::Exception(..)
            | ExprKind::Intersection(..)
            | ExprKind::Lazy(_)
            | ExprKind::Free { .. } => return,
        };
        self.learn(parent, known);
    }
}
