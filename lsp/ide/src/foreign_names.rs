//! The names in a file of another language: the rules of a grammar, the definitions of a schema, the tools of a list.

use ogc_compiler::db::{Db, Language, SourceFile};
use ogc_compiler::foreign::{foreign_schema, is_tool_list};
use ogc_compiler::frontend::json_schema;
use ogc_grammar::rules::{RuleName, RuleNameKind};
use ogc_grammar::{Span, abnf, ebnf, gbnf, lark};

use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// One place where a file of another language names something that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForeignName {
    /// Its place; for a string, without the quotes.
    pub(crate) span: Span,
    /// The name in the form that imports use.
    pub(crate) name: String,
    /// Whether it is defined here, or brought in from a library.
    pub(crate) is_definition: bool,
}

/// Returns all names of a file in source order; none for `.ogc` files and regexes.
pub(crate) fn occurrences(snapshot: &Snapshot, file: SourceFile) -> &[ForeignName] {
    occurrences_in(&snapshot.db, file)
}

#[salsa::tracked]
fn occurrences_in(db: &dyn Db, file: SourceFile) -> Vec<ForeignName> {
    let text = file.text(db);
    match file.language(db) {
        Language::Gbnf => of_rules(gbnf::names(text)),
        Language::Ebnf => of_rules(ebnf::names(text)),
        Language::Abnf => of_rules(abnf::names(text)),
        Language::Lark => of_rules(lark::names(text)),
        Language::JsonSchema if is_tool_list(db, file) => of_tools(db, file),
        Language::JsonSchema => of_schema(db, file),
        Language::Ogc | Language::Regex => Vec::new(),
    }
}

/// Returns the name at a byte of a file.
pub(crate) fn at(snapshot: &Snapshot, position: FilePosition) -> Option<ForeignName> {
    let touches = |name: &ForeignName| name.span.start <= position.offset && position.offset <= name.span.end;
    occurrences(snapshot, position.file).iter().rfind(|name| touches(name)).cloned()
}

fn of_rules(names: Vec<RuleName>) -> Vec<ForeignName> {
    let names = names.into_iter();
    let named = |RuleName { name, span, kind }| ForeignName { span, name, is_definition: kind != RuleNameKind::Use };
    names.map(named).collect()
}

fn of_schema(db: &dyn Db, file: SourceFile) -> Vec<ForeignName> {
    let limits = file.options(db).limits(db).read;
    let names = json_schema::names(file.text(db), limits).into_iter();
    names.map(|one| ForeignName { span: one.span, name: one.name, is_definition: one.is_definition }).collect()
}

/// Returns the names of the tools in a list, which never refers to them.
fn of_tools(db: &dyn Db, file: SourceFile) -> Vec<ForeignName> {
    let tools = foreign_schema(db, file).0.definitions.iter();
    tools
        .map(|tool| {
            let span = Span::new(tool.span.start + 1, tool.span.end.saturating_sub(1));
            ForeignName { span, name: tool.name.clone(), is_definition: true }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// Checks the names of the only file: each with its place, `+` before definitions.
    #[track_caller]
    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = *fixture.snapshot.files().first().unwrap();
        let shown = |one: &ForeignName| {
            let place = fixture.shown((file, one.span).into());
            let place = place.split_once(':').map(|(_, place)| place.to_owned()).unwrap_or_default();
            format!("{}{} at {place}", if one.is_definition { "+" } else { "" }, one.name)
        };
        let found: Vec<String> = occurrences(&fixture.snapshot, file).iter().map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn gbnf_rules_and_their_uses_are_found() {
        let all = ["+root at 1:1 root", "item at 1:10 item", "item at 1:16 item", "+item at 2:1 item"];
        check("//- a.gbnf\nroot ::= item (item)* \"item\" # item\nitem ::= \"a\"\n", &all);
        // An error elsewhere in the file hides no name.
        check(
            "//- a.gbnf\nroot ::= item )\nitem ::= \"a\n",
            &["+root at 1:1 root", "item at 1:10 item", "+item at 2:1 item"],
        );
    }

    #[test]
    fn ebnf_rules_and_their_uses_are_found_in_both_styles() {
        let w3c = ["+list at 1:5 list", "item at 1:14 item", "+item at 2:1 item"];
        check("//- a.ebnf\n[1] list ::= item* /* item */\nitem ::= 'a' | #x41\n", &w3c);
        let iso = ["+a-list at 1:1 a list", "item at 1:12 item", "+item at 2:1 item"];
        check("//- a.ebnf\na list = { item } (* item *);\nitem = 'item';\n", &iso);
    }

    #[test]
    fn abnf_rules_and_their_uses_are_found_in_any_case() {
        let all =
            ["+list at 1:1 list", "item at 1:10 Item", "DIGIT at 1:17 DIGIT", "+item at 2:1 item", "item at 3:1 ITEM"];
        check("//- a.abnf\nlist = 1*Item [ DIGIT ] ; item\nitem = \"item\"\nITEM =/ %x41\n", &all);
    }

    #[test]
    fn lark_rules_and_terminals_and_their_uses_are_found() {
        let all = [
            "+start at 1:1 start",
            "item at 1:9 item",
            "pair at 1:15 pair",
            "WORD at 1:20 WORD",
            "+item at 2:2 item",
            "WORD at 2:8 WORD",
            "+pair at 3:1 pair",
            "+WORD at 4:16 WORD",
            "WS at 5:9 WS",
            "+WS at 6:1 WS",
        ];
        let text = "start: (item) pair{WORD}\n?item: WORD -> item\npair{x}: x \",\" x\n%import common.WORD\n";
        check(&format!("//- a.lark\n{text}%ignore WS\nWS: /\\s+/\n"), &all);
        let alias = ["+start at 1:1 start", "W at 1:8 W", "+W at 2:24 W"];
        check("//- a.lark\nstart: W\n%import common.WORD -> W\n", &alias);
    }

    #[test]
    fn schema_definitions_and_their_references_are_found() {
        let text = "{\"$ref\": \"#/$defs/Age\",\n\"$defs\": {\"Age\": {\"title\": \"Age\"}}}";
        check(&format!("//- a.schema.json\n{text}"), &["Age at 1:19 Age", "+Age at 2:12 Age"]);
        check("//- a.schema.json\n{\"$ref\": ", &[]);
    }

    #[test]
    fn tool_names_are_found() {
        check(
            "//- tools.json\n[{\"name\": \"search\", \"input_schema\": {\"type\": \"object\"}}]",
            &["+search at 1:12 search"],
        );
        check("//- a.regex\n[a-z]+", &[]);
    }

    #[test]
    fn the_name_at_a_position_is_found() {
        let fixture = Fixture::new("//- a.gbnf\nroot ::= it$0em\nitem ::= \"a\"\n");
        let found = at(&fixture.snapshot, fixture.cursor());
        assert_eq!(found.map(|one| (one.name, one.is_definition)), Some(("item".to_owned(), false)));
    }
}
