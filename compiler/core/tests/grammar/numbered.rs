//! Tokens by their numbers, in GBNF and Lark: the special tokens of a vocabulary have them.

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits as AllLimits, Options, SourceFile, SpecialTokens,
};
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::Code;
use ogc_runtime::automaton::{Automaton, RuleId};
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
fn numbers_mean_the_special_tokens_of_the_vocabulary() {
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
    // A name without angle brackets has no other spelling in these notations.
    assert_eq!(*compiled("x.lark", "start: <[7-9]>").tokens, ["<a>", "<b>", "[C]"].map(str::to_owned));
}

#[test]
fn numbers_that_nothing_says_are_refused() {
    let cases = [
        ("x.gbnf", "root ::= <[7]>", None, "no vocabulary says which"),
        ("x.lark", "start: <[7]>", None, "no vocabulary says which"),
        ("x.gbnf", "root ::= <[6]>", known(), "token 6 is no special token"),
        ("x.lark", "start: <[7-4294967295]>", known(), "token 10 is no special token"),
        ("x.lark", "start: <[^7]>", known(), "any token but some"),
        ("x.gbnf", "root ::= !<a>", known(), "any token but some"),
        ("x.gbnf", "root ::= !<[7]>", known(), "any token but some"),
    ];
    for (name, text, special, words) in cases {
        let (db, file) = file(name, text, special);
        let found = diagnostics(&db, file);
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(only.code == Code::TokenTerminal && only.message.contains(words), "{text}: {only:?}");
    }
}
