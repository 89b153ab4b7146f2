//! Files on the disk: single ones that an import names, and all formats below the roots of the workspace.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ogc_ide::Language;
use ogc_ide::completion::FolderListing;
use ogc_ide::settings_file;

use crate::files;

/// Maximum length of a file that is read, in bytes.
const LONGEST: u64 = 2 << 20;

/// Maximum length of a vocabulary file, in bytes.
const LONGEST_VOCABULARY: u64 = 256 << 20;

/// Maximum number of formats that are read from the roots.
const MOST: usize = 5_000;

/// Maximum number of folder entries that are examined.
const MOST_ENTRIES: usize = 500_000;

/// Reads a file; `None` if it does not exist, is not a regular file, is too long or is not UTF-8.
pub(crate) fn read(name: &str) -> Option<String> {
    let path = files::path(name)?;
    // Opening a pipe would wait for its writer, so pipes are not opened.
    let is_read = std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LONGEST);
    is_read.then(|| read_plain(&path)).flatten()
}

fn read_plain(path: &Path) -> Option<String> {
    let mut text = String::new();
    let read = File::open(path).ok()?.take(LONGEST + 1).read_to_string(&mut text).ok()?;
    (read as u64 <= LONGEST).then_some(text)
}

/// Reads the file of a vocabulary.
///
/// # Errors
/// The file cannot be read; the sentence gives the reason.
pub(crate) fn read_vocabulary(name: &str) -> Result<Vec<u8>, String> {
    let path = files::path(name).ok_or("its path is not absolute; without a folder open, paths must be")?;
    let about = std::fs::metadata(&path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    if about.len() > LONGEST_VOCABULARY {
        return Err(format!("it has {} bytes; the limit is {LONGEST_VOCABULARY}", about.len()));
    }
    std::fs::read(&path).map_err(|error| error.to_string())
}

/// Reads all `.ogc` and `ogc.toml` files below folders, ordered by name. Hidden folders, links to folders, and the
/// folders of packages and build outputs are skipped.
pub(crate) fn scan(roots: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<String> = roots.to_vec();
    let mut seen = 0;
    while let Some(folder) = open.pop() {
        let Some(entries) = files::path(&folder).and_then(|path| std::fs::read_dir(path).ok()) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST_ENTRIES || found.len() >= MOST {
                found.sort();
                return found;
            }
            let Ok(part) = entry.file_name().into_string() else { continue };
            let name = files::below(&folder, &part);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_left_out(&part) => open.push(name),
                Ok(kind) if !kind.is_dir() && part.ends_with(".ogc") || part == settings_file::NAME => {
                    found.extend(read(&name).map(|text| (name, text)));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Lists the formats and folders in a folder, except hidden ones; empty if the folder cannot be read.
pub(crate) fn list(folder: &str) -> FolderListing {
    let mut listing = FolderListing::default();
    let entries = files::path(folder).and_then(|path| std::fs::read_dir(path).ok());
    for entry in entries.into_iter().flatten().take(MOST).flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Links are followed.
        let is_folder = std::fs::metadata(entry.path()).is_ok_and(|about| about.is_dir());
        if is_folder && !is_left_out(&name) {
            listing.folders.push(name);
        } else if !is_folder && !name.starts_with('.') && Language::of_name(&name).is_ok() {
            listing.files.push(name);
        }
    }
    listing.files.sort();
    listing.folders.sort();
    listing
}

/// Returns whether the scan of a root would find a file.
pub(crate) fn is_scanned(name: &str, root: &str) -> bool {
    let Some(rest) = files::is_below(name, root).then(|| &name[root.trim_end_matches('/').len()..]) else {
        return false;
    };
    let mut parts = rest.split('/').filter(|part| !part.is_empty()).rev();
    parts.next().is_some_and(|file| file.ends_with(".ogc")) && !parts.any(is_left_out)
}

fn is_left_out(folder: &str) -> bool {
    folder.starts_with('.') || matches!(folder, "node_modules" | "target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_below_roots_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap().replace('\\', "/");
        for (name, text) in [
            ("a.ogc", "a"),
            ("b/c/d.ogc", "d"),
            ("b/e.txt", "e"),
            (".hidden/f.ogc", "f"),
            ("node_modules/g.ogc", "g"),
            ("b/target/h.ogc", "h"),
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::fs::write(folder.path().join("broken.ogc"), b"\xff").unwrap();
        std::fs::write(folder.path().join("long.ogc"), " ".repeat(LONGEST as usize + 1)).unwrap();
        let found: Vec<(String, String)> = [("a.ogc", "a"), ("b/c/d.ogc", "d")]
            .map(|(name, text)| (files::below(&root, name), text.to_owned()))
            .into();
        assert_eq!(scan(std::slice::from_ref(&root)), found);
        assert_eq!(scan(&[root.clone(), files::below(&root, "b")]), found, "roots in roots");
        assert!(found.iter().all(|(name, _)| is_scanned(name, &root)));
        assert!(!is_scanned(&files::below(&root, ".hidden/f.ogc"), &root));
        assert!(!is_scanned(&files::below(&root, "b/e.txt"), &root));
    }

    #[test]
    fn folders_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap().replace('\\', "/");
        let formats = ["a.abnf", "b.ebnf", "c.gbnf", "d.lark", "e.ogc", "f.regex", "g.schema.json", "h.json"];
        for name in formats.into_iter().chain([".i.ogc", "j.txt", "k"]) {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        for name in ["sub", ".git", "node_modules", "empty.ogc"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let listing = list(&root);
        assert_eq!(listing.files, formats);
        assert_eq!(listing.folders, ["empty.ogc", "sub"]);
        assert_eq!(list(&files::below(&root, "nowhere")), FolderListing::default());
        assert_eq!(list("untitled"), FolderListing::default());
    }

    #[test]
    fn only_existing_files_are_read() {
        assert_eq!(read("/"), None);
        assert_eq!(read("a.ogc"), None, "a relative name");
        assert_eq!(read("/nowhere/a.ogc"), None);
    }
}
