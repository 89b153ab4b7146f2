//! `ogc fit`: disagreements of a model and a format. A small model with random weights wants arbitrary tokens; SmolLM2
//! behaves like a real model.

use serde_json::Value;

use super::{Folder, Ran};

const PERSON: &str = "type Mood = \"happy\" | \"sad\"\ntype Person = { name: string<1..40>, age: int<0..150>, mood: Mood }\n\
                      output Out = Person\n";

fn folder() -> Folder {
    let folder = Folder::with(&[
        ("a.ogc", PERSON),
        ("broken.ogc", "output Out = Missing\n"),
        ("a.gbnf", "root ::= \"yes \" [a-z]{3}\n"),
        ("long.regex", "[a-z]{40}"),
        ("p.txt", "A pet.\n\nAnother pet.\n"),
        (
            "p.jsonl",
            "{\"prompt\": \"A pet.\"}\n{\"messages\": [{\"role\": \"user\", \"content\": \"Another pet.\"}]}\n",
        ),
        ("empty.txt", "\n"),
    ]);
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf()).expect("a file");
    folder
}

fn fit(folder: &Folder, file: &str, flags: &[&str]) -> Ran {
    folder.run(&[&["fit", file, "--model", "tiny.gguf"], flags].concat())
}

/// Checks that findings are ordered by probability and lie inside their files; returns their codes.
fn codes(folder: &Folder, ran: &Ran) -> Vec<String> {
    let found = ran.objects("diagnostic");
    let mass = |found: &Value| -> f64 {
        let (_, rest) = found["message"].as_str().expect("a message").rsplit_once("refused ").expect("its mass");
        rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert!(found.is_sorted_by(|one, other| mass(one) >= mass(other)), "{found:#?}");
    for one in &found {
        let text = folder.read(one["file"].as_str().expect("a file"));
        assert!(one["span"]["end"].as_u64() <= Some(text.len() as u64), "{one}");
        assert!(one["help"].is_string(), "{one}");
    }
    found.iter().filter_map(|found| found["code"].as_str().map(str::to_owned)).collect()
}

#[test]
fn fit_findings_have_spans_and_figures() {
    let folder = folder();
    for (file, prompts) in [("a.ogc", "p.txt"), ("a.ogc", "p.jsonl"), ("a.gbnf", "p.txt")] {
        let ran = fit(&folder, file, &["--prompts", prompts, "--message-format", "json", "--least", "0"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let codes = codes(&folder, &ran);
        assert!(codes.iter().all(|code| code.starts_with("fit-")), "{codes:?}");
        let totals = &ran.objects("fit")[0];
        let number = |name: &str| totals[name].as_f64().expect("a number");
        assert!(number("texts") == 2.0 && number("places") > number("tokens"), "{totals}");
        assert!(number("refused") > 0.5 && number("refused") < 1.0, "a random model wants anything: {totals}");
        assert!(number("first_refused") <= number("places") && number("over_budget") < 0.01, "{totals}");
    }
}

#[test]
fn fit_obeys_lint_levels_and_thresholds() {
    let folder = folder();
    let shown = fit(&folder, "a.ogc", &["--prompts", "p.txt", "--least", "0.001"]);
    assert!(shown.code == 0 && shown.out.contains("2 texts of") && shown.err.contains("[fit-"), "{shown:?}");
    let code = shown.err.split("[fit-").nth(1).and_then(|rest| rest.split(']').next()).expect("a code");
    let code = format!("fit-{code}");
    let denied = fit(&folder, "a.ogc", &["--prompts", "p.txt", "--least", "0.001", "-D", &code]);
    assert_eq!(denied.code, 1, "{denied:?}");
    let allowed = fit(&folder, "a.ogc", &["--prompts", "p.txt", "--least", "0.001", "-A", &code]);
    assert!(allowed.code == 0 && !allowed.err.contains(&code), "{allowed:?}");
    let few = fit(&folder, "a.ogc", &["--prompts", "p.txt", "--least", "1000"]);
    assert!(few.code == 0 && !few.err.contains("[fit-") && few.err.contains("--least 0"), "{few:?}");
}

#[test]
fn fit_refuses_unusable_prompts_formats_and_options() {
    let folder = folder();
    let refused = |file: &str, flags: &[&str], code: i32, message: &str| {
        let ran = fit(&folder, file, flags);
        assert!(ran.code == code && ran.err.contains(message), "{message}: {ran:?}");
    };
    refused("a.ogc", &["--prompts", "none.txt"], 3, "none.txt");
    refused("a.ogc", &["--prompts", "empty.txt"], 2, "has no prompts");
    refused("broken.ogc", &["--prompts", "p.txt"], 1, "unknown-name");
    refused("long.regex", &["--prompts", "p.txt", "--max-tokens", "3"], 2, "p.txt:1: ");
    refused("a.ogc", &["--prompts", "p.txt", "--least=-1"], 2, "from 0 on");
    for (line, message) in [
        ("{}", "p.jsonl:1: expected `prompt`"),
        ("{\"prompt\": \"a\", \"messages\": []}", "p.jsonl:1: expected `prompt`"),
        ("{\"prompt\": \"a\", \"seed\": 1}", "p.jsonl:1: unknown field `seed`"),
        ("no", "p.jsonl:1: "),
    ] {
        std::fs::write(folder.path("p.jsonl"), line).expect("a file");
        refused("a.ogc", &["--prompts", "p.jsonl"], 2, message);
    }
    std::fs::write(folder.path("p.jsonl"), "{\"messages\": [{}]}").expect("a file");
    refused("a.ogc", &["--prompts", "p.jsonl", "--raw"], 2, "leave `--raw` out");
}

/// A model trained on JSON writes `": "`: the finding reports it, and its correction removes the disagreement.
#[test]
fn the_fix_for_white_space_satisfies_a_real_model() {
    let Some(model) = ogc_kit::corpora::find_model("SmolLM2-135M-Instruct.Q4_1.gguf") else { return };
    let folder = folder();
    folder.write(
        "reversed.ogc",
        "type Person = { city: string<1..30>, age: int<0..150>, name: string<1..40> }\noutput Out = Person\n",
    );
    folder.write(
        "p.txt",
        "Invent a person with name, age and mood. Answer in JSON.\nA sailor, as JSON: name, age, mood.\n",
    );
    let model = model.to_str().expect("a path");
    let fit = |file: &str| {
        let flags = ["fit", file, "--model", model, "--prompts", "p.txt", "--message-format", "json", "--least", "0.1"];
        let ran = folder.run(&[&flags[..], &["--max-tokens", "100"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        (codes(&folder, &ran), ran)
    };
    let (before, ran) = fit("a.ogc");
    assert_eq!(before[0], "fit-space", "{ran:?}");
    let found = &ran.objects("diagnostic")[0];
    assert!(found["help"].as_str().is_some_and(|help| help.contains("policy space")), "{found}");
    let edit = &found["fix"]["edits"][0];
    assert_eq!((&edit["span"]["start"], &edit["span"]["end"]), (&0.into(), &0.into()), "{found}");
    folder.write("fixed.ogc", &format!("{}{PERSON}", edit["text"].as_str().expect("a text")));
    let refused = |ran: &Ran| ran.objects("fit")[0]["refused"].as_f64().expect("a number");
    let (_, after) = fit("fixed.ogc");
    assert!(refused(&after) < refused(&ran) * 0.8, "{} {}", refused(&after), refused(&ran));
    let (reversed, ran) = fit("reversed.ogc");
    assert!(reversed.contains(&"fit-order".to_owned()), "{ran:?}");
    assert!(ran.out.contains("in another order, `name`"), "{ran:?}");
}
