//! Tests with made-up distributions: a text of a format is written byte by byte, and at one place the model wants
//! another token. The tests check the finding: its code, sentence, place in the source, and correction.

use std::sync::Arc;

use ogc_compiler::db::Limits;
use ogc_generate::{Ended, Generated, MaskedOdds, Statistics, TokenRecord, TokenSource};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};

use super::*;
use crate::args::FormatArgs;

/// Tokens in addition to the single bytes.
const TOKENS: &[&str] = &[
    "{\"",
    "\": \"",
    " \"",
    "\n",
    "Here is",
    "```json",
    "email",
    "age\":",
    "name",
    "null",
    "\"sorry\"",
    "orry\"",
    "}\n",
    "\",",
    "\"]",
    "\\/",
    "\\u00e9",
    "Answer",
    "No",
    "lo\"",
    "long",
];

/// The end of sequence, whose id follows the bytes and the other tokens.
const END: u32 = 256 + TOKENS.len() as u32;

fn vocabulary() -> Arc<Vocabulary> {
    let mut builder = VocabularyBuilder::new();
    for byte in 0..=u8::MAX {
        builder.text(byte.into(), &[byte]).expect("a token");
    }
    for (token, text) in (256..).zip(TOKENS) {
        builder.text(token, text.as_bytes()).expect("a token");
    }
    builder.special(END.into(), "<|im_end|>").expect("a token");
    let vocabulary = builder.build().expect("a vocabulary");
    Arc::new(vocabulary)
}

/// A place in a made-up text, and the token that the model wants there.
struct Wish {
    before: &'static str,
    token: &'static str,
}

/// Returns the findings for a text in which the model wants other tokens at some places, with a probability of about
/// 80%.
fn found(name: &str, source: &str, written: &str, wishes: &[Wish]) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("a file");
    let args = FormatArgs { max_input: crate::source::MAX_FORMAT, ..FormatArgs::default() };
    let (mut session, file) = escapes::open(&args, &path, Limits::default()).expect("a session");
    session.set_special_tokens(&ogc_compiler::db::SpecialTokens::of(&vocabulary()));
    let named = session.format(file).expect("one format");
    let automaton = pipeline::automaton(&session.db, named.clone()).expect("an automaton");
    let format = Format::of(&session, &named, automaton);
    let store = MaskStore::new(vocabulary());
    let generated = generated(written, wishes, &format, &store);
    let walked = walk::walk(0, &generated, &format, format.matcher(&store)).expect("the text is of the format");
    let told = walked.refusals.into_iter().map(|refusal| {
        let place = places::of(&session, &named, &refusal);
        let around = places::around(&session, &named, &refusal).or(place);
        let key = GroupKey::of(&refusal, name, around.as_ref());
        let wanted = wanted::wanted(&refusal, b"");
        Told { key, refusal, place, wanted }
    });
    let finding = |group: Group| {
        let (file, span) = group.place.unwrap_or_else(|| places::start(&session, &named));
        let (text, language) = (session.text(file).text, file.language(&session.db));
        findings::finding(&group, Subject { text, language, span }, 1)
    };
    group::groups(told.collect()).into_iter().map(finding).collect()
}

fn generated(written: &str, wishes: &[Wish], format: &Format, store: &Arc<MaskStore>) -> Generated {
    let mut matcher = format.matcher(store);
    let bytes = written.as_bytes();
    let places = bytes.iter().map(|byte| u32::from(*byte)).chain([END]);
    let record = places.enumerate().map(|(at, token)| {
        let wish = wishes.iter().find(|wish| written[..at] == *wish.before);
        let mut mask = vec![0; store.vocabulary().padded_len().div_ceil(32)];
        matcher.mask().expect("a mask").fill(&mut mask);
        let mut logits = vec![0.0_f32; END as usize + 1];
        logits[token as usize] = 12.0;
        if let Some(wish) = wish {
            logits[number(wish.token) as usize] = 13.4;
        }
        let odds = MaskedOdds::of(&logits, &mask, token, 16);
        // No token follows the end.
        if at < bytes.len() {
            matcher.accept_token(TokenId(token)).expect("the text is of the format");
        }
        TokenRecord { token: TokenId(token), source: TokenSource::Sampled, pass: at + 1, odds: Some(odds) }
    });
    let record = record.collect();
    let tokens = bytes.iter().map(|byte| TokenId((*byte).into())).collect();
    let (text, ended, statistics) = (written.to_owned(), Ended::Chosen, Statistics::default());
    Generated { tokens, text, ended, statistics, probabilities: Vec::new(), record }
}

fn number(token: &str) -> u32 {
    match TOKENS.iter().position(|known| *known == token) {
        _ if token.is_empty() => END,
        Some(at) => 256 + at as u32,
        None => u32::from(token.as_bytes()[0]),
    }
}

/// Checks the finding for a single token that the model wants after a prefix of the text.
#[track_caller]
fn check(source: &str, written: &str, wish: Wish, code: Code, (message, place): (&str, &str)) -> Diagnostic {
    let name = if source.starts_with('{') { "a.schema.json" } else { "a.ogc" };
    let all = found(name, source, written, &[wish]);
    assert_eq!(all.len(), 1, "{all:#?}");
    let one = &all[0];
    assert_eq!(one.code, code, "{one:#?}");
    assert!(one.message.contains(message), "{message}: {one:#?}");
    let span = one.span.start as usize..one.span.end as usize;
    assert!(source.get(span.clone()).is_some_and(|text| text.starts_with(place)), "{place}: {span:?} {one:#?}");
    assert!(one.help.is_some(), "{one:#?}");
    one.clone()
}

const PERSON: &str = "type Mood = \"happy\" | \"sad\"\ntype Person = {\n  name: string<2..6>,\n  age: int<0..99>,\n  mood?: Mood,\n}\n\
                      output Out = Person\n";
const ADA: &str = "{\"name\":\"Ada\",\"age\":36,\"mood\":\"sad\"}";

#[test]
fn wanted_white_space_is_reported_with_a_fix_of_the_space_policy() {
    let wish = Wish { before: "{\"name", token: "\": \"" };
    let one = check(PERSON, ADA, wish, Code::FitSpace, ("wants spaces between", "Person"));
    let fix = one.fix.expect("a correction");
    let (fixed, _) = ogc_grammar::fix::apply(PERSON, std::iter::once(&fix));
    assert_eq!(fixed, format!("policy space = \"spaced\"\n{PERSON}"));
    let lines = check(PERSON, ADA, Wish { before: "{", token: "\n" }, Code::FitSpace, ("line breaks", "Person"));
    assert!(lines.help.is_some_and(|help| help.contains("\"pretty\"")));
    let spaced = format!("policy space = \"spaced\"\n{PERSON}");
    let text = ADA.replace(':', ": ").replace(',', ", ");
    check(&spaced, &text, Wish { before: "{\"name\":", token: "{" }, Code::FitSpace, ("no white space", "Person"));
}

#[test]
fn unknown_keys_and_reordered_keys_get_different_findings() {
    let wish = |before, token| Wish { before, token };
    check(PERSON, ADA, wish("{\"", "email"), Code::FitKey, ("another key, `email", "Person"));
    let order = ("in another order, `age` before `name`", "Person");
    let one = check(PERSON, ADA, wish("{\"", "age\":"), Code::FitOrder, order);
    let (fixed, _) = ogc_grammar::fix::apply(PERSON, one.fix.iter());
    assert_eq!(fixed, format!("policy order = \"any\"\n{PERSON}"));
    check(PERSON, ADA, wish("{\"name\":\"Ada\"", "}"), Code::FitKey, ("close the object without `age`", "Person"));
    check(
        PERSON,
        ADA,
        wish("{\"name\":\"Ada\",\"age\":36,\"mood\":\"sad\"", ","),
        Code::FitKey,
        ("further key", "Person"),
    );
}

#[test]
fn wanted_values_are_reported_at_their_fields() {
    let wish = |before, token| Wish { before, token };
    let one = check(
        PERSON,
        ADA,
        wish("{\"name\":\"Ada\",\"age\":36,\"mood\":\"s", "orry\""),
        Code::FitValue,
        ("at `/mood`, `\"sorry\"`", "Mood"),
    );
    let (fixed, _) = ogc_grammar::fix::apply(PERSON, one.fix.iter());
    assert!(fixed.starts_with("type Mood = \"happy\" | \"sad\" | \"sorry\"\n"), "{fixed}");
    let null =
        check(PERSON, ADA, wish("{\"name\":\"Ada\",\"age\":", "null"), Code::FitValue, ("at `/age`, `null`", "age"));
    assert!(null.help.is_some_and(|help| help.contains("| null")));
    let quoted =
        check(PERSON, ADA, wish("{\"name\":\"Ada\",\"age\":", "\"sorry\""), Code::FitValue, ("`\"sorry\"`", "age"));
    assert!(quoted.help.is_some_and(|help| help.contains("in quotes")));
    check(PERSON, ADA, wish("{\"name\":\"Ada\",\"age\":36", "7"), Code::FitValue, ("at `/age`, `367", "age"));
}

#[test]
fn wanted_lengths_and_wanted_values_get_different_findings() {
    let wish = |before, token| Wish { before, token };
    let long = ADA.replace("Ada", "Lovela");
    check(PERSON, &long, wish("{\"name\":\"Lovela", "long"), Code::FitLength, ("longer string at `/name`", "name"));
    check(PERSON, &long, wish("{\"name\":\"Lovel", "long"), Code::FitLength, ("longer string at `/name`", "name"));
    check(PERSON, ADA, wish("{\"name\":\"A", "\","), Code::FitLength, ("shorter string at `/name`", "name"));
    let list = "output Out = { tags: string<1..9>[2..3] }\n";
    check(
        list,
        "{\"tags\":[\"a\",\"b\"]}",
        wish("{\"tags\":[\"a", "\"]"),
        Code::FitLength,
        ("fewer items at `/tags`", "string<1..9>[2..3]"),
    );
    let full = "{\"tags\":[\"a\",\"b\",\"c\"]}";
    check(
        list,
        full,
        wish("{\"tags\":[\"a\",\"b\",\"c", "\","),
        Code::FitLength,
        ("further items at `/tags`", "string<1..9>[2..3]"),
    );
}

#[test]
fn wanted_escapes_prefaces_and_endings_are_reported() {
    let wish = |before, token| Wish { before, token };
    check(PERSON, ADA, wish("{\"name\":\"A", "\\u00e9"), Code::FitEscape, ("write escapes", "name"));
    check(PERSON, ADA, wish("{\"name\":\"A", "\n"), Code::FitEscape, ("line breaks or other control", "name"));
    let fence = check(PERSON, ADA, wish("", "```json"), Code::FitPreface, ("begin with \"```json\"", "Person"));
    assert!(fence.help.is_some_and(|help| help.contains("```json")));
    check(PERSON, ADA, wish("", "Here is"), Code::FitPreface, ("begin with `Here is`", "Person"));
    check(PERSON, ADA, wish("{\"name\":\"Ada\"", ""), Code::FitEnd, ("end the text", "Person"));
    let onward = check(PERSON, ADA, wish(ADA, "\n"), Code::FitEnd, ("go on after the end", "Out"));
    assert_eq!(onward.severity, Severity::Note, "nothing is lost");
}

#[test]
fn wanted_text_is_reported_with_the_text_that_the_format_expects() {
    let wish = |before, token| Wish { before, token };
    let source = "output Out = \"Verdict: \" verdict: (\"yes\" | \"no\") \"\\n\" who: json<{ name: string<1..9> }>\n";
    let text = "Verdict: no\n{\"name\":\"Bo\"}";
    check(
        source,
        text,
        wish("", "Answer"),
        Code::FitText,
        ("`Answer`, where the format expects `Verdict: `", "\"Verdict"),
    );
    check(source, text, wish("Verdict: ", "No"), Code::FitText, ("`No`, where the format expects `n`, `y`", "\"no\""));
    let space = wish("Verdict: no\n{\"name", "\": \"");
    check(source, text, space, Code::FitSpace, ("wants spaces between", "{ name"));
}

#[test]
fn refusals_that_continue_one_another_are_one_finding() {
    let source = "output Out = \"Verdict\"\n";
    let wishes =
        ["", "V", "Ve", "Ver"].map(|before| Wish { before, token: if before.is_empty() { "Answer" } else { "No" } });
    let all = found("a.ogc", source, "Verdict", &wishes);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all[0].message.contains("wants `Answer`, where") && all[0].message.contains("at 4 places"), "{all:#?}");
}

#[test]
fn findings_on_schemas_are_placed_at_their_fields() {
    let source = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLength": 6}, "mood": {"enum": ["sad", "happy"]}},
        "required": ["name", "mood"], "additionalProperties": false}"#;
    let text = r#"{"name":"Ada","mood":"sad"}"#;
    let wish = |before, token| Wish { before, token };
    let space = check(source, text, wish("{\"name", "\": \""), Code::FitSpace, ("spaces", "{\"type\": \"object\""));
    assert!(space.fix.is_none() && space.help.is_some_and(|help| help.contains("--space spaced")));
    let value = ("`\"sorry\"`", "{\"enum\"");
    let one = check(source, text, wish("{\"name\":\"Ada\",\"mood\":\"s", "orry\""), Code::FitValue, value);
    let (fixed, _) = ogc_grammar::fix::apply(source, one.fix.iter());
    assert_eq!(fixed, source.replace("\"happy\"]", "\"happy\", \"sorry\"]"));
    check(
        source,
        &text.replace("Ada", "Lovela"),
        wish("{\"name\":\"Lovela", "long"),
        Code::FitLength,
        ("longer string", "name"),
    );
}
