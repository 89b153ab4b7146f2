//! `workspace/executeCommand`: the commands of lenses and menus.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ogc_ide::requests::{self, SampleOptions};
use ogc_ide::tests::run_tests;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::notification::ShowMessage;
use tower_lsp_server::ls_types::{ExecuteCommandParams, MessageType, ShowMessageParams, Uri};

use crate::disk;
use crate::failure::Failure;
use crate::files;
use crate::requests::extra::{FormatParams, file};
use crate::view::View;

/// Runs the tests of a definition, or of the file.
pub(crate) const RUN_TESTS: &str = "ogc.runTests";

/// Writes the artifacts of a file.
pub(crate) const BUILD: &str = "ogc.build";

/// Shows a sample.
pub(crate) const SAMPLE: &str = "ogc.sample";

/// All commands.
pub(crate) const COMMANDS: [&str; 3] = [RUN_TESTS, BUILD, SAMPLE];

/// Preferred maximum length of a sample that is shown as a message, in bytes.
const SHOWN: u32 = 200;

/// Returns the document of a command.
pub(crate) fn about(params: &ExecuteCommandParams) -> Option<Uri> {
    read(params).ok().map(|about| about.text_document.uri)
}

fn read(params: &ExecuteCommandParams) -> Result<FormatParams, Failure> {
    let argument = params.arguments.first().cloned().unwrap_or_default();
    serde_json::from_value(argument).map_err(|error| {
        let command = &params.command;
        Failure::Refused(format!(
            "`{command}` takes {{ textDocument: {{ uri }}, definition? }} as its argument: {error}"
        ))
    })
}

/// Runs a command that only reads the database.
pub(crate) fn execute(view: &View, params: ExecuteCommandParams) -> Result<Option<Value>, Failure> {
    match params.command.as_str() {
        RUN_TESTS => tests(view, &read(&params)?).map(Some),
        SAMPLE => sample(view, &read(&params)?).map(Some),
        other => {
            Err(Failure::Refused(format!("there is no command `{other}`; the commands are {}", COMMANDS.join(", "))))
        }
    }
}

fn tests(view: &View, about: &FormatParams) -> Result<Value, Failure> {
    let file = file(view, &about.text_document.uri)?;
    let results = run_tests(&view.snapshot, file, about.definition.as_deref());
    if let Some(broken) = results.iter().find(|result| result.is_broken) {
        let name = broken.format.name.as_deref().unwrap_or("the format");
        return Err(Failure::Refused(format!("the tests of `{name}` cannot run, because it has errors")));
    }
    let passed: usize = results.iter().map(|result| result.passed).sum();
    let failed: usize = results.iter().map(|result| result.failures.len()).sum();
    Ok(json!({ "passed": passed, "failed": failed }))
}

fn sample(view: &View, about: &FormatParams) -> Result<Value, Failure> {
    let options = SampleOptions { count: 1, seed: view.next_seed(), length: SHOWN };
    let found = requests::sample(&view.snapshot, &about.decide(view)?, options)?;
    let message = found.samples.join("\n");
    view.outbox.notify::<ShowMessage>(&ShowMessageParams { typ: MessageType::INFO, message });
    Ok(json!({ "samples": found.samples }))
}

/// Returns the path of the file to build, which must be saved.
pub(crate) fn to_build(view: &View, params: ExecuteCommandParams) -> Result<PathBuf, Failure> {
    let file = file(view, &read(&params)?.text_document.uri)?;
    let name = view.snapshot.name(file);
    let is_saved = disk::read(name).is_some_and(|text| text == view.snapshot.text(file));
    let path = files::path(name).filter(|_| is_saved);
    path.ok_or_else(|| Failure::Refused("save the file first: artifacts are made from the saved file".to_owned()))
}

/// Builds the artifacts of a file by running the command line program.
pub(crate) fn build(binary: Option<&Path>, path: &Path) -> Result<Value, Failure> {
    let Some(binary) = binary else {
        return Err(Failure::Refused(
            "this language server cannot build: have the editor start it with `ogc lsp`".to_owned(),
        ));
    };
    let output =
        Command::new(binary).arg("build").arg(path).args(["--message-format", "json"]).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Failure::Refused(format!("`ogc build` cannot be started: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !output.status.success() {
        let is_problem = |line: &&Value| line.get("type").is_some_and(|kind| kind == "problem");
        let problem = lines.iter().find(is_problem).and_then(|line| line.get("message")?.as_str());
        let message = match problem {
            Some(problem) => format!("`ogc build` failed: {problem}"),
            None => "`ogc build` found errors; mend the findings of the file first".to_owned(),
        };
        return Err(Failure::Refused(message));
    }
    let is_written = |line: &&Value| line.get("written") == Some(&Value::Bool(true));
    let written: Vec<&Value> = lines.iter().filter(is_written).filter_map(|line| line.get("path")).collect();
    Ok(json!({ "written": written }))
}
