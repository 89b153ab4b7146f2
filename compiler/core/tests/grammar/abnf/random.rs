//! Random small grammars: written in many spellings, and matched by deriving texts from the generated rules.

use ogc_compiler::frontend::grammar::Dialect;
use ogc_kit::{Random, setting};

use crate::grammar::random::check;

/// The names of the rules, each in several spellings.
const RULES: [[&str; 3]; 3] = [["top", "Top", "TOP"], ["x-1", "X-1", "x-1"], ["y", "Y", "<y>"]];

/// An expression for a set of texts.
enum Piece {
    Text { text: &'static str, has_case: bool },
    Range(char, char),
    Rule(usize),
    Sequence(Vec<Piece>),
    Choice(Vec<Piece>),
    Repeat(Box<Piece>, u32, Option<u32>),
}

/// The alternatives of each rule; all but the first are added with `=/`.
type Rules = [Vec<Piece>; 3];

fn piece(random: &mut Random, depth: u32) -> Piece {
    if depth == 0 || random.below(5) == 0 {
        return match random.below(9) {
            0..=3 => {
                let text = *random.pick(&["a", "A", "b", "ab", "bA", ""]);
                Piece::Text { text, has_case: random.below(2) == 0 }
            }
            4 => Piece::Range('a', 'b'),
            5 => Piece::Range('A', 'a'),
            _ => Piece::Rule(random.below(3)),
        };
    }
    let many = |random: &mut Random| (0..2 + random.below(2)).map(|_| piece(random, depth - 1)).collect();
    match random.below(7) {
        0..=2 => Piece::Sequence(many(random)),
        3 | 4 => Piece::Choice(many(random)),
        _ => {
            let (min, max) = *random.pick(&[
                (0, None),
                (1, None),
                (0, Some(1)),
                (2, Some(2)),
                (0, Some(3)),
                (2, Some(4)),
                (0, Some(0)),
            ]);
            Piece::Repeat(Box::new(piece(random, depth - 1)), min, max)
        }
    }
}

/// Writes a piece as a single element.
fn element(piece: &Piece, random: &mut Random) -> String {
    let space = |random: &mut Random| *random.pick(&[" ", "\t", "  ", "\n  ", " ; ) comment \"\n    ", "\r\n "]);
    let all = |pieces: &[Piece], between: &str, random: &mut Random| {
        let items: Vec<String> = pieces.iter().map(|piece| element(piece, random)).collect();
        let joint = format!("{}{between}{}", space(random), if between.is_empty() { "" } else { space(random) });
        format!("({})", items.join(&joint))
    };
    match piece {
        Piece::Text { text, has_case } => written_text(text, *has_case, random),
        Piece::Range(first, last) => match random.below(3) {
            0 => format!("%x{:02X}-{:x}", u32::from(*first), u32::from(*last)),
            1 => format!("%d{}-{}", u32::from(*first), u32::from(*last)),
            _ => format!("%B{:b}-{:b}", u32::from(*first), u32::from(*last)),
        },
        Piece::Rule(at) => (*random.pick(&RULES[*at])).to_owned(),
        Piece::Sequence(items) => all(items, "", random),
        Piece::Choice(arms) => all(arms, "/", random),
        Piece::Repeat(inner, 0, Some(1)) if random.below(2) == 0 => format!("[{}]", element(inner, random)),
        Piece::Repeat(inner, min, max) => {
            let inner = element(inner, random);
            // A repetition is not an element, so it goes into a group.
            let inner =
                if inner.starts_with(|c: char| c == '*' || c.is_ascii_digit()) { format!("({inner})") } else { inner };
            match (min, max) {
                (0, None) => format!("*{inner}"),
                (min, None) => format!("{min}*{inner}"),
                (min, Some(max)) if min == max => format!("{min}{inner}"),
                (0, Some(max)) => format!("*{max}{inner}"),
                (min, Some(max)) => format!("{min}*{max}{inner}"),
            }
        }
    }
}

fn written_text(text: &str, has_case: bool, random: &mut Random) -> String {
    match (has_case, random.below(2)) {
        (true, 0) if !text.is_empty() => {
            let codes: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
            format!("%x{}", codes.join("."))
        }
        (true, _) => format!("%s\"{text}\""),
        (false, 0) => format!("%i\"{text}\""),
        (false, _) => format!("\"{text}\""),
    }
}

fn source(rules: &Rules, random: &mut Random) -> String {
    let mut text = String::new();
    for (names, arms) in RULES.iter().zip(rules) {
        for (at, arm) in arms.iter().enumerate() {
            let name = if at == 0 { names[0] } else { names[1] };
            let sign = if at == 0 { "=" } else { "=/" };
            text += &format!("{name} {sign} {}\n", element(arm, random));
        }
    }
    text
}

/// A matcher that computes, as a fixpoint, where each rule can end from each position; sets of positions are bits.
struct Matcher<'g> {
    rules: &'g Rules,
    text: &'g [u8],
    table: [Vec<u64>; 3],
}

fn derives(rules: &Rules, text: &str) -> bool {
    let empty = || vec![0; text.len() + 1];
    let mut matcher = Matcher { rules, text: text.as_bytes(), table: [empty(), empty(), empty()] };
    while matcher.round() {}
    matcher.table[0][0] >> text.len() & 1 == 1
}

impl Matcher<'_> {
    fn round(&mut self) -> bool {
        let mut changed = false;
        for at in 0..self.rules.len() {
            for from in 0..=self.text.len() {
                let ends = self.rules[at].iter().fold(0, |ends, arm| ends | self.ends(arm, from));
                changed |= ends != self.table[at][from];
                self.table[at][from] = ends;
            }
        }
        changed
    }

    fn all(&self, piece: &Piece, from: u64) -> u64 {
        (0..=self.text.len()).filter(|at| from >> at & 1 == 1).fold(0, |ends, at| ends | self.ends(piece, at))
    }

    fn ends(&self, piece: &Piece, from: usize) -> u64 {
        match piece {
            Piece::Text { text, has_case } => {
                let part = self.text.get(from..from + text.len());
                let holds = part.is_some_and(|part| {
                    if *has_case { part == text.as_bytes() } else { part.eq_ignore_ascii_case(text.as_bytes()) }
                });
                u64::from(holds) << (from + text.len())
            }
            Piece::Range(first, last) => {
                let holds = self.text.get(from).is_some_and(|&byte| (*first..=*last).contains(&char::from(byte)));
                u64::from(holds) << (from + 1)
            }
            Piece::Rule(at) => self.table[*at][from],
            Piece::Sequence(items) => items.iter().fold(1 << from, |ends, item| self.all(item, ends)),
            Piece::Choice(arms) => arms.iter().fold(0, |ends, arm| ends | self.ends(arm, from)),
            Piece::Repeat(inner, min, max) => {
                let mut ends = (0..*min).fold(1 << from, |ends, _| self.all(inner, ends));
                for _ in *min..max.unwrap_or(64) {
                    ends |= self.all(inner, ends);
                }
                ends
            }
        }
    }
}

/// Returns all texts over three letters up to a length, and some longer ones.
fn texts(random: &mut Random) -> Vec<String> {
    let mut texts = vec![String::new()];
    for at in 0.. {
        if texts[at].len() == 4 {
            break;
        }
        let more: Vec<String> = "abA".chars().map(|c| format!("{}{c}", texts[at])).collect();
        texts.extend(more);
    }
    for _ in 0..40 {
        let len = 5 + random.below(8);
        texts.push((0..len).map(|_| *random.pick(&["a", "b", "A", "B"])).collect());
    }
    texts
}

#[test]
fn random_abnf_grammars_agree_with_the_oracle() {
    let mut random = Random::new(setting("OGC_SEED", 4));
    let texts = texts(&mut random);
    let mut compiled = 0;
    let count = setting("OGC_ROUNDS", 100) as u32;
    for _ in 0..count {
        let mut arms = || (0..1 + random.below(2)).map(|_| piece(&mut random, 3)).collect::<Vec<_>>();
        let rules: Rules = [arms(), arms(), arms()];
        let source = source(&rules, &mut random);
        let verdicts: Vec<bool> = texts.iter().map(|text| derives(&rules, text)).collect();
        check(&source, Dialect::Abnf, &verdicts, &texts, &mut compiled);
    }
    assert!(compiled > count, "only {compiled} of {count} grammars hold any text");
}
