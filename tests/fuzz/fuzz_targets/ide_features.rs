//! Any text as a file in an editor, with the cursor anywhere: every feature answers without a panic, and with places in
//! the text. The first byte chooses the language, the second the place of the cursor.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_ide::place::applied;
use ogc_ide::{
    FilePosition, FileSpan, Host, Language, Snapshot, SourceFile, Span, actions, call_hierarchy, code_lens, completion,
    folding, formatting, goto, highlight, hover, inlay_hints, links, references, rename, selection, semantic_tokens,
    signature_help, symbols,
};

/// The files that the file may import.
const BESIDE: [(&str, &str); 3] = [
    ("/w/lib.ogc", "type A<T = int> = { a?: A<T>, b: T | null }\nrule r = x: /[a-z]+/ | \"(\" r \")\"\noutput O = r"),
    ("/w/g.gbnf", "root ::= a-b | \"(\" root \")\"\na-b ::= [a-z]{1,3}"),
    ("/w/s.schema.json", r##"{"$defs": {"t": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/t"}}}"##),
];

/// The languages, and the names of their files.
const LANGUAGES: [(Language, &str); 6] = [
    (Language::Ogc, "/w/fuzz.ogc"),
    (Language::JsonSchema, "/w/fuzz.schema.json"),
    (Language::Gbnf, "/w/fuzz.gbnf"),
    (Language::Ebnf, "/w/fuzz.ebnf"),
    (Language::Abnf, "/w/fuzz.abnf"),
    (Language::Lark, "/w/fuzz.lark"),
];

fuzz_target!(|input: (u8, u16, &str)| {
    let (language, cursor, text) = input;
    if text.len() > 2_048 {
        return;
    }
    // Most inputs are in ogc's own language.
    let (language, name) = LANGUAGES[usize::from(language) % 16 % LANGUAGES.len()];
    let mut host = Host::new();
    for (name, text) in BESIDE {
        host.set_file(name, text.to_owned(), Language::of_name(name).expect("a language"));
    }
    let file = host.set_file(name, text.to_owned(), language);
    let snapshot = host.snapshot();
    let at = snapshot.position(file, u32::from(cursor) % (text.len() as u32 + 1));
    whole_file(&snapshot, file);
    at_cursor(&snapshot, at);
});

/// The features of a whole file.
fn whole_file(snapshot: &Snapshot, file: SourceFile) {
    let text = snapshot.text(file);
    let inside = |span: Span| assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    let whole = Span::new(0, text.len() as u32);
    let all = semantic_tokens::semantic_tokens(snapshot, file, None);
    assert!(all.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{all:?}");
    all.iter().for_each(|token| inside(token.span));
    folding::folds(snapshot, file).iter().for_each(|fold| inside(fold.span));
    inlay_hints::inlay_hints(snapshot, file, whole, &inlay_hints::HintKind::ALL)
        .iter()
        .for_each(|hint| inside(Span::empty(hint.at)));
    code_lens::code_lenses(snapshot, file).iter().for_each(|lens| inside(lens.span));
    links::links(snapshot, file).iter().for_each(|link| inside(link.span));
    symbols::document_symbols(snapshot, file).iter().for_each(|symbol| inside(symbol.span));
    let edits = formatting::document(snapshot, file);
    edits.iter().for_each(|edit| inside(edit.span));
    let _formatted = applied(text, &edits);
}

/// The features at a place.
fn at_cursor(snapshot: &Snapshot, at: FilePosition) {
    let text = snapshot.text(at.file);
    let inside = |span: Span| assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    let placed = |place: &FileSpan| {
        let text = snapshot.text(place.file);
        assert!(text.get(place.span.start as usize..place.span.end as usize).is_some(), "{place:?}");
    };
    for found in [goto::definition, goto::type_definition, goto::implementations] {
        found(snapshot, at).iter().for_each(|found| found.targets.iter().for_each(placed));
    }
    references::references(snapshot, at, true).iter().for_each(placed);
    highlight::highlights(snapshot, at).iter().for_each(|one| inside(one.span));
    selection::selections(snapshot, at).iter().for_each(|span| inside(*span));
    if let Some(item) = call_hierarchy::prepare(snapshot, at) {
        let _calls = (call_hierarchy::incoming(snapshot, &item.id), call_hierarchy::outgoing(snapshot, &item.id));
    }
    if let Some(hover) = hover::hover(snapshot, at) {
        inside(hover.span);
    }
    let _signature = signature_help::signature_help(snapshot, at);
    let _completion = completion::completion(snapshot, at, None);
    if rename::prepare(snapshot, at).is_ok()
        && let Ok(files) = rename::rename(snapshot, at, "renamed_by_fuzz")
    {
        for file in &files {
            let _renamed = applied(snapshot.text(file.file), &file.edits);
        }
    }
    let selection = FileSpan::new(at.file, Span::empty(at.offset));
    for action in actions::actions(snapshot, selection, &[]) {
        let change = action.change.or_else(|| actions::resolve(snapshot, &action.id)).unwrap_or_default();
        for file in &change.edits {
            let _changed = applied(snapshot.text(file.file), &file.edits);
        }
    }
}
