//! Events and saved states through the interface of C: what is told is what the text holds, pointers stay good as long as is said, and
//! wrong use is an error.

#![cfg(feature = "compiler")]
#![allow(unsafe_code, reason = "the interface is that of C")]

use std::ffi::CStr;
use std::ptr;

use ogc_capi::*;

const FORMAT: &str =
    "rule call = \"say \" { word: string<1..9>, n?: int } \"!\"\noutput Out = who: /[a-z]+/ \": \" call\n";

fn compile(text: &str) -> *mut ogc_format {
    let source = ogc_source {
        struct_size: size_of::<ogc_source>(),
        language: ogc_language::OGC as u32,
        text: text.as_ptr(),
        text_len: text.len(),
        name: ptr::null(),
        name_len: 0,
        definition: ptr::null(),
        definition_len: 0,
        space: 0,
        order: 0,
        escapes: 0,
        numbers: 0,
        formats: 0,
        objects: 0,
        words: 0,
        annotate: ptr::null(),
        annotate_len: 0,
        resources: ptr::null(),
        resources_len: 0,
        vocabulary: ptr::null(),
    };
    let mut format = ptr::null_mut();
    // SAFETY: the source points to a text that lives on.
    let status = unsafe { ogc_format_compile(&raw const source, &raw mut format) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    format
}

fn last_error() -> String {
    // SAFETY: it is a string until the next call.
    unsafe { CStr::from_ptr(ogc_last_error()) }.to_string_lossy().into_owned()
}

/// The bytes, and a token that ends texts.
fn bytes_as_tokens() -> *mut ogc_vocabulary {
    extern "C" fn token(_: *mut std::ffi::c_void, id: u32, token: *mut ogc_token) {
        static BYTES: [u8; 256] = {
            let mut bytes = [0; 256];
            let mut at = 0;
            while at < 256 {
                bytes[at] = at as u8;
                at += 1;
            }
            bytes
        };
        // SAFETY: the caller gives a token.
        let token = unsafe { &mut *token };
        match BYTES.get(id as usize) {
            Some(byte) => (token.kind, token.text, token.text_len) = (ogc_token_kind::TEXT as u32, byte, 1),
            None => (token.kind, token.name, token.name_len) = (ogc_token_kind::SPECIAL as u32, b"</s>".as_ptr(), 4),
        }
    }
    let source = ogc_vocabulary_source {
        struct_size: size_of::<ogc_vocabulary_source>(),
        tokens: 257,
        token: Some(token),
        user: ptr::null_mut(),
        end_tokens: ptr::null(),
        end_tokens_len: 0,
    };
    let mut made = ptr::null_mut();
    // SAFETY: the function writes good pointers.
    assert_eq!(unsafe { ogc_vocabulary_from_tokens(&raw const source, &raw mut made) }, ogc_status::OK);
    made
}

/// An event as values: its kind, its value's kind, its place, its path and its text.
type Told = (u32, u32, (usize, usize), String, String);

/// Takes the events that wait.
fn told(events: *mut ogc_events) -> Vec<Told> {
    let mut all = Vec::new();
    loop {
        // SAFETY: an event of zeros is one; the reader lives, and so does what the event points to until the next is taken.
        unsafe {
            let mut event: ogc_event = std::mem::zeroed();
            event.struct_size = size_of::<ogc_event>();
            assert_eq!(ogc_events_next(events, &raw mut event), ogc_status::OK, "{}", last_error());
            if event.kind == ogc_event_kind::NONE as u32 {
                return all;
            }
            let text = |bytes, len| String::from_utf8_lossy(std::slice::from_raw_parts(bytes, len)).into_owned();
            let (path, shown) = (text(event.path, event.path_len), text(event.text, event.text_len));
            all.push((event.kind, event.value, (event.start, event.end), path, shown));
        }
    }
}

fn said(kind: ogc_event_kind, value: ogc_value_kind, place: (usize, usize), path: &str, text: &str) -> Told {
    (kind as u32, value as u32, place, path.to_owned(), text.to_owned())
}

/// The events of `ada: say {"word":"h\u0069","n":4}!`, growing texts put together.
fn expected() -> Vec<Told> {
    use {ogc_event_kind as kind, ogc_value_kind as value};
    vec![
        said(kind::CAPTURE_BEGINS, value::NONE, (0, 0), "", "who"),
        said(kind::TEXT_GROWS, value::NONE, (0, 0), "", "ada"),
        said(kind::CAPTURE_ENDS, value::NONE, (0, 3), "", "who"),
        said(kind::TEXT_GROWS, value::NONE, (0, 0), "", ": say "),
        said(kind::VALUE_BEGINS, value::OBJECT, (9, 9), "", ""),
        said(kind::FIELD_BEGINS, value::NONE, (10, 10), "/word", ""),
        said(kind::VALUE_BEGINS, value::STRING, (17, 17), "/word", ""),
        said(kind::STRING_GROWS, value::NONE, (0, 0), "/word", "hi"),
        said(kind::VALUE_COMPLETE, value::STRING, (17, 26), "/word", ""),
        said(kind::FIELD_BEGINS, value::NONE, (27, 27), "/n", ""),
        said(kind::VALUE_BEGINS, value::NUMBER, (31, 31), "/n", ""),
        said(kind::VALUE_COMPLETE, value::NUMBER, (31, 32), "/n", "4"),
        said(kind::VALUE_COMPLETE, value::OBJECT, (9, 33), "", ""),
        said(kind::TEXT_GROWS, value::NONE, (0, 0), "", "!"),
        said(kind::ENDED, value::NONE, (34, 34), "", ""),
    ]
}

const TEXT: &str = r#"ada: say {"word":"h\u0069","n":4}!"#;

/// Puts pieces of one text or string together.
fn merged(told: Vec<Told>) -> Vec<Told> {
    let grows = [ogc_event_kind::TEXT_GROWS as u32, ogc_event_kind::STRING_GROWS as u32];
    let mut all: Vec<Told> = Vec::new();
    for event in told {
        match all.last_mut() {
            Some(last) if grows.contains(&event.0) && last.0 == event.0 => last.4 += &event.4,
            _ => all.push(event),
        }
    }
    all
}

#[test]
fn events_are_the_same_for_tokens_and_bytes() {
    let (format, vocabulary) = (compile(FORMAT), bytes_as_tokens());
    let (mut by_token, mut by_bytes, mut fork) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        assert_eq!(ogc_events_new(format, vocabulary, &raw mut by_token), ogc_status::OK);
        assert_eq!(ogc_events_new(format, ptr::null(), &raw mut by_bytes), ogc_status::OK);
        // Readers keep what they need.
        ogc_format_free(format);
        ogc_vocabulary_free(vocabulary);
        let mut found = Vec::new();
        for (at, byte) in TEXT.bytes().enumerate() {
            assert_eq!(ogc_events_read_token(by_token, u32::from(byte)), ogc_status::OK, "{}", last_error());
            // Events that are not taken at once wait.
            if at % 3 == 0 {
                found.extend(told(by_token));
            }
        }
        assert_eq!(ogc_events_read_token(by_token, 256), ogc_status::OK, "the end of the text has no text");
        assert_eq!(ogc_events_finish(by_token), ogc_status::OK);
        found.extend(told(by_token));
        assert_eq!(merged(found), expected());

        assert_eq!(ogc_events_read_token(by_bytes, 97), ogc_status::ARGUMENT);
        let (first, rest) = TEXT.as_bytes().split_at(20);
        assert_eq!(ogc_events_read_bytes(by_bytes, first.as_ptr(), first.len()), ogc_status::OK);
        // What was not taken is in both.
        assert_eq!(ogc_events_fork(by_bytes, &raw mut fork), ogc_status::OK);
        for events in [by_bytes, fork] {
            assert_eq!(ogc_events_read_bytes(events, rest.as_ptr(), rest.len()), ogc_status::OK);
            assert_eq!(ogc_events_finish(events), ogc_status::OK);
            assert_eq!(merged(told(events)), expected());
            ogc_events_free(events);
        }
        ogc_events_free(by_token);
        ogc_events_free(ptr::null_mut());
    }
}

#[test]
fn an_invalid_text_is_reported_and_the_error_is_final() {
    let format = compile(FORMAT);
    let mut events = ptr::null_mut();
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        assert_eq!(ogc_events_new(format, ptr::null(), &raw mut events), ogc_status::OK);
        assert_eq!(ogc_events_read_bytes(events, b"ada: ".as_ptr(), 5), ogc_status::OK);
        let told_before = told(events).len();
        assert!(told_before > 0);
        assert_eq!(ogc_events_read_bytes(events, b"sing".as_ptr(), 4), ogc_status::NOT_ALLOWED);
        assert_eq!(ogc_events_read_bytes(events, b"say {".as_ptr(), 5), ogc_status::NOT_ALLOWED);
        assert_eq!(told(events), []);
        ogc_events_free(events);
        assert_eq!(ogc_events_new(format, ptr::null(), &raw mut events), ogc_status::OK);
        assert_eq!(ogc_events_read_bytes(events, b"ada: say {".as_ptr(), 10), ogc_status::OK);
        assert_eq!(ogc_events_finish(events), ogc_status::NOT_ALLOWED);
        assert!(last_error().contains("not complete"), "{}", last_error());
        let mut small: ogc_event = std::mem::zeroed();
        assert_eq!(ogc_events_next(events, &raw mut small), ogc_status::ARGUMENT);
        assert_eq!(ogc_events_next(events, ptr::null_mut()), ogc_status::ARGUMENT);
        assert_eq!(ogc_events_new(ptr::null(), ptr::null(), &raw mut events), ogc_status::ARGUMENT);
        ogc_events_free(events);
        ogc_format_free(format);
    }
}

/// The bytes that a matcher is saved as.
fn saved(matcher: *const ogc_matcher) -> Vec<u8> {
    let mut needed = 0;
    // SAFETY: the matcher lives, and the buffer has as many bytes as it says.
    unsafe {
        assert_eq!(ogc_matcher_save(matcher, ptr::null_mut(), 0, &raw mut needed), ogc_status::OK);
        let mut bytes = vec![0; needed];
        assert_eq!(ogc_matcher_save(matcher, bytes.as_mut_ptr(), bytes.len(), &raw mut needed), ogc_status::OK);
        assert_eq!(bytes.len(), needed);
        bytes
    }
}

#[test]
fn states_can_be_moved_between_matchers_of_a_format() {
    let (format, vocabulary) = (compile(FORMAT), bytes_as_tokens());
    let other_format = compile("output Out = int\n");
    let mut made = [ptr::null_mut(); 3];
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        for (matcher, format) in made.iter_mut().zip([format, format, other_format]) {
            assert_eq!(ogc_matcher_new(format, vocabulary, ptr::null(), matcher), ogc_status::OK);
        }
        let [one, two, other] = made;
        let begun = &TEXT.as_bytes()[..20];
        for &byte in begun {
            assert_eq!(ogc_matcher_accept_token(one, u32::from(byte)), ogc_status::OK);
        }
        let bytes = saved(one);
        assert_eq!(ogc_matcher_restore(two, bytes.as_ptr(), bytes.len()), ogc_status::OK, "{}", last_error());
        assert_eq!(ogc_matcher_len(two), 20);
        let mut masks = [[0_u32; 9]; 2];
        for (matcher, mask) in [one, two].into_iter().zip(&mut masks) {
            assert_eq!(ogc_matcher_rollback(matcher, 3), ogc_status::OK);
            assert_eq!(ogc_matcher_fill_mask(matcher, mask.as_mut_ptr(), 9), ogc_status::OK);
        }
        assert!(masks[0] == masks[1] && masks[0] != [0; 9]);
        assert_eq!(ogc_matcher_restore(other, bytes.as_ptr(), bytes.len()), ogc_status::DATA);
        assert!(last_error().contains("of format"), "{}", last_error());
        assert_eq!(ogc_matcher_restore(two, bytes.as_ptr(), bytes.len() - 1), ogc_status::DATA);
        assert_eq!(ogc_matcher_len(two), 17, "nothing has changed");
        made.into_iter().for_each(|matcher| ogc_matcher_free(matcher));
        [format, other_format].into_iter().for_each(|format| ogc_format_free(format));
        ogc_vocabulary_free(vocabulary);
    }
}
