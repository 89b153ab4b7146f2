//! From a matcher's heads to a mask: bases of the top frames, tails of what they return to.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{MatchError, Matcher};
use crate::mask::{ExitsId, Mask, Row};
use crate::step::{BOTTOM, Head, MAX_HEADS, NodeId};

/// What is still to be added to the mask.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Everything that this head reads.
    Base(Head),
    /// What the frames at this node read after these exits.
    Tail(ExitsId, NodeId),
}

/// The union over all heads.
pub(super) fn collect(matcher: &mut Matcher) -> Result<Mask, MatchError> {
    let mut mask = Mask {
        rows: SmallVec::new(),
        eos: matcher.is_complete(),
        vocabulary: Arc::clone(matcher.store.vocabulary()),
    };
    if matcher.terminated {
        mask.eos = false;
        return Ok(mask);
    }
    let heads = matcher.heads.iter().filter(|head| !head.is_returned());
    let mut todo: SmallVec<[Part; 8]> = heads.map(|&head| Part::Base(head)).collect();
    let mut done = 0;
    while let Some(&part) = todo.get(done) {
        done += 1;
        add(matcher, part, &mut todo, &mut mask.rows)
            .ok_or(MatchError::TooManyHeads { limit: MAX_HEADS })?;
    }
    Ok(mask)
}

fn push(todo: &mut SmallVec<[Part; 8]>, part: Part) {
    if !todo.contains(&part) {
        todo.push(part);
    }
}

fn add(
    matcher: &mut Matcher,
    part: Part,
    todo: &mut SmallVec<[Part; 8]>,
    rows: &mut SmallVec<[Arc<Row>; 4]>,
) -> Option<()> {
    let Matcher {
        automaton,
        store,
        stack,
        walker,
        ..
    } = matcher;
    match part {
        Part::Base(head) => {
            let base = store.base(automaton, walker, stack, head)?;
            if !base.row.view().is_empty() {
                rows.push(base.row);
            }
            if base.exits != ExitsId::NONE && head.parent != BOTTOM {
                push(todo, Part::Tail(base.exits, head.parent));
            }
            if base.at_once {
                stack.frames(head.parent, |frame, parent| {
                    push(todo, Part::Base(frame.resume(parent)))
                });
            }
        }
        Part::Tail(exits, node) => {
            let mut frames: SmallVec<[Head; 2]> = SmallVec::new();
            stack.frames(node, |frame, parent| frames.push(frame.resume(parent)));
            for head in frames {
                let tail = store.tail(automaton, walker, stack, exits, head)?;
                rows.extend(tail.row);
                if tail.exits != ExitsId::NONE && head.parent != BOTTOM {
                    push(todo, Part::Tail(tail.exits, head.parent));
                }
            }
        }
    }
    Some(())
}
