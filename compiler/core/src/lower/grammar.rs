//! Lowers the rule tree of GBNF, EBNF, ABNF or Lark to the grammar IR: characters become bytes, names become rules.

mod class;
mod tokens;

use std::collections::BTreeSet;

use always_assert::never;
use ogc_grammar::rules::{
    CapturedPart, Expr as Tree, ExprKind as TreeKind, Grammar as RuleTree, Rule as TreeRule, TextLength, TokenSet,
    VocabularyToken,
};
use ogc_grammar::{Code, Diagnostic, Span, Spanned};
use ogc_regular::Dfa;
use ogc_regular::budget::{self, Spender};
use ogc_regular::pattern::{compile_anchored, help_for_slashes};
use rustc_hash::FxHashMap;

use crate::ir::{
    Captured, Expr, ExprId, ExprKind, Extent, ExternalId, Grammar, GrammarValues, MachineId, PlacedGrammar, Places,
    Rule, RuleId, TextLimit,
};

/// Lowers a tree whose names have been checked; `None` if there are errors. The schemas of values in its texts still
/// have to be read.
///
/// `root` names the start rule; without it, the first rule is the start rule.
#[must_use]
pub fn lower(tree: &RuleTree, root: Option<&str>) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    lower_for(tree, root, None)
}

/// Returns the name of the special token with an id, if there is one; known only with a vocabulary.
pub type TokenNames<'n> = &'n dyn Fn(u32) -> Option<&'n str>;

/// Lowers a tree as [`lower`] does, with the names of special tokens from a vocabulary, for tokens given by id.
#[must_use]
pub fn lower_for<'t>(
    tree: &'t RuleTree,
    root: Option<&str>,
    names: Option<TokenNames<'t>>,
) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(tree, names);
    let rules = tree.rules.iter().map(|rule| lowering.rule(rule)).collect();
    let root = match root {
        Some(name) => lowering.rules.get(name).copied(),
        None => tree.rules.first().map(|_| RuleId(0)),
    };
    let Some(root) = root.filter(|_| !lowering.diagnostics.iter().any(Diagnostic::is_error)) else {
        return (None, lowering.diagnostics);
    };
    let Lowering { exprs, machines, diagnostics, tokens, places, values, captures, .. } = lowering;
    let values = GrammarValues { texts: values, ..GrammarValues::default() };
    let tokens = tokens.into_iter().collect();
    let grammar = Grammar { exprs, rules, machines, root, tokens, captures, ..Grammar::default() };
    (Some(PlacedGrammar { grammar, places, values }), diagnostics)
}

struct Lowering<'t> {
    rules: FxHashMap<&'t str, RuleId>,
    exprs: Vec<Expr>,
    machines: Vec<Dfa>,
    classes: FxHashMap<Vec<(char, char)>, MachineId>,
    patterns: FxHashMap<&'t str, MachineId>,
    diagnostics: Vec<Diagnostic>,
    places: Places,
    /// Names of vocabulary tokens that the grammar uses.
    tokens: BTreeSet<String>,
    /// The schemas of values, which are still to be read.
    values: Vec<Spanned<String>>,
    captures: Vec<Captured>,
    /// Looks up names of special tokens, if a vocabulary is known.
    names: Option<TokenNames<'t>>,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t RuleTree, names: Option<TokenNames<'t>>) -> Self {
        let mut rules = FxHashMap::default();
        for (rule, id) in tree.rules.iter().zip(0..) {
            rules.entry(rule.name.value.as_str()).or_insert(RuleId(id));
        }
        Self {
            rules,
            exprs: Vec::new(),
            machines: Vec::new(),
            classes: FxHashMap::default(),
            patterns: FxHashMap::default(),
            diagnostics: Vec::new(),
            places: Places::default(),
            tokens: BTreeSet::new(),
            values: Vec::new(),
            captures: Vec::new(),
            names,
        }
    }

    fn rule(&mut self, rule: &'t TreeRule) -> Rule {
        let body = self.expr(&rule.body);
        Rule { name: rule.name.value.clone(), origin: self.places.add(rule.name.span), body }
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let origin = self.places.add(span);
        self.exprs.push(Expr { kind, origin });
        ExprId(u32::try_from(self.exprs.len() - 1).unwrap_or(u32::MAX))
    }

    /// Lowers an expression. The parser's nesting limit bounds the recursion.
    fn expr(&mut self, tree: &'t Tree) -> ExprId {
        let kind = match &tree.kind {
            TreeKind::Literal(text) => ExprKind::Literal(text.as_bytes().into()),
            TreeKind::Class { negated, ranges } => {
                self.class(if *negated { class::complement(ranges) } else { ranges.clone() })
            }
            TreeKind::Any => self.class(class::complement(&[])),
            TreeKind::Name(name) => self.name(name, tree.span),
            TreeKind::Sequence(items) => ExprKind::Sequence(items.iter().map(|item| self.expr(item)).collect()),
            TreeKind::Alternation(arms) => ExprKind::Alternation(arms.iter().map(|arm| self.expr(arm)).collect()),
            TreeKind::Repeat { expr, min, max } => match &expr.kind {
                TreeKind::Token(VocabularyToken::Except(set)) => self.other_tokens(set, (*min, *max), tree.span),
                _ => self.repeat(expr, *min, *max, tree.span),
            },
            TreeKind::Exception(kept, refused) => ExprKind::Exception(self.expr(kept), self.expr(refused)),
            TreeKind::Regex(pattern) => self.pattern(pattern, tree.span),
            TreeKind::Token(VocabularyToken::Of(TokenSet::Named(name))) => self.named(name),
            TreeKind::Token(VocabularyToken::Of(TokenSet::Numbered(ranges))) => self.numbered(ranges, tree.span),
            TreeKind::Token(VocabularyToken::Except(set)) => self.other_tokens(set, (1, Some(1)), tree.span),
            TreeKind::Substring(chunks) => self.substring(chunks, tree.span),
            TreeKind::Limited(body, length) => self.limited(body, *length),
            TreeKind::Lazy(body) => ExprKind::Lazy(self.expr(body)),
            TreeKind::Json(schema) => self.value(schema, tree.span),
            TreeKind::Captured { expr, name, part } => return self.captured(expr, name, part),
        };
        self.push(kind, tree.span)
    }

    fn class(&mut self, mut ranges: Vec<(char, char)>) -> ExprKind {
        ranges.sort_unstable();
        ranges.dedup();
        let machines = &mut self.machines;
        let id = *self.classes.entry(ranges).or_insert_with_key(|ranges| {
            machines.push(Dfa::char_class(ranges.iter().copied()));
            MachineId(u32::try_from(machines.len() - 1).unwrap_or(u32::MAX))
        });
        ExprKind::Machine(id)
    }

    fn pattern(&mut self, pattern: &'t str, span: Span) -> ExprKind {
        if let Some(&known) = self.patterns.get(pattern) {
            return ExprKind::Machine(known);
        }
        // Places of the budget are offsets plus one here, as there is no source map yet.
        let _place = budget::at(Spender(span.start.saturating_add(1)));
        match compile_anchored(pattern, &ogc_regular::Limits::default()) {
            Ok(dfa) if dfa.is_empty() && help_for_slashes(pattern).is_some() => {
                let found = Diagnostic::error(Code::Regex, span, "no text matches this pattern");
                self.diagnostics.push(found.help(help_for_slashes(pattern).unwrap_or_default()));
                ExprKind::Alternation(Box::default())
            }
            Ok(dfa) => {
                // If this exceeds the budget, a later draw reports it for the whole grammar.
                let _ = budget::keep(dfa.bytes());
                self.machines.push(dfa);
                let id = MachineId(u32::try_from(self.machines.len() - 1).unwrap_or(u32::MAX));
                self.patterns.insert(pattern, id);
                ExprKind::Machine(id)
            }
            Err(error) => {
                self.diagnostics.push(Diagnostic::error(Code::Regex, span, error.to_string()));
                ExprKind::Alternation(Box::default())
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> ExprKind {
        if let Some(&rule) = self.rules.get(name) {
            return ExprKind::Rule(rule);
        }
        self.diagnostics.push(Diagnostic::error(
            Code::UndefinedRule,
            span,
            format!("the rule `{name}` is not defined"),
        ));
        ExprKind::Alternation(Box::default())
    }

    fn repeat(&mut self, body: &'t Tree, min: u32, max: Option<u32>, span: Span) -> ExprKind {
        let given = max.unwrap_or(min);
        if given == u32::MAX {
            let message = format!("{given} repetitions; the limit is {}", u32::MAX - 1);
            self.diagnostics
                .push(Diagnostic::error(Code::RepetitionLimit, span, message).help("leave out the upper bound"));
        }
        ExprKind::Repeat { body: self.expr(body), min, max }
    }

    fn captured(&mut self, body: &'t Tree, name: &Spanned<String>, part: &CapturedPart) -> ExprId {
        let body = self.expr(body);
        let extent = match part {
            CapturedPart::Whole => Extent::Whole,
            CapturedPart::WithoutIgnored(rule) => match self.rules.get(rule.as_str()) {
                Some(&rule) => Extent::WithoutIgnored(rule),
                None => {
                    never!("the rule of ignored text `{}` does not exist", rule);
                    Extent::Whole
                }
            },
            CapturedPart::Before(end) => Extent::Before(end.as_bytes().into()),
            CapturedPart::End(end) => Extent::End(end.as_bytes().into()),
        };
        let origin = self.places.add(name.span);
        self.captures.push(Captured { name: name.value.clone(), body, extent, origin });
        body
    }

    fn value(&mut self, schema: &str, span: Span) -> ExprKind {
        self.values.push(Spanned::new(schema.to_owned(), span));
        ExprKind::External(ExternalId(u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)))
    }

    fn substring(&mut self, chunks: &[String], span: Span) -> ExprKind {
        let _place = budget::at(Spender(span.start.saturating_add(1)));
        match ogc_regular::substring(chunks, ogc_regular::Limits::default().states) {
            Ok(dfa) => {
                let _ = budget::keep(dfa.bytes());
                self.machines.push(dfa);
                ExprKind::Machine(MachineId(u32::try_from(self.machines.len() - 1).unwrap_or(u32::MAX)))
            }
            Err(error) => {
                let found = Diagnostic::error(Code::GrammarLimit, span, error.to_string());
                self.diagnostics.push(found.help("give the part of the text that may be quoted"));
                ExprKind::Alternation(Box::default())
            }
        }
    }

    fn limited(&mut self, body: &'t Tree, length: TextLength) -> ExprKind {
        let limit = match length {
            TextLength::Chars(most) => TextLimit::Chars(most),
            TextLength::Tokens(most) => TextLimit::Tokens(most),
        };
        ExprKind::Limited { body: self.expr(body), limit }
    }
}
