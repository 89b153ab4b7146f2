//! The comparison in PyTorch (`runtime/cuda/bench/compare`) calls the functions of slots as the library has them: its driver is the fake one of `ogc-cuda`,
//! which tells what is launched.

#![cfg(feature = "cuda")]
#![allow(clippy::disallowed_methods, reason = "compilers read and write files")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ogc_runtime::artifact::{Format, write};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::Vocabulary;

const TOKENIZER: &str = r#"{"model":{"vocab":{"a":0,"b":1,"ab":2}},"decoder":{"type":"ByteLevel"},
    "added_tokens":[{"id":3,"content":"</s>","special":true}]}"#;

const LAUNCHES: &str = "\
    ogc_begin: 4 x 1 blocks of 32 on the default stream\n\
    ogc_locate: 4 x 1 blocks of 32 on the default stream\n\
    ogc_advance: 1 x 1 blocks of 32 on the default stream\n\
    ogc_locate: 1 x 1 blocks of 32 on the default stream\n\
    ogc_step_bf16: 1 x 2 blocks of 256 on the default stream\n\
    ogc_step_bf16: 1 x 2 blocks of 256 on the default stream\n";

/// Returns the automaton of `ab`.
fn automaton() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("ab", 0);
    let [start, middle, end] = [0; 3].map(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, middle);
    builder.edge(middle, b'b', b'b', OpId::NONE, end);
    builder.accept(end);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format"))
}

/// Returns the artifact of `ab` with masks for the tokenizer.
fn artifact() -> Vec<u8> {
    let format = Format::new(automaton());
    let vocabulary = Vocabulary::from_tokenizer_json(TOKENIZER.as_bytes()).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(vocabulary));
    let masks = MaskPack::build(&format.automaton, &store, &PackLimits::default(), |_, _| {}).expect("masks");
    write(&format, Some(&masks))
}

/// Returns whether a program is there and ends well.
fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

#[test]
fn slots_are_stepped_from_python() {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !cfg!(target_os = "linux") || !runs("cc", &["--version"]) || !runs("python3", &["-c", is_new]) {
        return ogc_kit::skip("slots in Python: no Linux, no C compiler `cc`, or no Python 3.10");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("tokenizer.json"), TOKENIZER).expect("a file");
    std::fs::write(place("ab.ogca"), artifact()).expect("a file");
    let here = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut driver = Command::new("cc");
    driver.args(["-std=gnu11", "-shared", "-fPIC", "-o"]).arg(place("libcuda.so"));
    assert!(driver.arg(here("../cuda/tests/fake/cuda.c")).status().is_ok_and(|status| status.success()));
    let test = std::env::current_exe().expect("a path");
    let library = test.parent().expect("a folder").join("libogc_capi.so");
    let mut run = Command::new("python3");
    run.args(["-m", "compare.slots_check"]).arg(library).args([place("tokenizer.json"), place("ab.ogca")]);
    run.current_dir(here("../cuda/bench")).env("PYTHONPYCACHEPREFIX", folder.path());
    let output = run.env("LD_LIBRARY_PATH", folder.path()).env("OGC_FAKE_DRIVER", "Works").output().expect("it runs");
    let [printed, complaints] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{printed}{complaints}");
    assert_eq!(complaints, "");
    let mut lines: Vec<&str> = printed.lines().collect();
    let refused = lines.iter().position(|line| line.starts_with("ogc_slots_step: ")).expect("a refusal");
    assert_eq!(lines.remove(refused), "ogc_slots_step: logits of 1 rows, 2 rows were set");
    assert_eq!(lines.join("\n") + "\n", LAUNCHES);
}
