//! Checks the names of a rule tree: every name is defined exactly once, and there is a start rule.

use always_assert::never;

use super::nearest;
use super::tree::{ExprKind, Grammar, Rule};
use super::words::Texts;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::span::Span;
use std::collections::{HashMap, HashSet};

/// The start rule of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<'n> {
    /// The rule with this name; GBNF uses `root`.
    Named(&'n str),
    /// The first rule, as in EBNF.
    First,
}

/// Signs of a notation, for messages.
pub(crate) struct Signs {
    /// The sign between a name and its meaning, with the space before it.
    pub(crate) define: &'static str,
    /// The sign between alternatives.
    pub(crate) bar: &'static str,
    /// Further advice about a rule that is defined twice.
    pub(crate) join: &'static str,
    /// Rules that need no definition.
    pub(crate) library: &'static [&'static str],
    /// Whether `-` is an operator, so that a name with a hyphen may be meant as two names.
    pub(crate) has_minus: bool,
}

/// The signs of GBNF and EBNF.
const BNF: Signs =
    Signs { define: " ::=", bar: "|", join: "or join their bodies with `|`", library: &[], has_minus: true };

/// Maximum number of unknown names for which a suggestion is searched, because the search is quadratic in the size of a
/// broken grammar.
const SUGGESTIONS: usize = 32;

/// Maximum number of further uses of one undefined name that a finding shows.
const LABELS: usize = 4;

/// Reports duplicate rules, undefined names and a missing start rule, each with a suggestion where there is one.
#[must_use]
pub fn check(grammar: &Grammar, start: Start<'_>) -> Vec<Diagnostic> {
    check_written(grammar, start, &BNF)
}

/// Checks like [`check()`], for a notation with the given signs.
pub(crate) fn check_written(grammar: &Grammar, start: Start<'_>, signs: &Signs) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    let first = first_definitions(grammar, signs, &mut sink);
    undefined_names(grammar, &first, signs, &mut sink);
    missing_start(grammar, &first, start, signs.define, &mut sink);
    sink.finish()
}

fn first_definitions<'g>(grammar: &'g Grammar, signs: &Signs, sink: &mut Sink) -> HashMap<&'g str, &'g Rule> {
    let mut first: HashMap<&str, &Rule> = HashMap::with_capacity(grammar.rules.len());
    for rule in &grammar.rules {
        let earlier = *first.entry(&rule.name.value).or_insert(rule);
        if !std::ptr::eq(earlier, rule) {
            sink.push(duplicate(earlier, rule, signs));
        }
    }
    first
}

fn duplicate(earlier: &Rule, rule: &Rule, signs: &Signs) -> Diagnostic {
    let message = format!("the rule `{}` is defined twice", rule.name.value);
    Diagnostic::error(Code::DuplicateRule, rule.name.span, message)
        .label(earlier.name.span, "first defined here")
        .help(format!("give one of the two another name, {}", signs.join))
}

fn undefined_names(grammar: &Grammar, first: &HashMap<&str, &Rule>, signs: &Signs, sink: &mut Sink) {
    let uses = undefined_uses(grammar, first);
    if uses.is_empty() {
        return;
    }
    let texts = Texts::of(grammar);
    for (index, (name, places)) in uses.iter().enumerate() {
        let known = || rule_names(grammar).chain(signs.library.iter().copied());
        let is_other_case = index < SUGGESTIONS && known().any(|known| known.eq_ignore_ascii_case(name));
        let word = texts.help(name, signs.bar).filter(|_| !is_other_case);
        let meant = if index < SUGGESTIONS && word.is_none() { nearest(name, known()) } else { None };
        let found = undefined(name, places, meant, signs);
        sink.push(match word {
            Some(word) => found.help(word),
            None => found,
        });
    }
}

/// Returns every undefined name in order of first use, with all its places.
fn undefined_uses<'g>(grammar: &'g Grammar, first: &HashMap<&str, &Rule>) -> Vec<(&'g str, Vec<Span>)> {
    let mut uses: Vec<(&str, Vec<Span>)> = Vec::new();
    let mut index_of: HashMap<&str, usize> = HashMap::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            let ExprKind::Name(name) = &expr.kind else {
                return;
            };
            if first.contains_key(name.as_str()) {
                return;
            }
            let index = *index_of.entry(name).or_insert(uses.len());
            match uses.get_mut(index) {
                Some((_, places)) => places.push(expr.span),
                None => uses.push((name, vec![expr.span])),
            }
        });
    }
    uses
}

fn undefined(name: &str, places: &[Span], meant: Option<&str>, signs: &Signs) -> Diagnostic {
    let place = places.first().copied().unwrap_or_else(|| {
        never!("`{}` is undefined and used nowhere", name);
        Span::default()
    });
    let mut found = Diagnostic::error(Code::UndefinedRule, place, format!("no rule is called `{name}`"));
    for further in places.iter().skip(1).take(LABELS) {
        found = found.label(*further, "also used here");
    }
    if name.chars().all(|c| c == '-') {
        let message = "`-` takes nothing away here: it is part of names";
        let help = "write what is left, as a class or as alternatives: `[b-z]` for the small letters without `a`; a range is `[a-z]`";
        return Diagnostic { message: message.to_owned(), ..found }.help(help);
    }
    let is_range = |name: &str| name.split('-').all(|end| (1..=2).contains(&end.len())) && name.contains('-');
    if !signs.has_minus && is_range(name) {
        return found
            .help("a range of characters is written by numbers, `%x61-7A`; brackets are for what may be absent");
    }
    match (meant, split_name(name).filter(|_| signs.has_minus)) {
        (Some(meant), _) => found.help(format!("did you mean `{meant}`?")),
        (None, Some(parts)) => found.help(parts),
        (None, None) => found.help(format!("define `{name}`, or quote it if it is meant as text")),
    }
}

/// Returns a hint for an undefined name with a hyphen, which may be meant as an operator without space around it.
fn split_name(name: &str) -> Option<String> {
    let (left, right) = name.split_once('-')?;
    let both = !left.is_empty() && !right.is_empty();
    both.then(|| format!("define `{name}`; a hyphen is part of a name unless spaces stand around it"))
}

/// Adds the findings of a check to those of reading. If reading found errors, a finding that there are no rules is left
/// out, because it follows from them.
pub(crate) fn extend_unless_empty(
    found: &mut Vec<Diagnostic>,
    grammar: &Grammar,
    checked: Vec<Diagnostic>,
    text: &str,
) {
    if !grammar.rules.is_empty() || !found.iter().any(Diagnostic::is_error) {
        // A name with a finding gets no second one.
        let known: HashSet<Span> = found.iter().map(|one| one.span).collect();
        let broken: Vec<&str> =
            found.iter().filter(|one| one.is_error()).map(|one| line_from_name(text, one.span)).collect();
        let follows = |one: &Diagnostic| {
            let name = one.span.text(text);
            one.code == Code::UndefinedRule && broken.iter().any(|line| begins_with_word(line, name))
        };
        found.extend(checked.into_iter().filter(|one| !known.contains(&one.span) && !follows(one)));
    }
}

/// Maximum length of a line up to an error, in bytes, in which the name of a rule is looked for.
const HEAD: usize = 200;

/// Returns the line of an error, from the name that it may define on.
fn line_from_name(text: &str, error: Span) -> &str {
    let before = text.get(..error.start as usize).unwrap_or_default();
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = text.get(start..).filter(|_| before.len() - start < HEAD).unwrap_or_default();
    line.trim_start_matches([' ', '\t', '<', '?', '!'])
}

/// Returns whether a text begins with a name, and with no longer one.
fn begins_with_word(text: &str, name: &str) -> bool {
    text.strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')))
}

fn missing_start(grammar: &Grammar, first: &HashMap<&str, &Rule>, start: Start<'_>, sign: &str, sink: &mut Sink) {
    if grammar.rules.is_empty() {
        sink.push(Diagnostic::error(Code::NoRules, Span::default(), "there is no rule here"));
        return;
    }
    let Start::Named(name) = start else { return };
    if !first.contains_key(name) {
        sink.push(no_start(grammar, name, sign));
    }
}

fn no_start(grammar: &Grammar, name: &str, sign: &str) -> Diagnostic {
    let place = grammar.rules.first().map(|r| r.name.span).unwrap_or_else(|| {
        never!("a grammar without rules has more to mend than its start");
        Span::default()
    });
    let found = Diagnostic::error(
        Code::MissingRoot,
        place,
        format!("no rule is called `{name}`, which is where a text begins"),
    );
    let candidate = nearest(name, rule_names(grammar)).or_else(|| only_unused(grammar));
    match candidate {
        Some(candidate) => found.help(format!(
            "add `{name}{sign} {candidate}`, or name `{candidate}` as the start rule (`-d {candidate}`)"
        )),
        None => found.help(format!("add a rule `{name}{sign} ...`, or name another start rule (`-d NAME`)")),
    }
}

/// Returns the rule that no rule uses, if there is exactly one: it is probably the start rule.
fn only_unused(grammar: &Grammar) -> Option<&str> {
    let mut used = HashSet::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            if let ExprKind::Name(name) = &expr.kind {
                used.insert(name.as_str());
            }
        });
    }
    let mut unused = rule_names(grammar).filter(|name| !used.contains(name));
    let only = unused.next()?;
    unused.next().is_none().then_some(only)
}

fn rule_names(grammar: &Grammar) -> impl Iterator<Item = &str> {
    grammar.rules.iter().map(|rule| rule.name.value.as_str())
}
