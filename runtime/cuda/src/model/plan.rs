//! Plans passes: the kernels to run, in their order, with their parameters.

use zerocopy::{Immutable, IntoBytes};

use super::memory::{Layer, Matmul, Matrix, Rows};
use super::records::{
    AttendParameters, CopyParameters, EmbedParameters, HEADS_TOGETHER, JoinParameters, MatmulParameters,
    NormParameters, RopeParameters, SwigluParameters,
};
use super::shape::{ModelLimits, ModelShape};
use crate::machine::kernel::{DeviceKernel, ModelKernel, Together, Work};
use crate::machine::launch::{KernelLaunch, KernelParameter, Plan};

/// Size of a pass, which determines its plan: passes of the same size have the same launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PassSize {
    /// Number of rows that are read.
    pub(crate) rows: u32,
    /// Number of rows whose logits are computed.
    pub(crate) wanted: u32,
    /// Number of spans of 256 positions that the attention reads.
    pub(crate) spans: u32,
    /// Whether tokens are chosen from the logits.
    pub(crate) chooses: bool,
}

/// A model in device memory: everything that plans need.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) shape: ModelShape,
    pub(crate) limits: ModelLimits,
    pub(crate) embeddings: Matrix,
    pub(crate) layers: Vec<Layer>,
    pub(crate) norm: u64,
    pub(crate) output: Matrix,
    /// The sine and cosine of each pair of each position, for RoPE.
    pub(crate) angles: u64,
    pub(crate) pool: u64,
    /// Distance between the beginnings of two pages, in numbers.
    pub(crate) page_stride: u32,
    pub(crate) rows: Rows,
}

/// Address of rows of numbers, and the distance between two rows, in numbers.
#[derive(Clone, Copy)]
struct Strided {
    address: u64,
    stride: u32,
}

/// Makes a launch of a kernel.
fn launch(work: Work, blocks: (u32, u32), threads: u32, parameters: &(impl IntoBytes + Immutable)) -> KernelLaunch {
    let parameters = vec![KernelParameter::Record(parameters.as_bytes().to_vec())];
    KernelLaunch { kernel: DeviceKernel::Model(ModelKernel(work)), blocks, threads, parameters }
}

impl Placed {
    /// Plans a pass: the embeddings of its rows, its layers, the logits of the wanted rows.
    pub(crate) fn plan(&self, size: PassSize) -> Plan {
        let mut launches = vec![self.embed(size)];
        for (at, layer) in self.layers.iter().enumerate() {
            self.attention(size, at as u32, layer, &mut launches);
            self.inner(size, layer, &mut launches);
        }
        if size.wanted > 0 {
            launches.push(self.norm(self.norm, self.rows.wanted, size.wanted));
            let logits = Strided { address: self.rows.logits, stride: self.output.outputs };
            launches.push(matmul(self.output, self.normalised(), logits, size.wanted));
        }
        Plan { launches }
    }

    /// Plans the copy of `count` pages.
    pub(crate) fn copy(&self, count: u32) -> KernelLaunch {
        let (pool, copies, page_stride) = (self.pool, self.rows.copies, self.page_stride);
        let (kept, head) = (self.shape.kept(), self.shape.head);
        let blocks = (page_stride.div_ceil(4 * 256), count);
        launch(Work::Copy, blocks, 256, &CopyParameters { pool, copies, page_stride, kept, head, count })
    }

    fn embed(&self, size: PassSize) -> KernelLaunch {
        let Matrix { format, numbers, factors, outputs: tokens, columns } = self.embeddings;
        let (rows, states) = (self.rows.rows, self.rows.states);
        let parameters = EmbedParameters { numbers, factors, rows, states, columns, tokens };
        launch(Work::Embed(format), (size.rows, 1), 128, &parameters)
    }

    /// Plans the attention of a layer, whose output is added to the states.
    fn attention(&self, size: PassSize, at: u32, layer: &Layer, launches: &mut Vec<KernelLaunch>) {
        let joined = self.shape.asked() + 2 * self.shape.kept();
        launches.push(self.norm(layer.attention_norm, 0, size.rows));
        self.matmuls(&layer.joined, Strided { address: self.rows.joined, stride: joined }, size, launches);
        // Address of the layer's share of page 0.
        let pool = self.pool + u64::from(at) * u64::from(self.page_stride / self.layers.len() as u32) * 4;
        launches.push(self.rope(size, layer, pool));
        launches.push(self.attend(size, at, pool));
        launches.push(self.join(size, at));
        let found = Strided { address: self.rows.found, stride: self.shape.asked() };
        launches.push(added(layer.answer, found, self.states(), size.rows));
    }

    /// Plans the feed-forward part of a layer, whose output is added to the states.
    fn inner(&self, size: PassSize, layer: &Layer, launches: &mut Vec<KernelLaunch>) {
        let inner = self.shape.inner;
        launches.push(self.norm(layer.inner_norm, 0, size.rows));
        self.matmuls(&layer.gates, Strided { address: self.rows.gates, stride: 2 * inner }, size, launches);
        let swiglu = SwigluParameters { from: self.rows.gates, to: self.rows.inner, inner, from_stride: 2 * inner };
        launches.push(launch(Work::Swiglu, (inner.div_ceil(256), size.rows), 256, &swiglu));
        let gated = Strided { address: self.rows.inner, stride: inner };
        launches.push(added(layer.down, gated, self.states(), size.rows));
    }

    fn states(&self) -> Strided {
        Strided { address: self.rows.states, stride: self.shape.width }
    }

    fn normalised(&self) -> Strided {
        Strided { address: self.rows.normalised, stride: self.shape.width }
    }

    /// Plans the normalisation of the states of the rows that `picked` lists, or of the first rows if `picked` is 0.
    fn norm(&self, weights: u64, picked: u64, rows: u32) -> KernelLaunch {
        let (from, to) = (self.rows.states, self.rows.normalised);
        let (columns, epsilon) = (self.shape.width, self.shape.epsilon.to_bits());
        launch(Work::Norm, (rows, 1), 256, &NormParameters { from, picked, weights, to, columns, epsilon })
    }

    /// Plans the MatMuls of normalised states whose outputs form one row.
    fn matmuls(&self, matmuls: &[Matmul], to: Strided, size: PassSize, launches: &mut Vec<KernelLaunch>) {
        for one in matmuls {
            let to = Strided { address: to.address + u64::from(one.first) * 4, ..to };
            launches.push(multiply(one.matrix, one.bias, self.normalised(), to, size.rows, false));
        }
    }

    fn rope(&self, size: PassSize, layer: &Layer, pool: u64) -> KernelLaunch {
        let ModelShape { heads, key_heads, head, rotates_neighbours, epsilon, .. } = self.shape;
        let parameters = RopeParameters {
            joined: self.rows.joined,
            ask_norm: layer.ask_norm,
            key_norm: layer.key_norm,
            angles: self.angles,
            rows: self.rows.rows,
            tables: self.rows.tables,
            pool,
            asked: self.rows.asked,
            heads,
            key_heads,
            head,
            pairs: head / 2,
            page_stride: self.page_stride,
            pages: self.limits.table(),
            neighbours: u32::from(rotates_neighbours),
            epsilon: epsilon.to_bits(),
        };
        launch(Work::Rope, ((heads + 2 * key_heads).div_ceil(4), size.rows), 128, &parameters)
    }

    fn attend(&self, size: PassSize, layer: u32, pool: u64) -> KernelLaunch {
        let ModelShape { heads, key_heads, head, .. } = self.shape;
        let parameters = AttendParameters {
            asked: self.rows.asked,
            rows: self.rows.rows,
            tables: self.rows.tables,
            pool,
            pieces: self.rows.pieces,
            heads,
            key_heads,
            head,
            page_stride: self.page_stride,
            pages: self.limits.table(),
            window: self.shape.window(layer),
            scale: (1.0 / (head as f32).sqrt()).to_bits(),
            spans: size.spans,
        };
        let parts = (heads / key_heads).div_ceil(HEADS_TOGETHER);
        launch(Work::Attend, (key_heads * parts * size.spans, size.rows), 256, &parameters)
    }

    fn join(&self, size: PassSize, layer: u32) -> KernelLaunch {
        let Rows { pieces, rows, found, .. } = self.rows;
        let ModelShape { heads, head, .. } = self.shape;
        let (window, spans) = (self.shape.window(layer), size.spans);
        let parameters = JoinParameters { pieces, rows, found, heads, head, window, spans };
        launch(Work::Join, (heads.div_ceil(4), size.rows), 128, &parameters)
    }
}

/// Plans a MatMul.
fn matmul(matrix: Matrix, from: Strided, to: Strided, rows: u32) -> KernelLaunch {
    multiply(matrix, 0, from, to, rows, false)
}

/// Plans a MatMul whose output is added to the numbers already at `to`.
fn added(matrix: Matrix, from: Strided, to: Strided, rows: u32) -> KernelLaunch {
    multiply(matrix, 0, from, to, rows, true)
}

fn multiply(matrix: Matrix, bias: u64, from: Strided, to: Strided, rows: u32, adds: bool) -> KernelLaunch {
    let Matrix { format, numbers, factors, outputs, columns } = matrix;
    let parameters = MatmulParameters {
        numbers,
        factors,
        bias,
        from: from.address,
        to: to.address,
        columns,
        outputs,
        rows,
        from_stride: from.stride,
        to_stride: to.stride,
        adds: u32::from(adds),
    };
    let together = Together::for_rows(rows);
    let blocks = (outputs.div_ceil(together.outputs()), rows.div_ceil(together.rows()));
    launch(Work::Matmul(format, together), blocks, 256, &parameters)
}
