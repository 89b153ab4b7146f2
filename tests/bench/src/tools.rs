//! `tools`: measures lists of tools that change from request to request, as agents send them.
//!
//! The tools take arguments of a pack's schemas. Each list is compiled in a new database, then one tool at a time is
//! changed: once in the same database, as an editor does, and once in a new one, as a server does for each request.
//! Calls of some tools are stepped: the first mask of a new matcher, and each later one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::args::Tools;
use crate::tokens::Tokens;
use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{Format, automaton, diagnostics};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::{Policy, Reading, Space, accepts, schema};
use salsa::Setter;
use serde_json::json;

/// The parts of MaskBench whose schemas describe arguments of functions, and small files.
const PARTS: [&str; 2] = ["Glaiveai2K", "Github_easy"];

/// The outputs that call a tool, with an example of the text around a call.
const STYLES: [(&str, &str); 2] = [
    ("hermes", "output Call = std.hermes<tools>\n"),
    (
        "lines",
        "rule line<name, Args> = \"CALL \" name \" \" json<Args, space = \"spaced\"> \"\\n\"\noutput Call = any_tool<tools, line>\n",
    ),
];

/// A tool: its schema, and valid arguments, as Python writes them.
struct Tool {
    schema: String,
    arguments: String,
}

/// Measures lists of each size in each style, and prints a table.
pub(crate) fn run(args: &Tools) -> Result<(), String> {
    let tokens = Tokens::read(&args.vocab)?;
    let most = args.tools.iter().max().copied().unwrap_or(0);
    let tools = tools(args, most + args.changes)?;
    println!(
        "{:<8}{:>6}{:>9}{:>9}{:>11}{:>13}{:>11}{:>14}{:>11}{:>12}{:>10}{:>10}",
        "style",
        "tools",
        "kB",
        "states",
        "compile ms",
        "changed p50",
        "max ms",
        "request p50",
        "max ms",
        "first us",
        "later us",
        "max us"
    );
    for (name, output) in STYLES {
        for &size in &args.tools {
            let row = List::new(&tools, size, output).row(args.changes, name, &tokens)?;
            println!("{name:<8}{size:>6}{row}");
        }
    }
    args.write.as_ref().map_or(Ok(()), |path| write(path, &tools, args))
}

/// Returns tools whose schemas each compile alone, in the order of the pack, each schema once.
fn tools(args: &Tools, count: usize) -> Result<Vec<Tool>, String> {
    let cases = corpus::cases(&args.pack).map_err(|error| format!("{}: {error}", args.pack.display()))?;
    let mut known = BTreeSet::new();
    let fresh = cases.iter().filter(|case| PARTS.iter().any(|part| case.id.starts_with(part)));
    let fresh = fresh.filter(|case| known.insert(case.schema.clone()));
    let tools: Vec<Tool> = fresh.filter_map(tool).take(count).collect();
    if tools.len() < count { Err(format!("the pack has {} tools; {count} are needed", tools.len())) } else { Ok(tools) }
}

fn tool(case: &Case) -> Option<Tool> {
    let root: serde_json::Value = serde_json::from_str(&case.schema).ok()?;
    if root.get("type")? != "object" {
        return None;
    }
    let spaced = Policy { space: Space::Spaced, ..Policy::default() };
    let automaton = schema(&case.schema, &Reading::default(), spaced).ok()?;
    let arguments = case.tests.iter().find(|test| test.valid && accepts(&automaton, test.text.as_bytes()))?;
    Some(Tool { schema: case.schema.clone(), arguments: arguments.text.clone() })
}

/// A list of tools: the number of the tool at each place.
struct List<'t> {
    tools: &'t [Tool],
    at: Vec<usize>,
    output: &'t str,
}

impl<'t> List<'t> {
    fn new(tools: &'t [Tool], size: usize, output: &'t str) -> Self {
        Self { tools, at: (0..size).collect(), output }
    }

    /// Returns the list in the form of OpenAI's requests.
    fn text(&self) -> String {
        let entry = |(place, tool): (usize, &usize)| {
            let (name, schema) = (name(place), &self.tools[*tool].schema);
            format!("{{\"type\": \"function\", \"function\": {{\"name\": \"{name}\", \"parameters\": {schema}}}}}")
        };
        format!("[{}]", self.at.iter().enumerate().map(entry).collect::<Vec<_>>().join(",\n"))
    }

    /// Changes one tool, for the `nth` of `changes` times; returns the text.
    fn changed(&mut self, nth: usize, changes: usize) -> String {
        let place = nth * 37 % self.at.len();
        self.at[place] = self.tools.len() - changes + nth;
        self.text()
    }

    fn row(mut self, changes: usize, style: &str, tokens: &Tokens) -> Result<String, String> {
        let text = self.text();
        let kilobytes = text.len() as f64 / 1e3;
        let begin = Instant::now();
        let (mut db, file, list) = self.opened(text);
        let first = compiled(&db, file)?;
        let compile = ms(begin);
        let (mut same, mut fresh) = (Vec::new(), Vec::new());
        for change in 0..changes {
            let text = self.changed(change, changes);
            let begin = Instant::now();
            list.set_text(&mut db).to(text.clone());
            let edited = compiled(&db, file)?;
            same.push(ms(begin));
            let begin = Instant::now();
            let (other, file, _) = self.opened(text);
            let requested = compiled(&other, file)?;
            fresh.push(ms(begin));
            if edited != requested {
                return Err(format!("change {change} gives another automaton in a database that has compiled before"));
            }
        }
        let states = first.states.len();
        let (begin, later) = self.masks(&compiled(&db, file)?, style, tokens)?;
        Ok(format!(
            "{kilobytes:>9.0}{states:>9}{compile:>11.1}{:>13.2}{:>11.2}{:>14.2}{:>11.2}{:>12.0}{:>10.1}{:>10.0}",
            at(&mut same, 0.5),
            at(&mut same, 1.0),
            at(&mut fresh, 0.5),
            at(&mut fresh, 1.0),
            begin,
            later.iter().sum::<f64>() / later.len().max(1) as f64,
            at(&mut later.clone(), 1.0),
        ))
    }

    /// Opens the list in a new database, and a format that calls its tools.
    fn opened(&self, text: String) -> (Compiler, SourceFile, SourceFile) {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let list = SourceFile::new(&db, "tools.json".to_owned(), text, Language::JsonSchema, options);
        let source = format!("import tools from \"tools.json\"\nimport \"std.tools\" as std\n{}", self.output);
        let file = SourceFile::new(&db, "call.ogc".to_owned(), source, Language::Ogc, options);
        let files = [("tools.json".to_owned(), list), ("call.ogc".to_owned(), file)];
        Workspace::new(&db, BTreeMap::from(files));
        (db, file, list)
    }

    /// Steps calls of tools; returns the microseconds of the first mask, and of each later step with its mask.
    fn masks(&self, automaton: &Arc<Automaton>, style: &str, tokens: &Tokens) -> Result<(f64, Vec<f64>), String> {
        let store = MaskStore::new(Arc::clone(&tokens.vocabulary));
        store.warm_up(automaton.escapes);
        let (mut first, mut later) = (None, Vec::new());
        for place in (0..self.at.len()).step_by((self.at.len() / 10).max(1)) {
            let text = tokens.encode(&self.call(place, style))?;
            let begin = Instant::now();
            let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&store));
            matcher.mask().map_err(|error| error.to_string())?;
            first.get_or_insert(ms(begin) * 1e3);
            for token in text {
                let begin = Instant::now();
                matcher
                    .accept_token(TokenId(token))
                    .map_err(|error| format!("{}: {error}", self.call(place, style)))?;
                matcher.mask().map_err(|error| error.to_string())?;
                later.push(ms(begin) * 1e3);
            }
        }
        Ok((first.unwrap_or_default(), later))
    }

    /// Returns a call of the tool at a place.
    fn call(&self, place: usize, style: &str) -> String {
        let (name, arguments) = (name(place), &self.tools[self.at[place]].arguments);
        match style {
            "lines" => format!("CALL {name} {arguments}\n"),
            _ => format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>"),
        }
    }
}

fn name(place: usize) -> String {
    format!("{}_{place}", ["get", "find", "create", "update", "remove"][place % 5])
}

/// Compiles the only output of a file.
fn compiled(db: &Compiler, file: SourceFile) -> Result<Arc<Automaton>, String> {
    if let Some(found) = diagnostics(db, file).iter().find(|found| found.is_error()) {
        return Err(found.message.clone());
    }
    automaton(db, Format::named(file, "Call")).ok_or_else(|| "no automaton".to_owned())
}

fn ms(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

/// Returns the time at a fraction of the sorted times.
fn at(times: &mut [f64], part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(((times.len() as f64 - 1.0) * part) as usize).copied().unwrap_or(0.0)
}

/// Writes each list, its text after each change, and calls in the style of Hermes, for other engines.
fn write(path: &Path, tools: &[Tool], args: &Tools) -> Result<(), String> {
    let written = args.tools.iter().map(|&size| {
        let mut list = List::new(tools, size, "");
        let places = (0..size).step_by((size / 10).max(1));
        let text = list.text();
        let changed: Vec<String> = (0..args.changes).map(|nth| list.changed(nth, args.changes)).collect();
        let calls: Vec<String> = places.map(|place| list.call(place, "hermes")).collect();
        json!({"tools": text, "changed": changed, "calls": calls})
    });
    let lists: Vec<_> = written.collect();
    std::fs::write(path, json!(lists).to_string()).map_err(|error| format!("{}: {error}", path.display()))
}
