//! `ogc inspect`: a format at one stage of its compilation, or after a text.

mod at;
mod automaton;

use std::sync::Arc;

use ogc_compiler::db::{Language, SourceFile, VocabularyInput};
use ogc_compiler::foreign::{read_rules, read_schema};
use ogc_compiler::frontend::grammar::Dialect;
use ogc_compiler::hir::{Module, elaborate};
use ogc_compiler::lower::grammar::lower;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::{json, ogc, rules};
use ogc_runtime::artifact::Artifact;
use ogc_runtime::matcher::Matcher;

use crate::args::{Inspect, Stage};
use crate::message::Message;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;

pub(crate) fn run(args: &Inspect, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let compiled = session.compile(&format, output)?;
    if let Some(text) = &args.at {
        let Some(automaton) = compiled else { return Ok(Verdict::Bad) };
        let store = session.vocabulary(args.vocab.as_deref(), file)?.store(&session.db);
        let at = at::At { session: &session, format: &format, path: &args.file, text, token: args.token.as_deref() };
        say("at", &at.tell(&mut Matcher::new(automaton, store))?, output)?;
        return Ok(Verdict::Good);
    }
    let shown = match args.stage {
        Stage::Tree => tree(&session, file),
        Stage::Schema => schema(&session, &format),
        Stage::Ir => ir(&session, &format),
        Stage::Automaton => Ok(compiled.as_deref().map(automaton::show_automaton)),
        Stage::Masks => masks(&session, format, session.vocabulary(args.vocab.as_deref(), file)?),
        Stage::Artifact => artifact(&session, format, session.vocabulary(args.vocab.as_deref(), file)?),
    };
    let shown = shown.map_err(|message| Problem::NoStage { path: args.file.clone(), message })?;
    if let Some(shown) = &shown {
        say(args.stage.name(), shown, output)?;
    }
    Ok(if compiled.is_some() && shown.is_some() { Verdict::Good } else { Verdict::Bad })
}

fn say(stage: &str, text: &str, output: &Output) -> Result<(), Problem> {
    let text = text.trim_end().to_owned();
    let message = Message::Stage { stage: stage.to_owned(), text: text.clone() };
    Ok(output.either(message, || text)?)
}

/// The report on a pack of masks.
fn masks(session: &Session, format: Format, vocabulary: VocabularyInput) -> Result<Option<String>, String> {
    let masks = pipeline::masks(&session.db, format, vocabulary).map_err(|error| error.to_string())?;
    Ok(masks.map(|masks| format!("{:#?}", masks.report())))
}

/// What an artifact says of itself once it is loaded again.
fn artifact(session: &Session, format: Format, vocabulary: VocabularyInput) -> Result<Option<String>, String> {
    let bytes = pipeline::artifact(&session.db, format, vocabulary).map_err(|error| error.to_string())?;
    let Some(bytes) = bytes else { return Ok(None) };
    let artifact = Artifact::load(bytes.to_vec()).map_err(|error| error.to_string())?;
    let format = artifact.format();
    let provenance = format.provenance.iter().map(|(key, value)| format!("\n{key}: {value}"));
    Ok(Some(format!(
        "{} bytes; {} states of {} rules; {} places in {}{}\nmasks: {:#?}",
        bytes.len(),
        format.automaton.states.len(),
        format.automaton.rules.len(),
        format.sources.places.len(),
        format.sources.sources.join(", "),
        provenance.collect::<String>(),
        artifact.masks().map(|masks| masks.report()),
    )))
}

/// What the text says. Grammars are written as GBNF, where that can say it.
fn tree(session: &Session, file: SourceFile) -> Result<Option<String>, String> {
    match file.language(&session.db) {
        Language::Ogc => Ok(Some(format!("{:#?}", ogc::parse(file.text(&session.db)).file))),
        Language::JsonSchema => Ok(json::parse(file.text(&session.db)).0.map(|value| format!("{value:#?}"))),
        Language::Gbnf | Language::Ebnf | Language::Lark => {
            let (tree, _) = read_rules(&session.db, file);
            Ok(Some(rules::print(tree).unwrap_or_else(|_| format!("{tree:#?}"))))
        }
        Language::Regex => Ok(Some(file.text(&session.db).to_owned())),
    }
}

fn schema(session: &Session, format: &Format) -> Result<Option<String>, String> {
    match format.file.language(&session.db) {
        Language::JsonSchema => {
            let imported = read_schema(&session.db, format.file);
            Ok(Some(graph(&imported.schemas.nodes, &imported.schemas.root)))
        }
        Language::Ogc => {
            let module = module(session, format);
            Ok(module.map(|module| graph(&module.schemas.nodes, &module.root)))
        }
        Language::Gbnf | Language::Ebnf | Language::Lark | Language::Regex => {
            Err("only JSON Schema and .ogc become a graph of schemas".to_owned())
        }
    }
}

fn module(session: &Session, format: &Format) -> Option<Arc<Module>> {
    elaborate::module(&session.db, format.file, format.name.clone()?)
}

fn graph<N: std::fmt::Debug>(nodes: &[N], root: &impl std::fmt::Debug) -> String {
    let lines: Vec<String> = nodes.iter().enumerate().map(|(number, node)| format!("{number}: {node:#?}")).collect();
    format!("root: {root:?}\n{}", lines.join("\n"))
}

fn ir(session: &Session, format: &Format) -> Result<Option<String>, String> {
    let file = format.file;
    let root = match file.language(&session.db) {
        Language::Ogc => return Ok(module(session, format).map(|module| format!("{:#?}", module.grammar))),
        Language::Gbnf | Language::Ebnf | Language::Lark => {
            file.language(&session.db).dialect().and_then(Dialect::root)
        }
        Language::JsonSchema => return Err("schemas are lowered by their algebra, not by the grammar IR".to_owned()),
        Language::Regex => return Err("a pattern is compiled to an automaton at once".to_owned()),
    };
    let (grammar, _) = lower(&read_rules(&session.db, file).0, root);
    Ok(grammar.map(|grammar| format!("{grammar:#?}")))
}
