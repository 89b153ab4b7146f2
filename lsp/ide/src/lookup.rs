//! Finds the meaning of a written name in a file, whether or not the item around it can be parsed.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::importable::names_of;
use ogc_compiler::hir::items::Keyword;
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::scope::{Binding, import_target, scope};

use crate::snapshot::Snapshot;

/// Returns the meaning of a path of one or two names in a file.
pub(crate) fn path(snapshot: &Snapshot, file: SourceFile, path: &[String]) -> Option<Symbol> {
    match path {
        [name] => Builtin::of(name).map(Symbol::Builtin).or_else(|| named(snapshot, file, name)),
        [module, name] => in_file(snapshot, module_file(snapshot, file, module)?, name),
        _ => None,
    }
}

/// Returns the meaning of a name in a file: its own definition, an imported definition, or an imported file.
pub(crate) fn named(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<Symbol> {
    bound(snapshot, scope(&snapshot.db, file).names.get(name)?)
}

/// Returns the symbol that a declared name stands for.
pub(crate) fn bound(snapshot: &Snapshot, binding: &Binding) -> Option<Symbol> {
    match binding {
        Binding::Item(item) => Some(Symbol::Definition(item.clone())),
        Binding::Imported(import, there) => in_file(snapshot, import_target(&snapshot.db, import)?, there),
        Binding::WholeFile(import) => import_target(&snapshot.db, import).map(Symbol::File),
    }
}

/// Returns the file that a name stands for, `parts` of `import "parts.ogc" as parts`.
pub(crate) fn module_file(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<SourceFile> {
    match scope(&snapshot.db, file).names.get(name)? {
        Binding::WholeFile(import) => import_target(&snapshot.db, import),
        Binding::Item(_) | Binding::Imported(..) => None,
    }
}

/// Returns the definition with this name in a file, as seen by an import.
pub(crate) fn in_file(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<Symbol> {
    if snapshot.language(file) != Language::Ogc {
        let known = names_of(&snapshot.db, file).iter().any(|one| one == name);
        return known.then(|| Symbol::Foreign { file, name: name.to_owned() });
    }
    match scope(&snapshot.db, file).names.get(name)? {
        Binding::Item(item) => Some(Symbol::Definition(item.clone())),
        Binding::Imported(..) | Binding::WholeFile(_) => None,
    }
}

/// Returns all definitions of a file that can be imported, with their names.
pub(crate) fn definitions(snapshot: &Snapshot, file: SourceFile) -> Vec<(String, Symbol)> {
    let names = names_of(&snapshot.db, file).into_iter();
    if snapshot.language(file) != Language::Ogc {
        return names.map(|name| (name.clone(), Symbol::Foreign { file, name })).collect();
    }
    names.filter_map(|name| in_file(snapshot, file, &name).map(|symbol| (name, symbol))).collect()
}

/// Returns whether a symbol is a `type`.
pub(crate) fn is_type(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Definition(item) if item.key.kind == Keyword::Type)
}
