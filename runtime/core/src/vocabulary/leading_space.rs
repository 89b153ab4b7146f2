//! Removes the leading space that SentencePiece tokenizers put before every text. Text that continues another text has none.

use serde_json::{Value, json};

/// Removes the steps of a `tokenizer.json` that put a space before a text. The result tokenizes text that continues another text.
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

/// Removes the leading space from one step, or from each step of a sequence, which is listed under `key`.
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
