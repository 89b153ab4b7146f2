//! The line ends of a file and its byte order mark, which tools that rewrite the file keep.

use std::borrow::Cow;

/// The line ends of a file: those of most of its lines, and `\n` if there is a tie.
///
/// ```
/// use ogc_grammar::LineEnds;
/// assert_eq!(LineEnds::of("a\r\nb\r\n"), LineEnds::CrLf);
/// assert_eq!(LineEnds::of("a\r\nb\n"), LineEnds::Lf);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
}

impl LineEnds {
    /// Returns the line ends of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let pairs = text.matches("\r\n").count();
        let all = text.matches('\n').count();
        if pairs > all - pairs { Self::CrLf } else { Self::Lf }
    }

    /// Converts the `\n` of a generated text to these line ends. A `\r\n` in it stays, because it was copied from a
    /// file.
    ///
    /// ```
    /// use ogc_grammar::LineEnds;
    /// assert_eq!(LineEnds::CrLf.written("a\nb\r\n"), "a\r\nb\r\n");
    /// assert_eq!(LineEnds::Lf.written("a\nb\r\n"), "a\nb\r\n");
    /// ```
    #[must_use]
    pub fn written(self, text: &str) -> Cow<'_, str> {
        if self == Self::Lf || !text.contains('\n') {
            return Cow::Borrowed(text);
        }
        let mut written = String::with_capacity(text.len() + text.len() / 16);
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(bare) if !bare.ends_with('\r') => written.extend([bare, "\r\n"]),
                _ => written.push_str(line),
            }
        }
        Cow::Owned(written)
    }
}
