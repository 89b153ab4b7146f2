//! Compares whole models with plain loops, to the last bit. Texts are read in parts, beside others, taken back, and continued.

use super::super::DeviceModel;
use super::super::error::ModelError;
use super::super::pages::ModelText;
use super::super::part::ModelPart;
use super::super::shape::{AttentionWindow, ModelLimits, ModelShape};
use super::super::upload::{LayerWeights, ModelWeights};
use super::super::weights::WeightMatrix;
use super::*;

pub(super) const TOKENS: usize = 150;
pub(super) const POSITIONS: usize = 300;

/// A matrix as stored in a file.
#[derive(Clone, Debug)]
struct Blocks {
    format: WeightFormat,
    blocks: Vec<u8>,
    outputs: usize,
    columns: usize,
    /// The numbers that the blocks represent.
    numbers: Vec<f32>,
}

impl Blocks {
    fn random(random: &mut Random, formats: &[WeightFormat], outputs: usize, columns: usize) -> Self {
        let format = formats[random.below(formats.len())];
        let blocks = blocks(random, format, outputs * columns);
        let numbers = reference::expand(format, &blocks);
        Self { format, blocks, outputs, columns, numbers }
    }

    fn matrix(&self) -> WeightMatrix {
        WeightMatrix::new(self.format, &self.blocks, self.outputs, self.columns).unwrap()
    }

    fn products(&self, states: &[f32], bias: Option<&Vec<f32>>) -> Vec<f32> {
        let product = |weights: &[f32]| reference::dot(weights, states, reference::vector(self.format));
        let products = self.numbers.chunks_exact(self.columns).map(product).enumerate();
        products.map(|(at, product)| bias.map_or(product, |bias| product + bias[at])).collect()
    }
}

#[derive(Clone, Debug)]
struct PlainLayer {
    norms: [Vec<f32>; 2],
    /// Heads, keys, values, answers, gate, up, down.
    matrices: [Blocks; 7],
    biases: [Option<Vec<f32>>; 3],
    head_norms: [Option<Vec<f32>>; 2],
}

/// A model computed by plain loops.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    shape: ModelShape,
    embeddings: Blocks,
    layers: Vec<PlainLayer>,
    norm: Vec<f32>,
    output: Option<Blocks>,
    angles: Vec<[f32; 2]>,
}

/// The keys and values of the positions of a text, in each layer.
type Kept = Vec<Vec<[Vec<f32>; 2]>>;

impl Plain {
    pub(super) fn random(random: &mut Random, shape: ModelShape, formats: &[WeightFormat]) -> Self {
        let [width, inner, asked, kept] =
            [shape.width, shape.inner, shape.asked(), shape.kept()].map(|len| len as usize);
        let shapes = [
            (asked, width),
            (kept, width),
            (kept, width),
            (width, asked),
            (inner, width),
            (inner, width),
            (width, inner),
        ];
        let layer = |random: &mut Random| PlainLayer {
            norms: [random.numbers(width), random.numbers(width)],
            matrices: shapes.map(|(outputs, columns)| Blocks::random(random, formats, outputs, columns)),
            biases: [asked, kept, kept].map(|len| (random.below(2) == 0).then(|| random.numbers(len))),
            head_norms: [0, 1].map(|_| (random.below(2) == 0).then(|| random.numbers(shape.head as usize))),
        };
        Self {
            embeddings: Blocks::random(random, formats, TOKENS, width),
            layers: (0..2).map(|_| layer(random)).collect(),
            norm: random.numbers(width),
            output: (random.below(2) == 0).then(|| Blocks::random(random, formats, TOKENS, width)),
            angles: (0..POSITIONS * shape.head as usize / 2)
                .map(|_| [random.numbers(1)[0], random.numbers(1)[0]])
                .collect(),
            shape,
        }
    }

    pub(super) fn weights(&self) -> ModelWeights<Vec<LayerWeights>> {
        let layer = |layer: &PlainLayer| {
            let [ask, key, value, answer, gate, up, down] = layer.matrices.each_ref().map(Blocks::matrix);
            let [ask_bias, key_bias, value_bias] = layer.biases.clone();
            let [ask_norm, key_norm] = layer.head_norms.clone();
            let [attention_norm, inner_norm] = layer.norms.clone();
            #[rustfmt::skip]
            let weights = LayerWeights {
                attention_norm, ask, key, value, answer, ask_bias, key_bias, value_bias, ask_norm, key_norm, inner_norm, gate, up, down,
            };
            weights
        };
        ModelWeights {
            embeddings: self.embeddings.matrix(),
            layers: self.layers.iter().map(layer).collect(),
            norm: self.norm.clone(),
            output: self.output.as_ref().map(Blocks::matrix),
            angles: self.angles.clone(),
        }
    }

    fn normalised(&self, states: &[f32], norm: &[f32]) -> Vec<f32> {
        reference::normalise(states, norm, self.shape.epsilon, 256)
    }

    /// Rotates the heads of a row.
    fn rotated(&self, row: &[f32], norm: Option<&Vec<f32>>, position: usize) -> Vec<f32> {
        let ModelShape { head, rotates_neighbours, epsilon, .. } = self.shape;
        let (head, pairs) = (head as usize, head as usize / 2);
        let angles = &self.angles[position * pairs..(position + 1) * pairs];
        let rotated = row.chunks_exact(head).flat_map(|unit| {
            let unit = norm.map_or(unit.to_vec(), |norm| reference::normalise(unit, norm, epsilon, 32));
            reference::rope(&unit, angles, rotates_neighbours)
        });
        rotated.collect()
    }

    /// Reads a token after the kept positions; returns its logits.
    fn read(&self, token: u32, kept: &mut Kept) -> Vec<f32> {
        let width = self.shape.width as usize;
        let mut states = self.embeddings.numbers[token as usize * width..(token as usize + 1) * width].to_vec();
        kept.resize(self.layers.len(), Vec::new());
        for (at, (layer, kept)) in self.layers.iter().zip(kept).enumerate() {
            let [ask, key, value, answer, gate, up, down] = &layer.matrices;
            let row = self.normalised(&states, &layer.norms[0]);
            let [asked, keys, values] =
                [0, 1, 2].map(|of: usize| [ask, key, value][of].products(&row, layer.biases[of].as_ref()));
            let position = kept.len();
            kept.push([self.rotated(&keys, layer.head_norms[1].as_ref(), position), values]);
            let found = self.look(at, &self.rotated(&asked, layer.head_norms[0].as_ref(), position), kept);
            add(&mut states, &answer.products(&found, None));
            let row = self.normalised(&states, &layer.norms[1]);
            let gates = gate.products(&row, None).into_iter().zip(up.products(&row, None));
            let inner: Vec<f32> = gates.map(|(gate, up)| reference::swiglu(gate, up)).collect();
            add(&mut states, &down.products(&inner, None));
        }
        self.output.as_ref().unwrap_or(&self.embeddings).products(&self.normalised(&states, &self.norm), None)
    }

    fn look(&self, layer: usize, asked: &[f32], kept: &[[Vec<f32>; 2]]) -> Vec<f32> {
        let head = self.shape.head as usize;
        let first = kept.len().saturating_sub(self.shape.window(layer as u32) as usize);
        let found = asked.chunks_exact(head).enumerate().flat_map(|(at, asked)| {
            let own = at / (self.shape.heads / self.shape.key_heads) as usize * head;
            let part = |of: usize| move |position: usize| &kept[position][of][own..own + head];
            reference::attend(asked, part(0), part(1), first..kept.len())
        });
        found.collect()
    }
}

fn add(states: &mut [f32], other: &[f32]) {
    states.iter_mut().zip(other).for_each(|(state, other)| *state += other);
}

pub(super) const SHAPE: ModelShape = ModelShape {
    width: 64,
    inner: 96,
    heads: 4,
    key_heads: 2,
    head: 16,
    rotates_neighbours: false,
    window: None,
    epsilon: 1e-5,
};

/// A text on the device, and the keys and values that it should have.
type Open = (ModelText, Kept);

/// Reads random tokens of some texts at once, and compares all logits that are wanted.
fn forward(random: &mut Random, plain: &Plain, model: &mut DeviceModel<Interpreter>, texts: &mut [Open], most: usize) {
    let tokens: Vec<Vec<u32>> = texts
        .iter()
        .map(|(_, kept)| {
            let room = POSITIONS - kept.first().map_or(0, Vec::len);
            (0..random.below(most).min(room)).map(|_| random.below(TOKENS) as u32).collect()
        })
        .collect();
    let parts: Vec<ModelPart<'_>> = texts
        .iter()
        .zip(&tokens)
        .map(|((text, _), tokens)| ModelPart { text: *text, tokens, wanted: random.below(most) })
        .collect();
    let found = match model.forward(&parts) {
        Ok(found) => found,
        Err(ModelError::Pages { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    for (((part, found), (_, kept)), tokens) in parts.iter().zip(found).zip(texts).zip(&tokens) {
        let logits: Vec<Vec<f32>> = tokens.iter().map(|token| plain.read(*token, kept)).collect();
        let expected = logits[tokens.len() - part.wanted.min(tokens.len())..].concat();
        let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
        assert!(bits(&found) == bits(&expected), "{:?}", part.text);
        assert_eq!(model.len(part.text).unwrap(), kept.first().map_or(0, Vec::len));
    }
}

/// Opens, reads, forks, truncates and closes texts of a model at random.
fn play(seed: u64, shape: ModelShape, formats: &[WeightFormat], rounds: usize) {
    let mut random = Random::new(seed);
    let plain = Plain::random(&mut random, shape, formats);
    let limits = ModelLimits { rows: 20, pages: 30, ..ModelLimits::for_texts(4, POSITIONS as u32) };
    let mut model = DeviceModel::new(Interpreter::new(module(formats)), shape, limits, plain.weights()).unwrap();
    let mut texts: Vec<Open> = Vec::new();
    for _ in 0..rounds {
        let count = texts.len();
        match random.below(8) {
            0 | 1 if count < 4 => texts.push((model.open(), Kept::new())),
            2 | 3 if count > 0 && count < 4 => {
                let (text, kept) = texts[random.below(count)].clone();
                texts.push((model.fork(text).unwrap(), kept));
            }
            4 if count > 0 => {
                let (text, kept) = &mut texts[random.below(count)];
                let len = random.below(kept.first().map_or(0, Vec::len) + 1);
                kept.iter_mut().for_each(|layer| layer.truncate(len));
                model.truncate(*text, len).unwrap();
            }
            5 if count > 2 => {
                let (text, _) = texts.swap_remove(random.below(count));
                model.close(text).unwrap();
            }
            _ => {
                let most = [3, 3, 14][random.below(3)];
                forward(&mut random, &plain, &mut model, &mut texts, most);
            }
        }
    }
}

#[test]
fn logits_of_texts_match_loops() {
    use WeightFormat::{Bf16, F16, F32, Groups, Q4_0, Q4_1, Q8_0};
    play(1, SHAPE, &[F16, Q8_0], 14);
    let window = Some(AttentionWindow { positions: 7, first_layer: 1 });
    play(2, ModelShape { rotates_neighbours: true, window, ..SHAPE }, &[Q4_1, F32], 14);
    play(3, ModelShape { heads: 9, key_heads: 1, head: 24, width: 96, ..SHAPE }, &[Bf16], 14);
    play(4, ModelShape { heads: 2, head: 32, ..SHAPE }, &[Q4_0, Groups], 14);
    play(5, ModelShape { heads: 2, key_heads: 1, head: 40, ..SHAPE }, &[F16], 14);
}

#[test]
fn logits_of_long_texts_match_loops() {
    let mut random = Random::new(5);
    let shape = ModelShape { width: 32, heads: 2, key_heads: 1, ..SHAPE };
    let mut plain = Plain::random(&mut random, shape, &[WeightFormat::F16]);
    plain.layers.truncate(1);
    let limits = ModelLimits { rows: 64, ..ModelLimits::for_texts(1, POSITIONS as u32) };
    let machine = Interpreter::new(module(&[WeightFormat::F16]));
    let mut model = DeviceModel::new(machine, shape, limits, plain.weights()).unwrap();
    let text = model.open();
    let tokens: Vec<u32> = (0..260).map(|_| random.below(TOKENS) as u32).collect();
    let mut kept = Kept::new();
    let expected: Vec<Vec<f32>> = tokens.iter().map(|token| plain.read(*token, &mut kept)).collect();
    let found = model.forward(&[ModelPart { text, tokens: &tokens, wanted: 1 }]).unwrap();
    assert_eq!(found, expected[tokens.len() - 1..]);
}

#[test]
fn shapes_and_weights_that_do_not_fit_are_refused() {
    let mut random = Random::new(6);
    let plain = Plain::random(&mut random, SHAPE, &[WeightFormat::F16]);
    let limits = ModelLimits::for_texts(1, POSITIONS as u32);
    let new = |shape: ModelShape, limits: ModelLimits, change: &dyn Fn(&mut Plain)| {
        let mut plain = plain.clone();
        change(&mut plain);
        let machine = Interpreter::new(module(&[]));
        DeviceModel::new(machine, shape, limits, plain.weights()).map(drop).map_err(|error| error.to_string())
    };
    let refusals = [
        (
            new(ModelShape { head: 18, ..SHAPE }, limits, &|_| {}),
            "the length of a head is 18: it must be a multiple of 4",
        ),
        (
            new(ModelShape { heads: 5, ..SHAPE }, limits, &|_| {}),
            "the number of heads is 5: it must be a multiple of 2",
        ),
        (new(ModelShape { width: 128, ..SHAPE }, limits, &|_| {}), "the length of an embedding is 64: it must be 128"),
        (
            new(SHAPE, ModelLimits { rows: 0, ..limits }, &|_| {}),
            "the number of rows of a pass is 0: it must be from 1 to 4096",
        ),
        (
            new(SHAPE, limits, &|plain| plain.layers[1].matrices[5] = plain.layers[1].matrices[0].clone()),
            "the number of outputs is 64: it must be 96",
        ),
        (
            new(SHAPE, limits, &|plain| plain.layers[0].norms[1].truncate(63)),
            "the number of weights of a normalisation is 63: it must be 64",
        ),
        (new(SHAPE, limits, &|plain| plain.angles.truncate(7)), "the number of angles is 7: it must be 2400"),
    ];
    for (found, expected) in refusals {
        assert_eq!(found.unwrap_err(), expected);
    }
    let machine = Interpreter::new(module(&[WeightFormat::F16]));
    let mut model = DeviceModel::new(machine, SHAPE, limits, plain.weights()).unwrap();
    let text = model.open();
    let mut refused = |tokens: &[u32]| model.forward(&[ModelPart { text, tokens, wanted: 1 }]).unwrap_err().to_string();
    assert_eq!(refused(&[150]), "token 150; there are 150, from 0 on");
    let said = "a text of 301 positions; there is room for 300: raise `ModelLimits::positions`";
    assert_eq!(refused(&[0; 301]), said);
    model.close(text).unwrap();
    assert_eq!(model.fork(text), Err(ModelError::Closed { given: 0 }));
}
