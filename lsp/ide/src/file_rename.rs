//! File operations: updates imports when files are renamed.
