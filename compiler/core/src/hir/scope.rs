//! Lists the names that a file knows (its definitions and imports), and finds the files that imports name.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use always_assert::never;
use ogc_grammar::ogc::ast::{Import, Imported, ItemKind};
use ogc_grammar::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::items::{ItemId, Keyword, file_items, item_start, item_text, item_tree};
use super::standard;
pub use crate::db::beside;
use crate::db::{Db, Language, SourceFile, Workspace, lines};
use crate::foreign::{is_tool_list, structural_tag};

/// The declaration that gives a file a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// A type, rule or output of this file.
    Item(ItemId),
    /// One name of an imported file, `import a as b from "file"`: the import, and the name in that file (`a`).
    Imported(ItemId, String),
    /// A whole imported file, `import "file" as parts`: the import. Its names are written `parts.x`.
    WholeFile(ItemId),
}

/// The names that a file knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The declaration of each name; for a name declared twice, the first declaration.
    pub names: BTreeMap<String, Binding>,
    /// The items that declare an already declared name, each with that name.
    pub taken: Vec<(ItemId, String)>,
}

/// Returns the names that a file knows. Equal after edits that add, remove or rename no definition and no import.
#[salsa::tracked]
pub fn scope(db: &dyn Db, file: SourceFile) -> Scope {
    let mut scope = Scope::default();
    for (item, _) in &file_items(db, file).items {
        let key = &item.key;
        match key.kind {
            kind if kind.defines() && !key.name.is_empty() => {
                scope.add(item, key.name.clone(), Binding::Item(item.clone()));
            }
            Keyword::Import => scope.import(db, item),
            _ => {}
        }
    }
    scope
}

impl Scope {
    /// Adds a name; the first declaration of a name counts.
    fn add(&mut self, item: &ItemId, name: String, binding: Binding) {
        match self.names.entry(name) {
            Entry::Occupied(taken) => self.taken.push((item.clone(), taken.key().clone())),
            Entry::Vacant(free) => {
                free.insert(binding);
            }
        }
    }

    /// Adds the names that an import brings into the file.
    fn import(&mut self, db: &dyn Db, item: &ItemId) {
        let Some(import) = import(db, item) else { return };
        match &import.imported {
            Imported::Whole(name) => self.add(item, name.text.clone(), Binding::WholeFile(item.clone())),
            Imported::Names(names) => {
                for name in names {
                    let here = name.alias.as_ref().unwrap_or(&name.name).text.clone();
                    let binding = match is_whole_list(db, item, &name.name.text) {
                        true => Binding::WholeFile(item.clone()),
                        false => Binding::Imported(item.clone(), name.name.text.clone()),
                    };
                    self.add(item, here, binding);
                }
            }
        }
    }
}

/// Returns the definition of a name in a file; `None` for names that the file imports.
pub fn item_named(db: &dyn Db, file: SourceFile, name: &str) -> Option<ItemId> {
    match scope(db, file).names.get(name) {
        Some(Binding::Item(item)) => Some(item.clone()),
        _ => None,
    }
}

/// Returns whether `name` imports a whole list of tools, as in `import tools from "tools.json"`.
pub(super) fn is_whole_list(db: &dyn Db, item: &ItemId, name: &str) -> bool {
    name == "tools" && import_target(db, item).is_some_and(|target| is_tool_list(db, target))
}

/// Returns the syntax tree of an import; `None` for other items.
pub fn import<'db>(db: &'db dyn Db, item: &ItemId) -> Option<&'db Import> {
    match &item_tree(db, item).item.kind {
        ItemKind::Import(import) => Some(import),
        _ => None,
    }
}

/// Returns whether a broken item would define this name if it could be parsed: an import, or an item without a known
/// keyword, such as `enum X`. Uses of the name are not reported then.
pub fn is_broken(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    let mut items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.any(|item| match item.key.kind {
        Keyword::Unknown => would_define(db, item, name),
        Keyword::Import => {
            let lost = matches!(item_tree(db, item).item.kind, ItemKind::Error(_));
            lost && (mentions(db, item, name) || brings_any(db, item))
        }
        _ => false,
    })
}

/// Returns whether a definition has this name with hyphens, which is reported at the definition.
pub(super) fn is_named_with_hyphens(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    let mut items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.any(|item| {
        let defines = item.key.kind.defines();
        let wrong = || item_tree(db, item).diagnostics.iter().any(|one| one.code == Code::WrongName);
        defines && wrong() && head_of(db, item).split_whitespace().any(|word| word == name)
    })
}

/// Returns the head of an item's text: all before its first `=`, `<`, `:` or `{`, such as `type my-name`.
fn head_of(db: &dyn Db, item: &ItemId) -> String {
    let text = item_text(db, item.file, Arc::clone(&item.key));
    text.split(['=', '<', ':', '{']).next().unwrap_or_default().to_owned()
}

/// Returns whether an unparsable import may bring in any name: `import * from "file"`, or an import without names.
fn brings_any(db: &dyn Db, item: &ItemId) -> bool {
    let text = item_text(db, item.file, Arc::clone(&item.key));
    text.contains('*') || !text.split_whitespace().any(|word| word == "from" || word == "as")
}

/// Returns whether the name is a word in the item's text.
fn mentions(db: &dyn Db, item: &ItemId, name: &str) -> bool {
    let text = item_text(db, item.file, Arc::clone(&item.key));
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// Returns whether an item without a known keyword seems to define this name.
fn would_define(db: &dyn Db, item: &ItemId, name: &str) -> bool {
    let tree = &item_tree(db, item).item;
    match &tree.kind {
        ItemKind::Error(Some(defined)) => defined.text == name,
        ItemKind::Error(None) => mentions(db, item, name),
        _ => tree.definition().is_some_and(|definition| definition.name.text == name),
    }
}

/// Returns the file that an import names; `None` if the workspace lacks it.
pub fn import_target(db: &dyn Db, item: &ItemId) -> Option<SourceFile> {
    let import = import(db, item)?;
    file_at(db, item.file, import.path.value.clone())
}

/// Returns the file that a path in `file` names. Equal after edits that add other files to the workspace.
#[salsa::tracked(returns(copy))]
fn file_at(db: &dyn Db, file: SourceFile, path: String) -> Option<SourceFile> {
    if standard::is_reserved(&path) {
        return standard::file(db, file.options(db), path);
    }
    if let Some(own) = file.own(db).get(&path) {
        return Some(*own);
    }
    let found = Workspace::try_get(db)?.files(db).get(&beside(file.name(db), &path)).copied()?;
    // Importing a structural tag means importing its module.
    Some(structural_tag(db, found).as_ref().map_or(found, |tag| tag.module))
}

/// Returns the path of each file that a file imports, and the path's place. Imports of the standard library are left
/// out.
pub fn imports(db: &dyn Db, file: SourceFile) -> Vec<(String, Span)> {
    let items = file_items(db, file).items.iter();
    items
        .filter_map(|(item, span)| {
            let path = &import(db, item)?.path;
            if standard::is_reserved(&path.value) {
                return None;
            }
            Some((beside(file.name(db), &path.value), path.span.shifted(span.start)))
        })
        .collect()
}

/// Returns the imports on the shortest path from an import back to its own file; `None` if there is no such cycle.
fn way_back(db: &dyn Db, item: &ItemId) -> Option<Vec<ItemId>> {
    let mut came: FxHashMap<SourceFile, Option<ItemId>> = FxHashMap::default();
    let mut open: VecDeque<SourceFile> = import_target(db, item).into_iter().collect();
    open.iter().for_each(|first| drop(came.insert(*first, None)));
    while let Some(file) = open.pop_front() {
        if file == item.file {
            let mut way: Vec<ItemId> = Vec::new();
            let mut at = file;
            while let Some(Some(step)) = came.get(&at) {
                way.push(step.clone());
                at = step.file;
            }
            way.reverse();
            return Some(way);
        }
        for (step, target) in imported_files(db, file) {
            if let std::collections::hash_map::Entry::Vacant(new) = came.entry(target) {
                new.insert(Some(step));
                open.push_back(target);
            }
        }
    }
    None
}

/// Makes the error for an import cycle: it names the files on the cycle, and the line of each import.
fn circular(db: &dyn Db, item: &ItemId, place: Span) -> Option<Diagnostic> {
    let way = way_back(db, item)?;
    let names = std::iter::once(item.file).chain(way.iter().map(|step| step.file)).chain([item.file]);
    let route: Vec<&str> = names.map(|file| file.name(db)).collect();
    let message = format!("this import leads back to its own file: {}", route.join(" -> "));
    let steps = way.iter().map(|step| format!("{}:{}", step.file.name(db), line_of(db, step)));
    let steps: Vec<String> = steps.collect();
    let help = "move what the files need of each other into one more file, which imports none of them";
    let help =
        if steps.is_empty() { help.to_owned() } else { format!("{help}; the others are at {}", steps.join(", ")) };
    Some(Diagnostic::error(Code::ImportCycle, place, message).help(help))
}

/// Returns the line of an import's path, counted from 1.
fn line_of(db: &dyn Db, item: &ItemId) -> u32 {
    let path = import(db, item).map(|import| import.path.span).unwrap_or_else(|| {
        never!("{:?} is no import", item.key);
        Span::default()
    });
    lines(db, item.file).place(path.shifted(item_start(db, item)).start).line + 1
}

/// Returns the imports of an `.ogc` file, each with the file that it names; imports of missing files are left out.
#[salsa::tracked(returns(clone))]
pub fn imported_files(db: &dyn Db, file: SourceFile) -> Vec<(ItemId, SourceFile)> {
    if file.language(db) != Language::Ogc {
        return Vec::new();
    }
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.filter_map(|item| Some((item.clone(), import_target(db, item)?))).collect()
}

/// Returns the error of an import as a whole: its file is missing or in no known language, or the import is part of a
/// cycle. Places are relative to the item's start.
pub fn check_import(db: &dyn Db, item: &ItemId) -> Option<Diagnostic> {
    let import = import(db, item)?;
    let place = import.path.span;
    let path = &import.path.value;
    if standard::is_reserved(path) && standard::text(path).is_none() {
        let message = format!("the standard library has no `{path}`");
        let help =
            format!("it has {}", standard::names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
        return Some(Diagnostic::error(Code::UnknownImport, place, message).help(help));
    }
    if import.path.value.contains("://") {
        let message = "imports are files; nothing is fetched";
        let help = "keep a copy beside this file, and import that";
        return Some(Diagnostic::error(Code::UnknownImport, place, message).help(help));
    }
    if !standard::is_reserved(path)
        && let Err(error) = Language::of_name(&import.path.value)
    {
        let help = "the ending says what is read: .ogc, .schema.json, .json, .gbnf, .ebnf, .abnf, .lark, .regex";
        return Some(Diagnostic::error(Code::UnknownImport, place, error.to_string()).help(help));
    }
    if import_target(db, item).is_none() {
        let message = format!("there is no file `{}`", beside(item.file.name(db), &import.path.value));
        return Some(
            Diagnostic::error(Code::UnknownImport, place, message)
                .help("paths are relative to the file that they are in"),
        );
    }
    circular(db, item, place)
}
