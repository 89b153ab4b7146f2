//! The version of the library.

use std::ffi::{CStr, c_char};

/// The version, with the zero that C wants.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// Returns the version of this library, `MAJOR.MINOR.PATCH`: UTF-8 that ends with a zero and is valid as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn ogc_version() -> *const c_char {
    CStr::from_bytes_until_nul(VERSION.as_bytes()).unwrap_or_default().as_ptr()
}
