//! Inlay hints: what a definition compiles to, and what was inferred.
