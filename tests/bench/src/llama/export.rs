//! Writes the formats of the bench as GBNF.

use ogc_capi::ogc_language;
use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Space};
use ogc_compiler::foreign::read_schema;
use ogc_export::{add_values, pattern_limits, schema_limits, without_patterns};
use ogc_grammar::Span;
use ogc_grammar::rules::{self, Grammar};
use ogc_runtime::automaton::Escapes;

use super::formats::Case;

/// Returns a format as equivalent GBNF: a grammar unchanged, a schema as `ogc export` writes it, with the white space
/// and the escapes of [`compiled`](super::samplers::compiled).
pub(super) fn gbnf(case: &Case) -> Result<String, String> {
    match case.language {
        ogc_language::GBNF => Ok(case.text.to_owned()),
        ogc_language::JSON_SCHEMA => schema(case),
        ogc_language::OGC | ogc_language::EBNF | ogc_language::ABNF | ogc_language::LARK | ogc_language::REGEX => {
            Err("only schemas and GBNF are compared".to_owned())
        }
    }
}

fn schema(case: &Case) -> Result<String, String> {
    let db = Compiler::default();
    let policy = JsonPolicy { space: Space::Spaced, escapes: Escapes::Canonical, ..JsonPolicy::default() };
    let options = Options::new(&db, policy, Formats::default(), Limits::default());
    let (name, text) = (case.name.to_owned(), case.text.to_owned());
    let file = SourceFile::new(&db, name, text, Language::JsonSchema, options);
    let imported = read_schema(&db, file);
    let mut made = Grammar::default();
    let integers = imported.integers(policy.spelling);
    let added = add_values(&mut made, "root", &imported.schemas, &policy, integers, &schema_limits());
    added.map_err(|faults| faults.first().map(|first| first.at(Span::default()).message).unwrap_or_default())?;
    let plain = without_patterns(&made, &pattern_limits());
    let plain = plain.map_err(|found| found.first().map(|first| first.message.clone()).unwrap_or_default())?;
    rules::print(&plain).map_err(|error| error.to_string())
}
