//! Definitions, parameters, fields and captures of `.ogc` files.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::items::{ItemId, Keyword, file_items, item_start, item_tree};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::scope::import_target;
use ogc_compiler::pipeline::{Format, definitions};
use ogc_grammar::ogc::ast::{Definition, Doc, Expr, ExprKind, Field, Member, MemberKind};
use ogc_grammar::ogc::{format_item, print_expr};
use ogc_grammar::span::part;

use super::{CodeBlock, Documentation};
use crate::snapshot::Snapshot;

/// Maximum length of an unfolded body, in characters.
const MOST: usize = 3000;

/// Returns the definition of a name in a file.
pub(crate) fn named(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<ItemId> {
    let items = file_items(&snapshot.db, file).items.iter().map(|(item, _)| item);
    items.filter(|item| item.key.kind.defines()).find(|item| item.key.name == name).cloned()
}

/// Returns the documentation of a definition.
pub(super) fn definition(snapshot: &Snapshot, item: &ItemId) -> Option<Documentation> {
    let tree = &item_tree(&snapshot.db, item).item;
    let definition = tree.definition()?;
    let mut text = joined(&tree.docs);
    if let Some(why) = &ogc_compiler::hir::items::signature(&snapshot.db, item).deprecated {
        let why = if why.is_empty() { "Deprecated.".to_owned() } else { format!("Deprecated: {why}") };
        text = if text.is_empty() { why } else { format!("{text}\n\n{why}") };
    }
    Some(Documentation {
        signature: Some(CodeBlock::ogc(head(item, definition))),
        text,
        unfolded: Some(CodeBlock::ogc(laid_out(&print_expr(&definition.body), item.key.kind))),
        format: format_of(snapshot, item),
    })
}

/// Returns the format of a definition without parameters.
fn format_of(snapshot: &Snapshot, item: &ItemId) -> Option<Format> {
    let format = Format::named(item.file, &item.key.name);
    definitions(&snapshot.db, item.file).contains(&format).then_some(format)
}

/// Returns the head of a definition: `type Page<T, max = 50>`.
pub(crate) fn head(item: &ItemId, definition: &Definition) -> String {
    let keyword = keyword(item.key.kind);
    let parameters: Vec<String> = definition.parameters.iter().map(parameter_text).collect();
    let list = if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(", ")) };
    format!("{keyword} {}{list}", definition.name.text)
}

/// Returns a parameter as it is written.
fn parameter_text(parameter: &ogc_grammar::ogc::ast::Parameter) -> String {
    match &parameter.default {
        Some(default) => format!("{} = {}", parameter.name.text, print_expr(default)),
        None => parameter.name.text.clone(),
    }
}

fn keyword(kind: Keyword) -> &'static str {
    match kind {
        Keyword::Type => "type",
        Keyword::Rule => "rule",
        Keyword::Output => "output",
        Keyword::Test => "test",
        Keyword::Import => "import",
        Keyword::Policy => "policy",
        Keyword::Unknown => "",
    }
}

/// Lays an expression out as the body of an item, over several lines if it is long.
pub(crate) fn laid_out(body: &str, kind: Keyword) -> String {
    let keyword = if kind == Keyword::Type { "type" } else { "rule" };
    let item = format_item(&format!("{keyword} x = {body}"));
    let text = item.trim_end().split_once('=').map_or(body, |(_, body)| body);
    let text = if text.starts_with('\n') { text.trim_start_matches('\n') } else { text.trim_start() };
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", part(text, ..at)),
        None => text.to_owned(),
    }
}

/// Returns the documentation of a parameter.
pub(super) fn parameter(snapshot: &Snapshot, item: &ItemId, name: &str) -> Option<Documentation> {
    let definition = item_tree(&snapshot.db, item).item.definition()?;
    let parameter = definition.parameters.iter().find(|parameter| parameter.name.text == name)?;
    let text = format!("A parameter of `{}`.", definition.name.text);
    Some(Documentation { signature: Some(CodeBlock::ogc(parameter_text(parameter))), text, ..Documentation::default() })
}

/// Returns the documentation of the field whose name starts at an offset of an item.
pub(crate) fn field(snapshot: &Snapshot, item: &ItemId, at: u32) -> Option<Documentation> {
    let definition = item_tree(&snapshot.db, item).item.definition()?;
    let (member, field) = member_at(&definition.body, at)?;
    let optional = if field.optional { "?" } else { "" };
    let source = snapshot.slice(item.file, field.name.span.shifted(item_start(&snapshot.db, item)));
    let signature = laid_out(&format!("{{ {source}{optional}: {} }}", print_expr(&field.value)), Keyword::Type);
    let inner = signature.trim_start_matches('{').trim_end_matches('}').trim().trim_end_matches(',');
    let mut text = joined(&member.docs);
    if text.is_empty() {
        text = format!("A field in `{}`.", definition.name.text);
    }
    let unfolded = target(snapshot, item, &field.value);
    let format = unfolded.as_ref().and_then(|of| of.format.clone());
    Some(Documentation {
        signature: Some(CodeBlock::ogc(unindented(inner))),
        text,
        unfolded: unfolded.and_then(|of| of.unfolded),
        format,
    })
}

/// Removes one level of indentation from all lines.
fn unindented(text: &str) -> String {
    let lines = text.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the documentation of the definition that an expression names.
fn target(snapshot: &Snapshot, item: &ItemId, expr: &Expr) -> Option<Documentation> {
    let expr = match &expr.ungrouped().kind {
        ExprKind::Attributed { item, .. } | ExprKind::Repeat { item, .. } => item.ungrouped(),
        _ => expr.ungrouped(),
    };
    let ExprKind::Reference(reference) = &expr.kind else { return None };
    let symbol = match &resolution(&snapshot.db, item).get(&reference.path)?.target {
        Target::Item(target) | Target::Imported { item: target, .. } => Symbol::Definition(target.clone()),
        Target::Foreign { file, name, .. } => Symbol::Foreign { file: *file, name: name.clone() },
        Target::WholeFile(import) => Symbol::File(import_target(&snapshot.db, import)?),
        Target::Parameter(_) | Target::Builtin(_) | Target::Unknown => return None,
    };
    super::of_symbol(snapshot, &symbol)
}

/// Returns the field whose name starts at an offset of an item.
fn member_at(body: &Expr, at: u32) -> Option<(&Member, &Field)> {
    let mut found = None;
    body.walk(&mut |expr| {
        if let ExprKind::Record(record) = &expr.kind {
            for member in &record.members {
                match &member.kind {
                    MemberKind::Field(field) if field.name.span.start == at => found = Some((member, field)),
                    _ => {}
                }
            }
        }
    });
    found
}

/// Returns the documentation of a capture.
pub(super) fn capture(snapshot: &Snapshot, item: &ItemId, name: &str) -> Option<Documentation> {
    let definition = item_tree(&snapshot.db, item).item.definition()?;
    let mut found = None;
    definition.body.walk(&mut |expr| match &expr.kind {
        ExprKind::Capture { name: known, item } if known.text == name && found.is_none() => found = Some(item),
        _ => {}
    });
    let captured = found?;
    let text = format!("A capture in `{}`.", definition.name.text);
    let unfolded = target(snapshot, item, captured).and_then(|of| of.unfolded);
    let signature = CodeBlock::ogc(format!("{name}: {}", print_expr(captured)));
    Some(Documentation { signature: Some(signature), text, unfolded, format: None })
}

/// Returns doc comments as one text.
pub(crate) fn joined(docs: &[Doc]) -> String {
    docs.iter().map(|doc| doc.text.as_str()).collect::<Vec<_>>().join("\n")
}
