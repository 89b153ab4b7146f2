//! Generates random programs: a few types and rules, and one output that uses them.

use ogc_kit::Random;

/// The state of the generation of a program.
#[derive(Debug)]
pub struct Generator<'r> {
    random: &'r mut Random,
    types: Vec<String>,
    rules: Vec<String>,
    /// Whether tokens may be named.
    tokens: bool,
    /// Whether escapes are canonical, so that values may have Python's words.
    canonical: bool,
}

/// The names of tokens that programs use.
pub const TOKENS: [&str; 2] = ["<t>", "<end>"];

/// Types whose values are scalars.
const RAW: [&str; 6] = [
    "int<-2..12>",
    "\"a\" | \"b\\\"é\" | null",
    "string</[a-c]{1,2}/>",
    "string<..2>",
    "bool | \"true\" | 1",
    "(\"a\" | \"ab\" | 7) - (\"a\" | 7)",
];

const LITERALS: [&str; 14] = ["a", "b", "ab", "ba", "c", ";", ",", "-", "x=", "é", "(", "\\n", "aab", "0"];
const PATTERNS: [&str; 10] =
    ["[a-c]+", "[0-9]{1,3}", "a*b?", "x|yz", "[^,;]{1,4}", "(ab|c)+", "a{2,}", "\\d[a-b]?", ".{1,2}", "[aé]{0,3}"];
const KEYS: [&str; 5] = ["a", "b", "c", "kind", "é"];

/// Generates a program.
#[must_use]
pub fn program(random: &mut Random) -> String {
    let tokens = random.one_in(3);
    let canonical = random.one_in(4);
    let mut made = Generator { random, types: Vec::new(), rules: Vec::new(), tokens, canonical };
    let mut items = vec![made.policy()];
    for at in 0..1 + made.random.below(3) {
        items.push(made.type_item(at));
    }
    for at in 0..made.random.below(4) {
        items.push(made.rule_item(at));
    }
    items.push(made.output());
    items.retain(|item| !item.is_empty());
    items.join("\n") + "\n"
}

/// Generates types, and a value that uses them. Nothing in them has a policy.
#[must_use]
pub fn value(random: &mut Random) -> (String, String) {
    let mut made = Generator { random, types: Vec::new(), rules: Vec::new(), tokens: false, canonical: true };
    let types: Vec<String> = (0..1 + made.random.below(3)).map(|at| made.type_item(at)).collect();
    let value = made.value(3);
    (types.join("\n"), value)
}

/// Policies as attributes and as arguments of `json`.
const SPELLINGS: [(&str, &str); 7] = [
    ("", ""),
    ("@space(\"spaced\") ", ", space = \"spaced\""),
    ("@space(\"any\") @run(2) ", ", space = \"any\", run = 2"),
    ("@order(\"any\") ", ", order = \"any\""),
    ("@space(\"spaced\") @order(\"any\") ", ", space = \"spaced\", order = \"any\""),
    ("@words(\"python\") ", ", words = \"python\""),
    ("@space(\"spaced\") @words(\"python\") ", ", space = \"spaced\", words = \"python\""),
];

/// The number of [`SPELLINGS`] that do not need canonical escapes; these come first.
const ESCAPED: usize = 5;

/// Generates a program with a union in an array whose alternatives have policies of their own, and a program with the
/// same meaning whose alternatives are whole texts.
#[must_use]
pub fn apart(random: &mut Random) -> (String, String) {
    let canonical = random.one_in(2);
    let mut made = Generator { random, types: Vec::new(), rules: Vec::new(), tokens: false, canonical };
    let mut items = vec![if canonical { "policy escapes = \"canonical\"".to_owned() } else { String::new() }];
    items.extend((0..1 + made.random.below(3)).map(|at| made.type_item(at)));
    let spelled = if canonical { &SPELLINGS[..] } else { &SPELLINGS[..ESCAPED] };
    let (mut inside, mut whole) = (Vec::new(), Vec::new());
    for at in 0..2 + made.random.below(3) {
        // Only one alternative has no policy: with several, their numbers would be one set, which may be written with
        // more digits.
        let spellings = &spelled[usize::from(at > 0)..];
        let (attributes, arguments) = made.random.choose(spellings).copied().unwrap_or_default();
        let value = made.value(2);
        // Policies of alternatives are set at the use or at the definition.
        if made.random.one_in(3) && !attributes.is_empty() {
            items.push(format!("{attributes}type Named{at} = {value}"));
            inside.push(format!("Named{at}"));
        } else {
            inside.push(format!("{attributes}({value})"));
        }
        whole.push(format!("\"[\" json<{value}{arguments}> \"]\""));
    }
    if inside.len() > 2 && made.random.one_in(2) {
        items.push(format!("type Last = {}", inside.split_off(1).join(" | ")));
        inside.push("Last".to_owned());
    }
    let types = items.join("\n");
    let bound = made.pick(&["", "", "@depth(200) "]);
    (
        format!("{types}\noutput O = {bound}tuple<{}>\n", inside.join(" | ")),
        format!("{types}\noutput O = {}\n", whole.join(" | ")),
    )
}

impl Generator<'_> {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.random.choose(from).copied().unwrap_or("")
    }

    fn policy(&mut self) -> String {
        let mut settings = Vec::new();
        if self.random.one_in(3) {
            let spaces =
                ["space = \"spaced\"", "space = \"any\", run = 2", "space = \"pretty\"", "space = \"compact\""];
            settings.push(self.pick(&spaces));
        }
        if self.random.one_in(4) {
            settings.push("order = \"any\"");
        }
        if self.canonical {
            settings.push(self.pick(&["escapes = \"canonical\"", "escapes = \"canonical\", words = \"python\""]));
        }
        if settings.is_empty() { String::new() } else { format!("policy {}", settings.join(", ")) }
    }

    fn type_item(&mut self, at: usize) -> String {
        let name = format!("T{at}");
        match self.random.below(6) {
            0 => {
                let value = self.value(1);
                self.types.push(format!("{name}<int<0..5>>"));
                format!("type {name}<P, max = 2> = {{ a: P, b?: P[..max] }} | {value}")
            }
            1 => {
                let value = self.value(1);
                self.types.push(name.clone());
                format!("type {name} = {{ a: {value}, next?: {name} }}")
            }
            2 => {
                self.types.push(name.clone());
                format!("type {name} = null | {name}[0..2]")
            }
            _ => {
                let value = self.value(2);
                self.types.push(name.clone());
                format!("type {name} = {value}")
            }
        }
    }

    /// Generates a type.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            return self.scalar();
        }
        let below = depth - 1;
        match self.random.below(12) {
            0 | 1 => format!("({} | {})", self.value(below), self.value(below)),
            2 => format!("({} & {})", self.value(below), self.value(below)),
            3 => match self.types.as_slice() {
                [.., a, b, c] if self.random.one_in(3) => {
                    format!("({a} - {b} - {c} | {b} - {a} - {c} | {c} - {a} - {b})")
                }
                _ => format!("({} - {})", self.value(below), self.value(below)),
            },
            4 => {
                let times = self.pick(&["[0..2]", "[1..]", "[2]", "[..1]"]);
                format!("{}{times}", self.unit(below))
            }
            5 => {
                let (first, second) = (self.value(below), self.value(below));
                let rest =
                    if self.random.one_in(2) { format!(", rest = {}", self.value(below)) } else { String::new() };
                let items = self.pick(&["", "", ", items = 0..3", ", items = 1..", ", items = 2..3", ", items = 3"]);
                format!("tuple<{first}, {second}{rest}{items}>")
            }
            6 => format!("map<{}, {}>", self.key_set(), self.value(below)),
            7 => self.conditioned(below),
            8 => format!("({} & {})", self.open_record(below), self.open_record(below)),
            _ => self.record(below),
        }
    }

    /// Generates a type that can have suffixes.
    fn unit(&mut self, depth: usize) -> String {
        format!("({})", self.value(depth))
    }

    fn scalar(&mut self) -> String {
        if !self.types.is_empty() && self.random.one_in(4) {
            return self.random.choose(&self.types).cloned().unwrap_or_default();
        }
        let scalars = [
            "null",
            "true",
            "bool",
            "int",
            "number",
            "string",
            "any",
            "int<-3..12>",
            "number<0..1, digits = 1>",
            "number<0..2, digits = 2..2>",
            "number<digits = 1..2>",
            "number<above = 0, below = 2.5>",
            "int<multiple_of = 3>",
            "number<multiple_of = 0.5>",
            "(0..5)",
            "(1.5..)",
            "string<1..2>",
            "string</[a-c]+/>",
            "string<search = /b/>",
            "string<..3, /[a-b]*/>",
            "/x|yz/",
            "\"a\"",
            "\"é\\n\"",
            "1",
            "-0.5",
            "(\"a\" | 1 | null)",
            "(/[a-c]{1,3}/ - (\"a\" | \"ab\"))",
            "array<0..2>",
            "object<1..2>",
        ];
        self.pick(&scalars).to_owned()
    }

    fn key_set(&mut self) -> &'static str {
        self.pick(&["/[a-b]/", "/x-[a-z]/", "string<1..1>", "(\"k\" | \"l\")"])
    }

    fn conditioned(&mut self, depth: usize) -> String {
        let item = self.value(depth);
        match self.random.below(4) {
            0 => format!("({}[1..3] & array<unique = true>)", self.unit(0)),
            1 => format!("({}[..3] & array<contains = {item}, times = 1..2>)", self.unit(0)),
            2 => format!("({} & object<1..2>)", self.open_record(depth)),
            _ => format!("({} & object<keys = /[a-c]|kind/>)", self.open_record(depth)),
        }
    }

    fn open_record(&mut self, depth: usize) -> String {
        format!("{{ {}, ... }}", self.fields(depth))
    }

    fn record(&mut self, depth: usize) -> String {
        let fields = self.fields(depth);
        match self.random.below(6) {
            0 => format!("{{ {fields}, ... }}"),
            1 => format!("{{ {fields}, [{}]: {} }}", self.key_set(), self.value(depth)),
            2 => format!("{{ ...{{ b: int, c?: null }}, {fields} }}"),
            _ => format!("{{ {fields} }}"),
        }
    }

    fn fields(&mut self, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        let keys = self.random.sample(KEYS.len(), count);
        let fields = keys.iter().map(|&at| {
            let mark = if self.random.one_in(3) { "?" } else { "" };
            format!("\"{}\"{mark}: {}", KEYS[at], self.value(depth))
        });
        fields.collect::<Vec<_>>().join(", ")
    }

    fn rule_item(&mut self, at: usize) -> String {
        let name = format!("r{at}");
        match self.random.below(7) {
            0 => {
                let body = self.text(1);
                self.rules.push(name.clone());
                format!("rule {name} = \"(\" {name}? \")\" | {body}")
            }
            1 => {
                let body = self.text(1);
                let argument = self.text(0);
                self.rules.push(format!("{name}<{argument}>"));
                format!("rule {name}<p, n = 2> = p \":\" (p[..n] % \",\") | {body}")
            }
            2 => {
                self.rules.push(name.clone());
                self.skipping(&name)
            }
            _ => {
                let body = self.text(2);
                self.rules.push(name.clone());
                format!("rule {name} = {body}")
            }
        }
    }

    /// Generates a rule with `@skip`: parts are not empty unless they are optional.
    fn skipping(&mut self, name: &str) -> String {
        let skip = self.pick(&["/ {0,2}/", "/[ \\n]?/", "\" \"", "(\" \" | \"_\")[0..2]"]);
        let parts: Vec<String> = (0..2 + self.random.below(3)).map(|_| self.part()).collect();
        format!("@skip({skip})\nrule {name} = {}", parts.join(" "))
    }

    fn part(&mut self) -> String {
        let one = self.pick(&["\"a\"", "\"b\"", "/[a-c]/", "\"xy\"", "(\"a\" \"b\")", "(\"c\" | \"a\")", "int<0..9>"]);
        let many = self.pick(&["", "", "?", "*", "+", "[1..2]", "[..2]", " % \",\"", "* % \";\""]);
        if many.starts_with('[') || many.is_empty() || !one.starts_with("int") {
            format!("({one}){many}")
        } else {
            format!("(json<{one}>){many}")
        }
    }

    fn literal(&mut self) -> String {
        format!("\"{}\"", self.pick(&LITERALS))
    }

    /// Generates a literal or a token at which free text stops.
    fn stop(&mut self) -> String {
        match self.random.below(4) {
            0 if self.tokens => format!("tok\"{}\"", self.pick(&TOKENS)),
            1 => format!("({} | {})", self.literal(), self.literal()),
            _ => self.literal(),
        }
    }

    /// Generates a regular text without tokens.
    fn regular(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 2 } else { 6 }) {
            0 => self.literal(),
            1 => format!("/{}/", self.pick(&PATTERNS)),
            2 => format!("({} | {})", self.regular(depth - 1), self.regular(depth - 1)),
            3 => format!("({} {})", self.regular(depth - 1), self.regular(depth - 1)),
            4 => format!("({})[1..2]", self.regular(depth - 1)),
            _ => format!("(({}) % \",\")", self.regular(depth - 1)),
        }
    }

    /// Generates a text.
    fn text(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(5) {
            return self.small_text();
        }
        let below = depth - 1;
        match self.random.below(13) {
            0 => format!("({} | {})", self.text(below), self.text(below)),
            1 | 2 => format!("({} {})", self.text(below), self.text(below)),
            3 => format!("({} {} {})", self.text(below), self.literal(), self.text(below)),
            4 => format!("({}){}", self.text(below), self.pick(&["?", "*", "+", "[1..2]", "[2]", "[..3]"])),
            5 => {
                let bounds = self.pick(&["", "*", "?", "[1..2]", "[0..2]", "[2]"]);
                format!("(({}){bounds} % {})", self.text(below), self.literal())
            }
            6 => format!("({} & {})", self.regular(1), self.regular(1)),
            7 => format!("({} - {})", self.regular(2), self.regular(1)),
            8 => format!("lazy<{}>", self.regular(2)),
            9 => format!("(name: {} other: {})", self.text(below), self.text(below)),
            10 => self.free(),
            11 => self.mix(),
            _ => self.json(),
        }
    }

    fn small_text(&mut self) -> String {
        match self.random.below(10) {
            0 | 1 if !self.rules.is_empty() => self.random.choose(&self.rules).cloned().unwrap_or_default(),
            2 if self.tokens => format!("tok\"{}\"", self.pick(&TOKENS)),
            3 if !self.types.is_empty() => self.random.choose(&self.types).cloned().unwrap_or_default(),
            4 => "substring<\"abcabé\">".to_owned(),
            6 => format!("raw<{}>", self.pick(&RAW)),
            5 => format!("/{}/", self.pick(&PATTERNS)),
            7 => self.bare(),
            _ => self.literal(),
        }
    }

    fn json(&mut self) -> String {
        let value = self.value(1);
        let policies = ["", "", ", space = \"spaced\"", ", order = \"any\"", ", depth = 1", ", words = \"json\""];
        let python = [", words = \"python\"", ", space = \"any\", run = 1, words = \"python\"", ", words = \"json\""];
        let policy = if self.canonical && self.random.one_in(2) { self.pick(&python) } else { self.pick(&policies) };
        format!("json<{value}{policy}>")
    }

    fn bare(&mut self) -> String {
        let value = if self.random.one_in(2) { self.value(1) } else { "string<1..2> | int[1..2] | null".to_owned() };
        let end = self.pick(&["\"c\"", "/[;,]/", "\"ab\" | \"]\""]);
        format!("raw<{value}, without = {end}>")
    }

    fn free(&mut self) -> String {
        let options = ["", "", "<max_chars = 3>", "<without = \"ab\" | \"c\">", "<without = /[0-9]b?/>"];
        format!("(text{} {})", self.pick(&options), self.stop())
    }

    fn mix(&mut self) -> String {
        let calls = self.pick(&["", ", calls = 1..2", ", calls = ..1"]);
        let text = self.pick(&["text", "text", "text<without = \"c\">"]);
        let regions = self.pick(&["\"<a>\" int \"</a>\"", "\"<a>\" /[a-b]/ | \"<b\" \"c\"?", "(\"{\" \"a\"* \"}\")"]);
        format!("(mix<{text}, {regions}{calls}> {})", self.stop())
    }

    fn output(&mut self) -> String {
        let body = match self.random.below(5) {
            0 => self.value(3),
            4 if self.random.one_in(2) => {
                let words =
                    if self.canonical { self.pick(&["", "@words(\"python\") ", "@words(\"json\") "]) } else { "" };
                format!(
                    "@space(\"spaced\") {} | {words}{} | @order(\"any\") {}",
                    self.unit(2),
                    self.unit(1),
                    self.unit(2)
                )
            }
            1 => format!("{} text", self.text(2)),
            _ => self.text(3),
        };
        format!("output O = {body}")
    }
}
