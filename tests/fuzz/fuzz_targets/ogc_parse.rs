//! Any text as an ogc file: no panic, places within the text, corrections that can be applied, items that are parsed
//! alike by themselves, and a stable layout with the same meaning.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_grammar::fix;
use ogc_grammar::ogc::{format, items, parse, parse_item, print, tokens};

fuzz_target!(|text: &str| {
    let parsed = parse(text);
    for found in &parsed.diagnostics {
        let places = found.labels.iter().map(|label| label.0).chain([found.span]);
        for place in places {
            assert!(text.get(place.start as usize..place.end as usize).is_some(), "{found:?}");
        }
        if let Some(correction) = &found.fix {
            let (corrected, applied) = fix::apply(text, std::iter::once(correction));
            assert_eq!(applied, [0], "{found:?} cannot be corrected");
            assert_ne!(corrected, text, "{found:?} is corrected by nothing");
            let _read = parse(&corrected);
        }
    }
    let covered = tokens(text).iter().map(|token| token.span.len() as usize).sum::<usize>();
    assert_eq!(covered, text.len(), "tokens leave gaps");
    for item in items(text).items {
        let _read = parse_item(item.span.text(text), 0);
    }
    let once = format(text);
    assert_eq!(format(&once), once, "the layout is not stable");
    if parsed.diagnostics.is_empty() {
        assert_eq!(parse(&once).diagnostics, [], "the layout has findings");
        let printed = print(&parsed.file);
        assert_eq!(print(&parse(&once).file), printed, "the layout means something else");
        assert_eq!(print(&parse(&printed).file), printed, "what is printed reads back differently");
    }
});
