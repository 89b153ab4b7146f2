//! Gives `.ogc` files their meaning: splits them into items, resolves names, replaces parameters by arguments.
//!
//! # Steps
//!
//! Each step is a query (or a few) of the incremental database, for one file or one item.
//!
//! 1. [`items`] splits a file into items, such as `type A = int`, and parses each by itself. Places in an item are
//!    relative to the item's start, so that an item that only moved is not parsed again.
//! 2. [`scope`] lists the names that a file defines or imports, [`importable`] those that other files can import. [`BUILTINS`], [`ATTRIBUTES`] and [`SETTINGS`] are
//!    tables of the names that every file knows.
//! 3. [`resolve`] finds the target of each reference in an item: a parameter, a built-in name, an item, a name of an
//!    imported file.
//! 4. [`elaborate`] follows the targets from one definition to all that it uses and writes a [`Module`]: a schema graph
//!    for values, grammar IR for texts. Imported schemas and grammars are copied into the same module.
//! 5. [`check`] finds errors and warnings in one item, whether or not an output uses it. [`level`] applies `@allow`,
//!    `@warn` and `@deny`.
//!
//! Besides, [`names`] answers editors ("go to definition", references), [`uses`] says which names reach which others
//! (for unused items), [`tested`] names the targets of `test` blocks, [`cases`] writes their cases as bytes, and
//! [`budget`] reads the cost limits of definitions.
//!
//! A module has no names, no parameters and no syntactic sugar.
//!
//! # Example
//!
//! ```text
//! import "parts.ogc" as parts
//! type Page<T> = { items: T[0..], next: parts.Link | null }
//! output Pages = Page<int>
//! ```
//!
//! The file has three items. Its scope has `parts` (a whole file), `Page` and `Pages` (items). The resolution of
//! `Page` says that `T` is its parameter and `parts.Link` an item of `parts.ogc`. The module of `Pages` has one node
//! for `Page` where `T` is `int`, and one for `Link`.
//!
//! # What an edit runs again
//!
//! A query runs again only if something that it read has changed; if its result equals the old one, its readers do not
//! run again. A comment "equal after ..." marks a result that is designed to stop an edit in this way.
//!
//! - Every edit of a file splits it into items again. Items with the same text keep their trees and everything derived
//!   from them; only their starts in the file ([`items::item_start`]) may differ, which are read when places are shown.
//! - An edit inside an item also runs: its parser, its resolution, its check, the checks of items that name it, and the
//!   modules that contain it.
//! - An edit that adds, removes or renames a definition or an import changes the scope, so that all items of the
//!   file, and of the files that import it, are resolved again. Where they resolve to the same targets, it ends
//!   there.

mod attribute;
pub mod budget;
mod builtin;
pub mod cases;
pub mod check;
pub mod elaborate;
pub mod importable;
pub mod items;
pub mod level;
mod module;
pub mod names;
mod native;
mod open_records;
pub mod resolve;
mod schema_policy;
pub mod scope;
mod setting;
pub mod standard;
pub mod tested;
pub mod uses;

pub use attribute::{ATTRIBUTES, AttributeInfo, AttributeKind, Site};
pub use builtin::{BUILTINS, Builtin, BuiltinKind, BuiltinParameter, FormatInfo, ParameterKind, TextKind, ValueKind};
pub use module::{Module, OriginPlace, Root};
pub use schema_policy::schema_policy;
pub use setting::{BudgetKind, Choice, PolicyKind, SETTINGS, SchemaPolicyKind, Setting, SettingKind};
