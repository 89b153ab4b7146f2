//! Tests of calls in every style: a text with calls of random arguments matches the format, and is read back to the
//! same arguments for every split.

use std::sync::Arc;

use ogc_compiler::db::Language;
use ogc_embed::{NamedText, Source, compile};
use ogc_generate::{CallFrame, ToolStyle};
use ogc_kit::Random;
use ogc_runtime::captures::Content;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use serde_json::{Map, Value, json};

use super::Tools;
use crate::answer::{Answer, Delta};
use crate::api::fields::Object;
use crate::api::response_format::{FormatKind, ResponseFormat};
use crate::api::tool::Nesting;
use crate::call_syntax::{CalledTools, ToolKind};
use crate::compile::{FormatSource, SourceText};

/// A call: the tool's kind and name, and the arguments or the input.
type Call = (ToolKind, String, Value);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Call(Call),
}

/// A compiled format of texts with calls, over a vocabulary of bytes and the tokens that it names.
struct Bench {
    matcher: Matcher,
    content: Content,
    tools: CalledTools,
    vocabulary: Arc<Vocabulary>,
    names: Vec<String>,
}

impl Bench {
    fn new(style: ToolStyle, body: &Value, schema: Option<&str>) -> Self {
        let body = body.to_string();
        let mut object = Object::of_body(body.as_bytes()).unwrap();
        let tools = Tools::read(&mut object, Nesting::Inner).unwrap().expect("tools");
        let answer = match schema {
            None => ResponseFormat::text("response_format"),
            Some(schema) => ResponseFormat::new(FormatKind::JsonSchema(schema.to_owned()), "response_format"),
        };
        let (source, _) = tools.source(&answer, style).unwrap();
        let FormatSource::Texts(texts) = source else { panic!("texts") };
        Self::compiled(&texts, tools.called(&answer, style))
    }

    /// Compiles the style from the standard library.
    fn standard(style: ToolStyle, tools: &[Value]) -> Self {
        let call = match style {
            ToolStyle::Bare => "json<std.bare<tools>, space = \"spaced\">".to_owned(),
            style => format!("std.{}<tools>", style.name()),
        };
        let imports = "import tools from \"tools.json\"\nimport \"std.tools\" as std";
        let program = format!("{imports}\noutput Calls = {call}\n");
        let texts = [SourceText::new("calls.ogc", program), SourceText::new("tools.json", json!(tools).to_string())];
        Self::compiled(&texts, CalledTools { style, customs: Vec::new(), has_answer: false })
    }

    fn compiled(texts: &[SourceText], tools: CalledTools) -> Self {
        let main = Source::new(&texts[0].name, &texts[0].text, Language::Ogc);
        let imports = texts[1..].iter().map(|text| NamedText { name: &text.name, text: &text.text }).collect();
        let compiled = compile(&Source { imports, ..main });
        let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}\n{}", tools.style.name(), texts[0].text));
        let format = compiled.artifact.format();
        let names = format.automaton.tokens.clone();
        let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
        let named = names.iter().map(String::as_str).zip(257..);
        let specials: Vec<(&str, u32)> = std::iter::once(("</s>", 256)).chain(named).collect();
        let vocabulary = Arc::new(Vocabulary::from_tokens(&bytes, &specials).unwrap());
        let matcher = Matcher::new(Arc::clone(&format.automaton), MaskStore::new(Arc::clone(&vocabulary)));
        Self { matcher, content: format.content.clone(), tools, vocabulary, names }
    }

    /// Splits a text into tokens: names of tokens become these tokens, and all other text becomes bytes.
    fn tokens(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            match self.names.iter().position(|name| rest.starts_with(name.as_str())) {
                Some(at) => {
                    tokens.push(TokenId(257 + at as u32));
                    rest = &rest[self.names[at].len()..];
                }
                None => {
                    let len = rest.chars().next().map_or(1, char::len_utf8);
                    tokens.extend(rest.as_bytes()[..len].iter().map(|byte| TokenId(u32::from(*byte))));
                    rest = &rest[len..];
                }
            }
        }
        tokens
    }

    fn accepts(&self, text: &str) -> bool {
        let mut matcher = self.matcher.fork();
        self.tokens(text).into_iter().all(|token| matcher.accept_token(token).is_ok()) && matcher.is_complete()
    }

    /// Reads a text in random pieces, as if it came from a model.
    fn read(&self, text: &str, random: &mut Random) -> Vec<Piece> {
        let mut answer = Answer::new(Vec::new(), Some((self.tools.clone(), &self.content)), None);
        let tokens = self.tokens(text);
        let (mut deltas, mut at) = (Vec::new(), 0);
        while at < tokens.len() {
            let len = (1 + random.below(9)).min(tokens.len() - at);
            let mut end = at + len;
            // Text comes in whole characters.
            while tokens.get(end).is_some_and(|token| (0x80..0xc0).contains(&token.0)) {
                end += 1;
            }
            let bytes: Vec<u8> = tokens[at..end].iter().filter_map(|token| u8::try_from(token.0).ok()).collect();
            let text = String::from_utf8(bytes).unwrap();
            let more = match self.names.is_empty() {
                true => answer.grow(&text, |_| true),
                false => answer.grow_tokens(&text, &self.vocabulary, &tokens[at..end]),
            };
            deltas.extend(more.unwrap());
            at = end;
        }
        deltas.extend(answer.end(false, true).unwrap().0);
        pieces(deltas)
    }
}

/// Joins the changes of an answer.
fn pieces(deltas: Vec<Delta>) -> Vec<Piece> {
    let mut pieces: Vec<(Option<(ToolKind, String)>, String)> = Vec::new();
    for delta in deltas {
        match delta {
            Delta::Content(text) => match pieces.last_mut() {
                Some((None, before)) => before.push_str(&text),
                _ => pieces.push((None, text)),
            },
            Delta::CallBegins { kind, name, .. } => pieces.push((Some((kind, name)), String::new())),
            Delta::Arguments { text, .. } => pieces.last_mut().unwrap().1.push_str(&text),
            other => panic!("{other:?}"),
        }
    }
    let piece = |(call, text): (Option<(ToolKind, String)>, String)| match call {
        None => Piece::Text(text),
        Some((ToolKind::Custom, name)) => Piece::Call((ToolKind::Custom, name, json!(text))),
        Some((ToolKind::Function, name)) => {
            let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            Piece::Call((ToolKind::Function, name, value))
        }
    };
    pieces.into_iter().map(piece).collect()
}

/// Returns a function with a random schema, and matching arguments.
fn function(random: &mut Random, name: &str) -> (Value, Vec<Value>) {
    let fields: Vec<(String, Value, Vec<Value>)> = ["city", "a b", "naïve", "x.y", "deep", "n"]
        .into_iter()
        .take(random.below(7))
        .map(|key| {
            let (schema, values) = field(random);
            (key.to_owned(), schema, values)
        })
        .collect();
    let required: Vec<&String> = fields.iter().filter(|_| random.below(2) == 0).map(|(key, ..)| key).collect();
    let properties: Map<String, Value> = fields.iter().map(|(key, schema, _)| (key.clone(), schema.clone())).collect();
    let schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let tool = json!({ "type": "function", "function": { "name": name, "parameters": schema } });
    let mut values = Vec::new();
    for _ in 0..4 {
        let taken = fields.iter().filter(|(key, ..)| required.contains(&key) || random.below(2) == 0);
        let taken: Vec<_> = taken.collect();
        values.push(Value::Object(
            taken.into_iter().map(|(key, _, values)| (key.clone(), random.pick(values).clone())).collect(),
        ));
    }
    (tool, values)
}

/// Returns the schema of a field, and matching values.
fn field(random: &mut Random) -> (Value, Vec<Value>) {
    let strings = json!([
        "",
        "Oslo",
        "12",
        "true",
        "null",
        "{\"a\": 1}",
        "two\nlines\n",
        "\"q\"\\",
        "<b> & 'c'",
        "é😀\u{1}",
        "</arg>",
        " x "
    ]);
    let strings = || strings.as_array().unwrap().clone();
    let nested = json!({ "type": "object", "properties": { "s": { "type": "string" }, "l": { "type": "array", "items": { "type": "integer" } } },
        "required": ["s"], "additionalProperties": false });
    match random.below(8) {
        0 => (json!({ "type": "string" }), strings()),
        1 => (json!({ "enum": ["red", "7", 7, null] }), vec![json!("red"), json!(7), json!(null)]),
        2 => (json!({ "type": "integer" }), vec![json!(0), json!(-12)]),
        3 => (json!({ "type": ["string", "integer"] }), vec![json!("a\nb"), json!(12), json!("12a")]),
        4 => (json!({ "type": "boolean" }), vec![json!(true), json!(false)]),
        5 => (
            json!({ "type": "array", "items": { "type": "string" } }),
            vec![json!([]), json!(["\n</parameter>\n", "</arg_value>", "</｜DSML｜parameter>", "é\""])],
        ),
        6 => (nested, vec![json!({ "s": "</parameter>\n" }), json!({ "s": "x", "l": [1, 2] })]),
        _ => (
            json!({ "type": ["object", "string", "null"], "additionalProperties": { "type": "number" } }),
            vec![json!({}), json!({ "k": 0.5 }), json!("text"), json!(null)],
        ),
    }
}

/// Custom tools, one with a context-free grammar and one with any text; and inputs for them.
fn customs() -> [(Value, Vec<Value>); 2] {
    let grammar = "start: \"(\" start \")\" | \"a\\\"\\n\"\n";
    let format = json!({ "type": "grammar", "grammar": { "syntax": "lark", "definition": grammar } });
    [
        (
            json!({ "type": "custom", "custom": { "name": "nest", "format": format } }),
            vec![json!("a\"\n"), json!("((a\"\n))")],
        ),
        (json!({ "type": "custom", "custom": { "name": "note" } }), vec![json!(""), json!("\"x\"\n{}é")]),
    ]
}

/// Writes several calls, one behind the other.
fn written(style: ToolStyle, calls: &[Call]) -> String {
    let one = |(kind, name, value): &Call| {
        let object = match kind {
            ToolKind::Function => value.as_object().unwrap().clone(),
            ToolKind::Custom => [("input".to_owned(), value.clone())].into_iter().collect(),
        };
        style.written(name, &object)
    };
    let all: Vec<String> = calls.iter().map(one).collect();
    // In a style with blocks of several calls, the end of a block and the beginning of the next are replaced by the text between calls.
    let joints: (&str, &str) = match style {
        ToolStyle::Mistral => ("][TOOL_CALLS][", ", "),
        ToolStyle::DeepseekV3 => ("<｜tool▁calls▁end｜><｜tool▁calls▁begin｜>", "\n"),
        ToolStyle::DeepseekV31 => ("<｜tool▁calls▁end｜><｜tool▁calls▁begin｜>", ""),
        ToolStyle::DeepseekV32 => ("\n</｜DSML｜function_calls><｜DSML｜function_calls>\n", "\n"),
        ToolStyle::DeepseekV4 => ("\n</｜DSML｜tool_calls><｜DSML｜tool_calls>\n", "\n"),
        ToolStyle::Minimax => ("</minimax:tool_call><minimax:tool_call>\n", ""),
        ToolStyle::Kimi => ("<|tool_calls_section_end|><|tool_calls_section_begin|>", ""),
        ToolStyle::CommandR => ("\n]<|END_ACTION|><|START_ACTION|>[\n    ", ",\n    "),
        ToolStyle::Granite => ("]<|tool_call|>[", ", "),
        ToolStyle::Phi4Mini => ("]<|/tool_call|><|tool_call|>[", ", "),
        // `)]` and `[` may be in arguments too, but not behind each other.
        ToolStyle::Pythonic => (")][", "), "),
        ToolStyle::MistralArgs | ToolStyle::Glm47 => return all.concat(),
        _ => return all.join("\n"),
    };
    let joined = all.concat();
    joined.replace(joints.0, joints.1)
}

/// Random tools, and calls of them.
fn tools_of(random: &mut Random) -> (Vec<Value>, Vec<Call>) {
    let (mut tools, mut calls) = (Vec::new(), Vec::new());
    for name in ["get_weather", "get", "search-all"].into_iter().take(1 + random.below(3)) {
        let (tool, values) = function(random, name);
        tools.push(tool);
        calls.extend(values.into_iter().map(|value| (ToolKind::Function, name.to_owned(), value)));
    }
    for (tool, inputs) in customs().into_iter().filter(|_| random.below(2) == 0).collect::<Vec<_>>() {
        let name = tool["custom"]["name"].as_str().unwrap().to_owned();
        tools.push(tool);
        calls.extend(inputs.into_iter().map(|input| (ToolKind::Custom, name.clone(), input)));
    }
    (tools, calls)
}

#[test]
fn tool_calls_are_parsed_in_every_style() {
    let first = ogc_kit::first_seed();
    for seed in first..first + ogc_kit::rounds(6, 100) {
        let mut random = Random::new(seed);
        let (tools, calls) = tools_of(&mut random);
        for style in ToolStyle::ALL {
            let most = if CallFrame::of(style).is_single { 1 } else { 3 };
            let required = Bench::new(style, &json!({ "tools": tools, "tool_choice": "required" }), None);
            let auto = Bench::new(style, &json!({ "tools": tools }), None);
            for _ in 0..6 {
                let chosen: Vec<Call> = (0..1 + random.below(most)).map(|_| random.pick(&calls).clone()).collect();
                let text = written(style, &chosen);
                let context = format!("seed {seed}, {}: {text}", style.name());
                let expected: Vec<Piece> = chosen.into_iter().map(Piece::Call).collect();
                assert!(required.accepts(&text), "{context}");
                assert_eq!(required.read(&text, &mut random), expected, "{context}");
                let before = *random.pick(&["", "Let me see.\n", "{ <tool [T é "]);
                let before = if CallFrame::of(style).is_whole { "" } else { before };
                let whole = [before, &text].concat();
                assert!(auto.accepts(&whole), "{context}");
                let said = (!before.is_empty()).then(|| Piece::Text(before.to_owned()));
                let expected: Vec<Piece> = said.into_iter().chain(expected).collect();
                assert_eq!(auto.read(&whole, &mut random), expected, "{context}");
            }
            assert!(!required.accepts("Hello") && auto.accepts("Hello"), "{}", style.name());
            assert_eq!(auto.read("Hello", &mut random), [Piece::Text("Hello".to_owned())]);
        }
    }
}

/// Returns a text with random mistakes, or unchanged.
fn mistaken(random: &mut Random, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.below(3) {
        let at = random.below(characters.len());
        let other = *random.pick(&['"', '\n', ' ', '<', '>', ',', '0', 'a', '}', '/']);
        match random.below(3) {
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, other),
            _ => characters[at] = other,
        }
    }
    characters.into_iter().collect()
}

#[test]
fn tool_formats_match_the_standard_library() {
    let first = ogc_kit::first_seed();
    let mut counts = [0; 2];
    for seed in first..first + ogc_kit::rounds(4, 100) {
        let mut random = Random::new(seed);
        let (tool, values) = function(&mut random, "get_weather");
        let (other, _) = function(&mut random, "get");
        let tools = [tool, other];
        for style in ToolStyle::ALL {
            let body = json!({ "tools": tools, "tool_choice": "required", "parallel_tool_calls": false });
            let (here, there) = (Bench::new(style, &body, None), Bench::standard(style, &tools));
            for _ in 0..30 {
                let call = (ToolKind::Function, "get_weather".to_owned(), random.pick(&values).clone());
                let text = mistaken(&mut random, &written(style, &[call]));
                let accepted = here.accepts(&text);
                assert_eq!(accepted, there.accepts(&text), "seed {seed}, {}: {text}", style.name());
                counts[usize::from(accepted)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn a_response_format_is_allowed_instead_of_calls() {
    let mut random = Random::new(7);
    let tool = json!({ "type": "function", "function": { "name": "now" } });
    let schema = r#"{ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"], "additionalProperties": false }"#;
    for style in ToolStyle::ALL {
        let bench = Bench::new(style, &json!({ "tools": [tool] }), Some(schema));
        for answer in ["{\"name\":\"x\\n</tool_call>\"}", "{\"name\":\"now\"}", "{\"name\":\"é\"}"] {
            assert!(bench.accepts(answer), "{}: {answer}", style.name());
            assert_eq!(bench.read(answer, &mut random), [Piece::Text(answer.to_owned())], "{}", style.name());
        }
        let call = (ToolKind::Function, "now".to_owned(), json!({}));
        let text = written(style, std::slice::from_ref(&call));
        assert!(bench.accepts(&text), "{}: {text}", style.name());
        assert_eq!(bench.read(&text, &mut random), [Piece::Call(call)], "{}", style.name());
    }
}

#[test]
fn line_breaks_between_calls_are_no_text() {
    let mut random = Random::new(1);
    let body = json!({ "tools": [{ "type": "function", "function": { "name": "now" } }] });
    let bench = Bench::new(ToolStyle::Hermes, &body, None);
    let call = (ToolKind::Function, "now".to_owned(), json!({}));
    let one = written(ToolStyle::Hermes, std::slice::from_ref(&call));
    let (call, text) = (|| Piece::Call(call.clone()), |text: &str| Piece::Text(text.to_owned()));
    for (whole, expected) in [
        (format!("It is <tool {one} and\n{one}"), vec![text("It is <tool "), call(), text(" and\n"), call()]),
        (format!("{one}\n\n{one}\n"), vec![call(), call()]),
        (format!("{one}\nx"), vec![call(), text("\nx")]),
        ("no <tool_cal".to_owned(), vec![text("no <tool_cal")]),
    ] {
        assert!(bench.accepts(&whole), "{whole}");
        for _ in 0..20 {
            assert_eq!(bench.read(&whole, &mut random), expected, "{whole}");
        }
    }
}
