//! The file `ogc.toml`: its diagnostics, completion and hover.
