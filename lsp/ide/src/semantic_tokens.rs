//! Semantic tokens: the kind of every word of a file.
