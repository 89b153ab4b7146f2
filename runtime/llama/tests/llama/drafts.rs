//! Forced runs, guesses and neighbours share passes, and change a text only where two tokens are nearly equally likely.

use ogc_generate::{Ended, Generated, Jump, Request, Sequence, Speculation, pass};
use std::sync::Arc;

use super::{PROMPTS, formats, gap, parting, request, smollm, write};

/// The gap of two logits below which a pass with other rows may choose differently.
const NEAR: f32 = 0.5;

/// Checks that a text is complete.
#[track_caller]
fn check_whole(name: &str, generated: &Generated) {
    assert_ne!(generated.ended, Ended::Stopped, "{name}: {}", generated.text);
    assert!(generated.tokens.len() <= 80, "{name}: {}", generated.text);
    if name.ends_with(".ogc") {
        assert!(generated.text.starts_with('{') && generated.text.ends_with('}'), "{name}: {}", generated.text);
    }
}

#[test]
fn drafts_change_nothing_but_near_ties() {
    let Some((llama, store)) = smollm(1) else { return };
    let (mut same, mut texts, mut passes, mut plain_passes) = (0, 0, 0, 0);
    for (name, format) in &formats() {
        for (prompt, temperature) in PROMPTS[..2].iter().flat_map(|prompt| [(prompt, 0.0), (prompt, 1.0)]) {
            let asked = request(&llama, prompt, temperature);
            let plain = write(&llama, &store, format, Request { jump: Jump::Off, ..asked.clone() });
            let jumping = write(&llama, &store, format, asked.clone());
            let guessing = write(
                &llama,
                &store,
                format,
                Request { speculation: Speculation::Lookup { most: 4 }, ..asked.clone() },
            );
            plain_passes += plain.statistics.passes;
            passes += jumping.statistics.passes;
            check_whole(name, &plain);
            for drafted in [&jumping, &guessing] {
                check_whole(name, drafted);
                texts += 1;
                let Some((at, tokens)) = parting(&llama, &plain.tokens, &drafted.tokens) else {
                    same += 1;
                    continue;
                };
                // At a temperature, a draw may fall between two tokens of any likelihood.
                let read = [&asked.prompt[..], &plain.tokens[..at]].concat();
                let gap = gap(&llama, &read, tokens);
                assert!(temperature > 0.0 || gap < NEAR, "{name}: {:?} and {:?}: {gap}", plain.text, drafted.text);
            }
        }
    }
    println!(
        "{same} of {texts} texts are the same with drafts; {passes} passes with forced runs, {plain_passes} without"
    );
    assert!(same * 10 >= texts * 9, "{same} of {texts}");
    assert!(passes * 10 < plain_passes * 9, "{passes} of {plain_passes}");
}

#[test]
fn several_texts_share_passes() {
    let Some((llama, store)) = smollm(4) else { return };
    let formats = formats();
    let asked = |at: usize| Request { number: 3, ..request(&llama, PROMPTS[at % PROMPTS.len()], 0.0) };
    let begin = |at: usize| {
        let matcher = formats[at % 4].1.matcher(Arc::clone(&store)).expect("masks");
        Sequence::new(&llama, matcher, asked(at)).expect("a text begins")
    };
    let (mut running, mut next, mut same) = (Vec::<(usize, Sequence)>::new(), 0, 0);
    while next < 8 || !running.is_empty() {
        while running.len() < 4 && next < 8 {
            running.push((next, begin(next)));
            next += 1;
        }
        let results = pass(&llama, &mut running.iter_mut().map(|(_, text)| text).collect::<Vec<_>>()).expect("a pass");
        results.into_iter().for_each(|result| result.expect("a token"));
        for (at, text) in running.extract_if(.., |(_, text)| text.ended().is_some()) {
            let beside = text.into_generated();
            check_whole(formats[at % 4].0, &beside);
            let alone = write(&llama, &store, &formats[at % 4].1, asked(at));
            same += usize::from(alone.text == beside.text);
        }
    }
    println!("{same} of 8 texts are those that were written alone");
    assert!(same >= 6, "{same} of 8");
}
