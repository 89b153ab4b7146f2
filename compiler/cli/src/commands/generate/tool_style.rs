//! Compares the tool call styles of a format with the style of a model's chat template.

use std::collections::{BTreeSet, HashSet};

use ogc_compiler::db::Db;
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::scope::item_named;
use ogc_compiler::pipeline;
use ogc_generate::{ChatTemplate, ToolStyle};

/// The standard library file that defines the styles.
const STYLES: &str = "std.tools";

/// Returns the styles of the standard library that a format uses.
pub(super) fn named(db: &dyn Db, format: &pipeline::Format) -> BTreeSet<ToolStyle> {
    let mut styles = BTreeSet::new();
    let start = format.name.as_deref().and_then(|name| item_named(db, format.file, name));
    let (mut open, mut seen) = (Vec::from_iter(start), HashSet::new());
    while let Some(item) = open.pop() {
        if !seen.insert(item.clone()) {
            continue;
        }
        for (_, resolved) in resolution(db, &item).names() {
            match &resolved.target {
                Target::Imported { item, .. } if item.file.name(db) == STYLES => {
                    styles.extend(ToolStyle::of_name(&item.key.name));
                }
                Target::Imported { item, .. } | Target::Item(item) => open.push(item.clone()),
                _ => {}
            }
        }
    }
    styles
}

/// Returns a warning if a format's tool call style differs from the template's. Calls that are one JSON object suit any
/// model.
pub(super) fn warning(styles: &BTreeSet<ToolStyle>, template: &ChatTemplate) -> Option<String> {
    let known = template.tool_style()?;
    let is_other = |style: &ToolStyle| match style {
        ToolStyle::Bare => false,
        ToolStyle::Llama3Python => known != ToolStyle::Llama3,
        style => *style != known,
    };
    let other = styles.iter().copied().find(is_other).filter(|_| !styles.contains(&known))?;
    Some(format!(
        "the format has calls of the style `std.{}`, and the model's chat template has those of `std.{}`",
        other.name(),
        known.name()
    ))
}
