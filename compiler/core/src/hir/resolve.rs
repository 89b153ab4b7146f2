//! Resolves the references of an item to targets: a parameter, a built-in name, or a definition of this or another
//! file.
//!
//! A target depends only on the item and the scopes of files, so each item is resolved once. In `type Page<T> = T[0..]`
//! the name `T` leads to "the parameter `T`" for every use of `Page`. Elaboration goes on from there: it knows the
//! arguments of a use, and the definitions that an import replaces (`import a from "file" with { b = C }`).

mod unknown;

use std::sync::Arc;

use always_assert::never;
use ogc_grammar::ogc::ast::{ExprKind, Name, Path, Reference};
use ogc_grammar::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::importable::{has_name, names_of, not_there};
use super::items::{ItemId, ItemKey, item_tree, signature};
use super::schema_policy::schema_policy;
use super::scope::{self, Binding};
use crate::db::{Db, Language, SourceFile};
use crate::foreign::{foreign_error_by, is_tool_list};

/// Maximum number of unknown names of an item that are compared with known names to suggest a correction.
const SUGGESTIONS: usize = 20;

/// The declaration that a name leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A parameter of the item that the name stands in.
    Parameter(String),
    /// A built-in name.
    Builtin(&'static Builtin),
    /// A type, rule or output of the same file.
    Item(ItemId),
    /// A type, rule or output of an imported file.
    Imported {
        /// The import that brings in the file.
        import: ItemId,
        /// The definition in that file.
        item: ItemId,
    },
    /// A definition of an imported file in another language: a schema under `$defs`, a rule.
    Foreign {
        /// The import that brings in the file.
        import: ItemId,
        /// The file.
        file: SourceFile,
        /// The name in that file.
        name: String,
    },
    /// An imported file as a whole: its import.
    WholeFile(ItemId),
    /// No declaration: an error, reported here or elsewhere.
    Unknown,
}

/// The target of a name, and a finding about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The target.
    pub target: Target,
    /// An error, or a warning such as a deprecation. Places are relative to the item's start.
    pub finding: Option<Diagnostic>,
    /// Whether the name is unknown only because of an error that is reported elsewhere, such as a missing file.
    pub is_reported: bool,
    /// Whether this unknown name is a generic type of another language, such as `Array`: its arguments are types.
    pub(crate) arguments_are_types: bool,
}

impl Resolved {
    fn to(target: Target) -> Self {
        Self { target, finding: None, is_reported: false, arguments_are_types: false }
    }

    fn wrong(finding: Diagnostic) -> Self {
        Self { finding: Some(finding), ..Self::to(Target::Unknown) }
    }

    fn reported_elsewhere() -> Self {
        Self { is_reported: true, ..Self::to(Target::Unknown) }
    }
}

/// The targets of an item's references, by path. A path includes its place, so two uses of a name are two entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    names: FxHashMap<Path, Resolved>,
}

impl Resolution {
    /// Returns the target of a path of the item; `None` for a path that is not in it.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Resolved> {
        self.names.get(path)
    }

    /// Returns all paths of the item, ordered by place.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&Path, &Resolved)> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_by_key(|(path, _)| path.span);
        names
    }

    /// Returns all paths of the item, in no order.
    pub fn names(&self) -> impl Iterator<Item = (&Path, &Resolved)> {
        self.names.iter()
    }
}

/// Returns the targets of an item's references.
pub fn resolution<'db>(db: &'db dyn Db, item: &ItemId) -> &'db Resolution {
    resolution_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn resolution_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Resolution {
    let item = ItemId { file, key };
    let mut names = Resolver::of(db, &item);
    let mut found = Resolution::default();
    let tree = &item_tree(db, &item).item;
    for root in tree.expressions() {
        root.walk(&mut |expr| {
            if let ExprKind::Reference(reference) = &expr.kind {
                found.names.insert(reference.path.clone(), names.resolve(reference));
            }
        });
    }
    found
}

/// Resolves names as an item sees them.
pub(crate) struct Resolver<'db> {
    db: &'db dyn Db,
    item: &'db ItemId,
    parameters: Vec<&'db str>,
    /// Number of unknown names compared with known names so far.
    compared: usize,
}

impl<'db> Resolver<'db> {
    pub(crate) fn of(db: &'db dyn Db, item: &'db ItemId) -> Self {
        let parameters = item_tree(db, item).item.definition().map(|one| one.parameters.as_slice()).unwrap_or_default();
        let parameters = parameters.iter().map(|parameter| parameter.name.text.as_str()).collect();
        Self { db, item, parameters, compared: 0 }
    }

    /// Resolves a reference. Parameters hide built-in names, and built-in names hide the names of the file.
    pub(crate) fn resolve(&mut self, reference: &Reference) -> Resolved {
        let Some((first, rest)) = reference.path.segments.split_first() else {
            never!("the path at {:?} has no names", reference.path.span);
            return Resolved::to(Target::Unknown);
        };
        if rest.is_empty() {
            if self.parameters.contains(&first.text.as_str()) {
                return Resolved::to(Target::Parameter(first.text.clone()));
            }
            if let Some(builtin) = Builtin::of(&first.text) {
                // A definition with a built-in name is an error, and its uses may mean either.
                return match scope::scope(self.db, self.item.file).names.contains_key(&first.text) {
                    true => Resolved::reported_elsewhere(),
                    false => Resolved::to(Target::Builtin(builtin)),
                };
            }
        } else if let Some(method) = self.method(first) {
            return method;
        }
        match (scope::scope(self.db, self.item.file).names.get(&first.text), rest) {
            (Some(Binding::WholeFile(import)), []) => self.module_alone(first, import),
            (Some(Binding::WholeFile(import)), [name]) => self.imported(import, &name.text, Some(name)),
            (Some(Binding::WholeFile(_)), _) => {
                let found = Diagnostic::error(Code::UnknownName, first.span, "a name has at most one dot");
                Resolved::wrong(found.help(format!("name one of its definitions: `{}.x`", first.text)))
            }
            (Some(_), [_, ..]) => {
                let message = format!("`{}` is not an imported file, so it has no names of its own", first.text);
                let found = Diagnostic::error(Code::UnknownName, first.span, message);
                let help = "`import \"file\" as name` brings a file's names in as `name.x`; the type of a field has a name of its own \
                            if it is defined, `type A = ...`, and the field says `A`";
                Resolved::wrong(found.help(help))
            }
            (Some(Binding::Item(item)), []) => {
                Resolved { finding: deprecation(self.db, item, first), ..Resolved::to(Target::Item(item.clone())) }
            }
            (Some(Binding::Imported(import, there)), []) => self.imported(import, there, None),
            (None, _) => self.unknown(first, reference),
        }
    }

    /// Reports methods of other languages after a dot: `string.min`, `z.string().min(1)`.
    fn method(&self, first: &Name) -> Option<Resolved> {
        if item_tree(self.db, self.item).diagnostics.iter().any(|one| one.code == Code::Call) {
            return Some(Resolved::reported_elsewhere());
        }
        Builtin::of(&first.text)?;
        let help = match first.text.as_str() {
            name @ ("string" | "int" | "number") => format!("bounds are written `{name}<1..>`"),
            name => format!("write `{name}`"),
        };
        let found = Diagnostic::error(Code::UnknownName, first.span, format!("`{}` has no members", first.text));
        Some(Resolved::wrong(found.help(help)))
    }

    /// Resolves the name of a whole file that is used as a definition: an error, which names some of the file's
    /// definitions.
    fn module_alone(&self, module: &Name, import: &ItemId) -> Resolved {
        let target = Resolved::to(Target::WholeFile(import.clone()));
        let Some(file) = self.sound_target(import) else { return Resolved { is_reported: true, ..target } };
        let (name, names) = (&module.text, names_of(self.db, file));
        let (message, help) = if is_tool_list(self.db, file) {
            let first = names.first().map_or("x", String::as_str);
            let call = format!("`std.hermes<{name}>` with `import \"std.tools\" as std`");
            let help = format!("a call of one of them is {call}; the arguments of one are `{name}.{first}`");
            (format!("`{name}` is a list of tools, not a definition"), help)
        } else {
            let help = match names.iter().find(|name| *name == "root").or(names.first()) {
                Some(root) if root == "root" => format!("the whole of it is `{name}.root`"),
                Some(first) => format!("name one of its definitions, as in `{name}.{first}`"),
                None => format!("name one of its definitions: `{name}.x`"),
            };
            (format!("`{name}` is an imported file, not a definition"), help)
        };
        let found = Diagnostic::error(Code::UnknownName, module.span, message).help(help);
        Resolved { finding: Some(found), ..target }
    }

    /// Returns the file of an import; `None` if the import itself has an error, which is reported at the import.
    fn sound_target(&self, import: &ItemId) -> Option<SourceFile> {
        scope::import_target(self.db, import).filter(|_| scope::check_import(self.db, import).is_none())
    }

    /// Resolves `there`, a name of an imported file. An unknown name is reported at `name`, or by the import itself if
    /// `name` is `None`.
    fn imported(&self, import: &ItemId, there: &str, name: Option<&Name>) -> Resolved {
        let Some(file) = self.sound_target(import) else { return Resolved::reported_elsewhere() };
        if !has_name(self.db, file, there) {
            let Some(name) = name.filter(|_| foreign_error_by(self.db, file, schema_policy(self.db, import)).is_none())
            else {
                return Resolved::reported_elsewhere();
            };
            let missing = || Resolved::wrong(not_there(self.db, file, &names_of(self.db, file), there, name.span));
            return self.hyphenated(name.span).unwrap_or_else(missing);
        }
        if file.language(self.db) != Language::Ogc {
            return Resolved::to(Target::Foreign { import: import.clone(), file, name: there.to_owned() });
        }
        match scope::scope(self.db, file).names.get(there) {
            Some(Binding::Item(item)) => Resolved::to(Target::Imported { import: import.clone(), item: item.clone() }),
            _ => {
                never!("`{}` can be imported and is no item", there);
                Resolved::to(Target::Unknown)
            }
        }
    }
}

/// Makes the warning for a use of a deprecated definition.
fn deprecation(db: &dyn Db, item: &ItemId, name: &Name) -> Option<Diagnostic> {
    let why = signature(db, item).deprecated.as_ref()?;
    let reason = if why.is_empty() { String::new() } else { format!(": {why}") };
    Some(Diagnostic::warning(Code::Deprecated, name.span, format!("`{}` is deprecated{reason}", name.text)))
}

#[cfg(test)]
mod tests;
