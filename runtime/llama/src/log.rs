//! The log of libllama. Its errors are kept, because its functions do not return reasons. Nothing is written to standard error.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, PoisonError};

/// Type of the function that libllama calls for each piece of its log.
pub(crate) type LogCallback = unsafe extern "C" fn(i32, *const c_char, *mut c_void);

/// The level of errors.
const ERROR: i32 = 4;

/// The level of a piece that continues the previous one.
const GOES_ON: i32 = 5;

/// Cap on the bytes of errors that are kept.
const MOST: usize = 1000;

/// The errors since the last reset, and whether the last piece was an error.
static ERRORS: Mutex<(String, bool)> = Mutex::new((String::new(), false));

/// Keeps a piece of the log if it belongs to an error.
///
/// # Safety
/// The text ends with a zero byte, and does not change during the call.
pub(crate) unsafe extern "C" fn keep(level: i32, text: *const c_char, _: *mut c_void) {
    let mut errors = ERRORS.lock().unwrap_or_else(PoisonError::into_inner);
    let is_error = level == ERROR || level == GOES_ON && errors.1;
    errors.1 = is_error;
    if !is_error || text.is_null() || errors.0.len() > MOST {
        return;
    }
    // SAFETY: the caller upholds this function's conditions.
    let text = unsafe { CStr::from_ptr(text) };
    errors.0.push_str(&text.to_string_lossy());
}

/// Forgets all errors.
pub(crate) fn forget() {
    *ERRORS.lock().unwrap_or_else(PoisonError::into_inner) = (String::new(), false);
}

/// Returns the errors that were logged since [`forget`], on one line; `otherwise` if there were none.
pub(crate) fn errors(otherwise: &str) -> String {
    let errors = ERRORS.lock().unwrap_or_else(PoisonError::into_inner);
    let lines: Vec<&str> = errors.0.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { otherwise.to_owned() } else { lines.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logged_errors_are_kept_with_their_continuations() {
        forget();
        assert_eq!(errors("nothing"), "nothing");
        for (level, text) in
            [(2, c"loading"), (5, c"...\n"), (4, c"load: no "), (5, c"tensor\n"), (4, c"load: gave up\n")]
        {
            // SAFETY: the texts are C strings.
            unsafe { keep(level, text.as_ptr(), std::ptr::null_mut()) };
        }
        assert_eq!(errors("nothing"), "load: no tensor; load: gave up");
        forget();
        // SAFETY: a null text is not read.
        unsafe { keep(4, std::ptr::null(), std::ptr::null_mut()) };
        assert_eq!(errors("nothing"), "nothing");
    }
}
