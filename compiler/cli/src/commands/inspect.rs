//! `ogc inspect`: shows a format at one stage of its compilation, after one pass, or after a text.

mod at;
mod automaton;
mod masks;
mod places;

use std::sync::Arc;

use ogc_compiler::db::{self, Language, SourceFile, VocabularyInput};
use ogc_compiler::foreign::{read_rules, read_schema};
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::hir::{Module, Root};
use ogc_compiler::lower::json::ValueUse;
use ogc_compiler::pass::{Pass, Passed};
use ogc_compiler::pipeline::{self, Format, NoGrammar, pattern_of};
use ogc_grammar::outline::Node;
use ogc_grammar::{Span, json, ogc};
use ogc_runtime::artifact::Artifact;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::matcher::Matcher;

use crate::args::{Inspect, Stage};
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;
use crate::vocabulary::known_ends;
use places::PartPlaces;

/// The text for a stage; `None` if the format has errors.
type StageText = Result<Option<String>, String>;

pub(crate) fn run(args: &Inspect, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format).speaking(args.vocab.as_deref(), &args.ends);
    let file = session.open(&args.file)?;
    if args.stage == Stage::Tree && args.pass.is_none() && args.at.is_none() {
        let sound = session.check(file, output)?;
        let shown = tree(&session, file);
        return tell(args, args.stage.name(), Ok(shown), sound, output);
    }
    let format = session.format(file)?;
    let compiled = session.compile(&format, output)?;
    if let Some(text) = &args.at {
        let Some(automaton) = compiled else { return Ok(Verdict::Bad) };
        let vocab = args.vocab.as_deref();
        let store = session.vocabulary(vocab, file)?.store(&session.db);
        let (path, named) = (session.vocabulary_path(vocab, file), session.ends(vocab, file));
        let ends = known_ends(store.vocabulary(), &path, &named)?;
        let at = at::At { session: &session, format: &format, path: &args.file, text, token: args.token.as_deref() };
        say("at", &(at.tell(&mut Matcher::new(automaton, store))? + &ends), output)?;
        return Ok(Verdict::Good);
    }
    let places = PartPlaces { session: &session, format: &format };
    let (name, shown) = match args.pass {
        Some(pass) => (pass.name(), after_pass(places, pass)),
        None => (args.stage.name(), stage(args, places, compiled.as_ref())?),
    };
    tell(args, name, shown, compiled.is_some(), output)
}

fn stage(args: &Inspect, places: PartPlaces<'_>, compiled: Option<&Arc<Automaton>>) -> Result<StageText, Problem> {
    let PartPlaces { session, format } = places;
    let vocabulary = || session.vocabulary(args.vocab.as_deref(), format.file);
    Ok(match args.stage {
        Stage::Tree => Ok(tree(session, format.file)),
        Stage::Schema => schema(places),
        Stage::Ir => ir(places).map_err(|error| error.to_string()),
        Stage::Automaton => Ok(compiled.map(|compiled| automaton::show_automaton(compiled))),
        Stage::Masks => masks::show(places, vocabulary()?, args.limit),
        Stage::Artifact => artifact(session, format.clone(), vocabulary()?),
    })
}

fn tell(args: &Inspect, name: &str, shown: StageText, sound: bool, output: &Output) -> Result<Verdict, Problem> {
    let shown = shown.map_err(|message| Problem::NoStage { path: args.file.clone(), message })?;
    if let Some(shown) = &shown {
        say(name, shown, output)?;
    }
    Ok(if sound && shown.is_some() { Verdict::Good } else { Verdict::Bad })
}

fn say(stage: &str, text: &str, output: &Output) -> Result<(), Problem> {
    let text = text.trim_end().to_owned();
    let message = Message::Stage { stage: stage.to_owned(), text: text.clone() };
    Ok(output.either(message, || text)?)
}

/// Builds an artifact, loads it again, and shows its sizes, sources and masks.
fn artifact(session: &Session, format: Format, vocabulary: VocabularyInput) -> StageText {
    let bytes = pipeline::artifact(&session.db, format, vocabulary).map_err(|error| error.to_string())?;
    let Some(bytes) = bytes else { return Ok(None) };
    let artifact = Artifact::load(bytes.to_vec()).map_err(|error| error.to_string())?;
    let format = artifact.format();
    let tokens = format.automaton.token_policy.map(|tokens| format!("\ntokens: {tokens}"));
    let provenance = format.provenance.iter().map(|(key, value)| format!("\n{key}: {value}"));
    Ok(Some(format!(
        "{} bytes; {} states of {} rules; {} places in {}{}{}\nmasks: {}",
        bytes.len(),
        format.automaton.states.len(),
        format.automaton.rules.len(),
        format.sources.places.len(),
        format.sources.sources.join(", "),
        provenance.collect::<String>(),
        tokens.unwrap_or_default(),
        artifact.masks().map_or_else(|| "none".to_owned(), |masks| masks::total(&masks.report())),
    )))
}

/// Returns the outline of a file's syntax tree; `None` if it cannot be parsed at all.
fn tree(session: &Session, file: SourceFile) -> Option<String> {
    let text = file.text(&session.db);
    let outline = match file.language(&session.db) {
        Language::Ogc => Node::of_ogc(&ogc::parse(text).file),
        Language::JsonSchema => Node::of_json(&json::parse(text).0?),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            Node::of_rules(&read_rules(&session.db, file).0)
        }
        Language::Regex => {
            let (pattern, start) = pattern_of(text);
            Node::leaf("pattern", Span::of(start, start + pattern.len()))
        }
    };
    Some(outline.print(text, db::lines(&session.db, file)))
}

fn schema(places: PartPlaces<'_>) -> StageText {
    let PartPlaces { session, format } = places;
    match format.file.language(&session.db) {
        Language::JsonSchema => {
            let imported = read_schema(&session.db, format.file);
            let root = imported.schemas.root.map(|root| format!("root: {root}\n")).unwrap_or_default();
            let nodes = imported.schemas.print(|_, node| places.of(Some((format.file, imported.span(node.origin)))));
            Ok(Some(or_none(format!("{root}{nodes}"))))
        }
        Language::Ogc => Ok(module_of(places).map(|module| or_none(module_schemas(places, &module)))),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            Err("only JSON Schema and .ogc become a graph of schemas".to_owned())
        }
    }
}

/// Returns the text, or "no schemas" for an empty one: a format of rules alone has none.
fn or_none(text: String) -> String {
    if text.is_empty() { "no schemas".to_owned() } else { text }
}

fn module_of(places: PartPlaces<'_>) -> Option<Arc<Module>> {
    module(&places.session.db, places.format.file, places.format.name.clone()?)
}

/// Shows the values of a module: the node and the policy of each, and all nodes, with the names of definitions.
fn module_schemas(places: PartPlaces<'_>, module: &Module) -> String {
    let written = |value: &ValueUse| format!("{}, {}\n", value.node, value.policy);
    let root = match &module.root {
        Root::Value(value) => format!("root: {}", written(value)),
        Root::Text(_) | Root::Nothing => String::new(),
    };
    let values = module.values.iter().enumerate().map(|(number, value)| format!("value #{number}: {}", written(value)));
    let nodes = module.schemas.print(|id, node| {
        let name = module.names.iter().find(|(named, _)| *named == id).map(|(_, name)| format!(" {name}"));
        format!("{}{}", name.unwrap_or_default(), places.of_origin(node.origin.0))
    });
    format!("{root}{}{nodes}", values.collect::<String>())
}

fn ir(places: PartPlaces<'_>) -> Result<Option<String>, NoGrammar> {
    let grammar = pipeline::grammar(&places.session.db, places.format)?;
    Ok(grammar.map(|grammar| grammar.print(|origin| places.of_origin(origin.0))))
}

fn after_pass(places: PartPlaces<'_>, pass: Pass) -> StageText {
    let passed = pipeline::after_pass(&places.session.db, places.format, pass, &|origin| places.of_origin(origin.0));
    let passed = passed.map_err(|error| error.to_string())?;
    Ok(passed.map(|passed| match passed {
        Passed::Text(text) => text,
        Passed::Automaton(made) => automaton::show_automaton(&made),
    }))
}
