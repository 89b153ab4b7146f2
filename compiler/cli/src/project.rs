//! Finds and reads `ogc.toml`, the settings of a folder for all formats in it and below it (`ogc_workbench::settings`).
//! Only the nearest file counts, and flags override it.

use std::io;
use std::path::{Path, PathBuf};

use always_assert::never;
use ogc_compiler::db::Resources;
use ogc_lint::findings::Levels;
use ogc_workbench::settings::{self, NAME, Policy, ResourcePlace};
use ogc_workbench::vocabulary::BUILT_IN;

use crate::args::ResourceArg;
use crate::files;
use crate::problem::Problem;

/// Maximum length of an `ogc.toml`, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The settings of one `ogc.toml` with their paths, or the defaults if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) levels: Levels,
    /// The vocabulary to build for.
    pub(crate) vocab: Option<PathBuf>,
    /// The tokens that end a text in that vocabulary; empty for those that the vocabulary itself names.
    pub(crate) end: Vec<String>,
    /// The folder for artifacts.
    pub(crate) out: Option<PathBuf>,
    pub(crate) policy: Policy,
    /// The places of schemas, in file order.
    places: Vec<ResourceArg>,
}

impl Project {
    /// Returns the places of schemas; `name` converts paths to file names.
    pub(crate) fn resources(&self, name: impl Fn(&Path) -> String) -> Resources {
        let mut resources = Resources::default();
        self.places.iter().for_each(|place| place.add_to(&mut resources, &name));
        resources
    }
}

/// Returns the `ogc.toml` of a format: the nearest in its folder or above.
pub(crate) fn find(format: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(format).ok()?;
    let folders = absolute.ancestors().skip(1);
    folders.map(|folder| folder.join(NAME)).find(|candidate| candidate.symlink_metadata().is_ok())
}

/// Reads one `ogc.toml`.
pub(crate) fn load(path: &Path) -> Result<Project, Problem> {
    if files::is_device(path) {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "it is no file");
        return Err(Problem::Unreadable { path: path.to_owned(), error });
    }
    let text = files::read_text(path, MAX_BYTES)?;
    let (settings, found) = settings::read(&text);
    if !found.is_empty() {
        return Err(Problem::Settings { path: path.to_owned(), text, found });
    }
    let Some(folder) = path.parent() else {
        never!("{} is a file in no folder", path.display());
        return Err(Problem::Unreadable { path: path.to_owned(), error: io::ErrorKind::InvalidInput.into() });
    };
    // The name of the built-in vocabulary is not a path.
    let vocab = settings.vocab.map(|vocab| if vocab == BUILT_IN { vocab.into() } else { folder.join(vocab) });
    let out = settings.out.map(|out| folder.join(out));
    let place = |place: &ResourcePlace| match place {
        ResourcePlace::Uri(uri, path) => ResourceArg::Place { uri: uri.clone(), path: folder.join(path) },
        ResourcePlace::Index(path) => ResourceArg::Index(folder.join(path)),
    };
    let places = settings.resources.iter().map(place).collect();
    Ok(Project { levels: settings.levels, vocab, end: settings.end, out, policy: settings.policy, places })
}
