//! Files that serve other files: `.ogc` files without outputs and grammars without a start rule, which other files
//! import.

use ogc_compiler::db::{Db, Language, SourceFile, Workspace};
use ogc_compiler::foreign::links;
use ogc_compiler::hir::scope::imported_files;
use ogc_grammar::{Code, Diagnostic};

/// Returns whether another file of the workspace imports a file.
pub(crate) fn is_imported(db: &dyn Db, file: SourceFile) -> bool {
    let Some(workspace) = Workspace::try_get(db) else { return false };
    let imports = |other: SourceFile| match other.language(db) {
        Language::Ogc => imported_files(db, other).iter().any(|(_, target)| *target == file),
        Language::Lark => links(db, other).files.contains(&file),
        Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Regex => false,
    };
    workspace.files(db).values().any(|other| *other != file && imports(*other))
}

/// Drops the error that a grammar has no start rule if another file imports it: the import names the rule.
pub(crate) fn without_start(db: &dyn Db, file: SourceFile, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.iter().any(|one| one.code == Code::MissingRoot) && is_imported(db, file) {
        found.retain(|one| one.code != Code::MissingRoot);
    }
    found
}
