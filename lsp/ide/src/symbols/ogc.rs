//! The symbols of `.ogc` files: items, with fields and captures in them.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::items::signature;
use ogc_compiler::hir::tested::tested_name;
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, Import, Imported, ItemKind, Member, MemberKind};
use ogc_grammar::outline::excerpt;

use super::{DocumentSymbol, SymbolKind};
use crate::items::{PlacedItem, items};
use crate::snapshot::Snapshot;

pub(super) fn symbols(snapshot: &Snapshot, file: SourceFile) -> Vec<DocumentSymbol> {
    items(snapshot, file).filter_map(|item| Some(placed(of_item(snapshot, &item)?, item.span.start))).collect()
}

/// Moves a symbol by the start of its item.
fn placed(symbol: DocumentSymbol, start: u32) -> DocumentSymbol {
    DocumentSymbol {
        span: symbol.span.shifted(start),
        name_span: symbol.name_span.shifted(start),
        children: symbol.children.into_iter().map(|child| placed(child, start)).collect(),
        ..symbol
    }
}

/// Returns the symbol of an item, with places relative to the item's start.
fn of_item(snapshot: &Snapshot, item: &PlacedItem<'_>) -> Option<DocumentSymbol> {
    let symbol = |kind, name: String, detail: String, name_span: Span, children| {
        let own = item.tree.docs.first().map_or(item.tree.span, |doc| doc.span.merge(item.tree.span));
        let is_deprecated = signature(&snapshot.db, item.id).deprecated.is_some();
        DocumentSymbol { name, detail, kind, span: own.merge(name_span), name_span, is_deprecated, children }
    };
    let definition = |kind, one: &Definition| {
        let inside = Inside { snapshot, item }.expr(&one.body);
        (!one.name.text.is_empty()).then(|| symbol(kind, one.name.text.clone(), parameters(one), one.name.span, inside))
    };
    match &item.tree.kind {
        ItemKind::Type(one) => definition(SymbolKind::Type, one),
        ItemKind::Rule(one) => definition(SymbolKind::Rule, one),
        ItemKind::Output(one) => definition(SymbolKind::Output, one),
        ItemKind::Test(test) => {
            let (name, detail) = (format!("test {}", tested_name(test)), cases(test.cases.len()));
            Some(symbol(SymbolKind::Test, name, detail, test.target.span, Vec::new()))
        }
        ItemKind::Import(import) => {
            let path = import.path.value.clone();
            Some(symbol(SymbolKind::Import, imported(import), path, import.path.span, Vec::new()))
        }
        ItemKind::Policy(policy) => {
            let names = policy.settings.iter().filter_map(|setting| setting.name.as_ref());
            let span = policy.settings.first()?.span;
            let detail = names.map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ");
            Some(symbol(SymbolKind::Policy, "policy".to_owned(), detail, span, Vec::new()))
        }
        ItemKind::Error(name) => {
            let name = name.as_ref().filter(|name| !name.text.is_empty())?;
            Some(symbol(SymbolKind::Type, name.text.clone(), String::new(), name.span, Vec::new()))
        }
    }
}

fn parameters(definition: &Definition) -> String {
    let names: Vec<&str> = definition.parameters.iter().map(|one| one.name.text.as_str()).collect();
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

fn cases(count: usize) -> String {
    if count == 1 { "1 case".to_owned() } else { format!("{count} cases") }
}

/// Returns the names that an import brings into the file.
fn imported(import: &Import) -> String {
    match &import.imported {
        Imported::Whole(name) => name.text.clone(),
        Imported::Names(names) => {
            let here = names.iter().map(|one| one.alias.as_ref().unwrap_or(&one.name).text.as_str());
            here.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The fields and captures inside the expressions of an item.
struct Inside<'a> {
    snapshot: &'a Snapshot,
    item: &'a PlacedItem<'a>,
}

impl Inside<'_> {
    /// Returns the symbols inside an expression. The parser's nesting limit bounds the recursion.
    fn expr(&self, expr: &Expr) -> Vec<DocumentSymbol> {
        match &expr.kind {
            ExprKind::Record(record) => record.members.iter().flat_map(|member| self.member(member)).collect(),
            ExprKind::Capture { name, item } => {
                vec![self.symbol(SymbolKind::Capture, &name.text, String::new(), expr.span, name.span, self.expr(item))]
            }
            _ => expr.children().into_iter().flat_map(|child| self.expr(child)).collect(),
        }
    }

    fn member(&self, member: &Member) -> Vec<DocumentSymbol> {
        let MemberKind::Field(field) = &member.kind else {
            return member.children().into_iter().flat_map(|child| self.expr(child)).collect();
        };
        let span = member.docs.first().map_or(member.span, |doc| doc.span.merge(member.span));
        let value = excerpt(self.snapshot.slice(self.item.id.file, self.item.in_file(field.value.span)));
        vec![self.symbol(SymbolKind::Field, &field.name.text, value, span, field.name.span, self.expr(&field.value))]
    }

    fn symbol(
        &self,
        kind: SymbolKind,
        name: &str,
        detail: String,
        span: Span,
        name_span: Span,
        children: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        let name = if name.is_empty() { "\"\"".to_owned() } else { name.to_owned() };
        DocumentSymbol { name, detail, kind, span, name_span, is_deprecated: false, children }
    }
}
