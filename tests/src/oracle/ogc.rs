//! Evaluates `.ogc` programs as `docs/reference` defines them, slowly and without compiling, by recursion on the syntax
//! tree.
//!
//! * [`scope`] resolves names; [`kind`] tells values from texts.
//! * [`text`] gives the ends of all texts of an expression that begin at a place; [`layout`] does so with `@skip`,
//!   [`free`] for `text`, `mix` and `substring`, [`first`] finds the literals at which free text stops.
//! * [`json`] reads a JSON value in the spelling of a policy; [`value`] decides whether it is in a type, [`object`] and
//!   [`number`] look at its parts; [`pattern`] matches regular expressions.
//! * [`agree`] compares compiled formats with it, [`generate`] makes random programs, and [`sample`] makes texts that
//!   are in or near the format.
//!
//! A question that the reference leaves open, or that would take too long, gives [`Verdict::Doubt`].

pub mod agree;
mod first;
mod free;
pub mod generate;
mod json;
mod kind;
mod layout;
mod number;
mod object;
mod pattern;
mod quoted;
pub mod sample;
mod scope;
mod text;
mod value;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ogc_grammar::ogc::ast::{Expr, File, Item, ItemKind};
use pattern::Pattern;
use scope::Env;

/// The number of steps after which a text is given up.
const STEPS: u32 = 400_000;

/// The verdict of the oracle about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The text is in the set.
    In,
    /// The text is not in the set.
    Out,
    /// The oracle does not know.
    Doubt,
}

/// A parsed program.
#[derive(Debug)]
pub struct Program {
    file: File,
}

impl Program {
    /// Parses a program; `None` if the parser reports anything.
    #[must_use]
    pub fn read(text: &str) -> Option<Program> {
        let parse = ogc_grammar::ogc::parse(text);
        parse.diagnostics.is_empty().then_some(Program { file: parse.file })
    }

    /// Decides whether a text is in the last output.
    #[must_use]
    pub fn contains(&self, text: &[u8]) -> Verdict {
        let judge = Judge::new(&self.file.items, text);
        let Some(item) = self.file.items.iter().rfind(|item| matches!(item.kind, ItemKind::Output(_))) else {
            return Verdict::Doubt;
        };
        if scope::sets_policies_inside(&self.file.items) {
            return Verdict::Doubt; // a value is read in one spelling
        }
        let around = scope::defined(item).is_some_and(|definition| judge.is_value_alone(&definition.body));
        let policy = Policy { around, ..judge.file_policy(&self.file.items) };
        let context = Context { policy, ..Context::default() };
        let ends = judge.definition(item, Env::default(), &context, 0);
        match (judge.doubt.get(), ends.contains(&text.len())) {
            (true, _) => Verdict::Doubt,
            (false, true) => Verdict::In,
            (false, false) => Verdict::Out,
        }
    }
}

/// Places in a text, in bytes.
type Ends = BTreeSet<usize>;

/// The policies for the spelling of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Policy {
    space: Space,
    indent: usize,
    run: usize,
    any_order: bool,
    canonical: bool,
    /// Whether `None`, `True` and `False` stand for `null`, `true` and `false`.
    python: bool,
    depth: Option<usize>,
    /// Whether white space may surround a value, because it is the whole output.
    around: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Compact,
    Spaced,
    Pretty,
    Any,
}

impl Policy {
    /// Returns the word for a word of JSON.
    fn word(self, json: &'static str) -> &'static [u8] {
        match json {
            "null" if self.python => b"None",
            "true" if self.python => b"True",
            "false" if self.python => b"False",
            _ => json.as_bytes(),
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            space: Space::Compact,
            indent: 2,
            run: 32,
            any_order: false,
            canonical: false,
            python: false,
            depth: None,
            around: false,
        }
    }
}

/// The settings that an expression inherits from the expressions around it.
#[derive(Clone, Debug, Default)]
struct Context<'p> {
    env: Env<'p>,
    policy: Policy,
    /// The text of `@skip`, and the environment of its names.
    skip: Option<(&'p Expr, Env<'p>)>,
    /// The possible beginnings of the text behind the expression.
    follow: first::Begin,
}

/// The state of one decision about one text.
struct Judge<'p> {
    names: BTreeMap<&'p str, &'p Item>,
    /// Names from other files; nothing is known about them.
    imported: BTreeSet<&'p str>,
    text: &'p [u8],
    doubt: Cell<bool>,
    steps: Cell<u32>,
    patterns: RefCell<BTreeMap<&'p str, Option<Rc<Pattern>>>>,
}

impl<'p> Judge<'p> {
    fn new(items: &'p [Item], text: &'p [u8]) -> Self {
        let names = items.iter().filter_map(|item| Some((scope::defined(item)?.name.text.as_str(), item))).collect();
        let imported = items.iter().flat_map(scope::imported).collect();
        Judge { names, imported, text, doubt: Cell::new(false), steps: Cell::new(0), patterns: RefCell::default() }
    }

    /// Gives up: the verdict is unknown.
    fn give_up(&self) {
        self.doubt.set(true);
    }

    /// Counts a step; returns false once there were too many.
    fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS {
            self.give_up();
        }
        !self.doubt.get()
    }

    fn pattern(&self, written: &'p str) -> Option<Rc<Pattern>> {
        let mut known = self.patterns.borrow_mut();
        let pattern = known.entry(written).or_insert_with(|| Pattern::read(written).map(Rc::new)).clone();
        if pattern.is_none() {
            self.give_up();
        }
        pattern
    }
}

/// Returns the character at a place of a text, and the place of the next one.
fn char_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let rest = text.get(at..)?;
    (1..=rest.len().min(4)).find_map(|len| {
        let char = std::str::from_utf8(&rest[..len]).ok()?.chars().next()?;
        Some((char, at + len))
    })
}
