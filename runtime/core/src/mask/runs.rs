//! Answers for many countdowns or positions by few questions: neighbours with equal answers are found by bisection.
//!
//! If all else is equal, a frame with more room (a greater countdown `b`) allows all tokens that one with less allows: guards
//! on `b` only ask for "room for at least so many". So answers are monotone in `b`: if the two ends of a range have equal
//! answers, all between have the same. A range whose ends differ is halved. The questions are about as many as there are
//! distinct answers, times the logarithm of the range.
//!
//! So are answers in the position of an object whose keys come in declared order: from a position, all keys may come that may
//! from a later one, and more, as long as no required key lies between. What a text can go on with from the later one, it can
//! go on with from the earlier one, by the same bytes: it reaches the same frames, or again two that differ in this position
//! alone.
//!
//! Of the countdowns 0 to 1,000, let those below 9 have an answer each and the others one. The ends differ; 500 equals 1,000,
//! so that all between is filled in; then 250 equals 500, 125 equals 250, and so on down to 15; below, 7 differs, 11 equals
//! 15, 9 equals 11, and the rest is asked for one by one. So 18 questions answer 1,001.

/// Returns the answers for items that ascend by countdown or position; asks only for those that cannot be inferred from equal
/// neighbours. `None` means that a question had no answer, from which nothing is inferred.
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
    // Ranges whose two ends are answered and nothing between is.
    let mut open = vec![(0, last)];
    while let Some((first, last)) = open.pop() {
        if answers[first].is_some() && answers[first] == answers[last] {
            // Monotone: what lies between equal ends equals them.
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
    fn every_answer_is_there_and_few_are_asked_for() {
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
    fn where_there_is_no_answer_none_is_inferred() {
        let answers = answer_runs(5, |item| (item != 2).then_some(0));
        assert_eq!(answers, [Some(0); 5], "equal ends answer for all between");
        let answers = answer_runs(5, |item| (item != 0).then_some(0));
        assert_eq!(answers, [None, Some(0), Some(0), Some(0), Some(0)]);
    }
}
