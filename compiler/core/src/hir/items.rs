//! Splits a file into items, the units of incremental work, and parses each by itself.
//!
//! An [`ItemId`] names an item across edits; it is not a query. The queries split it into file and [`ItemKey`], because
//! salsa keeps one result for each pair: the item's text, its tree, its signature. [`file_items`] changes with every
//! edit. The queries for one item are equal after edits elsewhere, so that such an edit stops there.

use std::sync::Arc;

use ogc_grammar::ogc::ast;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::{self};
use ogc_grammar::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::attribute::AttributeKind;
use crate::db::{Db, SourceFile};

/// The identity of an item: its file, keyword and name, and the number of items with that keyword and name before it.
/// It survives edits and moves of other items: the second `test Order` of a file stays the second.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemId {
    /// The file that contains the item.
    pub file: SourceFile,
    /// The identity within the file.
    pub key: Arc<ItemKey>,
}

/// The identity of an item within its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemKey {
    /// The keyword.
    pub kind: Keyword,
    /// The name after the keyword; empty if there is none.
    pub name: String,
    /// The number of items with this keyword and name before it.
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
    /// Another word, such as `enum`: an error.
    Unknown,
}

impl Keyword {
    /// Returns whether it begins a definition: a type, a rule or an output.
    #[must_use]
    pub fn defines(self) -> bool {
        matches!(self, Keyword::Type | Keyword::Rule | Keyword::Output)
    }
}

/// The items of a file, with their texts and places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileItems {
    /// The items in source order, with their places.
    pub items: Vec<(ItemId, Span)>,
    texts: FxHashMap<Arc<ItemKey>, Arc<str>>,
    starts: FxHashMap<Arc<ItemKey>, u32>,
    /// Findings about text between the items.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits a file into items without parsing them. Runs again after every edit, and is cheap.
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

/// Returns the text of an item. Equal after edits elsewhere.
#[salsa::tracked(returns(clone))]
pub fn item_text(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Arc<str> {
    file_items(db, file).texts.get(&key).cloned().unwrap_or_default()
}

/// Estimated memory of all queries of an item in bytes: a constant, and bytes for each byte of its text.
const ITEM: u64 = 6 << 10;
const ITEM_BYTE: u64 = 60;

/// The syntax tree of an item and the findings of its parser. Places are relative to the item's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The tree; text that could not be parsed is an error node in it.
    pub item: ast::Item,
    /// The parser's findings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses an item.
pub fn item_tree<'db>(db: &'db dyn Db, item: &ItemId) -> &'db Tree {
    read_item(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn read_item(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Tree {
    let text = item_text(db, file, key);
    db.count_kept(ITEM + ITEM_BYTE * text.len() as u64);
    let (item, diagnostics) = ogc::parse_item(&text, 0);
    Tree { item, diagnostics }
}

/// Returns the byte offset of an item in its file.
pub fn item_start(db: &dyn Db, item: &ItemId) -> u32 {
    start_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked(returns(copy))]
fn start_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> u32 {
    file_items(db, file).starts.get(&key).copied().unwrap_or(0)
}

/// Returns the `policy` items of a file. Equal after edits that add or remove none.
#[salsa::tracked]
pub fn policies(db: &dyn Db, file: SourceFile) -> Vec<ItemId> {
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.filter(|item| item.key.kind == Keyword::Policy).cloned().collect()
}

/// The part of a definition that its users depend on: parameters and deprecation. Equal after edits of its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The parameters: name, and whether there is a default.
    pub parameters: Vec<(String, bool)>,
    /// The reason that `@deprecated` gives, empty if it gives none; `None` without `@deprecated`.
    pub deprecated: Option<String>,
}

/// Returns the signature of an item.
pub fn signature<'db>(db: &'db dyn Db, item: &ItemId) -> &'db Signature {
    signature_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn signature_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Signature {
    let tree = read_item(db, file, key);
    let parameters = tree.item.definition().map(|definition| definition.parameters.as_slice()).unwrap_or_default();
    let deprecated = tree.item.attributes.iter().find(|attribute| AttributeKind::Deprecated.is(attribute));
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
