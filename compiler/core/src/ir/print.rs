//! Prints a grammar as rules in an EBNF-like notation, for people who inspect the compiler.
//!
//! | Written | Stands for |
//! |---|---|
//! | `"ab"`, `tok"<s>"` | a literal, a token of the vocabulary |
//! | `name`, `name#3` | a rule; with its number where several have the name |
//! | `automaton #n (k states)` | a regular language; the section `automata` after the rules lists its first bytes |
//! | `value #n` | a rule that another lowering writes |
//! | `x y`, `x \| y`, `x?`, `x*`, `x+`, `x{2,3}` | one after another, either, repetitions |
//! | `nothing` | no text at all |
//! | `x - y`, `x & y`, `lazy(x)`, `x<5 characters>` | a difference, an intersection, shortest texts, a bounded text |
//! | `text`, `text without x` | free text |
//! | `name: x` | a capture |

use std::collections::HashMap;
use std::fmt::Write as _;

use ogc_regular::Dfa;
use ogc_runtime::vocabulary::shown;
use ogc_schema::source::Origin;

use super::{ExprId, ExprKind, Grammar, MachineId, Rule, RuleId, TextLimit, is_marker};

/// Maximum width of a body in characters; the alternatives of a wider body are printed one a line.
const WIDTH: usize = 100;

/// Length in characters from which a literal is shortened.
const CHARACTERS: usize = 80;

/// Maximum number of first-byte ranges that are listed; more are only counted.
const RANGES: usize = 8;

/// The precedence of a printed expression, loosest first: a part that binds looser than its context needs parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// `x | y`
    Alternation,
    /// `x - y`, `x & y`
    Operation,
    /// `x y`
    Sequence,
    /// `name: x`
    Capture,
    /// `x*`
    Repeat,
    /// A word, or something in parentheses.
    Word,
}

/// A printed expression.
#[derive(Clone, Debug)]
struct Printed {
    text: String,
    precedence: Precedence,
}

impl Printed {
    fn word(text: impl Into<String>) -> Self {
        Self { text: text.into(), precedence: Precedence::Word }
    }

    /// Returns the text as a part of an expression with this precedence, in parentheses if needed.
    fn within(self, precedence: Precedence) -> String {
        if self.precedence > precedence { self.text } else { format!("({})", self.text) }
    }
}

impl Grammar {
    /// Prints the root's name, each rule followed by its `place`, and the automata.
    ///
    /// ```
    /// use ogc_compiler::lower::grammar::lower;
    /// let (tree, _) = ogc_grammar::parse_gbnf("root ::= \"a\" digit+ | \"b\"?\ndigit ::= [0-9]\n");
    /// let (grammar, _) = lower(&tree, Some("root"));
    /// let placed = grammar.unwrap();
    /// let place = |origin| placed.places.get(origin).unwrap().start;
    /// let text = placed.grammar.print(|origin| format!(" at {}", place(origin)));
    /// assert_eq!(
    ///     text,
    ///     "root: root\n\
    ///      #0 root at 0\n    = \"a\" digit+ | \"b\"?\n\
    ///      #1 digit at 27\n    = automaton #0 (2 states)\n\
    ///      automata:\n#0: 2 states, begins with '0'-'9'\n"
    /// );
    /// ```
    #[must_use]
    pub fn print(&self, place: impl Fn(Origin) -> String) -> String {
        self.print_with(|_, rule| place(rule.origin))
    }

    /// Prints the grammar as [`Grammar::print`] does, with `about` after the name of each rule.
    pub(crate) fn print_with(&self, about: impl Fn(RuleId, &Rule) -> String) -> String {
        let printer = Printer::new(self);
        let mut bodies = printer.bodies();
        let mut out = String::new();
        if self.rules.get(self.root.index()).is_some() {
            put(&mut out, format_args!("root: {}", printer.name(self.root)));
        }
        if !self.tokens.is_empty() {
            put(&mut out, format_args!("tokens: {}", self.tokens.join(" ")));
        }
        for (id, rule) in (0..).map(RuleId).zip(&self.rules) {
            put(&mut out, format_args!("#{} {}{}", id.0, rule.name, about(id, rule)));
            let body = bodies.get_mut(rule.body.index()).and_then(Option::take);
            body.iter().for_each(|body| self.print_body(rule, body, &mut out));
        }
        self.print_automata(&mut out);
        out
    }

    fn print_body(&self, rule: &Rule, body: &Body, out: &mut String) {
        match (body, self.kind(rule.body)) {
            (Body { arms, whole }, ExprKind::Alternation(_)) if whole.text.chars().count() > WIDTH => {
                let signs = std::iter::once('=').chain(std::iter::repeat('|'));
                arms.iter().zip(signs).for_each(|(arm, sign)| put(out, format_args!("    {sign} {arm}")));
            }
            (Body { whole, .. }, _) => put(out, format_args!("    = {}", whole.text)),
        }
    }

    fn print_automata(&self, out: &mut String) {
        if !self.machines.is_empty() {
            put(out, format_args!("automata:"));
        }
        for (number, dfa) in self.machines.iter().enumerate() {
            put(out, format_args!("#{number}: {}", machine_words(dfa)));
        }
    }
}

/// The printed body of a rule, and its alternatives if it has any.
struct Body {
    whole: Printed,
    arms: Vec<String>,
}

struct Printer<'g> {
    grammar: &'g Grammar,
    /// The number of rules of each name.
    names: HashMap<&'g str, usize>,
    /// The names of captures by their bodies, from the inside out.
    captures: HashMap<ExprId, Vec<&'g str>>,
}

impl<'g> Printer<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        let mut names = HashMap::new();
        grammar.rules.iter().for_each(|rule| *names.entry(rule.name.as_str()).or_default() += 1);
        let mut captures: HashMap<ExprId, Vec<&str>> = HashMap::new();
        grammar.captures.iter().for_each(|one| captures.entry(one.body).or_default().push(&one.name));
        Self { grammar, names, captures }
    }

    /// Returns the name of a rule, with its number if other rules have the same name.
    fn name(&self, id: RuleId) -> String {
        let Some(rule) = self.grammar.rules.get(id.index()) else { return format!("#{}", id.0) };
        match self.names.get(rule.name.as_str()) {
            Some(1) => rule.name.clone(),
            _ => format!("{}#{}", rule.name, id.0),
        }
    }

    /// Prints the bodies of rules, indexed by expression. Children come before parents, and each child has one parent,
    /// which consumes it.
    fn bodies(&self) -> Vec<Option<Body>> {
        let mut is_body = vec![false; self.grammar.exprs.len()];
        self.grammar.rules.iter().for_each(|rule| is_body[rule.body.index()] = true);
        let mut printed: Vec<Option<Printed>> = Vec::with_capacity(self.grammar.exprs.len());
        let mut bodies = Vec::with_capacity(self.grammar.exprs.len());
        for (id, expr) in (0..).map(ExprId).zip(&self.grammar.exprs) {
            let mut take =
                |id: ExprId| printed.get_mut(id.index()).and_then(Option::take).unwrap_or(Printed::word("?"));
            let arms = match &expr.kind {
                ExprKind::Alternation(arms) if is_body[id.index()] => {
                    let arms: Vec<Printed> = arms.iter().map(|&arm| take(arm)).collect();
                    let texts = arms.iter().cloned().map(|arm| arm.within(Precedence::Alternation)).collect();
                    (texts, joined(arms, " | ", Precedence::Alternation, "nothing"))
                }
                kind => (Vec::new(), self.expr(kind, &mut take)),
            };
            let (arms, whole) = (arms.0, self.captured(id, arms.1));
            let body = is_body[id.index()].then(|| Body { arms, whole: whole.clone() });
            bodies.push(body);
            printed.push(Some(whole));
        }
        bodies
    }

    fn captured(&self, id: ExprId, body: Printed) -> Printed {
        let names = self.captures.get(&id).into_iter().flatten();
        names.fold(body, |body, name| {
            let text = format!("{name}: {}", body.within(Precedence::Sequence));
            Printed { text, precedence: Precedence::Capture }
        })
    }

    fn expr(&self, kind: &ExprKind, take: &mut dyn FnMut(ExprId) -> Printed) -> Printed {
        match kind {
            ExprKind::Literal(bytes) => Printed::word(literal(bytes)),
            ExprKind::Machine(id) => Printed::word(self.machine(*id)),
            ExprKind::Rule(id) => Printed::word(self.name(*id)),
            ExprKind::External(id) => Printed::word(format!("value #{}", id.0)),
            ExprKind::Sequence(items) => {
                joined(items.iter().map(|&id| take(id)).collect(), " ", Precedence::Sequence, "\"\"")
            }
            ExprKind::Alternation(arms) => {
                joined(arms.iter().map(|&id| take(id)).collect(), " | ", Precedence::Alternation, "nothing")
            }
            ExprKind::Repeat { body, min, max } => {
                let text = format!("{}{}", take(*body).within(Precedence::Repeat), times(*min, *max));
                Printed { text, precedence: Precedence::Repeat }
            }
            ExprKind::Exception(kept, removed) => {
                joined(vec![take(*kept), take(*removed)], " - ", Precedence::Operation, "")
            }
            ExprKind::Intersection(one, other) => {
                joined(vec![take(*one), take(*other)], " & ", Precedence::Operation, "")
            }
            ExprKind::Lazy(body) => Printed::word(format!("lazy({})", take(*body).text)),
            ExprKind::Free { without: None } => Printed::word("text"),
            ExprKind::Free { without: Some(without) } => {
                let text = format!("text without {}", take(*without).within(Precedence::Repeat));
                Printed { text, precedence: Precedence::Capture }
            }
            ExprKind::Limited { body, limit } => {
                let (most, unit) = match limit {
                    TextLimit::Chars(most) => (most, "characters"),
                    TextLimit::Tokens(most) => (most, "tokens"),
                };
                Printed::word(format!("{}<{most} {unit}>", take(*body).within(Precedence::Repeat)))
            }
        }
    }

    fn machine(&self, id: MachineId) -> String {
        let states = self.grammar.machines.get(id.index()).map_or(0, Dfa::len);
        format!("automaton #{} ({states} states)", id.0)
    }
}

/// Joins parts with a separator. A single part stays as it is; for no parts, returns `empty`.
fn joined(mut parts: Vec<Printed>, sign: &str, precedence: Precedence, empty: &str) -> Printed {
    match parts.len() {
        0 => Printed::word(empty),
        1 => parts.remove(0),
        _ => {
            let parts: Vec<String> = parts.into_iter().map(|part| part.within(precedence)).collect();
            Printed { text: parts.join(sign), precedence }
        }
    }
}

fn times(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, Some(1)) => "?".to_owned(),
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

fn literal(bytes: &[u8]) -> String {
    if is_marker(bytes) {
        return shown(bytes);
    }
    let (mut text, mut shown) = (String::new(), 0);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars().take(CHARACTERS - shown) {
            text.extend(c.escape_debug());
            shown += 1;
        }
        // The marks of captures are bytes that are no characters.
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
        if shown == CHARACTERS {
            return format!("\"{text}\"... ({} bytes)", bytes.len());
        }
    }
    format!("\"{text}\"")
}

/// Describes the size of an automaton, and the first bytes of its texts.
fn machine_words(dfa: &Dfa) -> String {
    let start = dfa.state(dfa.start());
    let empty = if start.accept { ", may be empty" } else { "" };
    let mut ranges: Vec<String> = start.edges.iter().take(RANGES).map(|edge| range(edge.lo, edge.hi)).collect();
    if let Some(more) = start.edges.len().checked_sub(RANGES).filter(|more| *more > 0) {
        ranges.push(format!("{more} more ranges"));
    }
    let begins =
        if ranges.is_empty() { "begins with nothing".to_owned() } else { format!("begins with {}", ranges.join(", ")) };
    format!("{} states{empty}, {begins}", dfa.len())
}

/// Describes a range of bytes.
pub(crate) fn range(lo: u8, hi: u8) -> String {
    if lo == hi { byte(lo) } else { format!("{}-{}", byte(lo), byte(hi)) }
}

fn byte(byte: u8) -> String {
    if byte.is_ascii_graphic() || byte == b' ' { format!("{:?}", char::from(byte)) } else { format!("{byte:02x}") }
}

/// Writes a line; writing to a string cannot fail.
fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{line}");
}
