//! Shares a pass among the prompts that are to be read: in parts, so that no text stalls, and what several begin with once.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::Sequence;
use crate::model::PAGE;

/// The most tokens of prompts that a pass reads.
const MAX_PROMPT: usize = 128;

/// The most tokens of prompts that a pass reads beside texts that are being written, which wait for it.
const MAX_BESIDE: usize = 32;

/// Says which prompts are read in the next pass, and how far: about as much of each, those that waited longest first. Of texts that read the
/// same page, one does; the others find it there afterwards.
pub(super) fn share(sequences: &mut [&mut Sequence]) {
    let mut room = if sequences.iter().any(|text| text.reads_text()) { MAX_BESIDE } else { MAX_PROMPT };
    let mut readers: Vec<usize> = (0..sequences.len()).filter(|&at| sequences[at].unread() > 0).collect();
    readers.sort_by_key(|&at| Reverse(sequences[at].waited()));
    let mut pages = HashSet::new();
    readers
        .retain(|&at| sequences[at].next_page().is_none_or(|(before, tokens)| pages.insert((before, tokens.to_vec()))));
    let mut left = readers.len();
    for at in readers {
        // What those before did not need is shared by the others.
        let part = (room / left).max(PAGE).min(room) / PAGE * PAGE;
        let tokens = sequences[at].unread().min(part);
        sequences[at].read_prompt(tokens);
        (room, left) = (room - tokens.next_multiple_of(PAGE), left - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_pages() {
        assert!(MAX_PROMPT.is_multiple_of(PAGE) && MAX_BESIDE.is_multiple_of(PAGE));
    }
}
