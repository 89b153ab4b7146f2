//! Structural tags: each kind of node accepts exactly its texts, random tags agree with a slow reading, and mistakes
//! are reported at their places.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

mod oracle;
mod random;

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, SpecialTokens, Workspace,
};
use ogc_compiler::foreign::structural_tag;
use ogc_compiler::pipeline::{automaton, diagnostics, formats, place};
use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{Vocabulary, marker};
use serde_json::{Value, json};

use crate::grammar::simulator::accepts;

/// A structural tag, from text to automaton.
struct Tag {
    db: Compiler,
    file: SourceFile,
}

impl Tag {
    fn of_text(text: &str, special: Option<SpecialTokens>) -> Self {
        let db = Compiler::default();
        let options = Options::builder(JsonPolicy::default(), Formats::default(), Limits::default());
        let options = options.special_tokens(special.map(Arc::new)).new(&db);
        let file = SourceFile::new(&db, "a/tag.json".to_owned(), text.to_owned(), Language::JsonSchema, options);
        Self { db, file }
    }

    fn of(format: &Value) -> Self {
        Self::of_text(&json!({"type": "structural_tag", "format": format}).to_string(), None)
    }

    fn findings(&self) -> Vec<Diagnostic> {
        diagnostics(&self.db, self.file).to_vec()
    }

    fn automaton(&self) -> Arc<Automaton> {
        let found = self.findings();
        assert!(!found.iter().any(Diagnostic::is_error), "{}: {found:?}", self.file.text(&self.db));
        let module = structural_tag(&self.db, self.file).as_ref().unwrap().module;
        assert_eq!(
            diagnostics(&self.db, module).iter().filter(|one| one.is_error()).count(),
            0,
            "{}",
            module.text(&self.db)
        );
        automaton(&self.db, self.file).unwrap()
    }
}

#[track_caller]
fn check(format: &Value, good: &[&str], bad: &[&str]) {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).unwrap()));
    let automaton = Tag::of(format).automaton();
    let accepts = |text: &str| {
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
    };
    for text in good {
        assert!(accepts(text), "refused: {text:?} of {format}");
    }
    for text in bad {
        assert!(!accepts(text), "accepted: {text:?} of {format}");
    }
}

fn text(value: &str) -> Value {
    json!({"type": "const_string", "value": value})
}

fn any_text() -> Value {
    json!({"type": "any_text"})
}

fn tag(begin: &str, content: &Value, end: &Value) -> Value {
    json!({"type": "tag", "begin": begin, "content": content, "end": end})
}

#[test]
fn tags_with_texts_schemas_grammars_and_patterns_are_read() {
    check(&text("a\n\"b\"\\"), &["a\n\"b\"\\"], &["", "a"]);
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let schema = |more: Value| {
        let mut node = json!({"type": "json_schema", "json_schema": schema});
        node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        node
    };
    let closed = &[r#"{"a":1,"b":2}"#, "{}"];
    check(&schema(json!({})), &[r#"{"a":1}"#, "{ \"a\" :\n1}"], closed);
    check(&schema(json!({"max_whitespace_cnt": 1})), &[r#"{"a": 1}"#], &[r#"{"a":  1}"#]);
    check(
        &schema(json!({"max_whitespace_cnt": 0, "style": "json", "any_order": null})),
        &[r#"{"a":1}"#],
        &[r#"{"a": 1}"#],
    );
    check(&json!({"type": "json_schema", "json_schema": true}), &["1", "[]"], &["x"]);
    check(&json!({"type": "grammar", "grammar": "root ::= \"a\" b\nb ::= [0-9]+ b?"}), &["a1", "a12"], &["a", "1"]);
    check(&json!({"type": "regex", "pattern": "\\d+/x"}), &["12/x"], &["/x", "a12/xb"]);
}

#[test]
fn the_any_order_option_allows_keys_in_any_order() {
    let schema = json!({"properties": {"a": {"const": 1}, "b": {"const": 2}}, "required": ["a"], "type": "object"});
    let node = |any: bool| json!({"type": "json_schema", "json_schema": schema, "any_order": any});
    check(&node(false), &[r#"{"a":1,"b":2}"#], &[r#"{"b":2,"a":1}"#]);
    check(&node(true), &[r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#], &[r#"{"b":2}"#, r#"{"a":1,"a":1}"#]);
}

#[test]
fn sequences_alternatives_and_repetitions_of_nodes_compile() {
    let (a, b) = (text("a"), text("b"));
    check(&json!({"type": "sequence", "elements": [a, b]}), &["ab"], &["a", "b", "ba"]);
    check(&json!({"type": "or", "elements": [a, b]}), &["a", "b"], &["ab", ""]);
    check(&json!({"type": "optional", "content": a}), &["", "a"], &["aa"]);
    check(&json!({"type": "plus", "content": a}), &["a", "aaa"], &[""]);
    check(&json!({"type": "star", "content": a}), &["", "aaa"], &["b"]);
    check(&json!({"type": "repeat", "min": 1, "max": 2, "content": a}), &["a", "aa"], &["", "aaa"]);
    check(&json!({"type": "repeat", "min": 2, "max": -1, "content": a}), &["aa", "aaaa"], &["a"]);
}

#[test]
fn free_text_ends_with_the_enclosing_tag() {
    check(&any_text(), &["", "x\ny"], &[]);
    check(&json!({"type": "any_text", "excludes": ["<a>", "b"]}), &["<a", "x"], &["x<a>", "ab"]);
    check(&tag("<t>", &any_text(), &json!("</t>")), &["<t></t>", "<t>a</t</t>"], &["<t>a</t>b</t>", "<t>a"]);
    check(&tag("<t>", &any_text(), &json!(["</t>", "."])), &["<t>a.", "<t>a</t>"], &["<t>a.b</t>"]);
    check(&tag("<t>", &json!({"type": "any_text", "max_chars": 2}), &json!("</t>")), &["<t>ab</t>"], &["<t>abc</t>"]);
    let inner = json!({"type": "sequence", "elements": [any_text(), text("!")]});
    check(&tag("<t>", &inner, &json!("</t>")), &["<t>a!b!</t>"], &["<t>a</t>!</t>"]);
}

fn triggered(more: &Value) -> Value {
    let number = json!({"type": "json_schema", "json_schema": {"type": "integer"}});
    let mut node = json!({"type": "triggered_tags", "triggers": ["<f"], "tags": [
        {"begin": "<f=a>", "content": number, "end": "</f>"},
        tag("<fb>", &any_text(), &json!("</f>")),
    ]});
    node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    node
}

#[test]
fn triggers_begin_tags() {
    let both = "x<f=a>1</f>y<fb>z</f>";
    check(&triggered(&json!({})), &["", "abc", both, "<f=a>1</f>"], &["<f", "<f=a>x</f>", "x<f=c>1</f>"]);
    let one = &["<f=a>1</f>", "<fb>z</f>"];
    check(&triggered(&json!({"at_least_one": true})), one, &["", "x<f=a>1</f>"]);
    check(&triggered(&json!({"at_least_one": true})), &["<f=a>1</f>y<fb>z</f>w"], &["y"]);
    check(&triggered(&json!({"stop_after_first": true})), &["", "x", "x<f=a>1</f>"], &["<f=a>1</f>y", both]);
    check(&triggered(&json!({"at_least_one": true, "stop_after_first": true})), one, &["", "x<fb></f>", both]);
    check(&triggered(&json!({"excludes": ["no"]})), &["n<f=a>1</f>o", "<fb>no</f>"], &["no", "<f=a>1</f>no"]);
    check(&tag("[", &triggered(&json!({})), &json!("]")), &["[a<f=a>1</f>]"], &["[]]", "[a<f=a>1</f>]]"]);
}

#[test]
fn dispatch_nodes_switch_to_the_content_of_their_rules() {
    let dispatch = |repeats: bool| {
        json!({"type": "dispatch", "rules": [["#", text("1;")], ["%", text("2;")]], "loop": repeats,
        "excludes": ["!"]})
    };
    check(&dispatch(true), &["", "a#1;b%2;c"], &["#", "a#2;", "a!"]);
    check(&dispatch(false), &["", "a", "a#1;"], &["a#1;b", "a#1;%2;"]);
}

#[test]
fn tag_lists_require_separators() {
    let list = |more: Value| {
        let mut node = json!({"type": "tags_with_separator", "separator": ",", "tags": [
            {"begin": "a", "content": text("1"), "end": "."}, tag("b", &text("2"), &json!(""))]});
        node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        node
    };
    check(&list(json!({})), &["", "a1.", "a1.,b2,a1."], &["a1.b2", "a1.,", ","]);
    check(&list(json!({"at_least_one": true})), &["b2"], &[""]);
    check(&list(json!({"stop_after_first": true})), &["", "b2"], &["b2,b2"]);
    check(&list(json!({"separator": ""})), &["", "a1.b2"], &["a1.,b2"]);
}

#[test]
fn the_older_form_is_read() {
    let entry = |schema: Value| json!({"begin": "<f=a>", "schema": schema, "end": "</f>"});
    for schema in [json!({"type": "integer"}), json!("{\"type\": \"integer\"}")] {
        for kind in [json!({}), json!({"type": "structural_tag"})] {
            let mut tag = json!({"structures": [entry(schema.clone())], "triggers": ["<f="]});
            tag.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
            let automaton = Tag::of_text(&tag.to_string(), None).automaton();
            assert!(accepts(&automaton, b"x<f=a>1</f>") && !accepts(&automaton, b"<f=a>x</f>"));
        }
    }
    let request = json!({"model": "m", "response_format": {"type": "structural_tag", "format": text("a")}});
    assert!(accepts(&Tag::of_text(&request.to_string(), None).automaton(), b"a"));
}

#[test]
fn token_nodes_match_special_tokens_of_the_vocabulary() {
    let token = |name: &str| marker(name);
    let format = json!({"type": "sequence", "elements": [
        {"type": "token", "token": "<s>"}, tag("a<s>", &any_text(), &json!({"type": "token", "token": "</s>"})),
        {"type": "token_triggered_tags", "trigger_tokens": ["<s>"], "exclude_tokens": ["<no>"], "tags": [
            {"begin": {"type": "token", "token": "<s>"}, "content": text("1"), "end": {"type": "token", "token": "</s>"}}]},
    ]});
    let whole = json!({"type": "structural_tag", "format": format}).to_string();
    let (begin, end) = (token("<s>"), token("</s>"));
    let known = [&begin[..], b"a", &begin, b"x", &end, b"y", &begin, b"1", &end].concat();
    let characters = [&begin[..], b"a<s>x", &end, b"y", &begin, b"1", &end].concat();
    let special = SpecialTokens([(7, "<s>".to_owned()), (8, "</s>".to_owned())].into());
    for (special, good, bad) in [(Some(special), &known, &characters), (None, &characters, &known)] {
        let automaton = Tag::of_text(&whole, special).automaton();
        assert!(accepts(&automaton, good) && !accepts(&automaton, bad));
    }
    let by_number = json!({"type": "structural_tag", "format": {"type": "token", "token": 7}}).to_string();
    let special = SpecialTokens([(7, "<s>".to_owned())].into());
    assert!(accepts(&Tag::of_text(&by_number, Some(special.clone())).automaton(), &begin));
    // A special token never occurs in free text, so there is nothing to exclude.
    let excluded =
        json!({"type": "structural_tag", "format": {"type": "any_tokens", "exclude_tokens": [7]}}).to_string();
    let excluding = Tag::of_text(&excluded, Some(special)).automaton();
    assert!(accepts(&excluding, b"any") && !accepts(&excluding, &begin));
    let one = json!({"type": "structural_tag", "format": {"type": "exclude_token", "exclude_tokens": [7, "</s>"]}})
        .to_string();
    let special = SpecialTokens([(7, "<s>".to_owned())].into());
    let one = Tag::of_text(&one, Some(special)).automaton();
    assert!(accepts(&one, b"any") && !accepts(&one, b"") && !accepts(&one, &begin));
}

#[test]
fn a_tag_is_imported_as_a_module() {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let text = json!({"type": "structural_tag", "format": triggered(&json!({}))}).to_string();
    let main = file("a/main.ogc", "import root as calls from \"tag.json\"\noutput O = \"> \" calls\n", Language::Ogc);
    let tag = file("a/tag.json", &text, Language::JsonSchema);
    Workspace::new(&db, BTreeMap::from([("a/main.ogc".to_owned(), main), ("a/tag.json".to_owned(), tag)]));
    assert_eq!(diagnostics(&db, main).iter().filter(|one| one.is_error()).count(), 0, "{:?}", diagnostics(&db, main));
    let automaton = automaton(&db, formats(&db, main).into_iter().next().unwrap()).unwrap();
    assert!(accepts(&automaton, b"> x<f=a>1</f>") && !accepts(&automaton, b"> <f=a>x</f>"));
}

#[test]
fn states_have_spans_in_the_tag() {
    let tag = Tag::of(&tag("<t>", &json!({"type": "json_schema", "json_schema": {"enum": ["y"]}}), &json!("</t>")));
    let automaton = tag.automaton();
    let source = tag.file.text(&tag.db);
    let places: Vec<&str> = automaton
        .rules
        .iter()
        .filter_map(|rule| place(&tag.db, tag.file, rule.origin))
        .map(|span| span.text(source))
        .collect();
    assert!(places.contains(&r#"{"enum":["y"]}"#), "{places:?}");
}

#[test]
fn mistakes_in_tags_are_reported_with_spans() {
    for (format, place, words) in [
        (json!({"type": "any_txt"}), "\"any_txt\"", "no node of type"),
        (json!({"type": "any_text", "exclude": []}), "\"exclude\"", "no member"),
        (text(""), r#"{"type":"const_string","value":""}"#, "empty text"),
        (json!({"type": "const_string"}), "{", "`value` is missing"),
        (json!({"type": "const_string", "value": 1}), "1", "is a text"),
        (json!({"type": "sequence", "elements": []}), r#"{"type":"sequence","elements":[]}"#, "is empty"),
        (json!({"type": "token", "token": 3}), r#"{"type":"token","token":3}"#, "by its number"),
        (json!({"type": "repeat", "min": 2, "max": 1, "content": text("a")}), "1", "less than `min`"),
        (json!({"type": "json_schema", "json_schema": {"type": "objct"}}), "\"objct\"", "no type"),
        (json!({"type": "json_schema", "json_schema": {}, "style": "xml"}), "\"xml\"", "no style"),
        (json!({"type": "json_schema", "json_schema": {}, "style": "cohere_xml"}), "\"cohere_xml\"", "one by one"),
        (json!({"type": "grammar", "grammar": "root ::= \"a\" b"}), "b", "no rule is called"),
        (json!({"type": "regex", "pattern": "\"(a"}), "(", "not closed"),
        (
            json!({"type": "any_text", "max_tokens": 1, "max_chars": 1}),
            r#"{"type":"any_text","max_tokens":1,"max_chars":1}"#,
            "one limit",
        ),
        (
            json!({"type": "triggered_tags", "triggers": ["x"], "tags": [tag("y", &text(""), &json!(""))]}),
            r#"{"type":"tag","begin":"y","content":{"type":"const_string","value":""},"end":""}"#,
            "none of the triggers",
        ),
        (
            json!({"type": "json_schema", "json_schema": {"type": "string", "minLength": 2, "maxLength": 1}}),
            "",
            "no value",
        ),
    ] {
        let tag = Tag::of(&format);
        let errors: Vec<Diagnostic> = tag.findings().into_iter().filter(Diagnostic::is_error).collect();
        let [error] = errors.as_slice() else { panic!("{format}: {errors:?}") };
        let shown = error.span.text(tag.file.text(&tag.db));
        assert!(error.message.contains(words), "{format}: {}", error.message);
        assert!(place.is_empty() || shown == place, "{format}: {shown}");
        assert!(error.span.start > 0 && automaton(&tag.db, tag.file).is_none(), "{format}");
    }
}

#[test]
fn deep_and_long_tags_compile_in_bounded_time() {
    let nested = |times: usize| {
        let (open, close) = (r#"{"type": "optional", "content": "#, "}");
        let inner = [open.repeat(times), text("a").to_string(), close.repeat(times)].concat();
        Tag::of_text(&format!(r#"{{"type": "structural_tag", "format": {inner}}}"#), None)
    };
    assert!(accepts(&nested(90).automaton(), b"a"));
    for times in [120, 5_000] {
        assert!(nested(times).findings().iter().any(Diagnostic::is_error));
    }
    let many: Vec<Value> = (0..400).map(|at| tag(&format!("<f={at}>"), &any_text(), &json!("</f>"))).collect();
    let automaton = Tag::of(&json!({"type": "triggered_tags", "triggers": ["<f="], "tags": many})).automaton();
    assert!(accepts(&automaton, b"x<f=399>y</f>"));
}
