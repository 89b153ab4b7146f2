//! A slow, obvious evaluator of the graph, whose verdicts are compared with those of an independent validator of the
//! text.

use ogc_regular::number::Decimal;
use ogc_schema::source::{Keywords, NodeId, NodeKind, Schemas, Types, Value};
use serde_json::Value as Json;

/// Evaluates a value; `None` if the schema has a keyword that the evaluator lacks (a format, a pattern that is not
/// plain).
pub(super) fn accepts(schemas: &Schemas, value: &Json) -> Option<bool> {
    Judge { schemas, depth: 0 }.holds(schemas.root?, value)
}

struct Judge<'s> {
    schemas: &'s Schemas,
    depth: usize,
}

/// Three-valued conjunction: one `false` decides.
fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

fn any(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.into_iter().map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}

fn exact(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Number(Decimal::parse(&number.to_string()).ok()?),
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(exact).collect::<Option<_>>()?),
        Json::Object(map) => {
            Value::Object(map.iter().map(|(k, v)| Some((k.clone(), exact(v)?))).collect::<Option<_>>()?)
        }
    })
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.iter().any(|(l, w)| k == l && equal(v, w)))
        }
        _ => a == b,
    }
}

fn is_of(types: &Types, value: &Json) -> Option<bool> {
    Some(match value {
        Json::Null => types.null,
        Json::Bool(_) => types.boolean,
        Json::String(_) => types.string,
        Json::Array(_) => types.array,
        Json::Object(_) => types.object,
        Json::Number(number) => {
            types.number || (types.integer && Decimal::parse(&number.to_string()).ok()?.is_integer())
        }
    })
}

fn matches(pattern: &str, text: &str) -> Option<bool> {
    jsonschema::validator_for(&serde_json::json!({ "pattern": pattern })).ok().map(|v| v.is_valid(&text.into()))
}

impl Judge<'_> {
    fn holds(&mut self, id: NodeId, value: &Json) -> Option<bool> {
        if self.depth > 60 {
            return None;
        }
        self.depth += 1;
        let schemas = self.schemas;
        let verdict = match &schemas.nodes.get(id.0 as usize)?.kind {
            NodeKind::Bool(truth) => Some(*truth),
            NodeKind::Keywords(keywords) => self.keywords(keywords, value),
        };
        self.depth -= 1;
        verdict
    }

    fn keywords(&mut self, k: &Keywords, value: &Json) -> Option<bool> {
        let exact = exact(value)?;
        let listed = |values: &Vec<Value>| values.iter().any(|other| equal(other, &exact));
        let mut parts = vec![k.types.as_ref().map_or(Some(true), |types| is_of(&types.value, value))];
        parts.extend(k.one_of_values.iter().map(|values| Some(listed(&values.value))));
        parts.extend(k.reference.iter().map(|r| r.value).chain(k.all_of.iter().copied()).map(|n| self.holds(n, value)));
        for group in &k.any_of {
            parts.push(any(group.value.iter().map(|n| self.holds(*n, value))));
        }
        for group in &k.one_of {
            let verdicts: Option<Vec<bool>> = group.value.iter().map(|n| self.holds(*n, value)).collect();
            parts.push(verdicts.map(|v| v.into_iter().filter(|truth| *truth).count() == 1));
        }
        parts.extend(k.not.iter().map(|n| self.holds(n.value, value).map(|truth| !truth)));
        if let Some(c) = &k.conditional {
            let arm = self.holds(c.value.condition, value).map(|t| if t { c.value.then } else { c.value.otherwise });
            parts.push(arm.and_then(|arm| arm.map_or(Some(true), |arm| self.holds(arm, value))));
        }
        parts.push(match value {
            Json::String(text) => strings(k, text),
            Json::Number(_) => numbers(k, &exact),
            Json::Array(items) => self.arrays(k, items),
            Json::Object(map) => self.objects(k, map),
            Json::Null | Json::Bool(_) => Some(true),
        });
        all(parts)
    }

    fn arrays(&mut self, k: &Keywords, items: &[Json]) -> Option<bool> {
        let k = &k.array;
        let count = items.len() as u64;
        let mut parts = vec![
            Some(k.min_items.as_ref().is_none_or(|n| count >= n.value)),
            Some(k.max_items.as_ref().is_none_or(|n| count <= n.value)),
        ];
        for (index, item) in items.iter().enumerate() {
            let schema = k.prefix_items.get(index).copied().or(k.items.as_ref().map(|i| i.value));
            parts.extend(schema.map(|schema| self.holds(schema, item)));
        }
        if k.unique_items.is_some() {
            let values: Option<Vec<Value>> = items.iter().map(exact).collect();
            let values = values?;
            let repeated = values.iter().enumerate().any(|(i, a)| values.iter().skip(i + 1).any(|b| equal(a, b)));
            parts.push(Some(!repeated));
        }
        if let Some(contains) = &k.contains {
            let found: Option<Vec<bool>> = items.iter().map(|item| self.holds(contains.value, item)).collect();
            let found = found.map(|found| found.into_iter().filter(|truth| *truth).count() as u64);
            let (min, max) = (k.min_contains.as_ref().map_or(1, |n| n.value), k.max_contains.as_ref().map(|n| n.value));
            parts.push(found.map(|found| found >= min && max.is_none_or(|max| found <= max)));
        }
        all(parts)
    }

    fn objects(&mut self, k: &Keywords, map: &serde_json::Map<String, Json>) -> Option<bool> {
        let k = &k.object;
        let count = map.len() as u64;
        let has = |name: &String| Some(map.contains_key(name));
        let mut parts = vec![
            Some(k.min_properties.as_ref().is_none_or(|n| count >= n.value)),
            Some(k.max_properties.as_ref().is_none_or(|n| count <= n.value)),
        ];
        parts.extend(k.required.iter().map(|name| has(&name.value)));
        for (trigger, names) in k.dependent_required.iter().filter(|(t, _)| map.contains_key(&t.value)) {
            let _ = trigger;
            parts.extend(names.iter().map(has));
        }
        for (_, schema) in k.dependent_schemas.iter().filter(|(t, _)| map.contains_key(&t.value)) {
            parts.push(self.holds(*schema, &Json::Object(map.clone())));
        }
        for (name, value) in map {
            parts.extend(k.property_names.iter().map(|n| self.holds(n.value, &Json::String(name.clone()))));
            parts.push(self.property(k, name, value));
        }
        all(parts)
    }

    fn property(&mut self, k: &ogc_schema::source::ObjectKeywords, name: &str, value: &Json) -> Option<bool> {
        let mut parts = Vec::new();
        for (_, schema) in k.properties.iter().filter(|(key, _)| key == name) {
            parts.push(self.holds(*schema, value));
        }
        for (pattern, schema) in &k.pattern_properties {
            if matches(&pattern.value, name)? {
                parts.push(self.holds(*schema, value));
            }
        }
        if parts.is_empty() {
            parts.extend(k.additional_properties.iter().map(|rest| self.holds(rest.value, value)));
        }
        all(parts)
    }
}

fn strings(k: &Keywords, text: &str) -> Option<bool> {
    let k = &k.string;
    let length = text.chars().count() as u64;
    let mut parts = vec![
        Some(k.min_length.as_ref().is_none_or(|n| length >= n.value)),
        Some(k.max_length.as_ref().is_none_or(|n| length <= n.value)),
    ];
    parts.extend(k.patterns.iter().map(|pattern| matches(&pattern.value, text)));
    parts.extend(k.formats.iter().map(|_| None));
    all(parts)
}

fn numbers(k: &Keywords, value: &Value) -> Option<bool> {
    let (Value::Number(n), k) = (value, &k.number) else {
        return None;
    };
    Some(
        k.minimum.as_ref().is_none_or(|m| *n >= m.value)
            && k.maximum.as_ref().is_none_or(|m| *n <= m.value)
            && k.exclusive_minimum.as_ref().is_none_or(|m| *n > m.value)
            && k.exclusive_maximum.as_ref().is_none_or(|m| *n < m.value)
            && k.multiple_of.as_ref().is_none_or(|m| n.is_multiple_of(&m.value)),
    )
}
