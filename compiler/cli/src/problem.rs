//! Defines failures outside of the formats themselves: files, vocabularies, the command line, the terminal.

use std::io;
use std::path::{Path, PathBuf};

use ogc_compiler::db::UnknownLanguage;
use ogc_compiler::pipeline::SelectError;
use ogc_grammar::{Code, Diagnostic};
use ogc_workbench::words::counted;

use crate::source::{MAX_FORMAT, is_stdin};
use crate::verdict::Verdict;
use crate::visible::file_name;

/// A failure that has no place in a source text.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A file cannot be read.
    Unreadable { path: PathBuf, error: io::Error },
    /// A file cannot be written.
    Unwritable { path: PathBuf, error: io::Error },
    /// A file exceeds the limit; `given` is `None` if its length is unknown.
    TooLarge { path: PathBuf, given: Option<u64>, limit: u64 },
    /// A file is not UTF-8; `at` is the first invalid byte.
    NotText { path: PathBuf, at: usize },
    /// A file that should have texts has none.
    NoTexts { path: PathBuf },
    /// A file's language is not known.
    Language { path: PathBuf, error: UnknownLanguage },
    /// A file exists already.
    Exists { path: PathBuf },
    /// A file is not an `.ogc` file, and the command takes no other.
    NotOgc { path: PathBuf },
    /// An `ogc.toml` has errors.
    Settings { path: PathBuf, text: String, found: Vec<Diagnostic> },
    /// Files cannot be watched for changes.
    Watch { message: String },
    /// There are no formats at the named paths.
    NoFormats { paths: Vec<PathBuf> },
    /// There are no tests to run.
    NoTests { paths: Vec<PathBuf> },
    /// A file in another language cannot be tested.
    Untestable { path: PathBuf },
    /// Folders are nested too deeply to be searched.
    TooDeep { path: PathBuf, limit: usize },
    /// Standard input is named a second time.
    StdinTwice,
    /// Parts of the command line contradict each other.
    Usage { message: String },
    /// A vocabulary cannot be used.
    Vocabulary { path: PathBuf, message: String },
    /// A stage after compilation failed.
    Engine { path: PathBuf, message: String },
    /// A code that has no explanation.
    UnknownCode { code: String, near: Option<Code> },
    /// The requested stage or export does not exist for this format.
    NoStage { path: PathBuf, message: String },
    /// The command line does not select exactly one definition of the file.
    Definition { path: PathBuf, error: SelectError },
    /// Flags set policies for an `.ogc` file, but such a file sets its own.
    PolicyFlag { path: PathBuf },
    /// Writing to standard output failed.
    Output(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Problem {
    /// Returns the verdict with which the program ends.
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            Self::Language { .. }
            | Self::NotOgc { .. }
            | Self::NoFormats { .. }
            | Self::NoTests { .. }
            | Self::NoTexts { .. }
            | Self::Untestable { .. }
            | Self::StdinTwice
            | Self::Usage { .. }
            | Self::UnknownCode { .. }
            | Self::NoStage { .. }
            | Self::Definition { .. }
            | Self::PolicyFlag { .. } => Verdict::Misused,
            Self::Unreadable { .. }
            | Self::Unwritable { .. }
            | Self::TooLarge { .. }
            | Self::NotText { .. }
            | Self::Exists { .. }
            | Self::TooDeep { .. }
            | Self::Settings { .. }
            | Self::Watch { .. }
            | Self::Vocabulary { .. }
            | Self::Engine { .. }
            | Self::Output(_) => Verdict::Broken,
        }
    }

    /// Returns the code of the failure.
    pub(crate) fn code(&self) -> Code {
        match self {
            Self::Unreadable { .. } => Code::FileUnreadable,
            Self::Unwritable { .. } => Code::FileUnwritable,
            Self::TooLarge { .. } => Code::FileTooLarge,
            Self::NotText { .. } => Code::NotUtf8,
            Self::Language { .. } => Code::UnknownLanguage,
            Self::Exists { .. } => Code::FileExists,
            Self::NotOgc { .. } => Code::NotOgc,
            Self::Settings { .. } => Code::Settings,
            Self::Watch { .. } => Code::Watch,
            Self::NoFormats { .. } => Code::NoFormats,
            Self::NoTests { .. } => Code::NoTests,
            Self::NoTexts { .. } => Code::NoTexts,
            Self::Untestable { .. } => Code::NoTests,
            Self::TooDeep { .. } => Code::FolderTooDeep,
            Self::StdinTwice => Code::StdinTwice,
            Self::Usage { .. } => Code::Usage,
            Self::Vocabulary { .. } => Code::Vocabulary,
            Self::Engine { .. } => Code::Engine,
            Self::UnknownCode { .. } => Code::UnknownCode,
            Self::NoStage { .. } => Code::NoStage,
            Self::Definition { .. } => Code::Definition,
            Self::PolicyFlag { .. } => Code::PolicyFlag,
            Self::Output(_) => Code::Output,
        }
    }

    /// Returns the file that failed.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Unreadable { path, .. }
            | Self::Unwritable { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NotText { path, .. }
            | Self::NoTexts { path }
            | Self::Language { path, .. }
            | Self::Exists { path }
            | Self::NotOgc { path }
            | Self::Settings { path, .. }
            | Self::Vocabulary { path, .. }
            | Self::Engine { path, .. }
            | Self::NoStage { path, .. }
            | Self::PolicyFlag { path }
            | Self::Untestable { path }
            | Self::TooDeep { path, .. }
            | Self::Definition { path, .. } => Some(path),
            Self::NoFormats { .. }
            | Self::NoTests { .. }
            | Self::StdinTwice
            | Self::Usage { .. }
            | Self::UnknownCode { .. }
            | Self::Watch { .. }
            | Self::Output(_) => None,
        }
    }

    /// Returns the help.
    pub(crate) fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooLarge { limit, .. } if *limit < MAX_FORMAT => Some("raise the limit with --max-input"),
            Self::TooLarge { .. } => Some("ogc reads no longer file; split it, and import the parts"),
            Self::NoTests { .. } => Some("write `test NAME { accept \"...\" reject \"...\" }` into an .ogc file"),
            Self::NoTexts { .. } => Some("write one text on each line; without `--jsonl` the whole file is one text"),
            Self::Untestable { .. } => Some("import the file into an .ogc file, and test its output there"),
            Self::TooDeep { .. } => Some("name the folder itself"),
            Self::StdinTwice => Some("give a file in place of one of them"),
            Self::NotText { .. } => Some("save the file as UTF-8"),
            Self::Language { path, .. } if is_stdin(path) => Some("name the language, such as `--language ogc`"),
            Self::Language { .. } | Self::NoFormats { .. } => Some(
                "names of formats end in .ogc, .json, .gbnf, .ebnf, .abnf, .lark or .regex; --language says the language of other files",
            ),
            Self::Exists { .. } => Some("choose another name; `ogc new` never overwrites"),
            Self::NotOgc { .. } => Some("give .ogc files, or folders with them"),
            Self::Vocabulary { .. } => Some(
                "give a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a model's folder, or `o200k`",
            ),
            Self::UnknownCode { .. } => Some("`ogc explain` lists all codes"),
            Self::Definition { error, .. } if !error.names().is_empty() => Some("name one with --definition"),
            Self::PolicyFlag { .. } => Some("write a policy in the file, such as `policy space = \"any\"`"),
            Self::Unreadable { .. }
            | Self::Unwritable { .. }
            | Self::Engine { .. }
            | Self::Settings { .. }
            | Self::Watch { .. }
            | Self::NoStage { .. }
            | Self::Usage { .. }
            | Self::Definition { .. }
            | Self::Output(_) => None,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable { error, .. } => write!(f, "cannot be read: {error}"),
            Self::Unwritable { error, .. } => write!(f, "cannot be written: {error}"),
            Self::TooLarge { given: Some(given), limit, .. } => {
                write!(f, "the file has {given} bytes; the limit is {limit}")
            }
            Self::TooLarge { given: None, limit, .. } => {
                write!(f, "the file is longer than the limit of {limit} bytes")
            }
            Self::NotText { at, .. } => {
                write!(f, "the file is not UTF-8: the byte at offset {at} does not begin a character")
            }
            Self::Language { path, .. } if is_stdin(path) => {
                f.write_str("standard input has no name that says its language")
            }
            Self::Language { error, .. } => write!(f, "{error}"),
            Self::Definition { error, .. } => write!(f, "{error}"),
            Self::Exists { .. } => f.write_str("the file exists already"),
            Self::NotOgc { .. } => f.write_str("only .ogc files can be formatted"),
            Self::Untestable { .. } => f.write_str("only .ogc files have tests"),
            Self::TooDeep { limit, .. } => {
                write!(f, "the folder is nested too deeply: folders are searched {limit} levels deep")
            }
            Self::StdinTwice => f.write_str("standard input can be read only once, and `-` is given twice"),
            Self::Usage { message } => f.write_str(message),
            Self::NoTexts { .. } => f.write_str("there are no texts: each line that is not empty is one"),
            Self::NoTests { paths } => write!(f, "there are no tests in {}", list(paths)),
            Self::Settings { found, .. } => write!(f, "the settings have {}", counted(found.len(), "mistake")),
            Self::NoFormats { paths } => write!(f, "there are no formats in {}", list(paths)),
            Self::Vocabulary { message, .. }
            | Self::Engine { message, .. }
            | Self::Watch { message }
            | Self::NoStage { message, .. } => f.write_str(message),
            Self::PolicyFlag { .. } => {
                f.write_str("--space, --order, --escapes, --numbers, --words, --formats, --annotate and --objects do not apply to .ogc files")
            }
            Self::UnknownCode { code, near: None } => write!(f, "no diagnostic has the code `{code}`"),
            Self::UnknownCode { code, near: Some(near) } => {
                write!(f, "no diagnostic has the code `{code}`; did you mean `{near}`?")
            }
            Self::Output(error) => write!(f, "standard output: {error}"),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| file_name(path)).collect();
    names.join(", ")
}
