//! Shares a pass among the prompts that are to be read: in parts, so that no text stalls, and what several begin with once.

use std::collections::HashSet;

use super::sequence::{MAX_PROMPT, Sequence};
use crate::model::PAGE;

/// [`MAX_PROMPT`] on a device, where rows cost less.
const MAX_PROMPT_ON_DEVICE: usize = 64;

/// The most tokens of prompts that a pass reads beside texts that are being written, which wait for it.
const MAX_BESIDE: usize = 16;

/// Says which prompts are read in the next pass, and how far: in the order of the texts, each as far as there is room. Of texts that read the
/// same page, the first does; the others find it there afterwards.
pub(super) fn share(sequences: &mut [&mut Sequence], is_on_device: bool) {
    let mut room = match (sequences.iter().any(|text| text.reads_text()), is_on_device) {
        (true, _) => MAX_BESIDE,
        (false, false) => MAX_PROMPT,
        (false, true) => MAX_PROMPT_ON_DEVICE,
    };
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

    #[test]
    fn parts_are_whole_pages() {
        assert!([MAX_BESIDE, MAX_PROMPT, MAX_PROMPT_ON_DEVICE].into_iter().all(|tokens| tokens.is_multiple_of(PAGE)));
    }
}
