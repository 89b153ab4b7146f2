//! `ogc inspect`: a format at one stage of its compilation.

mod automaton;

use ogc_compiler::db::{Language, SourceFile, VocabularyInput};
use ogc_compiler::frontend::grammar::Dialect;
use ogc_compiler::lower::grammar::lower;
use ogc_compiler::pipeline::{self, read_rules};
use ogc_grammar::{json, rules};
use ogc_runtime::artifact::Artifact;

use crate::args::{Inspect, Stage};
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;
use crate::vocabulary;

pub(crate) fn run(args: &Inspect, output: &Output) -> Result<Verdict, Problem> {
    let session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let compiled = session.compile(file, output)?;
    let shown = match args.stage {
        Stage::Tree => tree(&session, file),
        Stage::Schema => schema(&session, file),
        Stage::Ir => ir(&session, file),
        Stage::Automaton => Ok(compiled.as_deref().map(automaton::show_automaton)),
        Stage::Masks => masks(&session, file, vocabulary(&session, args)?),
        Stage::Artifact => artifact(&session, file, vocabulary(&session, args)?),
    };
    let shown = shown.map_err(|message| Problem::NoStage { path: args.file.clone(), message })?;
    if let Some(shown) = &shown {
        output.line(shown.trim_end())?;
    }
    Ok(if compiled.is_some() && shown.is_some() { Verdict::Good } else { Verdict::Bad })
}

fn vocabulary(session: &Session, args: &Inspect) -> Result<VocabularyInput, Problem> {
    Ok(VocabularyInput::of(&session.db, vocabulary::load(&args.vocab)?))
}

/// The report on a pack of masks.
fn masks(session: &Session, file: SourceFile, vocabulary: VocabularyInput) -> Result<Option<String>, String> {
    let masks = pipeline::masks(&session.db, file, vocabulary).map_err(|error| error.to_string())?;
    Ok(masks.map(|masks| format!("{:#?}", masks.report())))
}

/// What an artifact says of itself once it is loaded again.
fn artifact(session: &Session, file: SourceFile, vocabulary: VocabularyInput) -> Result<Option<String>, String> {
    let bytes = pipeline::artifact(&session.db, file, vocabulary).map_err(|error| error.to_string())?;
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
        Language::JsonSchema => Ok(json::parse(file.text(&session.db)).0.map(|value| format!("{value:#?}"))),
        Language::Gbnf | Language::Ebnf | Language::Lark => {
            let (tree, _) = read_rules(&session.db, file);
            Ok(Some(rules::print(tree).unwrap_or_else(|_| format!("{tree:#?}"))))
        }
        Language::Regex => Ok(Some(file.text(&session.db).to_owned())),
    }
}

fn schema(session: &Session, file: SourceFile) -> Result<Option<String>, String> {
    if file.language(&session.db) != Language::JsonSchema {
        return Err("only JSON Schema becomes a graph of schemas".to_owned());
    }
    let imported = pipeline::read_schema(&session.db, file);
    let nodes = imported.schemas.nodes.iter().enumerate();
    let lines: Vec<String> = nodes.map(|(number, node)| format!("{number}: {:#?}", node.kind)).collect();
    Ok(Some(format!("root: {:?}\n{}", imported.schemas.root, lines.join("\n"))))
}

fn ir(session: &Session, file: SourceFile) -> Result<Option<String>, String> {
    let root = match file.language(&session.db) {
        Language::Gbnf | Language::Ebnf | Language::Lark => {
            file.language(&session.db).dialect().and_then(Dialect::root)
        }
        Language::JsonSchema => return Err("schemas are lowered by their algebra, not by the grammar IR".to_owned()),
        Language::Regex => return Err("a pattern is compiled to an automaton at once".to_owned()),
    };
    let (grammar, _) = lower(&read_rules(&session.db, file).0, root);
    Ok(grammar.map(|grammar| format!("{grammar:#?}")))
}
