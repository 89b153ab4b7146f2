//! Finds and reads `ogc.toml`, the settings of a folder for the formats in it and below it.
//!
//! ```toml
//! [lints]
//! stray-doc = "deny"          # "allow", "warn" or "deny"
//!
//! [build]
//! vocab = "tokenizer.json"    # relative to this file; or "o200k"
//! out = "artifacts"
//!
//! [policy]                    # defaults of the flags of these names
//! space = "compact"
//! order = "any"
//! ```
//!
//! Only the nearest `ogc.toml` counts. Flags override it.

mod read;

use std::io;
use std::path::{Path, PathBuf};

use crate::args::{EscapesName, FormatArgs, FormatsName, NumbersName, OrderName, SpaceName};
use crate::files;
use crate::problem::Problem;
use ogc_compiler::findings::Levels;

/// The name of the settings file.
pub(crate) const NAME: &str = "ogc.toml";

/// The most bytes of an `ogc.toml` that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The settings of one `ogc.toml`, or the defaults if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) levels: Levels,
    /// The vocabulary to build for.
    pub(crate) vocab: Option<PathBuf>,
    /// The folder for artifacts.
    pub(crate) out: Option<PathBuf>,
    pub(crate) policy: Policy,
}

/// The default policies for JSON values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) space: Option<SpaceName>,
    pub(crate) order: Option<OrderName>,
    pub(crate) escapes: Option<EscapesName>,
    pub(crate) numbers: Option<NumbersName>,
    pub(crate) formats: Option<FormatsName>,
}

impl Policy {
    /// Returns the policies that the flags set, and these policies for the others.
    pub(crate) fn under(self, args: &FormatArgs) -> Policy {
        Policy {
            space: args.space.or(self.space),
            order: args.order.or(self.order),
            escapes: args.escapes.or(self.escapes),
            numbers: args.numbers.or(self.numbers),
            formats: args.formats.or(self.formats),
        }
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
    let folder = path.parent().unwrap_or(Path::new(""));
    let (project, found) = read::read(&text, folder);
    if found.is_empty() {
        return Ok(project);
    }
    Err(Problem::Settings { path: path.to_owned(), text, found })
}
