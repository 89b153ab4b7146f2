//! Finds the orders in which the fields of an object may be written: a graph of states, whose steps write a field or leave one out.
//!
//! In declared order, a state is the number of decided fields and the rest of the conditions. In any order, it is the
//! set of written fields. Steps from which no end is reachable are dropped.

use ogc_regular::LimitError;
use ogc_schema::KeyDiagram;
use rustc_hash::FxHashMap;

use super::fields::FieldArm;

/// Cap on the states in declared order.
const STATES: usize = 20_000;

/// Cap on the sets of fields in any order.
const SETS: usize = 256;

/// The orders in which fields may be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Orders {
    /// The states; in the first, nothing is written yet. Empty if no object can be written.
    pub(super) states: Vec<OrderState>,
}

/// A state: the possible next steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OrderState {
    /// The steps, each with the index of the next state.
    pub(super) steps: Vec<(Step, usize)>,
    /// Whether the object may end here.
    pub(super) ends: bool,
}

/// A step. It writes a part, after a separator if it is not the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) what: Part,
    pub(super) is_first: bool,
}

/// The part of an object that a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A field: its index, and the index of its option of values.
    Field(usize, usize),
    /// A field that is omitted: its index.
    Absent(usize),
    /// Undeclared fields: the minimum and the maximum number.
    Others(u64, Option<u64>),
}

/// The parts of the style that affect the orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderStyle {
    /// Whether there is a separator between fields.
    pub(super) is_separated: bool,
    /// Whether omitted fields leave a replacement text.
    pub(super) shows_absent: bool,
    /// Whether undeclared fields are written.
    pub(super) has_others: bool,
}

/// The identity of a state while the graph is explored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Progress {
    /// Number of decided fields.
    decided: usize,
    /// The written fields, if their number does not determine them.
    chosen: Vec<usize>,
    /// The rest of the conditions.
    conditions: Vec<KeyDiagram>,
    /// Number of written fields, as far as a bound depends on it.
    count: u64,
    /// Whether anything is written, as far as separators depend on it.
    is_started: bool,
    /// Whether undeclared fields were written.
    has_others: bool,
}

/// Returns the states for fields in declared order.
pub(super) fn declared(arm: &FieldArm, style: OrderStyle) -> Result<Orders, LimitError> {
    explore(arm, style, STATES, "states of the fields that may stand together", |progress| {
        declared_steps(arm, style, progress)
    })
}

/// Returns the states for fields in any order.
pub(super) fn any(arm: &FieldArm, style: OrderStyle) -> Result<Orders, LimitError> {
    explore(arm, style, SETS, "sets of fields in any order", |progress| any_steps(arm, style, progress))
}

/// Follows all steps from the state where nothing is written.
fn explore(
    arm: &FieldArm,
    style: OrderStyle,
    limit: usize,
    what: &'static str,
    steps_of: impl Fn(&Progress) -> (Vec<(Step, Progress)>, bool),
) -> Result<Orders, LimitError> {
    let start = Progress {
        decided: 0,
        chosen: Vec::new(),
        conditions: arm.conditions.clone(),
        count: 0,
        is_started: !style.is_separated,
        has_others: false,
    };
    let mut known = FxHashMap::from_iter([(start.clone(), 0)]);
    let (mut open, mut states) = (vec![start], Vec::new());
    while let Some(progress) = open.get(states.len()).cloned() {
        LimitError::check(what, open.len(), limit)?;
        let (steps, ends) = steps_of(&progress);
        let steps = steps.into_iter().map(|(step, next)| {
            let target = *known.entry(next.clone()).or_insert(open.len());
            if target == open.len() {
                open.push(next);
            }
            (step, target)
        });
        let steps = steps.collect();
        states.push(OrderState { steps, ends });
    }
    Ok(alive(states))
}

/// Keeps the states from which an end is reachable, and drops steps to other states.
fn alive(states: Vec<OrderState>) -> Orders {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        state.steps.iter().for_each(|(_, to)| before[*to].push(from));
    }
    let mut lives = vec![false; states.len()];
    let mut open: Vec<usize> = (0..states.len()).filter(|&at| states[at].ends).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut lives[at], true) {
            open.extend(&before[at]);
        }
    }
    if !lives.first().copied().unwrap_or(false) {
        return Orders::default();
    }
    let mut numbers = Vec::with_capacity(states.len());
    let mut count = 0;
    for &lives in &lives {
        numbers.push(count);
        count += usize::from(lives);
    }
    let kept = states.into_iter().zip(&lives).filter(|(_, lives)| **lives).map(|(mut state, _)| {
        state.steps.retain(|(_, to)| lives[*to]);
        state.steps.iter_mut().for_each(|(_, to)| *to = numbers[*to]);
        state
    });
    Orders { states: kept.collect() }
}

fn declared_steps(arm: &FieldArm, style: OrderStyle, progress: &Progress) -> (Vec<(Step, Progress)>, bool) {
    let Some(field) = arm.fields.get(progress.decided) else {
        let others = if progress.has_others { None } else { all_others(arm, style, progress) };
        return (others.into_iter().collect(), progress.has_others || ends(arm, progress));
    };
    let mut steps = Vec::new();
    for (at, (option, _)) in field.options.iter().enumerate() {
        steps.extend(taken(arm, style, progress, Part::Field(progress.decided, at), field.first, *option));
    }
    if !field.required
        && let Some(conditions) = decided(&progress.conditions, field.first, 0)
    {
        let is_started = progress.is_started || style.shows_absent;
        let next = Progress { decided: progress.decided + 1, conditions, is_started, ..progress.clone() };
        steps.push((Step { what: Part::Absent(progress.decided), is_first: !progress.is_started }, next));
    }
    (steps, false)
}

fn any_steps(arm: &FieldArm, style: OrderStyle, progress: &Progress) -> (Vec<(Step, Progress)>, bool) {
    let mut steps = Vec::new();
    for (at, field) in arm.fields.iter().enumerate().filter(|(at, _)| !progress.chosen.contains(at)) {
        for (nth, (option, _)) in field.options.iter().enumerate() {
            let step = taken(arm, style, progress, Part::Field(at, nth), field.first, *option);
            steps.extend(step.map(|(step, mut next)| {
                next.decided = 0;
                next.chosen = progress.chosen.clone();
                next.chosen.push(at);
                next.chosen.sort_unstable();
                (step, next)
            }));
        }
    }
    if style.has_others && !arm.others.is_empty() {
        let step = taken(arm, style, progress, Part::Others(1, Some(1)), arm.undeclared, 1);
        steps.extend(step.map(|(step, next)| (step, Progress { decided: 0, has_others: true, ..next })));
    }
    let left = |(at, _): &(usize, &super::fields::Field)| !progress.chosen.contains(at);
    let missing: Vec<_> = arm.fields.iter().enumerate().filter(left).map(|(_, field)| field).collect();
    let without =
        missing.iter().try_fold(progress.conditions.clone(), |conditions, field| decided(&conditions, field.first, 0));
    let holds = without.is_some_and(|conditions| ends(arm, &Progress { conditions, ..progress.clone() }));
    (steps, holds && missing.iter().all(|field| !field.required))
}

/// Returns the step that writes a field.
fn taken(
    arm: &FieldArm,
    style: OrderStyle,
    progress: &Progress,
    what: Part,
    first: usize,
    option: usize,
) -> Option<(Step, Progress)> {
    let conditions = decided(&progress.conditions, first, option)?;
    let counts = arm.min > 0 || arm.max.is_some();
    let count = progress.count + u64::from(counts);
    if arm.max.is_some_and(|max| count > max) {
        return None;
    }
    let count = if arm.max.is_some() { count } else { count.min(arm.min) };
    let is_started = progress.is_started || style.is_separated;
    let next = Progress { decided: progress.decided + 1, conditions, count, is_started, ..progress.clone() };
    Some((Step { what, is_first: !progress.is_started }, next))
}

/// Returns the step that writes all undeclared fields, after the declared ones.
fn all_others(arm: &FieldArm, style: OrderStyle, progress: &Progress) -> Option<(Step, Progress)> {
    if !style.has_others || arm.others.is_empty() {
        return None;
    }
    let conditions = decided(&progress.conditions, arm.undeclared, 1).filter(Vec::is_empty)?;
    let most = match arm.max {
        Some(max) => Some(max.checked_sub(progress.count).filter(|most| *most > 0)?),
        None => None,
    };
    let least = arm.min.saturating_sub(progress.count).max(1);
    if most.is_some_and(|most| most < least) {
        return None;
    }
    let next = Progress { conditions, has_others: true, is_started: true, ..progress.clone() };
    Some((Step { what: Part::Others(least, most), is_first: !progress.is_started }, next))
}

/// Returns whether an object may end once all declared fields are decided.
fn ends(arm: &FieldArm, progress: &Progress) -> bool {
    let conditions = match progress.has_others {
        true => Some(progress.conditions.clone()),
        false => decided(&progress.conditions, arm.undeclared, 0),
    };
    conditions.is_some_and(|left| left.is_empty()) && progress.count >= arm.min
}

/// Returns the rest of the conditions after a field is decided; `None` if a condition fails.
fn decided(conditions: &[KeyDiagram], first: usize, option: usize) -> Option<Vec<KeyDiagram>> {
    let left = conditions.iter().map(|condition| condition.decided(first, option)).collect::<Option<Vec<_>>>()?;
    Some(left.into_iter().filter(|condition| !condition.choices.is_empty()).collect())
}
