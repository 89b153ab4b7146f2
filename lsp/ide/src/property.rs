//! Property tests of features that change texts, on random programs: small ones with all kinds of items, comments and
//! odd spacing.

use ogc_compiler::db::Language;
use ogc_compiler::hir::names::{self, Symbol};
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::{Code, Span, ogc};
use ogc_kit::Random;
use ogc_lint::findings::{Levels, Subject, findings};

use crate::Host;
use crate::actions::{ActionKind, Command, actions, resolve};
use crate::formatting;
use crate::items::items;
use crate::place::{FilePosition, FileSpan, applied};
use crate::references::references;
use crate::rename::rename;
use crate::same::same_definitions;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// The programs that each property is checked on.
const PROGRAMS: u64 = 40;

/// Writes a program of two files, the second of which imports the first.
pub(crate) fn program(random: &mut Random) -> [(&'static str, String); 2] {
    let first = format!(
        "{}type A = {}\n{}type B<T> = {{ t: T, n?: {} }}\n{}rule r = {}\n\noutput O = r json<A>\n",
        random.pick(&["", "", "@space(\"spaced\")\n", "@title(\"A\")\n"]),
        value(random, 2, &["B<int>", "B<null>"]),
        random.pick(&["", "// about B\n", "/// B.\n", "\n"]),
        value(random, 1, &["T", "A[0..2]"]),
        random.pick(&["", "", "@skip(/ ?/)\n"]),
        text(random, 2, &["\"r\"", "A"]),
    );
    let second = format!(
        "import {} from \"a.ogc\"\nimport \"a.ogc\" as m\ntype C = {}  // c\nrule s = {}\noutput P = s | \"p\" C\n",
        random.pick(&["A, r", "A, r as r"]),
        value(random, 2, &["A", "m.A", "m.B<A>", "C[0..1]"]),
        text(random, 2, &["r", "m.r", "C"]),
    );
    [("/w/a.ogc", first), ("/w/b.ogc", second)]
}

/// Writes a set of values.
fn value(random: &mut Random, depth: usize, names: &[&str]) -> String {
    let inner = |random: &mut Random| value(random, depth - 1, names);
    match random.below(if depth == 0 { 4 } else { 12 }) {
        0 => (*random.pick(&["int", "string", "null", "\"x\"", "0..5", "string<1..3>"])).to_owned(),
        1 | 2 => (*random.pick(names)).to_owned(),
        3 => "{ a: int, ... }".to_owned(),
        4 => format!("({})[0..2]", inner(random)),
        5 => format!("{} | {}", inner(random), inner(random)),
        6 => format!("{{ k: \"one\", v: {} }} | {{ k: \"two\" }}", inner(random)),
        7 => format!("{{ a: {}, // a\n  b?:{} }}", inner(random), inner(random)),
        8 => format!("{{ a: @space(\"any\") {{ b: {} }}, @title(\"C\") c: int }}", inner(random)),
        9 => format!("\n  /// One.\n  | {}\n  /// Two.\n  | int", inner(random)),
        10 => format!("tuple<int, {}>", inner(random)),
        _ => format!("({})", inner(random)),
    }
}

/// Writes a set of texts.
fn text(random: &mut Random, depth: usize, names: &[&str]) -> String {
    let inner = |random: &mut Random| text(random, depth - 1, names);
    match random.below(if depth == 0 { 3 } else { 13 }) {
        0 => (*random.pick(&["\"x\"", "'y'", "/[a-z]{1,3}/"])).to_owned(),
        1 | 2 => (*random.pick(names)).to_owned(),
        3 => format!("({})?", inner(random)),
        4 => format!("({} | {})", inner(random), inner(random)),
        5 => format!("cap: ({}) \";\"", inner(random)),
        6 => format!("text<max_chars = 2> \"!\" {}", inner(random)),
        7 => format!("json<{}, space = \"spaced\"> \" \"", value(random, 1, &["int"])),
        8 => format!("({})[1..2] % \",\"", inner(random)),
        9 => format!("raw<int | {}>", random.pick(&["null", "\"x\""])),
        10 => format!("(\"a\" | \"b\" | {})+", inner(random)),
        11 => format!("{} | \"z\"", inner(random)),
        _ => format!("{} \"-\" {}", inner(random), inner(random)),
    }
}

/// Loads a program, optionally with errors in it.
fn host(random: &mut Random, mistakes: bool) -> Host {
    let mut host = Host::new();
    for (name, mut text) in program(random) {
        if mistakes {
            for (right, wrong) in [("type A =", "type A:"), (", b?:", "; b?:"), ("[0..2]", "[0,2]")] {
                if random.below(2) == 0 {
                    text = text.replacen(right, wrong, 1);
                }
            }
        }
        host.set_file(name, text, Language::Ogc);
    }
    host
}

/// Returns a position in each name of all files.
fn places(snapshot: &Snapshot) -> Vec<(FilePosition, Symbol)> {
    let all = snapshot.files().into_iter().flat_map(|file| items(snapshot, file));
    let named = all.flat_map(|item| {
        let names = names::names(&snapshot.db, item.id).iter();
        names.map(move |name| {
            let offset = item.in_file(name.span).start;
            (FilePosition { file: item.id.file, offset }, name.symbol.clone())
        })
    });
    named.collect()
}

fn texts(snapshot: &Snapshot) -> Vec<String> {
    snapshot.files().into_iter().map(|file| snapshot.text(file).to_owned()).collect()
}

#[test]
fn renaming_there_and_back_is_the_identity() {
    let mut count = 0;
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), false).snapshot();
        for (at, _) in places(&snapshot) {
            let old = crate::rename::prepare(&snapshot, at).map(|found| (found.placeholder, found.place));
            let (Ok((old, place)), Ok(edits)) = (old, rename(&snapshot, at, "Fresh")) else { continue };
            let mut scratch = Scratch::of(&snapshot);
            scratch.edit(&edits);
            let copy = scratch.copy(at.file).unwrap();
            // Earlier edits move the cursor.
            let own = edits.iter().find(|one| one.file == at.file).unwrap();
            let before =
                own.edits.iter().filter(|edit| edit.span.end <= place.span.start && edit.span.start < place.span.start);
            let offset = before
                .fold(i64::from(place.span.start), |at, edit| at + edit.text.len() as i64 - i64::from(edit.span.len()));
            let cursor = FilePosition { file: copy, offset: u32::try_from(offset).unwrap() };
            let back = scratch.read(|after| {
                let back = rename(after, cursor, &old).unwrap_or_else(|why| panic!("{why}: {:?}", texts(after)));
                let mut again = Scratch::of(after);
                again.edit(&back);
                again.read(texts)
            });
            assert_eq!(back, texts(&snapshot), "{old}");
            count += 1;
        }
    }
    assert!(count > 500, "only {count} names were renamed");
}

#[test]
fn definitions_are_among_their_references() {
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), seed % 2 == 0).snapshot();
        for (at, symbol) in places(&snapshot) {
            let defined = names::definition_of(&snapshot.db, &symbol).map(FileSpan::from);
            let is_file = matches!(symbol, Symbol::File(_));
            let found = references(&snapshot, at, true);
            assert!(defined.is_none_or(|defined| is_file || found.contains(&defined)), "{symbol:?}");
            let is_it = |place: &FileSpan| place.file == at.file && place.span.start == at.offset;
            assert!(symbol == Symbol::Unknown || found.iter().any(is_it), "{symbol:?} at {at:?}");
        }
    }
}

/// Returns the number of syntax errors.
fn mistakes(text: &str) -> usize {
    ogc::notation(text).iter().filter(|found| found.is_error()).count()
}

/// Returns the tokens of a text that are no white space.
fn said(text: &str) -> Vec<&str> {
    let tokens = ogc::tokens(text).into_iter().filter(|token| token.kind != TokenKind::Space);
    tokens.map(|token| token.span.text(text)).collect()
}

#[test]
fn corrections_add_no_findings_and_edit_only_their_range() {
    let mut count = 0;
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), true).snapshot();
        for file in snapshot.files() {
            let text = snapshot.text(file);
            let whole = FileSpan::new(file, Span::of(0, text.len()));
            for action in actions(&snapshot, whole, &[]) {
                let is_fix = matches!(action.id.command, Command::Fix | Command::FixAll | Command::FixCode(_));
                let Some(change) = action.change.clone().or_else(|| resolve(&snapshot, &action.id)) else { continue };
                let [own] = change.edits.as_slice() else { continue };
                // Unused items are removed together with their docs.
                if !is_fix || matches!(action.fixes, Some((Code::UnusedItem, _))) {
                    continue;
                }
                let after = applied(text, &own.edits);
                assert!(mistakes(&after) <= mistakes(text), "{}: {text}\n{after}", action.title);
                let comments = |text: &str| said(text).iter().filter(|one| one.starts_with("//")).count();
                assert!(comments(&after) >= comments(text), "{}: {text}\n{after}", action.title);
                let first = own.edits.first().map_or(0, |edit| edit.span.start as usize);
                let last = own.edits.iter().map(|edit| edit.span.end as usize).max().unwrap_or(0);
                assert_eq!(text.get(..first), after.get(..first));
                assert!(after.ends_with(text.get(last..).unwrap()));
                count += 1;
            }
        }
    }
    assert!(count > 40, "only {count} corrections were made");
}

#[test]
fn allowed_lints_are_no_longer_found() {
    let mut count = 0;
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), false).snapshot();
        for file in snapshot.files() {
            let text = snapshot.text(file);
            for item in items(&snapshot, file) {
                for action in actions(&snapshot, FileSpan::new(file, item.span), &[ActionKind::QuickFix]) {
                    let (Command::Allow(code), Some(change)) = (action.id.command, &action.change) else { continue };
                    let mut scratch = Scratch::of(&snapshot);
                    scratch.edit(&change.edits);
                    let copy = scratch.copy(file).unwrap();
                    let found = |snapshot: &Snapshot, file| {
                        let subject = Subject::whole(&snapshot.db, file);
                        let all = findings(&snapshot.db, &subject, None, &Levels::default());
                        all.into_iter().filter(|one| one.code == code).count()
                    };
                    let (before, after) = (found(&snapshot, file), scratch.read(|after| found(after, copy)));
                    assert!(after < before, "{code}: {text}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20, "only {count} findings were allowed");
}

#[test]
fn meaning_preserving_actions_keep_the_accepted_texts() {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), false).snapshot();
        for selection in selections(&snapshot) {
            for action in actions(&snapshot, selection, &[]) {
                let keeps = matches!(
                    action.id.command,
                    Command::Extract
                        | Command::InlineUse
                        | Command::InlineAll
                        | Command::Discriminate
                        | Command::Allow(_)
                );
                let Some(change) = action.change.filter(|_| keeps) else { continue };
                let mut scratch = Scratch::of(&snapshot);
                scratch.edit(&change.edits);
                let copy = scratch.copy(selection.file).unwrap();
                let same = scratch.read(|after| same_definitions((&snapshot, selection.file), (after, copy)));
                let has_errors = matches!(&same, Err(why) if why.ends_with("has errors"));
                let had_errors = same_definitions((&snapshot, selection.file), (&snapshot, selection.file)).is_err();
                let after = scratch.read(|after| after.text(copy).to_owned());
                assert!(
                    same == Ok(()) || has_errors && had_errors,
                    "{same:?} {}: {}\n{after}",
                    action.title,
                    snapshot.text(selection.file)
                );
                let name = format!("{:?}", action.id.command);
                *counts.entry(name.split('(').next().unwrap_or_default().to_owned()).or_default() += 1;
            }
        }
    }
    assert!(
        ["Extract", "InlineUse", "InlineAll"].iter().all(|one| counts.get(*one).is_some_and(|count| *count > 20)),
        "{counts:?}"
    );
}

/// Returns the selections on which refactorings are tested: names, and expressions.
fn selections(snapshot: &Snapshot) -> Vec<FileSpan> {
    let mut found: Vec<FileSpan> =
        places(snapshot).into_iter().map(|(at, _)| FileSpan::new(at.file, Span::empty(at.offset))).collect();
    for item in snapshot.files().into_iter().flat_map(|file| items(snapshot, file)) {
        for root in item.tree.expressions() {
            root.walk(&mut |expr| {
                found.push(FileSpan::new(item.id.file, item.in_file(expr.span)));
                let children = expr.children();
                if let [one, .., last] = children.as_slice() {
                    found.push(FileSpan::new(item.id.file, item.in_file(one.span.merge(last.span))));
                }
                if let [one, next, ..] = children.as_slice() {
                    found.push(FileSpan::new(item.id.file, item.in_file(one.span.merge(next.span))));
                }
            });
        }
    }
    found
}

/// Returns the tokens of a text, except those that the layout may add or remove.
fn plain(text: &str) -> Vec<String> {
    let kept = said(text).into_iter().filter(|one| !matches!(*one, "," | "|"));
    kept.map(|one| one.replace('\'', "\"")).collect()
}

#[test]
fn formatting_loses_no_text_and_is_idempotent() {
    for seed in 0..PROGRAMS {
        let snapshot = host(&mut Random::new(seed), seed % 2 == 0).snapshot();
        for file in snapshot.files() {
            let text = snapshot.text(file);
            let whole = FileSpan::new(file, Span::of(0, text.len()));
            let after = applied(text, &formatting::range(&snapshot, whole));
            assert_eq!(plain(&after), plain(text));
            let mut host = Host::new();
            let again = host.set_file("/w/a.ogc", after.clone(), Language::Ogc);
            let whole = FileSpan::new(again, Span::of(0, after.len()));
            assert_eq!(formatting::range(&host.snapshot(), whole), [], "{after}");
        }
    }
}

/// Texts that are inserted to break programs.
const SIGNS: [&str; 11] = ["{", "}", "\"", "é", "(", "| ", "@", "\n", "//", "<", "..."];

/// Breaks a text: deletes, duplicates and moves parts of it.
fn broken(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(3) {
        let ends: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let (one, other) = (*random.pick(&ends), *random.pick(&ends));
        let (start, end) = (one.min(other), one.max(other).min(one.min(other) + 12));
        let end = (start..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
        let part = text[start..end].to_owned();
        match random.below(4) {
            0 => text.replace_range(start..end, ""),
            1 => text.insert_str(start, &part),
            2 => text.insert_str(start, SIGNS[random.below(SIGNS.len())]),
            _ => text.push_str(&part),
        }
    }
    text
}

/// Checks that edits are inside their texts, ordered, and do not overlap.
fn check_edits(snapshot: &Snapshot, edits: &[crate::FileEdits]) {
    for one in edits {
        let text = snapshot.text(one.file);
        let is_inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
        assert!(one.edits.iter().all(|edit| is_inside(edit.span)), "{edits:?}: {text}");
        let is_ordered = one.edits.is_sorted_by(|first, next| first.span.end <= next.span.start);
        assert!(is_ordered, "{edits:?}: {text}");
    }
}

#[test]
fn actions_on_broken_texts_have_valid_edits() {
    const FOREIGN: [(&str, &str); 3] = [
        ("/w/g.gbnf", "root ::= (a)* b # a\na ::= \"a\" | [a-z]\nb ::= a{2}\n"),
        (
            "/w/s.schema.json",
            r##"{"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}, "$ref": "#/$defs/A"}"##,
        ),
        ("/w/g.lark", "start: x{A} A\nx{y}: y | (B)\nA: \"a\"\n%import common.INT -> B\n%ignore \" \"\n"),
    ];
    for seed in 0..4 * PROGRAMS {
        let random = &mut Random::new(seed);
        let mut host = Host::new();
        for (name, text) in program(random) {
            host.set_file(name, broken(random, &text), Language::Ogc);
        }
        let foreign = FOREIGN[random.below(FOREIGN.len())];
        host.set_file(foreign.0, broken(random, foreign.1), Language::of_name(foreign.0).unwrap());
        let user = format!(
            "import A, start as a from \"{}\"\nimport \"{}\" as f\noutput F = a f.A f.b f.root\n",
            foreign.0, foreign.0
        );
        host.set_file("/w/f.ogc", broken(random, &user), Language::Ogc);
        let snapshot = host.snapshot();
        for file in snapshot.files() {
            let len = snapshot.text(file).len() + 1;
            for _ in 0..4 {
                let at = snapshot.position(file, u32::try_from(random.below(len)).unwrap());
                if let Ok(edits) = rename(&snapshot, at, "Fresh") {
                    check_edits(&snapshot, &edits);
                }
                let other = snapshot.position(file, u32::try_from(random.below(len)).unwrap());
                let selection =
                    FileSpan::new(file, Span::new(at.offset.min(other.offset), at.offset.max(other.offset)));
                for action in actions(&snapshot, selection, &[]) {
                    let is_slow = matches!(action.id.command, Command::FixAll | Command::FixCode(_)) && seed % 8 > 0;
                    let made = || if is_slow { None } else { resolve(&snapshot, &action.id) };
                    if let Some(change) = action.change.clone().or_else(made) {
                        check_edits(&snapshot, &change.edits);
                    }
                }
                let laid_out = [formatting::range(&snapshot, selection), formatting::on_type(&snapshot, at, '\n')];
                let laid_out = laid_out.into_iter().map(|edits| crate::FileEdits { file, edits });
                check_edits(&snapshot, &laid_out.collect::<Vec<_>>());
            }
        }
        let moved = [("/w/a.ogc".to_owned(), "/w/x/a.ogc".to_owned()), (foreign.0.to_owned(), "/y.gbnf".to_owned())];
        check_edits(&snapshot, &crate::file_rename::will_rename(&snapshot, &moved));
    }
}
