//! Draws diagrams of `.ogc` files from their syntax trees.

use std::collections::BTreeSet;

use ogc_grammar::ogc::ast::{
    Alternative, Argument, Bound, BoundKind, Definition as Defined, Doc, Expr, ExprKind, Item, ItemKind, Member,
    MemberKind, Range, Record, Reference, Repetition,
};
use ogc_grammar::ogc::{parse, print_expr};

use super::imports::Links;
use super::{Definition, Diagram, place, quoted};

/// Returns a diagram for each type, rule and output.
pub(super) fn definitions(text: &str, links: &Links) -> Vec<Definition> {
    let file = parse(text).file;
    let names = file.items.iter().filter_map(|item| Some(defined(item)?.1.name.text.clone())).collect();
    let types = file.items.iter().filter_map(defined).filter(|(kind, _)| *kind == "type");
    let types = types.map(|(_, definition)| definition.name.text.clone()).collect();
    let drawing = Drawing { names, types, links };
    file.items.iter().filter_map(|item| drawing.item(item)).collect()
}

fn defined(item: &Item) -> Option<(&'static str, &Defined)> {
    match &item.kind {
        ItemKind::Type(definition) => Some(("type", definition)),
        ItemKind::Rule(definition) => Some(("rule", definition)),
        ItemKind::Output(definition) => Some(("output", definition)),
        _ => None,
    }
}

/// The built-in types whose repetition is drawn as an array. String formats are left out, because nobody repeats them.
const SCALARS: [&str; 8] = ["any", "bool", "int", "number", "string", "null", "tuple", "map"];

/// The names that have diagrams, and which of them are types.
struct Drawing<'l> {
    names: BTreeSet<String>,
    types: BTreeSet<String>,
    links: &'l Links,
}

impl Drawing<'_> {
    fn item(&self, item: &Item) -> Option<Definition> {
        let (kind, definition) = defined(item)?;
        let name = &definition.name.text;
        let parameters: Vec<&str> =
            definition.parameters.iter().map(|parameter| parameter.name.text.as_str()).collect();
        let shown = if parameters.is_empty() { name.clone() } else { format!("{name}<{}>", parameters.join(", ")) };
        let docs = words(&item.docs);
        // A parameter hides an outer definition with the same name.
        let hidden = |known: &&String| !parameters.contains(&known.as_str());
        let names = self.names.iter().filter(hidden).cloned().collect();
        let types = self.types.iter().filter(hidden).cloned().collect();
        let inside = Drawing { names, types, links: self.links };
        let text = kind != "type";
        Some(Definition { name: shown, kind, docs, diagram: inside.expr(&definition.body, text), place: place(name) })
    }

    /// Draws an expression: as texts if `text` is true, otherwise as values.
    fn expr(&self, expr: &Expr, text: bool) -> Diagram {
        match &expr.kind {
            ExprKind::Error => Diagram::Comment("not understood".to_owned()),
            ExprKind::Null => Diagram::Terminal("null".to_owned()),
            ExprKind::Bool(value) => Diagram::Terminal(value.to_string()),
            ExprKind::Number(number) => Diagram::Terminal(number.clone()),
            ExprKind::String(string) => Diagram::Terminal(quoted(string)),
            ExprKind::Regex(pattern) => Diagram::Described(format!("/{pattern}/")),
            ExprKind::Token(name) => Diagram::Described(format!("token {name}")),
            ExprKind::Range(range) => Diagram::Described(bounds(range)),
            ExprKind::Reference(reference) => self.reference(reference, expr),
            ExprKind::Record(record) => self.record(record),
            ExprKind::Union(arms) => self.union(arms, text),
            ExprKind::Intersection(parts) => self.intersection(parts, text),
            ExprKind::Difference { kept, removed } => {
                let removed = removed.iter().map(|part| self.expr(part, text)).collect();
                Diagram::sequence(vec![self.expr(kept, text), Diagram::choice(removed).labelled("but not")])
            }
            ExprKind::Repeat { item, times } if text && !self.is_array(item, times) => {
                repeated(self.expr(item, text), times, None)
            }
            ExprKind::Repeat { item, times } => {
                let items = repeated(self.expr(item, false), times, Some(Diagram::Terminal(",".to_owned())));
                Diagram::sequence(vec![Diagram::Terminal("[".to_owned()), items, Diagram::Terminal("]".to_owned())])
            }
            ExprKind::List { item, times, separator } => {
                let (item, separator) = (self.expr(item, text), self.expr(separator, text));
                repeated(item, times.as_ref().unwrap_or(&Repetition::Plus), Some(separator))
            }
            ExprKind::Sequence(parts) => Diagram::sequence(parts.iter().map(|part| self.expr(part, text)).collect()),
            ExprKind::Capture { name, item } => self.expr(item, text).labelled(format!("{}:", name.text)),
            ExprKind::Attributed { item, .. } | ExprKind::Group(item) => self.expr(item, text),
        }
    }

    fn reference(&self, reference: &Reference, expr: &Expr) -> Diagram {
        let name = reference.path.segments.first().map(|name| name.text.as_str()).unwrap_or_default();
        if self.names.contains(name) && reference.path.segments.len() == 1 {
            return Diagram::Nonterminal(print_expr(expr), Some(place(name)));
        }
        let path: Vec<&str> = reference.path.segments.iter().map(|name| name.text.as_str()).collect();
        match self.links.place(&path) {
            Some(place) => Diagram::Nonterminal(print_expr(expr), Some(place)),
            None => self.built_in(name, &reference.arguments, expr),
        }
    }

    /// Draws a built-in name: a conversion as its argument, any other as a description.
    fn built_in(&self, name: &str, arguments: &[Argument], expr: &Expr) -> Diagram {
        let plain: Vec<&Expr> =
            arguments.iter().filter(|given| given.name.is_none()).map(|given| &given.value).collect();
        match (name, plain.as_slice()) {
            ("json", [value]) => self.expr(value, false).labelled("JSON"),
            ("raw", [value]) => self.expr(value, false).labelled("without quotes"),
            ("quoted", [text]) => self.expr(text, true).labelled("in a JSON string"),
            ("lazy", [shortest]) => self.expr(shortest, true).labelled("as short as can be"),
            ("mix", [between, regions]) => {
                let between = self.expr(between, true);
                let region = Diagram::sequence(vec![self.expr(regions, true), between.clone()]);
                let calls = arguments.iter().find(|given| given.name.as_ref().is_some_and(|name| name.text == "calls"));
                let times = calls.and_then(|calls| match &calls.value.kind {
                    ExprKind::Range(range) => Some(Repetition::Between(range.clone())),
                    _ => None,
                });
                Diagram::sequence(vec![between, repeated(region, &times.unwrap_or(Repetition::Star), None)])
            }
            _ => Diagram::Described(print_expr(expr)),
        }
    }

    /// Returns whether a repetition in a text is probably an array, because its item looks like a value.
    fn is_array(&self, item: &Expr, times: &Repetition) -> bool {
        matches!(times, Repetition::Exactly(_) | Repetition::Between(_)) && self.is_value(item)
    }

    fn is_value(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Record(_) => true,
            ExprKind::Group(inner) => self.is_value(inner),
            ExprKind::Union(arms) => arms.iter().all(|arm| self.is_value(&arm.expr)),
            ExprKind::Repeat { item, times } => self.is_array(item, times),
            ExprKind::Reference(reference) => {
                let name = reference.path.segments.first().map(|name| name.text.as_str()).unwrap_or_default();
                self.types.contains(name) || SCALARS.contains(&name)
            }
            _ => false,
        }
    }

    fn record(&self, record: &Record) -> Diagram {
        let brace = |sign: &str| Diagram::Terminal(sign.to_owned());
        let members = record.members.iter().map(|member| self.member(member));
        let parts: Vec<Diagram> = std::iter::once(brace("{")).chain(members).chain([brace("}")]).collect();
        if record.members.len() > 2 { Diagram::lines(parts) } else { Diagram::sequence(parts) }
    }

    fn member(&self, member: &Member) -> Diagram {
        match &member.kind {
            MemberKind::Error => Diagram::Comment("not understood".to_owned()),
            MemberKind::Field(field) => {
                let key = Diagram::Terminal(format!("{}:", quoted(&field.name.text)));
                let field_diagram = Diagram::sequence(vec![key, self.expr(&field.value, false)]);
                if field.optional { field_diagram.optional() } else { field_diagram }
            }
            MemberKind::Pattern { key, value } => {
                let key = self.expr(key, false).labelled("key");
                Diagram::sequence(vec![key, Diagram::Terminal(":".to_owned()), self.expr(value, false)])
                    .repeated()
                    .optional()
            }
            MemberKind::Spread(base) => self.expr(base, false).labelled("the members of"),
            MemberKind::Open => Diagram::Described("any other key and value".to_owned()).repeated().optional(),
        }
    }

    fn union(&self, arms: &[Alternative], text: bool) -> Diagram {
        let arm = |arm: &Alternative| {
            let diagram = self.expr(&arm.expr, text);
            let docs = words(&arm.docs);
            if docs.is_empty() { diagram } else { diagram.labelled(docs) }
        };
        Diagram::choice(arms.iter().map(arm).collect())
    }

    fn intersection(&self, parts: &[Expr], text: bool) -> Diagram {
        let mut parts = parts.iter().map(|part| self.expr(part, text));
        let first = parts.next();
        Diagram::sequence(first.into_iter().chain(parts.map(|part| part.labelled("and also"))).collect())
    }
}

fn words(docs: &[Doc]) -> String {
    docs.iter().map(|doc| doc.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn bounds(range: &Range) -> String {
    let bound = |bound: &Option<Bound>| bound.as_ref().map_or("", written).to_owned();
    format!("{}..{}", bound(&range.min), bound(&range.max))
}

fn written(bound: &Bound) -> &str {
    match &bound.kind {
        BoundKind::Number(text) | BoundKind::Name(text) => text,
    }
}

/// Draws a repetition; bounds that are parameters are shown by name.
fn repeated(item: Diagram, times: &Repetition, between: Option<Diagram>) -> Diagram {
    let number = |bound: &Bound| written(bound).parse::<u64>().ok();
    let exact = match times {
        Repetition::Optional => Some((0, Some(1))),
        Repetition::Star => Some((0, None)),
        Repetition::Plus => Some((1, None)),
        Repetition::Exactly(bound) => number(bound).map(|count| (count, Some(count))),
        Repetition::Between(range) => {
            let min = range.min.as_ref().map_or(Some(0), number);
            let max = range.max.as_ref().map_or(Some(None), |bound| number(bound).map(Some));
            min.zip(max)
        }
    };
    let words = match times {
        Repetition::Exactly(bound) => format!("{} times", written(bound)),
        Repetition::Between(range) => format!("{} times", bounds(range)),
        Repetition::Optional | Repetition::Star | Repetition::Plus => String::new(),
    };
    match exact {
        Some((min, max)) => item.times(min, max, between),
        None => {
            item.times(1, None, Some(Diagram::sequence(between.into_iter().chain([Diagram::Comment(words)]).collect())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_of_values_show_arrays_and_look_through_conversions() {
        let found = definitions(
            "type A = int\noutput B = A[1..2]\noutput C = mix<text, json<A>, calls = 0..1>\n",
            &Links::default(),
        );
        assert!(matches!(&found[1].diagram, Diagram::Sequence(parts) if parts[0] == Diagram::Terminal("[".to_owned())));
        let Diagram::Sequence(parts) = &found[2].diagram else { panic!("{:?}", found[2].diagram) };
        assert!(matches!(parts.as_slice(), [Diagram::Described(_), Diagram::Optional(_)]), "{parts:?}");
    }

    #[test]
    fn types_rules_and_outputs_become_diagrams() {
        let text = "/// A pair.\ntype A = { a: int, b?: A[1..3] }\nrule b<x> = c: \"x\" % \",\"\noutput C = b<A>?\n";
        let found = definitions(text, &Links::default());
        let heads: Vec<(&str, &str, &str)> =
            found.iter().map(|found| (found.kind, found.name.as_str(), found.docs.as_str())).collect();
        assert_eq!(heads, [("type", "A", "A pair."), ("rule", "b<x>", ""), ("output", "C", "")]);
        let text = |text: &str| Diagram::Terminal(text.to_owned());
        let a = Diagram::Nonterminal("A".to_owned(), Some(place("A")));
        let items = Diagram::sequence(vec![text("["), a.times(1, Some(3), Some(text(","))), text("]")]);
        let field = |key: &str, value| Diagram::sequence(vec![text(key), value]);
        let int = field("\"a\":", Diagram::Described("int".to_owned()));
        let parts = vec![text("{"), int, field("\"b\":", items).optional(), text("}")];
        assert_eq!(found[0].diagram, Diagram::sequence(parts));
        let used = Diagram::Nonterminal("b<A>".to_owned(), Some(place("b")));
        assert_eq!(found[2].diagram, used.optional());
    }
}
