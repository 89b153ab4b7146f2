//! Tests that the bench runs. Its figures are meaningful only in the release profile, its verdicts in every profile.

use std::process::Command;

/// Runs the bench on a pack and a vocabulary of the corpora; `None`, counted as skipped, if they are absent.
fn bench(arguments: &[&str], pack: Option<&str>) -> Option<String> {
    let vocabulary = ogc_kit::corpora::find("tokenizers/llama-3.1/tokenizer.json")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_ogc-bench"));
    command.arg(arguments[0]);
    if let Some(pack) = pack {
        command.arg(ogc_kit::corpora::find(pack)?);
    }
    let output = command.args(&arguments[1..]).arg("--vocab").arg(vocabulary).output().expect("the bench starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    Some(text(&output.stdout))
}

#[test]
fn schemas_are_measured_beside_the_peer() {
    let Some(said) = bench(&["maskbench", "--limit", "8"], Some("maskbench-dev.jsonl.zst")) else { return };
    assert!(said.contains("llguidance"), "{said}");
}

#[test]
fn edits_are_measured() {
    let Some(said) = bench(&["edits", "--edits", "3"], None) else { return };
    assert!(!said.is_empty());
}
