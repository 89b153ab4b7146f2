//! Generates random grammars, and computes all texts and all beginnings of texts up to a length, by fixpoints over
//! sets.
//!
//! A beginning of `A B` is a beginning of `A`, or a text of `A` with a beginning of `B` behind it; so the beginnings up
//! to a length need only the texts up to that length, even if the texts of the language are longer.

mod lark;

use super::texts::{Language, Texts};
use ogc_kit::Random;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A grammar; rule 0 is the start rule.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: Vec<Expr>,
}

#[derive(Clone, Debug)]
enum Expr {
    Literal(&'static str),
    /// Any one of these characters.
    Class(&'static [char]),
    Rule(usize),
    Sequence(Vec<Expr>),
    Alternation(Vec<Expr>),
    /// A repetition with its minimum and maximum number of times.
    Repeat(Box<Expr>, usize, Option<usize>),
}

const LITERALS: &[&str] = &["a", "b", "ab", "ba", "aa", "é", "c", ""];
const CLASSES: &[&[char]] = &[&['a', 'b'], &['b', 'c'], &['a', 'b', 'c'], &['è', 'é', 'ê'], &['c']];

impl Grammar {
    /// Generates a grammar of up to five rules.
    #[must_use]
    pub fn random(random: &mut Random) -> Grammar {
        let count = 1 + random.below(5);
        Grammar { rules: (0..count).map(|_| Expr::random(random, count, 3)).collect() }
    }

    /// Writes the grammar as GBNF.
    #[must_use]
    pub fn gbnf(&self) -> String {
        let mut text = String::new();
        for (at, rule) in self.rules.iter().enumerate() {
            write!(text, "{} ::= ", name(at)).unwrap_or(());
            rule.print(&mut text);
            text.push('\n');
        }
        text
    }

    /// Computes the texts of the grammar and their beginnings, up to a length in bytes.
    #[must_use]
    pub fn meaning(&self, longest: usize) -> Meaning {
        let texts =
            fixpoint(self.rules.len(), |texts| self.rules.iter().map(|rule| rule.texts(texts, longest)).collect());
        let productive = self.productive();
        let begun = fixpoint(self.rules.len(), |begun| {
            let known = Known { texts: &texts, productive: &productive, begun, longest };
            self.rules.iter().map(|rule| rule.begun(&known)).collect()
        });
        let first = |sets: Vec<Set>| Texts::new(sets.into_iter().next().into_iter().flatten().collect());
        Meaning { texts: first(texts), begun: first(begun) }
    }

    fn productive(&self) -> Vec<bool> {
        let mut productive = vec![false; self.rules.len()];
        for _ in &self.rules {
            productive = self.rules.iter().map(|rule| rule.productive(&productive)).collect();
        }
        productive
    }
}

/// The texts of a language up to a length, and the beginnings of *all* its texts up to that length.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The texts.
    pub texts: Texts,
    /// The beginnings; none only if the language is empty.
    pub begun: Texts,
}

impl Language for Meaning {
    fn extends(&self, prefix: &[u8]) -> bool {
        self.begun.contains(prefix)
    }

    fn contains(&self, text: &[u8]) -> bool {
        self.texts.contains(text)
    }
}

type Set = BTreeSet<Vec<u8>>;

/// Computes the least sets that `step` leaves unchanged.
fn fixpoint(len: usize, step: impl Fn(&[Set]) -> Vec<Set>) -> Vec<Set> {
    let mut sets = vec![Set::new(); len];
    loop {
        let next = step(&sets);
        if next == sets {
            return sets;
        }
        sets = next;
    }
}

struct Known<'k> {
    texts: &'k [Set],
    productive: &'k [bool],
    begun: &'k [Set],
    longest: usize,
}

fn name(rule: usize) -> String {
    if rule == 0 { "root".to_owned() } else { format!("r{rule}") }
}

fn empty_text() -> Set {
    Set::from([Vec::new()])
}

/// Returns texts of the first set followed by texts of the second, up to a length.
fn joined(first: &Set, second: &Set, longest: usize) -> Set {
    let mut by_length: Vec<Vec<&Vec<u8>>> = vec![Vec::new(); longest + 1];
    second.iter().for_each(|right| by_length.get_mut(right.len()).into_iter().for_each(|texts| texts.push(right)));
    let mut all = Set::new();
    for left in first.iter().filter(|left| left.len() <= longest) {
        let short = by_length.iter().take(longest - left.len() + 1).flatten();
        all.extend(short.map(|right| [left.as_slice(), right].concat()));
    }
    all
}

impl Expr {
    fn random(random: &mut Random, rules: usize, depth: usize) -> Expr {
        let kind = if depth == 0 { random.below(5) } else { random.below(12) };
        let inner = |random: &mut Random| Expr::random(random, rules, depth.saturating_sub(1));
        match kind {
            0 | 1 => Expr::Literal(random.choose(LITERALS).copied().unwrap_or_default()),
            2 => Expr::Class(random.choose(CLASSES).copied().unwrap_or_default()),
            3 | 4 => Expr::Rule(random.below(rules)),
            5..=7 => Expr::Sequence((0..2 + random.below(2)).map(|_| inner(random)).collect()),
            8 | 9 => Expr::Alternation((0..2 + random.below(2)).map(|_| inner(random)).collect()),
            _ => {
                let least = random.below(3);
                let most = (!random.one_in(3)).then(|| least + random.below(3));
                Expr::Repeat(Box::new(inner(random)), least, most)
            }
        }
    }

    fn print(&self, out: &mut String) {
        match self {
            Expr::Literal(text) => write!(out, "\"{text}\"").unwrap_or(()),
            Expr::Class(characters) => write!(out, "[{}]", characters.iter().collect::<String>()).unwrap_or(()),
            Expr::Rule(rule) => out.push_str(&name(*rule)),
            Expr::Sequence(parts) => print_list(parts, " ", out),
            Expr::Alternation(arms) => print_list(arms, " | ", out),
            Expr::Repeat(inner, least, most) => {
                out.push('(');
                inner.print(out);
                let most = most.map_or_else(String::new, |most| most.to_string());
                write!(out, "){{{least},{most}}}").unwrap_or(());
            }
        }
    }

    fn productive(&self, rules: &[bool]) -> bool {
        match self {
            Expr::Literal(_) | Expr::Class(_) => true,
            Expr::Rule(rule) => rules[*rule],
            Expr::Sequence(parts) => parts.iter().all(|part| part.productive(rules)),
            Expr::Alternation(arms) => arms.iter().any(|arm| arm.productive(rules)),
            Expr::Repeat(inner, least, _) => *least == 0 || inner.productive(rules),
        }
    }

    /// Returns the texts up to a length, given the texts of the rules.
    fn texts(&self, rules: &[Set], longest: usize) -> Set {
        match self {
            Expr::Literal(text) => {
                Set::from([text.as_bytes().to_vec()]).into_iter().filter(|t| t.len() <= longest).collect()
            }
            Expr::Class(characters) => characters.iter().map(|c| c.to_string().into_bytes()).collect(),
            Expr::Rule(rule) => rules[*rule].clone(),
            Expr::Sequence(parts) => {
                parts.iter().fold(empty_text(), |texts, part| joined(&texts, &part.texts(rules, longest), longest))
            }
            Expr::Alternation(arms) => arms.iter().flat_map(|arm| arm.texts(rules, longest)).collect(),
            Expr::Repeat(inner, least, most) => {
                let powers = powers(&inner.texts(rules, longest), *least, *most, longest);
                powers.into_iter().skip(*least).flatten().collect()
            }
        }
    }

    /// Returns the beginnings, up to a length, of all texts.
    fn begun(&self, known: &Known<'_>) -> Set {
        if !self.productive(known.productive) {
            return Set::new();
        }
        match self {
            Expr::Literal(text) => beginnings(text.as_bytes(), known.longest),
            Expr::Class(characters) => {
                characters.iter().flat_map(|c| beginnings(c.to_string().as_bytes(), known.longest)).collect()
            }
            Expr::Rule(rule) => known.begun[*rule].clone(),
            Expr::Sequence(parts) => begun_sequence(parts, known),
            Expr::Alternation(arms) => arms.iter().flat_map(|arm| arm.begun(known)).collect(),
            Expr::Repeat(inner, least, most) => begun_repeat(inner, *least, *most, known),
        }
    }
}

fn print_list(items: &[Expr], separator: &str, out: &mut String) {
    out.push('(');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { separator });
        item.print(out);
    }
    out.push(')');
}

fn beginnings(text: &[u8], longest: usize) -> Set {
    (0..=text.len().min(longest)).filter_map(|len| text.get(..len)).map(<[u8]>::to_vec).collect()
}

fn begun_sequence(parts: &[Expr], known: &Known<'_>) -> Set {
    let mut before = empty_text();
    let mut begun = empty_text();
    for part in parts {
        begun.extend(joined(&before, &part.begun(known), known.longest));
        before = joined(&before, &part.texts(known.texts, known.longest), known.longest);
    }
    begun
}

fn begun_repeat(inner: &Expr, least: usize, most: Option<usize>, known: &Known<'_>) -> Set {
    let mut begun = empty_text();
    if !inner.productive(known.productive) {
        return begun;
    }
    let once = inner.begun(known);
    let powers = powers(&inner.texts(known.texts, known.longest), least, most, known.longest);
    let repeated = if most.is_some() { powers.len().saturating_sub(1) } else { powers.len() };
    for before in powers.iter().take(repeated) {
        begun.extend(joined(before, &once, known.longest));
    }
    begun
}

/// Returns the texts of 0, 1, 2, ... repetitions; without `most`, as many as the length allows.
fn powers(once: &Set, least: usize, most: Option<usize>, longest: usize) -> Vec<Set> {
    let times = most.unwrap_or(least + longest + 1);
    let mut all = vec![empty_text()];
    for _ in 0..times {
        let next = all.last().map(|last| joined(last, once, longest)).unwrap_or_default();
        all.push(next);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Expr, Grammar, Language};

    #[test]
    fn the_oracle_knows_prefixes_of_nested_brackets() {
        let call = Expr::Sequence(vec![
            Expr::Literal("a"),
            Expr::Repeat(Box::new(Expr::Rule(0)), 0, Some(1)),
            Expr::Literal("b"),
        ]);
        let grammar = Grammar { rules: vec![call] };
        assert_eq!(grammar.gbnf(), "root ::= (\"a\" (root){0,1} \"b\")\n");
        let meaning = grammar.meaning(4);
        assert_eq!(meaning.texts.all(), [b"aabb".to_vec(), b"ab".to_vec()]);
        assert!(
            meaning.extends(b"aaaa")
                && meaning.extends(b"aaab")
                && !meaning.extends(b"aba")
                && !meaning.contains(b"aab")
        );
    }

    #[test]
    fn a_rule_without_texts_has_no_prefixes() {
        let endless = Grammar { rules: vec![Expr::Sequence(vec![Expr::Literal("a"), Expr::Rule(0)])] };
        assert!(!endless.meaning(3).extends(b""));
    }
}
