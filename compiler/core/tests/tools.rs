//! Lists of tools through the whole pipeline: every style of the standard library accepts exactly the calls of the
//! tools, in every shape of list.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::sync::{Arc, Mutex};

use jsonschema::Validator;
use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::hir::standard;
use ogc_compiler::pipeline::{Format, artifact, automaton, diagnostics};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{Vocabulary, marker};
use salsa::Setter;
use serde_json::{Value, json};

/// A program next to a list of tools.
struct Bench {
    db: Compiler,
    main: SourceFile,
    tools: SourceFile,
}

impl Bench {
    fn new(program: &str, tools: &str) -> Self {
        Self::on(Compiler::default(), program, tools)
    }

    fn on(db: Compiler, program: &str, tools: &str) -> Self {
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let main = SourceFile::new(&db, "a/main.ogc".to_owned(), program.to_owned(), Language::Ogc, options);
        let tools = SourceFile::new(&db, "a/tools.json".to_owned(), tools.to_owned(), Language::JsonSchema, options);
        Workspace::new(&db, [("a/main.ogc".to_owned(), main), ("a/tools.json".to_owned(), tools)].into());
        Self { db, main, tools }
    }

    fn found(&self) -> Vec<String> {
        let found = diagnostics(&self.db, self.main);
        found.iter().map(|one| format!("{}: {} [{:?}]", one.code, one.message, one.help)).collect()
    }

    fn automaton(&self, name: &str) -> Arc<Automaton> {
        // Some lists have names that Python does not read.
        let found = self.found().into_iter().filter(|one| !one.starts_with("python-name"));
        assert_eq!(found.collect::<Vec<_>>(), Vec::<String>::new());
        automaton(&self.db, Format::named(self.main, name)).unwrap()
    }
}

/// Returns whether a text is accepted; `⟨name⟩` in it stands for the token of that name.
fn accepts(automaton: &Arc<Automaton>, text: &str) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let named = automaton.tokens.iter().map(String::as_str).zip(257..);
    let specials: Vec<(&str, u32)> = std::iter::once(("</s>", 256)).chain(named).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &specials).unwrap()));
    let mut spelled = Vec::new();
    for part in text.split_inclusive('⟩') {
        match part.strip_suffix('⟩').and_then(|part| part.split_once('⟨')) {
            Some((before, name)) => {
                spelled.extend(before.as_bytes());
                spelled.extend(marker(name));
            }
            None => spelled.extend(part.as_bytes()),
        }
    }
    let mut matcher = Matcher::new(Arc::clone(automaton), store);
    matcher.accept_bytes(&spelled).is_ok() && matcher.is_complete()
}

/// Writes JSON with the spacing of Python's `json.dumps`.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members =
                members.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

/// A call style, and a function that writes a call from the tool's name and its arguments.
type Style = (&'static str, fn(&str, &Value) -> String);

const STYLES: [Style; 25] = [
    ("std.bare<tools>", |name, args| format!("{{\"name\":{},\"arguments\":{args}}}", json!(name))),
    ("std.hermes<tools>", |name, args| {
        format!("<tool_call>\n{{\"name\": {}, \"arguments\": {}}}\n</tool_call>", json!(name), spaced(args))
    }),
    ("std.llama3<tools>", |name, args| format!("{{\"name\": {}, \"parameters\": {}}}", json!(name), spaced(args))),
    ("std.llama3_python<tools>", |name, args| {
        format!("⟨<|python_tag|>⟩{{\"name\": {}, \"parameters\": {}}}", json!(name), spaced(args))
    }),
    ("std.mistral<tools>", |name, args| {
        format!("⟨[TOOL_CALLS]⟩[{{\"name\": {}, \"arguments\": {}, \"id\": \"abcdefgh1\"}}]", json!(name), spaced(args))
    }),
    ("std.mistral_args<tools>", |name, args| format!("⟨[TOOL_CALLS]⟩{name}⟨[ARGS]⟩{}", spaced(args))),
    ("std.harmony<tools>", |name, args| {
        format!("⟨<|channel|>⟩commentary to=functions.{name} ⟨<|constrain|>⟩json⟨<|message|>⟩{args}⟨<|call|>⟩")
    }),
    ("std.deepseek_v3<tools>", |name, args| {
        format!(
            "⟨<｜tool▁calls▁begin｜>⟩⟨<｜tool▁call▁begin｜>⟩function⟨<｜tool▁sep｜>⟩{name}\n```json\n{}\n```⟨<｜tool▁call▁end｜>⟩⟨<｜tool▁calls▁end｜>⟩",
            spaced(args)
        )
    }),
    ("std.deepseek_v31<tools>", |name, args| {
        format!(
            "⟨<｜tool▁calls▁begin｜>⟩⟨<｜tool▁call▁begin｜>⟩{name}⟨<｜tool▁sep｜>⟩{}⟨<｜tool▁call▁end｜>⟩⟨<｜tool▁calls▁end｜>⟩",
            spaced(args)
        )
    }),
    ("std.deepseek_v32<tools>", |name, args| {
        format!("<｜DSML｜function_calls>\n{}\n</｜DSML｜function_calls>", dsml(name, args))
    }),
    ("std.deepseek_v4<tools>", |name, args| {
        format!("<｜DSML｜tool_calls>\n{0}\n{0}\n</｜DSML｜tool_calls>", dsml(name, args))
    }),
    ("std.qwen_coder<tools>", |name, args| {
        let fields = fields(args, |key, value| format!("<parameter={key}>\n{value}\n</parameter>\n"));
        format!("<tool_call>\n<function={name}>\n{}</function>\n</tool_call>", fields.concat())
    }),
    ("std.glm<tools>", |name, args| {
        let fields = fields(args, |key, value| format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n"));
        format!("<tool_call>{name}\n{}</tool_call>", fields.concat())
    }),
    ("std.glm47<tools>", |name, args| {
        let fields = fields(args, |key, value| format!("<arg_key>{key}</arg_key><arg_value>{value}</arg_value>"));
        format!("<tool_call>{name}{}</tool_call>", fields.concat())
    }),
    ("std.minimax<tools>", |name, args| {
        let fields = fields(args, |key, value| format!("<parameter name=\"{key}\">{value}</parameter>\n"));
        let invoke = format!("<invoke name=\"{name}\">\n{}</invoke>\n", fields.concat());
        format!("<minimax:tool_call>\n{invoke}{invoke}</minimax:tool_call>")
    }),
    ("std.kimi<tools>", |name, args| {
        format!(
            "⟨<|tool_calls_section_begin|>⟩⟨<|tool_call_begin|>⟩functions.{name}:0⟨<|tool_call_argument_begin|>⟩{}⟨<|tool_call_end|>⟩⟨<|tool_calls_section_end|>⟩",
            spaced(args)
        )
    }),
    ("std.command_r<tools>", |name, args| {
        format!(
            "⟨<|START_ACTION|>⟩[\n    {{\"tool_call_id\": \"0\", \"tool_name\": {}, \"parameters\": {}}}\n]⟨<|END_ACTION|>⟩",
            json!(name),
            spaced(args)
        )
    }),
    ("std.command_r_action<tools>", |name, args| {
        let calls = json!([{"tool_name": name, "parameters": args}]);
        format!("Action: ```json\n{}\n```", pretty(&calls))
    }),
    ("std.granite<tools>", |name, args| {
        format!("⟨<|tool_call|>⟩[{{\"name\": {}, \"arguments\": {}}}]", json!(name), spaced(args))
    }),
    ("std.phi4_mini<tools>", |name, args| {
        format!("⟨<|tool_call|>⟩[{{\"name\": {}, \"arguments\": {}}}]⟨<|/tool_call|>⟩", json!(name), spaced(args))
    }),
    ("std.pythonic<tools>", |name, args| format!("[{0}, {0}]", python_call(name, args))),
    ("std.tool_code<tools>", |name, args| format!("```tool_code\n{}\n```", python_call(name, args))),
    ("std.harmony_role<tools>", |name, args| {
        format!(" to=functions.{name}⟨<|channel|>⟩commentary json⟨<|message|>⟩{}⟨<|call|>⟩", spaced(args))
    }),
    ("std.harmony_any<tools>", |name, args| {
        format!(
            " to=functions.{name}⟨<|channel|>⟩commentary ⟨<|constrain|>⟩json⟨<|message|>⟩{}⟨<|call|>⟩",
            spaced(args)
        )
    }),
    ("std.harmony_any<tools>", |name, args| {
        format!("⟨<|channel|>⟩commentary to=functions.{name} json⟨<|message|>⟩{args}⟨<|call|>⟩")
    }),
];

/// Returns a value as Python's `json.dumps(value, indent=4)` prints it.
fn pretty(value: &Value) -> String {
    let twice = |line: &str| format!("{}{line}", " ".repeat(line.len() - line.trim_start().len()));
    let lines: Vec<String> = serde_json::to_string_pretty(value).expect("a value").lines().map(twice).collect();
    lines.join("\n")
}

/// The styles in which a string is written as other values may be.
const BARE: [&str; 4] = ["std.qwen_coder<tools>", "std.glm<tools>", "std.glm47<tools>", "std.minimax<tools>"];

/// Writes the fields of an object: strings plainly, other values as JSON.
fn fields(args: &Value, write: impl Fn(&str, String) -> String) -> Vec<String> {
    let Some(object) = args.as_object() else { return vec!["?".to_owned()] };
    let bare = |value: &Value| value.as_str().map_or_else(|| spaced(value), str::to_owned);
    object.iter().map(|(key, value)| write(key, bare(value))).collect()
}

/// Writes a call as Python does.
fn python_call(name: &str, args: &Value) -> String {
    let Some(object) = args.as_object() else { return format!("{name}({args})") };
    let arguments: Vec<String> = object.iter().map(|(key, value)| format!("{key}={}", spaced(value))).collect();
    format!("{name}({})", arguments.join(", "))
}

fn dsml(name: &str, args: &Value) -> String {
    let parameter = |key: &str, value: String| {
        let is_string = args[key].is_string();
        format!("<｜DSML｜parameter name=\"{key}\" string=\"{is_string}\">{value}</｜DSML｜parameter>")
    };
    format!("<｜DSML｜invoke name=\"{name}\">\n{}\n</｜DSML｜invoke>", fields(args, parameter).join("\n"))
}

/// Returns the object with numbers as strings, which some styles write alike.
fn as_strings(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let string = |value: &Value| if value.is_number() { json!(value.to_string()) } else { value.clone() };
            Value::Object(members.iter().map(|(key, value)| (key.clone(), string(value))).collect())
        }
        other => other.clone(),
    }
}

/// Returns a program with all styles as outputs `S0`, `S1`, ...
fn program() -> String {
    let outputs = STYLES.iter().enumerate().map(|(at, (style, _))| format!("output S{at} = {style}\n"));
    format!("import tools from \"tools.json\"\nimport \"std.tools\" as std\n{}", outputs.collect::<String>())
}

const NAMES: [&str; 9] =
    ["get_weather", "get", "search-all", "a.b/c", "two words", "type", "string", "quote\"d", "naïve"];

/// Makes a schema of closed objects, with some valid and some invalid values.
fn parameters(random: &mut Random) -> (Value, Vec<Value>) {
    let city = match random.below(3) {
        0 => json!({"type": "string", "maxLength": 4}),
        1 => json!({"enum": ["Oslo", "Bern", 3]}),
        _ => json!({"$ref": "#/$defs/city"}),
    };
    let required: Vec<&str> = ["city", "days"].into_iter().filter(|_| random.below(2) == 0).collect();
    let schema = json!({
        "type": "object", "properties": {"city": city, "days": {"type": "integer", "minimum": 0, "maximum": 9}},
        "required": required, "additionalProperties": false, "$defs": {"city": {"type": "string", "pattern": "^[A-Z]"}}
    });
    let values = vec![
        json!({}),
        json!({"city": "Oslo"}),
        json!({"city": "Bern", "days": 3}),
        json!({"city": "bern", "days": 4}),
        json!({"city": 3}),
        json!({"city": "Trondheim"}),
        json!({"days": 9}),
        json!({"days": 10}),
        json!({"city": "Oslo", "more": 1}),
        json!(["Oslo"]),
        json!("Oslo"),
        Value::Null,
    ];
    (schema, values)
}

/// Lists the tools in one of the common shapes.
fn listed(tools: &[(&str, Option<Value>)], shape: u64) -> Value {
    let entry = |(name, schema): &(&str, Option<Value>)| match (shape % 4, schema) {
        (0, Some(schema)) => {
            json!({"type": "function", "function": {"name": name, "description": "d", "parameters": schema}})
        }
        (0, None) => json!({"type": "function", "function": {"name": name}}),
        (1, schema) => json!({"type": "function", "name": name, "parameters": schema}),
        (2, schema) => json!({"name": name, "input_schema": schema.clone().unwrap_or(json!({}))}),
        (_, schema) => json!({"name": name, "title": "T", "inputSchema": schema.clone().unwrap_or(json!({}))}),
    };
    let entries: Vec<Value> = tools.iter().map(entry).collect();
    match shape % 3 {
        0 => json!(entries),
        1 => json!({"model": "m", "tools": entries}),
        _ => json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": entries}}),
    }
}

/// A call is accepted if and only if the tool is listed and its validator accepts the arguments.
#[test]
fn styles_accept_exactly_the_calls_of_the_tools() {
    let mut counts = [0; 2];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut tools: Vec<(&str, Option<Value>)> = Vec::new();
        let mut values = vec![json!({}), json!({"city": "Oslo"})];
        for _ in 0..1 + random.below(5) {
            let name = *random.pick(&NAMES);
            if tools.iter().all(|(known, _)| *known != name) {
                let (schema, some) = parameters(&mut random);
                tools.push((name, (random.below(5) > 0).then_some(schema)));
                values = some;
            }
        }
        let text = listed(&tools, seed).to_string();
        let bench = Bench::new(&program(), &text);
        for (at, (style, write)) in STYLES.iter().enumerate() {
            let automaton = bench.automaton(&format!("S{at}"));
            for name in NAMES.iter().chain(&["gett", ""]) {
                let schema = tools.iter().find(|(known, _)| known == name).map(|(_, schema)| schema.clone());
                let closed = json!({"type": "object", "additionalProperties": false});
                let validator: Option<Validator> =
                    schema.map(|schema| jsonschema::validator_for(&schema.unwrap_or(closed)).unwrap());
                for value in &values {
                    let alike = BARE.contains(style).then(|| as_strings(value));
                    let is_valid =
                        |value: &Value| validator.as_ref().is_some_and(|validator| validator.is_valid(value));
                    let valid = is_valid(value) || alike.as_ref().is_some_and(is_valid);
                    let call = write(name, value);
                    assert_eq!(accepts(&automaton, &call), valid, "seed {seed}, {style}: {call}\n{text}");
                    counts[usize::from(valid)] += 1;
                    if valid {
                        let mut cut = call.clone();
                        cut.pop();
                        assert!(!accepts(&automaton, &cut), "{style}: {cut}");
                    }
                }
            }
        }
    }
    assert!(counts[0] > 1_000 && counts[1] > 300, "{counts:?}");
}

#[test]
fn calls_are_allowed_in_free_text_and_custom_templates() {
    let program = "import \"tools.json\" as mine\nimport hermes from \"std.tools\"\n\
        rule line<name, Args, sign = \"!\"> = \"CALL \" name sign json<Args>\n\
        output Reply = mix<text, hermes<mine>, calls = 0..2>\n\
        output Own = mix<text, any_tool<mine, line, \"?\">>\n\
        output One = json<mine.\"a-b\">\n";
    let tools = json!([{"name": "a-b", "parameters": {"type": "object", "properties": {"x": {"const": 1}}, "required": ["x"]}},
        {"name": "now"}]);
    let bench = Bench::new(program, &tools.to_string());
    let reply = bench.automaton("Reply");
    assert!(accepts(&reply, "It is <tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call> late"));
    assert!(accepts(&reply, "It is late"));
    assert!(!accepts(&reply, "<tool_call>\n{\"name\": \"then\", \"arguments\": {}}\n</tool_call>"));
    assert!(!accepts(&reply, "<tool_call>"));
    let own = bench.automaton("Own");
    assert!(accepts(&own, "x CALL now?{} y CALL a-b?{\"x\":1}") && !accepts(&own, "CALL now!{}"));
    assert!(accepts(&bench.automaton("One"), "{\"x\":1}"));
}

/// Tools whose input is a text are listed next to other tools, in every style and in both shapes of OpenAI.
#[test]
fn custom_tools_take_texts_of_their_grammars() {
    let patch = "start: begin hunk+ end\nbegin: \"*** Begin Patch\" LF\nend: \"*** End Patch\" LF?\n\
                 hunk: \"*** Add File: \" /(.+)/ LF add+\nadd: \"+\" /(.*)/ LF\n%import common.LF\n";
    let grammar = json!({"type": "grammar", "syntax": "lark", "definition": patch});
    let regex = json!({"type": "grammar", "grammar": {"syntax": "regex", "definition": "[a-z]+|[0-9]{2}"}});
    let list = "item: /[0-9]+/\nlist: item (\",\" item)*\n%ignore \" \"\n";
    let list = json!({"type": "grammar", "grammar": {"syntax": "lark", "start": "list", "definition": list}});
    let tools = json!([
        {"type": "function", "name": "now"},
        {"type": "custom", "name": "patch", "description": "d", "format": grammar},
        {"type": "custom", "custom": {"name": "word", "format": regex}},
        {"type": "custom", "name": "note", "format": {"type": "text"}},
        {"type": "custom", "name": "say"},
        {"type": "custom", "custom": {"name": "list", "format": list}},
    ]);
    let bench = Bench::new(&program(), &tools.to_string());
    let text = "*** Begin Patch\n*** Add File: a.txt\n+one \"two\"\n+\n*** End Patch\n";
    let cases = [
        ("patch", text, true),
        ("patch", "*** Begin Patch\n*** End Patch\n", false),
        ("word", "abc", true),
        ("word", "12", true),
        ("word", "123", false),
        ("note", "any\ntext", true),
        ("list", " 1 , 2 ", true),
        ("list", "1 2", false),
        ("say", "", true),
        ("then", "", false),
    ];
    for (at, (style, write)) in STYLES.iter().enumerate() {
        let automaton = bench.automaton(&format!("S{at}"));
        assert!(accepts(&automaton, &write("now", &json!({}))), "{style}");
        for (name, input, valid) in cases {
            let call = write(name, &json!({"input": input}));
            assert_eq!(accepts(&automaton, &call), valid, "{style}: {call}");
        }
        assert!(!accepts(&automaton, &write("say", &json!({}))), "{style}");
    }
}

#[test]
fn mistakes_in_custom_tools_are_reported() {
    let import = "import \"tools.json\" as t\nimport \"std.tools\" as std\noutput O = std.hermes<t>\n";
    let said = |format: Value| {
        let tools = json!([{"type": "custom", "name": "x", "format": format}]).to_string();
        Bench::new(import, &tools).found().first().cloned().unwrap_or_default()
    };
    let lark = |text: &str| said(json!({"type": "grammar", "syntax": "lark", "definition": text}));
    let recursive = json!({"type": "grammar", "syntax": "lark", "definition": "start: \"a\" start | \"b\"\n"});
    assert!(said(recursive.clone()).contains("no tool of this list can be called"), "{}", said(recursive.clone()));
    let other = json!([{"type": "custom", "name": "x", "format": recursive}, {"name": "now"}]);
    let other = Bench::new(import, &other.to_string());
    assert!(automaton(&other.db, Format::named(other.main, "O")).is_some(), "{:?}", other.found());
    let by_name = |start: &str, syntax: &str| {
        said(
            json!({"type": "grammar", "syntax": syntax, "start": start, "definition": "word: /[a-z]+/\nlist: word (\",\" word)*\n"}),
        )
    };
    assert_eq!((by_name("list", "lark"), by_name("word", "lark")), (String::new(), String::new()));
    assert!(by_name("other", "lark").contains("no rule is called `other`"), "{}", by_name("other", "lark"));
    assert!(by_name("word", "regex").contains("has no rules"), "{}", by_name("word", "regex"));
    assert!(lark("start: other\n").contains("line 1 of the grammar of `x`"), "{}", lark("start: other\n"));
    let regex = said(json!({"type": "grammar", "syntax": "regex", "definition": "(a)\\1"}));
    assert!(regex.contains("the grammar of `x` is not compiled"), "{regex}");
    assert!(said(json!({"type": "grammar", "syntax": "peg", "definition": ""})).contains("`lark` or `regex`"));
    assert!(said(json!({"type": "grammar", "syntax": "lark"})).contains("no `definition`"));
    assert!(said(json!({"type": "markdown"})).contains("`text` or `grammar`"));
    let hosted = json!({"type": "web_search"});
    let alone = Bench::new(import, &json!([hosted]).to_string()).found();
    assert!(alone.iter().any(|one| one.contains("no tool of this list can be called")), "{alone:?}");
    let beside = Bench::new(import, &json!([hosted, {"name": "now"}]).to_string());
    assert!(automaton(&beside.db, Format::named(beside.main, "O")).is_some(), "{:?}", beside.found());
    let tools = diagnostics(&beside.db, beside.tools);
    assert!(tools.iter().any(|one| !one.is_error() && one.message.contains("`web_search`")), "{tools:?}");
}

#[test]
fn misuse_of_tool_lists_is_reported() {
    let first = |program: &str, tools: &str| Bench::new(program, tools).found().first().cloned().unwrap_or_default();
    let import = "import \"tools.json\" as t\nimport \"std.tools\" as std\n";
    let list = r#"[{"name": "a"}]"#;
    let uses = |output: &str, tools: &str| first(&format!("{import}output O = {output}\n"), tools);
    assert!(uses("std.hermes<t>", "{\"type\": \"string\"}").contains("is not a list of tools"));
    assert!(uses("std.hermes<t.a>", list).contains("a list of tools is needed here"));
    assert!(uses("std.hermes<5>", list).contains("a list of tools is needed here"));
    assert!(uses("std.hermez<t>", list).contains("did you mean `hermes`?"));
    assert!(uses("t", list).contains("is a list of tools, not a definition"));
    assert!(uses("any_tool<t>", list).contains("takes a list of tools and how a call is written"));
    assert!(uses("any_tool<t, int>", list).contains("a type or rule that writes a call is needed here"));
    assert!(uses("std.hermes<t>", r#"[{"name": "a"}, {"name": "a"}]"#).contains("two tools are called `a`"));
    assert!(first("import \"std.tolls\" as std\noutput O = std.x\n", list).contains("the standard library has no"));
    assert!(first("import tools from \"tools.json\"\noutput O = tools.b\n", list).contains("has no `b`"));
}

/// Several hundred tools, as some servers have, compile; changing a description changes no masks.
#[test]
fn changed_descriptions_of_many_tools_keep_the_masks() {
    let tool = |at: u64| {
        json!({"name": format!("tool_{at}"), "description": format!("number {at}"), "inputSchema": {"type": "object",
            "properties": {"id": {"type": "string", "maxLength": at + 1}, "kind": {"enum": ["a", "b", format!("c{at}")]}},
            "required": ["id"], "additionalProperties": false}})
    };
    let tools = json!({"tools": (0..300).map(tool).collect::<Vec<_>>()}).to_string();
    let ran: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Arc::clone(&ran);
    let db = Compiler::with_events(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            let name = format!("{database_key:?}");
            log.lock().unwrap().push(name.split('(').next().unwrap_or_default().to_owned());
        }
    });
    let program = "import tools from \"tools.json\"\nimport \"std.tools\" as std\noutput O = std.hermes<tools>\n";
    let mut bench = Bench::on(db, program, &tools);
    let automaton = bench.automaton("O");
    assert!(accepts(&automaton, "<tool_call>\n{\"name\": \"tool_299\", \"arguments\": {\"id\": \"x\"}}\n</tool_call>"));
    assert!(!accepts(
        &automaton,
        "<tool_call>\n{\"name\": \"tool_300\", \"arguments\": {\"id\": \"x\"}}\n</tool_call>"
    ));
    assert!(!accepts(&automaton, "<tool_call>\n{\"name\": \"tool_0\", \"arguments\": {\"id\": \"xy\"}}\n</tool_call>"));
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).unwrap()));
    let vocabulary = VocabularyInput::of(&bench.db, store);
    let build = |bench: &Bench| artifact(&bench.db, Format::named(bench.main, "O"), vocabulary).unwrap().unwrap();
    build(&bench);
    ran.lock().unwrap().clear();
    let (file, edited) = (bench.tools, tools.replace("number 17\"", "the seventeenth tool\""));
    assert_ne!(edited, tools);
    file.set_text(&mut bench.db).to(edited);
    build(&bench);
    let ran = ran.lock().unwrap();
    assert!(
        ran.iter().any(|query| query == "foreign_schema_by") && !ran.iter().any(|query| query == "masks_of"),
        "{ran:?}"
    );
}

#[test]
fn the_standard_library_compiles_and_is_formatted() {
    let text = standard::text("std.tools").unwrap();
    assert_eq!(ogc_grammar::ogc::format(text), text);
    let bench = Bench::new(text, "[]");
    let found = bench.found();
    assert!(found.iter().all(|one| one.contains("no output")), "{found:?}");
}
