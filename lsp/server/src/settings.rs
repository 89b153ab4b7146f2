//! The settings of the editor, which it sends at startup and after each change.

use serde_json::Value;

/// The settings that an editor can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Vocabularies: paths of files, or the built-in one; if empty, `ogc.toml` decides.
    pub(crate) vocabularies: Vec<String>,
    /// Whether lenses are shown.
    pub(crate) code_lens: bool,
    /// Whether inlay hints are shown.
    pub(crate) inlay_hints: bool,
    /// Whether the sizes of definitions are among the hints.
    pub(crate) sizes: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { vocabularies: Vec::new(), code_lens: true, inlay_hints: true, sizes: false }
    }
}

impl Settings {
    /// Reads settings; absent and `null` settings have their defaults. Also returns a sentence for each setting that is
    /// invalid, which keeps its default. Settings of other programs are ignored.
    pub(crate) fn read(value: &Value) -> (Self, Vec<String>) {
        let mut mistakes = Vec::new();
        let settings = Self {
            vocabularies: strings(value.get("vocabularies"), &mut mistakes),
            code_lens: switch(value, "codeLens", "enabled", true, &mut mistakes),
            inlay_hints: switch(value, "inlayHints", "enabled", true, &mut mistakes),
            sizes: switch(value, "inlayHints", "sizes", false, &mut mistakes),
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

/// Reads a switch of a group; a group that is not an object is reported once, by its first switch.
fn switch(value: &Value, group: &str, name: &str, default: bool, mistakes: &mut Vec<String>) -> bool {
    let read = match value.get(group) {
        None | Some(Value::Null) => Some(default),
        Some(Value::Object(group)) => match group.get(name) {
            None | Some(Value::Null) => Some(default),
            Some(switch) => switch.as_bool(),
        },
        Some(_) if name != "enabled" => Some(default),
        Some(_) => None,
    };
    read.unwrap_or_else(|| {
        mistakes.push(format!("the setting `ogc.{group}.{name}` is true or false"));
        default
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn client_settings_are_read() {
        let (read, mistakes) = Settings::read(&json!({
            "vocabularies": ["o200k", "/v/tokenizer.json"], "codeLens": { "enabled": false }, "server": { "path": "x" }
        }));
        assert_eq!(read.vocabularies, ["o200k", "/v/tokenizer.json"]);
        assert!(!read.code_lens && read.inlay_hints && !read.sizes && mistakes.is_empty());
        let (read, mistakes) = Settings::read(&json!({ "inlayHints": { "sizes": true } }));
        assert!(read.inlay_hints && read.sizes && mistakes.is_empty());
        assert_eq!(Settings::read(&Value::Null), (Settings::default(), Vec::new()));
    }

    #[test]
    fn mistakes_in_client_settings_are_reported() {
        let (read, mistakes) =
            Settings::read(&json!({ "vocabularies": "o200k", "inlayHints": { "enabled": "yes" }, "codeLens": 1 }));
        assert_eq!(read, Settings::default());
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
        let (read, mistakes) = Settings::read(&json!({ "inlayHints": { "enabled": null, "sizes": 1 } }));
        assert_eq!((read, mistakes.len()), (Settings::default(), 1));
        assert_eq!(Settings::read(&json!({ "inlayHints": [] })).1.len(), 1);
    }
}
