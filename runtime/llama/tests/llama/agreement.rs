//! The engine and the embedded model agree on the same weights, but for near ties.

use super::{PROMPTS, formats, gap, own, parting, request, smollm, write};

/// The gap of two logits below which the engines may choose differently: llama.cpp rounds states to 8 bits.
const NEAR: f32 = 1.0;

#[test]
fn logits_are_close() {
    let (Some((llama, _)), Some(own)) = (smollm(1), own()) else { return };
    let width = own.model.width();
    assert_eq!((llama.model.width(), llama.model.context()), (width, 1024));
    for prompt in PROMPTS {
        let tokens = request(own, prompt, 0.0).prompt;
        assert_eq!(request(&llama, prompt, 0.0).prompt, tokens);
        let [ours, theirs] = [own, &llama]
            .map(|loaded| loaded.model.forward(&mut loaded.model.cache(256), &tokens, tokens.len()).expect("logits"));
        assert_eq!(ours.len(), theirs.len());
        for (at, (ours, theirs)) in ours.chunks_exact(width).zip(theirs.chunks_exact(width)).enumerate() {
            // As whole distributions: the mean of squares of what differs, beside that of the logits.
            let square =
                |numbers: &mut dyn Iterator<Item = f32>| numbers.map(|number| f64::from(number).powi(2)).sum::<f64>();
            let apart = square(&mut ours.iter().zip(theirs).map(|(one, two)| one - two));
            let share = (apart / square(&mut ours.iter().copied())).sqrt();
            assert!(share < 0.12, "position {at}: {share}");
        }
    }
}

#[test]
fn texts_are_those_of_the_embedded_model_but_for_near_ties() {
    let (Some((llama, store)), Some(own)) = (smollm(1), own()) else { return };
    let (mut same, mut texts, mut widest) = (0, 0, 0.0_f32);
    for (name, format) in &formats() {
        for prompt in PROMPTS {
            let asked = request(own, prompt, 0.0);
            let ours = write(own, &store, format, asked.clone());
            let theirs = write(&llama, &store, format, asked.clone());
            texts += 1;
            let Some((at, tokens)) = parting(own, &ours.tokens, &theirs.tokens) else {
                same += 1;
                continue;
            };
            let read = [&asked.prompt[..], &ours.tokens[..at]].concat();
            let gap = gap(own, &read, tokens);
            widest = widest.max(gap);
            assert!(gap < NEAR, "{name}: {:?} and {:?} part where logits are {gap} apart", ours.text, theirs.text);
        }
    }
    println!("{same} of {texts} texts are the same; the others part where logits are at most {widest} apart");
    assert!(same * 3 >= texts, "{same} of {texts}");
}
