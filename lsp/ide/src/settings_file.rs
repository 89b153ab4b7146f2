//! The file `ogc.toml`: its diagnostics, completion and hover.
//!
//! The file is no input of the compiler, so these are functions of its text. [`crate::Host::set_settings_file`] applies
//! the settings. Lines are read one by one, so that an unfinished file is read as far as possible.

mod nearest;
#[cfg(test)]
mod tests;

use always_assert::never;
use ogc_grammar::span::part;
use ogc_grammar::{Diagnostic, Span};
use ogc_schema::keyword::Keyword;
use ogc_workbench::settings;
use ogc_workbench::settings::table::{self, Keys, TABLES, Table, Values};

pub(crate) use nearest::SettingsFiles;
pub use settings::NAME;

use crate::completion::{CompletionKey, CompletionKind, CompletionList, Items, Rank};
use crate::documentation::{self, Documentation};
use crate::hover::Hover;

/// Returns the findings of an `ogc.toml`.
#[must_use]
pub fn diagnostics(text: &str) -> Vec<Diagnostic> {
    settings::read(text).1
}

/// The part of the file at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place<'t> {
    /// The name of a table, between brackets.
    Table,
    /// A key of a table, before its `=`.
    Key(Option<&'t str>),
    /// The value of a key of a table. The flag is `None` without quotes, otherwise whether they are closed.
    Value(&'t str, &'t str, Option<bool>),
    /// Nothing that is known.
    Other,
}

/// Returns the completions at an offset of an `ogc.toml`.
#[must_use]
pub fn completion(text: &str, offset: u32) -> CompletionList {
    let offset = within(text, offset);
    let (place, span) = place(text, offset);
    let mut items = Items::replacing(span);
    match place {
        Place::Table => tables("", &mut items),
        Place::Key(None) => tables("[", &mut items),
        Place::Key(Some(table)) => {
            keys(text, table, offset, &mut items);
            tables("[", &mut items);
        }
        Place::Value(table, key, quoted) => values(table, key, quoted, &mut items),
        Place::Other => {}
    }
    items.finish()
}

/// Adds the tables; with `open`, in brackets.
fn tables(open: &str, items: &mut Items) {
    for (at, table) in TABLES.iter().enumerate() {
        let item = items.add(CompletionKind::Keyword, Rank::Own, format!("[{}]", table.name), None);
        item.filter = Some(table.name.to_owned());
        item.at(at).says(table.doc);
        item.writes(if open.is_empty() { table.name.to_owned() } else { format!("[{}]\n", table.name) });
    }
}

/// Adds the keys of a table that are not set yet.
fn keys(text: &str, table: &str, offset: u32, items: &mut Items) {
    let Some(table) = Table::of_name(table) else { return };
    let written = keys_in(text, table.name, offset);
    let names: Vec<&str> = match table.keys {
        Keys::Codes => ogc_grammar::Code::ALL.iter().filter(|code| code.has_level()).map(|code| code.name()).collect(),
        Keys::Listed(keys) => keys.iter().map(|key| key.name).collect(),
        Keys::Uris => vec![table::INDEX],
    };
    for (at, name) in names.into_iter().enumerate().filter(|(_, name)| !written.contains(name)) {
        let code = ogc_grammar::Code::from_name(name).filter(|_| matches!(table.keys, Keys::Codes));
        let key = code.map(|code| CompletionKey::Code(code.name().to_owned()));
        let kind = if code.is_some() { CompletionKind::Code } else { CompletionKind::Setting };
        let item = items.add(kind, Rank::First, name, key);
        item.at(at).says(table.doc_of(name).unwrap_or_else(|| {
            never!("the table `{}` does not know its key `{}`", table.name, name);
            ""
        }));
        item.writes_snippet(format!("{name} = \"$1\""));
    }
}

/// Adds the values of a key.
fn values(table: &str, key: &str, quoted: Option<bool>, items: &mut Items) {
    let names = match Table::of_name(table).and_then(|table| table.values_of(key)) {
        Some(Values::Names(names)) => names,
        Some(Values::Vocabulary) => vec![(ogc_workbench::vocabulary::BUILT_IN, "the built-in vocabulary")],
        Some(Values::Keywords) => {
            let keywords = Keyword::ALL.iter().filter(|keyword| keyword.can_be_annotation());
            keywords.map(|keyword| (keyword.name(), keyword.doc())).collect()
        }
        Some(Values::Folder | Values::Tokens) | None => Vec::new(),
    };
    for (at, (name, doc)) in names.into_iter().enumerate() {
        let item = items.add(CompletionKind::Value, Rank::First, name, None);
        item.at(at).says(doc);
        match quoted {
            None => item.writes(format!("\"{name}\"")),
            Some(false) => item.writes(format!("{name}\"")),
            Some(true) => item.writes(name),
        };
    }
}

/// Returns the documentation of the table, key or value at a byte of an `ogc.toml`.
#[must_use]
pub fn hover(text: &str, offset: u32) -> Option<Hover> {
    let (place, span) = place(text, within(text, offset));
    let written = span.text(text);
    let doc = match place {
        Place::Table => Table::of_name(written)?.doc,
        Place::Key(table) => {
            let table = Table::of_name(table?)?;
            match (table.keys, ogc_grammar::Code::from_name(written)) {
                (Keys::Codes, Some(code)) => return Some(Hover::of(span, documentation::of_code(code))),
                _ => table.doc_of(written)?,
            }
        }
        Place::Value(table, key, Some(_)) => match Table::of_name(table)?.values_of(key)? {
            Values::Names(names) => names.into_iter().find(|(name, _)| *name == written)?.1,
            Values::Keywords => Keyword::of_name(written)?.doc(),
            Values::Vocabulary | Values::Folder | Values::Tokens => return None,
        },
        Place::Value(..) | Place::Other => return None,
    };
    Some(Hover::of(span, Documentation { text: doc.to_owned(), ..Documentation::default() }))
}

/// Returns the nearest character boundary at or before an offset.
fn within(text: &str, offset: u32) -> u32 {
    let most = (offset as usize).min(text.len());
    let at = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_else(|| {
        never!("no character of the text begins at 0");
        0
    });
    Span::of(at, at).start
}

/// Returns the part at an offset, and the word or content around it.
fn place(text: &str, offset: u32) -> (Place<'_>, Span) {
    let at = offset as usize;
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |line| line + 1);
    let end = text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |end| at + end);
    let (line, before) = (part(text, start..end), part(text, start..at));
    let nothing = (Place::Other, Span::empty(offset));
    let value = before.find('=').and_then(|sign| before.get(sign + 1..));
    if before.trim_start().starts_with('#') {
        return nothing;
    }
    let table = table_before(text, start);
    if let Some(value) = value {
        let Some(table) = table else { return nothing };
        let key = line.split_once('=').map_or(line, |(key, _)| key).trim().trim_matches('"');
        return in_value(table, key, value, text, offset, end);
    }
    let word = word(text, start, offset, end);
    if let Some(name) = before.trim_start().strip_prefix('[') {
        return if name.contains(']') { nothing } else { (Place::Table, word) };
    }
    let alone = before.trim_start().len() == offset as usize - word.start as usize;
    if alone { (Place::Key(table), word) } else { nothing }
}

/// Returns the place of a byte behind `=`, and the span of the text there.
fn in_value<'t>(table: &'t str, key: &'t str, value: &str, text: &str, offset: u32, end: usize) -> (Place<'t>, Span) {
    let nothing = (Place::Other, Span::empty(offset));
    let mut parts = value.split('"');
    let (first, content, behind) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    match (first.trim().is_empty(), content, behind) {
        (true, None, _) => (Place::Value(table, key, None), Span::empty(offset)),
        (true, Some(content), None) => {
            let start = offset as usize - content.len();
            let rest = part(text, offset as usize..end);
            match rest.find('"') {
                Some(close) => (Place::Value(table, key, Some(true)), Span::of(start, offset as usize + close)),
                None => (Place::Value(table, key, Some(false)), Span::of(start, offset as usize)),
            }
        }
        _ => nothing,
    }
}

/// Returns the name around a byte of a line.
fn word(text: &str, line: usize, offset: u32, end: usize) -> Span {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let (before, after) = (part(text, line..offset as usize), part(text, offset as usize..end));
    let start = before.trim_end_matches(is_part).len() + line;
    let len = after.len() - after.trim_start_matches(is_part).len();
    Span::of(start, offset as usize + len)
}

/// Returns the name of the table that a line is in.
fn table_before(text: &str, line: usize) -> Option<&str> {
    text.get(..line)?.lines().rev().find_map(header)
}

/// Returns the name of the table that a line begins.
fn header(line: &str) -> Option<&str> {
    line.trim().strip_prefix('[')?.split(']').next().map(str::trim)
}

/// Returns the keys that are set in a table, except the one on the line of an offset.
fn keys_in<'t>(text: &'t str, table: &str, offset: u32) -> Vec<&'t str> {
    let (mut found, mut current, mut at) = (Vec::new(), None, 0_usize);
    for line in text.split_inclusive('\n') {
        let here = at <= offset as usize && (offset as usize) < at + line.len();
        at += line.len();
        if let Some(name) = header(line) {
            current = Some(name);
        } else if current == Some(table) && !here {
            found.extend(line.split_once('=').map(|(key, _)| key.trim().trim_matches('"')));
        }
    }
    found
}
