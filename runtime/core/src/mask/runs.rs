//! Runs: countdowns with the same answer, found without asking for each.
//!
//! With everything else equal, a greater countdown `b` allows whatever a smaller one allows: guards ask for "room for at
//! least so many" only. So where the ends of a range have equal answers, all between have the same, and a range is asked
//! for by halves until its ends agree. A pattern with a length of thousands costs as many answers as it has distinct
//! masks, times a logarithm.

/// Answers for items that ascend by countdown, asking for as few as the ranges of equal answers need. `None` is no
/// answer, and equals nothing.
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
    let mut open = vec![(0, last)];
    while let Some((first, last)) = open.pop() {
        if answers[first].is_some() && answers[first] == answers[last] {
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
