//! Checks out the files of a git revision into a temporary folder: a format may import other files, and they change
//! with it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::problem::Problem;

/// The files of a revision; dropping it removes them.
#[derive(Debug)]
pub(super) struct Checkout {
    /// The file as it was at the revision; all other files of the revision lie around it.
    pub(super) file: PathBuf,
    _folder: TempDir,
}

impl Checkout {
    /// Checks out all files of a revision of the repository that holds `file`. The repository's own index and files
    /// stay untouched.
    pub(super) fn of(revision: &str, file: &Path) -> Result<Self, Problem> {
        let failed = |error: io::Error| Problem::Unreadable { path: shown(revision, file).into(), error };
        let folder = tempfile::tempdir().map_err(failed)?;
        let old = check_out(revision, file, folder.path()).map_err(failed)?;
        if !old.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::NotFound, "the revision has no such file")));
        }
        Ok(Self { file: old, _folder: folder })
    }
}

/// Returns the name of a file at a revision in git's notation.
pub(super) fn shown(revision: &str, file: &Path) -> String {
    format!("{revision}:{}", file.display())
}

/// Writes the files of a revision into a folder; returns the path of `file` there.
fn check_out(revision: &str, file: &Path, folder: &Path) -> io::Result<PathBuf> {
    let name = file.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let beside = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let here = git(beside, None, ["rev-parse", "--show-toplevel"])?;
    let prefix = git(beside, None, ["rev-parse", "--show-prefix"])?;
    let tree = format!("{revision}^{{tree}}");
    let tree = git(beside, None, ["rev-parse", "--verify", "--end-of-options", &tree])?;
    let (index, files) = (folder.join("index"), folder.join("files"));
    let mut into = OsString::from("--prefix=");
    into.push(&files);
    // The slash makes it a folder.
    into.push("/");
    let here = Path::new(&here);
    git(here, Some(&index), [OsStr::new("read-tree"), OsStr::new(&tree)])?;
    git(here, Some(&index), [OsStr::new("checkout-index"), OsStr::new("--all"), &into])?;
    Ok(files.join(prefix).join(name))
}

/// Runs git in a folder, with a separate index if `index` is given; returns its output without the trailing line break.
fn git<A: AsRef<OsStr>>(
    folder: &Path,
    index: Option<&Path>,
    arguments: impl IntoIterator<Item = A>,
) -> io::Result<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null());
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let ran = command.output().map_err(|error| io::Error::new(error.kind(), format!("git cannot be run: {error}")))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let said = said.lines().next().unwrap_or("it said nothing").to_owned();
        return Err(io::Error::other(format!("git: {said}")));
    }
    let written = String::from_utf8(ran.stdout).map_err(io::Error::other)?;
    Ok(written.strip_suffix('\n').unwrap_or(&written).to_owned())
}
