//! Patterns of internet addresses (RFC 4291) and identifiers of resources (RFC 3986, RFC 3987).

/// Returns the pattern of an IPv4 address: four numbers from 0 to 255 without leading zeros.
pub(super) fn ipv4() -> String {
    let octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    format!("(?:{octet}(?:\\.{octet}){{3}})")
}

/// Returns the pattern of an IPv6 address: eight groups, the last two optionally as IPv4, one run of at least one zero
/// group optionally as `::`.
pub(super) fn ipv6() -> String {
    groups(7)
}

/// Returns the pattern of an IPv6 address in a mail address (RFC 5321): `::` stands for at least two groups.
pub(super) fn ipv6_of_mail() -> String {
    groups(6)
}

/// Returns the pattern of eight groups, or of `::` and at most `most` groups.
fn groups(most: usize) -> String {
    let group = "[0-9a-fA-F]{1,4}";
    let four = ipv4();
    let mut arms = vec![format!("(?:{group}:){{7}}{group}"), format!("(?:{group}:){{6}}{four}")];
    for head in 0..=most {
        let before = if head == 0 { String::new() } else { format!("{group}(?::{group}){{{}}}", head - 1) };
        let room = most - head;
        let mut after = vec![String::new()];
        if room >= 1 {
            after.push(format!("{group}(?::{group}){{0,{}}}", room - 1));
        }
        if room >= 2 {
            after.push(format!("(?:{group}:){{0,{}}}{four}", room - 2));
        }
        arms.push(format!("{before}::(?:{})", after.join("|")));
    }
    format!("(?:{})", arms.join("|"))
}

/// The character sets of an identifier: of RFC 3986, or also those that RFC 3987 adds.
struct Letters {
    name: String,
    private: &'static str,
}

const UCS: &str = "\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{3FFFD}\
    \\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}\\u{70000}-\\u{7FFFD}\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\
    \\u{A0000}-\\u{AFFFD}\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}\\u{D0000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}";
const PRIVATE: &str = "\\uE000-\\uF8FF\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}";

/// Returns the characters beyond ASCII that RFC 6570 allows.
pub(super) fn beyond_ascii() -> String {
    format!("{UCS}{PRIVATE}")
}

impl Letters {
    fn new(international: bool) -> Self {
        let plain = "a-zA-Z0-9._~!$&'()*+,;=-";
        let name = if international { format!("{UCS}{plain}") } else { plain.into() };
        Self { name, private: if international { PRIVATE } else { "" } }
    }

    /// Returns the pattern of any number of the letters, of `more`, and of percent escapes.
    fn run(&self, more: &str) -> String {
        format!("(?:[{more}{}]|%[0-9a-fA-F]{{2}})*", self.name)
    }

    fn some(&self, more: &str) -> String {
        let run = self.run(more);
        format!("{}+", run.trim_end_matches('*'))
    }

    fn authority(&self) -> String {
        let future = "[vV][0-9a-fA-F]+\\.[a-zA-Z0-9._~!$&'()*+,;=:-]+";
        let host = format!("(?:\\[(?:{}|{future})\\]|{})", ipv6(), self.run(""));
        format!("(?:{}@)?{host}(?::\\d*)?", self.run(":"))
    }

    fn tail(&self) -> String {
        format!("(?:\\?{})?(?:#{})?", self.run(&format!(":@/?{}", self.private)), self.run(":@/?"))
    }

    /// Returns the pattern of the hierarchical part: an authority and its path, an absolute path, a path that begins
    /// with `first`, or nothing.
    fn hierarchy(&self, first: &str) -> String {
        let segments = format!("(?:/{})*", self.run(":@"));
        let segment = self.some(":@");
        format!("(?://{}{segments}|/(?:{segment}{segments})?|{first}{segments}|)", self.authority())
    }
}

const SCHEME: &str = "[a-zA-Z][a-zA-Z0-9+.-]*:";

/// Returns the pattern of a URI or IRI.
pub(super) fn absolute(international: bool) -> String {
    let letters = Letters::new(international);
    format!("{SCHEME}{}{}", letters.hierarchy(&letters.some(":@")), letters.tail())
}

/// Returns the pattern of a URI or IRI, or of a reference relative to one, whose first segment has no colon.
pub(super) fn reference(international: bool) -> String {
    let letters = Letters::new(international);
    let relative = format!("{}{}", letters.hierarchy(&letters.some("@")), letters.tail());
    format!("(?:{}|{relative})", absolute(international))
}
