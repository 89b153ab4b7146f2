//! The version of the library.

use std::ffi::{CStr, c_char};

/// The version, with the zero byte that C needs.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no zero"),
};

/// Returns the version of this library, `MAJOR.MINOR.PATCH`: zero-terminated UTF-8, valid as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn ogc_version() -> *const c_char {
    VERSION.as_ptr()
}
