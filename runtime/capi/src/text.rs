//! Texts for C, which end with a zero byte.

use std::ffi::CString;

use always_assert::never;

/// Returns a text for C; each zero byte in it is replaced by `instead`.
pub(crate) fn c_text(text: &str, instead: &str) -> CString {
    CString::new(text.replace('\0', instead)).unwrap_or_else(|error| {
        never!("a zero byte is left: {}", error);
        CString::default()
    })
}
