//! The open documents: their texts as the client has them, kept in sync by edits.

use std::collections::BTreeMap;

use always_assert::never;
use ogc_ide::{ColumnUnit, Language, settings_file};
use tower_lsp_server::ls_types::{Position, TextDocumentContentChangeEvent, Uri};

use crate::schema_mark::says_schema;

/// A document that is open in the editor.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// URI of the document, in the client's spelling.
    pub(crate) uri: Uri,
    /// Version of the document, counted by the client.
    pub(crate) version: i32,
    /// Text of the document.
    pub(crate) text: String,
    /// The language id that the editor gave.
    pub(crate) language_id: String,
}

/// The role of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A format.
    Format(Language),
    /// Settings of a project, `ogc.toml`.
    Settings,
    /// Anything else: it is tracked, but has no findings.
    Other,
}

/// The open documents by the names of their files.
pub(crate) type Documents = BTreeMap<String, Document>;

/// Returns the role of a document. JSON is a schema if its name or its text says so, or if a format imports it.
pub(crate) fn role(name: &str, document: &Document, is_imported: bool) -> Role {
    if is_settings(name) {
        return Role::Settings;
    }
    match Language::of_name(name).ok().or_else(|| language_of_id(&document.language_id)) {
        Some(Language::JsonSchema) => {
            let is_schema = is_imported || name.ends_with(".schema.json") || says_schema(&document.text);
            if is_schema { Role::Format(Language::JsonSchema) } else { Role::Other }
        }
        Some(language) => Role::Format(language),
        None => Role::Other,
    }
}

/// Returns whether a name belongs to an `ogc.toml`.
pub(crate) fn is_settings(name: &str) -> bool {
    name.rsplit('/').next() == Some(settings_file::NAME)
}

/// Returns the language that an editor's name for it says.
fn language_of_id(id: &str) -> Option<Language> {
    match id {
        "ogc" => Some(Language::Ogc),
        "json" | "jsonc" | "jsonschema" | "json-schema" => Some(Language::JsonSchema),
        "gbnf" => Some(Language::Gbnf),
        "ebnf" => Some(Language::Ebnf),
        "abnf" => Some(Language::Abnf),
        "lark" => Some(Language::Lark),
        "regex" => Some(Language::Regex),
        _ => None,
    }
}

/// Applies edits in order. A position outside the text is moved to the nearest one before it.
pub(crate) fn edit(text: &mut String, changes: Vec<TextDocumentContentChangeEvent>, unit: ColumnUnit) {
    for change in changes {
        match change.range {
            None => *text = change.text,
            Some(range) => {
                let start = offset(text, range.start, unit);
                let end = offset(text, range.end, unit).max(start);
                text.replace_range(start..end, &change.text);
            }
        }
    }
}

/// Converts a position to an offset like [`ogc_ide::LineIndex`], but without reading the text after it.
fn offset(text: &str, position: Position, unit: ColumnUnit) -> usize {
    let Some(start) = line_start(text, position.line) else { return text.len() };
    let Some(rest) = text.get(start..) else {
        never!("line {} of the text begins at {}, inside of a character", position.line, start);
        return text.len();
    };
    let line = rest.split_once('\n').map_or(rest, |(line, _)| line.strip_suffix('\r').unwrap_or(line));
    let mut left = position.character;
    for (at, c) in line.char_indices() {
        let width = match unit {
            ColumnUnit::Bytes => c.len_utf8(),
            ColumnUnit::Characters => 1,
            ColumnUnit::Utf16 => c.len_utf16(),
        };
        match u32::try_from(width).ok().and_then(|width| left.checked_sub(width)) {
            Some(less) => left = less,
            None => return start + at,
        }
    }
    start + line.len()
}

/// Returns the start of a line; `None` if the text has fewer lines.
fn line_start(text: &str, line: u32) -> Option<usize> {
    match line.checked_sub(1) {
        None => Some(0),
        Some(before) => text.match_indices('\n').nth(before as usize).map(|(at, _)| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use ogc_ide::LineIndex;
    use tower_lsp_server::ls_types::Range;

    use super::*;

    const UNITS: [ColumnUnit; 3] = [ColumnUnit::Bytes, ColumnUnit::Characters, ColumnUnit::Utf16];

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Some(Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn positions_agree_with_the_line_index() {
        for text in ["", "a", "a\r\né😀x\n\n", "\n", "😀\n\r\n中", "a\rb\n"] {
            let lines = LineIndex::new(text);
            for unit in UNITS {
                for line in 0..5 {
                    for column in (0..9).chain([u32::MAX]) {
                        let expected = lines.offset(ogc_ide::Position { line, column }, unit);
                        let found = offset(text, Position::new(line, column), unit);
                        assert_eq!(found, expected as usize, "{text:?} {line}:{column} {unit:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn edits_of_one_change_apply_in_sequence() {
        let mut text = "a😀b\nc".to_owned();
        edit(&mut text, vec![change((0, 3), (0, 4), "B"), change((1, 0), (1, 0), "x\n")], ColumnUnit::Utf16);
        assert_eq!(text, "a😀B\nx\nc");
        edit(&mut text, vec![change((0, 5), (2, 0), "-")], ColumnUnit::Bytes);
        assert_eq!(text, "a😀-c");
    }

    #[test]
    fn positions_outside_of_the_text_are_clamped() {
        let mut text = "ab\ncd".to_owned();
        edit(&mut text, vec![change((9, 9), (9, 9), "!")], ColumnUnit::Utf16);
        assert_eq!(text, "ab\ncd!");
        edit(&mut text, vec![change((1, 0), (0, 0), "?")], ColumnUnit::Utf16);
        assert_eq!(text, "ab\n?cd!");
        edit(&mut text, vec![change((0, u32::MAX), (u32::MAX, u32::MAX), "")], ColumnUnit::Bytes);
        assert_eq!(text, "ab");
        edit(
            &mut text,
            vec![TextDocumentContentChangeEvent { range: None, range_length: None, text: "n".to_owned() }],
            ColumnUnit::Bytes,
        );
        assert_eq!(text, "n");
    }

    fn check_role(uri: &str, language_id: &str, text: &str, is_imported: bool, expected: Role) {
        let uri = crate::files::parse(uri).unwrap();
        let name = crate::files::name(&uri);
        let document = Document { uri, version: 0, text: text.to_owned(), language_id: language_id.to_owned() };
        assert_eq!(role(&name, &document, is_imported), expected, "{name}");
    }

    #[test]
    fn the_role_of_a_document_follows_from_name_language_and_text() {
        let schema = Role::Format(Language::JsonSchema);
        check_role("file:///a.ogc", "plaintext", "", false, Role::Format(Language::Ogc));
        check_role("file:///a.lark", "", "", false, Role::Format(Language::Lark));
        check_role("untitled:Untitled-1", "ogc", "", false, Role::Format(Language::Ogc));
        check_role("file:///a.txt", "plaintext", "", true, Role::Other);
        check_role("file:///a/ogc.toml", "toml", "", false, Role::Settings);
        check_role("file:///a/b.toml", "toml", "", false, Role::Other);
        check_role("file:///a.json", "json", "{}", false, Role::Other);
        check_role("file:///a.json", "json", "{}", true, schema);
        check_role("file:///a.schema.json", "json", "", false, schema);
        check_role("file:///a.json", "json", r#"{"$schema": "https://json-schema.org/x"}"#, false, schema);
        check_role("untitled:Untitled-2", "json", r#"{"$schema": "https://json-schema.org/x"}"#, false, schema);
    }
}
