//! The header is that of the sources, and programs in C, C++ and Python use the libraries as it says: in C under sanitizers.

#![allow(clippy::disallowed_methods, reason = "compilers read and write files")]
#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use ogc_runtime::artifact::{Format, write, write_pooled};
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits, RowPoolBuilder};
use ogc_runtime::vocabulary::Vocabulary;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs a command; fails with what it printed unless it succeeds. `None` if there is no such program.
fn run(program: &str, arguments: &[&Path]) -> Option<String> {
    let output = match Command::new(program).args(arguments).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            ogc_kit::skip(&format!("a test of the C interface: no {program}"));
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{program} {arguments:?}:\n{printed}");
    Some(printed)
}

/// Returns the folder of the libraries: cargo makes them all when it makes the one that this test is linked with, beside this test.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    test.parent().expect("a folder").to_owned()
}

/// Writes the artifact of `ab+`, and beside it one with masks whose rows are in a pool, and the pool.
fn artifact(folder: &Path) -> PathBuf {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("ab+", 0);
    let [start, middle, end] = [0; 3].map(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, middle);
    builder.edge(middle, b'b', b'b', OpId::NONE, end);
    builder.edge(end, b'b', b'b', OpId::NONE, end);
    builder.accept(end);
    let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format");
    let path = folder.join("ab.ogca");
    let format = Format::new(Arc::new(automaton));
    let texts = [Some("a"), Some("b"), Some("ab"), Some("ba")];
    let vocabulary = Arc::new(Vocabulary::from_tokens(&texts, &[("</s>", 4)]).expect("a vocabulary"));
    let store = MaskStore::new(Arc::clone(&vocabulary));
    let masks = MaskPack::build(&format.automaton, &store, &PackLimits::default(), |_, _| {}).expect("masks");
    let mut pool = RowPoolBuilder::new(&vocabulary);
    pool.add(&masks).expect("rows of this vocabulary");
    let files =
        [("ogca", write(&format, None)), ("ogca.pooled", write_pooled(&format, &masks)), ("ogca.pool", pool.finish())];
    for (ending, bytes) in files {
        std::fs::write(path.with_extension(ending), bytes).expect("a file");
    }
    path
}

#[test]
fn the_committed_header_is_up_to_date() {
    let config = cbindgen::Config::from_file(here("cbindgen.toml")).expect("a configuration");
    let sources = [
        "version",
        "status",
        "vocabulary",
        "format",
        "pool",
        "source/policy",
        "source",
        "matcher",
        "state",
        "events/event",
        "events",
        "tokenizer",
        "forced",
        "canonical",
        "rows",
        "batch",
        "logits",
        "device",
        "slots/records",
        "slots",
        "slots/drafts",
        "llama",
    ];
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| {
        builder.with_src(here(&format!("src/{source}.rs")))
    });
    let mut written = Vec::new();
    builder.generate().expect("a header").write(&mut written);
    let written = String::from_utf8(written).expect("text");
    let path = here("include/ogc.h");
    if std::env::var_os("OGC_BLESS").is_some() {
        std::fs::write(&path, &written).expect("a file");
    }
    let header = std::fs::read_to_string(path).expect("the header");
    assert!(header == written, "include/ogc.h is not that of the sources: run this test with OGC_BLESS=1");
    let functions = functions();
    assert!(functions.len() > 60, "{functions:?}");
    let missing: Vec<_> = functions.iter().filter(|name| !header.contains(&format!("{name}("))).collect();
    assert!(missing.is_empty(), "include/ogc.h lacks {missing:?}: name their files in this test");
}

#[test]
fn the_header_declares_every_name_in_its_comments() {
    let header = std::fs::read_to_string(here("include/ogc.h")).expect("the header");
    let (mut named, mut declared) = (BTreeSet::new(), BTreeSet::new());
    for line in header.lines() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        declared.extend(names(code));
        // `ogc_slots_*` stands for several names.
        named.extend(names(comment).filter(|name| !name.ends_with('_')));
    }
    let missing: Vec<_> = named.difference(&declared).collect();
    assert!(missing.is_empty(), "include/ogc.h speaks of {missing:?}: name the enums in cbindgen.toml");
}

/// Returns the names of the interface in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    words.filter(|word| word.starts_with("ogc_") || word.starts_with("OGC_"))
}

/// Returns the names of the functions that the sources give to C.
fn functions() -> Vec<String> {
    let mut folders = vec![here("src")];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a source");
            // The functions that llama.cpp calls are private.
            let heads = text
                .lines()
                .filter(|line| line.starts_with("pub "))
                .filter_map(|line| line.split_once("extern \"C\" fn "));
            names.extend(heads.filter_map(|(_, head)| Some(head.split_once('(')?.0.to_owned())));
        }
    }
    names
}

#[test]
fn the_header_is_c99_and_cpp() {
    let header = here("include/ogc.h");
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"];
    for (program, standard, language) in [("cc", "-std=c99", "c"), ("c++", "-std=c++11", "c++")] {
        let mut arguments: Vec<&Path> = vec![standard.as_ref(), "-x".as_ref(), language.as_ref()];
        arguments.extend(strict.iter().map(Path::new));
        arguments.push(&header);
        run(program, &arguments);
    }
}

/// Compiles a program in C with the static library and sanitizers, and runs it.
#[track_caller]
fn check_c(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, artifact) = (folder.path().join(name), artifact(folder.path()));
    let (source, include) = (here(&format!("tests/c/{name}.c")), here("include"));
    let library = libraries().join("libogc_capi.a");
    // Symbols of the program can be looked up by name.
    let flags = ["-std=c99", "-g", "-rdynamic", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-I"];
    let mut arguments: Vec<&Path> = flags.iter().map(Path::new).collect();
    arguments.extend([&*include, &source, &library, "-lpthread".as_ref(), "-ldl".as_ref(), "-lm".as_ref()]);
    arguments.extend(["-o".as_ref(), &*program]);
    if run("cc", &arguments).is_some() {
        let printed = run(program.to_str().expect("a path"), &[&artifact]).expect("it is there");
        assert!(printed.ends_with("ok\n"), "{printed}");
    }
}

#[test]
fn c_programs_are_clean_under_sanitizers() {
    check_c("basic");
}

#[test]
fn samplers_fulfil_the_interface_of_llama_cpp() {
    check_c("llama");
}

#[test]
fn python_loads_the_shared_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = libraries().join("libogc_capi.so");
    if let Some(printed) = run("python3", &[&here("tests/basic.py"), &library, &artifact(folder.path())]) {
        assert_eq!(printed, "ok\n");
    }
}
