//! The order in which the prompts of texts are read: those of the client that has had least of the model's time, and the shortest first. Among
//! clients that have had as much, the one goes first that has waited long, then the one with the shortest.
//!
//! What is left of the shortest prompt of a client is read first, so that it does not wait for long ones. One that has waited for
//! [`MOST_WAITING`] passes goes before those of its client that have waited less, so that short ones which keep coming do not hold it up for ever.

use std::cmp::Reverse;
use std::collections::HashMap;

use ogc_runtime::cache::Client;

/// The passes for which a prompt waits for shorter ones.
const MOST_WAITING: usize = 8;

/// A prompt of which something is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadPrompt {
    pub(super) client: Client,
    /// The time that the client has had of the model ([`PassShares`](super::pass_shares::PassShares)).
    pub(super) time: u64,
    /// The tokens that are to be read.
    pub(super) unread: usize,
    /// The passes that read for other prompts while it waited.
    pub(super) waited: usize,
}

impl UnreadPrompt {
    /// Returns for how many passes it has waited, least where that is most; 0 if that is not long.
    fn overdue(&self) -> Reverse<usize> {
        Reverse(if self.waited < MOST_WAITING { 0 } else { self.waited })
    }
}

/// Returns the order in which prompts are read.
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

    /// A prompt that comes at a pass.
    #[derive(Clone, Copy)]
    struct Coming {
        pass: usize,
        client: u64,
        tokens: usize,
    }

    fn coming(pass: usize, client: u64, tokens: usize) -> Coming {
        Coming { pass, client, tokens }
    }

    /// Reads so many tokens in each pass; returns the passes at which each prompt was read.
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
        // Both have 3,000 tokens read by then.
        assert!((180..200).contains(&done[9].expect("it is read")), "{done:?}");
    }

    #[test]
    fn short_prompts_that_keep_coming_do_not_hold_up_a_long_one() {
        // Of the same client in each pass, and of others.
        for client in [|_| 1, |pass| pass as u64 + 2] {
            let mut prompts: Vec<_> = (0..2_000).map(|pass| coming(pass, client(pass), 32)).collect();
            prompts.push(coming(0, 1, 500));
            assert!(read(32, &prompts, 2_000)[2_000].is_some());
        }
    }
}
