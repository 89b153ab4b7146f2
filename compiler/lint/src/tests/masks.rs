//! Lints that need a vocabulary, and the figures of masks.

use std::sync::Arc;

use ogc_compiler::db::VocabularyInput;
use ogc_compiler::pipeline::{formats, masks};
use ogc_grammar::Code;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

use super::Checked;

#[test]
fn text_that_can_spell_control_tokens_is_found() {
    let checked = Checked::ogc("output Out = \"<a>\" text \"</a>\"\n");
    let vocabulary = checked.vocabulary();
    let found = checked.found_with(Code::TextSpellsToken, Some(vocabulary));
    assert_eq!(
        found,
        ["text: this text can spell `<|im_end|>`, `<|eot|>`, names of control tokens, in ordinary characters"]
    );
    assert!(checked.found(Code::TextSpellsToken).is_empty(), "without a vocabulary nothing is known");
}

#[test]
fn several_texts_that_spell_control_tokens_are_one_finding() {
    let checked = Checked::ogc("output Out = \"<a>\" text \"</a>\" text<max_chars = 40> \"<b>\"\n");
    let vocabulary = checked.vocabulary();
    let found = checked.all(Some(vocabulary)).into_iter().filter(|found| found.code == Code::TextSpellsToken);
    let labels: Vec<_> = found.map(|found| found.labels.len()).collect();
    assert_eq!(labels, [1]);
}

#[test]
fn text_that_excludes_control_token_names_is_not_reported() {
    let without = |names: &str, limit: &str| {
        let checked = Checked::ogc(&format!("output Out = \"<a>\" text<{names}{limit}> \"</a>\"\n"));
        let vocabulary = checked.vocabulary();
        checked.found_with(Code::TextSpellsToken, Some(vocabulary))
    };
    assert!(without("without = \"<|\"", "").is_empty());
    assert!(without("", "max_chars = 6").is_empty());
    assert_eq!(without("", "max_chars = 7").len(), 1, "`<|eot|>`");
    let one = without("without = \"<|eot|>\"", ", max_tokens = 80");
    assert!(one.len() == 1 && one[0].contains("can spell `<|im_end|>`, names"), "{one:?}");
}

#[test]
fn values_and_restricted_text_are_not_reported() {
    for text in ["output Out = { a: string }\n", "output Out = /[a-z ]*/ \".\"\n"] {
        let checked = Checked::ogc(text);
        let vocabulary = checked.vocabulary();
        assert!(checked.found_with(Code::TextSpellsToken, Some(vocabulary)).is_empty(), "{text}");
    }
}

#[test]
fn findings_on_patterns_give_their_mask_rows() {
    let checked = Checked::ogc("output Out = { a: /[a-z0-9]*[0-9][a-z0-9]{10}/ }\n");
    let vocabulary = checked.vocabulary();
    let pack = masks(&checked.db, formats(&checked.db, checked.file)[0].clone(), vocabulary).unwrap().unwrap();
    let automaton = checked.automaton();
    let pattern = automaton.rules.iter().find(|rule| rule.name == "pattern").unwrap();
    let used = pack.row_use(pattern.state_ids());
    assert!(used.rows > 0 && used.rows <= pack.report().rows);
    let found = checked.found_with(Code::LargePattern, Some(vocabulary));
    assert!(found[0].contains(&format!(" and {} mask rows (", used.rows)), "{found:?}");
}

#[test]
fn tokens_missing_from_the_vocabulary_are_errors() {
    let checked = Checked::ogc("rule t = tok\"<|im_ned|>\" text tok\"<x>\"\noutput Out = t tok\"<|eot|>\"\n");
    let vocabulary = checked.vocabulary();
    let found = checked.all(Some(vocabulary)).into_iter().filter(|found| found.code == Code::MissingToken);
    let shown: Vec<String> = found
        .map(|found| {
            let place = found.span.text(checked.file.text(&checked.db));
            format!("{place}: {}; {}", found.message, found.help.unwrap_or_default())
        })
        .collect();
    let expected = [
        "tok\"<|im_ned|>\": the vocabulary has no token `<|im_ned|>`; did you mean `tok\"<|im_end|>\"`?",
        "tok\"<x>\": the vocabulary has no token `<x>`; it has `<|im_end|>`, `<|eot|>`; these characters are `\"<x>\"`",
    ];
    assert_eq!(shown, expected);
    assert!(checked.found(Code::MissingToken).is_empty(), "without a vocabulary nothing is known");
}

/// Characters that the vocabulary lacks: an error if no text can be written, a warning if some texts can, and no
/// finding if there is a token for each byte.
#[test]
fn text_that_the_vocabulary_cannot_write_is_found() {
    let found = |text: &str, letters: &str| {
        let checked = Checked::ogc(text);
        let tokens: Vec<Option<String>> = letters.chars().map(|letter| Some(letter.to_string())).collect();
        let vocabulary = Vocabulary::from_tokens(&tokens, &[]).unwrap();
        let vocabulary = VocabularyInput::of(&checked.db, MaskStore::new(Arc::new(vocabulary)));
        let all = checked.all(Some(vocabulary)).into_iter().filter(|found| found.code == Code::UnspelledText);
        all.map(|found| (found.is_error(), found.message.contains("`\u{e9}`"))).collect::<Vec<_>>()
    };
    assert_eq!(found("output Out = \"caf\u{e9}\"\n", "caf"), [(true, true)]);
    assert_eq!(found("output Out = \"caf\u{e9}\" | \"tea\"\n", "cafte"), [(false, true)]);
    assert!(found("output Out = \"caf\u{e9}\" | \"tea\"\n", "caft\u{e9}e").is_empty());
    let checked = Checked::ogc("output Out = \"caf\u{e9}\"\n");
    assert!(checked.found_with(Code::UnspelledText, Some(checked.vocabulary())).is_empty());
}

/// The mask budget is checked if there is a vocabulary; otherwise a note says that it is not.
#[test]
fn exceeded_mask_and_time_budgets_are_reported() {
    let checked = Checked::ogc("@budget(mask = \"1B\", build = \"0ms\")\noutput Out = { a: string }\n");
    let format = formats(&checked.db, checked.file)[0].clone();
    let codes = |vocabulary| {
        let found = ogc_compiler::pipeline::build_findings(&checked.db, &format, vocabulary);
        found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(Some(checked.vocabulary())), [Code::Budget, Code::Budget]);
    assert_eq!(codes(None), [Code::UncheckedBudget]);
}
