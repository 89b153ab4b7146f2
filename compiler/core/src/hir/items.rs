//! A file as items: the unit of incremental work.

use std::sync::Arc;

use ogc_grammar::ogc::ast;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::{self};
use ogc_grammar::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::attribute::AttributeKind;
use crate::db::{Db, SourceFile};

/// An item, by its keyword, its name and how many such items stand before it: the same after edits elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemId {
    /// The file it is in.
    pub file: SourceFile,
    /// What it declares.
    pub key: Arc<ItemKey>,
}

/// What an item is known by in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemKey {
    /// The keyword.
    pub kind: Keyword,
    /// The name behind the keyword; empty where there is none.
    pub name: String,
    /// How many items of this keyword and name stand before it.
    pub nth: u32,
}

/// The keyword that an item begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `type`
    Type,
    /// `rule`
    Rule,
    /// `output`
    Output,
    /// `test`
    Test,
    /// `import`
    Import,
    /// `policy`
    Policy,
    /// None of them: an error.
    Unknown,
}

impl Keyword {
    /// Returns whether it begins a definition: a type, a rule or an output.
    #[must_use]
    pub fn defines(self) -> bool {
        matches!(self, Keyword::Type | Keyword::Rule | Keyword::Output)
    }
}

/// A file taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileItems {
    /// In source order, with their places.
    pub items: Vec<(ItemId, Span)>,
    texts: FxHashMap<Arc<ItemKey>, Arc<str>>,
    starts: FxHashMap<Arc<ItemKey>, u32>,
    /// What stands between them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Takes a file apart. Cheap, and run again after every edit.
#[salsa::tracked]
pub fn file_items(db: &dyn Db, file: SourceFile) -> FileItems {
    let text = file.text(db);
    let parts = ogc::items(text);
    let mut seen: FxHashMap<(Keyword, &str), u32> = FxHashMap::default();
    let mut found = FileItems { diagnostics: parts.diagnostics, ..FileItems::default() };
    for item in &parts.items {
        let (kind, name) = (keyword(item.keyword), item.name.map_or("", |span| span.text(text)));
        let nth = seen.entry((kind, name)).or_default();
        let key = Arc::new(ItemKey { kind, name: name.to_owned(), nth: *nth });
        *nth += 1;
        found.texts.insert(Arc::clone(&key), item.span.text(text).into());
        found.starts.insert(Arc::clone(&key), item.span.start);
        found.items.push((ItemId { file, key }, item.span));
    }
    found
}

fn keyword(token: Option<TokenKind>) -> Keyword {
    match token {
        Some(TokenKind::Type) => Keyword::Type,
        Some(TokenKind::Rule) => Keyword::Rule,
        Some(TokenKind::Output) => Keyword::Output,
        Some(TokenKind::Test) => Keyword::Test,
        Some(TokenKind::Import) => Keyword::Import,
        Some(TokenKind::Policy) => Keyword::Policy,
        _ => Keyword::Unknown,
    }
}

/// The text of an item: equal after edits elsewhere.
#[salsa::tracked(returns(clone))]
pub(crate) fn item_text(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Arc<str> {
    file_items(db, file).texts.get(&key).cloned().unwrap_or_default()
}

/// An item's tree and what reading it found, with places from the beginning of the item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What was understood.
    pub item: ast::Item,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads an item.
pub fn item_tree<'db>(db: &'db dyn Db, item: &ItemId) -> &'db Tree {
    read_item(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn read_item(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Tree {
    let (item, diagnostics) = ogc::parse_item(&item_text(db, file, key), 0);
    Tree { item, diagnostics }
}

/// Where an item begins in its file.
pub fn item_start(db: &dyn Db, item: &ItemId) -> u32 {
    start_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked(returns(copy))]
fn start_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> u32 {
    file_items(db, file).starts.get(&key).copied().unwrap_or(0)
}

/// The `policy` items of a file. Equal as long as none comes or goes.
#[salsa::tracked]
pub fn policies(db: &dyn Db, file: SourceFile) -> Vec<ItemId> {
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.filter(|item| item.key.kind == Keyword::Policy).cloned().collect()
}

/// What a definition looks like from outside: equal after edits of its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Its parameters: their names, and whether they have a default.
    pub parameters: Vec<(String, bool)>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
}

/// The signature of an item.
pub fn signature<'db>(db: &'db dyn Db, item: &ItemId) -> &'db Signature {
    signature_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn signature_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Signature {
    let tree = read_item(db, file, key);
    let parameters = tree.item.definition().map(|definition| definition.parameters.as_slice()).unwrap_or_default();
    let deprecated = tree
        .item
        .attributes
        .iter()
        .find(|attribute| AttributeKind::of(&attribute.name.text) == Some(AttributeKind::Deprecated));
    Signature {
        parameters: parameters.iter().map(|one| (one.name.text.clone(), one.default.is_some())).collect(),
        deprecated: deprecated.map(|attribute| {
            match attribute.arguments.first().map(|argument| &argument.value.kind) {
                Some(ast::ExprKind::String(why)) => why.clone(),
                _ => String::new(),
            }
        }),
    }
}
