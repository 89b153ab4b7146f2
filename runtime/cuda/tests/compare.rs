//! The comparison in PyTorch (`bench/compare`), as far as it works without PyTorch: its plan, and its own tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "corpora are files")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Runs Python in the folder of the comparison; returns its exit code, standard output and standard error.
///
/// `None`, counted as skipped, if no sufficiently new Python is installed.
fn python(arguments: &[&str]) -> Option<(Option<i32>, String, String)> {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    let is_new = "import sys; sys.exit(sys.version_info < (3, 10))";
    let asked = || Command::new("python3").args(["-c", is_new]).status().is_ok_and(|status| status.success());
    if !IS_THERE.get_or_init(asked) {
        ogc_kit::skip("the comparison in PyTorch: no Python 3.10");
        return None;
    }
    let mut run = Command::new("python3");
    run.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bench"));
    run.env("PYTHONPYCACHEPREFIX", Path::new(env!("CARGO_TARGET_TMPDIR")).join("pycache"));
    run.env_remove("OGC_FAKE_DRIVER");
    let output = run.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((output.status.code(), text(output.stdout), text(output.stderr)))
}

/// Writes a file for a test.
fn file(test: &str, name: &str, content: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{test}"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Runs the program on a corpus, with a vocabulary of the characters of JSON.
fn plan(test: &str, corpus: &str, arguments: &[&str]) -> Option<(Option<i32>, String, String)> {
    let corpus = file(test, "corpus.jsonl", corpus);
    let characters = "{}[]\",:0123456789abcdefĠ".chars().enumerate();
    let tokens: Vec<String> = characters.map(|(id, character)| format!("{:?}:{id}", character.to_string())).collect();
    let tokenizer = format!(
        r#"{{"model":{{"vocab":{{{}}}}},"decoder":{{"type":"ByteLevel"}},"added_tokens":[{{"id":30,"content":"</s>","special":true}}]}}"#,
        tokens.join(",")
    );
    let tokenizer = file(test, "tokenizer.json", &tokenizer);
    let given = ["-m", "compare", "--corpus", corpus.to_str().unwrap(), "--tokenizer", tokenizer.to_str().unwrap()];
    python(&[&given, arguments].concat())
}

const TWO_CASES: &str = r#"{"id":"a","schema":true,"tests":[{"valid":false,"data":1},{"valid":true,"data":[1,2]}]}
{"id":"b","schema":{"type":"number"},"tests":[{"valid":true,"data":"no such token: x"}]}
"#;

#[test]
fn a_dry_run_plans_all_arms() {
    let arguments = ["--dry-run", "--device", "cuda", "--models", "1b", "--rows", "1,256", "--threads", "4"];
    let Some((code, printed, complaints)) = plan("all-arms", TWO_CASES, &arguments) else { return };
    assert_eq!((code, &*complaints), (Some(0), ""), "{printed}");
    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some("vocabulary: 31 tokens; texts end with </s>, token 30"));
    assert_eq!(lines.next(), Some("texts: 1, in 6 tokens by longest matches; 1 cannot be written"));
    assert_eq!(
        lines.next(),
        Some("would compare the masks of xgrammar, llguidance and ogc at each token of each text")
    );
    let on_host: Vec<&str> = lines.by_ref().take(12).collect();
    for (rows, threads) in [(1, 1), (1, 4), (256, 1), (256, 4)] {
        for engine in ["xgrammar", "llguidance", "ogc"] {
            let line = format!("would make masks on the host: {rows} rows, {threads} threads, {engine}");
            assert!(on_host.contains(&&*line), "{line}\n{printed}");
        }
    }
    assert_eq!(lines.next(), Some("would build masks, and leave texts out that the device cannot write"));
    let decoded: Vec<&str> = lines.collect();
    let arms = [
        "unconstrained",
        "xgrammar, synchronous",
        "xgrammar, overlapped and batched",
        "llguidance, synchronous",
        "llguidance, overlapped and batched",
        "ogc on the host, synchronous",
        "ogc on the host, overlapped and batched",
        "ogc on the host, overlapped and batched, `mask_logits`",
        "unconstrained, sampler of ogc",
        "ogc on the device, fused `ogc_step`",
    ];
    let expected = [1, 256].into_iter().flat_map(|rows| arms.map(|arm| format!("1b, {rows} rows, {arm}")));
    for (line, arm) in decoded.iter().zip(expected) {
        assert!(line.starts_with(&format!("would decode: {arm}, ")) && line.ends_with(" GB"), "{line}");
    }
    assert_eq!(decoded.len(), 2 * arms.len(), "{printed}");
}

#[test]
fn arms_that_need_a_device_are_skipped_without_one() {
    let arguments = ["--dry-run", "--device", "cpu", "--rows", "2", "--parts", "decode"];
    let Some((code, printed, _)) = plan("processor", TWO_CASES, &arguments) else { return };
    let skipped = printed.lines().filter(|line| line.starts_with("skipped: tiny, 2 rows, ")).count();
    let planned = printed.lines().filter(|line| line.starts_with("would decode: tiny, 2 rows, ")).count();
    assert_eq!((code, planned, skipped), (Some(0), 4, 6), "{printed}");
    for arm in ["`mask_logits`", "sampler of ogc", "fused `ogc_step`"] {
        assert!(printed.contains(&format!("{arm}: needs a device\n")), "{printed}");
    }
}

#[test]
fn invalid_corpora_and_arguments_are_refused() {
    let refused = |test: &str, corpus: &str, arguments: &[&str], code: i32, words: &str| {
        let Some((found, printed, complaints)) = plan(test, corpus, arguments) else { return };
        assert!(found == Some(code) && complaints.contains(words), "{test}: {found:?} {printed}{complaints}");
    };
    refused("line", &format!("{TWO_CASES}{{"), &["--dry-run"], 2, "corpus.jsonl:3: no line of a schema with tests");
    refused("empty", "", &["--dry-run"], 1, "no text that the vocabulary can write");
    refused("end", TWO_CASES, &["--dry-run", "--end", "<end>"], 2, "no token is named <end>");
    refused("rows", TWO_CASES, &["--dry-run", "--rows", "0"], 2, "a number from 1 to 4096, not '0'");
    refused("model", TWO_CASES, &["--dry-run", "--models", "3b"], 2, "no model is named '3b'; there are 1b, 8b, tiny");
}

#[test]
fn the_unit_tests_of_the_comparison_pass() {
    let Some((code, printed, complaints)) = python(&["-m", "unittest", "compare.tests"]) else { return };
    assert!(code == Some(0) && complaints.ends_with("OK\n"), "{printed}{complaints}");
    // Modules that need PyTorch are not imported here, but must at least compile.
    let (code, printed, complaints) = python(&["-m", "compileall", "-q", "compare"]).unwrap();
    assert_eq!(code, Some(0), "{printed}{complaints}");
}
