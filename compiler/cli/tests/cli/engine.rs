//! `--engine llama`: an unmodified libllama runs the forward passes of `ogc generate`. Skipped without the library,
//! which `tests/models/fetch` installs.

use std::path::PathBuf;

use super::{Folder, Ran};

fn folder() -> Folder {
    let folder = Folder::with(&[(
        "a.ogc",
        "output Out = { name: \"cat\" | \"dog\", count: 1..12, tags: string<1..4>[0..2] }\n",
    )]);
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf()).expect("a file");
    folder
}

fn generate(folder: &Folder, flags: &[&str]) -> Ran {
    folder.run(&[&["generate", "a.ogc", "--model", "tiny.gguf", "--prompt", "x", "--engine", "llama"], flags].concat())
}

/// The folder of the library.
fn library() -> Option<PathBuf> {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
        .then(|| ogc_kit::corpora::find_model("llama.cpp-0.5.0"))
        .flatten()
}

#[test]
fn a_library_given_by_path_or_folder_generates_matching_texts() {
    let Some(library) = library() else { return };
    let folder = folder();
    let path = library.join("libllama.v0.5.0.so");
    for named in [&library, &path] {
        let named = named.to_str().expect("a path");
        for flags in [
            &[][..],
            &["--no-jump"],
            &["--speculate", "3", "--threads", "1", "--gpu-layers", "0"],
            &["--draft", "tiny.gguf", "--draft-sure", "0", "--threads", "1"],
        ] {
            let ran = generate(&folder, &[&["--library", named, "--positions", "300"], flags].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(folder.run_with(&["run", "a.ogc", "--file", "-"], ran.out.trim_end()).code, 0, "{ran:?}");
        }
    }
    // Several concurrent texts, with the library named by the environment.
    std::fs::write(folder.path("r.jsonl"), "{\"prompt\": \"a\"}\n{\"prompt\": \"b\"}\n{\"prompt\": \"c\"}\n")
        .expect("a file");
    let arguments =
        ["generate", "a.ogc", "--model", "tiny.gguf", "--requests", "r.jsonl", "--slots", "2", "--engine", "llama"];
    let ran = folder.command(&arguments).env("OGC_LLAMA", &library).output().expect("it runs");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(String::from_utf8(ran.stdout).expect("text").lines().count(), 3);
}

#[test]
fn unusable_engines_are_refused_with_advice() {
    let folder = folder();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    std::fs::write(folder.path("no.so"), "no library").expect("a file");
    let check = |flags: &[&str], code: i32, part: &str| {
        let ran = generate(&folder, flags);
        assert!(ran.code == code && ran.out.is_empty() && ran.err.contains(part), "{ran:?}");
    };
    check(&["--library", "empty"], 2, "has no ");
    check(&["--library", "no.so"], 2, "cannot be loaded");
    check(&["--library", "missing.so"], 3, "missing.so");
    check(&["--library", "no.so", "--device", "cuda"], 2, "--gpu-layers");
    let embedded = |flag: &str| generate(&folder, &["--engine", "embedded", flag, "1"]);
    for flag in ["--library", "--gpu-layers"] {
        let ran = folder.run(&["generate", "a.ogc", "--model", "tiny.gguf", "--prompt", "x", flag, "1"]);
        assert!(ran.code == 2 && ran.err.contains("--engine llama"), "{ran:?}");
        assert_eq!(embedded(flag).code, 2);
    }
    let ran = folder.run(&["generate", "a.ogc", "--model", "tiny.gguf", "--prompt", "x", "--threads", "1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = folder.run(&["serve", "--upstream", "http://127.0.0.1:9", "--engine", "llama"]);
    assert!(ran.code == 2 && ran.err.contains("`--engine`"), "{ran:?}");
    let Some(library) = library() else { return };
    let library = library.to_str().expect("a path");
    let whole = ogc_kit::model::gguf();
    std::fs::write(folder.path("tiny.gguf"), &whole[..whole.len() - 100]).expect("a file");
    check(&["--library", library], 2, "libllama does not load");
    std::fs::write(folder.path("tiny.gguf"), b"no model").expect("a file");
    check(&["--library", library], 3, "tiny.gguf");
}
