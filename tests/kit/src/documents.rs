//! The documentation as data: the pages of `docs/`, the chapters of the language's reference, and the fenced blocks of a page.

#![allow(clippy::disallowed_methods, reason = "the documents are files")]

use std::path::{Path, PathBuf};

/// A fenced block of a page.
#[derive(Clone, Debug)]
pub struct Block {
    /// The words behind the opening fence, such as `ogc,error unknown-name`.
    pub fence: String,
    /// The lines between the fences, each with its line end.
    pub text: String,
    /// Line of the opening fence, counted from one.
    pub line: usize,
}

/// Returns the root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns README and all pages of `docs/`, sorted by path.
#[must_use]
pub fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("docs"), &mut pages);
    pages.sort();
    pages
}

/// Returns the chapters of the language's reference, sorted by path.
#[must_use]
pub fn reference() -> Vec<PathBuf> {
    let mut chapters = Vec::new();
    collect(&root().join("docs/reference"), &mut chapters);
    chapters.sort();
    chapters
}

/// Returns the text of all chapters of the language's reference.
///
/// # Panics
///
/// If a chapter cannot be read.
#[must_use]
pub fn reference_text() -> String {
    let texts = reference().into_iter().map(|path| read(&path));
    texts.collect::<Vec<String>>().join("\n")
}

/// Reads a page.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the fenced blocks of a page.
#[must_use]
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (line, content) in (1..).zip(markdown.lines()) {
        match (&mut open, content.strip_prefix("```")) {
            (None, Some(fence)) => open = Some(Block { fence: fence.to_owned(), text: String::new(), line }),
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => block.text += &format!("{content}\n"),
            (None, None) => {}
        }
    }
    blocks
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}
