//! Formatting of a document, of a range, and after a typed character.
