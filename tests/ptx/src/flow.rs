//! Finds where the branches of a function meet again: immediate post-dominators of its flow graph.
//!
//! Lanes that part at a branch run together again at the first instruction that lies on every way from the branch. The
//! algorithm is that of Cooper, Harvey and Kennedy (2001), on the reversed graph of instructions.

use crate::ir::{Instruction, Op};

/// Returns, for each instruction of a body, the first instruction on all ways from it; none if there is none before the
/// end of the thread. A return leads to the last instruction, which is itself a return.
pub(crate) fn meets(code: &[Instruction]) -> Vec<Option<u32>> {
    let end = code.len();
    let next: Vec<Vec<usize>> = (0..end).map(|at| successors(code, at)).collect();
    let order = backward_order(&next, end);
    let mut rank = vec![usize::MAX; end + 1];
    for (at, node) in order.iter().enumerate() {
        rank[*node] = at;
    }
    let mut meets = vec![None; end + 1];
    meets[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for node in order.iter().copied().filter(|node| *node != end) {
            let known = next[node].iter().copied().filter(|next| meets[*next].is_some());
            let found = known.reduce(|a, b| common(&meets, &rank, a, b));
            if found != meets[node] {
                meets[node] = found;
                changed = true;
            }
        }
    }
    meets.truncate(end);
    let inside = |at: Option<usize>| at.filter(|at| *at != end).and_then(|at| u32::try_from(at).ok());
    meets.into_iter().map(inside).collect()
}

/// Returns the instructions that may follow one; the number of instructions stands for the end of the thread.
fn successors(code: &[Instruction], at: usize) -> Vec<usize> {
    let last = code.len() - 1;
    let mut next = match &code[at].op {
        Op::Branch { target } => vec![*target as usize],
        Op::BranchTable { targets, .. } => targets.iter().map(|target| *target as usize).collect(),
        Op::Return if at != last => vec![last],
        Op::Return | Op::Exit | Op::Trap => vec![last + 1],
        _ => vec![at + 1],
    };
    if code[at].guard.is_some() {
        next.push(at + 1);
    }
    next
}

/// Returns the nodes from which the end can be reached, the end first; each comes after the nodes through which a
/// backward walk finds it.
fn backward_order(next: &[Vec<usize>], end: usize) -> Vec<usize> {
    let mut before = vec![Vec::new(); end + 1];
    for (at, next) in next.iter().enumerate() {
        for next in next {
            before[*next].push(at);
        }
    }
    let (mut order, mut seen) = (Vec::new(), vec![false; end + 1]);
    let mut open = vec![(end, 0)];
    seen[end] = true;
    while let Some((node, at)) = open.pop() {
        match before[node].get(at) {
            None => order.push(node),
            Some(previous) => {
                open.push((node, at + 1));
                if !std::mem::replace(&mut seen[*previous], true) {
                    open.push((*previous, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// Returns the nearest node that both nodes lead to, as far as is known.
fn common(meets: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let further = if rank[a] > rank[b] { &mut a } else { &mut b };
        match meets[*further] {
            Some(next) => *further = next,
            None => return if rank[a] < rank[b] { a } else { b },
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::meets;
    use crate::ir::{Instruction, Op, Register, Width};

    /// Writes a body by letters: `.` is a step, `?3` a branch to 3 for some lanes, `!3` a branch for all, `r` a return.
    fn body(words: &str) -> Vec<Instruction> {
        let guard = Some((Register { index: 0, width: Width::Bit }, true));
        let instruction = |word: &str| match word.split_at(1) {
            ("?", target) => (guard, Op::Branch { target: target.parse().unwrap() }),
            ("!", target) => (None, Op::Branch { target: target.parse().unwrap() }),
            ("r", _) => (None, Op::Return),
            _ => (None, Op::Sleep),
        };
        words.split(' ').map(instruction).map(|(guard, op)| Instruction { line: 1, guard, op }).collect()
    }

    fn check(words: &str, branch: usize, expected: Option<u32>) {
        assert_eq!(meets(&body(words))[branch], expected, "{words}");
    }

    #[test]
    fn branches_reconverge_after_both_sides() {
        check("?3 . !4 . . r", 0, Some(4));
        check("?2 . . r", 0, Some(2));
        check("?3 ?4 . !5 . . r", 0, Some(5));
    }

    #[test]
    fn loops_reconverge_after_their_branch() {
        check(". . ?0 . r", 2, Some(3));
        // A way out of the middle of a loop.
        check(". ?4 . ?0 . r", 1, Some(4));
        check(". ?4 . ?0 . r", 3, Some(4));
    }

    #[test]
    fn early_returns_reconverge_at_the_last_return() {
        check("?2 r . . r", 0, Some(4));
    }

    #[test]
    fn paths_without_a_common_end_do_not_reconverge() {
        check("?2 r !2 r", 2, None);
        check(". !0 r", 0, None);
    }
}
