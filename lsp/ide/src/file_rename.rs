//! Renames of files and folders: imports of the renamed files are updated, and so are the imports in them.

use ogc_compiler::db::Language;
use ogc_compiler::hir::scope::beside;
use ogc_compiler::hir::standard;
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind};
use ogc_grammar::ogc::print_expr;

use crate::items::items;
use crate::place::{FileEdits, TextEdit};
use crate::snapshot::Snapshot;

/// Returns the edits of imports for renamed files and folders, each given as old and new name. The edits apply to files
/// under their old names.
#[must_use]
pub fn will_rename(snapshot: &Snapshot, renames: &[(String, String)]) -> Vec<FileEdits> {
    let mut all = Vec::new();
    for file in snapshot.files().into_iter().filter(|file| snapshot.language(*file) == Language::Ogc) {
        let (old, new) = (snapshot.name(file), renamed(renames, snapshot.name(file)));
        let mut edits = Vec::new();
        for item in items(snapshot, file) {
            let ItemKind::Import(import) = &item.tree.kind else { continue };
            if let Some(path) = followed(renames, old, &new, &import.path.value) {
                let span = item.in_file(import.path.span);
                edits.push(TextEdit::replace(span, quoted(&path, snapshot.slice(file, span))));
            }
        }
        if !edits.is_empty() {
            all.push(FileEdits { file, edits });
        }
    }
    all
}

/// Returns the new path for an import in a file; `None` if the path stays as it is.
fn followed(renames: &[(String, String)], old: &str, new: &str, path: &str) -> Option<String> {
    if standard::text(path).is_some() || path.contains("://") || path.is_empty() {
        return None;
    }
    let target = renamed(renames, &beside(old, path));
    if beside(new, path) == target {
        return None;
    }
    if path.starts_with('/') {
        return Some(target);
    }
    let relative = relative(new, &target);
    let has_dot = path.starts_with("./") && !relative.starts_with("..");
    Some(if has_dot { format!("./{relative}") } else { relative })
}

/// Returns the new name of a file: its own, or one in a renamed folder. The longest matching old name wins.
fn renamed(renames: &[(String, String)], name: &str) -> String {
    let inside = |old: &str| {
        let rest = name.strip_prefix(old.trim_end_matches('/'))?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    };
    let known = renames.iter().filter_map(|(old, new)| Some((old.len(), new, inside(old)?)));
    let longest = known.max_by_key(|(len, ..)| *len);
    longest.map_or(name.to_owned(), |(_, new, rest)| format!("{}{rest}", new.trim_end_matches('/')))
}

/// Returns the path that leads from the folder of a file to another file.
fn relative(from: &str, to: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (from, to): (Vec<&str>, Vec<&str>) = (parts(folder), parts(to));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let shared = shared.min(to.len().saturating_sub(1));
    let up = std::iter::repeat_n("..", from.len() - shared);
    up.chain(to.iter().skip(shared).copied()).collect::<Vec<_>>().join("/")
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Writes a path in the same quotes as the old one, if it needs no escapes in them.
fn quoted(path: &str, old: &str) -> String {
    match old.starts_with('\'') && !path.contains(['\'', '\\']) {
        true => format!("'{path}'"),
        false => print_expr(&Expr::new(ExprKind::String(path.to_owned()), Span::default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// Checks the edits, each as its place and its new text, for names in the folder of the fixture.
    #[track_caller]
    fn check(fixture: &str, renames: &[(&str, &str)], expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let renames: Vec<(String, String)> =
            renames.iter().map(|(old, new)| (format!("/w/{old}"), format!("/w/{new}"))).collect();
        let mut shown = Vec::new();
        for one in will_rename(&fixture.snapshot, &renames) {
            let edit = |edit: &TextEdit| format!("{} -> {}", fixture.shown((one.file, edit.span).into()), edit.text);
            shown.extend(one.edits.iter().map(edit));
        }
        assert_eq!(shown, expected);
    }

    const TWO: &str = "//- a.ogc\nimport A from \"b.ogc\"\nimport \"std.tools\" as std\n//- b.ogc\ntype A = int\n";

    #[test]
    fn imports_follow_a_renamed_file() {
        check(TWO, &[("b.ogc", "c.ogc")], &["a.ogc:1:15 \"b.ogc\" -> \"c.ogc\""]);
        check(TWO, &[("b.ogc", "parts/b.ogc")], &["a.ogc:1:15 \"b.ogc\" -> \"parts/b.ogc\""]);
        check(
            "//- a.ogc\nimport x from './g.gbnf'\n//- g.gbnf\nx ::= \"a\"\n",
            &[("g.gbnf", "h.gbnf")],
            &["a.ogc:1:15 './g.gbnf' -> './h.gbnf'"],
        );
        check(
            "//- a.ogc\nimport A from \"/w/b.ogc\"\n//- b.ogc\ntype A = int\n",
            &[("b.ogc", "c.ogc")],
            &["a.ogc:1:15 \"/w/b.ogc\" -> \"/w/c.ogc\""],
        );
    }

    #[test]
    fn imports_in_a_moved_file_are_adapted() {
        check(TWO, &[("a.ogc", "x/y/a.ogc")], &["a.ogc:1:15 \"b.ogc\" -> \"../../b.ogc\""]);
        check(
            "//- x/a.ogc\nimport A from \"../b.ogc\"\n//- b.ogc\ntype A = int\n",
            &[("x/a.ogc", "a.ogc")],
            &["x/a.ogc:1:15 \"../b.ogc\" -> \"b.ogc\""],
        );
    }

    #[test]
    fn renaming_a_folder_adapts_imports_of_all_its_files() {
        let text = "//- a.ogc\nimport A from \"x/b.ogc\"\n//- x/b.ogc\nimport C from \"c.ogc\"\nimport D from \"../d.ogc\"\ntype A = C | D\n//- x/c.ogc\ntype C = int\n//- d.ogc\ntype D = null\n";
        check(text, &[("x", "y")], &["a.ogc:1:15 \"x/b.ogc\" -> \"y/b.ogc\""]);
        check(
            text,
            &[("x/", "y/z/")],
            &["a.ogc:1:15 \"x/b.ogc\" -> \"y/z/b.ogc\"", "x/b.ogc:2:15 \"../d.ogc\" -> \"../../d.ogc\""],
        );
    }

    #[test]
    fn renaming_a_file_that_nothing_imports_changes_nothing() {
        check(TWO, &[("c.ogc", "d.ogc")], &[]);
        check(TWO, &[("a.ogc", "z.ogc")], &[]);
        check(TWO, &[("std.tools", "x")], &[]);
    }
}
