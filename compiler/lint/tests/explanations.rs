//! Checks that the example of each explanation produces the explained code. So every code occurs, and no explanation is
//! wrong. [`elsewhere`] lists the codes whose findings need more than an example text.

mod elsewhere;

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::pipeline::{build_findings, formats};
use ogc_grammar::{Code, Level};
use ogc_lint::findings::{Levels, Subject, findings};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

use elsewhere::{ELSEWHERE, is_outside};

#[test]
fn examples_of_codes_produce_their_code() {
    let mut wrong = Vec::new();
    for &code in Code::ALL.iter().filter(|code| !is_outside(code.group())) {
        let found = example(code).map_or_else(Vec::new, |(language, text)| found(code, language, text));
        let is_elsewhere = ELSEWHERE.contains(&code);
        match found.contains(&code) {
            true if is_elsewhere => wrong.push(format!("{code} is listed, and its example gives it")),
            false if !is_elsewhere => wrong.push(format!("the example of {code} gives {found:?}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes that are shown only if they are asked for.
const QUIET: [Code; 2] = [Code::IgnoredElsewhere, Code::NarrowedFormat];

/// The first block of an explanation's example, with its language.
fn example(code: Code) -> Option<(Language, &'static str)> {
    let (_, example) = code.explanation().split_once("\n## Example\n")?;
    let (_, block) = example.split_once("```")?;
    let (fence, block) = block.split_once('\n')?;
    let (text, _) = block.split_once("\n```\n")?;
    let language = match fence {
        "ogc" => Language::Ogc,
        "json" => Language::JsonSchema,
        "gbnf" => Language::Gbnf,
        "ebnf" => Language::Ebnf,
        "abnf" => Language::Abnf,
        "lark" => Language::Lark,
        "regex" => Language::Regex,
        _ => return None,
    };
    Some((language, text))
}

/// The codes of what `ogc check` says of a file and its formats; with a vocabulary, masks are built.
fn found(code: Code, language: Language, text: &str) -> Vec<Code> {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "example".to_owned(), format!("{text}\n"), language, options);
    Workspace::new(&db, BTreeMap::from([("example".to_owned(), file)]));
    let mut levels = Levels::default();
    // What is shown only if it is asked for is asked for.
    QUIET.iter().for_each(|quiet| levels.set(*quiet, Level::Warn));
    let vocabulary = (code != Code::UncheckedBudget).then(|| vocabulary(&db));
    let mut found = findings(&db, &Subject::whole(&db, file), vocabulary, &levels);
    found.extend(formats(&db, file).iter().flat_map(|format| build_findings(&db, format, vocabulary)));
    let mut codes: Vec<Code> = found.iter().map(|one| one.code).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// Makes a vocabulary of bytes and a control token.
fn vocabulary(db: &Compiler) -> VocabularyInput {
    let tokens: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&tokens, &[("<|im_end|>", 300)]).expect("a vocabulary");
    VocabularyInput::of(db, MaskStore::new(Arc::new(vocabulary)))
}
