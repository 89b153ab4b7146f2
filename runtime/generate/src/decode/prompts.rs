//! Divides a pass among the prompts that are still to be read: in parts, so that no text stalls, and common beginnings only once.

use std::collections::HashSet;

use super::sequence::Sequence;
use crate::model::PAGE;

/// Cap on the prompt tokens of a pass that also writes texts: the texts wait until the pass ends.
const MAX_BESIDE: usize = 16;

/// Decides which prompts the next pass reads, and how far: in the order of the texts, each as far as there is room. If several texts would
/// read the same page, only the first does; the others find it there afterwards. `most` is the cap on tokens in a pass that writes no text.
pub(super) fn share(sequences: &mut [&mut Sequence], most: usize) {
    let is_written = sequences.iter().any(|text| text.reads_text());
    let mut room = if is_written { MAX_BESIDE } else { most };
    let mut pages = HashSet::new();
    for sequence in sequences.iter_mut().filter(|sequence| sequence.unread() > 0) {
        if room == 0 {
            return;
        }
        if sequence.next_page().is_none_or(|(before, tokens)| pages.insert((before, tokens.to_vec()))) {
            let tokens = sequence.unread().min(room);
            sequence.read_prompt(tokens);
            room -= tokens.next_multiple_of(PAGE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MAX_PROMPT, MAX_PROMPT_IN_ENGINE, MAX_PROMPT_ON_DEVICE};

    #[test]
    fn prompt_chunks_are_multiples_of_a_page() {
        let most = [MAX_BESIDE, MAX_PROMPT, MAX_PROMPT_IN_ENGINE, MAX_PROMPT_ON_DEVICE];
        assert!(most.into_iter().all(|tokens| tokens.is_multiple_of(PAGE)));
    }
}
