//! `each<T, field>` through the whole pipeline: fields of random schemas are accepted exactly if JSON Schema accepts
//! the object that they make.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{Format, automaton, diagnostics};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;
use serde_json::{Map, Value, json};

const KEYS: [&str; 5] = ["a", "b", "c", "d", "x"];

/// Compiles the output `O` of a program with a schema as a second file; also returns the findings.
fn compile(program: &str, schema: &str) -> (Option<Arc<Automaton>>, Vec<String>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let main = SourceFile::new(&db, "a/main.ogc".to_owned(), program.to_owned(), Language::Ogc, options);
    let schema = SourceFile::new(&db, "a/s.json".to_owned(), schema.to_owned(), Language::JsonSchema, options);
    Workspace::new(&db, [("a/main.ogc".to_owned(), main), ("a/s.json".to_owned(), schema)].into());
    let found = diagnostics(&db, main).iter().map(|one| format!("{}: {}", one.code, one.message)).collect();
    (automaton(&db, Format::named(main, "O")), found)
}

fn bytes() -> Arc<MaskStore> {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).unwrap()))
}

fn accepts(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, text: &str) -> bool {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}

/// A random schema of objects with some of the keys.
fn schema(random: &mut Random) -> Value {
    let mut schema = object(random);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if random.below(4) == 0 {
            schema[keyword] = json!([object(random), object(random)]);
        }
    }
    match random.below(5) {
        0 => schema["dependentRequired"] = json!({ KEYS[random.below(4)]: [KEYS[random.below(4)]] }),
        1 => schema["minProperties"] = json!(random.below(3)),
        2 => schema["maxProperties"] = json!(1 + random.below(3)),
        3 => {
            schema["if"] = json!({ "required": [KEYS[random.below(4)]] });
            schema["then"] = object(random);
        }
        _ => {}
    }
    schema
}

fn object(random: &mut Random) -> Value {
    let mut properties = Map::new();
    for key in &KEYS[..4] {
        if random.below(2) == 0 {
            let types = [json!({ "const": 1 }), json!({ "enum": [1, "s"] }), json!({ "type": "string" }), json!(true)];
            properties.insert((*key).to_owned(), types[random.below(4)].clone());
        }
    }
    let required: Vec<&str> = KEYS[..4].iter().copied().filter(|_| random.below(4) == 0).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Returns every object in which each key is absent, 1 or `"s"`, with its text: the fields in the order of `KEYS`.
fn objects(keys: &[&str]) -> Vec<(Vec<(String, Value)>, Value)> {
    let mut all = vec![Vec::new()];
    for key in keys {
        all = all
            .into_iter()
            .flat_map(|fields: Vec<(String, Value)>| {
                [None, Some(json!(1)), Some(json!("s"))].map(|value| {
                    let more = value.map(|value| ((*key).to_owned(), value));
                    fields.iter().cloned().chain(more).collect::<Vec<_>>()
                })
            })
            .collect();
    }
    all.into_iter().map(|fields| (fields.clone(), Value::Object(fields.into_iter().collect()))).collect()
}

fn json_text(fields: &[(String, Value)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
    format!("{{{}}}", fields.join(","))
}

fn text(fields: &[(String, Value)], separator: &str) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("<{name}={value}>")).collect();
    format!("[{}]", fields.join(separator))
}

#[test]
fn fields_written_one_by_one_are_accepted_like_their_object() {
    let (store, rounds) = (bytes(), ogc_kit::rounds(60, 2_000));
    let (first, mut compiled) = (ogc_kit::first_seed(), 0);
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let schema = schema(&mut random).to_string();
        let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        let (order, separator) = *random.pick(&[("declared", ""), ("declared", ","), ("any", ";")]);
        let program = format!(
            "import root as S from \"s.json\"\nrule field<name, Value> = \"<\" name \"=\" json<Value> \">\"\n\
             rule other<name, Value> = \"<\" (name & /[abcdx]/) \"=\" json<Value> \">\"\n\
             output O = \"[\" @order(\"{order}\") each<S & object, field, others = other, separator = \"{separator}\"> \"]\""
        );
        let (Some(automaton), _) = compile(&program, &schema) else { continue };
        let json = format!("import root as S from \"s.json\"\noutput O = @order(\"{order}\") (S & object)");
        let Some(json) = compile(&json, &schema).0 else { panic!("{seed}: {schema}") };
        compiled += 1;
        let keys: Vec<&str> =
            KEYS.into_iter().filter(|key| *key == "x" || schema.contains(&format!("\"{key}\""))).collect();
        for (fields, object) in objects(&keys) {
            let mut valid = false;
            for fields in permutations(&fields) {
                let accepted = accepts(&automaton, &store, &text(&fields, separator));
                let as_json = accepts(&json, &store, &json_text(&fields));
                assert_eq!(accepted, as_json, "{seed}: {schema}\n{program}\n{}", json_text(&fields));
                valid |= accepted;
            }
            assert_eq!(valid, validator.is_valid(&object), "{seed}: {schema}\n{program}\n{object}");
        }
    }
    assert!(compiled * 3 > rounds * 2, "most schemas are compiled: {compiled} of {rounds}");
}

fn permutations(fields: &[(String, Value)]) -> Vec<Vec<(String, Value)>> {
    let Some((first, rest)) = fields.split_first() else { return vec![Vec::new()] };
    let rest = permutations(rest);
    let with = |fields: &Vec<(String, Value)>| {
        (0..=fields.len())
            .map(|at| {
                let mut fields = fields.clone();
                fields.insert(at, first.clone());
                fields
            })
            .collect::<Vec<_>>()
    };
    rest.iter().flat_map(with).collect()
}

/// A hundred tools with ten fields have more states than a unit may have: their fields are called instead, and the text
/// before them determines which.
#[test]
fn many_tools_in_a_tagged_style_stay_deterministic() {
    let tool = |tool: usize| {
        let key = |field: usize| format!("field_{tool}_{field}");
        let types = [json!({ "type": "string" }), json!({ "type": "integer" }), json!({ "enum": ["a", "b"] })];
        let properties: Map<String, Value> =
            (0..10).map(|field| (key(field), types[field % types.len()].clone())).collect();
        let required: Vec<String> = (0..5).map(key).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        json!({ "name": format!("tool_{tool}"), "input_schema": schema })
    };
    let tools = Value::Array((0..100).map(tool).collect()).to_string();
    let program = "import tools from \"s.json\"\nimport \"std.tools\" as std\noutput O = std.glm<tools>\n";
    let (automaton, found) = compile(program, &tools);
    assert!(!found.iter().any(|one| one.starts_with("nondeterministic-rule")), "{found:?}");
    let (automaton, store) = (automaton.unwrap(), bytes());
    let call = |tool: usize, first: usize| {
        let field = |field: usize| {
            let value = ["x<y", "7", "a"][field % 3];
            format!("<arg_key>field_{tool}_{field}</arg_key>\n<arg_value>{value}</arg_value>\n")
        };
        let fields: String = (first..5).map(field).collect();
        format!("<tool_call>tool_{tool}\n{fields}</tool_call>")
    };
    for tool in [0, 1, 10, 99] {
        assert!(accepts(&automaton, &store, &call(tool, 0)), "{}", call(tool, 0));
        assert!(!accepts(&automaton, &store, &call(tool, 1)), "a required field is missing");
        let other = call(tool, 0).replacen(&format!("field_{tool}_"), "field_50_", 1);
        assert!(!accepts(&automaton, &store, &other), "{other}");
    }
    assert!(!accepts(&automaton, &store, &call(100, 0)));
}
