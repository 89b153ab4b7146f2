//! Tests of events and of when they are reported: exact lists, invalid JSON, depth, and cuts at every byte.

use super::{Complete, Event, EventError, EventReader, MAX_DEPTH, Path, Step, ValueKind};
use crate::captures::Content;

/// Abbreviates an event to a few characters.
fn short(event: &Event) -> String {
    match event {
        Event::TextGrows { text } => format!("text {text:?}"),
        Event::Token { name } => format!("token {name}"),
        Event::CaptureBegins { name, at } => format!("{at} capture {name}"),
        Event::CaptureEnds { name, start, end } => format!("{start}..{end} captured {name}"),
        Event::CallBegins { tool, at } => format!("{at} call {tool}"),
        Event::CallEnds { tool, start, end } => format!("{start}..{end} called {tool}"),
        Event::ValueBegins { path, kind, at } => format!("{at} {path} {kind:?}"),
        Event::FieldBegins { path, at } => format!("{at} {path} field"),
        Event::StringGrows { path, text } => format!("{path} {text:?}"),
        Event::ValueComplete { path, value, start, end } => format!("{start}..{end} {path} {value:?}"),
        Event::Ended { at } => format!("{at} end"),
    }
}

/// Reads a text in pieces, then its end; returns the events of each piece, and of the end, separately.
fn told(content: &Content, pieces: &[&[u8]]) -> Result<Vec<Vec<String>>, EventError> {
    let mut reader = EventReader::new(content);
    let mut all = Vec::new();
    for piece in pieces {
        all.push(reader.read_bytes(piece)?.iter().map(short).collect());
    }
    all.push(reader.finish()?.iter().map(short).collect());
    Ok(all)
}

#[test]
fn events_are_emitted_at_the_byte_that_makes_them_certain() {
    let pieces: [&[u8]; 8] =
        [b" {\"a\\u00", b"e4\":[1", b"2,tru", b"e,\"x\\ud83d", b"\\ude", b"00\xc3", b"\xa9\"]", b"} "];
    let expected: [&[&str]; 9] = [
        &["1  Object"],
        &["2 /aä field", "12 /aä Array", "13 /aä/0 Number"],
        &["13..15 /aä/0 Number(\"12\")", "16 /aä/1 Bool"],
        &["16..20 /aä/1 Bool(true)", "21 /aä/2 String", "/aä/2 \"x\""],
        &[],
        &["/aä/2 \"😀\""],
        &["/aä/2 \"é\"", "21..38 /aä/2 String", "12..39 /aä Array"],
        &["1..40  Object"],
        &["41 end"],
    ];
    assert_eq!(told(&Content::Value, &pieces).unwrap(), expected.map(|list| list.to_vec()));
}

#[test]
fn words_of_python_are_read_as_those_of_json() {
    let read = |text: &[u8]| {
        let complete = |event| if let Event::ValueComplete { value, .. } = event { Some(value) } else { None };
        let events = EventReader::new(&Content::Value).read_bytes(text).unwrap();
        events.into_iter().filter_map(complete).collect::<Vec<_>>()
    };
    assert_eq!(read(b"[None, True, {\"True\": False}]"), read(b"[null, true, {\"True\": false}]"));
    for (text, at) in [(&b"Null"[..], 1), (b"[TRUE", 2), (b"{True", 1), (b"Falsy", 4)] {
        assert_eq!(told(&Content::Value, &[text]), Err(EventError::NotJson { at }));
    }
}

#[test]
fn invalid_json_is_refused_at_its_first_wrong_byte() {
    let cases: [(&[u8], usize); 27] = [
        (b"{,", 1),
        (b"{\"a\",", 4),
        (b"{\"a\":1,}", 7),
        (b"{\"a\":1]", 6),
        (b"{a", 1),
        (b"[,", 1),
        (b"[1 2", 3),
        (b"[1,]", 3),
        (b"[}", 1),
        (b"1 1", 2),
        (b"]", 0),
        (b"truf", 3),
        (b"nul ", 3),
        (b"[01,", 3),
        (b"[1.,", 3),
        (b"[-,", 2),
        (b"[1e+,", 4),
        (b"[+1", 1),
        (b"[1-2,", 4),
        (b"\"\n", 1),
        (b"\"\\x", 2),
        (b"\"\\u12g", 5),
        (b"\"\\udc00", 6),
        (b"\"\\ud800x", 7),
        (b"\"\\ud800\\n", 8),
        (b"\"\\ud800\\u0041", 12),
        (b"\"\xc3\x28", 2),
    ];
    for (text, at) in cases {
        let mut reader = EventReader::new(&Content::Value);
        let shown = String::from_utf8_lossy(text).into_owned();
        assert_eq!(reader.read_bytes(text), Err(EventError::NotJson { at }), "{shown}");
        assert_eq!(reader.finish(), Err(EventError::NotJson { at }), "{shown}: an error stays");
    }
    for (text, at) in [("", 0), ("{", 1), ("\"a", 2), ("tru", 3), ("[1", 2), ("{\"a\"", 4)] {
        assert_eq!(told(&Content::Value, &[text.as_bytes()]), Err(EventError::Incomplete { at }), "{text}");
    }
    assert_eq!(told(&Content::Value, &[b"1e"]), Err(EventError::NotJson { at: 2 }));
}

#[test]
fn nesting_is_bounded_and_long_paths_drop_without_recursion() {
    let deep = |depth: usize| told(&Content::Value, &[&b"[".repeat(depth), &b"]".repeat(depth)]);
    assert_eq!(deep(MAX_DEPTH).unwrap()[1].len(), MAX_DEPTH);
    assert_eq!(deep(MAX_DEPTH + 1), Err(EventError::Depth { given: MAX_DEPTH + 1, limit: MAX_DEPTH }));
    let path = (0..1_000_000).fold(Path::default(), |path, index| path.then(Step::Index(index)));
    assert_eq!(path.clone(), path);
    assert_eq!(path.last(), Some(&Step::Index(999_999)));
}

#[test]
fn plain_text_is_emitted_as_whole_characters_and_tokens() {
    let pieces: [&[u8]; 3] = [b"a\xc3", b"\xa9b", b"\xFF<t>\xFEc"];
    let expected = [vec!["text \"a\""], vec!["text \"éb\""], vec!["token <t>", "text \"c\""], vec!["10 end"]];
    let told_of = |pieces: &[&[u8]]| told(&Content::Text, pieces);
    assert_eq!(told_of(&pieces).unwrap(), expected);
    assert_eq!(told_of(&[b"a\xff"]), Err(crate::matcher::MatchError::NotAllowed { at: 1 }.into()));
    assert_eq!(told_of(&[b"a\xc3("]), Err(EventError::NotText { at: 2 }));
    assert_eq!(told_of(&[b"a\xc3"]), Err(EventError::NotText { at: 2 }));
}

#[test]
fn a_cloned_event_reader_is_independent() {
    let mut reader = EventReader::new(&Content::Value);
    reader.read_bytes(b"[\"a").unwrap();
    let mut fork = reader.clone();
    assert_eq!(fork.read_bytes(b"b\"]").unwrap().len(), 3);
    let events = reader.read_bytes(b"c").unwrap();
    let path = Path::default().then(Step::Index(0));
    assert_eq!(events, [Event::StringGrows { path, text: "c".into() }]);
    assert_eq!((Complete::Array.kind(), Complete::Object.kind()), (ValueKind::Array, ValueKind::Object));
    assert_eq!(Complete::String.kind(), ValueKind::String);
}
