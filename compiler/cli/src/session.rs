//! Holds one run of the compiler: the database, the open files, and the settings from flags and `ogc.toml` files.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use always_assert::never;
use ogc_compiler::db::{Compiler, Language, Limits, Options, SourceFile, SpecialTokens, VocabularyInput, Workspace};
use ogc_compiler::foreign::{links, numbers_tokens, structural_tag};
use ogc_compiler::hir::scope;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Diagnostic;
use ogc_grammar::diagnostic::limited;
use ogc_lint::findings::{self, Subject};
use ogc_runtime::automaton::Automaton;
use ogc_workbench::settings::Policy;
use ogc_workbench::vocabulary::BUILT_IN;
use salsa::Setter;

use crate::args::{EndArgs, FormatArgs, LanguageName, LevelArgs};
use crate::output::Output;
use crate::problem::Problem;
use crate::project::{self, Project};
use crate::source::{MAX_FORMAT, STDIN, Text, is_stdin};
use crate::visible::file_name;
use crate::{files, vocabulary};

/// One run of the compiler.
pub(crate) struct Session {
    pub(crate) db: Compiler,
    args: FormatArgs,
    /// Policies that apply where neither arguments nor an `ogc.toml` set one.
    defaults: Policy,
    levels: LevelArgs,
    /// The limits of a compilation.
    limits: Limits,
    /// The settings of each `ogc.toml`; the key `None` is for formats without one.
    settings: RefCell<BTreeMap<Option<PathBuf>, Settings>>,
    /// The open files, by the name under which imports find them.
    files: BTreeMap<String, Opened>,
    /// The files whose imports have been opened, as far as they could be read.
    walked: HashSet<SourceFile>,
    projects: RefCell<HashMap<SourceFile, Rc<Project>>>,
    vocabularies: RefCell<BTreeMap<(PathBuf, Vec<String>), VocabularyInput>>,
    /// Whether structural tags may name special tokens of a vocabulary; `spoken` is the vocabulary that a flag names.
    speaks: bool,
    spoken: Option<PathBuf>,
    /// The tokens that end a text, by name or id; they replace those that a vocabulary names.
    ends: Vec<String>,
}

/// An open file and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Opened {
    file: SourceFile,
    path: PathBuf,
}

/// The settings of the formats under one `ogc.toml`.
#[derive(Clone, Debug)]
struct Settings {
    project: Rc<Project>,
    options: Options,
}

impl Session {
    pub(crate) fn new(args: &FormatArgs) -> Self {
        Self::with_levels(args, &LevelArgs::default())
    }

    /// Makes a session like [`Session::new`], with policies for what neither arguments nor an `ogc.toml` set.
    pub(crate) fn with_defaults(args: &FormatArgs, defaults: Policy) -> Self {
        Self { defaults, ..Self::new(args) }
    }

    /// Sets the limits of compilations for all files opened afterwards.
    #[cfg(feature = "generate")]
    pub(crate) fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    pub(crate) fn with_levels(args: &FormatArgs, levels: &LevelArgs) -> Self {
        Self {
            db: Compiler::default(),
            args: args.clone(),
            defaults: Policy::default(),
            levels: levels.clone(),
            limits: Limits::default(),
            settings: RefCell::default(),
            files: BTreeMap::new(),
            walked: HashSet::new(),
            projects: RefCell::default(),
            vocabularies: RefCell::default(),
            speaks: false,
            spoken: None,
            ends: Vec::new(),
        }
    }

    /// Resolves names of special tokens in structural tags with the vocabulary that a flag or `ogc.toml` names, and
    /// takes the tokens that end a text from a flag.
    pub(crate) fn speaking(self, flag: Option<&Path>, ends: &EndArgs) -> Self {
        Self { speaks: true, spoken: flag.map(Path::to_owned), ends: ends.end.clone(), ..self }
    }

    /// Reads a format's text and the files that it imports.
    pub(crate) fn open(&mut self, path: &Path) -> Result<SourceFile, Problem> {
        let known = self.files.len();
        let file = match self.known(path) {
            Some(file) => file,
            None => self.load(path, self.language(path)?)?,
        };
        self.name_definition(file);
        self.load_imports(file);
        self.name_special_tokens(file)?;
        self.publish_beyond(known);
        Ok(file)
    }

    /// Makes the definition named by the command line stand for the whole schema, or makes it the start rule of a
    /// grammar.
    fn name_definition(&mut self, file: SourceFile) {
        if !file.language(&self.db).is_whole() || self.args.definition.is_none() {
            return;
        }
        let options = file.options(&self.db).copied(&self.db, &self.db);
        options.set_definition(&mut self.db).to(self.args.definition.clone());
        file.set_options(&mut self.db).to(options);
    }

    /// Resolves special tokens with a vocabulary: their names in the open structural tags, and their ids in grammars.
    fn name_special_tokens(&mut self, file: SourceFile) -> Result<(), Problem> {
        let spoken = self.spoken.clone().or_else(|| self.project(file).vocab.clone()).filter(|_| self.speaks);
        let asking = self.asking_vocabulary();
        let Some(path) = spoken.filter(|_| !asking.is_empty()) else { return Ok(()) };
        let store = self.vocabulary(Some(&path), file)?.store(&self.db);
        self.set_special_tokens(&SpecialTokens::of(store.vocabulary()));
        Ok(())
    }

    /// Resolves special tokens: their names in the open structural tags, and their ids in grammars.
    pub(crate) fn set_special_tokens(&mut self, special: &SpecialTokens) {
        let special = Some(Arc::new(special.clone()));
        for file in self.asking_vocabulary() {
            let options = file.options(&self.db);
            if *options.special_tokens(&self.db) != special {
                let options = options.copied(&self.db, &self.db);
                options.set_special_tokens(&mut self.db).to(special.clone());
                file.set_options(&mut self.db).to(options);
            }
        }
    }

    /// Returns the files whose meaning depends on the vocabulary: structural tags, and grammars with tokens given by
    /// id.
    pub(crate) fn asking_vocabulary(&self) -> Vec<SourceFile> {
        let files = self.files.values().map(|opened| opened.file);
        let asks = |file: &SourceFile| structural_tag(&self.db, *file).is_some() || numbers_tokens(&self.db, *file);
        files.filter(asks).collect()
    }

    /// Reads the files that a format imports, and the schemas that its schemas refer to, directly and indirectly. A
    /// file that cannot be read is reported as a finding of the file that names it.
    fn load_imports(&mut self, file: SourceFile) {
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            if !self.walked.insert(file) {
                continue;
            }
            match file.language(&self.db) {
                Language::Ogc => {
                    let paths: Vec<String> = scope::imports(&self.db, file).into_iter().map(|(path, _)| path).collect();
                    let paths = paths.iter().map(Path::new).filter(|path| !files::is_device(path));
                    open.extend(paths.filter_map(|path| self.imported(path)));
                }
                language @ (Language::JsonSchema | Language::Lark) => self.load_links(file, language),
                Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Regex => {}
            }
        }
    }

    /// Reads the files that a schema or a Lark grammar refers to, until there are no new ones. The references of
    /// a file are known only after it is read.
    fn load_links(&mut self, file: SourceFile, language: Language) {
        let mut tried = HashSet::new();
        loop {
            self.publish();
            let wanted = links(&self.db, file).wanted.clone();
            let known = self.files.len();
            for name in wanted.into_iter().filter(|name| !name.contains("://")) {
                let path = Path::new(&name);
                if tried.insert(name.clone()) && !files::is_device(path) && self.known(path).is_none() {
                    drop(self.load(path, language));
                }
            }
            if self.files.len() == known {
                break;
            }
        }
    }

    /// Updates the database's list of files, if it has more than `known` files now.
    fn publish_beyond(&mut self, known: usize) {
        if self.files.len() != known || Workspace::try_get(&self.db).is_none() {
            self.publish();
        }
    }

    /// Updates the database's list of files.
    fn publish(&mut self) {
        let files: BTreeMap<String, SourceFile> =
            self.files.iter().map(|(key, opened)| (key.clone(), opened.file)).collect();
        match Workspace::try_get(&self.db) {
            Some(workspace) if *workspace.files(&self.db) == files => {}
            Some(workspace) => {
                workspace.set_files(&mut self.db).to(files);
            }
            None => {
                Workspace::new(&self.db, files);
            }
        }
    }

    /// Returns whether a file of this path is open.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.files.contains_key(&key(path))
    }

    /// Returns the paths of all open files, imported files included.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.values().map(|opened| opened.path.as_path())
    }

    /// Reads all open files again, and retries imports that could not be read before. Closes files that cannot be read
    /// any more; standard input stays as it is. Returns whether anything changed.
    pub(crate) fn refresh(&mut self) -> bool {
        let before = self.files.clone();
        let mut changed = false;
        for (key, Opened { file, path }) in before.iter().filter(|(_, opened)| !is_stdin(&opened.path)) {
            match files::read_text(path, self.limit()) {
                Ok(text) if *file.text(&self.db) != text => {
                    file.set_text(&mut self.db).to(text);
                    changed = true;
                }
                Ok(_) => {}
                Err(_) => drop(self.files.remove(key)),
            }
        }
        self.walked.clear();
        let left: Vec<SourceFile> = self.files.values().map(|opened| opened.file).collect();
        left.into_iter().for_each(|file| self.load_imports(file));
        self.publish();
        changed || self.files != before
    }

    /// Returns the maximum length of a format, in bytes.
    fn limit(&self) -> u64 {
        self.args.max_input.min(MAX_FORMAT)
    }

    /// Returns the open file of a path.
    fn known(&self, path: &Path) -> Option<SourceFile> {
        self.files.get(&key(path)).map(|opened| opened.file)
    }

    /// Opens a file that another file imports, if it can be read. The language follows from its name: `--language` is
    /// only for files on the command line.
    fn imported(&mut self, path: &Path) -> Option<SourceFile> {
        let language = Language::of_name(&path.to_string_lossy()).ok()?;
        self.known(path).or_else(|| self.load(path, language).ok())
    }

    /// Reads one file's text.
    fn load(&mut self, path: &Path, language: Language) -> Result<SourceFile, Problem> {
        if language == Language::Ogc && !self.args.policy().is_empty() {
            return Err(Problem::PolicyFlag { path: path.to_owned() });
        }
        let text = files::read_text(path, self.limit())?;
        let Settings { project, options } = self.settings(path)?;
        let name = if is_stdin(path) { STDIN.to_owned() } else { file_name(path) };
        let file = SourceFile::new(&self.db, name, text, language, options);
        self.projects.borrow_mut().insert(file, project);
        self.files.insert(key(path), Opened { file, path: path.to_owned() });
        Ok(file)
    }

    /// Returns the language of a file on the command line: from `--language`, else from its name.
    fn language(&self, path: &Path) -> Result<Language, Problem> {
        if let Some(name) = self.args.language {
            return Ok(language(name));
        }
        Language::of_name(&path.to_string_lossy()).map_err(|error| match std::fs::metadata(path) {
            Err(error) if !is_stdin(path) => Problem::Unreadable { path: path.to_owned(), error },
            _ => Problem::Language { path: path.to_owned(), error },
        })
    }

    /// Sets a format's text if it differs; returns whether it does.
    pub(crate) fn set_text(&mut self, file: SourceFile, text: String) -> bool {
        let changed = file.text(&self.db) != text;
        if changed {
            file.set_text(&mut self.db).to(text);
            self.walked.remove(&file);
            let known = self.files.len();
            self.load_imports(file);
            self.publish_beyond(known);
        }
        changed
    }

    /// Returns a format's name and text.
    pub(crate) fn text(&self, file: SourceFile) -> Text<'_> {
        Text { name: file.name(&self.db), text: file.text(&self.db) }
    }

    /// Returns the findings of a file without lints, at the requested levels.
    pub(crate) fn diagnostics(&self, file: SourceFile) -> Vec<Diagnostic> {
        findings::of_stages(&self.db, file, &self.project(file).levels)
    }

    /// Runs the lints on a file and on the formats that the command is about; with a vocabulary, their masks are
    /// measured too.
    pub(crate) fn lints(&self, file: SourceFile, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
        findings::of_lints(&self.db, &self.subject(file), vocabulary, &self.project(file).levels)
    }

    /// Returns the findings of a file, including those of the lints.
    pub(crate) fn all_diagnostics(&self, file: SourceFile, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
        findings::findings(&self.db, &self.subject(file), vocabulary, &self.project(file).levels)
    }

    /// Returns the formats to lint: the definition named by the command line, or the whole file.
    fn subject(&self, file: SourceFile) -> Subject {
        match self.wanted(file) {
            Ok(None) => Subject::whole(&self.db, file),
            Ok(named) => Subject::of(file, named.into_iter().collect()),
            Err(_) => Subject::of(file, Vec::new()),
        }
    }

    /// Shows the findings of a file without lints; returns whether none is an error.
    pub(crate) fn check(&self, file: SourceFile, output: &Output) -> Result<bool, Problem> {
        self.show(file, &findings::gathered(self.diagnostics(file)), output)
    }

    /// Shows findings of a file; returns whether none is an error.
    pub(crate) fn show(&self, file: SourceFile, found: &[Diagnostic], output: &Output) -> Result<bool, Problem> {
        for diagnostic in &limited(found.to_vec()) {
            output.diagnostic(self.text(file), diagnostic)?;
        }
        Ok(!found.iter().any(Diagnostic::is_error))
    }

    /// Shows findings as [`Session::show`] does, with a note after those that `ogc check --fix` can correct.
    pub(crate) fn show_correctable(
        &self,
        file: SourceFile,
        found: &[Diagnostic],
        is_corrected: impl Fn(&Diagnostic) -> bool,
        output: &Output,
    ) -> Result<bool, Problem> {
        for diagnostic in &limited(found.to_vec()) {
            match is_corrected(diagnostic) {
                true => output.correctable(self.text(file), diagnostic)?,
                false => output.diagnostic(self.text(file), diagnostic)?,
            }
        }
        Ok(!found.iter().any(Diagnostic::is_error))
    }

    /// Compiles a format and shows the findings of its file; `None` if there are errors.
    pub(crate) fn compile(&self, format: &Format, output: &Output) -> Result<Option<Arc<Automaton>>, Problem> {
        let sound = self.check(format.file, output)?;
        Ok(if sound { pipeline::automaton(&self.db, format.clone()) } else { None })
    }

    /// Returns the formats of a file that a command uses: the named definition, or all outputs.
    pub(crate) fn formats(&self, file: SourceFile) -> Result<Vec<Format>, Problem> {
        Ok(match self.wanted(file)? {
            Some(format) => vec![format],
            None => pipeline::formats(&self.db, file),
        })
    }

    /// Returns the definition that the command line names, if it names one.
    pub(crate) fn wanted(&self, file: SourceFile) -> Result<Option<Format>, Problem> {
        self.args.definition.is_some().then(|| self.format(file)).transpose()
    }

    /// Returns the single format that a command uses: the named definition, or the only output.
    pub(crate) fn format(&self, file: SourceFile) -> Result<Format, Problem> {
        let selected = pipeline::select(&self.db, file, self.args.definition.as_deref());
        selected.map_err(|error| Problem::Definition { path: PathBuf::from(file.name(&self.db)), error })
    }

    /// Returns the `ogc.toml` settings of an open file.
    pub(crate) fn project(&self, file: SourceFile) -> Rc<Project> {
        let Some(project) = self.projects.borrow().get(&file).cloned() else {
            never!("{} was not opened by this session", file.name(&self.db));
            return Rc::default();
        };
        project
    }

    /// Returns the vocabulary that a flag or the format's `ogc.toml` names, or the built-in one. Each is loaded once.
    pub(crate) fn vocabulary(&self, flag: Option<&Path>, file: SourceFile) -> Result<VocabularyInput, Problem> {
        let path = self.vocabulary_path(flag, file);
        let key = (path, self.ends(flag, file));
        if let Some(known) = self.vocabularies.borrow().get(&key) {
            return Ok(*known);
        }
        let loaded = VocabularyInput::of(&self.db, vocabulary::load(&key.0, &key.1)?);
        self.vocabularies.borrow_mut().insert(key, loaded);
        Ok(loaded)
    }

    /// Returns the vocabulary as [`Session::vocabulary`] does, or an error if no token ends a text: a mask at the end
    /// of a text would then be empty.
    pub(crate) fn ended_vocabulary(&self, flag: Option<&Path>, file: SourceFile) -> Result<VocabularyInput, Problem> {
        let vocabulary = self.vocabulary(flag, file)?;
        if vocabulary.store(&self.db).vocabulary().eos().is_empty() {
            let message =
                "no token of it ends a text: name one with `--end TOKEN`, or with `end` in `[build]` of ogc.toml"
                    .to_owned();
            return Err(Problem::Vocabulary { path: self.vocabulary_path(flag, file), message });
        }
        Ok(vocabulary)
    }

    /// Returns the tokens that end a text: those that a flag names, or, for the vocabulary of the format's `ogc.toml`,
    /// those set there. Empty for the tokens that the vocabulary itself names.
    pub(crate) fn ends(&self, flag: Option<&Path>, file: SourceFile) -> Vec<String> {
        let project = self.project(file);
        let is_own = self.vocabulary_path(flag, file) == self.vocabulary_path(None, file);
        if self.ends.is_empty() && is_own { project.end.clone() } else { self.ends.clone() }
    }

    /// Returns the path of the vocabulary that [`Session::vocabulary`] loads, or the name of the built-in one.
    pub(crate) fn vocabulary_path(&self, flag: Option<&Path>, file: SourceFile) -> PathBuf {
        let project = self.project(file);
        flag.or(project.vocab.as_deref()).unwrap_or(Path::new(BUILT_IN)).to_owned()
    }

    /// Returns the names and texts of a file and of everything that it imports or refers to; `None` if an import could
    /// not be read.
    pub(crate) fn reached(&self, file: SourceFile) -> Option<Vec<(&str, &str)>> {
        let mut reached = vec![file];
        let mut next = 0;
        while let Some(&file) = reached.get(next) {
            next += 1;
            let imports = match file.language(&self.db) {
                Language::Ogc => scope::imports(&self.db, file),
                _ => Vec::new(),
            };
            let mut others = links(&self.db, file).files.clone();
            for (path, _) in imports {
                others.push(self.known(Path::new(&path))?);
            }
            for other in others {
                if !reached.contains(&other) {
                    reached.push(other);
                }
            }
        }
        Some(reached.into_iter().map(|file| (file.name(&self.db), file.text(&self.db))).collect())
    }

    /// Returns all options that the compilation of a file depends on, as text.
    pub(crate) fn settings_in_words(&self, file: SourceFile) -> String {
        let options = file.options(&self.db);
        let (json, formats, limits) = (options.json(&self.db), options.formats(&self.db), options.limits(&self.db));
        let adjustments = options.adjustments(&self.db);
        let (language, project) = (file.language(&self.db), self.project(file));
        format!(
            "{language:?} {json:?} {formats:?} {adjustments:?} {limits:?} {:?} {:?}",
            project.levels, self.args.definition
        )
    }

    /// Returns the settings for the formats in the folder of `path`.
    fn settings(&self, path: &Path) -> Result<Settings, Problem> {
        let place = project::find(path);
        if let Some(known) = self.settings.borrow().get(&place) {
            return Ok(known.clone());
        }
        let mut project = place.as_deref().map(project::load).transpose()?.unwrap_or_default();
        self.levels.flags.iter().for_each(|(code, level)| project.levels.set(*code, *level));
        let policy = self.args.policy().over(project.policy).over(self.defaults);
        let mut resources = self.args.resources(key);
        resources.extend(project.resources(key));
        let options = policy.options(&self.db, self.limits, resources);
        let settings = Settings { project: Rc::new(project), options };
        self.settings.borrow_mut().insert(place, settings.clone());
        Ok(settings)
    }
}

/// Returns the name under which imports find a file. Imports cannot name standard input, a path that is not UTF-8, or
/// one whose `..` leads elsewhere through a link; such files get names that no import can have.
pub(crate) fn key(path: &Path) -> String {
    let named = path.to_str().filter(|_| !is_stdin(path)).map(|path| scope::beside("", path));
    let same = |name: &String| {
        let climbs = path.components().any(|part| part == Component::ParentDir);
        !climbs || std::fs::canonicalize(path).ok() == std::fs::canonicalize(name).ok()
    };
    named.filter(same).unwrap_or_else(|| format!("\0{}", file_name(path)))
}

fn language(name: LanguageName) -> Language {
    match name {
        LanguageName::Ogc => Language::Ogc,
        LanguageName::JsonSchema => Language::JsonSchema,
        LanguageName::Gbnf => Language::Gbnf,
        LanguageName::Ebnf => Language::Ebnf,
        LanguageName::Abnf => Language::Abnf,
        LanguageName::Lark => Language::Lark,
        LanguageName::Regex => Language::Regex,
    }
}
