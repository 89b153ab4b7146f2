//! Tests of events against other readers of the same texts, for every split into pieces: values against `serde_json`,
//! calls and captures against their places in the texts.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds, and `OGC_SAMPLE` the number of schemas.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use ogc_kit::{Random, setting};
use ogc_runtime::captures::Content;
use ogc_runtime::events::Event;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker};
use ogc_tests::corpus;
use ogc_tests::engine::ogc_content;
use ogc_tests::events::{captures, in_pieces, merged, text, values, whole};
use serde_json::Value;

/// Writes a random JSON value, with keys, characters, escapes and white space that parsers often get wrong.
fn write_value(random: &mut Random, depth: usize, to: &mut String) {
    space(random, to);
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => *to += ["null", "true", "false"][random.below(3)],
        1 | 2 => *to += ["0", "-0", "12", "-7.25", "1e5", "0.5E-3", "9007199254740993", "1.0e+2"][random.below(8)],
        3 | 4 => write_string(random, to),
        5 => {
            to.push('[');
            let items = random.below(4);
            for item in 0..items {
                *to += if item > 0 { "," } else { "" };
                write_value(random, depth - 1, to);
            }
            space(random, to);
            to.push(']');
        }
        _ => {
            to.push('{');
            let members = random.below(4);
            for member in 0..members {
                *to += if member > 0 { "," } else { "" };
                space(random, to);
                write_string(random, to);
                space(random, to);
                to.push(':');
                write_value(random, depth - 1, to);
            }
            space(random, to);
            to.push('}');
        }
    }
    space(random, to);
}

fn space(random: &mut Random, to: &mut String) {
    *to += ["", "", "", " ", "\n", "\t", "\r\n  "][random.below(7)];
}

fn write_string(random: &mut Random, to: &mut String) {
    to.push('"');
    for _ in 0..random.below(5) {
        match random.below(8) {
            0 => *to += ["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"][random.below(8)],
            1 => *to += ["\\u0000", "\\u00e9", "\\uFFFF", "\\uD83D\\uDE00", "\\udbff\\udfff"][random.below(5)],
            2 => to.push(['é', '☃', '😀', '\u{7f}', '\u{10ffff}', '/', '~'][random.below(7)]),
            _ => to.push(['a', 'b', ' ', '{', '[', ',', ':'][random.below(7)]),
        }
    }
    to.push('"');
}

/// Compares the events of a JSON text with `serde_json`: the value, and the texts of all values in it.
fn check_value(json: &str, random: &mut Random, context: &str) {
    let told = whole(&Content::Value, json.as_bytes()).unwrap_or_else(|error| panic!("{context}: {json}: {error}"));
    let expected: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{context}: {json}: {error}"));
    let trimmed = json.trim_matches([' ', '\n', '\t', '\r']);
    let start = json.len() - json.trim_start_matches([' ', '\n', '\t', '\r']).len();
    assert_eq!(values(&told), [(start, start + trimmed.len(), expected)], "{context}: {json}");
    for event in &told {
        if let Event::ValueComplete { start, end, .. } = event {
            let part = serde_json::from_str::<Value>(&json[*start..*end]);
            assert!(part.is_ok(), "{context}: {:?} of {json}", &json[*start..*end]);
        }
    }
    let cut = in_pieces(&Content::Value, json.as_bytes(), random);
    assert_eq!(cut, Ok(merged(told)), "{context}: {json}");
}

#[test]
fn random_values_are_rebuilt_from_events() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 3_000));
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let mut json = String::new();
        write_value(&mut random, 5, &mut json);
        check_value(&json, &mut random, &format!("seed {seed}"));
    }
}

/// Checks that a text is read to its end exactly if it is JSON. Only numbers beyond all floats are rejected by the
/// judge alone.
#[test]
fn event_readers_refuse_malformed_json() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 20_000));
    let mut counts = [0; 2];
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let mut json = String::new();
        write_value(&mut random, 3, &mut json);
        let mut bytes = json.into_bytes();
        for _ in 0..random.below(3) {
            let at = random.below(bytes.len());
            let byte = *random.choose(b"{}[],:\"\\ufa1t0-+e. \xc3").expect("a byte");
            match random.below(3) {
                0 if !bytes.is_empty() => drop(bytes.remove(at)),
                1 if !bytes.is_empty() => bytes[at] = byte,
                _ => bytes.insert(at, byte),
            }
        }
        let read = in_pieces(&Content::Value, &bytes, &mut random);
        let judged = serde_json::from_slice::<Value>(&bytes);
        let is_too_large = judged.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        let shown = String::from_utf8_lossy(&bytes);
        assert!(read.is_ok() == judged.is_ok() || is_too_large, "seed {seed}: {shown}: {read:?} {judged:?}");
        counts[usize::from(read.is_ok())] += 1;
    }
    assert!(counts.iter().all(|count| *count * 10 > rounds), "{counts:?}");
}

#[test]
fn instances_of_real_schemas_are_rebuilt_from_events() {
    let Some(pack) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&pack).expect("a readable pack");
    let mut random = Random::new(setting("OGC_SEED", 1));
    let chosen = random.sample(cases.len(), setting("OGC_SAMPLE", 400) as usize);
    for at in chosen {
        for test in &cases[at].tests {
            // Python writes values that Rust's parser rejects: NaN, numbers beyond all floats, lone halves of surrogate
            // pairs.
            if serde_json::from_str::<Value>(&test.text).is_ok() {
                check_value(&test.text, &mut random, &cases[at].id);
            }
        }
    }
}

const TOOLS: &str = r#"[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"},
    "days": {"type": "integer"}}, "required": ["city"], "additionalProperties": false}},
    {"name": "get", "parameters": {"type": "object", "properties": {"url": {"type": "string"}}, "additionalProperties": false}},
    {"name": "{}", "parameters": {"type": "object", "additionalProperties": false}}]"#;

/// A format, a text of it with `⟨name⟩` for tokens, its text outside of values, and its captures and calls as spans.
type Case = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "output O = mix<text, std.mistral_args<tools>>",
        "See {\"a\": 1} ⟨[TOOL_CALLS]⟩get_weather⟨[ARGS]⟩{\"city\": \"Bern\", \"days\": 3} and ⟨[TOOL_CALLS]⟩get⟨[ARGS]⟩{}",
        "See {\"a\": 1} ⟨[TOOL_CALLS]⟩get_weather⟨[ARGS]⟩ and ⟨[TOOL_CALLS]⟩get⟨[ARGS]⟩",
        &[("call get_weather", "get_weather⟨[ARGS]⟩{\"city\": \"Bern\", \"days\": 3}"), ("call get", "get⟨[ARGS]⟩{}")],
    ),
    (
        "rule line<name, Args> = \"CALL \" name \" \" json<Args> \"\\n\"\noutput O = any_tool<tools, line>[1..]",
        "CALL {} {}\nCALL get_weather {\"city\":\"{}\\n\"}\n",
        "CALL {} \nCALL get_weather \n",
        &[("call {}", "CALL {} {}\n"), ("call get_weather", "CALL get_weather {\"city\":\"{}\\n\"}\n")],
    ),
    (
        "output O = mix<text, std.hermes<tools>>",
        "a<tool_call\n<tool_call>\n{\"name\": \"get\", \"arguments\": {\"url\": \"<tool_call>\"}}\n</tool_call>.",
        "a<tool_call\n<tool_call>\n\n</tool_call>.",
        &[],
    ),
    (
        "type Args = { query: string<1..80>, k?: int<1..20> }\nrule call = \"CALL \" tool: /[a-z]+/ \" \" args: json<Args> \"\\n\"\n\
         output O = thought: text<without = \"CALL\"> all: call[1..3]",
        "Hm 5.\nCALL search {\"query\":\"ogc\",\"k\":12}\n",
        "Hm 5.\nCALL search \n",
        &[
            ("thought", "Hm 5.\n"),
            ("all", "CALL search {\"query\":\"ogc\",\"k\":12}\n"),
            ("tool", "search"),
            ("args", "{\"query\":\"ogc\",\"k\":12}"),
        ],
    ),
    (
        "output O = \"x=\" x: json<int> (\",\" json<int | string>)* tok\"<end>\" note: text",
        "x=12,3,\"4,5\",-6⟨<end>⟩done: 7",
        "x=,,,⟨<end>⟩done: 7",
        &[("x", "12"), ("note", "done: 7")],
    ),
];

#[test]
fn events_report_captures_calls_and_values_in_text() {
    let import = "import tools from \"tools.json\"\nimport \"std.tools\" as std\n";
    for (program, sample, outside, spans) in CASES {
        let program = if program.contains("tools") { format!("{import}{program}\n") } else { format!("{program}\n") };
        let compiled = ogc_content(&[("main.ogc", &program), ("tools.json", TOOLS)]);
        let (automaton, content) = compiled.unwrap_or_else(|error| panic!("{program}{error:?}"));
        let bytes = spelled(sample);
        assert!(accepts(&automaton, &bytes), "{program}{sample}");
        let told = whole(&content, &bytes).unwrap_or_else(|error| panic!("{program}{sample}: {error}"));
        assert_eq!(text(&told), *outside, "{program}{sample}");
        let flat = |told: &[Event]| {
            let mut open: Vec<_> = captures(told);
            open.reverse();
            let mut flat = Vec::new();
            while let Some(one) = open.pop() {
                flat.push((one.name, bytes[one.start..one.end.expect("an end")].to_vec()));
                open.extend(one.inner.into_iter().rev());
            }
            flat
        };
        let expected: Vec<_> = spans.iter().map(|(name, text)| ((*name).to_owned(), spelled(text))).collect();
        assert_eq!(flat(&told), expected, "{program}{sample}");
        for (start, end, value) in values(&told) {
            assert_eq!(serde_json::from_slice::<Value>(&bytes[start..end]).ok(), Some(value), "{program}{sample}");
        }
        for seed in 0..40 {
            let cut = in_pieces(&content, &bytes, &mut Random::new(seed));
            assert_eq!(cut, Ok(merged(told.clone())), "{program}{sample}, seed {seed}");
        }
    }
}

/// Checks that events of the beginning of a text are the same for each text with this beginning.
#[test]
fn events_never_depend_on_later_text() {
    let (_, content) = ogc_content(&[("main.ogc", "output O = mix<text, \"<\" json<int | \"a\"[1..2]> \">\">\n")])
        .expect("it compiles");
    let texts = ["a<1>b", "a<12>", "a<1", "a<1<1>", "a<[\"a\"]>", "a<[\"a\",\"a\"]>", "a<[\"a\",\"b", "a<", "a"];
    let grown = |text: &str| {
        let mut reader = ogc_runtime::events::EventReader::new(&content);
        let mut told = Vec::new();
        let mut all = Vec::new();
        for byte in text.bytes() {
            let Ok(more) = reader.read_bytes(&[byte]) else { break };
            told.extend(more);
            all.push(told.clone());
        }
        all
    };
    let mut compared = BTreeSet::new();
    for (one, other) in texts.iter().flat_map(|one| texts.iter().map(move |other| (one, other))) {
        let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let (first, second) = (grown(one), grown(other));
        let told = first.len().min(same).checked_sub(1).map(|last| first[last].clone()).unwrap_or_default();
        let later = second.last().cloned().unwrap_or_default();
        assert!(later.starts_with(&told), "{one} and {other}: {told:?} and {later:?}");
        compared.insert(told.len());
    }
    assert!(compared.len() > 3, "{compared:?}");
}

/// Checks that events of an end come with its last byte, not with the next one, if the part can only end.
#[test]
fn end_events_come_with_the_last_byte() {
    let import = "import tools from \"tools.json\"\nimport \"std.tools\" as std\n";
    let program = format!("{import}output O = mix<text, std.mistral_args<tools>>\n");
    let (_, content) = ogc_content(&[("main.ogc", &program), ("tools.json", TOOLS)]).expect("it compiles");
    let mut reader = ogc_runtime::events::EventReader::new(&content);
    reader.read_bytes(&spelled("so: ⟨[TOOL_CALLS]⟩get⟨[ARGS]⟩{")).expect("it is read");
    let last = reader.read_bytes(b"}").expect("it is read");
    assert!(
        matches!(last.as_slice(), [Event::ValueComplete { .. }, Event::CallEnds { tool, .. }] if tool == "get"),
        "{last:?}"
    );
    let (_, content) = ogc_content(&[("main.ogc", "output O = n: json<int> \";\"\n")]).expect("it compiles");
    let mut reader = ogc_runtime::events::EventReader::new(&content);
    assert_eq!(reader.read_bytes(b"1").expect("it is read").len(), 2, "a number may go on");
    assert_eq!(reader.read_bytes(b";").expect("it is read").len(), 3, "the number, the capture, text");
}

/// Checks that a token that ends texts is part of the text if the format asks for it by name.
#[test]
fn an_end_token_required_by_the_format_is_part_of_the_text() {
    let (_, content) = ogc_content(&[("main.ogc", "output O = n: (\"a\" tok\"<|call|>\")\n")]).expect("it compiles");
    let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[("<|call|>", 1), ("</s>", 2)]).expect("a vocabulary");
    let vocabulary = vocabulary.with_eos(&[TokenId(1), TokenId(2)]).expect("ends");
    let mut reader = ogc_runtime::events::EventReader::new(&content);
    reader.read_token(&vocabulary, TokenId(0)).expect("it is read");
    let last = reader.read_token(&vocabulary, TokenId(1)).expect("it is read");
    assert!(matches!(last.as_slice(), [Event::Token { .. }, Event::CaptureEnds { .. }]), "{last:?}");
    assert!(reader.read_token(&vocabulary, TokenId(1)).expect("an end").is_empty());
    assert!(reader.read_token(&vocabulary, TokenId(2)).expect("an end").is_empty());
    assert_eq!(reader.finish().expect("it is whole").len(), 1);
}

/// Writes a text in bytes; `⟨name⟩` in it is the token of that name.
fn spelled(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in text.split_inclusive('⟩') {
        match part.strip_suffix('⟩').and_then(|part| part.split_once('⟨')) {
            Some((before, name)) => {
                bytes.extend(before.as_bytes());
                bytes.extend(marker(name));
            }
            None => bytes.extend(part.as_bytes()),
        }
    }
    bytes
}

fn accepts(automaton: &Arc<ogc_runtime::automaton::Automaton>, text: &[u8]) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let named = automaton.tokens.iter().map(String::as_str).zip(257..);
    let specials: Vec<(&str, u32)> = std::iter::once(("</s>", 256)).chain(named).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &specials).expect("a vocabulary")));
    let mut matcher = Matcher::new(Arc::clone(automaton), store);
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

/// Checks that a long text takes time in proportion to its length, and no more memory than its end needs.
#[test]
fn events_of_long_texts_take_linear_time() {
    let (_, content) = ogc_content(&[("main.ogc", "output O = (n: json<int> \";\")+\n")]).expect("it compiles");
    let mut text = String::new();
    for number in 0..20_000 {
        let _ = write!(text, "{number};");
    }
    let told = in_pieces(&content, text.as_bytes(), &mut Random::new(1)).expect("it is read");
    assert_eq!(values(&told).len(), 20_000);
}
