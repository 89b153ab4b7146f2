//! The order in which the prompts of texts are read: clients in turn, and the shortest prompts of a client first.
//!
//! # Clients
//!
//! This is weighted fair queueing with equal weights (Demers, Keshav and Shenker, 1989): each client has a time, which grows by the tokens that
//! are read for it, and the client with the least goes first; among equals the one with the shortest prompt. Who comes anew begins at the time that
//! a client has for whom an equal share of all was read: it does not wait behind what others have sent before, and saves nothing up while it is away.
//!
//! # Prompts of a client
//!
//! What is left of the shortest is read first, so that it does not wait for long ones. One that has waited for [`MOST_WAITING`] passes goes before
//! those of its client that have waited less, so that short ones which keep coming do not hold it up for ever.

use std::cmp::Reverse;
use std::collections::HashMap;

use ogc_runtime::cache::Client;

/// The passes for which a prompt waits for shorter ones.
const MOST_WAITING: usize = 8;

/// A prompt of which something is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadPrompt {
    pub(super) client: Client,
    /// The tokens that are to be read.
    pub(super) unread: usize,
    /// The passes that read for other prompts while it waited.
    pub(super) waited: usize,
}

/// The times of clients whose prompts are read.
#[derive(Debug, Default)]
pub(super) struct PromptTurns {
    /// Of clients that have prompts, and of those that are ahead of `now`.
    times: HashMap<Client, u64>,
    /// The time of a client for whom an equal share was read.
    now: u64,
}

impl PromptTurns {
    /// Returns the order in which prompts are read.
    pub(super) fn order(&mut self, prompts: &[UnreadPrompt]) -> Vec<usize> {
        let mut shortest: HashMap<Client, usize> = HashMap::new();
        for prompt in prompts {
            let least = shortest.entry(prompt.client).or_insert(usize::MAX);
            *least = prompt.unread.min(*least);
            self.times.entry(prompt.client).or_insert(self.now);
        }
        self.times.retain(|client, time| shortest.contains_key(client) || (*time > self.now && !prompts.is_empty()));
        let mut order: Vec<usize> = (0..prompts.len()).collect();
        order.sort_by_key(|&at| {
            let UnreadPrompt { client, unread, waited } = prompts[at];
            let overdue = if waited < MOST_WAITING { 0 } else { waited };
            (self.times.get(&client), shortest.get(&client), client.0, Reverse(overdue), unread)
        });
        order
    }

    /// Counts the tokens that a pass has read for the clients of the prompts that there were.
    pub(super) fn count(&mut self, read: &[(Client, usize)]) {
        let mut clients: Vec<Client> = read.iter().map(|(client, _)| *client).collect();
        clients.sort_unstable_by_key(|client| client.0);
        clients.dedup();
        for (client, tokens) in read {
            *self.times.entry(*client).or_insert(self.now) += *tokens as u64;
        }
        let all: usize = read.iter().map(|(_, tokens)| tokens).sum();
        self.now += (all / clients.len().max(1)) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(client: u64, unread: usize, waited: usize) -> UnreadPrompt {
        UnreadPrompt { client: Client(client), unread, waited }
    }

    /// Reads so many tokens in each pass for prompts of `(client, tokens)`, each of which comes at its pass; returns the passes at which they were
    /// read.
    fn read(room: usize, coming: &[(usize, u64, usize)], passes: usize) -> Vec<Option<usize>> {
        let mut turns = PromptTurns::default();
        let mut left: Vec<UnreadPrompt> =
            coming.iter().map(|(_, client, tokens)| prompt(*client, *tokens, 0)).collect();
        let mut done = vec![None; coming.len()];
        for pass in 0..passes {
            let here: Vec<usize> =
                (0..coming.len()).filter(|&at| coming[at].0 <= pass && left[at].unread > 0).collect();
            let order = turns.order(&here.iter().map(|&at| left[at]).collect::<Vec<_>>());
            let (mut room, mut read) = (room, Vec::new());
            for at in order.into_iter().map(|at| here[at]) {
                let tokens = left[at].unread.min(room);
                room -= tokens;
                left[at].unread -= tokens;
                left[at].waited = if tokens > 0 { 0 } else { left[at].waited + 1 };
                read.push((left[at].client, tokens));
                if left[at].unread == 0 {
                    done[at] = Some(pass);
                }
            }
            turns.count(&read);
        }
        done
    }

    #[test]
    fn a_short_prompt_does_not_wait_for_long_ones() {
        // Six prompts of one client, then a short one of another, and one of the same client.
        let mut coming = vec![(0, 1, 2_000); 6];
        coming.extend([(20, 2, 40), (40, 1, 40)]);
        let done = read(32, &coming, 1_000);
        assert_eq!(done[6], Some(22), "it is read in every other pass");
        assert!(done[7] <= Some(50), "{done:?}");
        assert!(done.iter().all(Option::is_some), "{done:?}");
    }

    #[test]
    fn clients_share_passes_equally_however_many_prompts_they_have() {
        let mut coming = vec![(0, 1, 1_000); 9];
        coming.push((0, 2, 3_000));
        let done = read(32, &coming, 1_000);
        // Both have 3,000 tokens read by then.
        assert!((180..200).contains(&done[9].expect("it is read")), "{done:?}");
    }

    #[test]
    fn short_prompts_that_keep_coming_do_not_hold_up_a_long_one() {
        // Of the same client in each pass, and of others.
        for client in [|_| 1, |pass| pass as u64 + 2] {
            let mut coming: Vec<_> = (0..2_000).map(|pass| (pass, client(pass), 32)).collect();
            coming.push((0, 1, 500));
            assert!(read(32, &coming, 2_000)[2_000].is_some());
        }
    }

    #[test]
    fn nothing_is_kept_of_clients_that_are_behind_or_gone() {
        let mut turns = PromptTurns::default();
        for client in 0..100 {
            assert_eq!(turns.order(&[prompt(client, 9, 0)]), [0]);
            turns.count(&[(Client(client), 9)]);
        }
        assert_eq!(turns.times.len(), 1);
        assert!(turns.order(&[]).is_empty() && turns.times.is_empty());
    }
}
