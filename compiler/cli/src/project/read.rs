//! Reads the text of an `ogc.toml`, and reports unknown keys and wrong values with their places.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ogc_grammar::{Code, Diagnostic, Span};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::Project;
use ogc_grammar::Level;

/// Reads the settings in a text; returns them and the errors in it.
pub(super) fn read(text: &str, folder: &Path) -> (Project, Vec<Diagnostic>) {
    let mut reader = Reader { folder, project: Project::default(), found: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.tables(table.get_ref()),
        Err(error) => {
            let span = span(error.span().unwrap_or_default());
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            reader.found.push(Diagnostic::error(Code::SettingsSyntax, span, message));
        }
    }
    reader.found.sort_by_key(|found| found.span);
    (reader.project, reader.found)
}

struct Reader<'f> {
    folder: &'f Path,
    project: Project,
    found: Vec<Diagnostic>,
}

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn tables(&mut self, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            let read = match &**key.get_ref() {
                "lints" => Self::lint,
                "build" => Self::build,
                "policy" => Self::policy,
                _ => {
                    self.unknown(key, "the tables are `lints`, `build` and `policy`");
                    continue;
                }
            };
            match value.get_ref() {
                DeValue::Table(table) => table.iter().for_each(|(key, value)| read(self, key, value)),
                _ => self.wrong(value, format!("`{}` is a table: write `[{}]`", key.get_ref(), key.get_ref())),
            }
        }
    }

    fn lint(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let Some(level) = self.text(value).map(Level::of_name) else { return };
        let Some(level) = level else {
            self.wrong(value, "expected \"allow\", \"warn\" or \"deny\"".to_owned());
            return;
        };
        match Code::from_name(key.get_ref()) {
            Some(code) => self.project.levels.set(code, level),
            None => self.unknown(key, "no finding has this code; `ogc explain` lists them"),
        }
    }

    fn build(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let Some(text) = self.text(value) else { return };
        match &**key.get_ref() {
            "vocab" => self.project.vocab = Some(vocabulary(self.folder, text)),
            "out" => self.project.out = Some(self.folder.join(text)),
            _ => self.unknown(key, "`build` has `vocab` and `out`"),
        }
    }

    fn policy(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let Some(text) = self.text(value) else { return };
        match &**key.get_ref() {
            "space" => self.project.policy.space = self.choice(text, value),
            "order" => self.project.policy.order = self.choice(text, value),
            "escapes" => self.project.policy.escapes = self.choice(text, value),
            "numbers" => self.project.policy.numbers = self.choice(text, value),
            "formats" => self.project.policy.formats = self.choice(text, value),
            _ => self.unknown(key, "`policy` has `space`, `order`, `escapes`, `numbers` and `formats`"),
        }
    }

    /// Reads a value that the flag of this name takes, and reports any other.
    fn choice<T: ValueEnum>(&mut self, text: &str, value: &Value<'_>) -> Option<T> {
        let choice = T::from_str(text, false).ok();
        if choice.is_none() {
            let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<String> = names.map(|name| format!("\"{}\"", name.get_name())).collect();
            self.wrong(value, format!("expected one of {}", names.join(", ")));
        }
        choice
    }

    fn text<'v>(&mut self, value: &'v Value<'_>) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong(value, "expected a string".to_owned());
        }
        text
    }

    fn unknown(&mut self, key: &Key<'_>, help: &str) {
        let message = format!("`{}` is not a setting", key.get_ref());
        self.found.push(Diagnostic::error(Code::UnknownSetting, span(key.span()), message).help(help));
    }

    fn wrong(&mut self, value: &Value<'_>, message: String) {
        self.found.push(Diagnostic::error(Code::SettingValue, span(value.span()), message));
    }
}

/// Returns the path of a vocabulary, relative to the folder of the settings, or the name of the built-in one.
fn vocabulary(folder: &Path, text: &str) -> PathBuf {
    if text == "o200k" { PathBuf::from(text) } else { folder.join(text) }
}

fn span(range: Range<usize>) -> Span {
    Span::of(range.start, range.end)
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Severity;

    use super::*;
    use crate::args::{OrderName, SpaceName};

    fn found(text: &str) -> Vec<(Code, String)> {
        let found = read(text, Path::new("p")).1;
        found.iter().map(|found| (found.code, found.span.text(text).to_owned())).collect()
    }

    #[test]
    fn settings_are_read() {
        let text = "[lints]\nstray-doc = \"deny\"\n[build]\nvocab = \"v.json\"\nout = \"o\"\n[policy]\nspace = \"compact\"\norder = \"any\"\n";
        let (project, found) = read(text, Path::new("p"));
        assert!(found.is_empty(), "{found:?}");
        assert_eq!((project.vocab, project.out), (Some("p/v.json".into()), Some("p/o".into())));
        assert_eq!((project.policy.space, project.policy.order), (Some(SpaceName::Compact), Some(OrderName::Any)));
        let warning = Diagnostic::warning(Code::StrayDoc, Span::default(), "m");
        assert_eq!(project.levels.apply(warning).map(|found| found.severity), Some(Severity::Error));
        assert_eq!(read("[build]\nvocab = \"o200k\"", Path::new("p")).0.vocab, Some("o200k".into()));
        let space = |text: &str| read(&format!("[policy]\nspace = \"{text}\""), Path::new("p")).0.policy.space;
        assert_eq!([space("json.dumps"), space("JSON.stringify")], [Some(SpaceName::Spaced), Some(SpaceName::Compact)]);
    }

    #[test]
    fn mistakes_have_their_place() {
        assert_eq!(found("[lint]\na = 1"), [(Code::UnknownSetting, "lint".to_owned())]);
        assert_eq!(found("lints = 1"), [(Code::SettingValue, "1".to_owned())]);
        assert_eq!(
            found("[build]\nvocabulary = \"v\"\nout = 3"),
            [(Code::UnknownSetting, "vocabulary".to_owned()), (Code::SettingValue, "3".to_owned())]
        );
        assert_eq!(found("[policy]\nspace = \"wide\""), [(Code::SettingValue, "\"wide\"".to_owned())]);
        assert_eq!(
            found("[lints]\nno-such = \"warn\"\nstray-doc = \"loud\""),
            [(Code::UnknownSetting, "no-such".to_owned()), (Code::SettingValue, "\"loud\"".to_owned())]
        );
        assert_eq!(found("[lints\n").first().map(|(code, _)| *code), Some(Code::SettingsSyntax));
    }
}
