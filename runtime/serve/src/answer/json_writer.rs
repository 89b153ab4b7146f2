//! Writes a JSON value from its events, with a space behind each comma and colon.

use ogc_runtime::events::{Complete, Event, Step, ValueKind};

/// The writer of one value.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonWriter {
    /// The open arrays and objects: whether each is an array, and whether it has an item yet.
    open: Vec<(bool, bool)>,
}

impl JsonWriter {
    /// Returns the text that an event adds to the value; empty if the event does not concern a value.
    pub(super) fn written(&mut self, event: &Event) -> String {
        match event {
            Event::ValueBegins { kind, .. } => self.begins(*kind),
            Event::FieldBegins { path, .. } => {
                let comma = self.comma();
                let key = match path.last() {
                    Some(Step::Key(key)) => key.as_str(),
                    Some(Step::Index(_)) | None => "",
                };
                format!("{comma}\"{}\": ", escaped(key))
            }
            Event::StringGrows { text, .. } => escaped(text),
            Event::ValueComplete { value, .. } => self.ends(value),
            _ => String::new(),
        }
    }

    fn begins(&mut self, kind: ValueKind) -> String {
        let is_item = self.open.last().is_some_and(|(is_array, _)| *is_array);
        let comma = if is_item { self.comma() } else { "" };
        let bracket = match kind {
            ValueKind::Object => "{",
            ValueKind::Array => "[",
            ValueKind::String => "\"",
            ValueKind::Number | ValueKind::Bool | ValueKind::Null => "",
        };
        if matches!(kind, ValueKind::Object | ValueKind::Array) {
            self.open.push((kind == ValueKind::Array, false));
        }
        [comma, bracket].concat()
    }

    fn ends(&mut self, value: &Complete) -> String {
        if matches!(value, Complete::Object | Complete::Array) {
            self.open.pop();
        }
        match value {
            Complete::Object => "}".to_owned(),
            Complete::Array => "]".to_owned(),
            Complete::String => "\"".to_owned(),
            Complete::Number(written) => written.clone(),
            Complete::Bool(value) => value.to_string(),
            Complete::Null => "null".to_owned(),
        }
    }

    /// Returns the comma before the next item or member of the innermost open array or object.
    fn comma(&mut self) -> &'static str {
        let Some((_, has_items)) = self.open.last_mut() else { return "" };
        if std::mem::replace(has_items, true) { ", " } else { "" }
    }
}

/// Returns `text` escaped for a JSON string, without the quotes.
pub(super) fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;
    use ogc_runtime::captures::Content;
    use ogc_runtime::events::EventReader;
    use serde_json::{Value, json};

    use super::*;

    fn value(random: &mut Random, depth: usize) -> Value {
        match random.below(if depth == 0 { 5 } else { 7 }) {
            0 => json!(null),
            1 => json!(random.below(2) == 0),
            2 => json!(random.below(1000)),
            3 => json!(-0.5),
            4 => json!(["", "a\"\n", "\u{1}\u{e9}\u{1f600}\\"][random.below(3)]),
            5 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
            _ => Value::Object((0..random.below(4)).map(|at| (format!("k\"{at}"), value(random, depth - 1))).collect()),
        }
    }

    #[test]
    fn random_values_are_rewritten_unchanged() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let value = value(&mut random, 3);
            let text = value.to_string();
            let mut reader = EventReader::new(&Content::Value);
            let (mut writer, mut written) = (JsonWriter::default(), String::new());
            for byte in text.bytes() {
                for event in reader.read_bytes(&[byte]).unwrap() {
                    written += &writer.written(&event);
                }
            }
            for event in reader.finish().unwrap() {
                written += &writer.written(&event);
            }
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value, "{written}");
            assert!(!written.contains(":\"") && !written.contains(",\"k"), "{written}");
        }
    }
}
