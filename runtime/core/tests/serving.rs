//! Results for many matchers and for drafts are those of one matcher that is stepped token by token.

use crate::formats;

use std::num::NonZeroUsize;
use std::sync::Arc;

use formats::assert_mask_is_exact;
use ogc_kit::Random;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{
    DraftNode, FollowedState, MaskRows, MatchError, Matcher, RowFollower, RowIndexError, fill_masks, fill_masks_at,
};
use ogc_runtime::vocabulary::TokenId;

/// Makes a matcher for each format, after some random tokens.
fn matchers(random: &mut Random) -> Vec<Matcher> {
    let vocabulary = formats::vocabulary();
    let start = |(_, automaton)| Matcher::new(automaton, MaskStore::new(Arc::clone(&vocabulary)));
    let mut all: Vec<Matcher> = formats::all().into_iter().map(start).collect();
    for matcher in &mut all {
        for _ in 0..random.below(12) {
            step(matcher, random);
        }
    }
    all
}

/// Accepts a random token of the mask, if there is one.
fn step(matcher: &mut Matcher, random: &mut Random) {
    let tokens = matcher.mask().expect("a mask").tokens();
    if let Some(&token) = tokens.get(random.below(tokens.len())) {
        matcher.accept_token(token).expect("the mask allows it");
    }
}

fn words_of(matcher: &mut Matcher, stride: usize) -> Vec<u32> {
    let mut words = vec![u32::MAX; stride];
    matcher.fill_mask(&mut words).expect("a mask");
    words
}

#[test]
fn rows_of_a_batch_are_the_masks_of_its_matchers() {
    let mut random = Random::new(11);
    let mut batch: Vec<Matcher> = Vec::new();
    while batch.len() < 300 {
        batch.extend(matchers(&mut random));
    }
    let stride = batch[0].store().vocabulary().len().div_ceil(32) + 2;
    let expected: Vec<u32> = batch.iter_mut().flat_map(|matcher| words_of(matcher, stride)).collect();
    for threads in [1, 2, 5] {
        let mut words = vec![u32::MAX; expected.len() + 1];
        let mut rows = MaskRows::new(&mut words, stride).expect("a stride");
        let refused = fill_masks(&mut batch, &mut rows, NonZeroUsize::new(threads).expect("a number"));
        assert!(refused.is_empty());
        assert_eq!(words[..expected.len()], expected, "{threads} threads");
        assert_eq!(words.last(), Some(&u32::MAX), "the rest of the buffer is left alone");
    }
}

/// A random tree of tokens, half of which follow masks.
fn random_tree(matcher: &Matcher, random: &mut Random) -> Vec<DraftNode> {
    let vocabulary = matcher.store().vocabulary().len();
    let mut places = vec![matcher.fork()];
    let mut nodes: Vec<DraftNode> = Vec::new();
    for _ in 0..random.below(20) {
        let parent = random.below(places.len()).checked_sub(1);
        let mut place = places[parent.map_or(0, |parent| parent + 1)].fork();
        let tokens = place.mask().expect("a mask").tokens();
        let token = match random.below(2) {
            0 if !tokens.is_empty() => tokens[random.below(tokens.len())],
            _ => TokenId(random.below(vocabulary) as u32),
        };
        let _ = place.accept_token(token);
        nodes.push(DraftNode { token, parent });
        places.push(place);
    }
    nodes
}

#[test]
fn rows_of_a_draft_tree_are_the_masks_behind_its_tokens() {
    let mut random = Random::new(5);
    let mut counts = [0, 0];
    for _ in 0..12 {
        for mut matcher in matchers(&mut random) {
            let nodes = random_tree(&matcher, &mut random);
            let stride = matcher.store().vocabulary().len().div_ceil(32);
            let mut words = vec![u32::MAX; (nodes.len() + 1) * stride];
            let mut rows = MaskRows::new(&mut words, stride).expect("a stride");
            let before = matcher.len();
            let allowed = matcher.fill_draft_tree(&nodes, &mut rows).expect("enough rows");
            assert_eq!(matcher.len(), before);
            assert_eq!(words[..stride], words_of(&mut matcher, stride));
            for (at, row) in words.chunks(stride).skip(1).enumerate() {
                let mut way: Vec<TokenId> = Vec::new();
                let mut node = Some(at);
                while let Some(index) = node {
                    way.insert(0, nodes[index].token);
                    node = nodes[index].parent;
                }
                let mut fork = matcher.fork();
                let expected = fork.accept_tokens(&way).is_ok();
                assert_eq!(allowed[at], expected);
                let mask = if expected { words_of(&mut fork, stride) } else { vec![0; stride] };
                assert_eq!(row, mask, "node {at} of {nodes:?}");
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts[0] > 300 && counts[1] > 300, "{counts:?}");
}

#[test]
fn a_draft_without_enough_rows_is_refused() {
    for mut matcher in matchers(&mut Random::new(2)) {
        let mut words = [7; 6];
        let mut rows = MaskRows::new(&mut words, 3).expect("a stride");
        let refused = matcher.fill_draft(&[TokenId(1), TokenId(2)], &mut rows);
        assert_eq!(refused, Err(MatchError::Rows { given: 2, limit: 3 }));
        assert_eq!(words, [7; 6]);
    }
}

#[test]
fn stop_tokens_only_end_texts() {
    let mut random = Random::new(3);
    let mut ended = 0;
    for round in 0..6 {
        for mut matcher in matchers(&mut random) {
            let vocabulary = matcher.store().vocabulary().len();
            // Some stop tokens are bytes, which formats read as text.
            let stops: Vec<TokenId> = (0..4).map(|_| TokenId(random.below(vocabulary) as u32)).collect();
            matcher.set_stop_tokens(Some(&stops));
            for _ in 0..8 {
                if let Err(MatchError::StopToken { token }) = matcher.mask() {
                    assert!(stops.contains(&TokenId(token)) && !matcher.is_complete(), "round {round}");
                    let all = 0..vocabulary as u32;
                    assert!(all.map(TokenId).all(|token| matcher.allows(token) == Ok(false)), "round {round}");
                    break;
                }
                assert_mask_is_exact(&mut matcher);
                let goes_on = matcher.is_terminated() || !matcher.mask().expect("a mask").is_empty();
                assert!(goes_on, "round {round}: an empty mask");
                let complete = matcher.is_complete() && !matcher.is_terminated();
                for &stop in &stops {
                    assert_eq!(matcher.allows(stop), Ok(complete), "round {round}");
                    assert_eq!(matcher.explain(stop).allowed, complete);
                }
                if matcher.automaton().tokens.is_empty() {
                    let eos = matcher.store().vocabulary().eos().to_vec();
                    assert!(eos.iter().all(|&token| stops.contains(&token) || matcher.allows(token) == Ok(false)));
                }
                step(&mut matcher, &mut random);
                ended += usize::from(matcher.is_terminated());
            }
            let mut fork = matcher.fork();
            assert_eq!(fork.stop_tokens(), matcher.stop_tokens());
            fork.set_stop_tokens(None);
            assert_eq!(fork.stop_tokens(), fork.store().vocabulary().eos());
        }
    }
    assert!(ended > 10, "{ended}");
}

#[test]
fn a_mask_with_only_stop_tokens_before_completion_is_an_error() {
    let mut random = Random::new(5);
    let mut stuck = 0;
    for mut matcher in matchers(&mut random) {
        for _ in 0..8 {
            let tokens = matcher.mask().expect("a mask").tokens();
            if let ([first, others @ ..], false) = (tokens.as_slice(), matcher.is_complete()) {
                let mut fork = matcher.fork();
                fork.set_stop_tokens(Some(&tokens));
                assert_eq!(fork.mask().err(), Some(MatchError::StopToken { token: first.0 }));
                fork.set_stop_tokens(Some(others));
                assert_eq!(fork.mask().expect("a mask").tokens(), [*first]);
                stuck += 1;
            }
            step(&mut matcher, &mut random);
        }
    }
    assert!(stuck > 5, "{stuck}");
}

/// Walks two matchers of one format side by side, one of which drops checkpoints. Returns whether it dropped any.
fn walk_and_forget(mut plain: Matcher, window: usize, random: &mut Random) -> bool {
    let mut forgets = plain.fork();
    forgets.set_rollback_window(Some(window));
    let stride = plain.store().vocabulary().len().div_ceil(32);
    for at in 0..4_000 {
        let mask = plain.mask().expect("a mask");
        let tokens: Vec<TokenId> =
            mask.tokens().into_iter().filter(|token| !plain.stop_tokens().contains(token)).collect();
        if tokens.is_empty() {
            break;
        }
        let token = tokens[random.below(tokens.len())];
        plain.accept_token(token).expect("the mask allows it");
        forgets.accept_token(token).expect("the mask allows it");
        if at % 37 == 0 {
            let back = random.below(window.min(plain.len()) + 1);
            plain.rollback(back).expect("all are remembered");
            forgets.rollback(back).expect("they are in the window");
        }
        if at % 23 == 0 || at > 3_990 {
            assert_eq!(words_of(&mut plain, stride), words_of(&mut forgets, stride), "at {at}");
            assert_eq!((plain.len(), plain.is_complete()), (forgets.len(), forgets.is_complete()));
            let drafts = [TokenId(1), token, token];
            assert_eq!(plain.validate_tokens(&drafts), forgets.validate_tokens(&drafts));
        }
    }
    let forgot = forgets.rollback(plain.len()).is_err();
    forgets.reset();
    plain.reset();
    assert!(forgets.is_empty());
    assert_eq!(words_of(&mut plain, stride), words_of(&mut forgets, stride));
    forgot
}

#[test]
fn a_rollback_window_does_not_change_masks() {
    let vocabulary = formats::vocabulary();
    let mut random = Random::new(9);
    let mut forgot = 0;
    for (_, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        for window in [0, 3, 200] {
            let matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
            forgot += usize::from(walk_and_forget(matcher, window, &mut random));
        }
    }
    assert!(forgot >= 3, "{forgot} walks were long enough");
}

/// Scattered rows in any order: each is the mask of its matcher, and rows between them are unchanged.
#[test]
fn fill_masks_at_writes_the_given_rows_and_no_others() {
    let mut random = Random::new(17);
    for threads in [1, 3] {
        let mut batch: Vec<Matcher> = Vec::new();
        while batch.len() < 150 {
            batch.extend(matchers(&mut random));
        }
        let stride = batch[0].store().vocabulary().len().div_ceil(32) + 1;
        let count = 2 * batch.len();
        let indices = random.different(count, batch.len());
        let mut words = vec![9; count * stride];
        let mut rows = MaskRows::new(&mut words, stride).expect("a stride");
        let threads = NonZeroUsize::new(threads).expect("a number");
        assert_eq!(fill_masks_at(&mut batch, &indices, &mut rows, threads), Ok(Vec::new()));
        let mut expected = vec![9; count * stride];
        for (matcher, &row) in batch.iter_mut().zip(&indices) {
            expected[row * stride..][..stride].copy_from_slice(&words_of(matcher, stride));
        }
        assert_eq!(words, expected);
    }
}

#[test]
fn invalid_row_indices_are_refused_before_any_row_is_written() {
    let mut batch = matchers(&mut Random::new(3));
    batch.truncate(2);
    let mut words = [7; 6];
    for (indices, refused) in [
        (&[0, 0][..], RowIndexError::Twice { row: 0 }),
        (&[1, 2], RowIndexError::Outside { row: 2, rows: 2 }),
        (&[1], RowIndexError::Count { given: 1, matchers: 2 }),
    ] {
        let mut rows = MaskRows::new(&mut words, 3).expect("a stride");
        assert_eq!(fill_masks_at(&mut batch, indices, &mut rows, NonZeroUsize::MIN), Err(refused));
        assert_eq!(words, [7; 6]);
    }
}

/// After a warm-up, other matchers of the format and the store need no new row along a shortest text.
#[test]
fn a_warm_up_computes_the_masks_of_the_first_steps() {
    let vocabulary = formats::vocabulary();
    let mut made = 0;
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut warmed = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        warmed.warm_up();
        assert!(warmed.is_empty(), "{name}");
        let rows = store.stats().rows;
        made += rows;
        let mut matcher = Matcher::new(automaton, Arc::clone(&store));
        let _ = matcher.mask();
        assert_eq!(store.stats().rows, rows, "{name}");
    }
    assert!(made > 50, "{made}");
}

/// Beams are copied, dropped, shortened and padded: the mask of each row is that of a matcher that read the row from its beginning.
#[test]
fn followed_rows_have_the_masks_of_a_fresh_reading() {
    let mut random = Random::new(23);
    let (mut steps, mut ended, mut bad) = (0, 0, 0);
    for mut start in matchers(&mut random) {
        start.reset();
        let end = start.stop_tokens().first().copied();
        let mut follower = RowFollower::new(start.fork());
        let mut rows: Vec<Vec<TokenId>> = vec![Vec::new(); 3];
        for _ in 0..40 {
            let shown: Vec<&[TokenId]> = rows.iter().map(Vec::as_slice).collect();
            let refused = follower.follow(&shown);
            let mut next = Vec::new();
            for (at, (row, state)) in rows.iter().zip(follower.rows()).enumerate() {
                let mut fresh = start.fork();
                let read = fresh.accept_tokens(row);
                let is_bad = read.is_err() && !fresh.is_terminated();
                let first = refused.iter().find(|refused| refused.row == at);
                assert_eq!(first.map(|first| (first.at, first.error)), read.err().filter(|_| is_bad));
                match state {
                    FollowedState::Refused => {
                        assert!(is_bad);
                        bad += 1;
                        let mut row = row.clone();
                        row.push(TokenId(0));
                        next.push(row);
                        continue;
                    }
                    FollowedState::Ended(matcher) => assert!(fresh.is_terminated() && matcher.len() == fresh.len()),
                    FollowedState::Open(matcher) => {
                        let tokens = fresh.mask().expect("a mask").tokens();
                        assert_eq!(matcher.mask().expect("a mask").tokens(), tokens);
                        assert!(!fresh.is_terminated() && matcher.len() == fresh.len());
                    }
                }
                let mut row = row.clone();
                if fresh.is_terminated() {
                    ended += 1;
                    row.extend(end);
                } else if random.one_in(12) {
                    row.push(TokenId(random.below(start.store().vocabulary().len()) as u32));
                } else {
                    let tokens = fresh.mask().expect("a mask").tokens();
                    row.extend(tokens.get(random.below(tokens.len().max(1))));
                }
                next.push(row);
                steps += 1;
            }
            rows = (0..1 + random.below(4)).map(|_| next[random.below(next.len())].clone()).collect();
            let cut = random.below(rows.len());
            if random.one_in(4) {
                let len = rows[cut].len();
                rows[cut].truncate(len - random.below(len.min(5) + 1));
            }
        }
    }
    assert!(steps > 1_000 && ended > 50 && bad > 50, "{steps} steps, {ended} behind the end, {bad} refused");
}
