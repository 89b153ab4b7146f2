//! Reading and writing files: within limits, and only where something changes.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ogc_compiler::db::Language;

use crate::problem::Problem;

/// How deep directories are searched.
const MAX_DEPTH: usize = 32;

/// The bytes of a file, of standard input for `-`; at most `limit`.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    let unreadable = |error| Problem::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let file = File::open(path).map_err(unreadable)?;
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 <= limit {
        return Ok(bytes);
    }
    let known = fs::metadata(path).ok().map(|metadata| metadata.len()).filter(|&len| len > limit);
    let given = known.map_or_else(|| format!("more than {limit}"), |len| len.to_string());
    Err(Problem::TooLarge { path: path.to_owned(), given, limit })
}

/// There is something at the path that is no file, so that reading it may never end: a pipe, a terminal, a directory. Only people
/// who name such a thing themselves mean it.
pub(crate) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The text of a file, to the byte.
pub(crate) fn read_exact_text(path: &Path, limit: u64) -> Result<String, Problem> {
    String::from_utf8(read(path, limit)?)
        .map_err(|error| Problem::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// The text of a file; a byte order mark at its beginning is dropped.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, Problem> {
    let text = read_exact_text(path, limit)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A format to build, and its path below the directory that was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) relative: PathBuf,
}

/// The formats that the paths name: files as they are, directories searched for formats, in order of their names.
pub(crate) fn formats(paths: &[PathBuf]) -> Result<Vec<Found>, Problem> {
    let found = matching(paths, |name| Language::of_name(name).is_ok())?;
    if found.is_empty() {
        return Err(Problem::NoFormats { paths: paths.to_vec() });
    }
    Ok(found)
}

/// The files that the paths name: files as they are, directories searched for wanted names, in order of their names.
pub(crate) fn matching(paths: &[PathBuf], wanted: fn(&str) -> bool) -> Result<Vec<Found>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let search = Search { wanted, depth: 0 };
            search.directory(path, Path::new(""), &mut found)?;
        } else {
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            found.push(Found { path: path.clone(), relative });
        }
    }
    Ok(found)
}

/// What is searched for, and how deep the search is.
#[derive(Clone, Copy)]
struct Search {
    wanted: fn(&str) -> bool,
    depth: usize,
}

impl Search {
    fn directory(self, directory: &Path, relative: &Path, found: &mut Vec<Found>) -> Result<(), Problem> {
        let unreadable = |error| Problem::Unreadable { path: directory.to_owned(), error };
        let entries: Result<Vec<_>, _> = fs::read_dir(directory).map_err(unreadable)?.collect();
        let mut entries = entries.map_err(unreadable)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let (path, relative) = (entry.path(), relative.join(&name));
            let kind = entry.file_type().map_err(unreadable)?;
            let name = name.to_string_lossy();
            if kind.is_dir() && self.depth < MAX_DEPTH && !name.starts_with('.') {
                Self { depth: self.depth + 1, ..self }.directory(&path, &relative, found)?;
            } else if !kind.is_dir() && (self.wanted)(&name) && !is_device(&path) {
                found.push(Found { path, relative });
            }
        }
        Ok(())
    }
}

/// Writes a file unless it says the same already; says whether it was written.
///
/// The bytes go to a file beside it first, so that a reader never sees half an artifact.
pub(crate) fn write_changed(path: &Path, bytes: &[u8]) -> Result<bool, Problem> {
    if fs::read(path).is_ok_and(|before| before == bytes) {
        return Ok(false);
    }
    replace(path, bytes).map_err(|error| Problem::Unwritable { path: path.to_owned(), error })?;
    Ok(true)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = PathBuf::from(name);
    fs::write(&new, bytes)?;
    fs::rename(&new, path).inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Writes a file that people wrote before: links stay links, and permissions stay what they are.
pub(crate) fn rewrite(path: &Path, text: &str) -> Result<(), Problem> {
    let unwritable = |error| Problem::Unwritable { path: path.to_owned(), error };
    let target = fs::canonicalize(path).map_err(unwritable)?;
    let permissions = fs::metadata(&target).map_err(unwritable)?.permissions();
    replace(&target, text.as_bytes()).map_err(unwritable)?;
    fs::set_permissions(&target, permissions).map_err(unwritable)
}

/// Writes a file that does not exist yet.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Problem> {
    let problem = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::Exists { path: path.to_owned() },
        _ => Problem::Unwritable { path: path.to_owned(), error },
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(problem)?;
    }
    let mut file = File::create_new(path).map_err(problem)?;
    file.write_all(text.as_bytes()).map_err(problem)
}
