//! Finds the documentation of an item of a completion list, when an editor shows it.

use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::{AttributeKind, Builtin, Setting, standard};
use ogc_grammar::{Code, Span};

use super::item::CompletionKey;
use crate::documentation::{self, Documentation};
use crate::snapshot::Snapshot;
use crate::{lookup, schema_keywords};

/// Returns the documentation of an item; `None` if there is none, or if its subject no longer exists.
#[must_use]
pub fn resolve(snapshot: &Snapshot, key: &CompletionKey) -> Option<Documentation> {
    let symbol = match key {
        CompletionKey::Definition(file, name) => lookup::in_file(snapshot, snapshot.file(file)?, name)?,
        CompletionKey::Field(file, name, at) => {
            let item = documentation::named(snapshot, snapshot.file(file)?, name)?;
            Symbol::Field { item, place: Span::empty(*at) }
        }
        CompletionKey::File(file) => match standard::text(file) {
            Some(text) => return Some(documentation::of_standard(file, text)),
            None => Symbol::File(snapshot.file(file)?),
        },
        CompletionKey::Builtin(name) => Symbol::Builtin(Builtin::of(name)?),
        CompletionKey::BuiltinParameter(name, parameter) => {
            let one = Builtin::of(name)?;
            let parameter = one.parameters.iter().find(|known| known.name == Some(parameter))?;
            Symbol::BuiltinParameter(one, parameter)
        }
        CompletionKey::Attribute(name) => Symbol::Attribute(AttributeKind::of(name)?),
        CompletionKey::Setting(name) => Symbol::Setting(Setting::of(name)?),
        CompletionKey::Code(name) => return Code::from_name(name).map(documentation::of_code),
        CompletionKey::SchemaKeyword(name) => return schema_keywords::documentation(name),
    };
    documentation::of_symbol(snapshot, &symbol)
}
