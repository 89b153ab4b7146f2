//! Reads the Lark files that a grammar imports, and adds the imported items to its own.
//!
//! As in Python's Lark, an imported item keeps its name or gets the alias. The items that it uses are prefixed with the
//! name of their file (`rules.item`), which cannot clash, as names in a file have no dots. The `%ignore` of the other
//! file is not imported: imported rules use the `%ignore` of the importing grammar.
//!
//! Imported items have the place of their name in the import, so that every finding has a place in the text being read.
//! An error in another file is reported at the import, with its line.

use super::ast::{Ending, File, Import, Item, Node, NodeKind, is_terminal_name};
use super::lex::Lark;
use super::{common, expand, parse};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::notation::TEXT_LIMIT;
use crate::notation::lexer::lexemes;
use crate::pulse::step;
use crate::rules::nearest;
use crate::span::{Span, Spanned};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Cap on the files that a grammar may import, directly and indirectly; a file that is imported twice counts twice.
const FILES: usize = 256;

/// Cap on the length of a chain of imports.
pub const IMPORT_DEPTH: usize = 32;

const COPY: &str = "put the file beside this one (`%import .a.b.rule` takes `rule` from `a/b.lark`), or copy its rules";

/// A Lark file that another one imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LarkFile {
    /// The name that identifies the file.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// Finds an imported file: from the name of the importing file and a path such as `rules/common.lark`, relative to its folder.
pub type FindLark<'f> = &'f dyn Fn(&str, &str) -> Option<LarkFile>;

/// Reads imported files, and counts them against the limits.
pub(super) struct Importer<'f> {
    find: Option<FindLark<'f>>,
    /// Names of the files being read, the outermost first.
    open: Vec<String>,
    files: usize,
    bytes: usize,
}

impl<'f> Importer<'f> {
    /// Makes an importer for the file `name`.
    pub(super) fn new(name: &str, find: FindLark<'f>) -> Self {
        Self { find: Some(find), open: vec![name.to_owned()], files: 0, bytes: 0 }
    }

    /// Makes an importer that finds no file.
    pub(super) fn without_files() -> Self {
        Self { find: None, open: Vec::new(), files: 0, bytes: 0 }
    }

    /// Adds the imported items to those of a file.
    pub(super) fn resolve(&mut self, mut file: File, sink: &mut Sink) -> File {
        let imports = std::mem::take(&mut file.imports);
        // Several imports of one file share the items that they use.
        let mut paths: Vec<String> = imports.iter().map(Import::path).collect();
        let mut seen = HashSet::new();
        paths.retain(|path| seen.insert(path.clone()));
        for path in paths {
            let same: Vec<&Import> = imports.iter().filter(|import| import.path() == path).collect();
            file.items.extend(self.items(&path, &same, sink));
        }
        file
    }

    /// Returns the items that the imports of one file bring in.
    fn items(&mut self, path: &str, imports: &[&Import], sink: &mut Sink) -> Vec<Item> {
        let Some(first) = imports.first() else { return Vec::new() };
        match self.read(path, first) {
            Ok(items) => taken(path, &items, imports, sink),
            Err(found) => {
                sink.push(*found);
                Vec::new()
            }
        }
    }

    /// Reads the items of a file, including the items that it imports.
    fn read(&mut self, path: &str, import: &Import) -> Result<Vec<Item>, Box<Diagnostic>> {
        let Some(file) = self.found(path) else { return Err(Box::new(not_found(path, import))) };
        self.open(&file, import.span)?;
        let mut inner = Sink::default();
        let items = self.parse(&file.text, &mut inner);
        self.close();
        match inner.finish().into_iter().find(Diagnostic::is_error) {
            Some(error) => Err(Box::new(in_other_file(&error, &file.name, &file.text, import.span))),
            None => Ok(items),
        }
    }

    /// Finds a file by its path relative to the folder of the file being read.
    pub(super) fn found(&self, path: &str) -> Option<LarkFile> {
        let from = self.open.last().map_or("", String::as_str);
        self.find.and_then(|find| find(from, path))
    }

    /// Counts a file and starts reading it; after reading it, the caller calls [`Importer::close`].
    pub(super) fn open(&mut self, file: &LarkFile, place: Span) -> Result<(), Box<Diagnostic>> {
        let refused =
            |message: String, help: &str| Err(Box::new(Diagnostic::error(Code::LarkImport, place, message).help(help)));
        let LarkFile { name, text } = file;
        if self.open.contains(name) {
            let way: Vec<&str> = self.open.iter().skip_while(|open| *open != name).map(String::as_str).collect();
            let through = if way.len() > 1 { format!(" through `{}`", way[1..].join("`, `")) } else { String::new() };
            return refused(format!("`{name}` imports itself{through}"), "move what both need into a file of its own");
        }
        self.files += 1;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.files > FILES || self.open.len() > IMPORT_DEPTH {
            let message = format!("imports lead to more than {FILES} files, or through more than {IMPORT_DEPTH}");
            return refused(message, "copy the rules into one file");
        }
        if self.bytes > TEXT_LIMIT {
            let message = format!("imported files have {} bytes together; the limit is {TEXT_LIMIT}", self.bytes);
            return refused(message, "import smaller files");
        }
        self.open.push(name.clone());
        Ok(())
    }

    /// Ends the reading of the file that was opened last.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    fn parse(&mut self, text: &str, sink: &mut Sink) -> Vec<Item> {
        if let Some(refusal) = too_long(text, TEXT_LIMIT) {
            sink.push(refusal);
            return Vec::new();
        }
        let lexemes = match lexemes::<Lark>(text, sink) {
            Ok(lexemes) => lexemes,
            Err(refusal) => {
                sink.push(*refusal);
                return Vec::new();
            }
        };
        let file = parse::file(text, &lexemes, 0, sink);
        let mut file = self.resolve(file, sink);
        self.give(&mut file, sink);
        expand::changed(file.items, sink)
    }
}

/// Returns the path of the file for a grammar given by name.
pub(super) fn file_of(name: &str) -> String {
    format!("{name}.lark")
}

/// Returns the finding about a missing file.
fn not_found(path: &str, import: &Import) -> Diagnostic {
    let library = import.library();
    if !import.is_relative
        && let Some(meant) = nearest(&library, common::LIBRARIES.into_iter())
    {
        let message = format!("there is no library `{library}`");
        return Diagnostic::error(Code::LarkImport, import.span, message).help(format!("did you mean `{meant}`?"));
    }
    let libraries = if import.is_relative { "" } else { ", and no library of this name" };
    let message = format!("there is no file `{path}` here{libraries}");
    Diagnostic::error(Code::LarkImport, import.span, message).help(COPY)
}

pub(super) fn in_other_file(error: &Diagnostic, name: &str, text: &str, place: Span) -> Diagnostic {
    let line = text.get(..error.span.start as usize).unwrap_or(text).matches('\n').count() + 1;
    let message = format!("`{name}`, line {line}: {}", error.message);
    let found = Diagnostic::error(Code::LarkImport, place, message);
    error.help.iter().fold(found, |found, help| found.help(help.clone()))
}

/// Returns copies of the imported items and of everything that these use, under their names in the importing file.
fn taken(path: &str, items: &[Item], imports: &[&Import], sink: &mut Sink) -> Vec<Item> {
    let by_name: HashMap<&str, &Item> = items.iter().rev().map(|item| (item.name.value.as_str(), item)).collect();
    let mut names: HashMap<&str, Vec<Spanned<String>>> = HashMap::new();
    let mut open = Vec::new();
    for (name, alias) in imports.iter().flat_map(|import| &import.names) {
        let Some(item) = by_name.get(name.value.as_str()) else {
            sink.push(no_such_item(path, name, items));
            continue;
        };
        let written = alias.as_ref().unwrap_or(name);
        if is_terminal_name(&written.value) != is_terminal_name(&name.value) {
            sink.push(other_kind(name, written));
            continue;
        }
        names.entry(item.name.value.as_str()).or_default().push(written.clone());
        open.push(*item);
    }
    let mut reached: HashSet<&str> = HashSet::new();
    while let Some(item) = open.pop() {
        if reached.insert(&item.name.value) {
            let uses = item.uses();
            open.extend(items.iter().filter(|other| uses.contains(other.name.value.as_str())));
        }
    }
    let place = imports.first().map(|import| import.span).unwrap_or_default();
    let prefix = path.trim_end_matches(".lark").replace('/', ".");
    let inside = |name: &str| format!("{prefix}.{name}");
    let rename =
        |name: &str| names.get(name).and_then(|all| all.first()).map_or_else(|| inside(name), |one| one.value.clone());
    let mut copies = Vec::new();
    for item in items.iter().filter(|item| reached.contains(item.name.value.as_str())) {
        let own = [Spanned::new(inside(&item.name.value), place)];
        for name in names.get(item.name.value.as_str()).map_or(own.as_slice(), Vec::as_slice) {
            copies.push(item.under(name.clone(), &rename));
        }
    }
    copies
}

fn no_such_item(path: &str, name: &Spanned<String>, items: &[Item]) -> Diagnostic {
    let message = format!("`{path}` has no rule or terminal `{}`", name.value);
    let found = Diagnostic::error(Code::LarkImport, name.span, message);
    match nearest(&name.value, items.iter().map(|item| item.name.value.as_str())) {
        Some(meant) => found.help(format!("did you mean `{meant}`?")),
        None => found.help("define it there, or in this file"),
    }
}

fn other_kind(name: &Spanned<String>, alias: &Spanned<String>) -> Diagnostic {
    let kind = |name: &str| if is_terminal_name(name) { "terminal" } else { "rule" };
    let (imported, written) = (kind(&name.value), kind(&alias.value));
    let message = format!("`{}` is a {imported}, and `{}` is the name of a {written}", name.value, alias.value);
    let help = "rules are written in small letters, terminals in capitals";
    Diagnostic::error(Code::LarkImport, alias.span, message).help(help)
}

impl Item {
    /// Returns the names in the item's body.
    fn uses(&self) -> HashSet<&str> {
        let mut found = HashSet::new();
        let mut open: Vec<&Node> = vec![&self.body];
        if let Ending::Marker(marker, _) = &self.ending {
            open.push(marker);
        }
        while let Some(node) = open.pop() {
            match &node.kind {
                NodeKind::Name(name) => drop(found.insert(name.as_str())),
                NodeKind::Template { name, .. } => drop(found.insert(name.value.as_str())),
                _ => {}
            }
            open.extend(node.children());
        }
        found
    }

    /// Returns a copy under another name; all its spans are the span of that name.
    fn under(&self, name: Spanned<String>, rename: &dyn Fn(&str) -> String) -> Item {
        let place = name.span;
        let is_param = |name: &str| self.params.iter().any(|param| param.value == name);
        let rename = |name: &str| if is_param(name) { name.to_owned() } else { rename(name) };
        let mut copy = Item { name, ..self.clone() };
        copy.params.iter_mut().for_each(|param| param.span = place);
        copy.body.place(place, &rename);
        match &mut copy.ending {
            Ending::Free => {}
            Ending::Lazy(span) => *span = place,
            Ending::Marker(marker, span) => {
                marker.place(place, &rename);
                *span = place;
            }
        }
        copy
    }
}

impl Node {
    /// Sets all spans to `place`, and renames all names. The parser's nesting limit bounds the recursion.
    fn place(&mut self, place: Span, rename: &dyn Fn(&str) -> String) {
        step();
        self.span = place;
        match &mut self.kind {
            NodeKind::Name(name) => *name = rename(name),
            NodeKind::Template { name, arguments } => {
                *name = Spanned::new(rename(&name.value), place);
                arguments.iter_mut().for_each(|argument| argument.place(place, rename));
            }
            NodeKind::Sequence(nodes) | NodeKind::Alternation(nodes) | NodeKind::And(nodes) => {
                nodes.iter_mut().for_each(|node| node.place(place, rename));
            }
            NodeKind::Repeat { node, .. } | NodeKind::Not(node) => node.place(place, rename),
            NodeKind::Nested(grammar) => {
                for rule in &mut grammar.rules {
                    rule.name.span = place;
                    rule.body.replaced(&|_| place, &str::to_owned);
                }
            }
            NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Token(_)
            | NodeKind::Substring(_)
            | NodeKind::Json(_)
            | NodeKind::Given(_) => {}
        }
    }
}

impl Import {
    /// Returns the path of the file, relative to the folder of the importing file.
    pub(super) fn path(&self) -> String {
        format!("{}.lark", self.parts.join("/"))
    }

    fn library(&self) -> String {
        self.parts.join(".")
    }
}

/// Returns the files that a Lark text imports, including those of `@name`: the place of each import, and the path
/// relative to the text's folder.
///
/// ```
/// let found = ogc_grammar::lark::imports("start: a\n%import .rules.a.b\n%import common.WS\n");
/// assert_eq!(found.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["rules/a.lark"]);
/// ```
#[must_use]
pub fn imports(text: &str) -> Vec<(Span, String)> {
    let Some(file) = importing(text) else { return Vec::new() };
    let mut found: Vec<(Span, String)> = file.imports.iter().map(|import| (import.span, import.path())).collect();
    found.extend(file.given().into_iter().map(|(place, name)| (place, file_of(name))));
    found
}

/// Reads a text; `None` if it imports nothing, or is too long.
fn importing(text: &str) -> Option<File> {
    if !(text.contains("%import") || text.contains('@')) || text.len() > TEXT_LIMIT {
        return None;
    }
    let mut sink = Sink::default();
    let lexemes = lexemes::<Lark>(text, &mut sink).ok()?;
    Some(parse::file(text, &lexemes, 0, &mut sink))
}

/// A name that a Lark text imports from another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    /// The name in this text: the alias, if there is one.
    pub here: String,
    /// The name in the other file.
    pub there: String,
    /// The path of the other file, relative to the text's own folder.
    pub path: String,
}

/// Returns the names that a Lark text imports from other files; names from libraries are left out.
///
/// ```
/// let found = ogc_grammar::lark::imported_names("start: b\n%import .rules.a -> b\n%import common.WS\n");
/// assert_eq!((found.len(), &*found[0].here, &*found[0].there, &*found[0].path), (1, "b", "a", "rules.lark"));
/// ```
#[must_use]
pub fn imported_names(text: &str) -> Vec<ImportedName> {
    let Some(file) = importing(text) else { return Vec::new() };
    let of_file = |import: &Import| {
        let path = import.path();
        let name = |(name, alias): &(Spanned<String>, Option<Spanned<String>>)| ImportedName {
            here: alias.as_ref().unwrap_or(name).value.clone(),
            there: name.value.clone(),
            path: path.clone(),
        };
        import.names.iter().map(name).collect::<Vec<_>>()
    };
    file.imports.iter().flat_map(of_file).collect()
}
