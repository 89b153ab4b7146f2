//! A model on a device, as far as the driver sees it: passes of the same size are one graph, captured once. The fake driver's kernels
//! compute nothing; their results are tested in the interpreter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the process with the fake driver answers by printing")]

use crate::fake;

use fake::Behaviour;
use ogc_cuda::{
    Device, DeviceMachine, DeviceModel, LayerWeights, ModelLimits, ModelPart, ModelShape, ModelWeights, WeightFormat,
    WeightMatrix,
};

const SHAPE: ModelShape = ModelShape {
    width: 32,
    inner: 64,
    heads: 2,
    key_heads: 1,
    head: 16,
    rotates_neighbours: false,
    window: None,
    epsilon: 1e-5,
};

fn matrix(outputs: usize, columns: usize) -> WeightMatrix {
    WeightMatrix::new(WeightFormat::F16, &vec![0; 2 * outputs * columns], outputs, columns).unwrap()
}

fn layer() -> LayerWeights {
    LayerWeights {
        attention_norm: vec![1.0; 32],
        ask: matrix(32, 32),
        key: matrix(16, 32),
        value: matrix(16, 32),
        answer: matrix(32, 32),
        ask_bias: None,
        key_bias: None,
        value_bias: None,
        ask_norm: None,
        key_norm: None,
        inner_norm: vec![1.0; 32],
        gate: matrix(64, 32),
        up: matrix(64, 32),
        down: matrix(32, 64),
    }
}

fn model() -> DeviceModel<DeviceMachine> {
    let machine = DeviceMachine::new(&Device::open(0).unwrap()).unwrap();
    let weights = ModelWeights {
        embeddings: matrix(40, 32),
        layers: vec![layer(), layer()],
        norm: vec![1.0; 32],
        output: None,
        angles: vec![[0.0, 1.0]; 50 * 8],
    };
    DeviceModel::new(machine, SHAPE, ModelLimits::for_texts(2, 50), weights).unwrap()
}

/// Reads the given tokens of a text, one pass after another.
fn read(tokens: &[&[u32]]) {
    let mut model = model();
    let text = model.open();
    for tokens in tokens {
        let logits = model.forward(&[ModelPart { text, tokens, wanted: 1 }]).unwrap();
        assert_eq!(logits, [vec![0.0; 40]]);
    }
    let fork = model.fork(text).unwrap();
    println!("a fork");
    model.forward(&[ModelPart { text: fork, tokens: &[9], wanted: 1 }]).unwrap();
}

#[test]
fn passes_of_the_same_size_share_one_graph() {
    if fake::is_here() {
        return read(&[&[1], &[2], &[3, 4], &[5]]);
    }
    let Some(output) = fake::run("model::passes_of_the_same_size_share_one_graph", Behaviour::Works) else { return };
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // A look-up, ten launches for each layer, two for logits. The driver reports the number of graphs so far, and the number of captures
    // that were not released.
    let said = ["graph 1 of 0: 23 launches\n".repeat(2), "graph 2 of 0: 23 launches\n".repeat(2)].concat();
    let forked = "a fork\na launch that is not recorded\ngraph 2 of 0: 23 launches\n";
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(stdout.contains(&said), "{stdout}\n{stderr}");
    assert!(stdout.contains(forked), "{stdout}\n{stderr}");
}
