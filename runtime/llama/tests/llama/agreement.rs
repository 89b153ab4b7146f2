//! The engine and the embedded model agree on the same weights, except at near ties.

use super::{PROMPTS, formats, gap, own, parting, request, smollm, write};

/// The gap of two logits below which the engines may choose differently: llama.cpp rounds states to 8 bits.
const NEAR: f32 = 1.0;

/// Returns the distance of two rows of logits, relative to the spread of the first row. The means are subtracted first, as no choice
/// depends on them.
fn share_apart(ours: &[f32], theirs: &[f32]) -> f64 {
    let mean = |row: &[f32]| row.iter().map(|logit| f64::from(*logit)).sum::<f64>() / row.len() as f64;
    let (own_mean, mean_apart) = (mean(ours), mean(ours) - mean(theirs));
    let apart = ours.iter().zip(theirs).map(|(one, two)| (f64::from(one - two) - mean_apart).powi(2)).sum::<f64>();
    let own = ours.iter().map(|logit| (f64::from(*logit) - own_mean).powi(2)).sum::<f64>();
    (apart / own).sqrt()
}

#[test]
fn logits_are_close_to_the_embedded_model() {
    let (Some((llama, _)), Some(own)) = (smollm(1), own()) else { return };
    let width = own.model.width();
    assert_eq!((llama.model.width(), llama.model.context()), (width, 1024));
    let mut shares = Vec::new();
    for prompt in PROMPTS {
        let tokens = request(own, prompt, 0.0).prompt;
        assert_eq!(request(&llama, prompt, 0.0).prompt, tokens);
        let [ours, theirs] = [own, &llama]
            .map(|loaded| loaded.model.forward(&mut loaded.model.cache(256), &tokens, tokens.len()).expect("logits"));
        assert_eq!(ours.len(), theirs.len());
        let rows = ours.chunks_exact(width).zip(theirs.chunks_exact(width));
        shares.extend(rows.map(|(ours, theirs)| share_apart(ours, theirs)));
    }
    shares.sort_by(f64::total_cmp);
    let (median, most) = (shares[shares.len() / 2], shares[shares.len() - 1]);
    println!(
        "logits of {} positions differ by {median:.3} of their spread in the median, and by {most:.3} at most",
        shares.len()
    );
    assert!(median < 0.06 && most < 0.25, "{median} and {most}");
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
