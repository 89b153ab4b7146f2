//! Writes a format in another notation. A finding reports what the notation cannot express.

use std::sync::Arc;

use always_assert::never;
use ogc_compiler::db::{Db, JsonPolicy, Language, Limits, Words};
use ogc_compiler::foreign::{foreign_grammar, foreign_schema, read_rules, read_schema, start_rule};
use ogc_compiler::frontend::json_schema::Imported;
use ogc_compiler::hir::{Module, Root, elaborate};
use ogc_compiler::pipeline::Format;
use ogc_grammar::ogc::ast::File;
use ogc_grammar::rules::{self, Grammar, PrintError};
use ogc_grammar::{Code, Diagnostic, Span, ogc};

use crate::graph::ExportGraph;
use crate::rules::{NoRegex, add_values, origin_of, without_patterns, without_recursion};
use crate::text::{grammar_rules, module_rules};
use crate::{json_schema, prompt};

/// A notation in which a format can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// JSON Schema, draft 2020-12.
    JsonSchema,
    /// GBNF, the grammars of llama.cpp.
    Gbnf,
    /// Lark.
    Lark,
    /// One regular expression.
    Regex,
    /// The `.ogc` language.
    Ogc,
    /// A description for a model.
    Prompt,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 6] =
        [Notation::JsonSchema, Notation::Gbnf, Notation::Lark, Notation::Regex, Notation::Ogc, Notation::Prompt];

    /// Returns the name used in commands and requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json-schema",
            Self::Gbnf => "gbnf",
            Self::Lark => "lark",
            Self::Regex => "regex",
            Self::Ogc => "ogc",
            Self::Prompt => "prompt",
        }
    }
}

/// Reasons why a format is not exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The notation cannot express the format.
    Findings(Vec<Diagnostic>),
    /// The format has no such stage to write.
    NoStage(String),
}

/// An exported text, and the findings about it.
pub type Exported = (String, Vec<Diagnostic>);

/// Writes a format that compiles in a notation.
///
/// # Errors
///
/// The notation cannot express the format.
pub fn exported(db: &dyn Db, format: &Format, to: Notation) -> Result<Exported, Refusal> {
    let text = match to {
        Notation::Prompt => {
            prompt::prompt(db, format).ok_or_else(|| no_stage("only .ogc and JSON Schema are described for models"))
        }
        Notation::Ogc => return as_ogc(db, format),
        Notation::JsonSchema => as_schema(db, format),
        Notation::Gbnf => printed(rules::print(&plain(regular(db, format)?)?)),
        Notation::Lark => printed(rules::print_lark(&plain(regular(db, format)?)?, "root")),
        Notation::Regex => as_regex(db, format),
    };
    text.map(|text| (text, Vec::new()))
}

fn no_stage(message: &str) -> Refusal {
    Refusal::NoStage(message.to_owned())
}

fn printed(made: Result<String, PrintError>) -> Result<String, Refusal> {
    made.map_err(|error| {
        Refusal::Findings(vec![Diagnostic::error(Code::ExportNotation, Span::default(), error.to_string())])
    })
}

fn as_regex(db: &dyn Db, format: &Format) -> Result<String, Refusal> {
    let tree = regular(db, format)?;
    let flat = without_recursion(&tree, "root");
    let flat = flat.map_err(|found| Refusal::Findings(vec![placed(db, format, found)]))?;
    printed(rules::print_regex(&flat, "root")).map(|text| text + "\n")
}

/// Makes a finding about exported rules, at the part of the source that they come from.
fn placed(db: &dyn Db, format: &Format, found: NoRegex) -> Diagnostic {
    let file = format.file;
    match file.language(db) {
        Language::Ogc => {
            let Some(module) = module_of(db, format) else { return found.diagnostic(None) };
            let item = module.place(origin_of(found.span)).and_then(|place| place.item.clone());
            let name = item.map(|item| item.key.name.clone()).filter(|name| !name.is_empty());
            module.resolve(db, file, &found.diagnostic(name.as_deref()).map_places(|span| origin_of(*span)))
        }
        Language::JsonSchema => {
            let span = read_schema(db, file).span(origin_of(found.span));
            Diagnostic { span, ..found.diagnostic(None) }
        }
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            let name = file.text(db).get(found.span.start as usize..found.span.end as usize);
            found.diagnostic(name.filter(|name| !name.is_empty()))
        }
    }
}

/// Returns the module of a format of an `.ogc` file.
fn module_of(db: &dyn Db, format: &Format) -> Option<Arc<Module>> {
    let module = format.name.clone().and_then(|name| elaborate::module(db, format.file, name));
    if never!(module.is_none(), "the output {:?} of {} has no module", format.name, format.file.name(db)) {
        return None;
    }
    module
}

/// Writes patterns as rules: GBNF has no patterns, and Lark's are of another dialect.
fn plain(tree: Grammar) -> Result<Grammar, Refusal> {
    without_patterns(&tree, &crate::pattern_limits()).map_err(Refusal::Findings)
}

/// Returns the format as rules without the operations that notations lack; these are expanded to the regular languages
/// that they denote.
fn regular(db: &dyn Db, format: &Format) -> Result<Grammar, Refusal> {
    let made = tree(db, format)?;
    let file = format.file;
    if file.language(db).dialect().is_none() || !made.rules.iter().any(|rule| has_operations(&rule.body)) {
        return Ok(made);
    }
    let (placed, found) = foreign_grammar(db, file);
    let Some(placed) = placed else { return Err(Refusal::Findings(found.clone())) };
    grammar_rules(placed, &file.options(db).json(db), &file.options(db).limits(db)).map_err(Refusal::Findings)
}

fn has_operations(body: &rules::Expr) -> bool {
    use rules::ExprKind::{Exception, Json, Lazy, Limited, Substring};
    let mut found = false;
    body.walk(&mut |part| {
        found |= matches!(part.kind, Exception(..) | Json(_) | Lazy(_) | Limited(..) | Substring(_));
    });
    found
}

/// Returns the format as rules of characters; the first is `root`.
fn tree(db: &dyn Db, format: &Format) -> Result<Grammar, Refusal> {
    let file = format.file;
    match file.language(db) {
        Language::Ogc => {
            let Some(module) = module_of(db, format) else { return Ok(Grammar::default()) };
            module_rules(&module, &Limits::default())
                .map_err(|found| Refusal::Findings(found.iter().map(|one| module.resolve(db, file, one)).collect()))
        }
        Language::JsonSchema => {
            let imported = read_schema(db, file);
            let policy = file.options(db).json(db);
            let (integers, limits) = (imported.integers(policy.spelling), crate::schema_limits());
            let mut made = Grammar::default();
            let added = add_values(&mut made, "root", &imported.schemas, &policy, integers, &limits);
            added.map(|()| made).map_err(|errors| {
                let each = |error: &crate::SchemaFault| error.placed(|origin| imported.span(origin));
                Refusal::Findings(errors.iter().map(each).collect())
            })
        }
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            Ok(rooted(read_rules(db, file).0.clone(), start_rule(db, file)))
        }
        Language::Regex => Ok(pattern(file.text(db))),
    }
}

/// Makes `root` the start rule: a rule that refers to the start, unless that is already called `root`. Another rule of
/// that name gets a new name.
fn rooted(mut grammar: Grammar, start: Option<String>) -> Grammar {
    let Some(start) = start.filter(|start| start != "root") else { return grammar };
    let is_taken = |grammar: &Grammar, name: &str| grammar.rules.iter().any(|rule| rule.name.value == name);
    if is_taken(&grammar, "root") {
        let mut free = "root-1".to_owned();
        for at in 2.. {
            if !is_taken(&grammar, &free) {
                break;
            }
            free = format!("root-{at}");
        }
        rename(&mut grammar, "root", &free);
    }
    let body = rules::Expr::new(rules::ExprKind::Name(start), Span::default());
    let name = ogc_grammar::Spanned::new("root".to_owned(), Span::default());
    grammar.rules.insert(0, rules::Rule { name, body });
    grammar
}

fn rename(grammar: &mut Grammar, old: &str, new: &str) {
    for rule in &mut grammar.rules {
        if rule.name.value == old {
            new.clone_into(&mut rule.name.value);
        }
        rename_in(&mut rule.body, old, new);
    }
}

/// Renames a rule in an expression. The parsers' limit on nesting bounds the recursion.
fn rename_in(expr: &mut rules::Expr, old: &str, new: &str) {
    match &mut expr.kind {
        rules::ExprKind::Name(name) if name == old => new.clone_into(name),
        rules::ExprKind::Sequence(items) | rules::ExprKind::Alternation(items) => {
            items.iter_mut().for_each(|item| rename_in(item, old, new));
        }
        rules::ExprKind::Repeat { expr, .. }
        | rules::ExprKind::Limited(expr, _)
        | rules::ExprKind::Lazy(expr)
        | rules::ExprKind::Captured { expr, .. } => rename_in(expr, old, new),
        rules::ExprKind::Exception(kept, refused) => {
            rename_in(kept, old, new);
            rename_in(refused, old, new);
        }
        _ => {}
    }
}

fn pattern(text: &str) -> Grammar {
    let written = text.split_inclusive('\n').skip_while(|line| line.starts_with("# ")).collect::<String>();
    let body = rules::Expr::new(rules::ExprKind::Regex(written.trim_end().to_owned()), Span::default());
    Grammar {
        start: None,
        rules: vec![rules::Rule { name: ogc_grammar::Spanned::new("root".to_owned(), Span::default()), body }],
    }
}

fn as_ogc(db: &dyn Db, format: &Format) -> Result<Exported, Refusal> {
    let file = format.file;
    let (made, found) = match file.language(db) {
        Language::Ogc => return Err(no_stage("the format is in this language; `ogc fmt` lays it out")),
        Language::JsonSchema => spelled(&foreign_schema(db, file).0, &file.options(db).json(db)),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            crate::ogc::rules(&tree(db, format)?, Some("root"))
        }
    };
    if found.iter().any(Diagnostic::is_error) {
        return Err(Refusal::Findings(found));
    }
    Ok((ogc::format(&ogc::print(&made)), found))
}

/// Returns a schema as types, after a `policy` item with the policies of its compilation.
fn spelled(imported: &Imported, policy: &JsonPolicy) -> (File, Vec<Diagnostic>) {
    let (mut made, mut found) = crate::ogc::types(&ExportGraph::of(imported));
    let (policy, more) = crate::ogc::policy(policy, imported.integers(policy.spelling));
    made.items.splice(0..0, policy);
    found.extend(more);
    (made, found)
}

fn as_schema(db: &dyn Db, format: &Format) -> Result<String, Refusal> {
    let file = format.file;
    if file.language(db) == Language::JsonSchema {
        return Ok(json_schema::print(&ExportGraph::of(&foreign_schema(db, file).0)));
    }
    let module = format.name.clone().and_then(|name| elaborate::module(db, file, name));
    let Some((module, value)) = module.as_ref().and_then(|module| match module.root {
        Root::Value(value) => Some((module, value)),
        Root::Text(_) | Root::Nothing => None,
    }) else {
        return Err(no_stage("JSON Schema describes values, and this format is text around them"));
    };
    if module.has_words(Words::Python) {
        let message = "JSON Schema describes JSON, and this format writes `None`, `True` and `False`";
        let help = "leave `words = \"python\"` out";
        let place = module.schemas.nodes.get(value.node.0 as usize).map(|node| node.origin).unwrap_or_default();
        let found = Diagnostic::error(Code::ExportPolicy, place, message).help(help);
        return Err(Refusal::Findings(vec![module.resolve(db, file, &found)]));
    }
    Ok(json_schema::print_module(module, value.node))
}
