//! The files of the standard library on the disk: the compiler has their texts, and an editor can only open files. They are
//! written, read-only, to a folder of the user's cache when a name first leads there.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the name of a read-only file with the text of a file of the standard library; `None` where it cannot be written.
pub(crate) fn file(name: &str, text: &str) -> Option<String> {
    let folder = cache(|variable| std::env::var_os(variable))?.join("ogc").join(env!("CARGO_PKG_VERSION"));
    written(&folder, &format!("{name}.ogc"), text)
}

/// Returns the folder of the user's caches.
fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let (cache, home) = match std::env::consts::OS {
        "windows" => ("LOCALAPPDATA", None),
        "macos" => ("XDG_CACHE_HOME", Some("Library/Caches")),
        _ => ("XDG_CACHE_HOME", Some(".cache")),
    };
    absolute(cache).or_else(|| Some(absolute("HOME")?.join(home?)))
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
        let name = written(&inner, "std.x.ogc", "one").unwrap();
        assert!(name.ends_with("/a/b/std.x.ogc") && fs::metadata(&name).unwrap().permissions().readonly());
        let first = fs::metadata(&name).unwrap().modified().unwrap();
        assert_eq!(written(&inner, "std.x.ogc", "one"), Some(name.clone()));
        assert_eq!(fs::metadata(&name).unwrap().modified().unwrap(), first);
        assert_eq!(written(&inner, "std.x.ogc", "two"), Some(name.clone()));
        assert_eq!(fs::read_to_string(&name).unwrap(), "two");
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
        assert_eq!(written(Path::new(&name), "std.x.ogc", "one"), None);
        fs::remove_dir_all(&folder).unwrap();
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
