//! Exports definitions of `.ogc` files as rules: the grammar IR with the values embedded in it.

use always_assert::never;
use ogc_compiler::SchemaFault;
use ogc_compiler::budget::within;
use ogc_compiler::db::{JsonPolicy, Limits, Space};
use ogc_compiler::hir::{Module, Root};
use ogc_compiler::ir::{self, ExprId, PlacedGrammar, RuleId, TextLimit, is_marker};
use ogc_compiler::lower::json::{Policies, ValueUse, lower_inside};
use ogc_compiler::pass::{External, regular, stops};
use ogc_grammar::rules::{Expr, ExprKind, Grammar, Rule, VocabularyToken};
use ogc_grammar::{Code, Diagnostic, Spanned};
use ogc_regular::budget::poll;
use ogc_regular::length::with_length;
use ogc_schema::source::{Origin, Schemas};
use rustc_hash::FxHashSet;

use super::rules::{add_values, of_automaton, origin_of, origin_span};

/// Returns rules that mean the same texts as a definition; `root` comes first. The spans of names encode origins of the
/// module ([`super::origin_of`]).
///
/// # Errors
///
/// The rules cannot express the definition: keys in any order, texts limited in tokens, policies inside values.
pub fn module_rules(module: &Module, limits: &Limits) -> Result<Grammar, Vec<Diagnostic<Origin>>> {
    if let Some(node) = module.policies.changes.keys().next() {
        let origin = module.schemas.nodes.get(node.0 as usize).map(|node| node.origin).unwrap_or_else(|| {
            never!("{:?} has a policy and is no node of the module", node);
            Origin::default()
        });
        let message = "a part of a value has policies of its own, which rules for it cannot have";
        let help = "give the whole output one policy, or export it as JSON Schema";
        return Err(vec![Diagnostic::error(Code::ExportPolicy, origin, message).help(help)]);
    }
    let mut made = Grammar::default();
    let write = || match module.root {
        Root::Nothing => Ok(()),
        Root::Value(value) => values(&mut made, "root", &module.schemas, value, limits),
        Root::Text(_) => texts(&mut made, module, limits),
    };
    within(limits, write, |found| Err(vec![found]))?;
    Ok(made)
}

fn values(
    made: &mut Grammar,
    name: &str,
    schemas: &Schemas,
    value: ValueUse,
    limits: &Limits,
) -> Result<(), Vec<Diagnostic<Origin>>> {
    let schemas = Schemas { root: Some(value.node), ..schemas.clone() };
    add_values(made, name, &schemas, &value.policy, value.policy.spelling, &limits.schema).map_err(of_schema)
}

fn of_schema(errors: Vec<SchemaFault>) -> Vec<Diagnostic<Origin>> {
    errors.iter().map(SchemaFault::in_ogc).collect()
}

fn texts(made: &mut Grammar, module: &Module, limits: &Limits) -> Result<(), Vec<Diagnostic<Origin>>> {
    let parts = TextParts { grammar: &module.grammar, schemas: &module.schemas, values: &module.values };
    parts.write(made, limits)
}

/// Returns rules that mean the same texts as a grammar in another language. Differences, bounds and other operations
/// are expanded to the regular languages that they denote. `root` is the start rule.
///
/// ```
/// use ogc_compiler::db::{JsonPolicy, Limits};
/// let (tree, _) = ogc_grammar::parse_ebnf("a ::= [a-c]+ - 'b'");
/// let (placed, _) = ogc_compiler::lower::grammar::lower(&tree, None);
/// let rules = ogc_export::grammar_rules(&placed.unwrap(), &JsonPolicy::default(), &Limits::default()).unwrap();
/// assert_eq!(ogc_grammar::rules::print(&rules).unwrap(), "root ::= ([ac] | \"b\" [a-c]) [a-c]*\n");
/// ```
///
/// # Errors
///
/// As [`module_rules`], with places in the grammar's text.
pub fn grammar_rules(placed: &PlacedGrammar, policy: &JsonPolicy, limits: &Limits) -> Result<Grammar, Vec<Diagnostic>> {
    let values: Vec<ValueUse> = placed.values.nodes.iter().map(|&node| ValueUse { node, policy: *policy }).collect();
    let parts = TextParts { grammar: &placed.grammar, schemas: &placed.values.schemas, values: &values };
    let mut made = Grammar::default();
    match within(limits, || parts.write(&mut made, limits), |found| Err(vec![found])) {
        Ok(()) => {
            for rule in &mut made.rules {
                rule.name.span = placed.places.get(origin_of(rule.name.span)).unwrap_or_default();
            }
            Ok(made)
        }
        Err(found) => Err(found.iter().map(|one| placed.places.resolve(one)).collect()),
    }
}

/// A grammar, with the values embedded in its texts.
struct TextParts<'m> {
    grammar: &'m ir::Grammar,
    schemas: &'m Schemas,
    values: &'m [ValueUse],
}

impl TextParts<'_> {
    /// Writes all rules that the root reaches.
    fn write(&self, made: &mut Grammar, limits: &Limits) -> Result<(), Vec<Diagnostic<Origin>>> {
        let (_, inside) =
            lower_inside(self.schemas, self.values, &Policies::default(), &limits.schema).map_err(of_schema)?;
        let externals: Vec<External> = inside.into_iter().map(External::from).collect();
        let mut grammar = self.grammar.clone();
        let mut found = Vec::new();
        let stops = stops::Stops::find(&grammar, &externals, &mut found);
        regular::resolve(&mut grammar, &stops, &limits.grammar, &mut Vec::new()).map_err(|error| vec![*error])?;
        let mut writer = Writer { grammar: &grammar, names: names(&grammar), made, used: FxHashSet::default(), limits };
        writer.rules()?;
        let used: Vec<usize> = writer.used.iter().copied().collect();
        for at in used {
            let value = self.values[at];
            if matches!(value.policy.space, Space::Any { .. }) {
                let message = "a value inside text with white space anywhere cannot be exported";
                let help = "write it with `space = \"compact\"`, `\"spaced\"` or `\"pretty\"`";
                let place = self.schemas.nodes.get(value.node.0 as usize).map(|node| node.origin);
                let place = place.unwrap_or_default();
                return Err(vec![Diagnostic::error(Code::ExportPolicy, place, message).help(help)]);
            }
            values(made, &value_name(at), self.schemas, value, limits)?;
        }
        Ok(())
    }
}

fn value_name(at: usize) -> String {
    format!("value-{}", at + 1)
}

/// Returns a name for each rule: its own if that is free, and `root` for the start rule.
fn names(grammar: &ir::Grammar) -> Vec<String> {
    let mut taken = FxHashSet::from_iter(["root".to_owned()]);
    let mut names = Vec::with_capacity(grammar.rules.len());
    for (at, rule) in grammar.rules.iter().enumerate() {
        if at == grammar.root.index() {
            names.push("root".to_owned());
            continue;
        }
        let plain: String =
            rule.name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
        let plain = plain.trim_matches('-').to_owned();
        let plain =
            if plain.starts_with(|char: char| char.is_ascii_alphabetic()) { plain } else { format!("rule-{plain}") };
        let mut name = plain.clone();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            name = format!("{plain}-{count}");
        }
        names.push(name);
    }
    names
}

struct Writer<'g, 'm> {
    grammar: &'g ir::Grammar,
    names: Vec<String>,
    made: &'m mut Grammar,
    /// The values embedded in the texts.
    used: FxHashSet<usize>,
    limits: &'g Limits,
}

impl Writer<'_, '_> {
    /// Writes all rules that the root reaches.
    fn rules(&mut self) -> Result<(), Vec<Diagnostic<Origin>>> {
        let reached = ogc_compiler::pass::reached(self.grammar);
        for (at, rule) in self.grammar.rules.iter().enumerate().filter(|(at, _)| reached[*at]) {
            let body = self.expr(rule.body)?;
            let name = Spanned::new(self.names[at].clone(), origin_span(rule.origin));
            self.made.rules.push(Rule { name, body });
        }
        Ok(())
    }

    /// Exports an expression. The limit on nesting in sources bounds the recursion.
    fn expr(&mut self, id: ExprId) -> Result<Expr, Vec<Diagnostic<Origin>>> {
        poll();
        let origin = self.grammar.exprs[id.0 as usize].origin;
        let span = origin_span(origin);
        Ok(match self.grammar.kind(id) {
            ir::ExprKind::Literal(text) => Expr::new(literal(text, origin)?, span),
            ir::ExprKind::Machine(machine) => {
                let dfa = &self.grammar.machines[machine.0 as usize];
                of_automaton(dfa, self.made, origin)?
            }
            ir::ExprKind::Rule(RuleId(rule)) => Expr::new(ExprKind::Name(self.names[*rule as usize].clone()), span),
            ir::ExprKind::Sequence(items) => Expr::sequence(self.all(items)?, span),
            ir::ExprKind::Alternation(arms) => Expr::alternation(self.all(arms)?, span),
            ir::ExprKind::Repeat { body, min, max } => self.expr(*body)?.repeat(*min, *max, span),
            ir::ExprKind::Limited { body, limit } => self.limited(*body, *limit, origin)?,
            ir::ExprKind::External(external) => {
                self.used.insert(external.0 as usize);
                Expr::new(ExprKind::Name(value_name(external.0 as usize)), span)
            }
            // These have become regular languages before.
            ir::ExprKind::Exception(..)
            | ir::ExprKind::Intersection(..)
            | ir::ExprKind::Lazy(_)
            | ir::ExprKind::Free { .. } => Expr::empty(span),
        })
    }

    fn all(&mut self, ids: &[ExprId]) -> Result<Vec<Expr>, Vec<Diagnostic<Origin>>> {
        ids.iter().map(|&id| self.expr(id)).collect()
    }

    fn limited(&mut self, body: ExprId, limit: TextLimit, origin: Origin) -> Result<Expr, Vec<Diagnostic<Origin>>> {
        let ir::ExprKind::Machine(machine) = *self.grammar.kind(body) else {
            return Ok(Expr::empty(origin_span(origin)));
        };
        let dfa = &self.grammar.machines[machine.0 as usize];
        let refused =
            |message: String, help: &str| vec![Diagnostic::error(Code::ExportTextLimit, origin, message).help(help)];
        match limit {
            TextLimit::Tokens(_) => {
                let message = "rules are about characters, so they cannot count tokens".to_owned();
                Err(refused(message, "limit it with `max_chars`, or leave the limit to the engine"))
            }
            TextLimit::Chars(most) => match with_length(dfa, 0, Some(most), self.limits.grammar.rule_states) {
                Ok(bounded) => of_automaton(&bounded, self.made, origin),
                Err(error) => Err(refused(error.to_string(), "use a smaller `max_chars`")),
            },
        }
    }
}

fn literal(text: &[u8], origin: Origin) -> Result<ExprKind, Vec<Diagnostic<Origin>>> {
    if !is_marker(text) {
        return Ok(ExprKind::Literal(String::from_utf8_lossy(text).into_owned()));
    }
    let name = String::from_utf8_lossy(text.get(1..text.len() - 1).unwrap_or_default()).into_owned();
    if name.starts_with('<') && name.ends_with('>') && !name.starts_with("<[") {
        return Ok(ExprKind::Token(VocabularyToken::named(&name)));
    }
    let message = format!("the token `{name}` has a name that rules cannot write");
    Err(vec![
        Diagnostic::error(Code::ExportToken, origin, message).help("tokens whose names are in `<...>` can be exported"),
    ])
}
