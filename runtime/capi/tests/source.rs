//! Formats from source text: each language compiles, and what is wrong is said with its line and column.

#![cfg(feature = "compiler")]
#![allow(unsafe_code, reason = "the interface is that of C")]

use std::ffi::CStr;
use std::ptr;

use ogc_capi::*;

fn source(language: ogc_language, text: &str) -> ogc_source {
    ogc_source {
        struct_size: size_of::<ogc_source>(),
        language: language as u32,
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
    }
}

/// Compiles a source, and gives back whether texts are of the format; or the status and the message.
fn compile(source: &ogc_source, texts: &[&str]) -> Result<Vec<bool>, (ogc_status, String)> {
    let mut format = ptr::null_mut();
    // SAFETY: the source points to texts that live on.
    let status = unsafe { ogc_format_compile(source, &raw mut format) };
    if status != ogc_status::OK {
        assert!(format.is_null());
        // SAFETY: it is a string until the next call.
        let message = unsafe { CStr::from_ptr(ogc_last_error()) }.to_string_lossy().into_owned();
        return Err((status, message));
    }
    let accepted = texts.iter().map(|text| accepts(format, text)).collect();
    // SAFETY: it is not used again.
    unsafe { ogc_format_free(format) };
    Ok(accepted)
}

/// Returns whether a text is of a format.
fn accepts(format: *const ogc_format, text: &str) -> bool {
    extern "C" fn token(_: *mut std::ffi::c_void, _: u32, token: *mut ogc_token) {
        // SAFETY: the caller gives a token.
        let token = unsafe { &mut *token };
        (token.kind, token.text, token.text_len) = (ogc_token_kind::TEXT as u32, c"x".as_ptr().cast(), 1);
    }
    let vocabulary = ogc_vocabulary_source {
        struct_size: size_of::<ogc_vocabulary_source>(),
        tokens: 1,
        token: Some(token),
        user: ptr::null_mut(),
        end_tokens: ptr::null(),
        end_tokens_len: 0,
    };
    let (mut made, mut matcher) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        assert_eq!(ogc_vocabulary_from_tokens(&raw const vocabulary, &raw mut made), ogc_status::OK);
        assert_eq!(ogc_matcher_new(format, made, ptr::null(), &raw mut matcher), ogc_status::OK);
        let read = ogc_matcher_accept_bytes(matcher, text.as_ptr(), text.len()) == ogc_status::OK;
        let accepted = read && ogc_matcher_is_complete(matcher);
        ogc_matcher_free(matcher);
        ogc_vocabulary_free(made);
        accepted
    }
}

#[test]
fn every_language_compiles() {
    let cases = [
        (ogc_language::OGC, "import \"std.tools\" as std\noutput Out = int<0..9>\n", ["7", "10"]),
        (ogc_language::JSON_SCHEMA, r#"{"enum": ["a", null]}"#, ["null", "1"]),
        (
            ogc_language::JSON_SCHEMA,
            r#"{"type": "structural_tag", "format": {"type": "const_string", "value": "a"}}"#,
            ["a", "\"a\""],
        ),
        (ogc_language::GBNF, "root ::= \"a\" root?", ["aaa", ""]),
        (ogc_language::EBNF, "root ::= [a-c]", ["b", "d"]),
        (ogc_language::ABNF, "a = \"ab\"", ["aB", "b"]),
        (ogc_language::LARK, "start: \"yes\" | \"no\"", ["no", "on"]),
        (ogc_language::REGEX, "[a-z]{2}", ["ab", "abc"]),
    ];
    for (language, text, texts) in cases {
        let compiled = compile(&source(language, text), &texts);
        assert_eq!(compiled, Ok(vec![true, false]), "{language:?}");
    }
}

#[test]
fn a_structural_tag_names_the_special_tokens_of_a_vocabulary() {
    /// Texts of a character each, the special token `<x>`, and the one that ends texts.
    extern "C" fn token(_: *mut std::ffi::c_void, id: u32, token: *mut ogc_token) {
        // SAFETY: the caller gives a token.
        let token = unsafe { &mut *token };
        let (kind, text) = [
            (ogc_token_kind::TEXT, c"a"),
            (ogc_token_kind::TEXT, c"<"),
            (ogc_token_kind::TEXT, c"x"),
            (ogc_token_kind::TEXT, c">"),
            (ogc_token_kind::SPECIAL, c"<x>"),
            (ogc_token_kind::SPECIAL, c"</s>"),
        ][id as usize];
        token.kind = kind as u32;
        let (bytes, len) = (text.as_ptr().cast(), text.count_bytes());
        match kind {
            ogc_token_kind::SPECIAL => (token.name, token.name_len) = (bytes, len),
            _ => (token.text, token.text_len) = (bytes, len),
        }
    }
    let ends = [5];
    let vocabulary = ogc_vocabulary_source {
        struct_size: size_of::<ogc_vocabulary_source>(),
        tokens: 6,
        token: Some(token),
        user: ptr::null_mut(),
        end_tokens: ends.as_ptr(),
        end_tokens_len: 1,
    };
    let tag = r#"{"type": "structural_tag", "format": {"type": "const_string", "value": "a<x>"}}"#;
    let mut made = ptr::null_mut();
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        assert_eq!(ogc_vocabulary_from_tokens(&raw const vocabulary, &raw mut made), ogc_status::OK);
        for (known, ids) in [(made.cast_const(), &[0, 4, 5][..]), (ptr::null(), &[0, 1, 2, 3, 5])] {
            let source = ogc_source { vocabulary: known, ..source(ogc_language::JSON_SCHEMA, tag) };
            let (mut format, mut matcher) = (ptr::null_mut(), ptr::null_mut());
            assert_eq!(ogc_format_compile(&raw const source, &raw mut format), ogc_status::OK);
            assert_eq!(ogc_matcher_new(format, made, ptr::null(), &raw mut matcher), ogc_status::OK);
            for &id in ids {
                assert_eq!(ogc_matcher_accept_token(matcher, id), ogc_status::OK, "{id}");
            }
            ogc_matcher_free(matcher);
            ogc_format_free(format);
        }
        ogc_vocabulary_free(made);
    }
}

#[test]
fn errors_have_positions() {
    let text = "output Out = {\n  a: string,\n  b: strin,\n}\n";
    let named = ogc_source { name: "a.ogc".as_ptr(), name_len: 5, ..source(ogc_language::OGC, text) };
    let (status, message) = compile(&named, &[]).unwrap_err();
    assert_eq!(status, ogc_status::SOURCE);
    assert!(message.starts_with("a.ogc:3:6: ") && message.contains("[unknown-name]"), "{message}");
    let (_, message) = compile(&source(ogc_language::JSON_SCHEMA, "{\n \"type\": \"integr\"}"), &[]).unwrap_err();
    assert!(message.starts_with("<source>:2:"), "{message}");
}

/// Compiles a source, and returns its warnings.
fn warnings(source: &ogc_source) -> String {
    let mut format = ptr::null_mut();
    // SAFETY: the source points to texts that live on; the format is freed once, after its warnings were copied.
    unsafe {
        assert_eq!(ogc_format_compile(source, &raw mut format), ogc_status::OK);
        let warnings = CStr::from_ptr(ogc_format_warnings(format)).to_string_lossy().into_owned();
        ogc_format_free(format);
        warnings
    }
}

#[test]
fn warnings_of_compiled_sources_have_positions() {
    let schema = "{\"type\": \"string\",\n \"format\": \"no-such\"}";
    let found = warnings(&source(ogc_language::JSON_SCHEMA, schema));
    assert!(found.starts_with("<source>:2:") && found.contains(": warning: "), "{found}");
    assert!(found.contains("[unknown-format]"), "{found}");
    assert_eq!(warnings(&source(ogc_language::OGC, "output Out = int<0..9>\n")), "");
    // SAFETY: null is no format.
    assert!(unsafe { ogc_format_warnings(ptr::null()) }.is_null());
}

#[test]
fn the_definition_field_selects_what_is_compiled() {
    let text = "type A = int<1..2>\noutput B = A\noutput C = A[0..3]\n";
    let (status, message) = compile(&source(ogc_language::OGC, text), &[]).unwrap_err();
    assert_eq!(
        (status, message.as_str()),
        (ogc_status::SOURCE, "<source>: there are several outputs; the definitions are B, C: name one as `definition`")
    );
    let named = |name: &'static str| ogc_source {
        definition: name.as_ptr(),
        definition_len: name.len(),
        ..source(ogc_language::OGC, text)
    };
    assert_eq!(compile(&named("A"), &["2", "[2]"]), Ok(vec![true, false]));
    assert_eq!(compile(&named("C"), &["2", "[2]"]), Ok(vec![false, true]));
    let (_, message) = compile(&named("D"), &[]).unwrap_err();
    assert!(message.contains("`D` without parameters; the definitions are A, B, C"), "{message}");
    let (_, message) = compile(&source(ogc_language::OGC, "type A = int\n"), &[]).unwrap_err();
    assert!(message.contains("no output"), "{message}");
    let (_, message) = compile(&source(ogc_language::OGC, "import \"b.ogc\" as b\noutput A = b.X\n"), &[]).unwrap_err();
    assert!(message.contains("1:8") && message.contains("b.ogc"), "{message}");
}

#[test]
fn policy_fields_apply_only_to_schemas() {
    let text = r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a", "b"]}"#;
    let texts = [r#"{"a": 1, "b": "x"}"#, r#"{"b": "x", "a": 1}"#, r#"{"a":1,"b":"\u0078"}"#];
    let plain = || source(ogc_language::JSON_SCHEMA, text);
    assert_eq!(compile(&plain(), &texts), Ok(vec![true, false, false]));
    assert_eq!(compile(&ogc_source { space: 1, escapes: 1, ..plain() }, &texts), Ok(vec![false, false, true]));
    assert_eq!(compile(&ogc_source { space: 2, order: 1, ..plain() }, &texts), Ok(vec![true, true, false]));
    assert_eq!(compile(&ogc_source { escapes: 1, ..plain() }, &texts), Ok(vec![true, false, true]));
    let annotating = |names: &'static str, text| ogc_source {
        annotate: names.as_ptr(),
        annotate_len: names.len(),
        ..source(ogc_language::JSON_SCHEMA, text)
    };
    let text = r#"{"properties": {"a": {"multipleOf": 2}, "d": {"format": "date"}}, "required": ["a"]}"#;
    let texts = [r#"{"a":1}"#, r#"{"a":2e0}"#, r#"{"a":2,"d":""}"#, r#"{"a":2,"x":1}"#];
    let plain_members = || source(ogc_language::JSON_SCHEMA, text);
    for (given, are_of_it) in [
        (plain_members(), [false, true, false, true]),
        (ogc_source { numbers: 1, ..plain_members() }, [false, false, false, true]),
        (ogc_source { formats: 2, ..plain_members() }, [false, true, true, true]),
        (ogc_source { objects: 1, ..plain_members() }, [false, true, false, false]),
        (annotating("multipleOf", text), [true, true, false, true]),
    ] {
        assert_eq!(compile(&given, &texts), Ok(are_of_it.to_vec()), "{given:?}");
    }
    let flag = || source(ogc_language::JSON_SCHEMA, r#"{"enum": [true, null]}"#);
    assert_eq!(compile(&flag(), &["true", "True", "None"]), Ok(vec![true, false, false]));
    assert_eq!(compile(&ogc_source { words: 1, ..flag() }, &["true", "True", "None"]), Ok(vec![false, true, true]));
    assert!(warnings(&annotating("multipleOf", text)).contains("weakened-keyword"));
    let (_, message) = compile(&annotating("multipleOff", text), &[]).unwrap_err();
    assert!(message.contains("source.annotate: `multipleOff` is no keyword"), "{message}");
    let wrong = [
        ogc_source { numbers: 2, ..plain() },
        ogc_source { formats: 5, ..plain() },
        ogc_source { objects: 2, ..plain() },
        ogc_source { words: 2, ..plain() },
        annotating("", text),
        ogc_source { space: 3, ..plain() },
        ogc_source { order: 2, ..plain() },
        ogc_source { escapes: 2, ..plain() },
        ogc_source { space: 1, ..source(ogc_language::REGEX, "a") },
        ogc_source { language: 99, ..plain() },
        ogc_source { struct_size: 8, ..plain() },
        ogc_source { text: ptr::null(), ..plain() },
        ogc_source { text: b"\xff".as_ptr(), text_len: 1, ..plain() },
    ];
    for wrong in &wrong {
        assert_eq!(compile(wrong, &[]).unwrap_err().0, ogc_status::ARGUMENT, "{wrong:?}");
    }
}

#[test]
fn deep_sources_are_refused_on_small_stacks() {
    let check = || {
        let deep = ["{\"not\":", "(", "["].map(|open| open.repeat(100_000));
        let languages = [ogc_language::JSON_SCHEMA, ogc_language::REGEX, ogc_language::OGC];
        for (language, text) in languages.into_iter().zip(&deep) {
            assert_eq!(compile(&source(language, text), &[]).unwrap_err().0, ogc_status::SOURCE, "{language:?}");
        }
    };
    std::thread::Builder::new().stack_size(1 << 18).spawn(check).expect("a thread").join().expect("no overflow");
}

#[test]
fn schemas_can_reference_given_resources() {
    let resource = |name: &'static str, text: &'static str| ogc_resource {
        name: name.as_ptr(),
        name_len: name.len(),
        text: text.as_ptr(),
        text_len: text.len(),
    };
    let given = [resource("https://x.org/a", r#"{"$ref": "b"}"#), resource("https://x.org/b", r#"{"enum": [1]}"#)];
    let schema = r#"{"$ref": "https://x.org/a"}"#;
    let alone = source(ogc_language::JSON_SCHEMA, schema);
    let (status, message) = compile(&alone, &[]).expect_err("nothing is fetched");
    assert!(status == ogc_status::SOURCE && message.contains("no schema is known as \"https://x.org/a\""), "{message}");
    let with = ogc_source { resources: given.as_ptr(), resources_len: 2, ..source(ogc_language::JSON_SCHEMA, schema) };
    assert_eq!(compile(&with, &["1", "2"]), Ok(vec![true, false]));
    let types = [resource("types.ogc", "type A = 1 | 2\n")];
    let import = "import A from \"types.ogc\"\noutput O = A\n";
    let with = ogc_source { resources: types.as_ptr(), resources_len: 1, ..source(ogc_language::OGC, import) };
    assert_eq!(compile(&with, &["2", "3"]), Ok(vec![true, false]));
}
