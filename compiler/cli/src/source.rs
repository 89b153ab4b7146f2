//! Source texts as the command line names them: by a path, or `-` for standard input.

use std::path::Path;

/// Maximum length of a format that the parsers read, in bytes, whatever `--max-input` says.
pub(crate) const MAX_FORMAT: u64 = 32 << 20;

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// A source text and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
}

/// Returns whether a path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
