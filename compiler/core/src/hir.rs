//! The meaning of `.ogc` files: names resolved, kinds known, parameters replaced.
//!
//! # Steps
//!
//! 1. [`items`]: a file as items, each a query of its own, with places relative to the item: what moves is not read again.
//! 2. [`scope`]: which names a file knows, its imports included.
//! 3. [`BUILTINS`], [`ATTRIBUTES`], [`SETTINGS`]: the names that every file knows.
//! 4. [`resolve`]: what each name of an item leads to, once for each item.
//!    [`names`] adds all other names, for editors: what each names, where that is defined, and where else it is named.
//! 5. [`elaborate`]: one definition and all that it uses, as a [`Module`]: a graph of schemas for values, the grammar IR
//!    for texts. Every input language ends there: imports bring their graphs and rules into the same module.
//! 6. [`uses`]: the names of a file that are reached through others.
//! 7. [`check`]: the findings of an item by itself, whether or not an output uses it; [`level`]: how grave the attributes of an
//!    item make them.
//!
//! After this stage there are no names, parameters or sugar.

mod attribute;
pub mod budget;
mod builtin;
pub mod cases;
pub mod check;
pub mod elaborate;
pub mod items;
pub(crate) mod level;
mod module;
pub mod names;
mod native;
pub mod resolve;
pub mod scope;
mod setting;
pub mod standard;
pub(crate) mod uses;

pub use attribute::{ATTRIBUTES, AttributeInfo, AttributeKind, Site};
pub use builtin::{BUILTINS, Builtin, BuiltinKind, BuiltinParameter, ParameterKind, StringFormat, TextKind, ValueKind};
pub use module::{Module, Place, Root};
pub use setting::{BudgetKind, PolicyKind, SETTINGS, Setting, SettingKind};
