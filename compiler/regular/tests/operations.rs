//! Compares every operation with its definition, on all short strings over a small alphabet.

use crate::common;

use common::strings;
use ogc_kit::Random;
use ogc_regular::length::{completions, is_lead, length_bounds, with_length};
use ogc_regular::{Dfa, DfaState, Edge, StateId, combine, product_labels};

const LIMIT: usize = 100_000;
const LETTERS: [&str; 3] = ["a", "b", "é"];

/// A random automaton over `a`, `b` and `é`.
fn random(rng: &mut Random) -> Dfa {
    let count = 1 + rng.below(4) as u32;
    let mut states: Vec<DfaState> =
        (0..count).map(|_| DfaState { accept: rng.below(3) == 0, edges: Vec::new() }).collect();
    for at in 0..count as usize {
        for letter in LETTERS {
            if rng.below(4) == 0 {
                continue;
            }
            let to = StateId(rng.below(count as usize) as u32);
            add(&mut states, at, letter.as_bytes(), to);
        }
    }
    Dfa::from_states(states)
}

fn add(states: &mut Vec<DfaState>, at: usize, letter: &[u8], to: StateId) {
    match *letter {
        [one] => states[at].edges.push(Edge { lo: one, hi: one, to }),
        [lead, follow] => {
            let middle = StateId(states.len() as u32);
            states[at].edges.push(Edge { lo: lead, hi: lead, to: middle });
            states.push(DfaState { accept: false, edges: vec![Edge { lo: follow, hi: follow, to }] });
        }
        _ => unreachable!("letters have one or two bytes"),
    }
}

fn each(mut test: impl FnMut(&Dfa, &Dfa, &Dfa, &[String])) {
    let texts = strings(&LETTERS, 5);
    let mut rng = Random::new(7);
    for _ in 0..300 {
        test(&random(&mut rng), &random(&mut rng), &random(&mut rng), &texts);
    }
}

fn agree(dfa: &Dfa, texts: &[String], expected: impl Fn(&str) -> bool) {
    assert_eq!(dfa, &dfa.minimize());
    for text in texts {
        assert_eq!(dfa.contains(text.as_bytes()), expected(text), "{text:?} in {dfa:?}");
    }
}

fn holds(dfa: &Dfa, text: &str) -> bool {
    dfa.contains(text.as_bytes())
}

#[test]
fn boolean_operations_agree_with_membership() {
    each(|a, b, c, texts| {
        agree(&a.minimize(), texts, |text| holds(a, text));
        agree(&a.intersect(b, LIMIT).unwrap(), texts, |text| holds(a, text) && holds(b, text));
        agree(&a.union(b, LIMIT).unwrap(), texts, |text| holds(a, text) || holds(b, text));
        agree(&a.difference(b, LIMIT).unwrap(), texts, |text| holds(a, text) && !holds(b, text));
        agree(&a.complement(LIMIT).unwrap(), texts, |text| !holds(a, text));
        let either = combine(&[a, b, c], |m| (m[0] ^ m[1]) || !m[2], LIMIT).unwrap();
        agree(&either, texts, |text| (holds(a, text) ^ holds(b, text)) || !holds(c, text));
        assert_eq!(a.is_subset(b), a.difference(b, LIMIT).unwrap().is_empty());
        assert_eq!(a.is_disjoint(b), a.intersect(b, LIMIT).unwrap().is_empty());
        assert_eq!(a.complement(LIMIT).unwrap().complement(LIMIT).unwrap(), a.minimize());
        assert!(a.union(&a.complement(LIMIT).unwrap(), LIMIT).unwrap().is_universal());
        assert!(!a.is_universal());
    });
}

#[test]
fn labelled_products_agree_with_membership() {
    each(|a, b, c, texts| {
        let labelled = product_labels(&[a, b, c], LIMIT).unwrap();
        for text in texts.iter().map(String::as_str).chain(["x", "→"]) {
            let state = &labelled.states[labelled.walk(text.as_bytes()).unwrap().index()];
            let expected: Vec<u32> = (0..3).filter(|&at| holds([a, b, c][at as usize], text)).collect();
            assert!(state.complete);
            assert_eq!(state.labels, expected);
        }
        let first = labelled.select(|labels| labels.contains(&0));
        assert_eq!(first, a.minimize());
    });
}

#[test]
fn concatenation_and_repetition_agree_with_membership() {
    each(|a, b, _, texts| {
        let cut = |text: &str, first: &dyn Fn(&str) -> bool, second: &dyn Fn(&str) -> bool| {
            (0..=text.len()).filter(|&at| text.is_char_boundary(at)).any(|at| first(&text[..at]) && second(&text[at..]))
        };
        agree(&a.concat(b, LIMIT).unwrap(), texts, |text| cut(text, &|x| holds(a, x), &|x| holds(b, x)));
        let twice = |text: &str| cut(text, &|x| holds(a, x), &|x| holds(a, x));
        agree(&a.repeat(1, Some(2), LIMIT).unwrap(), texts, |text| holds(a, text) || twice(text));
        agree(&a.repeat(0, Some(1), LIMIT).unwrap(), texts, |text| text.is_empty() || holds(a, text));
        let star = a.star(LIMIT).unwrap();
        assert_eq!(star.concat(&star, LIMIT).unwrap(), star);
        agree(&star, texts, |text| stars(a, text));
        assert_eq!(a.repeat(2, None, LIMIT).unwrap(), a.concat(a, LIMIT).unwrap().concat(&star, LIMIT).unwrap());
    });
}

fn stars(dfa: &Dfa, text: &str) -> bool {
    let tail = |at: usize| text.is_char_boundary(at) && holds(dfa, &text[..at]) && stars(dfa, &text[at..]);
    text.is_empty() || (1..=text.len()).any(tail)
}

#[test]
fn completion_lengths_and_length_limits_are_exact() {
    let texts = strings(&LETTERS, 9);
    let mut rng = Random::new(11);
    for _ in 0..60 {
        let dfa = random(&mut rng);
        let all = completions(&dfa);
        for (at, completion) in all.iter().enumerate().filter(|_| !dfa.is_empty()) {
            let seen = reached(&dfa, StateId(at as u32), 40);
            let min = seen.iter().position(|&held| held).unwrap() as u32;
            let unbounded = seen[20..].contains(&true);
            let last = if unbounded { 30 } else { seen.iter().rposition(|&held| held).unwrap() };
            assert_eq!(completion.min, min);
            assert_eq!(completion.max, (!unbounded).then_some(last as u32));
            let gap = seen[min as usize..=last].split(|&held| held).map(<[bool]>::len).max().unwrap_or(0);
            assert_eq!(completion.gap as usize, gap, "{dfa:?} {at}");
        }
        let (min, max) = (rng.below(4) as u32, rng.below(6) as u32);
        let cut = with_length(&dfa.minimize(), min, Some(max), LIMIT).unwrap();
        let open = with_length(&dfa.minimize(), min, None, LIMIT).unwrap();
        for text in &texts {
            let length = text.chars().count() as u32;
            assert_eq!(holds(&cut, text), holds(&dfa, text) && (min..=max).contains(&length));
            assert_eq!(holds(&open, text), holds(&dfa, text) && min <= length);
        }
        if !cut.is_empty() {
            assert!(length_bounds(&cut).0 >= min && length_bounds(&cut).1.unwrap() <= max);
        }
    }
}

/// Returns, for each number of characters up to `most`, whether acceptance is reached with it.
fn reached(dfa: &Dfa, from: StateId, most: usize) -> Vec<bool> {
    let mut now = vec![from];
    let mut held = Vec::new();
    for _ in 0..=most {
        let mut within = now.clone();
        let mut at = 0;
        while let Some(&state) = within.get(at) {
            at += 1;
            let inner = dfa.state(state).edges.iter().filter(|edge| !is_lead(edge.lo)).map(|edge| edge.to);
            within.extend(inner);
        }
        held.push(within.iter().any(|&state| dfa.state(state).accept));
        let mut next: Vec<StateId> = within
            .iter()
            .flat_map(|&state| &dfa.state(state).edges)
            .filter(|edge| is_lead(edge.lo))
            .map(|edge| edge.to)
            .collect();
        next.sort();
        next.dedup();
        now = next;
    }
    held
}

#[test]
fn shortest_texts_and_samples_are_members() {
    each(|a, _, _, texts| {
        let shortest = a.shortest();
        assert_eq!(shortest.is_none(), a.is_empty());
        assert!(shortest.is_none_or(|text| a.contains(&text)));
        let mut rng = Random::new(3);
        let sample = a.sample(&mut || rng.next());
        assert!(sample.is_none_or(|text| a.contains(&text)));
        if let Some(count) = a.count() {
            let all = a.finite_strings(1000).unwrap();
            assert_eq!(all.len() as u64, count);
            assert_eq!(Dfa::finite(&all), a.minimize());
            assert!(texts.iter().filter(|text| holds(a, text)).all(|text| all.contains(text)));
        }
    });
}

#[test]
fn constructors_build_minimal_automata() {
    assert!(Dfa::empty().is_empty());
    assert!(Dfa::any_text().is_universal());
    assert_eq!(Dfa::finite(["ab", "abc", "b", "ab"]).finite_strings(9).unwrap(), ["ab", "abc", "b"]);
    assert_eq!(Dfa::literal("né".as_bytes()), Dfa::finite(["né"]));
    let class = Dfa::char_class([('a', 'c'), ('é', '\u{FFFF}'), ('\u{10000}', '\u{10FFFF}')]);
    assert_eq!(class, class.minimize());
    for value in (0..=0x10_FFFFu32).filter_map(char::from_u32) {
        let expected = matches!(value, 'a'..='c' | 'é'..);
        assert_eq!(class.contains(value.to_string().as_bytes()), expected);
    }
    assert!(!Dfa::any_text().contains(b"\xED\xA0\x80") && !Dfa::any_text().contains(b"\xC0\x80"));
    assert!(Dfa::any_text().intersect(&Dfa::char_class([('a', 'z')]), 1).is_err());
}

#[test]
fn large_automata_minimise() {
    let chain: Vec<DfaState> = (0..60_000u32)
        .map(|at| DfaState { accept: true, edges: vec![Edge { lo: b'a', hi: b'z', to: StateId(at + 1) }] })
        .collect();
    let dfa = Dfa::from_states(chain);
    assert_eq!(dfa.minimize().len(), 60_000);
    let (first, last) = (completions(&dfa)[0], completions(&dfa)[59_999]);
    assert_eq!((first.min, first.max, first.gap), (0, Some(59_999), 0));
    assert_eq!(last.max, Some(0));
}
