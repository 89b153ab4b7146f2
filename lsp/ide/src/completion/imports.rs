//! Completion inside imports: names, paths, replaced definitions.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::scope::beside;
use ogc_compiler::hir::standard;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::{self};

use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use super::modules::{is_word, key_text};
use super::names;
use crate::lookup;
use crate::shape::quoted;
use crate::walk::{At, Walk};

/// The standard library's files.
const STANDARD: [&str; 1] = ["std.tools"];

/// Adds the names of the imported file; if no path is written yet, the names of all files, each with its path.
pub(super) fn names(walk: &Walk<'_>, items: &mut Items) {
    let taken: Vec<&str> = written_names(walk);
    match path(walk) {
        Some(path) => {
            for (name, symbol) in names_at(walk, &path) {
                if taken.contains(&name.as_str()) {
                    continue;
                }
                let (kind, key) = match &symbol {
                    Some(symbol) => names::kind_and_key(walk.snapshot, symbol),
                    None => (CompletionKind::Rule, None),
                };
                let in_string = matches!(walk.at, At::String(..));
                if in_string && is_word(&name) {
                    continue;
                }
                let item = items.add(kind, Rank::First, &name, key);
                if !is_word(&name) && !in_string {
                    item.writes_snippet(format!("{} as ${{1:{}}}", escaped(&quoted(&name)), word_of(&name)));
                }
            }
        }
        None if taken.is_empty() && walk.at != At::Other && !matches!(walk.at, At::String(..)) => of_all(walk, items),
        None => {}
    }
}

/// Adds the names of all files, each with the rest of the import.
fn of_all(walk: &Walk<'_>, items: &mut Items) {
    let (snapshot, own) = (walk.snapshot, walk.position.file);
    for file in snapshot.files().into_iter().filter(|file| *file != own) {
        let path = relative(snapshot.name(own), snapshot.name(file));
        for (name, symbol) in lookup::definitions(snapshot, file).into_iter().filter(|(name, _)| is_word(name)) {
            let (kind, key) = names::kind_and_key(snapshot, &symbol);
            let item = items.add(kind, Rank::Elsewhere, &name, key);
            item.writes(format!("{name} from {}", quoted(&path))).says(path.clone());
        }
    }
}

/// Adds the paths of the files that can be imported.
pub(super) fn paths(walk: &Walk<'_>, items: &mut Items) {
    let (snapshot, own) = (walk.snapshot, walk.position.file);
    let in_string = matches!(walk.at, At::String(..));
    for file in snapshot.files().into_iter().filter(|file| *file != own) {
        let path = relative(snapshot.name(own), snapshot.name(file));
        if Language::of_name(&path).is_err() {
            continue;
        }
        let language = snapshot.language(file).name();
        let key = CompletionKey::File(snapshot.name(file).to_owned());
        let item = items.add(CompletionKind::File, Rank::First, &path, Some(key));
        item.says(language);
        if !in_string {
            item.writes(quoted(&path));
        }
    }
    for path in STANDARD {
        let item = items.add(CompletionKind::File, Rank::Rare, path, Some(CompletionKey::File(path.to_owned())));
        item.says("standard library");
        if !in_string {
            item.writes(quoted(path));
        }
    }
}

/// Adds the definitions that the import can replace.
pub(super) fn overrides(walk: &Walk<'_>, items: &mut Items) {
    let Some(path) = path(walk) else { return };
    let follows = names::next_is(walk, TokenKind::Equals);
    for (name, symbol) in names_at(walk, &path) {
        let (kind, key) = match &symbol {
            Some(symbol) => names::kind_and_key(walk.snapshot, symbol),
            None => (CompletionKind::Rule, None),
        };
        let written = key_text(&name);
        items.add(kind, Rank::First, name, key).writes(if follows { written } else { format!("{written} = ") });
    }
}

/// Returns the path of the import, if it is written: after `from`, or directly after `import`.
fn path(walk: &Walk<'_>) -> Option<String> {
    let keyword = walk.keyword?;
    let from = (keyword + 1..walk.all.len()).find(|at| walk.written(*at) == "from").map(|from| from + 1);
    let at = from.or(Some(keyword + 1)).filter(|at| walk.is(*at, TokenKind::String))?;
    Some(walk.written(at).trim_matches(['"', '\'']).to_owned())
}

/// Returns the names of the file at a path.
fn names_at(walk: &Walk<'_>, path: &str) -> Vec<(String, Option<ogc_compiler::hir::names::Symbol>)> {
    if let Some(text) = standard::text(path) {
        let defined = ogc::items(text).items.into_iter();
        return defined.filter_map(|item| Some((item.name?.text(text).to_owned(), None))).collect();
    }
    let found: Option<SourceFile> = walk.snapshot.file(&beside(walk.snapshot.name(walk.position.file), path));
    let names = found.map(|file| lookup::definitions(walk.snapshot, file)).unwrap_or_default();
    names.into_iter().map(|(name, symbol)| (name, Some(symbol))).collect()
}

/// Returns the names that the import lists, except the one at the cursor.
fn written_names<'w>(walk: &'w Walk<'_>) -> Vec<&'w str> {
    let start = walk.keyword.map_or(0, |keyword| keyword + 1);
    let listed = (start..walk.all.len()).take_while(|at| walk.written(*at) != "from");
    let elsewhere = |at: &usize| {
        walk.all.get(*at).is_some_and(|token| {
            let named = token.kind.is_word() || token.kind == TokenKind::String;
            named && !(token.span.start <= walk.position.offset && walk.position.offset <= token.span.end)
        })
    };
    listed.filter(elsewhere).map(|at| walk.written(at).trim_matches(['"', '\''])).collect()
}

/// Returns a word similar to a name.
fn word_of(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if word.starts_with(|c: char| c.is_ascii_digit()) { format!("_{word}") } else { word }
}

/// Returns the path from the folder of a file to another file.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    let target: Vec<&str> = to.split('/').collect();
    let most = folder.len().min(target.len().saturating_sub(1));
    let shared = (0..most).take_while(|at| folder.get(*at) == target.get(*at)).count();
    let up = std::iter::repeat_n("..", folder.len() - shared);
    let down = target[shared..].iter().copied();
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn relative_import_paths_are_computed() {
        assert_eq!(relative("/w/a.ogc", "/w/b.ogc"), "b.ogc");
        assert_eq!(relative("/w/x/a.ogc", "/w/y/b.ogc"), "../y/b.ogc");
        assert_eq!(relative("/w/a.ogc", "/w/y/b.ogc"), "y/b.ogc");
        assert_eq!(relative("a.ogc", "b.ogc"), "b.ogc");
    }
}
