//! Splits a text at an offset that is known to lie in it.

use always_assert::never;

/// Returns the parts of a text before and after the offset `at`.
pub(crate) fn cut(text: &[u8], at: usize) -> (&[u8], &[u8]) {
    text.split_at_checked(at).unwrap_or_else(|| {
        never!("byte {} of a text of {} bytes", at, text.len());
        (text, &[])
    })
}
