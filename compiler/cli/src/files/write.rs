//! Writes files: only if they change, and in such a way that no failure leaves half a file or loses a text.
//!
//! The bytes first go to a file with a random name beside the target, which is then renamed to the target: a reader
//! never sees half a file. A failure before that removes the temporary file. Links stay links:
//!
//! * a symbolic link is followed, and its target is replaced;
//! * a source with several hard links is overwritten in place, so that all its names keep the same text;
//! * a device or pipe, such as `/dev/stdout`, is written to.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::problem::Problem;

/// Writes a file unless it has these bytes already; returns whether it was written.
pub(crate) fn write_changed(path: &Path, bytes: &[u8]) -> Result<bool, Problem> {
    let unwritable = |error| Problem::Unwritable { path: path.to_owned(), error };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        let written = OpenOptions::new().write(true).open(&target).and_then(|mut device| device.write_all(bytes));
        return written.map(|()| true).map_err(unwritable);
    }
    let same_length = known.as_ref().is_some_and(|known| known.len() == bytes.len() as u64);
    if same_length && fs::read(&target).is_ok_and(|before| before == bytes) {
        return Ok(false);
    }
    replace(&target, bytes, known.map(|known| known.permissions())).map_err(unwritable)?;
    Ok(true)
}

/// Rewrites a source file: links stay links, and permissions stay as they are.
pub(crate) fn rewrite(path: &Path, text: &str) -> Result<(), Problem> {
    let unwritable = |error| Problem::Unwritable { path: path.to_owned(), error };
    let target = fs::canonicalize(path).map_err(unwritable)?;
    let known = fs::metadata(&target).map_err(unwritable)?;
    let written = if links(&known) > 1 {
        overwrite(&target, text.as_bytes())
    } else {
        replace(&target, text.as_bytes(), Some(known.permissions()))
    };
    written.map_err(unwritable)
}

/// Writes a file that does not exist yet.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Problem> {
    let problem = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::Exists { path: path.to_owned() },
        _ => Problem::Unwritable { path: path.to_owned(), error },
    };
    let new = beside(path, text.as_bytes()).map_err(problem)?;
    new.persist_noclobber(path).map_err(|failed| problem(failed.error))?;
    Ok(())
}

/// Replaces a file by one with these bytes.
fn replace(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let new = beside(target, bytes)?;
    if let Some(permissions) = permissions {
        new.as_file().set_permissions(permissions)?;
    }
    new.persist(target).map_err(|failed| failed.error)?;
    Ok(())
}

/// Writes the bytes to a temporary file beside the target, and syncs it to disk. Dropping it removes the file.
fn beside(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ogc-").suffix(".new");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    Ok(new)
}

/// Overwrites a file in place. A copy of the new bytes lies beside it meanwhile; if overwriting fails half-way, the
/// copy stays, and the error names it.
fn overwrite(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let copy = beside(target, bytes)?;
    let file = OpenOptions::new().write(true).open(target)?;
    lengthen(&file, bytes)?;
    overwrite_start(&file, bytes).map_err(|error| kept(copy, &error))
}

/// First writes the bytes beyond the old end of the file: if there is no room for them, the file stays as it was.
fn lengthen(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    let before = file.metadata()?.len();
    let Some(tail) = usize::try_from(before).ok().and_then(|before| bytes.get(before..)) else { return Ok(()) };
    let written = file.seek(SeekFrom::Start(before)).and_then(|_| file.write_all(tail)).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(file.set_len(before)))
}

fn overwrite_start(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Keeps the copy after a failure, and names it in the error.
fn kept(copy: NamedTempFile, error: &io::Error) -> io::Error {
    let place = copy.keep().map(|(_, place)| place).unwrap_or_else(|failed| PathBuf::from(failed.file.path()));
    io::Error::new(error.kind(), format!("{error}; the whole new text is in {}", place.display()))
}

/// Returns the number of hard links of a file.
#[cfg(unix)]
fn links(known: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(known)
}

/// Returns 1: the number of hard links is not known on this system.
#[cfg(not(unix))]
fn links(_: &fs::Metadata) -> u64 {
    1
}
