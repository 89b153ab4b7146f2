//! The tokens that end a text, as a model's configuration files give them. Tokenizer files hardly ever name these tokens.

use serde_json::Value;

use super::{TokenId, VocabularyError};

/// The names of a model's configuration files that give the tokens that end a text, in the layout of Hugging Face.
pub const END_CONFIGS: [&str; 2] = ["generation_config.json", "config.json"];

/// Returns the tokens that end a text according to one of the [`END_CONFIGS`]: the number or the numbers of its `eos_token_id`.
///
/// # Errors
/// The text is not JSON, or `eos_token_id` is neither the number of a token nor a list of such numbers.
///
/// ```
/// use ogc_runtime::vocabulary::{TokenId, ends_of_config};
/// assert_eq!(ends_of_config(br#"{"eos_token_id": [2, 7]}"#)?, [TokenId(2), TokenId(7)]);
/// assert_eq!(ends_of_config(br#"{"eos_token_id": null}"#)?, []);
/// assert!(ends_of_config(br#"{"eos_token_id": "</s>"}"#).is_err());
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
pub fn ends_of_config(json: &[u8]) -> Result<Vec<TokenId>, VocabularyError> {
    let wrong = |source| VocabularyError::Json { format: "the model's configuration", source };
    let config: Value = serde_json::from_slice(json).map_err(wrong)?;
    let ids: Vec<u32> = match config.get("eos_token_id") {
        None | Some(Value::Null) => Vec::new(),
        Some(many @ Value::Array(_)) => serde_json::from_value(many.clone()).map_err(wrong)?,
        Some(one) => vec![serde_json::from_value(one.clone()).map_err(wrong)?],
    };
    Ok(ids.into_iter().map(TokenId).collect())
}
