//! `swallowed-alternative` and `swallowed-part`: a structured part is an alternative to free text, as in `text | call`,
//! or optional before it, as in `think? text`. If the free text can spell the beginning of the structured part, the
//! structure is not enforced: a text that begins like the part, and then has a mistake or exceeds a limit, is accepted
//! as free text.
//!
//! Free text is `text`, a stretch of `mix`, or a regex that allows most characters. The automata of the texts tell what
//! free text can spell ([`reading`]), through rules, lists and repetitions. A beginning consists of fixed characters; a
//! vocabulary token is no beginning, as no text spells it.

mod correction;
mod reading;

use std::collections::BTreeMap;

use ogc_compiler::ir::{ExprId, ExprKind, Grammar, is_marker};
use ogc_grammar::{Code, Diagnostic, Fix};
use ogc_schema::source::Origin;

use self::reading::{Reading, Spelled, Texts};
use super::compiled::Compiled;

pub(super) use correction::fix;

/// Cap on the expressions of a grammar that is examined; nobody writes larger ones by hand.
const EXPRESSIONS: usize = 20_000;

/// Cap on the beginnings of one part that are examined.
const BEGINNINGS: usize = 16;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(module) = compiled.module().filter(|module| module.grammar.exprs.len() <= EXPRESSIONS) else {
        return Vec::new();
    };
    let operands = module.grammar.inside_operands();
    let all = (0..).map(ExprId).zip(&module.grammar.exprs).filter(|(id, _)| !operands[id.index()]);
    let choices = all.filter(|(_, expr)| matches!(expr.kind, ExprKind::Alternation(_) | ExprKind::Repeat { .. }));
    let choices: Vec<ExprId> = choices.map(|(id, _)| id).collect();
    if choices.is_empty() {
        return Vec::new();
    }
    let limits = compiled.file.options(compiled.db).limits(compiled.db);
    let Some(texts) = Texts::of(module, &limits) else { return Vec::new() };
    let mut reading = Reading::new(&texts);
    let mut found = Found::default();
    for id in choices {
        match module.grammar.kind(id) {
            ExprKind::Alternation(arms) => {
                alternatives(&texts, &mut reading, arms, &mut found);
                optional_arms(&texts, &mut reading, id, arms, &mut found);
            }
            ExprKind::Repeat { body, min, max } if *max != Some(*min) => {
                let part = Part { id: *body, behind: id, counted: max.is_some_and(|max| max > 1) };
                part_before(&texts, &mut reading, &part, &mut found);
            }
            _ => {}
        }
    }
    found.diagnostics.into_values().collect()
}

/// The findings, keyed by code and free text, so that each text is reported once.
#[derive(Default)]
struct Found {
    diagnostics: BTreeMap<(Code, ExprId), Diagnostic<Origin>>,
}

impl Found {
    fn add(&mut self, code: Code, grammar: &Grammar, spelled: &Spelled, other: ExprId) {
        let place = |id: ExprId| grammar.exprs[id.index()].origin;
        let known = self.diagnostics.get_mut(&(code, spelled.text));
        match known {
            // Prefer the longer beginning for the correction, such as `<think>` in `(think % "\n")?`.
            Some(known) if known.fix.is_none() && spelled.excluded().is_some() => {
                *known = diagnostic(code, place(spelled.text), place(other), spelled);
            }
            Some(known) if known.labels.len() < 4 && known.labels.iter().all(|(span, _)| *span != place(other)) => {
                known.labels.push((place(other), "this one too".to_owned()));
            }
            Some(_) => {}
            None => {
                let found = diagnostic(code, place(spelled.text), place(other), spelled);
                self.diagnostics.insert((code, spelled.text), found);
            }
        }
    }
}

fn diagnostic(code: Code, text: Origin, other: Origin, spelled: &Spelled) -> Diagnostic<Origin> {
    let shown: Vec<String> = spelled.beginnings.iter().map(|one| format!("{one:?}")).collect();
    let shown = shown.join(" and ");
    let (message, part) = match code {
        Code::SwallowedAlternative => (
            format!("this free text may begin with {shown} too, so that the other alternative enforces nothing"),
            "other alternative",
        ),
        _ => {
            (format!("this free text may begin with {shown} too, so that the part before it enforces nothing"), "part")
        }
    };
    let excluded = spelled.excluded();
    let token = format!("begin the {part} with a token of the vocabulary");
    let help = match (&excluded, code) {
        (Some(excluded), Code::SwallowedAlternative) => {
            format!("write `text<without = {excluded}>`, {token}, or write `mix<text, x>` for text with such parts")
        }
        (Some(excluded), _) if spelled.is_text => format!("write `text<without = {excluded}>`, or {token}"),
        (Some(excluded), _) => format!("keep it out of the text, `x - ({excluded} text)`, or {token}"),
        (None, _) => format!("{token}, or with a literal that the text is `without`"),
    };
    let fix = excluded.filter(|_| spelled.is_text || spelled.whole).map(|excluded| {
        // A placeholder; `correction` writes the edit once the source is known.
        Fix::new(format!("keep {excluded} out of the text"), text, excluded)
    });
    Diagnostic::warning(code, text, message)
        .label(other, if code == Code::SwallowedAlternative { "this one" } else { "this part" })
        .help(help)
        .fix(fix)
}

/// Finds alternatives that free text swallows, as in `text | call`.
fn alternatives(texts: &Texts<'_>, reading: &mut Reading<'_, '_>, arms: &[ExprId], found: &mut Found) {
    for &free in arms.iter().filter(|arm| texts.begins_freely(**arm)) {
        let pure = is_free(texts.grammar, free);
        let others = arms.iter().filter(|other| **other != free && (pure || !is_fixed(texts.grammar, **other)));
        for &other in others {
            let literals = beginnings(texts, other);
            if let Some(spelled) = reading.spell(&texts.entered(free), &literals) {
                found.add(Code::SwallowedAlternative, texts.grammar, &spelled, other);
                break;
            }
        }
    }
}

/// A part that may be left out, or occur less often, and the enclosing expression that is directly before the free
/// text.
struct Part {
    id: ExprId,
    behind: ExprId,
    /// Whether its number has an upper bound.
    counted: bool,
}

/// Finds parts that can be left out because another arm is empty, as in `(call | "")`.
fn optional_arms(texts: &Texts<'_>, reading: &mut Reading<'_, '_>, id: ExprId, arms: &[ExprId], found: &mut Found) {
    let is_empty =
        |arm: &ExprId| texts.begin(*arm).empty && texts.begin(*arm).literals.is_empty() && !texts.begin(*arm).unknown;
    if !arms.iter().any(is_empty) {
        return;
    }
    for &arm in arms.iter().filter(|arm| !texts.begin(**arm).empty) {
        part_before(texts, reading, &Part { id: arm, behind: id, counted: false }, found);
    }
}

/// Finds a part that the free text after it swallows, as in `think? text`.
fn part_before(texts: &Texts<'_>, reading: &mut Reading<'_, '_>, part: &Part, found: &mut Found) {
    // A part that consists of fixed characters has no structure to enforce.
    if is_fixed(texts.grammar, part.id) && !part.counted {
        return;
    }
    let literals = beginnings(texts, part.id);
    if literals.is_empty() {
        return;
    }
    if let Some(spelled) = reading.spell(&texts.behind(part.behind), &literals) {
        found.add(Code::SwallowedPart, texts.grammar, &spelled, part.id);
    }
}

/// Returns the fixed characters with which a text begins; none if it can also begin with something else.
fn beginnings<'t>(texts: &'t Texts<'_>, id: ExprId) -> Vec<&'t [u8]> {
    let begin = texts.begin(id);
    let literals = begin.literals.iter().map(|literal| &**literal);
    literals.filter(|literal| !literal.is_empty() && !is_marker(literal)).take(BEGINNINGS).collect()
}

/// Depth to which rules and sequences are followed.
const DEPTH: usize = 32;

/// Returns whether an expression is free text, which may contain anything.
fn is_free(grammar: &Grammar, id: ExprId) -> bool {
    let mut id = id;
    for _ in 0..DEPTH {
        id = match grammar.kind(id) {
            ExprKind::Free { without } => return without.is_none(),
            ExprKind::Limited { body, .. } => *body,
            ExprKind::Rule(rule) => grammar.rules[rule.index()].body,
            ExprKind::Sequence(parts) => match **parts {
                [only] => only,
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}

/// Returns whether an expression consists of literals.
fn is_fixed(grammar: &Grammar, id: ExprId) -> bool {
    fn fixed(grammar: &Grammar, id: ExprId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match grammar.kind(id) {
            ExprKind::Literal(_) => true,
            ExprKind::Rule(rule) => fixed(grammar, grammar.rules[rule.index()].body, depth),
            ExprKind::Sequence(parts) | ExprKind::Alternation(parts) => {
                parts.len() <= DEPTH && parts.iter().all(|part| fixed(grammar, *part, depth))
            }
            _ => false,
        }
    }
    fixed(grammar, id, 8)
}
