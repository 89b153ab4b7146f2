//! Finds a text of a format that is close to a refused text, such as a test case after its format has changed.
//!
//! # Steps
//!
//! 1. The accepted prefix of the text is read.
//! 2. From there, a search drops bytes of the text and writes other bytes, as few as possible, until it has read
//!    [`RESUMED`] unchanged bytes or the whole rest of the text ([`Search`]).
//! 3. Both steps repeat up to the end of the text, which is then completed with the fewest bytes.
//!
//! If a search reaches its limit, the rest of the text is given up, and the accepted part is completed.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::step::{ConfigurationId, Explorer, TooAmbiguous};

use crate::difference::{SearchLimits, representatives};
use crate::vocabulary::is_text;

/// Number of unchanged bytes that must be read after a change before the change counts as done.
const RESUMED: u8 = 6;

/// Limits for an editor: well below a second per change.
pub const LIMITS: SearchLimits = SearchLimits { pairs: 10_000, memory: 128 << 20 };

/// Returns a text that the format accepts: the text itself, or one close to it; `None` if none is found within the
/// limits, which apply to each change. `poll` is called regularly, so that a caller can unwind out of a long search.
#[must_use]
pub fn repaired(automaton: &Arc<Automaton>, text: &[u8], limits: SearchLimits, poll: &dyn Fn()) -> Option<Vec<u8>> {
    if is_text(automaton, text) {
        return Some(text.to_vec());
    }
    let mut explorer = Explorer::new(Arc::clone(automaton));
    let bytes = representatives(automaton, automaton);
    let (mut at, mut rest, mut out) = (ConfigurationId::START, text, Vec::with_capacity(text.len()));
    while let Some((&byte, behind)) = rest.split_first() {
        if let Some(next) = explorer.after(at, byte).ok()? {
            out.push(byte);
            (at, rest) = (next, behind);
            continue;
        }
        let mut search = Search::new(&mut explorer, &bytes, rest, limits, poll);
        let Some(change) = search.run(at).ok()? else { break };
        out.extend(change.written);
        (at, rest) = (change.to, rest.get(change.read..)?);
    }
    out.extend(Search::new(&mut explorer, &bytes, &[], limits, poll).run(at).ok()??.written);
    // The explorer treats each item as different from all earlier ones, so the result is verified.
    is_text(automaton, &out).then_some(out)
}

/// Returns the cost of writing a byte; bytes that people often write cost least.
fn cost(byte: u8) -> u32 {
    match byte {
        b'\\' => 2,
        b'\n' | b' '..=b'~' => 1,
        _ => 3,
    }
}

/// A change at the start of the remaining text.
struct Change {
    /// The bytes that are written instead.
    written: Vec<u8>,
    /// Number of bytes that are replaced or read unchanged.
    read: usize,
    /// The configuration after the change.
    to: ConfigurationId,
}

/// A node of the search: a configuration, and the number of bytes of the text used up.
#[derive(Clone, Copy)]
struct Node {
    at: ConfigurationId,
    read: usize,
    /// Number of unchanged bytes read since the last change, up to [`RESUMED`].
    resumed: u8,
    /// Cost of the changes so far.
    changes: u32,
    before: usize,
    step: Step,
}

/// The step from the previous node.
#[derive(Clone, Copy)]
enum Step {
    Start,
    /// A byte of the text is read.
    Keep(u8),
    /// A byte of the text is dropped.
    Drop,
    /// A byte that the text does not have is written.
    Write(u8),
}

/// The open nodes in search order: lowest cost first, including the minimum cost of the end; then those that have read
/// most.
type Open = BinaryHeap<(Reverse<u32>, u8, usize, Reverse<usize>)>;

/// A best-first search for the cheapest changes.
struct Search<'s> {
    explorer: &'s mut Explorer,
    bytes: &'s [u8],
    /// The rest of the text.
    text: &'s [u8],
    nodes: Vec<Node>,
    limits: SearchLimits,
    poll: &'s dyn Fn(),
}

impl<'s> Search<'s> {
    fn new(
        explorer: &'s mut Explorer,
        bytes: &'s [u8],
        text: &'s [u8],
        limits: SearchLimits,
        poll: &'s dyn Fn(),
    ) -> Search<'s> {
        let memory = limits.memory.saturating_add(explorer.memory());
        Search { explorer, bytes, text, nodes: Vec::new(), limits: SearchLimits { memory, ..limits }, poll }
    }

    /// Returns the change after which reading resumes; `None` if a limit is reached first.
    fn run(&mut self, from: ConfigurationId) -> Result<Option<Change>, TooAmbiguous> {
        let mut open = Open::new();
        let mut seen = HashSet::new();
        let start = Node { at: from, read: 0, resumed: 0, changes: 0, before: 0, step: Step::Start };
        self.add(start, &mut open);
        while let Some((.., Reverse(index))) = open.pop() {
            (self.poll)();
            let Some(&node) = self.nodes.get(index) else { break };
            if node.resumed == RESUMED || node.read == self.text.len() && self.explorer.is_complete(node.at) {
                return Ok(Some(self.change(index)));
            }
            if !seen.insert((node.at, node.read, node.resumed)) {
                continue;
            }
            if seen.len() > self.limits.pairs || self.explorer.memory() > self.limits.memory {
                break;
            }
            self.go_on(index, node, &mut open)?;
        }
        Ok(None)
    }

    /// Adds the successors of a node.
    fn go_on(&mut self, index: usize, node: Node, open: &mut Open) -> Result<(), TooAmbiguous> {
        let changed = Node { resumed: 0, changes: node.changes + 1, before: index, ..node };
        if let Some(&byte) = self.text.get(node.read) {
            self.add(Node { read: node.read + 1, step: Step::Drop, ..changed }, open);
            if let Some(at) = self.explorer.after(node.at, byte)? {
                let kept = Node { at, read: node.read + 1, before: index, step: Step::Keep(byte), ..node };
                self.add(Node { resumed: node.resumed + 1, ..kept }, open);
            }
        }
        for &byte in self.bytes {
            // A character that needs no escape is not written as an escape.
            if let Some(at) = self.explorer.after(node.at, byte)?.filter(|at| !self.explorer.spells_plain(*at)) {
                let changes = node.changes + cost(byte);
                self.add(Node { at, step: Step::Write(byte), changes, ..changed }, open);
            }
        }
        Ok(())
    }

    fn add(&mut self, node: Node, open: &mut Open) {
        let left = u32::try_from(self.text.len() - node.read).unwrap_or(u32::MAX);
        let least = node.changes.saturating_add(self.explorer.least_left(node.at).saturating_sub(left));
        open.push((Reverse(least), node.resumed, node.read, Reverse(self.nodes.len())));
        self.nodes.push(node);
    }

    /// Returns the change that the steps to a node make.
    fn change(&self, index: usize) -> Change {
        let mut written = Vec::new();
        let mut next = self.nodes.get(index);
        let (read, to) = next.map_or((0, ConfigurationId::START), |node| (node.read, node.at));
        while let Some(node) = next {
            match node.step {
                Step::Start => break,
                Step::Keep(byte) | Step::Write(byte) => written.push(byte),
                Step::Drop => {}
            }
            next = self.nodes.get(node.before);
        }
        written.reverse();
        Change { written, read, to }
    }
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
    use ogc_compiler::pipeline::{Format, automaton};

    use super::*;
    use crate::random::Random;
    use crate::sample::{SampleOptions, samples};

    fn format(text: &str) -> Arc<Automaton> {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "t.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
        automaton(&db, Format::named(file, "T")).expect("a sound format")
    }

    #[track_caller]
    fn check(definition: &str, text: &str, expected: &str) {
        let found = repaired(&format(definition), text.as_bytes(), LIMITS, &|| ()).map(String::from_utf8);
        assert_eq!(found.as_ref().and_then(|one| one.as_deref().ok()), Some(expected), "{definition}: {text}");
    }

    #[test]
    fn repair_drops_removed_fields_and_adds_new_ones() {
        let person = "type T = { name: string<1..9>, age: 0..99 }";
        check(person, r#"{"name":"Ada","age":36}"#, r#"{"name":"Ada","age":36}"#);
        check(person, r#"{"name":"Ada"}"#, r#"{"name":"Ada","age":0}"#);
        check(person, r#"{"age":36}"#, r#"{"name":"g","age":36}"#);
        check(person, r#"{"name":"Ada","old":true,"age":36}"#, r#"{"name":"Ada","age":36}"#);
        check(person, r#"{"title":"Ada","age":360}"#, r#"{"name":"Ada","age":36}"#);
        check(person, r#"{"name":"","age":36} "#, r#"{"name":"a","age":36}"#);
        check(person, "", r#"{"name":"a","age":0}"#);
        check("type T = \"kelvin\" | \"celsius\"", r#""fahrenheit""#, r#""kelvin""#);
        check("rule T = \"<a>\" /[a-z]+/ \"</a>\" \"\\n\"?", "<b>text</b>\n", "<a>text</a>\n");
    }

    #[test]
    fn repair_within_any_limit_gives_an_accepted_text_or_none() {
        let tree = format("type T = { v: string<4..5>, next: T | null }");
        for pairs in 0..40 {
            let found = repaired(&tree, br#"{"x":"abcde","next":{}}"#, SearchLimits { pairs, ..LIMITS }, &|| ());
            assert!(found.is_none_or(|text| is_text(&tree, &text)), "{pairs}");
        }
        let distinct = format("type T = @unique (1 | 2 | 3)[2..3]");
        if let Some(text) = repaired(&distinct, b"[1,1]", LIMITS, &|| ()) {
            assert!(is_text(&distinct, &text));
        }
    }

    /// Formats that are versions of one another.
    const FORMATS: [&str; 6] = [
        "type T = { a: int<0..99>, b?: string<..5> }",
        "type T = { a: int<0..9>, b: (string<..3> | null)[0..2], c: bool }",
        "type T = ({ k: \"one\", v: int<..5> } | { k: \"two\", w: T })[0..2]",
        "rule T = \"a\" (\"b\" | \"é\")[1..3] % \",\" \";\"",
        "rule T = (\"[\" T \"]\" | /[0-9]{1,3}/) \" \"?",
        "rule T = \"<x>\" text<max_chars = 20> \"</x>\"",
    ];

    /// Pieces that the test writes into texts.
    const BYTES: &[u8] = b"a0\",:{}[] x<";

    #[test]
    fn repaired_texts_are_accepted_and_keep_the_old_parts() {
        let formats = FORMATS.map(format);
        let mut changed = 0;
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let (from, to) = (&formats[below(&mut random, formats.len())], &formats[below(&mut random, formats.len())]);
            let options = SampleOptions { count: 1, seed, length: 40 };
            let mut text = samples(from, options).expect("a sample").remove(0);
            for _ in 0..below(&mut random, 3) {
                let at = below(&mut random, text.len() + 1);
                match below(&mut random, 3) {
                    0 if at < text.len() => drop(text.remove(at)),
                    1 if at < text.len() => text[at] = BYTES[below(&mut random, BYTES.len())],
                    _ => text.insert(at, BYTES[below(&mut random, BYTES.len())]),
                }
            }
            let shown = String::from_utf8_lossy(&text).into_owned();
            let found = repaired(to, &text, LIMITS, &|| ()).unwrap_or_else(|| panic!("seed {seed}: {shown}"));
            assert!(is_text(to, &found), "seed {seed}: {shown} gives {}", String::from_utf8_lossy(&found));
            assert!(std::str::from_utf8(&found).is_ok(), "seed {seed}: {shown}");
            let accepted = accepted(to, &text);
            assert_eq!(found.get(..accepted), text.get(..accepted), "seed {seed}: {shown}");
            if is_text(to, &text) {
                assert_eq!(found, text, "seed {seed}");
            } else {
                changed += 1;
            }
        }
        assert!(changed > 10, "{changed} texts were changed");
    }

    fn below(random: &mut Random, bound: usize) -> usize {
        usize::try_from(random.below(bound as u64)).expect("a small number")
    }

    /// Returns the length of the longest prefix that the format reads.
    fn accepted(format: &Arc<Automaton>, text: &[u8]) -> usize {
        let mut explorer = Explorer::new(Arc::clone(format));
        let mut at = ConfigurationId::START;
        for (index, byte) in text.iter().enumerate() {
            match explorer.after(at, *byte).expect("a plain format") {
                Some(next) => at = next,
                None => return index,
            }
        }
        text.len()
    }
}
