//! Call hierarchy: which definitions a definition uses, and which definitions use it.

use ogc_compiler::hir::items::{ItemId, Keyword};
use ogc_compiler::hir::names::{self, Symbol};
use ogc_grammar::Span;

use crate::goto::name_of;
use crate::items::{PlacedItem, item_at, items, name_at, placed};
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;
use crate::symbols::SymbolKind;

/// A definition in the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyItem {
    /// Identity of the item, for follow-up requests.
    pub id: ItemId,
    /// Name of the item.
    pub name: String,
    /// Kind of the item.
    pub kind: SymbolKind,
    /// Span of the whole definition.
    pub place: FileSpan,
    /// Span of the name.
    pub name_place: FileSpan,
}

/// A using or used definition, and the places of the uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The other definition.
    pub item: HierarchyItem,
    /// The places of the uses, in the file of the using definition.
    pub places: Vec<Span>,
}

/// Returns the definition that the cursor names, or that contains the cursor.
#[must_use]
pub fn prepare(snapshot: &Snapshot, at: FilePosition) -> Option<HierarchyItem> {
    let named = name_at(snapshot, at).and_then(|name| match name.symbol {
        Symbol::Definition(id) => Some(id),
        _ => None,
    });
    let id = named.or_else(|| item_at(snapshot, at).map(|item| item.id.clone()))?;
    hierarchy_item(&placed(snapshot, &id))
}

/// Returns the definitions that use a definition, with their uses.
#[must_use]
pub fn incoming(snapshot: &Snapshot, id: &ItemId) -> Vec<Call> {
    let wanted = Symbol::Definition(id.clone());
    let all = snapshot.files().into_iter().flat_map(|file| items(snapshot, file));
    all.filter_map(|item| call(&item, uses(snapshot, &item, &wanted))).collect()
}

/// Returns the definitions that a definition uses, in order of first use.
#[must_use]
pub fn outgoing(snapshot: &Snapshot, id: &ItemId) -> Vec<Call> {
    let item = placed(snapshot, id);
    let mut found: Vec<&ItemId> = Vec::new();
    for name in names::names(&snapshot.db, id).iter().filter(|name| !name.is_definition) {
        match &name.symbol {
            Symbol::Definition(used) if !found.contains(&used) => found.push(used),
            _ => {}
        }
    }
    let calls = found.into_iter().filter_map(|used| {
        let places = uses(snapshot, &item, &Symbol::Definition(used.clone()));
        call(&placed(snapshot, used), places)
    });
    calls.collect()
}

/// Returns the places in an item's file where it uses a thing.
fn uses(snapshot: &Snapshot, item: &PlacedItem<'_>, wanted: &Symbol) -> Vec<Span> {
    let names = names::names(&snapshot.db, item.id).iter();
    let uses = names.filter(|name| !name.is_definition && name.symbol == *wanted);
    uses.map(|name| item.in_file(name.span)).collect()
}

fn call(other: &PlacedItem<'_>, places: Vec<Span>) -> Option<Call> {
    let item = hierarchy_item(other).filter(|_| !places.is_empty())?;
    Some(Call { item, places })
}

fn hierarchy_item(item: &PlacedItem<'_>) -> Option<HierarchyItem> {
    let kind = match item.id.key.kind {
        Keyword::Type => SymbolKind::Type,
        Keyword::Rule => SymbolKind::Rule,
        Keyword::Output => SymbolKind::Output,
        Keyword::Test | Keyword::Import | Keyword::Policy | Keyword::Unknown => return None,
    };
    let name_place = name_of(item)?;
    let place = FileSpan::new(item.id.file, item.shown());
    Some(HierarchyItem { id: item.id.clone(), name: item.id.key.name.clone(), kind, place, name_place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, used_by: &[&str], uses: &[&str]) {
        let fixture = Fixture::new(fixture);
        let item = prepare(&fixture.snapshot, fixture.cursor()).expect("a definition");
        let shown = |calls: Vec<Call>| -> Vec<String> {
            calls.iter().map(|call| format!("{} x{}", fixture.shown(call.item.name_place), call.places.len())).collect()
        };
        assert_eq!(shown(incoming(&fixture.snapshot, &item.id)), used_by);
        assert_eq!(shown(outgoing(&fixture.snapshot, &item.id)), uses);
    }

    #[test]
    fn incoming_and_outgoing_calls_are_found() {
        let text = "type A = int\ntype $0B = { a: A, b: A[2], c: B | null }\noutput O = B\ntest B { accept {} }\n";
        check(text, &["a.ogc:2:6 B x1", "a.ogc:3:8 O x1"], &["a.ogc:1:6 A x2", "a.ogc:2:6 B x1"]);
        check("type A = { x: int | $0null }\n", &[], &[]);
    }

    #[test]
    fn calls_cross_files() {
        let text = "//- a.ogc\nimport B from \"b.ogc\"\noutput O = $0B\n//- b.ogc\ntype B = C\ntype C = int\n";
        check(text, &["a.ogc:2:8 O x1"], &["b.ogc:2:6 C x1"]);
    }

    #[test]
    fn no_call_hierarchy_outside_of_definitions() {
        for text in ["// $0\n", "import \"x$0.ogc\" as x\n", "policy space = $0\"any\"\n"] {
            let fixture = Fixture::new(text);
            assert_eq!(prepare(&fixture.snapshot, fixture.cursor()), None, "{text}");
        }
    }
}
