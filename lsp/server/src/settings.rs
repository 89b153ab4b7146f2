//! The settings of the editor, as it says them when it starts and after each change.

use serde_json::Value;

/// What an editor can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Vocabularies: paths of files, or the built-in one; if empty, `ogc.toml` says which.
    pub(crate) vocabularies: Vec<String>,
    /// Whether lenses are shown.
    pub(crate) code_lens: bool,
    /// Whether inlay hints are shown.
    pub(crate) inlay_hints: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { vocabularies: Vec::new(), code_lens: true, inlay_hints: true }
    }
}

impl Settings {
    /// Reads settings; what is absent or `null` has its default. Also returns a sentence for each that is not understood,
    /// which keeps its default. Settings of other programs are ignored.
    pub(crate) fn read(value: &Value) -> (Self, Vec<String>) {
        let mut mistakes = Vec::new();
        let settings = Self {
            vocabularies: strings(value.get("vocabularies"), &mut mistakes),
            code_lens: switch(value, "codeLens", &mut mistakes),
            inlay_hints: switch(value, "inlayHints", &mut mistakes),
        };
        (settings, mistakes)
    }
}

fn strings(value: Option<&Value>, mistakes: &mut Vec<String>) -> Vec<String> {
    let read = match value {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(all)) => all.iter().map(|one| one.as_str().map(str::to_owned)).collect(),
        Some(_) => None,
    };
    read.unwrap_or_else(|| {
        mistakes.push("the setting `ogc.vocabularies` is a list of texts".to_owned());
        Vec::new()
    })
}

fn switch(value: &Value, name: &str, mistakes: &mut Vec<String>) -> bool {
    let read = match value.get(name) {
        None | Some(Value::Null) => Some(true),
        Some(Value::Object(group)) => match group.get("enabled") {
            None | Some(Value::Null) => Some(true),
            Some(enabled) => enabled.as_bool(),
        },
        Some(_) => None,
    };
    read.unwrap_or_else(|| {
        mistakes.push(format!("the setting `ogc.{name}.enabled` is true or false"));
        true
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_read() {
        let (read, mistakes) = Settings::read(&json!({
            "vocabularies": ["o200k", "/v/tokenizer.json"], "codeLens": { "enabled": false }, "server": { "path": "x" }
        }));
        assert_eq!(read.vocabularies, ["o200k", "/v/tokenizer.json"]);
        assert!(!read.code_lens && read.inlay_hints && mistakes.is_empty());
        assert_eq!(Settings::read(&Value::Null), (Settings::default(), Vec::new()));
    }

    #[test]
    fn mistakes_are_named() {
        let (read, mistakes) =
            Settings::read(&json!({ "vocabularies": "o200k", "inlayHints": { "enabled": "yes" }, "codeLens": 1 }));
        assert_eq!(read, Settings::default());
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
    }
}
