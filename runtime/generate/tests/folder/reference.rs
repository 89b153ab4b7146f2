//! The reference implementation of a model: plain loops over numbers of 64 bits, written from the definitions of the
//! families.

use std::f64::consts::PI;

use ogc_runtime::vocabulary::TokenId;
use serde_json::Value;

use super::made::Made;

type Row = Vec<f64>;

/// Returns the logits after each token, row by row.
pub(crate) fn logits(made: &Made, tokens: &[TokenId]) -> Vec<f64> {
    let mut states: Vec<Row> =
        tokens.iter().map(|token| row(made, "model.embed_tokens.weight", token.0 as usize)).collect();
    for layer in 0..made.number("num_hidden_layers") {
        let name = |part: &str| format!("model.layers.{layer}.{part}");
        let normal: Vec<Row> =
            states.iter().map(|state| normalised(made, state, &name("input_layernorm.weight"))).collect();
        let found = attention(made, &normal, layer);
        for (state, found) in states.iter_mut().zip(&found) {
            add(state, &matmul(made, &name("self_attn.o_proj"), found));
            let normal = normalised(made, state, &name("post_attention_layernorm.weight"));
            let gate = matmul(made, &name("mlp.gate_proj"), &normal);
            let up = matmul(made, &name("mlp.up_proj"), &normal);
            let inner: Row = gate.iter().zip(&up).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
            add(state, &matmul(made, &name("mlp.down_proj"), &inner));
        }
    }
    let is_tied = made.config["tie_word_embeddings"] == Value::Bool(true);
    let head = if is_tied { "model.embed_tokens" } else { "lm_head" };
    let last = |state: &Row| matmul(made, head, &normalised(made, state, "model.norm.weight"));
    states.iter().flat_map(last).collect()
}

fn add(target: &mut Row, other: &Row) {
    target.iter_mut().zip(other).for_each(|(target, other)| *target += other);
}

fn row(made: &Made, name: &str, at: usize) -> Row {
    let (shape, values) = &made.tensors[name];
    let width = *shape.last().expect("a shape");
    values[at * width..(at + 1) * width].iter().map(|&value| f64::from(value)).collect()
}

/// Multiplies a matrix with a row, and adds its bias if it has one.
fn matmul(made: &Made, name: &str, states: &Row) -> Row {
    let weights = format!("{name}.weight");
    let rows = made.tensors[&weights].0[0];
    let dot = |at| row(made, &weights, at).iter().zip(states).map(|(weight, state)| weight * state).sum();
    let mut products: Row = (0..rows).map(dot).collect();
    let bias = format!("{name}.bias");
    if made.tensors.contains_key(&bias) {
        add(&mut products, &row(made, &bias, 0));
    }
    products
}

fn normalised(made: &Made, states: &[f64], weights: &str) -> Row {
    let mean = states.iter().map(|state| state * state).sum::<f64>() / states.len() as f64;
    let scale = 1.0 / (mean + 1e-6).sqrt();
    states.iter().zip(row(made, weights, 0)).map(|(state, weight)| state * scale * weight).collect()
}

/// Returns the results of the heads at each position.
fn attention(made: &Made, states: &[Row], layer: usize) -> Vec<Row> {
    let name = |part: &str| format!("model.layers.{layer}.self_attn.{part}");
    let (head, heads) = (made.number("head_dim"), made.number("num_attention_heads"));
    let shared = heads / made.number("num_key_value_heads");
    let rotated_heads = |part: &str, norm: &str, position: usize| -> Vec<Row> {
        let all = matmul(made, &name(part), &states[position]);
        let heads = all.chunks(head).map(|numbers| {
            let norm = name(norm);
            let numbers =
                if made.tensors.contains_key(&norm) { normalised(made, numbers, &norm) } else { numbers.to_vec() };
            rotated(made, &numbers, position)
        });
        heads.collect()
    };
    let keys: Vec<Vec<Row>> = (0..states.len()).map(|at| rotated_heads("k_proj", "k_norm.weight", at)).collect();
    let values: Vec<Row> = states.iter().map(|state| matmul(made, &name("v_proj"), state)).collect();
    let mut found = Vec::new();
    for position in 0..states.len() {
        let mut row = Row::new();
        for (at, asked) in rotated_heads("q_proj", "q_norm.weight", position).iter().enumerate() {
            let seen: Vec<usize> = (0..=position).filter(|&other| position - other < window(made, layer)).collect();
            let score = |other: &usize| -> f64 {
                let key = &keys[*other][at / shared];
                asked.iter().zip(key).map(|(asked, key)| asked * key).sum::<f64>() / (head as f64).sqrt()
            };
            let weights: Row = seen.iter().map(|other| score(other).exp()).collect();
            let sum: f64 = weights.iter().sum();
            row.extend((0..head).map(|number| {
                let value = |other: usize| values[other][at / shared * head + number];
                seen.iter().zip(&weights).map(|(&other, weight)| weight / sum * value(other)).sum::<f64>()
            }));
        }
        found.push(row);
    }
    found
}

/// Returns the number of positions that are visible in a layer.
fn window(made: &Made, layer: usize) -> usize {
    let config = &made.config;
    let has_window = match config["model_type"].as_str() {
        Some("mistral") => true,
        Some("qwen2" | "qwen3") => {
            config["use_sliding_window"] == Value::Bool(true)
                && config["max_window_layers"].as_u64().is_some_and(|first| layer >= first as usize)
        }
        _ => false,
    };
    config["sliding_window"].as_u64().filter(|_| has_window).map_or(usize::MAX, |window| window as usize)
}

/// Rotates the two halves of a head.
fn rotated(made: &Made, numbers: &[f64], position: usize) -> Row {
    let half = numbers.len() / 2;
    let mut rotated = numbers.to_vec();
    for pair in 0..half {
        let (frequency, length) = frequency(made, numbers.len(), pair);
        let angle = position as f64 * frequency;
        let (x, y) = (numbers[pair], numbers[pair + half]);
        rotated[pair] = length * (x * angle.cos() - y * angle.sin());
        rotated[pair + half] = length * (x * angle.sin() + y * angle.cos());
    }
    rotated
}

/// Returns the angle of a pair from one position to the next, and the factor by which a head is multiplied.
fn frequency(made: &Made, head: usize, pair: usize) -> (f64, f64) {
    let scaling = &made.config["rope_scaling"];
    let number = |key: &str| scaling[key].as_f64().expect("a number");
    let plain = 1.0 / 500_f64.powf((2 * pair) as f64 / head as f64);
    match scaling["rope_type"].as_str().or(scaling["type"].as_str()) {
        None => (plain, 1.0),
        Some("linear") => (plain / number("factor"), 1.0),
        Some("llama3") => {
            let (trained, wave) = (number("original_max_position_embeddings"), 2.0 * PI / plain);
            let (low, high) = (number("low_freq_factor"), number("high_freq_factor"));
            if wave < trained / high {
                (plain, 1.0)
            } else if wave > trained / low {
                (plain / number("factor"), 1.0)
            } else {
                let smooth = (trained / wave - low) / (high - low);
                ((1.0 - smooth) * plain / number("factor") + smooth * plain, 1.0)
            }
        }
        Some("yarn") => {
            let (trained, factor) = (number("original_max_position_embeddings"), number("factor"));
            let correction = |turns: f64| head as f64 * (trained / (turns * 2.0 * PI)).ln() / (2.0 * 500_f64.ln());
            let low = correction(32.0).floor().max(0.0);
            let high = correction(1.0).ceil().min(head as f64 - 1.0);
            let ramp = ((pair as f64 - low) / if low == high { 0.001 } else { high - low }).clamp(0.0, 1.0);
            (plain / factor * ramp + plain * (1.0 - ramp), 0.1 * factor.ln() + 1.0)
        }
        Some(other) => panic!("{other}"),
    }
}
