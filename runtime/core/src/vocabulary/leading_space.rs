//! Texts that go on have no space in front, which tokenizers of the SentencePiece kind put in front of every text.

use serde_json::{Value, json};

/// Takes out of a `tokenizer.json` what puts a space in front of a text, so that it makes the tokens of texts that go on.
///
/// ```
/// use ogc_runtime::vocabulary::without_leading_space;
/// let metaspace = |scheme| serde_json::json!({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": scheme, "add_prefix_space": false}});
/// assert_eq!(without_leading_space(metaspace("first")), metaspace("never"));
/// ```
#[must_use]
pub fn without_leading_space(mut tokenizer: Value) -> Value {
    if let Some(normalizer) = tokenizer.get_mut("normalizer") {
        take_out(normalizer, "normalizers");
    }
    if let Some(cutter) = tokenizer.get_mut("pre_tokenizer") {
        take_out(cutter, "pretokenizers");
    }
    tokenizer
}

/// Takes it out of one step, or of a sequence of steps, which stands under a key.
fn take_out(step: &mut Value, key: &str) {
    match step.get("type").and_then(Value::as_str) {
        Some("Prepend") => *step = Value::Null,
        Some("Metaspace") => {
            step["prepend_scheme"] = json!("never");
            step["add_prefix_space"] = json!(false);
        }
        Some("ByteLevel") => step["add_prefix_space"] = json!(false),
        Some("Sequence") => {
            if let Some(steps) = step.get_mut(key).and_then(Value::as_array_mut) {
                steps.iter_mut().for_each(|step| take_out(step, key));
                steps.retain(|step| !step.is_null());
            }
        }
        _ => {}
    }
}
