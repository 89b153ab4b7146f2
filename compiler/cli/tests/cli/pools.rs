//! `ogc build -o FOLDER`: small artifacts next to one pool of rows.

use std::path::PathBuf;
use std::sync::Arc;

use ogc_runtime::artifact::{Artifact, LoadError};
use ogc_runtime::mask::{MaskStore, RowPool};
use ogc_runtime::vocabulary::Vocabulary;

use super::Folder;
use super::rebuild::vocabulary;

const FORMATS: [(&str, &str); 3] = [
    ("f/a.ogc", "output One = { name: string<1..9>, age?: int }\noutput Two = \"2\" /[a-f]{2,8}/\n"),
    ("f/b.gbnf", "root ::= \"a\" [a-z]* \"b\"\n"),
    ("f/c.schema.json", "{\"type\":\"array\",\"items\":{\"enum\":[\"red\",\"green\",1]}}"),
];

const ARTIFACTS: [&str; 4] = ["a.ogc.One.ogca", "a.ogc.Two.ogca", "b.gbnf.ogca", "c.schema.json.ogca"];

fn folder() -> Folder {
    let folder = Folder::with(&FORMATS);
    folder.write("v.tiktoken", &vocabulary("YWI= 256\nIn0= 257\n"));
    folder
}

fn build(folder: &Folder, more: &[&str]) {
    let ran = folder
        .run(&[&["build", "--vocab", "v.tiktoken", "--end", "</s>=300", "--message-format", "json"], more].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// Returns the pools in a folder.
fn pools(folder: &Folder) -> Vec<PathBuf> {
    let names = std::fs::read_dir(folder.path("out")).expect("a folder").map(|entry| entry.expect("a file").path());
    names.filter(|path| path.extension().is_some_and(|extension| extension == "ogcp")).collect()
}

fn load(folder: &Folder, name: &str) -> Result<Artifact, LoadError> {
    let [pool] = pools(folder).try_into().expect("one pool");
    let pool = Arc::new(RowPool::open(std::fs::read(pool).expect("a pool"))?);
    Artifact::load_with(std::fs::read(folder.path("out").join(name)).expect("an artifact"), &pool)
}

/// Compares the masks of both artifacts along all short texts.
fn assert_same_masks(one: &Artifact, other: &Artifact, store: &Arc<MaskStore>) {
    let start = [one, other].map(|artifact| artifact.matcher(Arc::clone(store)).expect("a matcher"));
    let (mut todo, mut seen) = (vec![start], 0);
    while let Some([mut one, mut other]) = todo.pop() {
        seen += 1;
        let tokens = one.mask().expect("a mask").tokens();
        assert_eq!(tokens, other.mask().expect("a mask").tokens());
        if seen > 300 {
            return;
        }
        for &token in tokens.iter().step_by(1 + tokens.len() / 4) {
            let mut next = [one.fork(), other.fork()];
            next.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("the mask allows it"));
            todo.push(next);
        }
    }
}

#[test]
fn masks_of_pooled_and_self_contained_artifacts_are_equal() {
    let (pooled, own) = (folder(), folder());
    build(&pooled, &["f", "-o", "out"]);
    build(&own, &["f", "-o", "out", "--self-contained"]);
    assert!(pools(&own).is_empty());
    let bytes = std::fs::read(own.path("v.tiktoken")).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(Vocabulary::from_tiktoken(&bytes, &[("</s>", 300)]).expect("a vocabulary")));
    for name in ARTIFACTS {
        let alone = std::fs::read(own.path("out").join(name)).expect("an artifact");
        let small = std::fs::read(pooled.path("out").join(name)).expect("an artifact");
        assert!(matches!(Artifact::load(small), Err(LoadError::NoPool { .. })), "{name}");
        let alone = Artifact::load(alone).expect(name);
        assert_same_masks(&load(&pooled, name).expect(name), &alone, &store);
    }
}

#[test]
fn a_build_extends_an_existing_pool() {
    let folder = folder();
    build(&folder, &["f/b.gbnf", "-o", "out"]);
    let before = std::fs::read(folder.path("out/b.gbnf.ogca")).expect("an artifact");
    build(&folder, &["f/a.ogc", "f/c.schema.json", "-o", "out"]);
    assert_eq!(before, std::fs::read(folder.path("out/b.gbnf.ogca")).expect("an artifact"));
    ARTIFACTS.iter().for_each(|name| assert!(load(&folder, name).is_ok(), "{name}"));
}

#[test]
fn concurrent_builds_lose_no_pool_rows() {
    let folder = folder();
    let start = |format: &str| {
        let arguments = ["build", format, "--vocab", "v.tiktoken", "--end", "</s>=300", "-o", "out"];
        folder.command(&arguments).stdout(std::process::Stdio::null()).spawn().expect("the program runs")
    };
    for _ in 0..5 {
        let running = FORMATS.map(|(name, _)| start(name));
        for mut one in running {
            assert!(one.wait().expect("it ends").success());
        }
        ARTIFACTS.iter().for_each(|name| assert!(load(&folder, name).is_ok(), "{name}"));
        std::fs::remove_dir_all(folder.path("out")).expect("a folder");
    }
}

#[test]
fn a_deleted_pool_is_rebuilt() {
    let folder = folder();
    build(&folder, &["f", "-o", "out"]);
    pools(&folder).iter().for_each(|pool| std::fs::remove_file(pool).expect("a file"));
    build(&folder, &["f", "-o", "out"]);
    ARTIFACTS.iter().for_each(|name| assert!(load(&folder, name).is_ok(), "{name}"));
}

#[test]
fn a_damaged_pool_is_an_error_that_says_what_to_do() {
    let folder = folder();
    build(&folder, &["f/b.gbnf", "-o", "out"]);
    let pool = pools(&folder).remove(0);
    let mut bytes = std::fs::read(&pool).expect("a pool");
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&pool, bytes).expect("a file");
    let ran = folder.run(&["build", "f/a.ogc", "--vocab", "v.tiktoken", "--end", "</s>=300", "-o", "out"]);
    assert!(ran.code == 3 && ran.err.contains("remove it and build its formats again"), "{ran:?}");
}
