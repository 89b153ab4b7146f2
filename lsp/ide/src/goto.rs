//! Definition, type definition and implementation of the name at the cursor.

use always_assert::never;
use ogc_compiler::db::Language;
use ogc_compiler::hir::names::{self, Occurrence, Symbol};
use ogc_compiler::hir::{scope, standard};
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, MemberKind};
use ogc_grammar::{Span, lark};

use crate::items::{PlacedItem, definition_of, item_at, items, name_at, placed};
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// The targets of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The name at the cursor.
    pub origin: Span,
    /// The places of the names that it leads to.
    pub targets: Vec<FileSpan>,
}

/// Returns the definition of the thing that the cursor names; it may be in the [library]. Built-in names, attributes and settings have
/// no definition.
#[must_use]
pub fn definition(snapshot: &Snapshot, at: FilePosition) -> Option<Targets> {
    let name = name_at(snapshot, at)?;
    let imported = || imported_by_lark(snapshot, &name.symbol, lark::IMPORT_DEPTH);
    let target =
        imported().or_else(|| definition_of(snapshot, &name.symbol)).or_else(|| in_library(snapshot, &name.symbol));
    Some(Targets { origin: name.span, targets: vec![target?] })
}

/// Returns the text of a file of the standard library, which definitions can be in although no editor has opened it.
#[must_use]
pub fn library(name: &str) -> Option<&'static str> {
    standard::text(name)
}

/// Returns the place in the standard library where a thing is defined.
fn in_library(snapshot: &Snapshot, symbol: &Symbol) -> Option<FileSpan> {
    let place: FileSpan = names::definition_of(&snapshot.db, symbol)?.into();
    library(snapshot.name(place.file)).map(|_| place)
}

/// Returns the definition of a name that a Lark file imports from another, over at most `left` files.
fn imported_by_lark(snapshot: &Snapshot, symbol: &Symbol, left: usize) -> Option<FileSpan> {
    let Symbol::Foreign { file, name } = symbol else { return None };
    if left == 0 || snapshot.language(*file) != Language::Lark {
        return None;
    }
    let imported = lark::imported_names(snapshot.text(*file)).into_iter().find(|one| one.here == *name)?;
    let other = snapshot.file(&scope::beside(snapshot.name(*file), &imported.path))?;
    let there = Symbol::Foreign { file: other, name: imported.there };
    imported_by_lark(snapshot, &there, left - 1).or_else(|| definition_of(snapshot, &there))
}

/// Returns the definitions that describe the thing at the cursor: for a field those in its value, for a capture those
/// in the captured text, for a definition those in its body, for a parameter those in its default.
#[must_use]
pub fn type_definition(snapshot: &Snapshot, at: FilePosition) -> Option<Targets> {
    let name = name_at(snapshot, at)?;
    let (item, expr) = described_by(snapshot, at, &name)?;
    let mut targets: Vec<FileSpan> = named_in(snapshot, &item, expr)
        .into_iter()
        .filter(|named| named.symbol != name.symbol)
        .filter_map(|named| definition_of(snapshot, &named.symbol))
        .collect();
    let mut seen = Vec::new();
    targets.retain(|target| {
        !seen.contains(target) && {
            seen.push(*target);
            true
        }
    });
    (!targets.is_empty()).then_some(Targets { origin: name.span, targets })
}

/// Returns the definitions that narrow, extend or rename the one at the cursor: `Base & ...`, `Base - ...`,
/// `{ ...Base }`, or just `Base`.
#[must_use]
pub fn implementations(snapshot: &Snapshot, at: FilePosition) -> Option<Targets> {
    let name = name_at(snapshot, at)?;
    if !matches!(name.symbol, Symbol::Definition(_) | Symbol::Foreign { .. }) {
        return None;
    }
    let all = snapshot.files().into_iter().flat_map(|file| items(snapshot, file));
    let refining = all.filter(|item| {
        let Some(definition) = item.definition() else { return false };
        bases(&definition.body).into_iter().any(|base| names_exactly(snapshot, item, base, &name.symbol))
    });
    let targets: Vec<FileSpan> = refining.filter_map(|item| name_of(&item)).collect();
    (!targets.is_empty()).then_some(Targets { origin: name.span, targets })
}

/// Returns the place of the name that an item defines.
pub(crate) fn name_of(item: &PlacedItem<'_>) -> Option<FileSpan> {
    let name = item.definition()?.name.span;
    Some(FileSpan::new(item.id.file, item.in_file(name)))
}

/// Returns the expression that describes a named thing, with the item that contains it.
fn described_by<'s>(
    snapshot: &'s Snapshot,
    at: FilePosition,
    name: &'s Occurrence,
) -> Option<(PlacedItem<'s>, &'s Expr)> {
    match &name.symbol {
        Symbol::Definition(id) => {
            let item = placed(snapshot, id);
            Some((item, &item.definition()?.body))
        }
        Symbol::Parameter { item, name } => {
            let item = placed(snapshot, item);
            let parameter = item.definition()?.parameters.iter().find(|one| one.name.text == *name)?;
            Some((item, parameter.default.as_ref()?))
        }
        Symbol::Field { item, place } => {
            let item = placed(snapshot, item);
            Some((item, field_at(item.definition()?, *place)?))
        }
        Symbol::Capture { item, name } => {
            let item = placed(snapshot, item);
            Some((item, captured(item.definition()?, name)?))
        }
        _ => item_at(snapshot, at).and(None),
    }
}

/// Returns the value of the field whose name stands at a place of the definition.
fn field_at(definition: &Definition, place: Span) -> Option<&Expr> {
    let mut found = None;
    definition.body.walk(&mut |expr| {
        let ExprKind::Record(record) = &expr.kind else { return };
        for member in &record.members {
            match &member.kind {
                MemberKind::Field(field) if field.name.span == place => found = Some(&field.value),
                _ => {}
            }
        }
    });
    found
}

/// Returns the first captured expression of a name.
fn captured<'d>(definition: &'d Definition, wanted: &str) -> Option<&'d Expr> {
    let mut found = None;
    definition.body.walk(&mut |expr| match &expr.kind {
        ExprKind::Capture { name, item } if name.text == wanted && found.is_none() => found = Some(&**item),
        _ => {}
    });
    found
}

/// Returns the definitions that are named inside an expression of an item, in order.
fn named_in(snapshot: &Snapshot, item: &PlacedItem<'_>, expr: &Expr) -> Vec<Occurrence> {
    let inside = names::names(&snapshot.db, item.id).iter().filter(|name| {
        let is_definition = matches!(name.symbol, Symbol::Definition(_) | Symbol::Foreign { .. });
        is_definition && expr.span.start <= name.span.start && name.span.end <= expr.span.end
    });
    inside.cloned().collect()
}

/// Returns the expressions that a body narrows or extends.
fn bases(body: &Expr) -> Vec<&Expr> {
    match &body.ungrouped().kind {
        ExprKind::Reference(_) => vec![body.ungrouped()],
        ExprKind::Attributed { item, .. } => bases(item),
        ExprKind::Intersection(parts) => parts.iter().flat_map(bases).collect(),
        ExprKind::Difference { kept, .. } => bases(kept),
        ExprKind::Record(record) => {
            let spreads = record.members.iter().filter_map(|member| match &member.kind {
                MemberKind::Spread(base) => Some(base),
                _ => None,
            });
            spreads.flat_map(bases).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether an expression is a reference to this thing.
fn names_exactly(snapshot: &Snapshot, item: &PlacedItem<'_>, expr: &Expr, symbol: &Symbol) -> bool {
    let ExprKind::Reference(reference) = &expr.kind else { return false };
    let Some(last) = reference.path.segments.last() else {
        never!("a path has no names");
        return false;
    };
    names::names(&snapshot.db, item.id).iter().any(|name| name.span == last.span && name.symbol == *symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(feature: fn(&Snapshot, FilePosition) -> Option<Targets>, fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let found = feature(&fixture.snapshot, fixture.cursor());
        let targets = found.map(|found| found.targets).unwrap_or_default();
        let shown: Vec<String> = targets.into_iter().map(|place| fixture.shown(place)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn names_lead_to_their_definitions() {
        check(definition, "type A = int\noutput O = { a: $0A }\n", &["a.ogc:1:6 A"]);
        check(definition, "type A = int\noutput O = { a: A$0 }\n", &["a.ogc:1:6 A"]);
        check(definition, "type P<T> = $0T[1..2]\n", &["a.ogc:1:8 T"]);
        check(definition, "type P<T, n = 3> = T[$0n]\n", &["a.ogc:1:11 n"]);
        check(definition, "type $0A = int\n", &["a.ogc:1:6 A"]);
        check(definition, "test $0A { accept 1 }\ntype A = int\n", &["a.ogc:2:6 A"]);
    }

    #[test]
    fn names_lead_into_other_files() {
        let parts = "//- b.ogc\ntype B = int\n";
        check(
            definition,
            &format!("//- a.ogc\nimport B as C from \"b.ogc\"\noutput O = $0C\n{parts}"),
            &["b.ogc:1:6 B"],
        );
        check(definition, &format!("//- a.ogc\nimport \"b.ogc\" as b\noutput O = b.$0B\n{parts}"), &["b.ogc:1:6 B"]);
        check(definition, &format!("//- a.ogc\nimport B from $0\"b.ogc\"\n{parts}"), &["b.ogc:1:1"]);
        let schema = "//- s.schema.json\n{ \"$defs\": { \"Id\": { \"type\": \"integer\" } } }\n";
        let expected = ["s.schema.json:1:15 Id"];
        check(
            definition,
            &format!("//- a.ogc\nimport Id from \"s.schema.json\"\noutput O = $0Id\n{schema}"),
            &expected,
        );
        let grammar = "//- g.gbnf\nroot ::= word\nword ::= [a-z]+\n";
        check(
            definition,
            &format!("//- a.ogc\nimport word from \"g.gbnf\"\noutput O = $0word\n{grammar}"),
            &["g.gbnf:2:1 word"],
        );
    }

    #[test]
    fn names_in_grammars_and_schemas_lead_to_their_definitions() {
        check(definition, "//- g.lark\nstart: $0W\nW: /a/\n", &["g.lark:2:1 W"]);
        let schema = "//- s.schema.json\n{ \"$ref\": \"#/$defs/A$0\", \"$defs\": { \"A\": {} } }\n";
        check(definition, schema, &["s.schema.json:1:36 A"]);
        check(definition, "//- s.schema.json\n{ \"$ref\": \"#/$defs/B$0\", \"$defs\": { \"A\": {} } }\n", &[]);
    }

    #[test]
    fn names_of_the_standard_library_lead_into_it() {
        let target = |text: &str| {
            let fixture = Fixture::new(text);
            let found = definition(&fixture.snapshot, fixture.cursor()).expect("a definition");
            let [place] = found.targets[..] else { panic!("{found:?}") };
            let name = fixture.snapshot.name(place.file).to_owned();
            (name, fixture.snapshot.slice(place.file, place.span).to_owned())
        };
        let hermes = ("std.tools".to_owned(), "hermes".to_owned());
        assert_eq!(target("import hermes$0 from \"std.tools\"\n"), hermes);
        assert_eq!(target("import hermes as h from \"std.tools\"\nrule r<T> = $0h<T>\n"), hermes);
        assert_eq!(target("import \"std.tools\" as std\nrule r<T> = std.her$0mes<T>\n"), hermes);
        check(definition, "import \"std.tools\" as std\nrule r<T> = std.nope$0<T>\n", &[]);
        assert!(library("std.tools").is_some() && library("a.ogc").is_none());
    }

    #[test]
    fn names_that_a_lark_file_imports_lead_to_their_definitions() {
        let files = "//- rules/b.lark\nword: W\nW: /a/\n%import .c.num\n//- rules/c.lark\nnum: /1/\n";
        let from = |text: &str, expected: &str| {
            check(definition, &format!("//- a.lark\n{text}\n{files}"), &[expected]);
        };
        from("start: $0word\n%import .rules.b.word", "rules/b.lark:1:1 word");
        from("start: word\n%import .rules.b.wo$0rd", "rules/b.lark:1:1 word");
        from("start: $0w\n%import .rules.b.word -> w", "rules/b.lark:1:1 word");
        from("start: $0W\n%import .rules.b (word, W)", "rules/b.lark:2:1 W");
        from("start: $0num\n%import .rules.b.num", "rules/c.lark:1:1 num");
        // Neither a file that is not there nor a name that is not in it: the import itself.
        from("start: $0x\n%import .rules.d.x", "a.lark:2:18 x");
        from("start: $0INT\n%import common.INT", "a.lark:2:16 INT");
        let through = format!(
            "//- a.ogc\nimport word from \"a.lark\"\noutput O = $0word\n//- a.lark\nstart: word\n%import .rules.b.word\n{files}"
        );
        check(definition, &through, &["rules/b.lark:1:1 word"]);
    }

    #[test]
    fn undefined_and_built_in_names_have_no_definition() {
        check(definition, "type A = $0int\n", &[]);
        check(definition, "type A = $0Nope\n", &[]);
        check(definition, "$0@deprecated\ntype A = int\n", &[]);
        check(definition, "type A =$0 \"A\"\n", &[]);
        check(definition, "// type $0A\n", &[]);
    }

    #[test]
    fn type_definition_finds_the_types_of_a_field_or_definition() {
        check(type_definition, "type A = int\ntype B = { $0x: A[1..3] }\n", &["a.ogc:1:6 A"]);
        check(type_definition, "type A = int\ntype B = A\noutput $0O = A | B\n", &["a.ogc:1:6 A", "a.ogc:2:6 B"]);
        check(type_definition, "rule w = /a/\nrule r = $0x: w\n", &["a.ogc:1:6 w"]);
        check(type_definition, "type $0A = { next: A | null }\n", &[]);
        check(type_definition, "type A = { $0x: int }\n", &[]);
    }

    #[test]
    fn refinements_of_a_definition_are_found() {
        let text = "type $0A = { x: int }\ntype B = A & { y: int }\ntype C = { ...A }\ntype D = A\ntype E = A - 1\ntype F = { a: A }\n";
        check(implementations, text, &["a.ogc:2:6 B", "a.ogc:3:6 C", "a.ogc:4:6 D", "a.ogc:5:6 E"]);
        check(implementations, "type $0A = int\ntype B = A[1..2]\n", &[]);
        check(implementations, "type A = $0int\ntype B = int\n", &[]);
    }
}
