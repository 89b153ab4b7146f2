//! The reasons why a rename is rejected, in words.

use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// A line of a file, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
}

impl Line {
    pub(super) fn of(snapshot: &Snapshot, place: FileSpan) -> Line {
        let line = snapshot.lines(place.file).place(place.span.start).line + 1;
        Line { file: snapshot.name(place.file).to_owned(), line }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} of {}", self.line, self.file)
    }
}

/// The reason why a rename is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// There is no name at the cursor.
    NothingHere,
    /// The name is not defined.
    Undefined(String),
    /// The name is built in, or a parameter of something that is.
    Builtin(String),
    /// An attribute.
    Attribute(String),
    /// A policy or a budget.
    Setting(String),
    /// A definition of the standard library.
    Standard(String),
    /// The path of a file.
    Path,
    /// The whole of a file, whose name the language fixes.
    Whole(String),
    /// The name of a tool, which calls contain.
    Tool(String),
    /// The new name is not a word.
    NoName(String),
    /// The new name is a word of the language.
    Reserved(String),
    /// The new name is a built-in one.
    NewBuiltin(String),
    /// The new name would collide with a name in scope.
    Taken(String, Line),
    /// The new name would be captured by a parameter.
    Hidden(String, Line),
    /// The text around the name has a syntax error.
    Broken(Line),
    /// The file in another language could not be read with the new name.
    Foreign(String, String),
    /// A name would change its meaning.
    Changes(String, Line),
}

impl std::fmt::Display for RenameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use RenameError as E;
        match self {
            E::NothingHere => f.write_str("nothing here has a name"),
            E::Undefined(name) => write!(f, "`{name}` is not defined, so it is not known what to rename"),
            E::Builtin(name) => write!(f, "`{name}` is a built-in name"),
            E::Attribute(name) => write!(f, "`@{name}` is an attribute of the language"),
            E::Setting(name) => write!(f, "`{name}` is a setting of the language"),
            E::Standard(name) => write!(f, "`{name}` is defined in the standard library, which cannot be changed"),
            E::Path => f.write_str("this is a file; rename it where files are listed, and imports follow"),
            E::Whole(name) => write!(f, "`{name}` means the whole file; import it with `as`, and rename that"),
            E::Tool(name) => write!(f, "`{name}` is the name of a tool, which calls of it spell"),
            E::NoName(new) => write!(f, "`{new}` is no name; write letters, digits and `_`, a digit not first"),
            E::Reserved(new) => write!(f, "`{new}` is a word of the language; choose another name"),
            E::NewBuiltin(new) => write!(f, "`{new}` is a built-in name; choose another, for example `{new}_value`"),
            E::Taken(new, line) => write!(f, "`{new}` is taken in {line}; choose another name"),
            E::Hidden(new, line) => {
                write!(f, "`{new}` would mean the parameter in {line}; choose another name, or rename that first")
            }
            E::Broken(line) => write!(f, "{line} has a mistake, so not every use is known; correct it first"),
            E::Foreign(file, why) => write!(f, "{file} could not be read with that name: {why}"),
            E::Changes(name, line) => write!(f, "`{name}` in {line} would mean something else; choose another name"),
        }
    }
}

impl std::error::Error for RenameError {}
