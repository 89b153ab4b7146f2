//! Finds the libllama of the process, wherever and however it was loaded.
//!
//! Programs load it in different ways: node loads an addon that is linked with it, and neither is visible to the whole process. So each
//! mapped file is searched for the function. The file that contains it is libllama; it is made visible to the whole process, where the C
//! interface of ogc looks for it.

use std::ffi::{OsString, c_char};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use ogc_capi::{llama_sampler, llama_vocab};

/// `llama_sampler_init_grammar`.
pub(crate) type InitGrammar =
    unsafe extern "C" fn(*const llama_vocab, *const c_char, *const c_char) -> *mut llama_sampler;

/// Opens a library only if it is loaded already.
const RTLD_NOLOAD: i32 = 4;

/// A file that is mapped into the process, with its addresses.
#[derive(Debug)]
struct Mapped {
    start: usize,
    end: usize,
    path: PathBuf,
}

/// Finds the function of libllama that our own function hides, and makes all functions of that libllama visible to the whole process.
pub(crate) fn original(own: InitGrammar) -> Result<InitGrammar, String> {
    let mapped = mapped()?;
    let is_llama = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().contains("llama"));
    let mut asked: Vec<&Path> =
        mapped.iter().map(|mapped| mapped.path.as_path()).filter(|path| is_llama(path)).collect();
    asked.dedup();
    let mut found: Vec<InitGrammar> = asked.into_iter().filter_map(function_of).collect();
    found.retain(|function| *function as usize != own as usize);
    found.sort_unstable_by_key(|function| *function as usize);
    found.dedup_by_key(|function| *function as usize);
    let [function] = found[..] else {
        return Err(format!("{} libraries in the process have llama_sampler_init_grammar, not one", found.len()));
    };
    let file = mapped.iter().find(|mapped| (mapped.start..mapped.end).contains(&(function as usize)));
    let file = file.ok_or("llama_sampler_init_grammar is in no file")?;
    // SAFETY: the library is loaded already, so that none of its code runs now.
    let made_known = unsafe { Library::open(Some(&file.path), RTLD_NOLOAD | RTLD_NOW | RTLD_GLOBAL) };
    made_known.map_err(|error| format!("{}: {error}", file.path.display()))?;
    Ok(function)
}

/// Returns the function that is visible from a loaded file: its own, or that of a library with which it is linked.
fn function_of(path: &Path) -> Option<InitGrammar> {
    // SAFETY: the file is either loaded already, or not opened.
    let library = unsafe { Library::open(Some(path), RTLD_NOLOAD | RTLD_NOW) }.ok()?;
    // SAFETY: the type is that of the declaration in llama.h; whoever loaded the library keeps it while it is used.
    unsafe { library.get::<InitGrammar>(b"llama_sampler_init_grammar\0") }.ok().map(|function| *function)
}

/// Returns the files that are mapped into the process, by ascending address.
fn mapped() -> Result<Vec<Mapped>, String> {
    #[allow(clippy::disallowed_methods, reason = "the system tells of the process in a file")]
    let maps = std::fs::read("/proc/self/maps").map_err(|error| format!("/proc/self/maps: {error}"))?;
    Ok(maps.split(|&byte| byte == b'\n').filter_map(line).collect())
}

/// Parses a line such as `7f00-7f10 r-xp 00000000 08:01 99    /usr/lib/libllama.so`.
fn line(line: &[u8]) -> Option<Mapped> {
    let path = line.iter().position(|&byte| byte == b'/')?;
    let (fields, path) = line.split_at(path);
    let (start, end) = std::str::from_utf8(fields).ok()?.split_once(' ')?.0.split_once('-')?;
    let number = |digits| usize::from_str_radix(digits, 16).ok();
    Some(Mapped { start: number(start)?, end: number(end)?, path: OsString::from_vec(path.to_vec()).into() })
}

#[cfg(test)]
mod tests {
    use super::{line, mapped};

    #[test]
    fn lines_of_proc_maps_are_parsed() {
        let read = line(b"7f0010-7f0020 r-xp 00000000 08:01 99    /usr/lib/a b/libllama.so").expect("a file");
        assert_eq!((read.start, read.end, read.path.to_str()), (0x7f0010, 0x7f0020, Some("/usr/lib/a b/libllama.so")));
        assert!(line(b"7f00-7f10 rw-p 00000000 00:00 0").is_none());
        let here = lines_of_proc_maps_are_parsed as *const () as usize;
        let mapped = mapped().expect("maps");
        let own = mapped.iter().find(|mapped| (mapped.start..mapped.end).contains(&here)).expect("the test is mapped");
        assert!(std::env::current_exe().is_ok_and(|path| path == own.path));
    }
}
