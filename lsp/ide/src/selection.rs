//! Selection ranges: the parts around a place, from the smallest to the whole file.

use ogc_compiler::db::Language;
use ogc_compiler::foreign::read_rules;
use ogc_grammar::Span;
use ogc_grammar::json;
use ogc_grammar::ogc::ast::{File, Item};
use ogc_grammar::ogc::{token::Token, tokens};
use ogc_grammar::outline::Node;

use crate::items::{PlacedItem, item_at};
use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// Returns the parts that contain a place, each within the next: a word, expressions, the item, the file.
#[must_use]
pub fn selections(snapshot: &Snapshot, at: FilePosition) -> Vec<Span> {
    let text = snapshot.text(at.file);
    let whole = Span::of(0, text.len());
    let mut found = vec![whole];
    match snapshot.language(at.file) {
        Language::Ogc => {
            if let Some(item) = item_at(snapshot, at) {
                found.push(item.shown());
                inside(&outline(&item), at.offset, item.span.start, &mut found);
                found.extend(word(snapshot.slice(at.file, item.span), item.span.start, at.offset));
            }
        }
        Language::JsonSchema => {
            let tree = json::parse(text).0;
            tree.iter().for_each(|tree| inside(&Node::of_json(tree), at.offset, 0, &mut found));
        }
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            inside(&Node::of_rules(&read_rules(&snapshot.db, at.file).0), at.offset, 0, &mut found);
        }
        Language::Regex => {}
    }
    nested(found)
}

/// Returns the outline of an item, with places relative to its start.
fn outline(item: &PlacedItem<'_>) -> Node {
    let tree: Item = item.tree.clone();
    Node::of_ogc(&File { items: vec![tree] })
}

/// Adds the nodes that contain a byte, outer ones first.
fn inside(node: &Node, at: u32, start: u32, found: &mut Vec<Span>) {
    let mut open = Some(node);
    while let Some(node) = open {
        found.push(node.span.shifted(start));
        let holds = |child: &&Node| {
            let span = child.span.shifted(start);
            span.start <= at && at <= span.end && !span.is_empty()
        };
        // If two nodes touch here, the later one counts.
        open = node.children.iter().rfind(holds);
    }
}

/// Returns the token at a byte of an item.
fn word(text: &str, start: u32, at: u32) -> Option<Span> {
    let all = tokens(text);
    let holds = |token: &&Token| token.span.shifted(start).start <= at && at <= token.span.shifted(start).end;
    let touching = all.iter().filter(|token| !token.kind.is_trivia()).filter(holds);
    touching.max_by_key(|token| (token.kind.is_word(), token.span.start)).map(|token| token.span.shifted(start))
}

/// Keeps the spans that are nested in one another; returns the smallest first.
fn nested(mut found: Vec<Span>) -> Vec<Span> {
    found.sort_by_key(|span| std::cmp::Reverse(span.end - span.start));
    let mut kept: Vec<Span> = Vec::new();
    for span in found {
        let fits = kept.last().is_none_or(|outer| outer.start <= span.start && span.end <= outer.end && *outer != span);
        if fits {
            kept.push(span);
        }
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let at = fixture.cursor();
        let spans = selections(&fixture.snapshot, at);
        let texts: Vec<&str> = spans.iter().map(|span| fixture.snapshot.slice(at.file, *span)).collect();
        assert_eq!(texts, expected);
        assert!(spans.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
    }

    #[test]
    fn selections_grow_from_the_word_to_the_file() {
        check(
            "type A = { x: i$0nt | null }\n",
            &[
                "int",
                "int | null",
                "x: int | null",
                "{ x: int | null }",
                "type A = { x: int | null }",
                "type A = { x: int | null }\n",
            ],
        );
        let docs = "/// Docs.\ntype $0A = int\ntype B = int\n";
        check(docs, &["A", "type A = int", "/// Docs.\ntype A = int", &docs.replace("$0", "")]);
    }

    #[test]
    fn selections_grow_in_schemas_and_grammars() {
        check(
            "//- s.schema.json\n{ \"a\": [$01] }\n",
            &["1", "[1]", "\"a\": [1]", "{ \"a\": [1] }", "{ \"a\": [1] }\n"],
        );
        check(
            "//- g.gbnf\nroot ::= $0\"a\" \"b\"\n",
            &["\"a\"", "\"a\" \"b\"", "root ::= \"a\" \"b\"", "root ::= \"a\" \"b\"\n"],
        );
    }

    #[test]
    fn outside_of_items_only_the_file_is_selected() {
        check("\n\n$0\n\n", &["\n\n\n\n"]);
        check("$0", &[""]);
    }
}
