//! Inlay hints: the size of a definition, and inferred facts.
//!
//! A file may have thousands of definitions that all use each other. So compiled definitions are not kept, only their
//! hints; and a request compiles until its budget is used up.

use always_assert::never;
use std::sync::Arc;

use ogc_compiler::db::{Db, Language, SourceFile};
use ogc_compiler::hir::items::ItemId;
use ogc_compiler::hir::uses::uses_at_most;
use ogc_compiler::hir::{Builtin, BuiltinKind, TextKind};
use ogc_compiler::pass::scc::components;
use ogc_compiler::pipeline::{self, Inferred, InferredKind};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::ExprKind;
use ogc_runtime::automaton::{Automaton, Rule};

use crate::items::{PlacedItem, items};
use crate::snapshot::Snapshot;

/// The subject of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HintKind {
    /// The size of a definition, and the nesting depth of its calls.
    Size,
    /// The inferred end of a free text, or the inferred triggers of the regions in it.
    Inferred,
}

/// A text shown between the words of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The offset before which it is shown.
    pub at: u32,
    /// The text.
    pub label: String,
    /// Subject of the hint.
    pub kind: HintKind,
    /// A sentence with the same information.
    pub tooltip: String,
}

/// The shape of an automaton: whether its rules call one another, and how deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One rule, without a stack.
    Finite,
    /// A stack of at most this many calls.
    Bounded(usize),
    /// A stack without a bound: a rule calls itself.
    Recursive,
}

/// Maximum number of compilation steps for the hints of one request: about three seconds. Definitions beyond it get a
/// hint that says so.
const STEPS: u64 = 30_000_000;

/// Maximum number of items that a definition may use for its hints to be kept until any of them is edited.
const USED: usize = 64;

/// Maximum number of literals that a hint shows.
const SHOWN: usize = 3;

/// Maximum width of a hint's list of literals, in characters.
const WIDTH: usize = 40;

impl HintKind {
    /// All kinds.
    pub const ALL: [HintKind; 2] = [HintKind::Size, HintKind::Inferred];
}

/// Returns the hints of the wanted kinds about definitions in a range of an `.ogc` file, ordered by place.
#[must_use]
pub fn inlay_hints(snapshot: &Snapshot, file: SourceFile, range: Span, wanted: &[HintKind]) -> Vec<Hint> {
    if snapshot.language(file) != Language::Ogc {
        return Vec::new();
    }
    let shown = items(snapshot, file).filter(|item| item.span.start < range.end && range.start < item.span.end);
    let shown = shown.filter(|item| wanted.contains(&HintKind::Size) || has_free_text(item));
    let mut left = STEPS;
    let mut found: Vec<Hint> = shown.flat_map(|item| of_item(snapshot, &item, &mut left)).collect();
    found.sort_by_key(|hint| hint.at);
    found.dedup();
    found.retain(|hint| wanted.contains(&hint.kind) && range.start <= hint.at && hint.at <= range.end);
    found
}

/// Returns whether a definition contains free text: otherwise nothing is inferred, so that it need not be compiled.
fn has_free_text(item: &PlacedItem<'_>) -> bool {
    let mut found = false;
    for root in item.tree.expressions() {
        root.walk(&mut |expr| {
            let ExprKind::Reference(reference) = &expr.kind else { return };
            let [name] = reference.path.segments.as_slice() else { return };
            let kind = Builtin::of(&name.text).map(|builtin| builtin.kind);
            found |= matches!(kind, Some(BuiltinKind::Text(TextKind::Text | TextKind::Mix)));
        });
    }
    found
}

fn of_item(snapshot: &Snapshot, item: &PlacedItem<'_>, left: &mut u64) -> Vec<Hint> {
    let Some(definition) = item.definition().filter(|definition| definition.parameters.is_empty()) else {
        return Vec::new();
    };
    let at = item.in_file(definition.name.span).end;
    let name: Arc<str> = definition.name.text.as_str().into();
    let compiled = if uses_at_most(&snapshot.db, item.id, USED) {
        kept(&snapshot.db, item.id.file, name).clone()
    } else if *left > 0 {
        compiled(&snapshot.db, item.id.file, &name)
    } else {
        return vec![not_computed(item.id, at)];
    };
    let Some(compiled) = compiled else { return Vec::new() };
    *left = left.saturating_sub(compiled.work);
    let here =
        compiled.inferred.iter().filter(|one| item.span.start <= one.span.start && one.span.end <= item.span.end);
    let here: Vec<Hint> = here.map(of_inferred).collect();
    [of_size(&compiled, at)].into_iter().chain(here).collect()
}

/// The figures of a compiled definition that its hints show.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Compiled {
    states: usize,
    rules: usize,
    shape: Shape,
    inferred: Vec<Inferred>,
    /// Number of steps that compiling it takes.
    work: u64,
}

/// Compiles a definition; `None` if there are errors.
fn compiled(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Option<Compiled> {
    let definition = pipeline::definition(db, file, name)?;
    let automaton = definition.automaton()?;
    let (states, rules, shape) = (automaton.states.len(), automaton.rules.len(), shape(automaton));
    Some(Compiled { states, rules, shape, inferred: definition.inferences(db), work: definition.work() })
}

/// Returns the result of [`compiled`], kept in the database.
#[salsa::tracked]
fn kept(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Compiled> {
    compiled(db, file, &name)
}

fn of_size(compiled: &Compiled, at: u32) -> Hint {
    let (states, rules) = (counted(compiled.states, "state"), counted(compiled.rules, "rule"));
    let (label, rest) = match compiled.shape {
        Shape::Finite => (states.clone(), "calls none".to_owned()),
        Shape::Bounded(depth) => (format!("{states}, {depth} deep"), format!("nests calls at most {depth} deep")),
        Shape::Recursive => (format!("{states}, recursive"), "nests calls without a bound".to_owned()),
    };
    let tooltip = format!("Recognised by an automaton that has {states} in {rules} and {rest}.");
    Hint { at, label, kind: HintKind::Size, tooltip }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the hint for a definition that the request's budget no longer covers.
fn not_computed(item: &ItemId, at: u32) -> Hint {
    let tooltip = format!(
        "Compiling the definitions above takes more than {STEPS} steps, the limit for hints. `ogc cost FILE -d {}` shows the cost \
         of this one.",
        item.key.name
    );
    Hint { at, label: "size not computed".to_owned(), kind: HintKind::Size, tooltip }
}

/// Returns the nesting depth of an automaton's calls.
#[must_use]
pub fn shape(automaton: &Automaton) -> Shape {
    let called = |rule: &Rule| {
        let calls = rule.state_ids().flat_map(|state| automaton.calls(state));
        calls.map(|call| call.rule.0).collect::<Vec<u32>>()
    };
    let calls: Vec<Vec<u32>> = automaton.rules.iter().map(called).collect();
    let groups = components(&calls);
    if groups.cyclic.contains(&true) {
        return Shape::Recursive;
    }
    // Components are numbered callees first, so the depths of callees are known.
    let mut depths = vec![0_usize; calls.len()];
    for rule in groups.members.iter().flatten().map(|rule| *rule as usize) {
        let callees = calls.get(rule).into_iter().flatten();
        let deepest = callees.filter_map(|callee| depths.get(*callee as usize)).max().map(|deepest| deepest + 1);
        if let (Some(depth), Some(deepest)) = (depths.get_mut(rule), deepest) {
            *depth = deepest;
        }
    }
    match depths.get(automaton.root.rule.index()) {
        Some(0) => Shape::Finite,
        Some(depth) => Shape::Bounded(*depth),
        None => {
            never!("the root {:?} is no rule of the automaton", automaton.root.rule);
            Shape::Finite
        }
    }
}

fn of_inferred(inferred: &Inferred) -> Hint {
    let list = listed(&inferred.literals);
    let (label, tooltip) = match inferred.kind {
        InferredKind::Stops if inferred.literals.is_empty() => {
            ("to the end".to_owned(), "Nothing follows this text: it ends with the output.".to_owned())
        }
        InferredKind::Stops => {
            (format!("until {list}"), "What follows this text ends it, and cannot occur in it.".to_owned())
        }
        InferredKind::Triggers => {
            (format!("at {list}"), "Each of these begins a region, and cannot occur in the text around it.".to_owned())
        }
    };
    Hint { at: inferred.span.end, label, kind: HintKind::Inferred, tooltip }
}

/// Writes the first literals of a list.
fn listed(literals: &[String]) -> String {
    let quoted = |literal: &String| if literal.starts_with("tok\"") { literal.clone() } else { format!("{literal:?}") };
    let mut out = String::new();
    for (index, literal) in literals.iter().enumerate() {
        let next = quoted(literal);
        if index == SHOWN || index > 0 && out.chars().count() + next.chars().count() > WIDTH {
            return format!("{out} and {} more", literals.len() - index);
        }
        let comma = if index == 0 { "" } else { ", " };
        out = format!("{out}{comma}{next}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let text = fixture.snapshot.text(file);
        let whole = Span::of(0, text.len());
        let hints = inlay_hints(&fixture.snapshot, file, whole, &HintKind::ALL);
        for kind in HintKind::ALL {
            let of_kind: Vec<Hint> = hints.iter().filter(|hint| hint.kind == kind).cloned().collect();
            assert_eq!(inlay_hints(&fixture.snapshot, file, whole, &[kind]), of_kind);
        }
        let shown: Vec<String> = hints
            .iter()
            .map(|hint| {
                let before = text[..hint.at as usize].split([' ', '\n']).next_back().unwrap_or_default();
                format!("{before} [{}]", hint.label)
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn hints_show_the_automaton_size_of_definitions() {
        check("rule r = \"ab\" | \"cd\"\noutput O = r\n", &["r [4 states]", "O [4 states]"]);
        check("rule r = \"(\" r? \")\"\n", &["r [4 states, recursive]"]);
    }

    #[test]
    fn hints_show_ends_and_triggers_of_free_text() {
        check("output O = a: text \"</a>\"\n", &["O [12 states]", "text [until \"</a>\"]"]);
        let calls = "output O = mix<text, \"<call>\" /[a-z]+/ \"</call>\">\n";
        check(calls, &["O [22 states]", "mix<text [until \"<call>\"]", "\"</call>\"> [at \"<call>\"]"]);
    }

    #[test]
    fn definitions_that_do_not_compile_have_no_hints() {
        check("type A = Nope\n", &[]);
        check("type P<T> = T[2]\n", &[]);
        check("import \"x.gbnf\" as x\n", &[]);
        check("//- s.schema.json\n{}\n", &[]);
    }

    #[test]
    fn long_lists_are_cut() {
        let words: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(listed(&words), "\"a\", \"b\", \"c\" and 1 more");
        assert_eq!(listed(&["x".repeat(60), "y".to_owned()]), format!("\"{}\" and 1 more", "x".repeat(60)));
    }
}
