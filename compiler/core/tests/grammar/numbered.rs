//! Tokens given by id, in GBNF and Lark; special tokens of a vocabulary have ids.

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits as AllLimits, Options, SourceFile, SpecialTokens,
};
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::Code;
use ogc_runtime::automaton::{Automaton, RuleId};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, VocabularyBuilder};
use std::sync::Arc;

fn file(name: &str, text: &str, special: Option<SpecialTokens>) -> (Compiler, SourceFile) {
    let db = Compiler::default();
    let options = Options::builder(JsonPolicy::default(), Formats::default(), AllLimits::default());
    let options = options.special_tokens(special.map(Arc::new)).new(&db);
    let file = SourceFile::new(&db, name.to_owned(), text.to_owned(), Language::of_name(name).unwrap(), options);
    (db, file)
}

fn known() -> Option<SpecialTokens> {
    Some(SpecialTokens([(7, "<a>".to_owned()), (8, "<b>".to_owned()), (9, "[C]".to_owned())].into()))
}

fn compiled(name: &str, text: &str) -> Arc<Automaton> {
    let (db, file) = file(name, text, known());
    let format = formats(&db, file).into_iter().next().unwrap();
    automaton(&db, format).unwrap_or_else(|| panic!("{text}: {:?}", diagnostics(&db, file)))
}

#[test]
fn token_numbers_refer_to_special_tokens_of_the_vocabulary() {
    let cases = [
        ("x.gbnf", "root ::= <[7]> \"x\"", "root ::= <a> \"x\""),
        ("x.gbnf", "root ::= Token(7, 8) Regex(\"x\")", "root ::= (<a> | <b>) Regex(\"x\")"),
        (
            "x.gbnf",
            "root ::= TokenTagDispatch((7, r), (8, s))\nr ::= \"x\" <b>\ns ::= \"y\"",
            "root ::= ([^]* <a> r | [^]* <b> s)* [^]*\nr ::= \"x\" <b>\ns ::= \"y\"",
        ),
        (
            "x.gbnf",
            "root ::= TokenTagDispatch((7, r), loop_after_dispatch=false)\nr ::= \"x\"",
            "root ::= [^]* <a> r | [^]*\nr ::= \"x\"",
        ),
        ("x.lark", "start: <[7]> /x/", "start: <a> /x/"),
        ("x.lark", "start: <[7-8]> /x/", "start: (<a> | <b>) /x/"),
    ];
    for (name, numbered, named) in cases {
        let (one, other) = (compiled(name, numbered), compiled(name, named));
        assert_eq!(
            (one.fingerprint(RuleId(0)), &one.tokens),
            (other.fingerprint(RuleId(0)), &other.tokens),
            "{numbered}"
        );
    }
    // These notations have no other spelling for a name without angle brackets.
    assert_eq!(*compiled("x.lark", "start: <[7-9]>").tokens, ["<a>", "<b>", "[C]"].map(str::to_owned));
}

#[test]
fn unknown_token_numbers_are_refused() {
    let cases = [
        ("x.gbnf", "root ::= <[7]>", None, "no vocabulary says which"),
        ("x.lark", "start: <[7]>", None, "no vocabulary says which"),
        ("x.gbnf", "root ::= <[6]>", known(), "token 6 is no special token"),
        ("x.lark", "start: <[7-4294967295]>", known(), "token 10 is no special token"),
        ("x.lark", "start: <[^7]>", None, "no vocabulary says which"),
        ("x.lark", "start: <[^6]>*", known(), "token 6 is no special token"),
        ("x.gbnf", "root ::= !<[6]>", known(), "token 6 is no special token"),
        ("x.gbnf", "root ::= ExcludeToken(7, 6)", known(), "token 6 is no special token"),
        ("x.gbnf", "root ::= !<a>{2,3}", known(), "at least 2 tokens"),
        ("x.lark", "start: <[*]>~2", known(), "at least 2 tokens"),
    ];
    for (name, text, special, words) in cases {
        let (db, file) = file(name, text, special);
        let found = diagnostics(&db, file);
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(only.code == Code::TokenTerminal && only.message.contains(words), "{text}: {only:?}");
    }
}

/// Texts of tokens, indexed by id; 7 and 8 are special.
const TEXTS: [&str; 7] = ["x", "!", "x!", "xx", "!x", "xx!", "xx!x"];

/// Decides slowly whether tokens write `least` to `most` tokens of text and then `!`: some prefix of the text, which
/// that many tokens write, is followed by `!` alone. Special tokens write no text.
fn writes(tokens: &[u32], least: usize, most: usize) -> bool {
    let Some(texts) = tokens.iter().map(|&id| TEXTS.get(id as usize)).collect::<Option<Vec<_>>>() else { return false };
    let whole: String = texts.iter().map(|text| **text).collect();
    let Some(length) = whole.strip_suffix('!').map(str::len) else { return false };
    let mut before = 0;
    let begun = texts.iter().filter(|text| {
        let begins_inside = before < length;
        before += text.len();
        begins_inside
    });
    begun.count() <= most && length >= least
}

/// Returns the token sequences of up to `len` tokens.
fn sequences(len: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..len {
        last = last.iter().flat_map(|one| (0..9).map(move |id| [one.as_slice(), &[id]].concat())).collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn excluded_tokens_count_the_other_tokens_of_a_text() {
    let mut builder = VocabularyBuilder::new();
    for (text, id) in TEXTS.iter().zip(0..) {
        builder.text(id, text.as_bytes()).unwrap();
    }
    builder.special(7, "<a>").unwrap();
    builder.special(8, "<b>").unwrap();
    let store = MaskStore::new(Arc::new(builder.build().unwrap()));
    let cases = [
        ("x.gbnf", "root ::= !<a> \"!\"", 1, 1),
        ("x.gbnf", "root ::= !<[7]> \"!\"", 1, 1),
        ("x.gbnf", "root ::= ExcludeToken(7, 8) \"!\"", 1, 1),
        ("x.lark", "start: <[^7-8]> \"!\"", 1, 1),
        ("x.lark", "start: <[*]> \"!\"", 1, 1),
        ("x.gbnf", "root ::= !<a>? \"!\"", 0, 1),
        ("x.gbnf", "root ::= !<a>{0,2} \"!\"", 0, 2),
        ("x.lark", "start: <[^7]>~1..2 \"!\"", 1, 2),
        ("x.gbnf", "root ::= !<a>* \"!\"", 0, usize::MAX),
        ("x.gbnf", "root ::= (!<b>)+ \"!\"", 1, usize::MAX),
        ("x.gbnf", "root ::= !<b>{0} \"!\"", 0, 0),
    ];
    let sequences = sequences(4);
    for (name, text, least, most) in cases {
        let mut matcher = Matcher::new(compiled(name, text), Arc::clone(&store));
        for tokens in &sequences {
            matcher.reset();
            let ids: Vec<TokenId> = tokens.iter().map(|&id| TokenId(id)).collect();
            let accepted = matcher.accept_tokens(&ids).is_ok() && matcher.is_complete();
            assert_eq!(accepted, writes(tokens, least, most), "{text} {tokens:?}");
        }
    }
}
