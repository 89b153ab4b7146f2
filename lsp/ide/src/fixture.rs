//! Texts with cursors for tests of features.
//!
//! A fixture is one or several files. `//- name` starts a file; without it there is a single file, `a.ogc`. `$0` is the
//! cursor; a second `$0` ends a selection. Names are relative to the folder `/w/`.

use ogc_compiler::db::Language;
use ogc_grammar::Span;

use crate::host::Host;
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// A parsed fixture: the files are in the host, without their cursors.
pub(crate) struct Fixture {
    pub(crate) host: Host,
    pub(crate) snapshot: Snapshot,
    /// The places of the cursors.
    cursors: Vec<FilePosition>,
}

/// The folder of all files.
const FOLDER: &str = "/w/";

impl Fixture {
    /// Reads a fixture.
    pub(crate) fn new(text: &str) -> Fixture {
        let mut host = Host::new();
        let mut cursors = Vec::new();
        for (name, text) in files(text) {
            let mut parts = text.split("$0");
            let mut plain = parts.next().unwrap_or_default().to_owned();
            let mut places = Vec::new();
            for part in parts {
                places.push(u32::try_from(plain.len()).unwrap());
                plain.push_str(part);
            }
            let language = Language::of_name(&name).unwrap();
            let file = host.set_file(&format!("{FOLDER}{name}"), plain, language);
            cursors.extend(places.into_iter().map(|offset| FilePosition { file, offset }));
        }
        let snapshot = host.snapshot();
        Fixture { host, snapshot, cursors }
    }

    /// Changes the host, and takes a new snapshot. The old snapshot is dropped first, because the host waits for that.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Host)) {
        self.snapshot = Host::new().snapshot();
        change(&mut self.host);
        self.snapshot = self.host.snapshot();
    }

    /// Sets the text of a file.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        let language = Language::of_name(name).unwrap();
        self.edit(|host| {
            host.set_file(&format!("{FOLDER}{name}"), text.to_owned(), language);
        });
    }

    /// Returns the place of the one cursor.
    pub(crate) fn cursor(&self) -> FilePosition {
        *self.cursors.first().expect("a fixture with a cursor")
    }

    /// Returns the part between two cursors, or the empty one at the only cursor.
    #[allow(dead_code, reason = "features on selections follow")]
    pub(crate) fn selection(&self) -> FileSpan {
        let (first, last) = (self.cursor(), *self.cursors.last().unwrap());
        FileSpan::new(first.file, Span::new(first.offset, last.offset))
    }

    /// Shows a place: file, line and column counted from 1, and the text: `a.ogc:1:6 Point`.
    pub(crate) fn shown(&self, place: FileSpan) -> String {
        let snapshot = &self.snapshot;
        let name = snapshot.name(place.file).strip_prefix(FOLDER).unwrap_or(snapshot.name(place.file));
        let start = snapshot.lines(place.file).place(place.span.start);
        let text = snapshot.slice(place.file, place.span).lines().next().unwrap_or_default();
        format!("{name}:{start} {text}").trim_end().to_owned()
    }
}

/// Splits a fixture into files.
fn files(text: &str) -> Vec<(String, String)> {
    if !text.starts_with("//- ") {
        return vec![("a.ogc".to_owned(), text.to_owned())];
    }
    let parts = text.split("//- ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

#[test]
fn fixtures_are_split_into_files_and_cursors() {
    let fixture = Fixture::new("//- a.ogc\nimport $0B from \"b.ogc\"\n//- b.ogc\ntype B = int\n");
    assert_eq!(fixture.shown(FileSpan::new(fixture.cursor().file, Span::new(7, 8))), "a.ogc:1:8 B");
    assert_eq!(fixture.host.missing_imports(), Vec::<String>::new());
    assert_eq!(fixture.snapshot.files().len(), 2);
}
