//! Makes the tasks of the bench: formats with prompts.

use std::path::Path;
use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_tests::corpus;
use ogc_tests::engine::{self, Policy, Reading, Space};
use serde_json::Value;

use crate::args::Generate;

/// The escaping of strings in a format: any spelling, or one spelling for each character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Any,
    Canonical,
}

impl Spelling {
    pub(super) const ALL: [Spelling; 2] = [Spelling::Any, Spelling::Canonical];

    pub(super) fn name(self) -> &'static str {
        match self {
            Spelling::Any => "any",
            Spelling::Canonical => "canonical",
        }
    }
}

/// A format and a prompt.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) spelling: Spelling,
    pub(super) automaton: Arc<Automaton>,
    pub(super) prompt: String,
}

/// Cap on the characters of a description that becomes part of a prompt.
const DESCRIPTION: usize = 300;

/// Makes all tasks. Examples that do not compile are errors; schemas of the pack that do not compile are left out.
pub(super) fn tasks(args: &Generate) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for name in &args.formats {
        let path = args.examples.join(name);
        for spelling in Spelling::ALL {
            tasks.push(example(&path, name, spelling)?);
        }
    }
    let Some(pack) = &args.pack else { return Ok(tasks) };
    let cases = corpus::cases(pack).map_err(|error| format!("{}: {error}", pack.display()))?;
    let mut order = Random::new(args.seed);
    let mut left: Vec<usize> = (0..cases.len()).collect();
    let mut taken = 0;
    while taken < args.schemas && !left.is_empty() {
        let case = &cases[left.swap_remove(order.below(left.len()))];
        let made: Option<Vec<Task>> = Spelling::ALL.iter().map(|one| schema(&case.id, &case.schema, *one)).collect();
        taken += usize::from(made.is_some());
        tasks.extend(made.into_iter().flatten());
    }
    Ok(tasks)
}

/// Makes the task of an example's first output, with a prompt that asks for the thing that its name describes.
fn example(path: &Path, name: &str, spelling: Spelling) -> Result<Task, String> {
    let source = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let policy = match spelling {
        Spelling::Any => String::new(),
        Spelling::Canonical => "\npolicy escapes = \"canonical\"\n".to_owned(),
    };
    let automaton = engine::ogc(&(source + &policy)).map_err(|failure| format!("{name}: {}", failure.message))?;
    let subject = name.split('.').next().unwrap_or(name).replace('-', " ");
    let prompt = format!("Write an example of this: {subject}. It is about a bicycle shop in Oslo.");
    Ok(Task { name: name.to_owned(), spelling, automaton, prompt })
}

/// Makes the task of a schema, with a prompt made of its title, its description and its properties.
fn schema(id: &str, text: &str, spelling: Spelling) -> Option<Task> {
    let plain_strings = spelling == Spelling::Canonical;
    let policy = Policy { space: Space::Spaced, plain_strings, ..Policy::default() };
    let automaton = engine::schema(text, &Reading::asserting(), policy).ok()?;
    let schema: Value = serde_json::from_str(text).ok()?;
    let said = ["title", "description"].iter().filter_map(|key| schema[key].as_str());
    let said: String = said.collect::<Vec<_>>().join(". ").chars().take(DESCRIPTION).collect();
    let properties = schema["properties"].as_object()?;
    let names: Vec<&str> = properties.keys().take(12).map(String::as_str).collect();
    let prompt = format!("Write an example in JSON. {said} It has the properties: {}.", names.join(", "));
    Some(Task { name: id.to_owned(), spelling, automaton, prompt })
}
