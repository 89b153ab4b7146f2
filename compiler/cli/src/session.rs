//! One run of the compiler: the database and what the command line says of all formats.

use std::path::Path;
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Space, Spelling};
use ogc_compiler::pipeline;
use ogc_runtime::automaton::{Automaton, Escapes, KeyOrder};

use crate::args::{EscapesName, FormatArgs, FormatsName, LanguageName, NumbersName, OrderName, SpaceName};
use crate::files;
use crate::output::{Output, Text};
use crate::problem::Problem;

/// The database and its options.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) db: Compiler,
    options: Options,
    language: Option<Language>,
    max_input: u64,
}

impl Session {
    pub(crate) fn new(args: &FormatArgs) -> Self {
        let db = Compiler::default();
        let options = Options::new(&db, policy(args), formats(args.formats), Limits::default());
        Self { db, options, language: args.language.map(language), max_input: args.max_input }
    }

    /// Reads a format's text.
    pub(crate) fn open(&self, path: &Path) -> Result<SourceFile, Problem> {
        let name = path.to_string_lossy();
        let language = match self.language {
            Some(language) => language,
            None => Language::of_name(&name).map_err(|error| Problem::Language { path: path.to_owned(), error })?,
        };
        let text = files::read_text(path, self.max_input)?;
        let name = if name == "-" { "<stdin>".to_owned() } else { name.into_owned() };
        Ok(SourceFile::new(&self.db, name, text, language, self.options))
    }

    /// The text of a format and its name.
    pub(crate) fn text(&self, file: SourceFile) -> Text<'_> {
        Text { name: file.name(&self.db), text: file.text(&self.db) }
    }

    /// Compiles a format and shows what is found; `None` beside errors.
    pub(crate) fn compile(&self, file: SourceFile, output: &Output) -> Result<Option<Arc<Automaton>>, Problem> {
        for diagnostic in pipeline::diagnostics(&self.db, file) {
            output.diagnostic(self.text(file), diagnostic)?;
        }
        Ok(pipeline::automaton(&self.db, file))
    }
}

fn language(name: LanguageName) -> Language {
    match name {
        LanguageName::JsonSchema => Language::JsonSchema,
        LanguageName::Gbnf => Language::Gbnf,
        LanguageName::Ebnf => Language::Ebnf,
        LanguageName::Lark => Language::Lark,
        LanguageName::Regex => Language::Regex,
    }
}

fn policy(args: &FormatArgs) -> JsonPolicy {
    JsonPolicy {
        space: match args.space {
            SpaceName::Compact => Space::Compact,
            SpaceName::Spaced => Space::Spaced,
            SpaceName::Pretty => Space::Pretty { indent: 2 },
            SpaceName::Any => JsonPolicy::default().space,
        },
        order: match args.order {
            OrderName::Declared => KeyOrder::Declared,
            OrderName::Any => KeyOrder::Any,
        },
        escapes: match args.escapes {
            EscapesName::Any => Escapes::Any,
            EscapesName::Canonical => Escapes::Canonical,
        },
        spelling: match args.numbers {
            NumbersName::Json => Spelling::Json,
            NumbersName::Plain => Spelling::Plain,
        },
    }
}

fn formats(name: FormatsName) -> Formats {
    match name {
        FormatsName::Assert => Formats::Assert,
        FormatsName::Annotate => Formats::Annotate,
    }
}
