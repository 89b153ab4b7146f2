//! Writes an imported schema or grammar as an `.ogc` file beside it, with the exporter of `ogc export`, and imports the
//! new file instead.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::{SchemaPolicy, foreign_error, foreign_schema, is_tool_list, read_rules};
use ogc_compiler::hir::names::{Symbol, names};
use ogc_compiler::hir::schema_policy;
use ogc_compiler::hir::scope::import_target;
use ogc_compiler::pipeline::{diagnostics, pattern_of};
use ogc_export::ExportGraph;
use ogc_grammar::ogc::ast::{Expr, ExprKind, File, Import, Imported, ItemKind};
use ogc_grammar::ogc::{format, print, print_expr};
use ogc_grammar::rules::{self, Grammar};
use ogc_grammar::{Diagnostic, Span, Spanned};

use super::context::Context;
use super::{Action, ActionKind, Change, Command, CreateFile};
use crate::items::{PlacedItem, items};
use crate::place::TextEdit;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let Some((_, _, target)) = import(context) else { return Vec::new() };
    let title = format!("Convert `{}` to .ogc, and import that", base(context.snapshot.name(target)));
    vec![Action::new(context, Command::Convert, ActionKind::Rewrite, title)]
}

/// Returns the import at the cursor, if its file can be converted, and the import neither replaces definitions nor
/// changes the reading of a schema.
fn import<'s>(context: &Context<'s>) -> Option<(PlacedItem<'s>, &'s Import, SourceFile)> {
    let item = context.item()?;
    let ItemKind::Import(import) = &item.tree.kind else { return None };
    let target = import_target(&context.snapshot.db, item.id)?;
    let snapshot = context.snapshot;
    let can_be = snapshot.language(target) != Language::Ogc && !is_tool_list(&snapshot.db, target);
    let is_sound = foreign_error(&snapshot.db, target).is_none() && import.overrides.is_empty();
    let is_sound = is_sound && schema_policy(&snapshot.db, item.id) == SchemaPolicy::default();
    let is_new = snapshot.file(&converted_name(snapshot.name(target))).is_none();
    (can_be && is_sound && is_new).then_some((item, import, target))
}

/// Returns the last part of a file's name.
fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, file)| file)
}

/// Returns the name of the converted file: `a/b.ogc` of `a/b.schema.json`.
fn converted_name(name: &str) -> String {
    let stem = [".schema.json", ".json", ".gbnf", ".ebnf", ".abnf", ".lark", ".regex"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    format!("{}.ogc", stem.unwrap_or(name))
}

/// Makes the change, if every imported name has the same meaning in the new file.
pub(super) fn change(context: &Context<'_>) -> Option<Change> {
    let (item, import, target) = import(context)?;
    let snapshot = context.snapshot;
    let made = converted(snapshot, target)?;
    let (name, text) = (converted_name(snapshot.name(target)), format(&print(&made)));
    let mut edits = vec![path_edit(snapshot, &item, import)];
    edits.extend(name_edits(snapshot, &item, import, &made)?);
    let change = Change {
        creates: vec![CreateFile { name: name.clone(), text: text.clone() }],
        ..Change::of(context.file(), edits)
    };
    let errors =
        |db: &Snapshot, file: SourceFile| diagnostics(&db.db, file).iter().filter(|one| one.is_error()).count();
    let mut scratch = Scratch::of(snapshot);
    scratch.add(&name, &text, Language::Ogc, target);
    scratch.edit(&change.edits);
    let after = scratch.copy(context.file()).map(|copy| scratch.read(|after| errors(after, copy)))?;
    (after <= errors(snapshot, context.file())).then_some(change)
}

/// Converts a schema or grammar to an `.ogc` syntax tree; `None` if it cannot be converted exactly.
fn converted(snapshot: &Snapshot, file: SourceFile) -> Option<File> {
    let (made, found) = exported(snapshot, file)?;
    (!found.iter().any(Diagnostic::is_error)).then_some(made)
}

/// Converts a schema or grammar to the text of an `.ogc` file; also returns the findings of the reader and the
/// exporter.
pub(crate) fn written(snapshot: &Snapshot, file: SourceFile) -> (Option<String>, Vec<Diagnostic>) {
    let read = diagnostics(&snapshot.db, file);
    if read.iter().any(Diagnostic::is_error) {
        return (None, read.clone());
    }
    let Some((made, found)) = exported(snapshot, file) else { return (None, Vec::new()) };
    (Some(format(&print(&made))), found)
}

fn exported(snapshot: &Snapshot, file: SourceFile) -> Option<(File, Vec<Diagnostic>)> {
    Some(match snapshot.language(file) {
        Language::Ogc => return None,
        Language::JsonSchema => ogc_export::ogc::types(&ExportGraph::of(&foreign_schema(&snapshot.db, file).0)),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            let grammar = &read_rules(&snapshot.db, file).0;
            ogc_export::ogc::rules(grammar, start(snapshot, file, grammar).as_deref())
        }
        Language::Regex => ogc_export::ogc::rules(&pattern(snapshot.text(file)), Some("root")),
    })
}

/// Returns the start rule of a grammar.
fn start(snapshot: &Snapshot, file: SourceFile, grammar: &Grammar) -> Option<String> {
    match snapshot.language(file) {
        Language::Gbnf => Some("root".to_owned()),
        Language::Lark => Some("start".to_owned()),
        _ => grammar.rules.first().map(|rule| rule.name.value.clone()),
    }
}

fn pattern(text: &str) -> Grammar {
    let body = rules::Expr::new(rules::ExprKind::Regex(pattern_of(text).0.to_owned()), Span::default());
    Grammar { start: None, rules: vec![rules::Rule { name: Spanned::new("root".to_owned(), Span::default()), body }] }
}

/// Replaces the path, which ends with the file's name, by the new one.
fn path_edit(snapshot: &Snapshot, item: &PlacedItem<'_>, import: &Import) -> TextEdit {
    let span = item.in_file(import.path.span);
    let path = converted_name(&import.path.value);
    let new = match snapshot.slice(item.id.file, span).starts_with('\'') && !path.contains(['\'', '\\']) {
        true => format!("'{path}'"),
        false => print_expr(&Expr::new(ExprKind::String(path), Span::default())),
    };
    TextEdit::replace(span, new)
}

/// Returns the edits of names that differ in the new file: `root` is a name only in other languages.
fn name_edits(snapshot: &Snapshot, item: &PlacedItem<'_>, import: &Import, made: &File) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    match &import.imported {
        Imported::Names(names) => {
            for one in names {
                let new = name_in(made, &one.name.text)?;
                let alias = if one.alias.is_none() && new != one.name.text {
                    format!(" as {}", one.name.text)
                } else {
                    String::new()
                };
                edits.extend(replaced(snapshot, item, one.name.span, &format!("{new}{alias}")));
            }
        }
        Imported::Whole(module) => {
            let target = import_target(&snapshot.db, item.id)?;
            for user in items(snapshot, item.id.file) {
                edits.extend(uses_of(snapshot, &user, &module.text, target, made)?);
            }
        }
    }
    Some(edits)
}

/// Returns the edits of the names after `module.` in an item; `None` if the new file lacks any of them.
fn uses_of(
    snapshot: &Snapshot,
    user: &PlacedItem<'_>,
    module: &str,
    target: SourceFile,
    made: &File,
) -> Option<Vec<TextEdit>> {
    let mut paths = Vec::new();
    for root in user.tree.expressions() {
        root.walk(&mut |expr| {
            if let ExprKind::Reference(reference) = &expr.kind
                && let [first, last] = reference.path.segments.as_slice()
                && first.text == module
            {
                paths.push(last);
            }
        });
    }
    let mut edits = Vec::new();
    for name in paths {
        let is_it = names(&snapshot.db, user.id)
            .iter()
            .any(|one| one.span == name.span && matches!(&one.symbol, Symbol::Foreign { file, .. } if *file == target));
        if is_it {
            edits.extend(replaced(snapshot, user, name.span, &name_in(made, &name.text)?));
        }
    }
    Some(edits)
}

fn replaced(snapshot: &Snapshot, item: &PlacedItem<'_>, span: Span, new: &str) -> Option<TextEdit> {
    let span = item.in_file(span);
    (snapshot.slice(item.id.file, span) != new).then(|| TextEdit::replace(span, new))
}

/// Returns the name that a definition has in the new file: its own name, or for `root` the definition that the output
/// refers to.
fn name_in(made: &File, name: &str) -> Option<String> {
    let definitions = || made.items.iter().filter_map(|item| Some((item, item.definition()?)));
    let is_output = |kind: &ItemKind| matches!(kind, ItemKind::Output(_));
    if definitions().any(|(item, one)| one.name.text == name && !is_output(&item.kind)) {
        return Some(name.to_owned());
    }
    let output = definitions().find(|(item, _)| is_output(&item.kind));
    output.filter(|_| name == "root").and_then(|(_, output)| match &output.body.kind {
        ExprKind::Reference(reference) => reference.path.segments.last().map(|name| name.text.clone()),
        _ => None,
    })
}
