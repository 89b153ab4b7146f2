//! The probabilities of tokens in the form of answers.

use ogc_generate::{LoadedModel, Probabilities, Probable};
use serde_json::{Value, json};

use crate::api::Shape;

/// Writes probabilities in the form of the answer's kind; `offset` is the number of characters of all earlier tokens.
pub(super) fn written(shape: Shape, loaded: &LoadedModel, all: &[Probabilities], offset: &mut usize) -> Value {
    let bytes = |one: &Probable| loaded.vocabulary.text(one.token).unwrap_or_default();
    let text = |one: &Probable| match loaded.vocabulary.text(one.token) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => loaded.vocabulary.name_of(one.token).unwrap_or_default().to_owned(),
    };
    // JSON has no negative infinity.
    let logarithm = |one: &Probable| one.logarithm.max(-9_999.0);
    match shape {
        Shape::Chat => {
            let entry = |one: &Probable| json!({ "token": text(one), "logprob": logarithm(one), "bytes": bytes(one) });
            let content = all.iter().map(|one| {
                let mut written = entry(&one.written);
                written["top_logprobs"] = one.likeliest.iter().map(entry).collect();
                written
            });
            json!({ "content": content.collect::<Value>(), "refusal": null })
        }
        Shape::Completion => {
            let offsets = all.iter().map(|one| {
                let start = *offset;
                *offset += text(&one.written).chars().count();
                start
            });
            let likeliest = |one: &Probabilities| {
                let pairs = one.likeliest.iter().map(|one| (text(one), json!(logarithm(one))));
                Value::Object(pairs.collect())
            };
            json!({
                "text_offset": offsets.collect::<Value>(),
                "tokens": all.iter().map(|one| text(&one.written)).collect::<Value>(),
                "token_logprobs": all.iter().map(|one| logarithm(&one.written)).collect::<Value>(),
                "top_logprobs": all.iter().map(likeliest).collect::<Value>(),
            })
        }
    }
}

/// Appends the probabilities of further tokens to all lists.
pub(crate) fn append(all: &mut Option<Value>, more: Value) {
    match (all, more) {
        (Some(Value::Object(fields)), Value::Object(more)) => {
            for (name, more) in more {
                match (fields.get_mut(&name), more) {
                    (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
                    (_, more) => drop(fields.insert(name, more)),
                }
            }
        }
        (all, more) => *all = Some(more),
    }
}
