//! The names that other files can import from a file: its own definitions, without the names that it imports itself.

use ogc_grammar::spelling::only_longer;
use ogc_grammar::{Code, Diagnostic, Fix, Span, nearest};

use super::scope::{Binding, scope};
use crate::db::{Db, Language, SourceFile};
use crate::foreign::foreign_names_of;

/// Maximum number of names that a message lists.
const LISTED: usize = 20;

/// Returns the names that can be imported from a file: its own definitions, without the names that it imports itself.
pub fn names_of(db: &dyn Db, file: SourceFile) -> Vec<String> {
    if file.language(db) != Language::Ogc {
        return foreign_names_of(db, file).clone();
    }
    let names = scope(db, file).names.iter();
    names.filter(|(_, binding)| matches!(binding, Binding::Item(_))).map(|(name, _)| name.clone()).collect()
}

/// Returns whether a name can be imported from a file.
pub(crate) fn has_name(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    match file.language(db) {
        Language::Ogc => matches!(scope(db, file).names.get(name), Some(Binding::Item(_))),
        _ => foreign_names_of(db, file).iter().any(|known| known == name),
    }
}

/// Makes the error for an imported name that the file lacks.
pub(crate) fn not_there(db: &dyn Db, target: SourceFile, names: &[String], name: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` has no `{name}`", target.name(db));
    let passes_on = target.language(db) == Language::Ogc && scope(db, target).names.contains_key(name);
    let near = near(names, name).filter(|_| !passes_on);
    let help = match near {
        _ if passes_on => format!("it imports `{name}` itself: import it from where it is defined"),
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "it defines nothing".to_owned(),
        None => format!("it has {}", listed(names)),
    };
    Diagnostic::error(Code::UnknownName, span, message).help(help).guess(near.map(|near| Fix::instead(span, near)))
}

/// Returns the name that a written one means: the nearest, or the only one that begins with it.
pub(crate) fn near<'n>(names: &'n [String], written: &str) -> Option<&'n str> {
    let names = || names.iter().map(String::as_str);
    nearest(written, names()).or_else(|| only_longer(written, names()))
}

/// Lists the first names, followed by the number of further names.
fn listed(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    if names.len() > LISTED {
        listed.push(format!("and {} more", names.len() - LISTED));
    }
    listed.join(", ")
}
