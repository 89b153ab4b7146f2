//! The reading order of prompts. First come prompts of the client that has had the least of the model's time. Among clients with equal time, one with
//! a prompt that has waited long comes first, then the one with the shortest prompt.
//!
//! Within a client, the prompt with the fewest unread tokens is read first, so that it does not wait for long ones. A prompt that has waited for
//! [`MOST_WAITING`] passes goes before prompts of its client that have waited less, so that new short prompts do not hold it up for ever.

use std::cmp::Reverse;
use std::collections::HashMap;

use ogc_runtime::cache::Client;

/// Passes for which a prompt waits for shorter ones.
const MOST_WAITING: usize = 8;

/// A prompt with unread tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadPrompt {
    pub(super) client: Client,
    /// Time that the client has had of the model ([`PassShares`](super::pass_shares::PassShares)).
    pub(super) time: u64,
    /// Number of unread tokens.
    pub(super) unread: usize,
    /// Passes that read other prompts while this one waited.
    pub(super) waited: usize,
}

impl UnreadPrompt {
    /// Returns a sort key that is least for the prompt that has waited longest; prompts that have not waited long have equal keys.
    fn overdue(&self) -> Reverse<usize> {
        Reverse(if self.waited < MOST_WAITING { 0 } else { self.waited })
    }
}

/// Returns the indices of the prompts in their reading order.
pub(super) fn prompt_order(prompts: &[UnreadPrompt]) -> Vec<usize> {
    let mut of_clients: HashMap<Client, (Reverse<usize>, usize)> = HashMap::new();
    for prompt in prompts {
        let (overdue, shortest) = of_clients.entry(prompt.client).or_insert((Reverse(0), usize::MAX));
        *overdue = prompt.overdue().min(*overdue);
        *shortest = prompt.unread.min(*shortest);
    }
    let mut order: Vec<usize> = (0..prompts.len()).collect();
    order.sort_by_key(|&at| {
        let UnreadPrompt { client, time, unread, .. } = prompts[at];
        (time, of_clients.get(&client), client.0, prompts[at].overdue(), unread)
    });
    order
}

#[cfg(test)]
mod tests {
    use super::super::pass_shares::{PassShares, PassText};
    use super::*;

    /// A prompt that arrives at a pass.
    #[derive(Clone, Copy)]
    struct Coming {
        pass: usize,
        client: u64,
        tokens: usize,
    }

    fn coming(pass: usize, client: u64, tokens: usize) -> Coming {
        Coming { pass, client, tokens }
    }

    /// Reads `room` tokens in each pass; returns for each prompt the pass at which it was completely read.
    fn read(room: usize, coming: &[Coming], passes: usize) -> Vec<Option<usize>> {
        let mut shares = PassShares::default();
        let mut left: Vec<(usize, usize)> = coming.iter().map(|prompt| (prompt.tokens, 0)).collect();
        let mut done = vec![None; coming.len()];
        for pass in 0..passes {
            let text = |at: usize| PassText { client: Client(coming[at].client), rows: left[at].0.min(room) };
            let here: Vec<usize> = (0..coming.len()).filter(|&at| coming[at].pass <= pass && left[at].0 > 0).collect();
            let joining = shares.joining(&here.iter().map(|&at| text(at)).collect::<Vec<_>>(), &[]);
            let here: Vec<usize> =
                here.into_iter().zip(joining).filter_map(|(at, joins)| joins.then_some(at)).collect();
            let unread = |&at: &usize| {
                let (client, (unread, waited)) = (Client(coming[at].client), left[at]);
                UnreadPrompt { client, time: shares.time(client), unread, waited }
            };
            let (mut room, mut texts) = (room, Vec::new());
            for at in prompt_order(&here.iter().map(unread).collect::<Vec<_>>()).into_iter().map(|at| here[at]) {
                let tokens = left[at].0.min(room);
                room -= tokens;
                texts.push(PassText { client: Client(coming[at].client), rows: tokens });
                left[at] = (left[at].0 - tokens, if tokens > 0 { 0 } else { left[at].1 + 1 });
                if left[at].0 == 0 {
                    done[at] = Some(pass);
                }
            }
            shares.begin(&texts);
            shares.end();
        }
        done
    }

    #[test]
    fn a_short_prompt_does_not_wait_for_long_ones() {
        // Six prompts of one client, then a short one of another, and one of the same client.
        let mut prompts = vec![coming(0, 1, 2_000); 6];
        prompts.extend([coming(20, 2, 40), coming(40, 1, 40)]);
        let done = read(32, &prompts, 1_000);
        assert!(done[6] <= Some(23), "{done:?}");
        assert!(done[7] <= Some(50), "{done:?}");
        assert!(done.iter().all(Option::is_some), "{done:?}");
    }

    #[test]
    fn clients_share_passes_equally_however_many_prompts_they_have() {
        let mut prompts = vec![coming(0, 1, 1_000); 9];
        prompts.push(coming(0, 2, 3_000));
        let done = read(32, &prompts, 1_000);
        // By then, 3,000 tokens of both clients have been read.
        assert!((180..200).contains(&done[9].expect("it is read")), "{done:?}");
    }

    #[test]
    fn short_prompts_that_keep_coming_do_not_hold_up_a_long_one() {
        // Short prompts of the same client in each pass, and of other clients.
        for client in [|_| 1, |pass| pass as u64 + 2] {
            let mut prompts: Vec<_> = (0..2_000).map(|pass| coming(pass, client(pass), 32)).collect();
            prompts.push(coming(0, 1, 500));
            assert!(read(32, &prompts, 2_000)[2_000].is_some());
        }
    }
}
