//! `ogc generate`, with a small model of random weights: what it writes is of the format all the same.

use super::{Folder, Ran};

fn folder() -> Folder {
    let folder = Folder::with(&[
        ("a.ogc", "output Out = { name: \"cat\" | \"dog\", count: 1..12, tags: string<1..4>[0..2] }\n"),
        ("long.regex", "[a-z]{40}"),
        ("named.ogc", "output Out = tok\"<|tool|>\" \"x\"\n"),
        ("no.gguf", "GGUFGGUF"),
    ]);
    std::fs::write(folder.path("tiny.gguf"), ogc_generate::tiny::gguf().expect("a model")).expect("a file");
    folder
}

fn generate(folder: &Folder, file: &str, flags: &[&str]) -> Ran {
    folder.run(&[&["generate", file, "--model", "tiny.gguf", "--prompt", "A pet."], flags].concat())
}

#[test]
fn the_text_is_of_the_format() {
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
fn pieces_make_the_text() {
    let ran = generate(&folder(), "a.ogc", &["--message-format", "json"]);
    let generated = &ran.objects("generated")[0];
    let pieces = ran.objects("piece");
    let text: String = pieces.iter().filter_map(|piece| piece["text"].as_str()).collect();
    assert_eq!(generated["text"], text.as_str());
    assert!(generated["forced"].as_u64() > Some(5) && generated["passes"].as_u64() < generated["tokens"].as_u64());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = folder();
    let short = generate(&folder, "long.regex", &["--max-tokens", "3"]);
    assert!(short.code == 2 && short.out.is_empty() && short.err.contains("raise `--max-tokens`"), "{short:?}");
    let broken = folder.run(&["generate", "a.ogc", "--model", "no.gguf", "--prompt", "x"]);
    assert!(broken.code == 3 && broken.err.contains("no.gguf: cannot be read: version"), "{broken:?}");
    let hot = generate(&folder, "a.ogc", &["--temperature=-1"]);
    assert!(hot.code == 2 && hot.err.contains("0 or more"), "{hot:?}");
    let named = generate(&folder, "named.ogc", &[]);
    assert!(named.code == 3 && named.err.contains("does not have: <|tool|>"), "{named:?}");
}
