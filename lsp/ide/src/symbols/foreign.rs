//! The symbols of schemas and grammars.

use ogc_compiler::db::SourceFile;
use ogc_compiler::foreign::read_rules;
use ogc_compiler::frontend::json_schema::subschemas;
use ogc_grammar::json::{self, JsonValue, Member};
use ogc_schema::keyword::Keyword;

use super::{DocumentSymbol, SymbolKind};
use crate::snapshot::Snapshot;

/// Returns the rules of a grammar.
pub(super) fn rules(snapshot: &Snapshot, file: SourceFile) -> Vec<DocumentSymbol> {
    let rules = &read_rules(&snapshot.db, file).0.rules;
    let symbol = |rule: &ogc_grammar::rules::Rule| DocumentSymbol {
        name: rule.name.value.clone(),
        detail: String::new(),
        kind: SymbolKind::Rule,
        span: rule.name.span.merge(rule.body.span),
        name_span: rule.name.span,
        is_deprecated: false,
        children: Vec::new(),
    };
    rules.iter().filter(|rule| !rule.name.value.is_empty()).map(symbol).collect()
}

/// Returns the properties and definitions of a schema, with those in them.
pub(super) fn schema_symbols(text: &str) -> Vec<DocumentSymbol> {
    json::parse(text).0.iter().flat_map(of_schema).collect()
}

/// Returns the symbols directly in a schema. The reader's depth limit bounds the recursion.
fn of_schema(schema: &JsonValue) -> Vec<DocumentSymbol> {
    let members = schema.as_object().unwrap_or_default();
    members.iter().flat_map(of_keyword).collect()
}

fn of_keyword(keyword: &Member) -> Vec<DocumentSymbol> {
    let inside = |kind| {
        let named = keyword.value.as_object().unwrap_or_default();
        named.iter().map(|one| symbol(kind, one)).collect()
    };
    match Keyword::of_name(&keyword.key.value) {
        Some(Keyword::Properties | Keyword::PatternProperties) => inside(SymbolKind::Field),
        Some(Keyword::Defs | Keyword::Definitions) => inside(SymbolKind::Type),
        _ => subschemas(keyword).flat_map(of_schema).collect(),
    }
}

fn symbol(kind: SymbolKind, member: &Member) -> DocumentSymbol {
    let name = if member.key.value.is_empty() { "\"\"".to_owned() } else { member.key.value.clone() };
    DocumentSymbol {
        name,
        detail: member.value.get("type").and_then(JsonValue::as_str).unwrap_or_default().to_owned(),
        kind,
        span: member.key.span.merge(member.value.span),
        name_span: member.key.span,
        is_deprecated: member.value.get("deprecated").and_then(JsonValue::as_bool) == Some(true),
        children: of_schema(&member.value),
    }
}
