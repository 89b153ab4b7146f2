//! Reads the packs of recorded cases: one JSON object a line, plain or compressed with zstd.
//!
//! [`find`] finds a pack; if it is absent, the test that looks for it is counted as skipped (see [`ogc_kit`]).

pub use ogc_kit::corpora::{find, folder};

use crate::python_text::respell;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// A schema with instances of known validity.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case's name, unique within its pack.
    pub id: String,
    /// The part of its source that it comes from, or the part of the standard that it tests.
    pub split: String,
    /// The schema, unchanged from the pack.
    pub schema: String,
    /// The instances.
    pub tests: Vec<Instance>,
}

/// One instance of a schema.
#[derive(Clone, Debug)]
pub struct Instance {
    /// A description for people.
    pub description: String,
    /// Whether the schema allows it.
    pub valid: bool,
    /// The text, in the spelling of Python's `json.dumps`.
    pub text: String,
}

/// A case of another engine's own tests.
#[derive(Clone, Debug)]
pub struct PeerCase {
    /// The case's name, unique within its pack.
    pub id: String,
    /// The engine.
    pub origin: String,
    /// The kind of grammar.
    pub kind: String,
    /// The grammar: a JSON value as text; a JSON string for languages that are text.
    pub grammar: String,
    /// The options of the recorded run, as JSON.
    pub options: String,
    /// The inputs and verdicts.
    pub tests: Vec<PeerTest>,
}

/// An input, and the verdict of the other engine.
#[derive(Clone, Debug, Deserialize)]
pub struct PeerTest {
    /// The text; `None` if only compilation was tried.
    #[serde(default)]
    pub input: Option<String>,
    /// Whether the engine accepted it.
    #[serde(default)]
    pub accepted: Option<bool>,
    /// The verdict of the standard, if it defines one.
    #[serde(default)]
    pub spec_valid: Option<bool>,
    /// Whether the input was only tried as the beginning of a text.
    #[serde(default)]
    pub prefix_only: bool,
    /// Whether the input is not even JSON.
    #[serde(default)]
    pub not_json: bool,
}

#[derive(Deserialize)]
struct CaseLine<'l> {
    id: String,
    #[serde(default)]
    split: String,
    #[serde(default)]
    part: String,
    #[serde(borrow)]
    schema: &'l RawValue,
    #[serde(borrow)]
    tests: Vec<InstanceLine<'l>>,
}

#[derive(Deserialize)]
struct InstanceLine<'l> {
    #[serde(default)]
    description: String,
    valid: bool,
    #[serde(borrow)]
    data: &'l RawValue,
}

#[derive(Deserialize)]
struct PeerLine<'l> {
    id: String,
    origin: String,
    kind: String,
    #[serde(borrow)]
    grammar: &'l RawValue,
    #[serde(borrow, default)]
    options: Option<&'l RawValue>,
    tests: Vec<PeerTest>,
}

#[derive(Deserialize)]
struct RemoteLine<'l> {
    uri: String,
    #[serde(borrow)]
    schema: &'l RawValue,
}

/// Reads a text file; a file whose name ends in `.zst` is unpacked.
///
/// # Errors
/// The file cannot be read or is not UTF-8.
pub fn text(path: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(path)?;
    let packed = path.extension().is_some_and(|extension| extension == "zst");
    let bytes = if packed { ogc_kit::corpora::unpack(&bytes)? } else { bytes };
    String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// Reads a pack of schemas with instances.
///
/// # Errors
/// The file cannot be read, or a line does not have this form.
pub fn cases(path: &Path) -> Result<Vec<Case>, Error> {
    lines(path, |line| serde_json::from_str(line).map(case))
}

/// Reads a pack of other engines' cases.
///
/// # Errors
/// The file cannot be read, or a line does not have this form.
pub fn peer_cases(path: &Path) -> Result<Vec<PeerCase>, Error> {
    lines(path, |line| serde_json::from_str(line).map(peer_case))
}

/// Reads a pack of schemas by URI.
///
/// # Errors
/// The file cannot be read, or a line does not have this form.
pub fn remotes(path: &Path) -> Result<Vec<(String, String)>, Error> {
    lines(path, |line| {
        serde_json::from_str(line).map(|remote: RemoteLine<'_>| (remote.uri, remote.schema.get().to_owned()))
    })
}

fn lines<T>(path: &Path, read: impl Fn(&str) -> Result<T, serde_json::Error>) -> Result<Vec<T>, Error> {
    let text = text(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| read(line).map_err(Error::from)).collect()
}

fn case(line: CaseLine<'_>) -> Case {
    Case {
        id: line.id,
        split: if line.split.is_empty() { line.part } else { line.split },
        schema: line.schema.get().to_owned(),
        tests: line.tests.into_iter().map(instance).collect(),
    }
}

fn instance(line: InstanceLine<'_>) -> Instance {
    Instance { description: line.description, valid: line.valid, text: respell(line.data.get()) }
}

fn peer_case(line: PeerLine<'_>) -> PeerCase {
    PeerCase {
        id: line.id,
        origin: line.origin,
        kind: line.kind,
        grammar: line.grammar.get().to_owned(),
        options: line.options.map_or_else(String::new, |options| options.get().to_owned()),
        tests: line.tests,
    }
}
