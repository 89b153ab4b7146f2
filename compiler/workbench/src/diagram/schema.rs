//! Draws diagrams of JSON Schema from its graph. Referenced schemas and inner objects have diagrams of their own.
//! Commas between members are left out; the page says so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use always_assert::never;
use ogc_compiler::frontend::json_schema::Imported;
use ogc_export::json_schema::value_text;
use ogc_schema::source::{Keywords, NodeId, NodeKind, Types};

use super::{Definition, Diagram, MOST, place, quoted};

/// Maximum nesting of unnamed schemas in one diagram.
const DEPTH: usize = 12;

/// Returns a diagram for the root and for each schema that is referred to by a name.
pub(super) fn definitions(imported: &Imported, text: &str) -> Vec<Definition> {
    let mut drawing = Drawing { imported, text, names: BTreeMap::new(), used: BTreeSet::new(), queue: VecDeque::new() };
    let Some(root) = imported.schemas.root.filter(|_| !imported.has_errors()) else { return Vec::new() };
    drawing.name(root, "root");
    let mut all = Vec::new();
    while let Some(id) = drawing.queue.pop_front() {
        if all.len() == MOST {
            break;
        }
        let diagram = drawing.node(id, 0);
        let name = drawing.names.get(&id).cloned().unwrap_or_else(|| {
            never!("{:?} is drawn by itself and has no name", id);
            String::new()
        });
        all.push(Definition { place: place(&name), name, kind: "schema", docs: String::new(), diagram });
    }
    all
}

/// The schemas that have names, and the queue of those still to be drawn.
struct Drawing<'i> {
    imported: &'i Imported,
    text: &'i str,
    names: BTreeMap<NodeId, String>,
    used: BTreeSet<String>,
    queue: VecDeque<NodeId>,
}

impl Drawing<'_> {
    /// Returns the name of a schema that has a diagram of its own. A new schema gets the name `wanted`, if it is free.
    fn name(&mut self, id: NodeId, wanted: &str) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let (mut name, mut number) = (wanted.to_owned(), 1);
        while !self.used.insert(name.clone()) {
            number += 1;
            name = format!("{wanted} {number}");
        }
        self.names.insert(id, name.clone());
        self.queue.push_back(id);
        name
    }

    fn named(&mut self, id: NodeId, wanted: &str) -> Diagram {
        let name = self.name(id, wanted);
        let place = place(&name);
        Diagram::Nonterminal(name, Some(place))
    }

    /// Draws a schema in place.
    fn node(&mut self, id: NodeId, depth: usize) -> Diagram {
        let imported = self.imported;
        match imported.schemas.nodes.get(id.0 as usize).map(|node| &node.kind) {
            None | Some(NodeKind::Bool(true)) => Diagram::Described("any value".to_owned()),
            Some(NodeKind::Bool(false)) => Diagram::Comment("no value".to_owned()),
            Some(NodeKind::Keywords(_)) if depth > DEPTH => self.named(id, "part"),
            Some(NodeKind::Keywords(keywords)) => self.keywords(keywords, depth),
        }
    }

    /// Draws a schema under a key; a schema with members gets a diagram of its own.
    fn member(&mut self, id: NodeId, key: &str, depth: usize) -> Diagram {
        let imported = self.imported;
        let kind = imported.schemas.nodes.get(id.0 as usize).map(|node| &node.kind);
        let apart = matches!(kind, Some(NodeKind::Keywords(keywords)) if !keywords.object.properties.is_empty());
        if apart { self.named(id, key) } else { self.node(id, depth + 1) }
    }

    fn keywords(&mut self, keywords: &Keywords, depth: usize) -> Diagram {
        let mut parts: Vec<Diagram> = Vec::new();
        for values in &keywords.one_of_values {
            parts
                .push(Diagram::choice(values.value.iter().map(|value| Diagram::Terminal(value_text(value))).collect()));
        }
        if let Some(reference) = &keywords.reference {
            let name = self.reference_name(reference.value, self.imported.span(reference.origin).text(self.text));
            parts.push(self.named(reference.value, &name));
        }
        for arms in keywords.any_of.iter().chain(&keywords.one_of) {
            let arms = arms.value.iter().map(|&arm| self.node(arm, depth + 1)).collect();
            parts.push(Diagram::choice(arms));
        }
        parts.extend(keywords.all_of.iter().map(|&part| self.node(part, depth + 1)));
        if keywords.one_of_values.is_empty() && (keywords.types.is_some() || speaks(keywords)) || parts.is_empty() {
            parts.push(self.typed(keywords, depth));
        }
        if let Some(not) = &keywords.not {
            parts.push(self.node(not.value, depth + 1).labelled("but not"));
        }
        if let Some(conditional) = &keywords.conditional {
            let mut branch = |id: Option<NodeId>| id.map_or(Diagram::Skip, |id| self.node(id, depth + 1));
            let condition = branch(Some(conditional.value.condition)).labelled("if");
            let then = branch(conditional.value.then).labelled("then");
            let otherwise = branch(conditional.value.otherwise).labelled("else");
            parts.push(Diagram::sequence(vec![condition, Diagram::choice(vec![then, otherwise])]));
        }
        let mut parts = parts.into_iter();
        let first = parts.next();
        Diagram::sequence(first.into_iter().chain(parts.map(also)).collect())
    }

    /// Returns the last part of a `$ref` as a name.
    fn reference_name(&self, target: NodeId, written: &str) -> String {
        if Some(target) == self.imported.schemas.root {
            return "root".to_owned();
        }
        let written = written.trim_matches(|c: char| c == '"' || c.is_whitespace());
        let last = written.rsplit(['/', '#', ':']).find(|part| !part.is_empty() && *part != "$ref");
        last.map_or_else(|| "schema".to_owned(), |last| last.replace("~1", "/").replace("~0", "~"))
    }

    /// Draws the values of the allowed types.
    fn typed(&mut self, keywords: &Keywords, depth: usize) -> Diagram {
        let Some(types) = &keywords.types else { return self.untyped(keywords, depth) };
        let Types { null, boolean, integer, number, string, array, object } = types.value;
        let mut arms = Vec::new();
        if object {
            arms.push(self.object(keywords, depth));
        }
        if array {
            arms.push(self.array(keywords, depth));
        }
        if string {
            arms.push(Diagram::Described(string_words(keywords)));
        }
        if integer || number {
            arms.push(Diagram::Described(number_words(keywords, number)));
        }
        if boolean {
            arms.extend(["true", "false"].map(|word| Diagram::Terminal(word.to_owned())));
        }
        if null {
            arms.push(Diagram::Terminal("null".to_owned()));
        }
        if arms.is_empty() { Diagram::Comment("no value".to_owned()) } else { Diagram::choice(arms) }
    }

    /// Draws a schema without `type`: its keywords constrain some types and allow all others.
    fn untyped(&mut self, keywords: &Keywords, depth: usize) -> Diagram {
        let mut arms = Vec::new();
        if keywords.object != Default::default() {
            arms.push(self.object(keywords, depth));
        }
        if keywords.array != Default::default() {
            arms.push(self.array(keywords, depth));
        }
        if keywords.string != Default::default() {
            arms.push(Diagram::Described(string_words(keywords)));
        }
        if keywords.number != Default::default() {
            arms.push(Diagram::Described(number_words(keywords, true)));
        }
        let words = if arms.is_empty() { "any value" } else { "any value of another type" };
        arms.push(Diagram::Described(words.to_owned()));
        Diagram::choice(arms)
    }

    fn object(&mut self, keywords: &Keywords, depth: usize) -> Diagram {
        let object = &keywords.object;
        let required: BTreeSet<&str> = object.required.iter().map(|key| key.value.as_str()).collect();
        let mut parts = vec![Diagram::Terminal("{".to_owned())];
        for (key, value) in &object.properties {
            let value = self.member(*value, key, depth);
            let member = Diagram::sequence(vec![Diagram::Terminal(format!("{}:", quoted(key))), value]);
            parts.push(if required.contains(key.as_str()) { member } else { member.optional() });
        }
        for (pattern, value) in &object.pattern_properties {
            let key = Diagram::Described(format!("key like /{}/:", pattern.value));
            parts.push(Diagram::sequence(vec![key, self.member(*value, "value", depth)]).repeated().optional());
        }
        parts.extend(self.others(keywords, depth));
        parts.push(Diagram::Terminal("}".to_owned()));
        if parts.len() > 4 { Diagram::lines(parts) } else { Diagram::sequence(parts) }
    }

    /// Draws the undeclared members.
    fn others(&mut self, keywords: &Keywords, depth: usize) -> Option<Diagram> {
        let additional = keywords.object.additional_properties.as_ref();
        let value = match additional.map(|additional| additional.value) {
            None => Diagram::Described("any value".to_owned()),
            Some(id) if self.is_false(id) => return None,
            Some(id) => self.member(id, "other", depth),
        };
        let key = Diagram::Described("other key:".to_owned());
        Some(Diagram::sequence(vec![key, value]).repeated().optional())
    }

    fn is_false(&self, id: NodeId) -> bool {
        let node = self.imported.schemas.nodes.get(id.0 as usize);
        node.is_some_and(|node| node.kind == NodeKind::Bool(false))
    }

    fn array(&mut self, keywords: &Keywords, depth: usize) -> Diagram {
        let array = &keywords.array;
        let mut parts = vec![Diagram::Terminal("[".to_owned())];
        parts.extend(array.prefix_items.iter().map(|&item| self.member(item, "item", depth)));
        let count = array.prefix_items.len() as u64;
        let items = array.items.as_ref().map(|items| items.value);
        if !items.is_some_and(|items| self.is_false(items)) {
            let item = items.map_or(Diagram::Described("any value".to_owned()), |id| self.member(id, "item", depth));
            let bound = |bound: &Option<ogc_schema::source::At<u64>>| bound.as_ref().map(|bound| bound.value);
            let least = bound(&array.min_items).unwrap_or(0).saturating_sub(count);
            let most = bound(&array.max_items).map(|most| most.saturating_sub(count));
            parts.push(item.times(least, most, Some(Diagram::Terminal(",".to_owned()))));
        }
        parts.push(Diagram::Terminal("]".to_owned()));
        Diagram::sequence(parts)
    }
}

fn also(part: Diagram) -> Diagram {
    match part {
        labelled @ Diagram::Labelled(..) => labelled,
        other => other.labelled("and also"),
    }
}

/// Returns whether a keyword constrains values of a single type.
fn speaks(keywords: &Keywords) -> bool {
    keywords.object != Default::default()
        || keywords.array != Default::default()
        || keywords.string != Default::default()
        || keywords.number != Default::default()
}

fn string_words(keywords: &Keywords) -> String {
    let string = &keywords.string;
    let mut words = "string".to_owned();
    let (least, most) = (string.min_length.as_ref(), string.max_length.as_ref());
    words.push_str(&match (least.map(|at| at.value), most.map(|at| at.value)) {
        (None, None) => String::new(),
        (Some(least), Some(most)) if least == most => format!(" of {least} characters"),
        (least, Some(most)) => format!(" of {} to {most} characters", least.unwrap_or(0)),
        (Some(least), None) => format!(" of {least} characters or more"),
    });
    string.formats.iter().for_each(|format| words.push_str(&format!(", {}", format.value)));
    string.patterns.iter().for_each(|pattern| words.push_str(&format!(", /{}/", pattern.value)));
    words
}

fn number_words(keywords: &Keywords, fractions: bool) -> String {
    let number = &keywords.number;
    let bounds = [
        ("≥", &number.minimum),
        (">", &number.exclusive_minimum),
        ("≤", &number.maximum),
        ("<", &number.exclusive_maximum),
        ("a multiple of", &number.multiple_of),
    ];
    let bounds = bounds.into_iter().filter_map(|(sign, bound)| Some(format!("{sign} {}", bound.as_ref()?.value)));
    let written = number.decimals.as_ref().map(|decimals| decimals.value);
    let written = written.map(|decimals| format!("with {} to {} decimals", decimals.least, decimals.most));
    let bounds: Vec<String> = bounds.chain(written).collect();
    let name = if fractions { "number" } else { "integer" };
    if bounds.is_empty() { name.to_owned() } else { format!("{name} {}", bounds.join(", ")) }
}

#[cfg(test)]
mod tests {
    use ogc_compiler::frontend::json_schema::{ReadOptions, read};

    use super::*;

    fn drawn(text: &str) -> Vec<Definition> {
        definitions(&read(text, &ReadOptions::default()), text)
    }

    #[test]
    fn references_and_inner_objects_have_diagrams_of_their_own() {
        let text = r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"properties": {"c": true}}},
            "required": ["a"], "additionalProperties": false, "$defs": {"n": {"type": "integer", "minimum": 3}}}"##;
        let found = drawn(text);
        let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["root", "n", "b"]);
        assert_eq!(found[1].diagram, Diagram::Described("integer ≥ 3".to_owned()));
        let Diagram::Sequence(parts) = &found[0].diagram else { panic!("{:?}", found[0].diagram) };
        assert!(matches!(parts.as_slice(), [_, Diagram::Sequence(_), Diagram::Optional(_), _]), "{parts:?}");
    }

    #[test]
    fn recursion_ends_and_errors_have_no_diagrams() {
        let found = drawn(r##"{"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]}"##);
        assert_eq!(found.len(), 1);
        assert!(drawn(r##"{"type": "none"}"##).is_empty());
    }
}
