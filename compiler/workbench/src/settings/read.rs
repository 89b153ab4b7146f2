//! Reads the text of an `ogc.toml`, and reports unknown keys and wrong values with their places.

use std::ops::Range;

use ogc_grammar::{Code, Diagnostic, Span};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::table::{self, Key, KeyKind, Keys, LEVELS, TABLES, Table, one_of};
use super::{ResourcePlace, Settings};
use crate::words::joined;

/// Reads the settings in a text; returns them and the errors found.
#[must_use]
pub fn read(text: &str) -> (Settings, Vec<Diagnostic>) {
    let mut reader = Reader::default();
    match DeTable::parse(text) {
        Ok(table) => reader.tables(table.get_ref()),
        Err(error) => {
            let span = span(error.span().unwrap_or_default());
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            reader.found.push(Diagnostic::error(Code::SettingsSyntax, span, message));
        }
    }
    reader.found.sort_by_key(|found| found.span);
    (reader.settings, reader.found)
}

#[derive(Default)]
struct Reader {
    settings: Settings,
    found: Vec<Diagnostic>,
}

type Written<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

impl Reader {
    fn tables(&mut self, file: &DeTable<'_>) {
        for (name, value) in file.iter() {
            let Some(table) = Table::of_name(name.get_ref()) else {
                self.unknown(name, &format!("the tables are {}", listed(TABLES.iter().map(|table| table.name))));
                continue;
            };
            match value.get_ref() {
                DeValue::Table(keys) => keys.iter().for_each(|(key, value)| self.key(table, key, value)),
                _ => self.wrong(value, format!("`{}` is a table: write `[{}]`", table.name, table.name)),
            }
        }
    }

    fn key(&mut self, table: &Table, key: &Written<'_>, value: &Value<'_>) {
        let Some(text) = self.text(value) else { return };
        match table.keys {
            Keys::Codes => self.lint(key, text, value),
            Keys::Uris => self.resource(key, text),
            Keys::Listed(keys) => match keys.iter().find(|listed| listed.name == &**key.get_ref()) {
                Some(listed) => self.set(listed, text, value),
                None => {
                    let names = listed(keys.iter().map(|listed| listed.name));
                    self.unknown(key, &format!("`{}` has {names}", table.name));
                }
            },
        }
    }

    fn lint(&mut self, key: &Written<'_>, text: &str, value: &Value<'_>) {
        let level = match one_of(&LEVELS, text) {
            Ok(level) => level,
            Err(message) => return self.wrong(value, message),
        };
        match Code::from_name(key.get_ref()) {
            Some(code) => self.settings.levels.set(code, level),
            None => self.unknown(key, "no finding has this code; `ogc explain` lists them"),
        }
    }

    fn resource(&mut self, key: &Written<'_>, path: &str) {
        let uri: &str = key.get_ref();
        let is_uri = uri.contains(':') && !uri.trim_end_matches('#').contains('#');
        match uri {
            table::INDEX => self.settings.resources.push(ResourcePlace::Index(path.to_owned())),
            _ if is_uri => self.settings.resources.push(ResourcePlace::Uri(uri.to_owned(), path.to_owned())),
            _ => self.unknown(key, "a key of `resources` is an absolute URI without a fragment, or `index`"),
        }
    }

    fn set(&mut self, key: &Key, text: &str, value: &Value<'_>) {
        match key.kind {
            KeyKind::Vocab => self.settings.vocab = Some(text.to_owned()),
            KeyKind::End => self.end(text, value),
            KeyKind::Out => self.settings.out = Some(text.to_owned()),
            KeyKind::Policy(policy) => {
                if let Err(message) = self.settings.policy.set(policy, text) {
                    self.wrong(value, message);
                }
            }
        }
    }

    fn end(&mut self, text: &str, value: &Value<'_>) {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return self.wrong(value, "expected names of tokens, separated by commas".to_owned());
        }
        self.settings.end = names;
    }

    fn text<'v>(&mut self, value: &'v Value<'_>) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong(value, "expected a string".to_owned());
        }
        text
    }

    fn unknown(&mut self, key: &Written<'_>, help: &str) {
        let message = format!("`{}` is not a setting", key.get_ref());
        self.found.push(Diagnostic::error(Code::UnknownSetting, span(key.span()), message).help(help));
    }

    fn wrong(&mut self, value: &Value<'_>, message: String) {
        self.found.push(Diagnostic::error(Code::SettingValue, span(value.span()), message));
    }
}

/// Lists names as in `a`, `b` and `c`.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    joined(names.map(|name| format!("`{name}`")), "and")
}

fn span(range: Range<usize>) -> Span {
    Span::of(range.start, range.end)
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::Space;
    use ogc_grammar::Severity;
    use ogc_runtime::automaton::KeyOrder;

    use super::*;

    fn found(text: &str) -> Vec<(Code, String)> {
        let found = read(text).1;
        found.iter().map(|found| (found.code, found.span.text(text).to_owned())).collect()
    }

    #[test]
    fn settings_of_every_table_are_read() {
        let text = "[lints]\nstray-doc = \"deny\"\n[build]\nvocab = \"v.json\"\nend = \"</s>, #7\"\nout = \"o\"\n[policy]\nspace = \"compact\"\norder = \"any\"\n";
        let (settings, found) = read(text);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!((settings.vocab, settings.out), (Some("v.json".into()), Some("o".into())));
        assert_eq!(settings.end, ["</s>", "#7"]);
        assert_eq!((settings.policy.space, settings.policy.order), (Some(Space::Compact), Some(KeyOrder::Any)));
        let warning = Diagnostic::warning(Code::StrayDoc, Span::default(), "m");
        assert_eq!(settings.levels.apply(warning).map(|found| found.severity), Some(Severity::Error));
        assert_eq!(read("[build]\nvocab = \"o200k\"").0.vocab, Some("o200k".into()));
        let space = |text: &str| read(&format!("[policy]\nspace = \"{text}\"")).0.policy.space;
        assert_eq!([space("json.dumps"), space("JSON.stringify")], [Some(Space::Spaced), Some(Space::Compact)]);
    }

    #[test]
    fn resource_paths_are_relative_to_the_settings_file() {
        let (settings, found) = read("[resources]\n\"https://x.org/a.json\" = \"a.json\"\nindex = \"i.json\"\n");
        assert!(found.is_empty(), "{found:?}");
        let places = settings.places("s/ogc.toml");
        assert_eq!(places.places(), [("https://x.org/a.json".to_owned(), "s/a.json".to_owned())]);
        assert_eq!(places.indexes(), ["s/i.json"]);
    }

    #[test]
    fn mistakes_in_settings_have_spans() {
        assert_eq!(found("[lint]\na = 1"), [(Code::UnknownSetting, "lint".to_owned())]);
        assert_eq!(found("lints = 1"), [(Code::SettingValue, "1".to_owned())]);
        assert_eq!(found("[build]\nend = \"a,,b\""), [(Code::SettingValue, "\"a,,b\"".to_owned())]);
        assert_eq!(
            found("[build]\nvocabulary = \"v\"\nout = 3"),
            [(Code::UnknownSetting, "vocabulary".to_owned()), (Code::SettingValue, "3".to_owned())]
        );
        assert_eq!(found("[policy]\nspace = \"wide\""), [(Code::SettingValue, "\"wide\"".to_owned())]);
        assert_eq!(
            found("[lints]\nno-such = \"warn\"\nstray-doc = \"loud\""),
            [(Code::UnknownSetting, "no-such".to_owned()), (Code::SettingValue, "\"loud\"".to_owned())]
        );
        let uris = [
            (Code::UnknownSetting, "\"a.json\"".to_owned()),
            (Code::UnknownSetting, "\"https://x.org/#a\"".to_owned()),
        ];
        assert_eq!(found("[resources]\n\"a.json\" = \"a\"\n\"https://x.org/#a\" = \"b\""), uris);
        assert_eq!(found("[lints\n").first().map(|(code, _)| *code), Some(Code::SettingsSyntax));
    }
}
