//! Formats in all languages, prompts, and independent judges of what is written.

use ogc_capi::ogc_language;
use ogc_capi::ogc_language::{EBNF, GBNF, JSON_SCHEMA, LARK, OGC, REGEX};
use regex_automata::dfa::regex::Regex;
use serde_json::Value;

/// Who says whether a text is of the format.
pub(crate) enum Judge {
    /// Another validator, by the schema itself.
    Itself,
    /// Another validator, by a schema that means the same.
    Schema(&'static str),
    /// Another engine, by a pattern that means the same.
    Pattern(&'static str),
}

/// A format.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) language: ogc_language,
    pub(crate) text: &'static str,
    pub(crate) judge: Judge,
}

const fn schema(name: &'static str, text: &'static str) -> Case {
    Case { name, language: JSON_SCHEMA, text, judge: Judge::Itself }
}

const fn case(name: &'static str, language: ogc_language, text: &'static str, judge: Judge) -> Case {
    Case { name, language, text, judge }
}

/// The formats; a short run takes every fourth.
pub(crate) const FORMATS: [Case; 20] = [
    schema(
        "person",
        r#"{"type": "object", "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 30}, "age": {"type": "integer", "minimum": 0, "maximum": 120}}, "required": ["name", "age"], "additionalProperties": false}"#,
    ),
    schema("choice", r#"{"enum": ["yes", "no", "I do not know", null, 42]}"#),
    schema(
        "tags",
        r#"{"type": "array", "items": {"type": "string", "pattern": "^[a-z]{2,12}$"}, "minItems": 1, "maxItems": 4}"#,
    ),
    schema(
        "date",
        r#"{"type": "object", "properties": {"date": {"type": "string", "format": "date"}}, "required": ["date"], "additionalProperties": false}"#,
    ),
    case(
        "answer",
        GBNF,
        "root ::= \"Answer: \" word (\", \" word)* \".\"\nword ::= [a-z]+\n",
        Judge::Pattern(r"Answer: [a-z]+(, [a-z]+)*\."),
    ),
    schema(
        "union",
        r#"{"oneOf": [{"type": "object", "properties": {"kind": {"const": "animal"}, "legs": {"type": "integer", "minimum": 0, "maximum": 8}}, "required": ["kind", "legs"], "additionalProperties": false}, {"type": "object", "properties": {"kind": {"const": "place"}, "country": {"type": "string", "maxLength": 16}}, "required": ["kind", "country"], "additionalProperties": false}]}"#,
    ),
    schema(
        "numbers",
        r#"{"type": "array", "items": {"type": "number", "minimum": -5, "maximum": 5}, "minItems": 2, "maxItems": 3}"#,
    ),
    schema(
        "optional",
        r#"{"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "null"}, "c": {"type": "string", "maxLength": 8}}, "additionalProperties": false}"#,
    ),
    case(
        "stamp",
        REGEX,
        r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{4}-[0-9]{2}-[0-9]{2} at [0-9]{2}:[0-9]{2}",
        Judge::Pattern(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{4}-[0-9]{2}-[0-9]{2} at [0-9]{2}:[0-9]{2}"),
    ),
    schema(
        "tree",
        r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"value": {"type": "integer", "minimum": 0, "maximum": 9}, "next": {"$ref": "#/$defs/node"}}, "required": ["value"], "additionalProperties": false}}}"##,
    ),
    schema(
        "email",
        r#"{"type": "object", "properties": {"email": {"type": "string", "format": "email", "maxLength": 24}}, "required": ["email"], "additionalProperties": false}"#,
    ),
    case(
        "yes",
        LARK,
        "start: \"yes\" | \"no\" \" because \" WORD+ \".\"\nWORD: /[a-z]{1,8}/ \" \"?\n",
        Judge::Pattern(r"yes|no because ([a-z]{1,8} ?)+\."),
    ),
    case(
        "sum",
        OGC,
        "/// A sum and its value.\noutput Sum = { terms: int<0..99>[2..3], sum: int<0..297> }\n",
        Judge::Schema(
            r#"{"type": "object", "properties": {"terms": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 99}, "minItems": 2, "maxItems": 3}, "sum": {"type": "integer", "minimum": 0, "maximum": 297}}, "required": ["terms", "sum"], "additionalProperties": false}"#,
        ),
    ),
    case("list", EBNF, "root ::= item+\nitem ::= '- ' [a-zA-Z ]+ #xA\n", Judge::Pattern("(- [a-zA-Z ]+\n)+")),
    schema(
        "nested",
        r#"{"type": "object", "properties": {"user": {"type": "object", "properties": {"id": {"type": "integer", "minimum": 1, "maximum": 9999}, "roles": {"type": "array", "items": {"enum": ["admin", "guest"]}, "minItems": 1, "maxItems": 2, "uniqueItems": true}}, "required": ["id", "roles"], "additionalProperties": false}}, "required": ["user"], "additionalProperties": false}"#,
    ),
    case("hex", REGEX, "#[0-9a-f]{6}", Judge::Pattern("#[0-9a-f]{6}")),
    case("text", OGC, "output Out = \"<b>\" text<without = \"<\"> \"</b>\"\n", Judge::Pattern("<b>[^<]*</b>")),
    schema(
        "multiple",
        r#"{"type": "array", "items": {"type": "integer", "multipleOf": 7, "minimum": 0, "maximum": 700}, "minItems": 1, "maxItems": 3}"#,
    ),
    schema(
        "free",
        r#"{"type": "object", "properties": {"title": {"type": "string"}, "body": {"type": "string"}}, "required": ["title", "body"], "additionalProperties": false}"#,
    ),
    case(
        "poem",
        GBNF,
        "root ::= line line\nline ::= [A-Z] [a-z' ]{0,40} [,.] \"\\n\"\n",
        Judge::Pattern("([A-Z][a-z' ]{0,40}[,.]\n){2}"),
    ),
];

/// Prompts for the model.
pub(crate) const PROMPTS: [&str; 20] = [
    "Describe a famous river.",
    "My cat is 3 years old and likes fish. What do you think?",
    "Who wrote Hamlet?",
    "Give me some data about a person.",
    "What is 2 + 2?",
    "Schreib etwas über Berlin.",
    "List three fruits.",
    "When was the moon landing?",
    "Is the sky green?",
    "Write a short poem about the sea.",
    "Erzähl mir einen Witz.",
    "What colour is a ripe banana?",
    "How do I reach your support team?",
    "Write Python code that prints hello.",
    "日本の首都はどこですか。",
    "Name a mammal that lays eggs.",
    "Translate 'good morning' to French.",
    "Answer with emoji only: how are you?",
    "Count from one to ten.",
    "\"Quotes\" \\ and {braces}: repeat them.",
];

/// Judges a text; says what is wrong with it.
pub(crate) fn judge(case: &Case, text: &str) -> Result<(), String> {
    let is_valid = match case.judge {
        Judge::Itself => is_valid(case.text, text)?,
        Judge::Schema(schema) => is_valid(schema, text)?,
        Judge::Pattern(pattern) => {
            let pattern = Regex::new(&format!(r"\A(?:{pattern})\z")).map_err(|error| error.to_string())?;
            pattern.is_match(text)
        }
    };
    if is_valid { Ok(()) } else { Err(format!("{} is not valid: {text:?}", case.name)) }
}

fn is_valid(schema: &str, text: &str) -> Result<bool, String> {
    let schema: Value = serde_json::from_str(schema).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{error}: {text:?}"))?;
    let validator = jsonschema::options().should_validate_formats(true).build(&schema);
    Ok(validator.map_err(|error| error.to_string())?.is_valid(&value))
}
