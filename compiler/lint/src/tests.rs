//! For each lint: a format with a finding, whose figures equal those of the automaton, and a similar format without.

mod cost;
mod items;
mod levels;
mod masks;
mod newcomer;
mod repetitions;
mod slips;
mod swallowed;
mod unions;

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::{Code, Diagnostic, fix};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

use super::{file_lints, lints_of_all};

/// A file and its database.
struct Checked {
    db: Compiler,
    file: SourceFile,
}

impl Checked {
    fn new(text: &str, language: Language) -> Self {
        Self::beside(text, language, &[])
    }

    fn ogc(text: &str) -> Self {
        Self::new(text, Language::Ogc)
    }

    fn schema(text: &str) -> Self {
        Self::new(text, Language::JsonSchema)
    }

    /// Returns a file `a` beside others.
    fn beside(text: &str, language: Language, others: &[(&str, &str)]) -> Self {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "a".to_owned(), text.to_owned(), language, options);
        let mut files = BTreeMap::from([("a".to_owned(), file)]);
        for (name, text) in others {
            let language = Language::of_name(name).unwrap();
            files.insert(
                (*name).to_owned(),
                SourceFile::new(&db, (*name).to_owned(), (*text).to_owned(), language, options),
            );
        }
        Workspace::new(&db, files);
        Self { db, file }
    }

    /// Returns all findings of the lints.
    fn all(&self, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
        let found = diagnostics(&self.db, self.file);
        assert!(!found.iter().any(|found| found.code != Code::UnknownLint && found.is_error()), "{found:?}");
        let formats = formats(&self.db, self.file);
        let of_formats = lints_of_all(&self.db, self.file, &formats, vocabulary);
        file_lints(&self.db, self.file).iter().cloned().chain(of_formats).collect()
    }

    /// Returns the findings of one code, as `place: message`.
    fn found(&self, code: Code) -> Vec<String> {
        self.found_with(code, None)
    }

    fn found_with(&self, code: Code, vocabulary: Option<VocabularyInput>) -> Vec<String> {
        let all = self.all(vocabulary).into_iter().filter(|found| found.code == code);
        all.map(|found| format!("{}: {}", found.span.text(self.file.text(&self.db)), found.message)).collect()
    }

    /// Returns the help texts of the findings of one code; there must be some.
    fn helps(&self, code: Code) -> Vec<String> {
        let found = self.all(None).into_iter().filter(|found| found.code == code);
        let helps: Vec<String> = found.filter_map(|found| found.help).collect();
        assert!(!helps.is_empty(), "{code:?} is found");
        helps
    }

    /// Returns the automaton of the only format.
    fn automaton(&self) -> Arc<Automaton> {
        automaton(&self.db, formats(&self.db, self.file)[0].clone()).unwrap()
    }

    /// Returns the number of states of the rules with this name.
    fn states(&self, rule: &str) -> u32 {
        let automaton = self.automaton();
        automaton.rules.iter().filter(|one| one.name == rule).map(|one| one.states.len).sum()
    }

    /// Returns the text after all corrections.
    fn fixed(&self) -> String {
        let fixes: Vec<_> = self.all(None).into_iter().filter_map(|found| found.fix).collect();
        fix::apply(self.file.text(&self.db), fixes.iter()).0
    }

    /// Makes a vocabulary of bytes and some words, with a control token.
    fn vocabulary(&self) -> VocabularyInput {
        let mut tokens: Vec<Option<Vec<u8>>> = (0..=u8::MAX).map(|byte| Some(vec![byte])).collect();
        tokens.extend(["the", " end", "name", "\":", "\",\""].map(|word| Some(word.as_bytes().to_vec())));
        let vocabulary = Vocabulary::from_tokens(&tokens, &[("<|im_end|>", 300), ("<|eot|>", 301)]).unwrap();
        VocabularyInput::of(&self.db, MaskStore::new(Arc::new(vocabulary)))
    }
}

#[track_caller]
fn check(text: &str, code: Code, expected: &[&str]) {
    assert_eq!(Checked::ogc(text).found(code), expected, "{code} in {text}");
}
