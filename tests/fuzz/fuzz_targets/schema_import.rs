//! Any text as a JSON Schema: an automaton or errors, within the limits, and no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::json_schema::{Limits, ReadOptions, read};
use ogc_compiler::lower::json::{JsonPolicy, lower};

fuzz_target!(|text: &str| {
    let limits = Limits { bytes: 1 << 16, schemas: 1_000, ..Limits::default() };
    let imported = read(text, &ReadOptions { limits, report: true, ..ReadOptions::default() });
    for diagnostic in &imported.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
    }
    if imported.has_errors() {
        return;
    }
    let mut limits = ogc_compiler::db::Limits::default().schema;
    (limits.values, limits.work, limits.regular.states, limits.regular.work) = (2_000, 5_000, 2_000, 200_000);
    if let Err(errors) = lower(&imported.schemas, &JsonPolicy::default(), &limits) {
        assert!(!errors.is_empty());
    }
});
