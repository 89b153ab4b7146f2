//! Patterns of internationalised host names (RFC 5890 to 5893).
//!
//! A label is of one of these kinds, which keeps the rules of the RFCs about whole labels regular:
//!
//! - letters from left to right without marks, of several scripts: Latin, Greek, Cyrillic, Armenian, Georgian, Kana, Han, Hangul;
//! - letters and marks of one script: Devanagari, Bengali, Gujarati, Tamil, Telugu, Thai;
//! - letters from right to left of one script: Hebrew, Arabic.
//!
//! All code points are `PVALID`, or allowed in their context (RFC 5892). Labels are in normal form C: no mark composes
//! with the character before it, and no two marks are in an order that normalisation would change.

use regex_syntax::hir::{Class, HirKind};

/// Greatest number of characters in a label with letters beyond ASCII; as an A-label it then never needs more than 63
/// characters.
const LONGEST: u32 = 11;

/// Small letters that normalisation and case folding leave unchanged.
const SMALL: &str = "[\\p{Ll}&&[\\u00DF-\\u024F\\u0390-\\u03CE\\u0430-\\u052F\\u0560-\\u0586\\u1E00-\\u1EFF]]\
    --[\\u0133\\u0140\\u0149\\u017F\\u01C6\\u01C9\\u01CC\\u01F3\\u1E9A\\u1E9B]";

/// Letters without case: Georgian, Kana, Han, Hangul.
const OTHERS: &str = "\\u10D0-\\u10FA\\u3041-\\u3096\\u309D\\u309E\\u30A1-\\u30FA\\u30FC-\\u30FE\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3";

/// A script whose vowels or tones are marks.
struct MarkedScript {
    /// Letters and digits that a label may begin with.
    letters: &'static str,
    marks: &'static str,
    /// Pairs of neighbours that normalisation would change.
    refused: Option<&'static str>,
}

const MARKED: [MarkedScript; 6] = [
    // Devanagari.
    MarkedScript {
        letters: "\\u0904-\\u0939\\u093D\\u0950\\u0960\\u0961\\u0966-\\u096F\\u0971-\\u097F",
        marks: "\\u0900-\\u0903\\u093A\\u093B\\u093E-\\u094F\\u0955-\\u0957\\u0962\\u0963",
        refused: None,
    },
    // Bengali.
    MarkedScript {
        letters: "\\u0985-\\u098C\\u098F\\u0990\\u0993-\\u09A8\\u09AA-\\u09B0\\u09B2\\u09B6-\\u09B9\\u09BD\\u09CE\\u09E0\\u09E1\\u09E6-\\u09F1",
        marks: "\\u0981-\\u0983\\u09BE-\\u09C4\\u09C7\\u09C8\\u09CB-\\u09CD\\u09E2\\u09E3",
        refused: Some("\\u09C7\\u09BE"),
    },
    // Gujarati.
    MarkedScript {
        letters: "\\u0A85-\\u0A8D\\u0A8F-\\u0A91\\u0A93-\\u0AA8\\u0AAA-\\u0AB0\\u0AB2\\u0AB3\\u0AB5-\\u0AB9\\u0ABD\\u0AD0\\u0AE0\\u0AE1\\u0AE6-\\u0AEF",
        marks: "\\u0A81-\\u0A83\\u0ABE-\\u0AC5\\u0AC7-\\u0AC9\\u0ACB-\\u0ACD\\u0AE2\\u0AE3",
        refused: None,
    },
    // Tamil.
    MarkedScript {
        letters: "\\u0B83\\u0B85-\\u0B8A\\u0B8E-\\u0B90\\u0B92-\\u0B95\\u0B99\\u0B9A\\u0B9C\\u0B9E\\u0B9F\\u0BA3\\u0BA4\\u0BA8-\\u0BAA\\u0BAE-\\u0BB9\\u0BE6-\\u0BEF",
        marks: "\\u0B82\\u0BBE-\\u0BC2\\u0BC6-\\u0BC8\\u0BCA-\\u0BCD",
        refused: Some("[\\u0BC6\\u0BC7]\\u0BBE"),
    },
    // Telugu.
    MarkedScript {
        letters: "\\u0C05-\\u0C0C\\u0C0E-\\u0C10\\u0C12-\\u0C28\\u0C2A-\\u0C39\\u0C3D\\u0C60\\u0C61\\u0C66-\\u0C6F",
        marks: "\\u0C01-\\u0C03\\u0C3E-\\u0C44\\u0C46-\\u0C48\\u0C4A-\\u0C4D\\u0C62\\u0C63",
        refused: None,
    },
    // Thai, whose tones come after the vowels below.
    MarkedScript {
        letters: "\\u0E01-\\u0E30\\u0E32\\u0E40-\\u0E46\\u0E50-\\u0E59",
        marks: "\\u0E31\\u0E34-\\u0E39\\u0E47-\\u0E4E",
        refused: Some("[\\u0E48-\\u0E4B][\\u0E38\\u0E39]"),
    },
];

const HEBREW: &str = "\\u05D0-\\u05EA";
const ARABIC: &str = "\\u0620-\\u063F\\u0641-\\u064A\\u066E\\u066F\\u0671-\\u0674\\u0679-\\u06D3\\u06D5\\u06EE\\u06EF\\u06FA-\\u06FC\\u06FF";

/// Returns the pattern of a label from left to right: in ASCII as given, or with other letters.
pub(super) fn label(ascii: &str) -> String {
    let letters = format!("a-z0-9{}{OTHERS}", class(SMALL));
    // A middle dot only between two `l`, as in Catalan.
    let dot = "(?![^.]*(?:[^l]\\u00B7|\\u00B7[^l]))";
    let mut kinds = vec![ascii.to_owned(), format!("{dot}{}", chars(&letters, "\\u00B7\\-", &letters))];
    for MarkedScript { letters, marks, refused } in MARKED {
        let sorted = refused.map_or(String::new(), |pair| format!("(?![^.]*{pair})"));
        let first = format!("a-z0-9{letters}");
        kinds.push(format!("{sorted}{}", chars(&first, &format!("{marks}\\-"), &format!("{first}{marks}"))));
    }
    format!("(?:{})", kinds.join("|"))
}

/// Returns the pattern of a label in a name with right-to-left letters (RFC 5893): either of these letters, with digits
/// of one kind, or in ASCII, beginning with a letter.
pub(super) fn label_of_both_ways(ascii: &str) -> String {
    let quotes = "\\u05F3\\u05F4";
    // Geresh and gershayim stand only after letters.
    let hebrew = format!("(?![^.]*[0-9\\-][{quotes}]){}", chars(HEBREW, "\\-", &format!("{HEBREW}0-9{quotes}")));
    let digits = ["0-9\\u06F0-\\u06F9", "\\u0660-\\u0669"];
    let arabic = digits.map(|digits| chars(ARABIC, "\\-", &format!("{ARABIC}{digits}")));
    format!("(?:{hebrew}|{}|(?=[a-zA-Z])(?:{ascii}))", arabic.join("|"))
}

/// Returns the pattern of a label from three character sets: `first` for its first character, `inside` for characters
/// that may neither begin nor end it, and `last` for characters that may stand inside and at the end.
fn chars(first: &str, inside: &str, last: &str) -> String {
    let most = LONGEST - 2;
    format!("(?!..--)[{first}](?:[{last}{inside}]{{0,{most}}}[{last}])?")
}

/// Returns a class with Unicode properties, written out as ranges.
fn class(written: &str) -> String {
    let parsed = regex_syntax::parse(&format!("[{written}]"));
    let ranges = match parsed.as_ref().map(regex_syntax::hir::Hir::kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class.ranges(),
        _ => &[],
    };
    ranges
        .iter()
        .map(|range| format!("\\u{{{:X}}}-\\u{{{:X}}}", u32::from(range.start()), u32::from(range.end())))
        .collect()
}
