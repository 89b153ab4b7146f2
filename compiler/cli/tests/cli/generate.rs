//! `ogc generate`, with a small model with random weights: its output matches the format all the same.

mod page;

use super::{Folder, Ran};

fn folder() -> Folder {
    let folder = Folder::with(&[
        ("a.ogc", "output Out = { name: \"cat\" | \"dog\", count: 1..12, tags: string<1..4>[0..2] }\n"),
        ("long.regex", "[a-z]{40}"),
        ("named.ogc", "output Out = tok\"<|tool|>\" \"x\"\n"),
        ("no.gguf", "GGUFGGUF"),
    ]);
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf()).expect("a file");
    std::fs::write(folder.path("draft.gguf"), ogc_kit::model::draft_gguf()).expect("a file");
    folder
}

fn generate(folder: &Folder, file: &str, flags: &[&str]) -> Ran {
    folder.run(&[&["generate", file, "--model", "tiny.gguf", "--prompt", "A pet."], flags].concat())
}

#[test]
fn generated_text_matches_the_format() {
    let folder = folder();
    for flags in [&[][..], &["--temperature", "1.5", "--seed", "3", "--top-k", "40"], &["--raw", "--max-tokens", "60"]]
    {
        let ran = generate(&folder, "a.ogc", flags);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.err.contains(" tokens/s") && ran.err.lines().count() == 1, "{ran:?}");
        let judged = folder.run_with(&["run", "a.ogc", "--file", "-"], &ran.out);
        assert_eq!(judged.code, 0, "{ran:?} {judged:?}");
        assert_eq!(generate(&folder, "a.ogc", flags).out, ran.out, "the same again");
        assert_eq!(
            generate(&folder, "a.ogc", &[flags, &["--no-jump"]].concat()).out,
            ran.out,
            "the same without jumps"
        );
    }
}

#[test]
fn a_draft_model_changes_no_text_at_temperature_0_and_kept_tokens_are_shown() {
    let folder = folder();
    let plain = generate(&folder, "a.ogc", &[]);
    let drafts = ["--draft", "draft.gguf", "--draft-sure", "0"];
    for more in [&[][..], &["--draft-tokens", "3", "--speculate", "4", "--threads", "1"]] {
        let flags = &[&drafts, more].concat();
        let ran = generate(&folder, "a.ogc", flags);
        assert_eq!((ran.code, &ran.out), (0, &plain.out), "{ran:?}");
        assert!(ran.err.contains(" drafted kept ("), "{ran:?}");
    }
    // With itself as draft model, a model draws the same tokens as without.
    let warm = ["--temperature", "1", "--seed", "4"];
    let own = generate(&folder, "a.ogc", &[&["--draft", "tiny.gguf", "--draft-sure", "0"][..], &warm].concat());
    assert_eq!(own.out, generate(&folder, "a.ogc", &warm).out, "{own:?}");
    assert!(own.err.contains(" drafted kept (100%)"), "{own:?}");
    let told = generate(&folder, "a.ogc", &[&drafts[..], &["--message-format", "json"]].concat());
    let told = &told.objects("generated")[0];
    assert!(told["drafted"].as_u64() > told["accepted"].as_u64(), "{told}");
    assert!(told["draft_ms"].as_f64() > Some(0.0), "{told}");
}

#[test]
fn an_incompatible_draft_model_is_refused() {
    let folder = folder();
    let mut tokenizer = ogc_kit::model::tokenizer();
    let list = tokenizer.iter_mut().find(|(key, _)| *key == "tokenizer.ggml.tokens").expect("tokens");
    let mut tokens = ogc_kit::model::tokens();
    tokens.swap(3, 9);
    list.1 = ogc_kit::gguf::Value::Array(tokens.iter().map(|token| token.as_str().into()).collect());
    std::fs::write(folder.path("other.gguf"), ogc_kit::model::gguf_with(tokenizer)).expect("a file");
    let cases = [
        (&["--draft", "other.gguf"][..], 2, "`--draft other.gguf`: token 3 is "),
        (&["--draft", "none.gguf"], 3, "none.gguf"),
        (&["--draft", "draft.gguf", "--device", "cuda"], 2, "are not supported on a device"),
        (&["--draft", "draft.gguf", "--draft-tokens", "0"], 2, "a number from 1 to 64 is expected"),
        (&["--draft", "draft.gguf", "--draft-sure", "1.5"], 2, "a number from 0 to 1 is expected"),
        (&["--draft-tokens", "3"], 2, "--draft <FILE>"),
    ];
    for (flags, code, message) in cases {
        let ran = generate(&folder, "a.ogc", flags);
        assert!(ran.code == code && ran.err.contains(message), "{flags:?}: {ran:?}");
    }
}

#[test]
fn a_folder_with_safetensors_is_a_model_too() {
    let folder = folder();
    std::fs::create_dir(folder.path("tiny")).expect("a folder");
    for (name, file) in ogc_kit::model::folder() {
        std::fs::write(folder.path("tiny").join(name), file).expect("a file");
    }
    let flags = ["generate", "a.ogc", "--model", "tiny", "--prompt", "A pet."];
    let ran = folder.run(&flags);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(folder.run_with(&["run", "a.ogc", "--file", "-"], &ran.out).code, 0, "{ran:?}");
    std::fs::remove_file(folder.path("tiny").join("tokenizer.json")).expect("the file");
    let broken = folder.run(&flags);
    let expected = "tiny: cannot be read: the model's `tokenizer.json`: is not in the folder";
    assert!(broken.code == 3 && broken.err.contains(expected), "{broken:?}");
}

#[test]
fn streamed_pieces_concatenate_to_the_text() {
    let ran = generate(&folder(), "a.ogc", &["--message-format", "json"]);
    let generated = &ran.objects("generated")[0];
    let pieces = ran.objects("piece");
    let text: String = pieces.iter().filter_map(|piece| piece["text"].as_str()).collect();
    assert_eq!(generated["text"], text.as_str());
    assert!(generated["forced"].as_u64() > Some(5) && generated["passes"].as_u64() < generated["tokens"].as_u64());
}

#[test]
fn formats_and_options_that_cannot_be_generated_are_refused() {
    let folder = folder();
    let short = generate(&folder, "long.regex", &["--max-tokens", "3"]);
    assert!(short.code == 2 && short.out.is_empty() && short.err.contains("raise `--max-tokens`"), "{short:?}");
    let broken = folder.run(&["generate", "a.ogc", "--model", "no.gguf", "--prompt", "x"]);
    assert!(broken.code == 3 && broken.err.contains("no.gguf: cannot be read: version"), "{broken:?}");
    let hot = generate(&folder, "a.ogc", &["--temperature=-1"]);
    assert!(hot.code == 2 && hot.err.contains("from 0 to 2"), "{hot:?}");
    let named = generate(&folder, "named.ogc", &[]);
    assert!(named.code == 3 && named.err.contains("does not have: <|tool|>"), "{named:?}");
}

#[test]
fn events_rebuild_the_text() {
    let folder = folder();
    let flags = ["--temperature", "1", "--message-format", "json"];
    let text = generate(&folder, "a.ogc", &flags).objects("generated")[0]["text"].clone();
    let ran = generate(&folder, "a.ogc", &[&flags[..], &["--events"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.objects("piece").is_empty(), "{ran:?}");
    assert_eq!(ran.objects("generated")[0]["text"], text);
    let value: serde_json::Value = serde_json::from_str(text.as_str().expect("a text")).expect("JSON");
    let events = ran.objects("event");
    let complete = |path: &str| events.iter().find(|event| event["event"] == "value-complete" && event["path"] == path);
    assert_eq!(complete("/count").expect("a number")["text"], value["count"].to_string());
    let grown = events.iter().filter(|event| event["event"] == "string-grows" && event["path"] == "/name");
    assert_eq!(
        grown.filter_map(|event| event["text"].as_str()).collect::<String>(),
        value["name"].as_str().expect("a name")
    );
    assert_eq!(events.last().expect("the end")["event"], "ended");
    let shown = generate(&folder, "a.ogc", &["--temperature", "1", "--events"]);
    assert!(shown.out.contains("field-begins    /name") && !shown.out.contains("{\"name\""), "{shown:?}");
}

#[test]
fn batched_requests_generate_the_same_texts_as_each_alone() {
    let folder = folder();
    let lines = [
        r#"{"prompt": "A pet.", "temperature": 1.2, "seed": 4}"#,
        "",
        r#"{"prompt": "Another.", "format": "long.regex", "max_tokens": 50}"#,
        r#"{"prompt": "A pet.", "format": "long.regex", "max_tokens": 3}"#,
        r#"{"prompt": "A pet.", "system": "Be brief."}"#,
    ];
    std::fs::write(folder.path("all.jsonl"), lines.join("\n")).expect("a file");
    let args = ["generate", "a.ogc", "--model", "tiny.gguf", "--requests", "all.jsonl"];
    let ran = folder.run(&[&args[..], &["--message-format", "json"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    let refused = &ran.objects("not-generated")[0];
    assert_eq!(refused["request"], 4);
    assert!(refused["message"].as_str().is_some_and(|said| said.contains("raise `--max-tokens`")), "{refused}");
    let texts = ran.objects("generated");
    let numbers: Vec<_> = texts.iter().map(|text| text["request"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(3), Some(5)]);
    let alone = |prompt: &str, file: &str, flags: &[&str]| {
        let args = ["generate", file, "--model", "tiny.gguf", "--prompt", prompt];
        folder.run(&[&args[..], flags].concat()).out.trim_end_matches('\n').to_owned()
    };
    assert_eq!(texts[1]["text"], alone("Another.", "long.regex", &["--max-tokens", "50"]));
    assert_eq!(texts[2]["text"], alone("A pet.", "a.ogc", &["--system", "Be brief."]));
    let one = folder.run(&[&args[..], &["--slots", "1"]].concat());
    let shown: Vec<&str> = texts.iter().filter_map(|text| text["text"].as_str()).collect();
    assert_eq!(one.out.lines().collect::<Vec<_>>(), shown, "{one:?}");
    assert!(one.err.contains("error: line 4: ") && one.err.contains("3 texts: "), "{one:?}");
    for (line, message) in [
        (r#"{"prompt": "a", "top_p": 2}"#, "all.jsonl:1: `top_p` is 2; it must be from 0 to 1"),
        (r#"{"prompt": "a", "stop": []}"#, "all.jsonl:1: unknown field `stop`"),
        ("{}", "all.jsonl:1: missing field `prompt`"),
        ("", "no requests"),
    ] {
        std::fs::write(folder.path("all.jsonl"), line).expect("a file");
        let ran = folder.run(&args);
        assert!(ran.code == 2 && ran.err.contains(message), "{ran:?}");
    }
    std::fs::write(folder.path("all.jsonl"), r#"{"prompt": "a"}"#).expect("a file");
    let ran = folder.run(&["generate", "--model", "tiny.gguf", "--requests", "all.jsonl"]);
    assert!(ran.code == 2 && ran.err.contains("all.jsonl:1: there is no `format`"), "{ran:?}");
}

#[test]
fn a_bias_changes_the_chosen_tokens() {
    let folder = folder();
    std::fs::write(folder.path("ab.regex"), "[ab]{20}").expect("a file");
    let text = |flags: &[&str]| generate(&folder, "ab.regex", flags).out;
    assert_eq!(text(&["--bias", "a=50"]), format!("{}\n", "a".repeat(20)));
    assert_eq!(text(&["--bias", "b=50"]), format!("{}\n", "b".repeat(20)));
    let wrong = [
        ("a", "no TOKEN=NUMBER"),
        ("a=x", "no TOKEN=NUMBER"),
        ("#99999=1", "no token 99999"),
        ("zqx=1", "is not one token, but"),
    ];
    for (bias, message) in wrong {
        let ran = generate(&folder, "ab.regex", &["--bias", bias]);
        assert!(ran.code == 2 && ran.err.contains(message), "{ran:?}");
    }
}

#[test]
fn a_model_is_found_by_the_beginning_of_its_name() {
    let folder = folder();
    std::fs::create_dir(folder.path("models")).expect("a folder");
    std::fs::copy(folder.path("tiny.gguf"), folder.path("models/Tiny-1.Q8.gguf")).expect("a file");
    let run = |name: &str| {
        let mut command = folder.command(&["generate", "a.ogc", "--model", name, "--prompt", "x"]);
        let ran = command.env("OGC_MODELS", folder.path("models")).output().expect("it runs");
        (ran.status.code(), String::from_utf8(ran.stderr).expect("text"))
    };
    assert_eq!(run("tiny-1").0, Some(0));
    let (code, said) = run("other");
    assert!(code == Some(3) && said.contains("other"), "{said}");
    std::fs::copy(folder.path("tiny.gguf"), folder.path("models/tiny-1.Q4.gguf")).expect("a file");
    let (code, said) = run("tiny-1");
    assert!(code == Some(2) && said.contains("write more of the name"), "{said}");
}

#[test]
fn a_device_generates_text_or_says_why_not() {
    let folder = folder();
    let on_cpu = generate(&folder, "a.ogc", &["--device", "cpu"]);
    assert_eq!(on_cpu.code, 0, "{on_cpu:?}");
    let ran = generate(&folder, "a.ogc", &["--device", "cuda"]);
    let refused = if cfg!(feature = "cuda") { "`--device cuda`: " } else { "build it with `--features cuda`" };
    match ran.code {
        // A different order of summation may choose other tokens, but the text matches the format.
        0 => assert_eq!(folder.run_with(&["run", "a.ogc", "--file", "-"], &ran.out).code, 0, "{ran:?}"),
        code => assert!(code == 2 && ran.out.is_empty() && ran.err.contains(refused), "{ran:?}"),
    }
}

#[test]
fn a_call_style_that_the_model_was_not_trained_on_is_a_warning() {
    let folder = Folder::with(&[
        (
            "tools.json",
            r#"[{ "name": "now", "parameters": { "type": "object", "properties": {}, "additionalProperties": false } }]"#,
        ),
        (
            "calls.ogc",
            "import tools from \"tools.json\"\nimport \"std.tools\" as std\nimport Inner from \"inner.ogc\"\n\
          output Same = \"> \" std.hermes<tools>\noutput Other = \"> \" other\nrule other = std.glm47<tools>\noutput Plain = json<std.bare<tools>>\n\
          output Imported = Inner\n",
        ),
        (
            "inner.ogc",
            "import tools from \"tools.json\"\nimport hermes, qwen_coder as q from \"std.tools\"\noutput Inner = q<tools>\noutput Both = q<tools> | \"> \" hermes<tools>\n",
        ),
    ]);
    let mut tokenizer = ogc_kit::model::tokenizer();
    for (key, value) in &mut tokenizer {
        if *key == "tokenizer.chat_template" {
            *value = "{{ tools }}{% for m in messages %}{{ m.content }}{% endfor %}<tool_call> arguments".into();
        }
    }
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf_with(tokenizer)).expect("a file");
    for (file, definition, other) in [
        ("calls.ogc", "Same", None),
        ("calls.ogc", "Plain", None),
        ("calls.ogc", "Other", Some("`std.glm47`")),
        ("calls.ogc", "Imported", Some("`std.qwen_coder`")),
        ("inner.ogc", "Both", None),
    ] {
        let ran = generate(&folder, file, &["-d", definition]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(ran.err.contains("warning"), other.is_some(), "{definition}: {ran:?}");
        assert!(ran.err.contains(other.unwrap_or_default()), "{definition}: {ran:?}");
    }
}
