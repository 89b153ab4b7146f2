//! Tests that `words = "python"` writes the values of a type as Python does: the texts are those of JSON with the words
//! replaced, and Python's own reader finds the same values in them.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds; a failure names its seed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use ogc_kit::{Random, setting};
use ogc_runtime::matcher::Matcher;
use ogc_tests::engine;
use ogc_tests::oracle::ogc::generate::value;
use ogc_tests::oracle::ogc::sample;

/// The words of JSON, and those of Python.
const WORDS: [(&str, &str); 3] = [("null", "None"), ("true", "True"), ("false", "False")];

/// Bytes that walks prefer: those of words, and the structure around them.
const LIKED: &[u8] = b"[]{},:\"abTFNruealsone0123456789.tfn";

/// Replaces the words outside of strings.
fn replaced(text: &str, words: impl Fn((&'static str, &'static str)) -> (&'static str, &'static str)) -> String {
    let (mut out, mut rest, mut in_string) = (String::new(), text, false);
    while let Some(first) = rest.chars().next() {
        let word = WORDS.map(&words).into_iter().find(|(from, _)| !in_string && rest.starts_with(from));
        let len = match word {
            Some((from, to)) => {
                out.push_str(to);
                from.len()
            }
            None => {
                let escaped = if in_string && first == '\\' { 2 } else { first.len_utf8() };
                in_string ^= first == '"';
                out.push_str(&rest[..escaped]);
                escaped
            }
        };
        rest = &rest[len..];
    }
    out
}

/// Compares random texts of a type under both policies; returns the texts with Python's words.
fn check(seed: u64) -> Result<Vec<String>, String> {
    let mut random = Random::new(seed);
    let (types, value) = value(&mut random);
    let space = random.choose(&["compact", "spaced", "pretty", "any"]).copied().unwrap_or_default();
    let whole = random.one_in(2);
    let program = |words: &str| {
        let policy = format!("policy escapes = \"canonical\", space = \"{space}\", run = 2");
        let output = if whole { format!("json<{value}>") } else { format!("\"\" json<{value}>") };
        format!("{policy}, words = \"{words}\"\n{types}\noutput O = {output}\n")
    };
    let (json, python) = match (engine::ogc(&program("json")), engine::ogc(&program("python"))) {
        (Ok(json), Ok(python)) => (json, python),
        (Err(_), Err(_)) => return Ok(Vec::new()),
        (one, other) => {
            return Err(format!("seed {seed}: {:?} and {:?}\n{}", one.err(), other.err(), program("python")));
        }
    };
    let store = sample::store(&[]);
    let mut texts = Vec::new();
    for at in 0..6 {
        let (from, into) = if at % 2 == 0 { (&json, &python) } else { (&python, &json) };
        let Some((text, _)) = sample::walk(from, &store, &mut random, LIKED)? else { continue };
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        let to_python = replaced(&text, |words| words);
        let other = if at % 2 == 0 { to_python.clone() } else { replaced(&text, |(json, python)| (python, json)) };
        let mut matcher = Matcher::new(into.clone(), store.clone());
        if matcher.accept_bytes(other.as_bytes()).is_err() || !matcher.is_complete() {
            return Err(format!("seed {seed}: `{text}` becomes `{other}`, which is refused\n{}", program("python")));
        }
        texts.push(to_python);
    }
    Ok(texts)
}

/// Reads lines of a literal of Python and the same value as JSON, each in a string of JSON.
const READER: &str = r#"
import ast, json, sys
def same(a, b):
    if type(a) is not type(b) and {type(a), type(b)} != {int, float}:
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b
sys.set_int_max_str_digits(0)
for line in sys.stdin:
    python, text = json.loads(line)
    assert same(ast.literal_eval(python.strip()), json.loads(text)), line
print("read")
"#;

#[test]
fn python_words_replace_those_of_json_outside_of_strings() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 300));
    let (mut texts, mut faults) = (Vec::new(), Vec::new());
    for seed in first..first + rounds {
        match check(seed) {
            Ok(found) => texts.extend(found),
            Err(fault) => faults.push(fault),
        }
    }
    let shown: Vec<&str> = faults.iter().take(5).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {rounds} differ:\n{}", faults.len(), shown.join("\n"));
    let with = |word: &str| texts.iter().filter(|text| text.contains(word)).count();
    assert!(WORDS.iter().all(|(_, word)| with(word) > rounds as usize / 20), "{}", texts.join("\n"));
    python_reads(&texts);
}

/// Checks that Python reads the same values, if there is a Python.
#[allow(clippy::print_stdout, reason = "the report of the test")]
fn python_reads(texts: &[String]) {
    let mut command = Command::new("python3");
    let command = command.args(["-c", READER]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut python) = command.spawn() else { return println!("no python3") };
    let pairs = texts.iter().map(|text| (text, replaced(text, |(json, python)| (python, json))));
    let lines: String = pairs.map(|pair| format!("{}\n", serde_json::json!([pair.0, pair.1]))).collect();
    python.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("a reader");
    let read = python.wait_with_output().expect("an end");
    assert_eq!(String::from_utf8_lossy(&read.stdout), "read\n");
}
