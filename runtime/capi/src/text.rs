//! Texts for C, which a zero byte ends.

use std::ffi::CString;

use always_assert::never;

/// Returns a text for C; `instead` stands for each zero byte in it.
pub(crate) fn c_text(text: &str, instead: &str) -> CString {
    CString::new(text.replace('\0', instead)).unwrap_or_else(|error| {
        never!("a zero byte is left: {}", error);
        CString::default()
    })
}
