//! Flattens rules that refer back to themselves only at their ends, or only at their beginnings:
//! `list ::= item ("," list)?`. They become expressions, by eliminating them like states of an automaton. Rules for
//! automaton states that lead to no earlier ones are eliminated with them. Any other recursion is no regular language,
//! so there is no expression.

use std::collections::{BTreeSet, HashMap};

use ogc_compiler::pass::scc::components;
use ogc_grammar::rules::{Expr, ExprKind, Grammar, Rule};
use ogc_grammar::{Code, Diagnostic, Span};

use super::combine::{empty, sequence};
use super::eliminate::{Elimination, Stopped, Weights, weight};
use super::made;

/// Cap on the rules of one cycle: each elimination visits all that are left.
const STATES: usize = 2_000;

/// Greatest length of a regular expression, in characters.
const LENGTH: usize = 1 << 20;

/// Cap on the parts that are written on the way.
const PARTS: usize = 1 << 20;

/// Removes the recursion from rules, so that they can be written as one regular expression; `root` names the start
/// rule.
///
/// ```
/// use ogc_export::without_recursion;
/// use ogc_grammar::rules::print_regex;
/// let (tree, _) = ogc_grammar::parse_gbnf("root ::= [0-9] (\",\" root)?\n");
/// let flat = without_recursion(&tree, "root").unwrap();
/// assert_eq!(print_regex(&flat, "root").as_deref(), Ok("(?:[0-9],)*[0-9]"));
/// let (tree, _) = ogc_grammar::parse_gbnf("root ::= \"(\" root \")\" | \"x\"\n");
/// assert_eq!(without_recursion(&tree, "root").unwrap_err().diagnostic(None).code, ogc_grammar::Code::ExportRecursion);
/// ```
///
/// # Errors
///
/// A rule refers to itself between other texts (`export-recursion`, at the rule), or an expression gets too large
/// (`export-size`, at that part).
pub fn without_recursion(grammar: &Grammar, root: &str) -> Result<Grammar, NoRegex> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (at, rule) in grammar.rules.iter().enumerate() {
        numbers.entry(&rule.name.value).or_insert(at);
    }
    let edges: Vec<Vec<u32>> = grammar.rules.iter().map(|rule| called(&rule.body, &numbers)).collect();
    let chains = chains(grammar, &numbers);
    let order = order(&edges, &chains).unwrap_or_else(|| components(&edges).members);
    let mut group = vec![0; edges.len()];
    for (at, members) in order.iter().enumerate() {
        members.iter().for_each(|&member| group[member as usize] = at);
    }
    let mut entries: BTreeSet<usize> = numbers.get(root).copied().into_iter().collect();
    for (from, callees) in edges.iter().enumerate() {
        entries.extend(callees.iter().map(|to| *to as usize).filter(|&to| group[to] != group[from]));
    }
    let mut flat = Flat { grammar, weights: Weights::new(), rules: Vec::new() };
    for members in &order {
        let members: Vec<usize> = members.iter().map(|member| *member as usize).collect();
        match members.as_slice() {
            [only] if !edges[*only].contains(&(*only as u32)) => {
                let rule = &grammar.rules[*only];
                flat.push(rule, rule.body.clone())?;
            }
            _ => flat.cycle(&members, &entries)?,
        }
    }
    Ok(Grammar { rules: flat.rules, start: None })
}

/// Returns, for each rule, the first rule of its chain. A chain consists of generated rules that refer to each other at
/// their ends, as rules of states do. They are eliminated together: if one were written out in another, a rule with
/// several predecessors would be duplicated.
fn chains(grammar: &Grammar, numbers: &HashMap<&str, usize>) -> Vec<u32> {
    let is_made = |at: usize| grammar.rules[at].name.span == Span::default();
    let mut chain: Vec<u32> = (0..grammar.rules.len() as u32).collect();
    let first = |chain: &[u32], mut at: u32| {
        while chain[at as usize] != at {
            at = chain[at as usize];
        }
        at
    };
    for (at, rule) in grammar.rules.iter().enumerate().filter(|(at, _)| is_made(*at)) {
        let mut ends = Vec::new();
        at_end(&rule.body, &mut ends);
        for next in ends.into_iter().filter_map(|name| numbers.get(name)).filter(|next| is_made(**next)) {
            let (one, other) = (first(&chain, at as u32), first(&chain, *next as u32));
            let (low, high) = (one.min(other), one.max(other));
            chain[high as usize] = low;
        }
    }
    let all: Vec<u32> = (0..chain.len() as u32).map(|at| first(&chain, at)).collect();
    let mut members: HashMap<u32, HashMap<&str, usize>> = HashMap::new();
    for (at, rule) in grammar.rules.iter().enumerate() {
        members.entry(all[at]).or_default().insert(&rule.name.value, at);
    }
    let is_linear = |at: usize| arms(&grammar.rules[at].body, &members[&all[at]], Side::End).is_some();
    let other: BTreeSet<u32> = (0..all.len()).filter(|&at| !is_linear(at)).map(|at| all[at]).collect();
    all.iter().enumerate().map(|(at, first)| if other.contains(first) { at as u32 } else { *first }).collect()
}

/// Collects the rules with which an expression may end.
fn at_end<'e>(expr: &'e Expr, found: &mut Vec<&'e str>) {
    match &expr.kind {
        ExprKind::Name(name) => found.push(name),
        ExprKind::Alternation(arms) => arms.iter().for_each(|arm| at_end(arm, found)),
        ExprKind::Repeat { expr, min: 0, max: Some(1) } => at_end(expr, found),
        ExprKind::Sequence(items) => items.iter().rev().take(1).for_each(|last| at_end(last, found)),
        _ => {}
    }
}

/// Returns the chains and all other rules, callees before callers; `None` if a chain leads to itself through other
/// rules.
fn order(edges: &[Vec<u32>], chains: &[u32]) -> Option<Vec<Vec<u32>>> {
    let mut between: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (from, callees) in edges.iter().enumerate() {
        let chain = chains[from];
        members[chain as usize].push(from as u32);
        between[chain as usize].extend(callees.iter().map(|to| chains[*to as usize]).filter(|to| *to != chain));
    }
    let made = components(&between);
    let is_crossed =
        |parts: &&Vec<u32>| parts.len() > 1 && parts.iter().any(|chain| members[*chain as usize].len() > 1);
    if made.members.iter().any(|parts| is_crossed(&parts)) {
        return None;
    }
    let all = made.members.iter().map(|parts| {
        let mut rules: Vec<u32> = parts.iter().flat_map(|chain| members[*chain as usize].clone()).collect();
        rules.sort_unstable();
        rules
    });
    Some(all.filter(|rules| !rules.is_empty()).collect())
}

fn called(body: &Expr, numbers: &HashMap<&str, usize>) -> Vec<u32> {
    let mut found = Vec::new();
    body.walk(&mut |part| {
        if let ExprKind::Name(name) = &part.kind {
            found.extend(numbers.get(name.as_str()).map(|at| *at as u32));
        }
    });
    found
}

/// The flattened rules, callees before callers.
struct Flat<'g> {
    grammar: &'g Grammar,
    weights: Weights,
    rules: Vec<Rule>,
}

impl Flat<'_> {
    /// Adds a rule whose body mentions only rules added before. A rule that is too large is reported at a known place.
    fn push(&mut self, rule: &Rule, body: Expr) -> Result<(), NoRegex> {
        let given = weight(&body, &self.weights);
        if given > LENGTH && rule.name.span != Span::default() {
            return Err(NoRegex { span: rule.name.span, why: Why::TooLarge(given) });
        }
        self.weights.insert(rule.name.value.clone(), given);
        self.rules.push(Rule { name: rule.name.clone(), body });
        Ok(())
    }

    /// Flattens the rules of a cycle; each rule that others mention is solved separately.
    fn cycle(&mut self, members: &[usize], entries: &BTreeSet<usize>) -> Result<(), NoRegex> {
        let states: HashMap<&str, usize> =
            members.iter().enumerate().map(|(at, &rule)| (self.grammar.rules[rule].name.value.as_str(), at)).collect();
        let arms = |side| -> Option<Vec<Vec<Arm>>> {
            members.iter().map(|&rule| arms(&self.grammar.rules[rule].body, &states, side)).collect()
        };
        let Some((side, arms)) = [Side::End, Side::Begin].into_iter().find_map(|side| Some((side, arms(side)?))) else {
            return Err(self.recursive(members));
        };
        for (at, rule) in members.iter().enumerate().filter(|(_, rule)| entries.contains(rule)) {
            let rule = &self.grammar.rules[*rule];
            match solved(&arms, at, side, &self.weights) {
                Ok(body) => self.push(rule, body)?,
                Err(Stopped) => self.refuse(rule, members)?,
            }
        }
        Ok(())
    }

    /// Reports rules that are too large, at the first known place among them; if there is none, later at a rule that
    /// mentions them.
    fn refuse(&mut self, rule: &Rule, members: &[usize]) -> Result<(), NoRegex> {
        let given = LENGTH * 2;
        match self.span(members) {
            span if span != Span::default() => Err(NoRegex { span, why: Why::TooLarge(given) }),
            _ => {
                self.weights.insert(rule.name.value.clone(), given);
                self.rules.push(Rule { name: rule.name.clone(), body: empty() });
                Ok(())
            }
        }
    }

    /// Returns the first known place among rules.
    fn span(&self, members: &[usize]) -> Span {
        let spans = members.iter().map(|&rule| self.grammar.rules[rule].name.span);
        spans.into_iter().find(|span| *span != Span::default()).unwrap_or_default()
    }

    fn recursive(&self, members: &[usize]) -> NoRegex {
        NoRegex { span: self.span(members), why: Why::Recursive }
    }
}

/// Reasons why there is no regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRegex {
    /// The place of the rule; its span.
    pub span: Span,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Recursive,
    /// The expression would take about this many characters.
    TooLarge(usize),
}

impl NoRegex {
    /// Returns the finding; `name` is what the user calls the rule.
    #[must_use]
    pub fn diagnostic(&self, name: Option<&str>) -> Diagnostic {
        let name = name.map_or_else(|| "this".to_owned(), |name| format!("`{name}`"));
        match self.why {
            Why::Recursive => {
                let message = format!("{name} may stand inside itself to any depth, which no regular expression says");
                let help = "export it as GBNF or Lark, or bound the depth; open objects hold any value, so close them";
                Diagnostic::error(Code::ExportRecursion, self.span, message).help(help)
            }
            Why::TooLarge(given) => {
                let message =
                    format!("{name} is too large as a regex: about {given} characters; the limit is {LENGTH}");
                let help = "export it as GBNF or Lark, or use the artifact";
                Diagnostic::error(Code::ExportSize, self.span, message).help(help)
            }
        }
    }
}

/// The side of a body at which rules of its cycle may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Begin,
    End,
}

impl Side {
    /// Concatenates `outer`, the part away from the rule of the cycle, and `inner`, the part next to it, in text order.
    fn joined(self, outer: Expr, inner: Expr) -> Expr {
        match self {
            Side::End => sequence(outer, inner),
            Side::Begin => sequence(inner, outer),
        }
    }
}

/// A text, and the adjacent rule of the cycle, if any.
type Arm = (Expr, Option<usize>);

/// Returns an expression as alternatives, each a text next to at most one rule of the cycle; `None` if such rules occur
/// elsewhere. The recursion is as deep as the tree.
fn arms(expr: &Expr, states: &HashMap<&str, usize>, side: Side) -> Option<Vec<Arm>> {
    if !mentions(expr, states) {
        return Some(vec![(expr.clone(), None)]);
    }
    match &expr.kind {
        ExprKind::Name(name) => Some(vec![(empty(), states.get(name.as_str()).copied())]),
        ExprKind::Alternation(parts) => {
            let parts: Option<Vec<Vec<Arm>>> = parts.iter().map(|part| arms(part, states, side)).collect();
            Some(parts?.into_iter().flatten().collect())
        }
        ExprKind::Repeat { expr, min: 0, max: Some(1) } => {
            let inner = arms(expr, states, side)?;
            Some(inner.into_iter().chain([(empty(), None)]).collect())
        }
        ExprKind::Sequence(items) => {
            let (last, others) = match side {
                Side::End => items.split_last()?,
                Side::Begin => items.split_first()?,
            };
            if others.iter().any(|item| mentions(item, states)) {
                return None;
            }
            let others = others.iter().cloned().fold(empty(), sequence);
            let inner = arms(last, states, side)?;
            Some(inner.into_iter().map(|(text, next)| (side.joined(others.clone(), text), next)).collect())
        }
        _ => None,
    }
}

fn mentions(expr: &Expr, states: &HashMap<&str, usize>) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(&part.kind, ExprKind::Name(name) if states.contains_key(name.as_str())));
    found
}

/// Returns the texts of the rule `entry`.
fn solved(arms: &[Vec<Arm>], entry: usize, side: Side, weights: &Weights) -> Result<Expr, Stopped> {
    if arms.len() > STATES {
        return Err(Stopped);
    }
    let (outer, entrance) = (arms.len(), arms.len() + 1);
    let mut graph = Elimination::new(arms.len() + 2, weights).factored();
    let mut edge = |from: usize, to: usize, text: Expr| match side {
        Side::End => graph.add(from, to, text),
        // These rules are solved inside out: from texts without a rule to the entry.
        Side::Begin => graph.add(to, from, text),
    };
    for (at, arms) in arms.iter().enumerate() {
        arms.iter().for_each(|(text, next)| edge(at, next.unwrap_or(outer), text.clone()));
    }
    edge(entrance, entry, empty());
    let (start, end) = if side == Side::End { (entrance, outer) } else { (outer, entrance) };
    let whole = graph.solve(start, end, |graph| graph.heaviest <= LENGTH && graph.parts <= PARTS)?;
    // The empty language is written as a class without characters.
    Ok(whole.unwrap_or_else(|| made(ExprKind::Class { negated: true, ranges: vec![('\0', char::MAX)] })))
}
