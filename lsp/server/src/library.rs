//! Writes files of the standard library to the disk, as an editor can only open files: read-only, into a folder of the user's cache, when a
//! definition in them is first asked for.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the name of a read-only file with the text of a file of the standard library; `None` where it cannot be written.
pub(crate) fn file(name: &str, text: &str) -> Option<String> {
    let folder = cache(|variable| std::env::var_os(variable))?.join("ogc").join(env!("CARGO_PKG_VERSION"));
    written(&folder, &format!("{name}.ogc"), text)
}

/// The variable that names the folder of the user's caches, and the folder below the home folder where it is not set.
const CACHE: (&str, Option<&str>) = if cfg!(windows) {
    ("LOCALAPPDATA", None)
} else if cfg!(target_os = "macos") {
    ("XDG_CACHE_HOME", Some("Library/Caches"))
} else {
    ("XDG_CACHE_HOME", Some(".cache"))
};

/// Returns the folder of the user's caches.
fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let (cache, below_home) = CACHE;
    absolute(cache).or_else(|| Some(absolute("HOME")?.join(below_home?)))
}

/// Writes a file unless it is there with this text. It is written beside and renamed, so that nobody reads a part of it.
fn written(folder: &Path, name: &str, text: &str) -> Option<String> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|known| known == text.as_bytes()) {
        return shown(&path);
    }
    fs::create_dir_all(folder).ok()?;
    let beside = folder.join(format!("{name}.{}", std::process::id()));
    fs::write(&beside, text).ok()?;
    let mut rights = fs::metadata(&beside).ok()?.permissions();
    rights.set_readonly(true);
    fs::set_permissions(&beside, rights).ok()?;
    fs::rename(&beside, &path).ok()?;
    shown(&path)
}

/// Returns a path as the name of a file, with `/`.
fn shown(path: &Path) -> Option<String> {
    Some(path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_once_and_again_when_its_text_changes() {
        let folder = std::env::temp_dir().join(format!("ogc-library-{}", std::process::id()));
        let inner = folder.join("a/b");
        let name = written(&inner, "std.x.ogc", "one").expect("the folder can be written");
        let about = || fs::metadata(&name).expect("the file is there");
        let time = || about().modified().expect("files have times");
        assert!(name.ends_with("/a/b/std.x.ogc") && about().permissions().readonly());
        let first = time();
        assert_eq!(written(&inner, "std.x.ogc", "one"), Some(name.clone()));
        assert_eq!(time(), first);
        assert_eq!(written(&inner, "std.x.ogc", "two"), Some(name.clone()));
        assert_eq!(fs::read_to_string(&name).expect("text"), "two");
        assert_eq!(fs::read_dir(&inner).expect("a folder").count(), 1);
        assert_eq!(written(Path::new(&name), "std.x.ogc", "one"), None);
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }

    #[test]
    fn the_cache_is_the_users_own() {
        let only = |name: &'static str, value: &'static str| move |asked: &str| (asked == name).then(|| value.into());
        assert_eq!(cache(|_| None), None);
        if cfg!(all(unix, not(target_os = "macos"))) {
            assert_eq!(cache(only("HOME", "/u")), Some("/u/.cache".into()));
            assert_eq!(cache(only("XDG_CACHE_HOME", "/c")), Some("/c".into()));
            assert_eq!(cache(only("XDG_CACHE_HOME", "c")), None);
        }
    }
}
