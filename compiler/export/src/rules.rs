//! Exports formats to the notations of other tools: JSON values as rules of characters, patterns as rules.
//!
//! The result is a [`Grammar`] of names, literals, classes and operators, which `ogc_grammar::rules` writes as
//! GBNF, as Lark, or, where nothing is recursive, as a regular expression. It means *the same texts* as the automaton
//! that [`ogc_compiler::lower`] makes. Features that rules cannot express (keys in any order, `uniqueItems`, counted
//! `contains`) are errors with their places, never approximations.
//!
//! # Steps
//!
//! 1. The algebra resolves the schemas as for an automaton.
//! 2. `values`: one rule for each value, from a queue; `object`, `array` and `strings` write the arms, `space` the
//!    white space between tokens.
//! 3. `characters`, `regular`, `eliminate`: automata become expressions by eliminating their states, or right-linear rules
//!    where that gets too large. `combine` keeps all expressions short.
//! 4. `flat`: for regular expressions, right-linear rules are eliminated after all.

mod array;
mod characters;
mod combine;
mod eliminate;
mod flat;
mod object;
mod origin;
mod regular;
mod space;
mod spelled;
mod strings;
mod values;

use ogc_compiler::lower::json::JsonPolicy;
use ogc_compiler::{SchemaFault, SchemaFaultKind};
use ogc_grammar::rules::{Expr, ExprKind, Grammar, Rule};
use ogc_grammar::{Code, Diagnostic, Span, Spanned};
use ogc_regular::LimitError;
use ogc_regular::budget::{Allowance, poll, spend};
use ogc_regular::number::Spelling;
use ogc_regular::pattern::compile_anchored;
use ogc_schema::Limits;
use ogc_schema::source::{Origin, Schemas};

pub use flat::{NoRegex, without_recursion};
pub use origin::origin_of;
pub(crate) use origin::origin_span;
use regular::Names;

/// Builds the rules that mean the texts of a schema's values; the rule `root` comes first.
///
/// ```
/// use ogc_export::values_to_rules;
/// use ogc_compiler::frontend::json_schema::{ReadOptions, read};
/// use ogc_compiler::lower::json::{JsonPolicy, Space};
/// let schemas = read(r#"{"enum": ["a", true]}"#, &ReadOptions::default()).schemas;
/// let policy = JsonPolicy { space: Space::Compact, escapes: ogc_runtime::automaton::Escapes::Canonical, ..JsonPolicy::default() };
/// let rules = values_to_rules(&schemas, &policy, &ogc_schema::Limits::default()).unwrap();
/// assert_eq!(ogc_grammar::rules::print(&rules).unwrap(), "root ::= \"true\" | \"\\\"a\\\"\"\n");
/// ```
///
/// # Errors
///
/// The schema has errors, or rules cannot express it.
pub fn values_to_rules(schemas: &Schemas, policy: &JsonPolicy, limits: &Limits) -> Result<Grammar, Vec<SchemaFault>> {
    let mut grammar = Grammar::default();
    add_values(&mut grammar, "root", schemas, policy, policy.spelling, limits)?;
    Ok(grammar)
}

/// Adds the rules of a schema's values to a grammar under construction. The rule `name` means the values; the names of
/// the other new rules begin with `name` and are not used in the grammar yet. If the policy allows white space around
/// the whole value, the rules include it. `integers` is the spelling of sets of whole numbers (see
/// [`ogc_compiler::lower::json::lower_with`]).
///
/// ```
/// use ogc_export::add_values;
/// use ogc_compiler::lower::json::JsonPolicy;
/// use ogc_schema::source::{Origin, Schemas};
/// let (mut grammar, _) = ogc_grammar::parse_gbnf("root ::= \"<\" value \">\"\n");
/// let policy = JsonPolicy::default();
/// add_values(&mut grammar, "value", &Schemas::default(), &policy, policy.spelling, &ogc_schema::Limits::default()).unwrap();
/// assert!(grammar.rules.iter().any(|rule| rule.name.value == "value"));
/// ```
///
/// # Errors
///
/// As [`values_to_rules`]; the grammar is then left as it was.
pub fn add_values(
    grammar: &mut Grammar,
    name: &str,
    schemas: &Schemas,
    policy: &JsonPolicy,
    integers: Spelling,
    limits: &Limits,
) -> Result<(), Vec<SchemaFault>> {
    let names = Names::new(name, grammar);
    let (rules, usage) =
        spend(Allowance::default(), || values::rules(names, name, schemas, (*policy, integers), limits));
    if let Some((error, place)) = usage.exceeded {
        return Err(vec![SchemaFault::budget(place, error)]);
    }
    let rules = rules?;
    grammar.rules.extend(rules);
    Ok(())
}

/// Writes every pattern of a grammar out as rules, for notations that have no patterns or another dialect of them.
///
/// ```
/// use ogc_grammar::{parse_lark, rules};
/// let (tree, _) = parse_lark("start: /[a-c]+x/\n");
/// let plain = ogc_export::without_patterns(&tree, &ogc_regular::Limits::default()).unwrap();
/// assert_eq!(rules::print(&plain).unwrap(), "start ::= [a-c]+ \"x\"\n");
/// ```
///
/// # Errors
///
/// Patterns that do not compile, with their places.
pub fn without_patterns(grammar: &Grammar, limits: &ogc_regular::Limits) -> Result<Grammar, Vec<Diagnostic>> {
    let mut writer =
        PatternWriter { names: Names::new("pattern", grammar), limits, errors: Vec::new(), made: Vec::new() };
    let mut rules: Vec<Rule> =
        grammar.rules.iter().map(|rule| Rule { name: rule.name.clone(), body: writer.expr(&rule.body) }).collect();
    rules.append(&mut writer.made);
    if writer.errors.is_empty() { Ok(Grammar { rules, start: None }) } else { Err(writer.errors) }
}

struct PatternWriter<'l> {
    names: Names,
    limits: &'l ogc_regular::Limits,
    errors: Vec<Diagnostic>,
    made: Vec<Rule>,
}

impl PatternWriter<'_> {
    /// Exports an expression. The tree's own limit on nesting bounds the recursion.
    fn expr(&mut self, expr: &Expr) -> Expr {
        poll();
        let kind = match &expr.kind {
            ExprKind::Captured { expr, .. } => return self.expr(expr),
            ExprKind::Regex(pattern) => return self.pattern(pattern, expr.span),
            ExprKind::Sequence(items) => ExprKind::Sequence(items.iter().map(|item| self.expr(item)).collect()),
            ExprKind::Alternation(arms) => ExprKind::Alternation(arms.iter().map(|arm| self.expr(arm)).collect()),
            ExprKind::Repeat { expr, min, max } => {
                ExprKind::Repeat { expr: Box::new(self.expr(expr)), min: *min, max: *max }
            }
            ExprKind::Exception(kept, refused) => {
                ExprKind::Exception(Box::new(self.expr(kept)), Box::new(self.expr(refused)))
            }
            ExprKind::Lazy(body) => ExprKind::Lazy(Box::new(self.expr(body))),
            ExprKind::Limited(body, length) => ExprKind::Limited(Box::new(self.expr(body)), *length),
            ExprKind::Literal(_)
            | ExprKind::Class { .. }
            | ExprKind::Any
            | ExprKind::Name(_)
            | ExprKind::Token(_)
            | ExprKind::Substring(_)
            | ExprKind::Json(_) => expr.kind.clone(),
        };
        Expr::new(kind, expr.span)
    }

    fn pattern(&mut self, pattern: &str, span: Span) -> Expr {
        match compile_anchored(pattern, self.limits) {
            Ok(dfa) => {
                let graph = characters::graph(&dfa, &mut characters::class);
                regular::write(graph, &mut self.names, &mut self.made).unwrap_or_else(|error| {
                    self.errors.push(too_many_rules(error).at(span));
                    Expr::empty(span)
                })
            }
            Err(error) => {
                self.errors.push(Diagnostic::error(Code::Regex, span, error.to_string()));
                Expr::empty(span)
            }
        }
    }
}

/// Makes an expression without a place, as exported rules have none.
fn made(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

fn literal(text: impl Into<String>) -> Expr {
    made(ExprKind::Literal(text.into()))
}

fn rule(name: &str, body: Expr) -> Rule {
    Rule { name: Spanned::new(name.to_owned(), Span::default()), body }
}

fn call(name: &str) -> Expr {
    made(ExprKind::Name(name.to_owned()))
}

/// Returns the texts of an automaton as an expression; rules that it needs are added to the grammar.
pub(super) fn of_automaton(
    dfa: &ogc_regular::Dfa,
    grammar: &mut Grammar,
    origin: Origin,
) -> Result<Expr, Vec<Diagnostic<Origin>>> {
    let mut names = Names::new("pattern", grammar);
    let graph = characters::graph(dfa, &mut characters::class);
    let mut rules = Vec::new();
    let written = regular::write(graph, &mut names, &mut rules);
    let expr = written.map_err(|error| vec![too_many_rules(error).at(origin)])?;
    grammar.rules.append(&mut rules);
    Ok(expr)
}

fn too_many_rules(error: LimitError) -> SchemaFault {
    SchemaFault::new(Origin::default(), SchemaFaultKind::TooManyRules(error))
}
