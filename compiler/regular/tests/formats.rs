//! Formats against an independent validator: it accepts everything that our automaton accepts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ogc_kit::Random;
use ogc_regular::format::{format, names, practical, practical_of_pattern};
use serde_json::{Value, json};

/// A pattern, compiled once.
fn compiled(pattern: &'static str) -> Arc<fancy_regex::Regex> {
    static KNOWN: Mutex<BTreeMap<&str, Arc<fancy_regex::Regex>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("no thread panics with the lock");
    let fresh = || Arc::new(fancy_regex::Regex::new(pattern).expect("a pattern"));
    Arc::clone(known.entry(pattern).or_insert_with(fresh))
}

/// Returns the validator of a format. For host names that is draft 6: RFC 1123 allows letters, digits and hyphens, and
/// does not decode `xn--`.
fn judge(name: &str) -> impl Fn(&str) -> bool + use<> {
    let draft = if name == "ip-address" { "ipv4" } else { name };
    let old = "http://json-schema.org/draft-06/schema#";
    let new = "https://json-schema.org/draft/2020-12/schema";
    let schema = json!({"$schema": if name == "hostname" { old } else { new }, "format": draft});
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
    let name = name.to_owned();
    move |text| validator.is_valid(&Value::from(as_judged(&name, text)))
}

/// Rewrites a text so that the validator accepts the result if and only if the standard accepts `text`, where the two
/// differ.
fn as_judged(name: &str, text: &str) -> String {
    let replaced = |pattern: &'static str, by: &str, text: &str| compiled(pattern).replace_all(text, by).into_owned();
    match name {
        // The validator does not know that a space can be quoted, takes angle brackets for those around an address,
        // decodes labels that begin with `xn--`, and rejects leading zeros.
        "email" => {
            let text = text.replace("\\ ", "\\a").replace(['<', '>'], "a");
            let text = replaced(r"([@.][A-Za-z0-9-]{2})-(?=-)", "${1}a", &text);
            replaced(r"(?<=[\[.])(?:00(?=\d[.\]])|0(?=\d{1,2}[.\]]))(?=[\d.]*\]$)", "", &text)
        }
        // The validator implements the first edition of relative pointers, which has no offsets among items.
        "relative-json-pointer" => replaced(r"^(0|[1-9]\d*)[+-][1-9]\d*", "${1}", text),
        _ => text.to_owned(),
    }
}

/// The validator was built without international names.
fn judged() -> impl Iterator<Item = &'static str> {
    names().filter(|name| !name.starts_with("idn"))
}

#[test]
fn every_format_compiles() {
    for name in names() {
        let format = format(name).unwrap_or_else(|| panic!("{name} exceeds the limits"));
        assert!(!format.dfa.is_empty(), "{name}");
        assert!(format.dfa.len() < 4000, "{name} has {} states", format.dfa.len());
    }
    assert!(format("no-such-format").is_none());
}

#[test]
fn samples_are_valid() {
    for name in judged() {
        let (format, judge) = (format(name).unwrap(), judge(name));
        let mut rng = Random::new(0xABCD_EF01);
        for _ in 0..4000 {
            let text = String::from_utf8(format.dfa.sample(&mut || rng.next()).unwrap()).unwrap();
            if format.contains(&text) {
                assert!(judge(&text), "{name}: {text:?}");
            }
        }
    }
}

const VALID: &[(&str, &[&str])] = &[
    ("date-time", &["2024-02-29T23:59:60Z", "1999-12-31t00:00:00.5+01:30", "2000-02-29T00:00:00z"]),
    ("date", &["2024-02-29", "2000-02-29", "0000-02-29", "1999-12-31", "2023-04-30"]),
    (
        "time",
        &[
            "08:30:06Z",
            "23:59:60.123+00:00",
            "12:00:00.1-23:59",
            "15:59:60-08:00",
            "01:29:60.5+01:30",
            "00:29:60-23:30",
        ],
    ),
    ("duration", &["P4Y", "P1W", "PT0S", "P1Y2M3DT4H5M6S", "P1M2D", "PT1H2M"]),
    (
        "email",
        &[
            "joe@example.org",
            "a.b+c@x",
            "\"joe b\"@x.org",
            "\"a\\\"b\\\\c\"@x",
            "te~s!t@e.co",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@[IPv6:1:2::3:4:5:6]",
            "a@[127.000.00.1]",
            "a@xn--bcher-kva.example",
            "\"\"@x",
        ],
    ),
    ("hostname", &["a", "www.example.com", "a-b.c", "1.2.3", "A.b", "xn-a.b", "r3---sn-a.b"]),
    ("ipv4", &["0.0.0.0", "255.255.255.255", "1.20.199.250"]),
    (
        "ipv6",
        &[
            "::",
            "::1",
            "1::",
            "1:2:3:4:5:6:7:8",
            "::ffff:1.2.3.4",
            "1:2:3:4:5:6:1.2.3.4",
            "1::3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "fe80::a",
        ],
    ),
    (
        "uri",
        &[
            "http://a/b?c#d",
            "urn:x:y",
            "mailto:a@b",
            "a:",
            "http://[::1]:80/",
            "http://u:p@h:8/%20?q=1#f",
            "a:/b//c",
            "file:///x",
        ],
    ),
    ("uri-reference", &["", "#f", "?q", "/a/b", "a/b:c", "//h/p", "http://a", "./a:b", "a"]),
    ("iri", &["http://é/ü?\u{E000}#ß", "http://a"]),
    ("iri-reference", &["é", "/â", "#é"]),
    ("uuid", &["2EB8AA08-aa98-11ea-b4aa-73b441d16380"]),
    ("uri-template", &["http://a/{b,c*}/{+d:3}{?e}", "", "{a.b}", "x%20y", "é"]),
    ("json-pointer", &["", "/", "/a~0b~1c/0", "//"]),
    ("relative-json-pointer", &["0", "1/a", "0#", "120/foo/bar", "1-2/a", "0+1"]),
    (
        "regex",
        &[
            "^a[b-]*(c|d)+?$",
            "([abc])+\\s+$",
            "(?:a(b)){2,}",
            "\\u0041\\u{1F600}\\uD83D\\uDE00",
            "",
            "a|b",
            "a{3,5}b{0,10}?c{12,34}d{007,7}e{2}f{2,}g{9,100}h{128,256}i{1000,65535}j{99999}",
            "^[a-f0-9]{8}-(?:[1-5A-F]{3}-)?[!-/:-@\\-_^&~]+[^\\]\\\\\\s]$",
            "(?=.*[A-Z])(?!x)(?<=y)(?<!z)[\\x00-\\x1F\\u4e00-\\u9fa5а-я\\b]",
            "[-a][a-][--9][a-z-9][\\d-][]|[^]",
            "\\cJ\\0\\p{Lu}\\P{L}\\/\\-\\@\\bx\\B",
            "((a|[b-d]{1,2})+x)*",
            "a\nb é",
        ],
    ),
];

#[test]
fn known_valid_strings_are_accepted() {
    for (name, texts) in VALID {
        let (format, judge) = (format(name).unwrap(), judge(name));
        for text in *texts {
            assert!(judge(text), "the judge refuses {name}: {text:?}");
            assert!(format.contains(text), "{name}: {text:?}");
        }
    }
}

/// On mutations of valid strings, the languages agree except for what [`ogc_regular::format::StringFormat::left_out`]
/// names.
#[test]
fn verdicts_on_mutated_strings_agree_with_the_judge() {
    const LETTERS: &[u8] = b"0123459:.-+/@[]%#?TZPYMDWHS aZf~{}\"_\\x";
    let mut rng = Random::new(99);
    for (name, texts) in VALID {
        let (format, judge) = (format(name).unwrap(), judge(name));
        for _ in 0..20_000 {
            let mut text: Vec<char> = texts[rng.below(texts.len())].chars().collect();
            for _ in 0..=rng.below(3) {
                let at = rng.below(text.len() + 1);
                let letter = char::from(LETTERS[rng.below(LETTERS.len())]);
                match rng.below(3) {
                    0 => text.insert(at, letter),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ if at < text.len() => text[at] = letter,
                    _ => {}
                }
            }
            let text: String = text.into_iter().collect();
            let (ours, theirs) = (format.contains(&text), judge(&text));
            assert!(!ours || theirs, "{name}: only we take {text:?}");
            assert!(!theirs || ours || excused(name, &text), "{name}: only the judge takes {text:?}");
        }
    }
}

/// Returns whether the text has digits where digits belong.
fn shaped(name: &str, text: &str) -> bool {
    let shape = match name {
        "date" => r"^\d{4}-\d\d-\d\d$",
        "time" => r"^\d\d:\d\d:\d\d(\.\d+)?([zZ]|[+-]\d\d:\d\d)$",
        _ => r"^\d{4}-\d\d-\d\d[tT]\d\d:\d\d:\d\d(\.\d+)?([zZ]|[+-]\d\d:\d\d)$",
    };
    compiled(shape).is_match(text).unwrap_or(false)
}

/// Returns whether the text has a leap second in an offset that is no multiple of 15 minutes.
fn off_quarter_leap(text: &str) -> bool {
    text.contains(":60") && !["00", "15", "30", "45"].iter().any(|minutes| text.ends_with(minutes))
}

/// Returns whether the pattern has, or may have, something that our patterns leave out.
fn beyond(text: &str) -> bool {
    let some = r"\\[k1-9]|\\[^ -~]|\\x..-|-\\x|\(\?<?[=!][^)]*[\[{(]|\\[pPu]|\(\?<[^=!]|\(\?[a-z-]|\{0*[1-9]\d\d|[^\x00-\x7f]-|\\u[^]]*-|\([^)]*\([^)]*[\[(]";
    compiled(some).is_match(text).unwrap_or(true)
}

fn excused(name: &str, text: &str) -> bool {
    match name {
        // The judge also accepts some other characters as digits.
        "time" | "date" | "date-time" => off_quarter_leap(text) || !shaped(name, text),
        // Excludes the judge's angle brackets, which are wrong outside quotation marks. RFC 5321 demands that `::`
        // stand for at least two groups, and `[::1]` without a tag is no address.
        "email" => text.contains(['<', '>']) || text.contains("::"),
        // The standard allows no leading zeros.
        "relative-json-pointer" => text.starts_with('0'),
        "regex" => beyond(text),
        "hostname" => text.to_ascii_lowercase().split('.').any(|label| label.starts_with("xn--")),
        _ => false,
    }
}

#[test]
fn lengths_and_quoting_of_host_names_and_emails_are_checked() {
    let hostname = format("hostname").unwrap();
    let long = ["a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61)].join(".");
    assert!(hostname.contains(&long) && !hostname.contains(&format!("{long}e")));
    let exact = hostname.exact(100_000).unwrap();
    assert!(exact.contains(long.as_bytes()) && !exact.contains(format!("{long}e").as_bytes()));
    assert!(!hostname.contains(&"a".repeat(64)));
    let email = format("email").unwrap();
    let quoted = |pairs: usize, plain: usize| format!("\"{}{}\"@b", "\\@".repeat(pairs), "@".repeat(plain));
    assert!(email.contains(&quoted(31, 0)) && email.contains(&quoted(20, 22)) && !email.contains(&quoted(20, 23)));
    assert!(!email.contains("\"a\"b\"@x") && !email.contains("\"a\\\"@x") && !email.contains("\"a\"@\"@x"));
    assert!(email.contains("\"<a>\\ \"@x") && !email.contains("<a>@x") && !email.contains("a@<x>"));
    assert!(email.contains(&format!("{}@b", "a".repeat(64))) && !email.contains(&format!("{}@b", "a".repeat(65))));
}

/// Labels that would have to be decoded are in no host name; the wide form contains them.
#[test]
fn punycode_labels_are_refused() {
    for name in ["hostname", "idn-hostname"] {
        let format = format(name).unwrap();
        for text in ["xn--mnchen-3ya.de", "a.XN--80ak6aa92e.com", "xn--X", "Xn--a"] {
            assert!(!format.contains(text), "{name}: {text}");
        }
        assert!(["xn", "xn-a", "axn--b", "x--n", "nx--a"].iter().all(|text| format.contains(text)), "{name}");
    }
    let cover = format("hostname").unwrap().cover(100_000).unwrap().unwrap();
    assert!(cover.contains(b"xn--mnchen-3ya.de") && cover.contains(b"a.b") && !cover.contains(b"-a"));
    assert!(!cover.contains("a".repeat(254).as_bytes()));
    assert!(format("email").unwrap().contains("a@xn--bcher-kva.example"));
}

/// Labels that RFC 5892 and RFC 5893 reject, and labels that normalisation would change.
#[test]
fn labels_of_many_scripts_are_judged_as_idna_says() {
    let host = format("idn-hostname").unwrap();
    let valid = [
        "münchen.de",
        "żółw.pl",
        "ğüşiöç.com",
        "việtnam.vn",
        "ελλάς.gr",
        "россия.рф",
        "հայ.am",
        "გე.ge",
        "ひらがな.jp",
        "カタカナ.jp",
        "例え.テスト",
        "한국.kr",
        "हिन्दी.भारत",
        "বাংলা.com",
        "ગુજરાતી.com",
        "தமிழ்.com",
        "తెలుగు.com",
        "ไทย.com",
        "กุ่ง.com",
        "עברית.com",
        "a1.עברית",
        "אב״ג.com",
        "عربي.com",
        "مثال۴۲.com",
        "مثال٤٢.com",
        "l·l.cat",
        "col·legi.cat",
        "ß.de",
        "b-c.ё",
    ];
    assert_eq!(valid.iter().find(|text| !host.contains(text)), None);
    let invalid = [
        // Capitals, and other characters that folding or normalisation changes.
        "MÜNCHEN.de",
        "ﬁ.com",
        "ĳ.nl",
        "ｱ.jp",
        "ſ.com",
        // Marks at the beginning, marks that compose, and marks in an order that normalisation would change.
        "\u{93f}क.com",
        "e\u{301}.com",
        "\u{9a8}\u{9c7}\u{9be}.com",
        "\u{b95}\u{bc6}\u{bbe}.com",
        "ก\u{e48}\u{e38}.com",
        // Characters that need certain neighbours.
        "a·l.cat",
        "l·.cat",
        "·l.cat",
        "״א.com",
        "א1״.com",
        // Mixed directions.
        "אa.com",
        "aא.com",
        "1א.com",
        "1a.עברית",
        "مثال٤4.com",
        "مثال٤۴.com",
        "א-.com",
        // Misplaced hyphens, and too many characters.
        "ü--ü-.de",
        "üb--er.de",
        "-ü.de",
        "üüüüüüüüüüüü.de",
        "xn--mnchen-3ya.de",
        "",
    ];
    assert_eq!(invalid.iter().find(|text| host.contains(text)), None);
    let mail = format("idn-email").unwrap();
    assert!(["用户@例子.中国", "ada@हिन्दी.भारत", "a@עברית.com"].iter().all(|text| mail.contains(text)));
    assert!(["a@aא.com", "@ü.de", "a@\u{93f}.com"].iter().all(|text| !mail.contains(text)));
}

/// A wide form contains all strings of its format.
#[test]
fn covers_contain_their_format() {
    for name in ["hostname", "time", "date-time", "date", "idn-hostname", "idn-email"] {
        let format = format(name).unwrap();
        let (exact, cover) = (format.exact(100_000).unwrap(), format.cover(100_000).unwrap().unwrap());
        assert!(exact.intersect(&cover.complement(100_000).unwrap(), 100_000).unwrap().is_empty(), "{name}");
        assert_eq!(exact == cover, format.left_out.is_none(), "{name}");
    }
    let time = format("time").unwrap().cover(100_000).unwrap().unwrap();
    assert!(time.contains(b"12:34:60+01:07") && !time.contains(b"12:34:61Z"));
}

/// Second 60 in every minute of a day, in offsets that are multiples of 15 minutes: only the last minute of a UTC day
/// is accepted.
#[test]
fn leap_seconds_are_allowed_only_at_the_end_of_a_utc_day() {
    let (time, judge) = (format("time").unwrap(), judge("time"));
    for minute in 0..24 * 60 {
        for offset in (0..24 * 60).step_by(15) {
            for sign in ['+', '-'] {
                let clock = |minutes: u32| format!("{:02}:{:02}", minutes / 60, minutes % 60);
                let text = format!("{}:60{sign}{}", clock(minute), clock(offset));
                assert_eq!(time.contains(&text), judge(&text), "{text}");
            }
        }
    }
}

#[test]
fn quantifier_bounds_must_be_in_order() {
    let regex = format("regex").unwrap();
    let first = |bound: u32| bound.checked_ilog10().map(|digits| bound / 10u32.pow(digits));
    for least in (0..150u32).chain([199, 200, 255, 999, 1000, 1001, 9999]) {
        for most in (0..150).chain([199, 200, 255, 999, 1000, 1001, 9999, 10_000]) {
            let alike = least >= 100 && least.ilog10() == u32::ilog10(most.max(1)) && first(least) == first(most);
            let allowed = least <= most && !alike;
            for text in [format!("a{{{least},{most}}}"), format!("((x)a{{{least},{most}}}?)")] {
                assert_eq!(regex.contains(&text), allowed, "{text}");
            }
        }
    }
}

#[test]
fn class_ranges_must_be_in_order() {
    let (regex, judge) = (format("regex").unwrap(), judge("regex"));
    for low in ' '..='~' {
        for high in ' '..='~' {
            let (quoted, plain) = (!low.is_alphanumeric(), !"\\]".contains(high));
            let low = if quoted { format!("\\{low}") } else { low.to_string() };
            let high = if plain { high.to_string() } else { format!("\\{high}") };
            for text in [format!("[{low}-{high}]"), format!("([^x{low}-{high}-])")] {
                assert_eq!(regex.contains(&text), judge(&text), "{text}");
            }
        }
    }
    let far = |low: u32, high: u32, block: u32| low.is_multiple_of(block) && low <= high || low / block < high / block;
    for (low, high) in (0..0x100).flat_map(|low| (0..0x100).map(move |high| (low, high))) {
        for text in [format!("[\\x{low:02x}-\\x{high:02X}]"), format!("[^a\\u{low:04X}-\\u{high:04x}]")] {
            assert_eq!(regex.contains(&text), far(low, high, 16), "{text}");
        }
        let (low, high) = (low << 8, high << 8);
        let surrogate = [low, high].iter().any(|code| (0xD800..0xE000).contains(code));
        let text = format!("[\\u{low:04x}-\\u{high:04x}]");
        assert!(!regex.contains(&text) || low <= high && !surrogate, "{text}");
    }
    for text in ["[а-яё]", "[\\u0400-\\u04FF]", "[一-龥]", "[\\u00C0-\\u00ff]", "[^À-ſ]"] {
        assert!(regex.contains(text) && judge(text), "{text}");
    }
}

/// Long mutations of patterns: everything that is accepted is a pattern.
#[test]
fn mutated_patterns_are_accepted_only_if_valid() {
    let (regex, judge) = (format("regex").unwrap(), judge("regex"));
    let valid = VALID.iter().find(|(name, _)| *name == "regex").unwrap().1;
    let letters: Vec<char> = "()[]{}|^$.*+?\\-,0123456789abdxukpPLBDSW<>=!:/ é\u{10348}".chars().collect();
    let mut rng = Random::new(5);
    for _ in 0..100_000 {
        let mut text: Vec<char> = valid[rng.below(valid.len())].chars().collect();
        for _ in 0..=rng.below(6) {
            let at = rng.below(text.len() + 1);
            let letter = letters[rng.below(letters.len())];
            match rng.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, letter),
            }
        }
        let text: String = text.into_iter().collect();
        assert!(!regex.contains(&text) || judge(&text), "only we take {text:?}");
    }
}

/// The formats with a practical form, each with strings of that form and strings of the format only.
const PRACTICAL: &[(&str, &[&str], &[&str])] = &[
    ("date", &["0001-01-01", "2024-02-29"], &["0000-02-29", "0000-01-01"]),
    (
        "date-time",
        &["2024-02-29T23:59:59Z", "0001-01-01T00:00:00.123456-23:59"],
        &["2024-02-29t23:59:59Z", "2024-02-29T23:59:59z", "2024-02-29T23:59:60Z", "0000-01-01T00:00:00Z"],
    ),
    ("time", &["08:30:06Z", "23:59:59.5+14:00"], &["23:59:60Z", "08:30:06z", "08:30:06.1234567Z"]),
    ("duration", &["P1Y2M3DT4H5M6S", "PT0S", "P999999D", "P3W"], &["P1234567D", "P01D", "PT00S"]),
    (
        "email",
        &["ada@example.org", "a.b+c_d%e'f&g=h-i@a-b.c.de", "A@B.CO"],
        &["a@x", "a@[127.0.0.1]", "\"a b\"@x.org", "a@b.test", "a@b.Local", "te~st@e.co", "a@ab--c.org", "a@1.2"],
    ),
    ("hostname", &["www.example.com", "A.bc", "a-b.c-d.ef"], &["a", "1.2.3", "a.b", "r3---sn.de"]),
];

#[test]
fn practical_formats_are_subsets_of_their_formats() {
    for (name, inside, outside) in PRACTICAL {
        let (whole, form) = (format(name).expect("a format"), practical(name).expect("a form"));
        let dfa = form.dfa().expect("an automaton");
        let rest = dfa.difference(&whole.dfa, 1_000_000).expect("few states");
        assert!(rest.is_empty(), "{name}: {:?}", rest.shortest().map(String::from_utf8));
        assert!(inside.iter().all(|text| dfa.contains(text.as_bytes())), "{name}");
        for text in *outside {
            assert!(whole.contains(text) && !dfa.contains(text.as_bytes()), "{name}: {text}");
        }
        assert!(dfa.len() < 4_000, "{name}: {}", dfa.len());
        assert_eq!(practical_of_pattern(&form.pattern).map(|form| form.format), Some(*name));
    }
    assert_eq!(names().filter(|name| practical(name).is_some()).count(), PRACTICAL.len());
}
