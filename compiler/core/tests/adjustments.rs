//! Schemas that are read with adjustments: closed objects, keywords as annotations, wide formats.

use std::sync::Arc;

use ogc_compiler::db::{
    Adjustments, Compiler, Formats, JsonPolicy, KeywordSet, Language, Limits, Options, OtherMembers, SourceFile,
};
use ogc_compiler::pipeline::{automaton, diagnostics};
use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, KeyOrder};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;
use ogc_schema::keyword::Keyword;
use serde_json::{Value, json};

const CLOSED: Adjustments = Adjustments { annotate: KeywordSet::EMPTY, objects: OtherMembers::Closed };

/// Returns the automaton of a schema, and its findings.
fn compiled(schema: &Value, adjustments: Adjustments) -> (Option<Arc<Automaton>>, Vec<String>) {
    read_with(schema, Formats::default(), adjustments)
}

fn read_with(schema: &Value, formats: Formats, adjustments: Adjustments) -> (Option<Arc<Automaton>>, Vec<String>) {
    let db = Compiler::default();
    let policy = JsonPolicy { order: KeyOrder::Any, ..JsonPolicy::default() };
    let options = Options::builder(policy, formats, Limits::default()).adjustments(adjustments).new(&db);
    let file = SourceFile::new(&db, "s.json".to_owned(), schema.to_string(), Language::JsonSchema, options);
    let found = diagnostics(&db, file).iter().map(|one| format!("{}: {}", one.code, one.message)).collect();
    (automaton(&db, file), found)
}

fn accepts(automaton: &Arc<Automaton>, text: &Value) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).expect("a vocabulary")));
    let mut matcher = Matcher::new(Arc::clone(automaton), store);
    matcher.accept_bytes(text.to_string().as_bytes()).is_ok() && matcher.is_complete()
}

/// A format that is not enforced exactly accepts too little, or too much as a wide format; in `not`, it never excludes
/// too much.
#[test]
fn wide_formats_accept_every_valid_string() {
    let host = json!({"type": "string", "format": "hostname", "maxLength": 20});
    let not_a_time = json!({"type": "string", "not": {"format": "time"}, "maxLength": 20});
    let idn = json!({"type": "string", "format": "idn-hostname", "maxLength": 20});
    let not_idn = json!({"type": "string", "not": {"format": "idn-hostname"}, "maxLength": 20});
    for (schema, formats, accepted, refused) in [
        (&host, Formats::Assert, vec!["a.b", "xn-a"], vec!["xn--mnchen-3ya.de", "-a", "aaaaaaaaaa.aaaaaaaaaaa"]),
        (&host, Formats::Wide, vec!["a.b", "xn--mnchen-3ya.de"], vec!["-a", "aaaaaaaaaa.aaaaaaaaaaa"]),
        (&host, Formats::Annotate, vec!["-a"], vec!["aaaaaaaaaa.aaaaaaaaaaa"]),
        (
            &idn,
            Formats::Assert,
            vec!["żółw.pl", "हिन्दी.भारत", "a.עברית"],
            vec!["xn--mnchen-3ya.de", "ខ្មែរ.com", "aא.com"],
        ),
        (&idn, Formats::Wide, vec!["żółw.pl", "xn--mnchen-3ya.de", "ខ្មែរ.com"], vec!["a b", "a_b"]),
        (&not_idn, Formats::Assert, vec!["a b"], vec!["żółw.pl", "ខ្មែរ.com"]),
        (&not_a_time, Formats::Assert, vec!["12:00", "12:00:61Z"], vec!["12:00:00Z", "12:00:60+01:07"]),
        (&not_a_time, Formats::Wide, vec!["12:00", "12:00:61Z"], vec!["12:00:00Z", "12:00:60+01:07"]),
    ] {
        let (automaton, found) = read_with(schema, formats, Adjustments::default());
        let automaton = automaton.unwrap_or_else(|| panic!("{schema}: {found:?}"));
        let verdict = |text: &&str| accepts(&automaton, &json!(text));
        assert_eq!(accepted.iter().find(|text| !verdict(text)), None, "{schema} {formats:?}");
        assert_eq!(refused.iter().find(|text| verdict(text)), None, "{schema} {formats:?}");
    }
}

#[test]
fn closing_applies_to_whole_objects_and_not_to_their_parts() {
    let a = json!({"properties": {"a": {"type": "integer"}}});
    let b = json!({"properties": {"b": {"type": "integer"}}});
    let defs = json!({"A": a, "B": b});
    let cases = [
        // A schema, with values that its closed form accepts and values that it rejects.
        (
            json!({"$ref": "#/$defs/A"}),
            vec![json!({"a": 1}), json!({}), json!(7)],
            vec![json!({"a": 1, "x": 2}), json!({"a": "1"})],
        ),
        (json!({"allOf": [a, b]}), vec![json!({"a": 1, "b": 2})], vec![json!({"x": 1})]),
        (json!({"$ref": "#/$defs/A", "properties": {"c": true}}), vec![json!({"a": 1, "c": 2})], vec![json!({"b": 1})]),
        (
            json!({"anyOf": [a, b]}),
            vec![json!({"a": 1}), json!({"b": 1})],
            vec![json!({"a": 1, "b": 2}), json!({"x": 1})],
        ),
        (
            json!({"properties": {"t": true}, "oneOf": [{"required": ["a"], "$ref": "#/$defs/A"}, {"required": ["b"], "$ref": "#/$defs/B"}]}),
            vec![json!({"t": 1, "a": 1}), json!({"b": 1})],
            vec![json!({"t": 1, "a": 1, "x": 1}), json!({"t": 1})],
        ),
        (json!({"items": {"$ref": "#/$defs/A"}}), vec![json!([{"a": 1}])], vec![json!([{"x": 1}])]),
        (json!({"additionalProperties": a}), vec![json!({"x": {"a": 1}})], vec![json!({"x": {"y": 1}})]),
        // Objects without `properties` stay open, and so do objects with a keyword about other members.
        (json!({"type": "object"}), vec![json!({"x": 1})], vec![json!(1)]),
        (json!({"properties": {"a": {"type": "object"}}}), vec![json!({"a": {"x": 1}})], vec![json!({"b": {}})]),
        (
            json!({"properties": {"a": true}, "additionalProperties": {"type": "null"}}),
            vec![json!({"x": null})],
            vec![json!({"x": 1})],
        ),
        (
            json!({"properties": {"a": true}, "patternProperties": {"^x": {"type": "null"}}}),
            vec![json!({"xy": null})],
            vec![json!({"y": null})],
        ),
        // Conditions stay as they are.
        (json!({"not": a}), vec![json!({"a": "1", "x": 2})], vec![json!({"a": 1}), json!({"x": 1})]),
        (
            json!({"properties": {"a": true, "b": true}, "if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}}),
            vec![json!({"a": 1, "b": 1}), json!({"a": 2})],
            vec![json!({"a": 1}), json!({"x": 1})],
        ),
        (json!({"contains": a}), vec![json!([{"a": 1, "x": 2}])], vec![json!([])]),
        // A schema that is a part in one place and a whole in another.
        (
            json!({"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": {"$ref": "#/$defs/A"}}}]}),
            vec![json!({"a": 1, "b": {"a": 1}})],
            vec![json!({"b": {"b": 1}}), json!({"c": 1})],
        ),
    ];
    for (mut schema, accepted, refused) in cases {
        schema["$defs"] = defs.clone();
        let (automaton, found) = compiled(&schema, CLOSED);
        let automaton = automaton.unwrap_or_else(|| panic!("{schema}: {found:?}"));
        for text in accepted {
            assert!(accepts(&automaton, &text), "{schema} refuses {text}");
        }
        for text in refused {
            assert!(!accepts(&automaton, &text), "{schema} accepts {text}");
        }
    }
}

/// Returns a random schema without neighbouring schemas for the same value.
fn random_schema(random: &mut Random, depth: usize) -> Value {
    let inner = |random: &mut Random| random_schema(random, depth - 1);
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 => json!({"type": "integer"}),
        1 => json!({"type": ["string", "object"]}),
        2 => json!({"$ref": "#"}),
        3 => json!({"type": "array", "items": inner(random)}),
        4 => json!({"anyOf": [inner(random), {"type": "null"}, inner(random)]}),
        5 => json!({"properties": {"a": inner(random)}, "additionalProperties": inner(random)}),
        _ => json!({"type": "object", "properties": {"a": inner(random), "b": inner(random)}, "required": ["a"]}),
    }
}

/// Adds the keywords that close the objects of a schema.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties") && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Returns a random value with the members that random schemas name, and one further member.
fn random_value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => json!(7),
        1 => json!("s"),
        2 => json!(null),
        3 => (0..random.below(3)).map(|_| random_value(random, depth - 1)).collect(),
        _ => {
            let names = ["root", "next", "a", "b", "x"].into_iter().filter(|_| random.below(3) > 0);
            let names: Vec<&str> = names.collect();
            names.into_iter().map(|name| (name.to_owned(), random_value(random, depth - 1))).collect()
        }
    }
}

#[test]
fn closed_reading_equals_schemas_closed_by_hand() {
    let (mut accepted, mut refused, mut changed) = (0, 0, 0);
    let first = ogc_kit::first_seed();
    for seed in first..first + ogc_kit::rounds(60, 600) {
        let mut random = Random::new(seed);
        let schema = json!({"properties": {"a": random_schema(&mut random, 3), "b": random_schema(&mut random, 2)}});
        let mut written = schema.clone();
        close(&mut written);
        let both = [(&schema, CLOSED), (&written, Adjustments::default()), (&schema, Adjustments::default())];
        let [found, expected, open] = both.map(|(schema, adjustments)| compiled(schema, adjustments).0);
        assert_eq!(found.is_some(), expected.is_some(), "seed {seed}: {schema}");
        let (Some(found), Some(expected), Some(open)) = (found, expected, open) else { continue };
        for _ in 0..60 {
            let value = random_value(&mut random, 4);
            let is_accepted = accepts(&expected, &value);
            assert_eq!(accepts(&found, &value), is_accepted, "seed {seed}: {schema} and {value}");
            accepted += usize::from(is_accepted);
            refused += usize::from(!is_accepted);
            changed += usize::from(!is_accepted && accepts(&open, &value));
        }
    }
    assert!(accepted > 100 && refused > 100 && changed > 50, "{accepted} {refused} {changed}");
}

#[test]
fn annotated_keywords_constrain_nothing_and_are_reported() {
    let annotate = KeywordSet::EMPTY.with(Keyword::UniqueItems).with(Keyword::MinItems);
    let schema = json!({"items": {"type": "object", "properties": {"a": {"uniqueItems": true}}}, "uniqueItems": true, "minItems": 2});
    let (automaton, found) = compiled(&schema, Adjustments { annotate, ..Adjustments::default() });
    let automaton = automaton.expect("free items need not differ");
    assert!(accepts(&automaton, &json!([{"a": [1, 1]}])) && !accepts(&automaton, &json!([1])));
    let named = |keyword| found.iter().filter(|one| one.starts_with(&format!("weakened-keyword: `{keyword}`"))).count();
    assert_eq!((named("uniqueItems"), named("minItems")), (2, 1), "{found:?}");
}
