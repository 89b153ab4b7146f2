//! Symbols of a document and of the workspace.
