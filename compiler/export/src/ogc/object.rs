//! Exports objects and their keywords.

use super::build::{
    any, argument, difference, field, intersection, is_any, is_never, never, open, pattern, range, range_expr, record,
    setting, union, with, word,
};
use super::docs;
use super::mask::Mask;
use super::node::ConjunctionParts;
use super::pattern::strings;
use super::printer::{NodeContext, Printer, has_neighbours};
use ogc_grammar::ogc::ast::{Expr, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, ObjectKeywords};
use rustc_hash::FxHashSet;

/// Keys that are required and not declared, by the place where they can be written.
///
/// A key that is only required comes after all declared keys. A record declares its keys, so the key may be written in
/// the record itself, or in a record at the end, only if that is its position anyway.
#[derive(Debug, Default)]
struct Required<'g> {
    /// In the record itself.
    inside: Vec<&'g str>,
    /// In a record at the end.
    last: Vec<&'g str>,
    /// By subtracting the objects without the key, which declares nothing.
    removed: Vec<&'g str>,
}

impl<'g> Printer<'_, 'g> {
    /// Exports the node's own conditions on objects; `None` if it has none.
    pub(super) fn object(
        &mut self,
        keywords: &'g Keywords,
        place: &NodeContext<'g>,
        parts: &mut ConjunctionParts,
    ) -> Option<Expr> {
        let object = &keywords.object;
        let required = self.required(keywords, place);
        if !required.last.is_empty() {
            let last = requires(&required.last);
            parts.last.push(union(place.mask.less(Mask::OBJECT).parts().into_iter().chain([last]).collect()));
        }
        parts.removed.extend(required.removed.iter().map(|key| lacks(key)));
        let (record, names) = self.record(object, &required.inside);
        let conditions = self.conditions(object, names);
        let all: Vec<Expr> = record.into_iter().chain(conditions).collect();
        (!all.is_empty()).then(|| intersection(all))
    }

    fn required(&self, keywords: &'g Keywords, place: &NodeContext<'g>) -> Required<'g> {
        let mut sorted = Required::default();
        let has_neighbours = has_neighbours(keywords);
        let mut units = Default::default();
        if has_neighbours && !keywords.object.required.is_empty() {
            self.declared(keywords, &mut units);
        }
        let mut seen: FxHashSet<&str> = keywords.object.properties.iter().map(|(key, _)| key.as_str()).collect();
        for key in keywords.object.required.iter().map(|key| key.value.as_str()) {
            if !seen.insert(key) {
                continue;
            }
            match &place.around {
                Some(around) if around.contains(key) => sorted.inside.push(key),
                _ if units.contains(key) => sorted.last.push(key),
                None if !has_neighbours => sorted.inside.push(key),
                _ => sorted.removed.push(key),
            }
        }
        sorted
    }

    /// Exports `{ ... }` or `map<K, V>`, unless it would constrain nothing. The flag tells whether the result
    /// constrains the names of keys.
    fn record(&mut self, object: &'g ObjectKeywords, required: &[&'g str]) -> (Option<Expr>, bool) {
        let rest = object.additional_properties.as_ref().map(|rest| self.value(rest.value));
        let declares = !object.properties.is_empty() || !required.is_empty() || !object.pattern_properties.is_empty();
        if !declares {
            return match rest {
                Some(rest) if !is_any(&rest) && !is_never(&rest) => (Some(self.map(object, rest)), true),
                Some(rest) if is_never(&rest) => (Some(record(Vec::new())), false),
                _ => (None, false),
            };
        }
        let is_closed = rest.as_ref().is_some_and(is_never) && object.pattern_properties.is_empty();
        let mut members = Vec::with_capacity(object.properties.len() + 1);
        for (key, node) in &object.properties {
            let is_required = object.required.iter().any(|required| required.value == *key);
            let member = self.property(object, key, *node, !is_required);
            match is_never_at(&member) {
                true if is_required => return (Some(never()), false),
                true if is_closed => {}
                _ => members.push(member),
            }
        }
        for key in required {
            let value = self.undeclared(object, key, rest.as_ref());
            if is_never(&value) {
                return (Some(never()), false);
            }
            members.push(field(key, false, value));
        }
        self.rest(object, rest, &mut members);
        (Some(record(members)), false)
    }

    fn map(&mut self, object: &ObjectKeywords, rest: Expr) -> Expr {
        let keys = object.property_names.as_ref().map_or_else(|| word("string"), |names| self.keys(names.value));
        with("map", vec![argument(keys), argument(rest)])
    }

    /// Exports the strings of a node, which are allowed keys.
    fn keys(&mut self, node: NodeId) -> Expr {
        self.node(node, &NodeContext { mask: Mask::STRING, around: None })
    }

    /// Exports a declared key, with the conditions that matching patterns add.
    fn property(&mut self, object: &'g ObjectKeywords, key: &'g str, node: NodeId, optional: bool) -> Member {
        let value = self.value(node);
        let patterns = self.matching(object, key);
        let value = intersection([value].into_iter().chain(patterns).collect());
        let mut member = field(key, optional, value);
        if let Some(docs) = self.graph.docs(node).filter(|_| !self.is_named(node)) {
            member.docs = docs::comments(docs);
            member.attributes = docs::attributes(docs);
        }
        member
    }

    /// Exports the values of the patterns that match a key.
    fn matching(&mut self, object: &'g ObjectKeywords, key: &str) -> Vec<Expr> {
        let mut found = Vec::new();
        for (pattern, node) in &object.pattern_properties {
            match self.patterns.matches(&pattern.value, key) {
                Ok(true) => found.push(self.value(*node)),
                Ok(false) => {}
                Err(why) => self.unknown_pattern(pattern, &why),
            }
        }
        found
    }

    fn unknown_pattern(&mut self, pattern: &At<String>, why: &str) {
        let message = format!("which keys this pattern concerns cannot be told: {why}");
        let finding = Diagnostic::error(Code::PrintPattern, self.span(pattern.origin), message);
        self.say(finding.help("write a simpler pattern"));
    }

    fn undeclared(&mut self, object: &'g ObjectKeywords, key: &str, rest: Option<&Expr>) -> Expr {
        let patterns = self.matching(object, key);
        if patterns.is_empty() { rest.cloned().unwrap_or_else(any) } else { intersection(patterns) }
    }

    /// Exports the keys that are not declared.
    fn rest(&mut self, object: &ObjectKeywords, rest: Option<Expr>, members: &mut Vec<Member>) {
        let mut named = Vec::new();
        for (key, node) in &object.pattern_properties {
            let keys = strings(&key.value);
            named.push(keys.clone());
            if !matches!(self.graph.kind(*node), NodeKind::Bool(true))
                || rest.as_ref().is_some_and(|rest| !is_any(rest))
            {
                let value = self.value(*node);
                members.push(pattern(keys, value));
            }
        }
        match rest {
            Some(rest) if is_never(&rest) => {}
            Some(rest) if !is_any(&rest) => members.push(pattern(difference(word("string"), named), rest)),
            _ => members.push(open()),
        }
    }

    /// Exports the conditions on the number and the names of keys.
    fn conditions(&mut self, object: &ObjectKeywords, has_names: bool) -> Option<Expr> {
        let min = object.min_properties.as_ref().map(|min| min.value).filter(|min| *min > 0);
        let max = object.max_properties.as_ref().map(|max| max.value);
        if max.is_some_and(|max| min > Some(max)) {
            return Some(never());
        }
        let count = range(min.as_ref(), max.as_ref()).map(range_expr).map(argument);
        let names = object.property_names.as_ref().filter(|_| !has_names).map(|names| self.keys(names.value));
        let names = names.filter(|names| *names != word("string")).map(|names| setting("keys", names));
        let arguments: Vec<_> = count.into_iter().chain(names).collect();
        (!arguments.is_empty()).then(|| with("object", arguments))
    }

    /// Exports `dependentRequired` and `dependentSchemas`: the key is absent, or its requirements hold.
    pub(super) fn dependencies(
        &mut self,
        object: &'g ObjectKeywords,
        place: &NodeContext<'g>,
        parts: &mut ConjunctionParts,
    ) {
        if !place.mask.has(Mask::OBJECT) {
            return;
        }
        let others = place.mask.less(Mask::OBJECT).parts();
        for (key, names) in &object.dependent_required {
            let keys: Vec<&str> = [key.value.as_str()].into_iter().chain(names.iter().map(String::as_str)).collect();
            let present = self.presence(&keys, place);
            parts.choices.push(union(others.iter().cloned().chain([absent(&key.value), present]).collect()));
        }
        for (key, node) in &object.dependent_schemas {
            let schema = self.node(*node, &NodeContext { mask: Mask::OBJECT, around: place.around.clone() });
            let present = intersection(vec![schema, self.presence(&[&key.value], place)]);
            parts.choices.push(union(others.iter().cloned().chain([absent(&key.value), present]).collect()));
        }
    }

    /// Builds the type of the objects that have the keys.
    fn presence(&self, keys: &[&str], place: &NodeContext<'g>) -> Expr {
        let is_declared = |key: &&&str| place.around.as_ref().is_none_or(|around| around.contains(**key));
        let (declared, others): (Vec<&str>, Vec<&str>) = keys.iter().partition(|key| is_declared(key));
        let record = if declared.is_empty() { word("object") } else { requires(&declared) };
        difference(record, others.iter().map(|key| lacks(key)).collect())
    }
}

fn is_never_at(member: &Member) -> bool {
    matches!(&member.kind, ogc_grammar::ogc::ast::MemberKind::Field(field) if is_never(&field.value))
}

/// Builds `{ key: any, ... }`.
fn requires(keys: &[&str]) -> Expr {
    let mut members: Vec<Member> = Vec::with_capacity(keys.len() + 1);
    for key in keys {
        let member = field(key, false, any());
        if !members.contains(&member) {
            members.push(member);
        }
    }
    members.push(open());
    record(members)
}

/// Builds the type of the objects without a key.
fn absent(key: &str) -> Expr {
    difference(word("object"), vec![requires(&[key])])
}

/// Builds the type of the objects without a key, as the right side of a difference. The difference requires the key
/// without declaring it.
fn lacks(key: &str) -> Expr {
    record(vec![field(key, true, never()), open()])
}
