//! Diagnostics: the findings of a file, as an editor shows them.
