//! Prints a graph of schemas for debugging the compiler: one numbered node a line, with keywords named as in JSON
//! Schema.

use std::fmt::{Display, Write as _};

use super::{
    ArrayKeywords, At, Conditional, Keywords, Node, NodeId, NodeKind, NumberKeywords, ObjectKeywords, Schemas,
    StringKeywords, Types, Value,
};

/// Values of an `enum` beyond this number are counted, not listed.
const VALUES: usize = 16;

/// Longer strings are cut to this number of characters.
const CHARACTERS: usize = 60;

impl Schemas {
    /// Writes each node on a line: its number, the text that `about` returns for it (its place, for example), and its
    /// keywords.
    ///
    /// ```
    /// use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas};
    /// let one_of = At { origin: Origin(0), value: vec![NodeId(1), NodeId(1)] };
    /// let keywords = Keywords { one_of: vec![one_of], ..Keywords::default() };
    /// let nodes = vec![
    ///     Node { origin: Origin(7), kind: NodeKind::Keywords(Box::new(keywords)) },
    ///     Node { origin: Origin(9), kind: NodeKind::Bool(true) },
    /// ];
    /// let schemas = Schemas { nodes, root: Some(NodeId(0)) };
    /// let text = schemas.print(|_, node| format!(" at {}", node.origin.0));
    /// assert_eq!(text, "#0 at 7: oneOf [#1, #1]\n#1 at 9: true\n");
    /// ```
    #[must_use]
    pub fn print(&self, about: impl Fn(NodeId, &Node) -> String) -> String {
        let mut out = String::new();
        for (id, node) in (0..).map(NodeId).zip(&self.nodes) {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{id}{}: {}", about(id, node), says(node));
        }
        out
    }
}

impl Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

fn says(node: &Node) -> String {
    match &node.kind {
        NodeKind::Bool(holds) => holds.to_string(),
        NodeKind::Keywords(keywords) => {
            let mut words = Words::default();
            words.all(keywords);
            if words.0.is_empty() { "no keywords".to_owned() } else { words.0.join("; ") }
        }
    }
}

/// Collects a node's keywords as text.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn all(&mut self, keywords: &Keywords) {
        let Keywords { types, one_of_values, reference, all_of, any_of, one_of, not, .. } = keywords;
        self.one("type", types.as_ref().map(|types| type_names(types.value)));
        one_of_values.iter().for_each(|values| self.one("enum", Some(listed_values(&values.value))));
        self.at("$ref", reference.as_ref());
        self.one("allOf", (!all_of.is_empty()).then(|| listed(all_of)));
        any_of.iter().for_each(|arms| self.one("anyOf", Some(listed(&arms.value))));
        one_of.iter().for_each(|arms| self.one("oneOf", Some(listed(&arms.value))));
        self.at("not", not.as_ref());
        self.conditional(keywords.conditional.as_ref().map(|conditional| conditional.value));
        self.string(&keywords.string);
        self.number(&keywords.number);
        self.array(&keywords.array);
        self.object(&keywords.object);
    }

    fn one(&mut self, name: &str, value: Option<impl Display>) {
        self.0.extend(value.map(|value| format!("{name} {value}")));
    }

    fn at(&mut self, name: &str, keyword: Option<&At<impl Display>>) {
        self.one(name, keyword.map(|keyword| &keyword.value));
    }

    fn conditional(&mut self, conditional: Option<Conditional>) {
        let Some(Conditional { condition, then, otherwise }) = conditional else { return };
        self.one("if", Some(condition));
        self.one("then", then);
        self.one("else", otherwise);
    }

    fn string(&mut self, string: &StringKeywords) {
        let StringKeywords { min_length, max_length, patterns, formats } = string;
        self.at("minLength", min_length.as_ref());
        self.at("maxLength", max_length.as_ref());
        patterns.iter().for_each(|pattern| self.one("pattern", Some(quoted(&pattern.value))));
        formats.iter().for_each(|format| self.one("format", Some(quoted(&format.value))));
    }

    fn number(&mut self, number: &NumberKeywords) {
        self.at("minimum", number.minimum.as_ref());
        self.at("maximum", number.maximum.as_ref());
        self.at("exclusiveMinimum", number.exclusive_minimum.as_ref());
        self.at("exclusiveMaximum", number.exclusive_maximum.as_ref());
        self.at("multipleOf", number.multiple_of.as_ref());
        let decimals = number.decimals.as_ref().map(|at| at.value);
        self.one("decimals", decimals.map(|decimals| format!("{} to {}", decimals.least, decimals.most)));
    }

    fn array(&mut self, array: &ArrayKeywords) {
        self.one("prefixItems", (!array.prefix_items.is_empty()).then(|| listed(&array.prefix_items)));
        self.at("items", array.items.as_ref());
        self.at("minItems", array.min_items.as_ref());
        self.at("maxItems", array.max_items.as_ref());
        self.one("uniqueItems", array.unique_items.map(|_| true));
        self.at("contains", array.contains.as_ref());
        self.at("minContains", array.min_contains.as_ref());
        self.at("maxContains", array.max_contains.as_ref());
    }

    fn object(&mut self, object: &ObjectKeywords) {
        let properties = object.properties.iter().map(|(key, node)| (key, node));
        self.members("properties", properties);
        self.members("patternProperties", object.pattern_properties.iter().map(|(key, node)| (&key.value, node)));
        self.at("additionalProperties", object.additional_properties.as_ref());
        self.at("propertyNames", object.property_names.as_ref());
        let required: Vec<&String> = object.required.iter().map(|key| &key.value).collect();
        self.one("required", (!required.is_empty()).then(|| keys(required)));
        self.at("minProperties", object.min_properties.as_ref());
        self.at("maxProperties", object.max_properties.as_ref());
        let dependent = object.dependent_required.iter().map(|(key, others)| (&key.value, keys(others)));
        self.members("dependentRequired", dependent);
        self.members("dependentSchemas", object.dependent_schemas.iter().map(|(key, node)| (&key.value, node)));
    }

    fn members<'k, V: Display>(&mut self, name: &str, members: impl Iterator<Item = (&'k String, V)>) {
        let members: Vec<String> = members.map(|(key, value)| format!("{} {value}", quoted(key))).collect();
        self.one(name, (!members.is_empty()).then(|| format!("{{{}}}", members.join(", "))));
    }
}

fn type_names(types: Types) -> String {
    let Types { null, boolean, integer, number, string, array, object } = types;
    let all = [
        (null, "null"),
        (boolean, "boolean"),
        (integer && !number, "integer"),
        (number, "number"),
        (string, "string"),
        (array, "array"),
        (object, "object"),
    ];
    let names: Vec<&str> = all.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join("|") }
}

fn listed(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(", "))
}

fn keys<'k>(keys: impl IntoIterator<Item = &'k String>) -> String {
    let keys: Vec<String> = keys.into_iter().map(|key| quoted(key)).collect();
    listed(&keys)
}

fn listed_values(values: &[Value]) -> String {
    let mut shown: Vec<String> = values.iter().take(VALUES).map(value).collect();
    if let Some(more) = values.len().checked_sub(VALUES).filter(|more| *more > 0) {
        shown.push(format!("and {more} more"));
    }
    listed(&shown)
}

/// Writes a value. The parser's limit on nesting bounds the recursion.
fn value(of: &Value) -> String {
    match of {
        Value::Null => "null".to_owned(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => listed_values(items),
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, member)| format!("{}: {}", quoted(key), value(member))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use ogc_regular::number::Decimal;

    use super::*;
    use crate::source::Origin;

    fn at<T>(value: T) -> At<T> {
        At { origin: Origin(0), value }
    }

    #[test]
    fn keywords_are_printed_grouped_by_type() {
        let node = NodeId(3);
        let keywords = Keywords {
            one_of_values: vec![at((0..18).map(|at| Value::String(format!("v{at}"))).collect())],
            conditional: Some(at(Conditional { condition: node, then: None, otherwise: Some(node) })),
            string: StringKeywords { max_length: Some(at(80)), ..StringKeywords::default() },
            number: NumberKeywords { minimum: Some(at(Decimal::one())), ..NumberKeywords::default() },
            array: ArrayKeywords { unique_items: Some(Origin(0)), ..ArrayKeywords::default() },
            object: ObjectKeywords {
                properties: vec![("a".into(), node), ("b".into(), node)],
                required: vec![at("b".into())],
                dependent_required: vec![(at("a".into()), vec!["b".into()])],
                ..ObjectKeywords::default()
            },
            ..Keywords::default()
        };
        let said = says(&Node { origin: Origin(0), kind: NodeKind::Keywords(Box::new(keywords)) });
        let (values, rest) = said.split_once("; ").unwrap();
        assert!(values.starts_with("enum [\"v0\", ") && values.ends_with("\"v15\", and 2 more]"), "{values}");
        let expected = "if #3; else #3; maxLength 80; minimum 1; uniqueItems true; properties {\"a\" #3, \"b\" #3}; \
                        required [\"b\"]; dependentRequired {\"a\" [\"b\"]}";
        assert_eq!(rest, expected);
    }

    #[test]
    fn an_empty_schema_is_printed_as_no_keywords() {
        let says_nothing = Node { origin: Origin(0), kind: NodeKind::Keywords(Box::default()) };
        assert_eq!(says(&says_nothing), "no keywords");
    }
}
