//! Finds the answers for many countdowns or positions with few questions: bisection finds neighbours with equal answers.
//!
//! If all else is equal, a frame with more room (a greater countdown `b`) allows all tokens that a frame with less room allows, because
//! guards on `b` only require a minimum of room. So answers are monotone in `b`: if both ends of a range have equal answers, all values
//! between have the same answer. A range with different ends is halved. The number of questions is about the number of distinct answers
//! times the logarithm of the range.
//!
//! Answers are also monotone in the position of an object with keys in declared order, as long as no required key lies between: an earlier
//! position allows all keys that a later one allows, and more. Every continuation of the text from the later position is also possible from
//! the earlier one. The same bytes lead both to equal frames, or again to two frames that differ only in this position.
//!
//! Say the countdowns 0 to 8 have nine different answers, and 9 to 1,000 have one answer. The ends differ; 500 equals 1,000, so that all
//! between is filled in; then 250 equals 500, 125 equals 250, and so on down to 15. Below, 7 differs, 11 equals 15, 9 equals 11, and the
//! rest is asked one by one. So 18 questions give 1,001 answers.

/// Returns the answers for items that ascend by countdown or position. Asks only for answers that do not follow from equal neighbours.
/// `None` means that a question had no answer; nothing is inferred from it.
pub(crate) fn answer_runs<R: Clone + PartialEq>(
    items: usize,
    mut answer: impl FnMut(usize) -> Option<R>,
) -> Vec<Option<R>> {
    let mut answers: Vec<Option<R>> = vec![None; items];
    let Some(last) = items.checked_sub(1) else {
        return answers;
    };
    answers[0] = answer(0);
    if last > 0 {
        answers[last] = answer(last);
    }
    // Ranges whose two ends are answered, but no item between them.
    let mut open = vec![(0, last)];
    while let Some((first, last)) = open.pop() {
        if answers[first].is_some() && answers[first] == answers[last] {
            // Monotone: all answers between equal ends are equal.
            let same = answers[first].clone();
            answers[first..last].fill(same);
        } else if last > first + 1 {
            let middle = first.midpoint(last);
            answers[middle] = answer(middle);
            open.extend([(middle, last), (first, middle)]);
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::answer_runs;

    #[test]
    fn all_answers_are_inferred_from_few_questions() {
        for items in [0, 1, 2, 3, 1_000, 2_001] {
            let mut asked = 0;
            let answers = answer_runs(items, |item| {
                asked += 1;
                Some(item / 300)
            });
            assert!(answers.iter().enumerate().all(|(item, answer)| *answer == Some(item / 300)));
            assert!(asked <= items.min(120), "{asked}");
        }
    }

    #[test]
    fn no_answer_is_inferred_from_a_missing_one() {
        let answers = answer_runs(5, |item| (item != 2).then_some(0));
        assert_eq!(answers, [Some(0); 5], "equal ends answer for all between");
        let answers = answer_runs(5, |item| (item != 0).then_some(0));
        assert_eq!(answers, [None, Some(0), Some(0), Some(0), Some(0)]);
    }
}
