//! Norms, rotations, attention, gates and copies of random shapes.

use zerocopy::IntoBytes;

use super::super::records::{
    AttendParameters, CopyParameters, JoinParameters, ModelRow, NormParameters, PageCopy, RopeParameters,
    SwigluParameters, UNUSED,
};
use super::*;
use crate::machine::Machine;

/// Compares numbers to the last bit.
#[track_caller]
fn same(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.to_bits(), expected.to_bits(), "{what}, number {at}: {found} {expected}");
    }
}

fn reserve(machine: &mut Interpreter, name: &str, numbers: usize) -> u64 {
    machine.reserve(name, 4 * numbers as u64).unwrap()
}

#[test]
fn norms_match_the_reference() {
    check_norm(module(&[]));
}

/// Checks the normalisation of rows of several lengths.
pub(super) fn check_norm(module: &'static Module) {
    let mut random = Random::new(1);
    for columns in [4, 60, 256, 260, 1028, 4096] {
        let (states, weights) = (random.numbers(5 * columns), random.numbers(columns));
        for picked in [None, Some(vec![4_u32, UNUSED, 0, 2])] {
            let mut machine = Interpreter::new(module);
            let rows = picked.as_ref().map_or(5, Vec::len);
            let to = reserve(&mut machine, "to", rows * columns);
            let parameters = NormParameters {
                from: machine.put("from", &bytes_of(&states)),
                picked: picked.as_ref().map_or(0, |picked| machine.put("picked", picked.as_bytes())),
                weights: machine.put("weights", &bytes_of(&weights)),
                to,
                columns: columns as u32,
                epsilon: 1e-5_f32.to_bits(),
            };
            machine.start(&launch(Work::Norm, (rows as u32, 1), 256, &parameters));
            let found = machine.numbers(to, rows * columns);
            for (at, found) in found.chunks_exact(columns).enumerate() {
                let row = picked.as_ref().map_or(at as u32, |picked| picked[at]) as usize;
                let expected = match states.chunks_exact(columns).nth(row) {
                    Some(row) => reference::normalise(row, &weights, 1e-5, 256),
                    None => vec![0.0; columns],
                };
                same(found, &expected, &format!("{columns} columns, row {at}"));
            }
        }
    }
}

#[test]
fn swiglu_matches_a_loop() {
    let (mut random, module) = (Random::new(2), module(&[]));
    for inner in [4, 256, 300] {
        let mut machine = Interpreter::new(module);
        let rows = 3;
        let mut given: Vec<f32> = random.numbers(rows * 2 * inner).iter().map(|number| number * 30.0).collect();
        given[..3].copy_from_slice(&[-200.0, 200.0, 0.0]);
        let to = reserve(&mut machine, "to", rows * inner);
        let parameters = SwigluParameters {
            from: machine.put("from", &bytes_of(&given)),
            to,
            inner: inner as u32,
            from_stride: 2 * inner as u32,
        };
        let blocks = (parameters.inner.div_ceil(256), rows as u32);
        machine.start(&launch(Work::Swiglu, blocks, 256, &parameters));
        let expected: Vec<f32> = given
            .chunks_exact(2 * inner)
            .flat_map(|row| (0..inner).map(|at| reference::swiglu(row[at], row[inner + at])))
            .collect();
        same(&machine.numbers(to, rows * inner), &expected, "swiglu");
    }
}

#[test]
fn copying_a_page_copies_its_first_positions() {
    let (mut random, module) = (Random::new(3), module(&[]));
    let (layers, key_heads, head) = (3, 2, 20);
    let kept = key_heads * head;
    let page = layers * 2 * kept * 16;
    let numbers = random.numbers(4 * page);
    let mut machine = Interpreter::new(module);
    let pool = machine.put("pages", &bytes_of(&numbers));
    let list = [PageCopy { from: 2, to: 0, positions: 5 }, PageCopy { from: 1, to: 3, positions: 15 }];
    let copies = machine.put("copies", list.as_bytes());
    let (kept, head) = (kept as u32, head as u32);
    let parameters = CopyParameters { pool, copies, page_stride: page as u32, kept, head, count: 2 };
    let blocks = ((page as u32).div_ceil(1024), 2);
    machine.start(&launch(Work::Copy, blocks, 256, &parameters));
    let mut expected = numbers.clone();
    for PageCopy { from, to, positions } in list {
        for at in 0..page {
            // For each layer and head: keys in quads of positions, then values in rows.
            let [layer, of_layer] = [at / (2 * kept as usize * 16), at % (2 * kept as usize * 16)];
            let is_key = of_layer < kept as usize * 16;
            let position = if is_key { of_layer / 4 % 16 } else { of_layer / head as usize % 16 };
            if layer < layers && position < positions as usize {
                expected[to as usize * page + at] = numbers[from as usize * page + at];
            }
        }
    }
    same(&machine.numbers(pool, 4 * page), &expected, "pages");
}

/// Shape of heads that attend to the positions of several texts.
#[derive(Clone, Copy, Debug)]
struct Heads {
    heads: usize,
    key_heads: usize,
    head: usize,
    neighbours: bool,
    is_normalised: bool,
    window: Option<usize>,
}

/// Positions of the two texts, and pages of each.
const LENS: [usize; 2] = [530, 40];
const TABLE: usize = 34;
const LAYERS: usize = 2;
const EPSILON: f32 = 1e-6;

/// Input of the attention kernels.
struct Texts {
    shape: Heads,
    /// A row for each position of each text, in a random order.
    rows: Vec<ModelRow>,
    joined: Vec<f32>,
    angles: Vec<[f32; 2]>,
    ask_norm: Vec<f32>,
    key_norm: Vec<f32>,
}

impl Texts {
    fn random(random: &mut Random, shape: Heads) -> Self {
        let mut rows: Vec<ModelRow> = (0..LENS.len())
            .flat_map(|text| {
                (0..LENS[text]).map(move |position| ModelRow {
                    token: 0,
                    position: position as u32,
                    table: text as u32,
                })
            })
            .collect();
        for at in 1..rows.len() {
            rows.swap(at, random.below(at + 1));
        }
        rows.insert(5, ModelRow { token: 0, position: 0, table: UNUSED });
        let width = (shape.heads + 2 * shape.key_heads) * shape.head;
        let angles = (0..LENS[0] * shape.head / 2).map(|_| [random.numbers(1)[0], random.numbers(1)[0]]).collect();
        let joined = random.numbers(rows.len() * width).iter().map(|number| number * 4.0).collect();
        let (ask_norm, key_norm) = (random.numbers(shape.head), random.numbers(shape.head));
        Self { shape, rows, joined, angles, ask_norm, key_norm }
    }

    /// Returns one head of a row's numbers: query heads, then keys, then values.
    fn unit(&self, row: usize, unit: usize) -> &[f32] {
        let units = self.shape.heads + 2 * self.shape.key_heads;
        &self.joined[(row * units + unit) * self.shape.head..][..self.shape.head]
    }

    /// Returns a query or key head of a row, rotated.
    fn rotated(&self, row: usize, unit: usize) -> Vec<f32> {
        let norm = if unit < self.shape.heads { &self.ask_norm } else { &self.key_norm };
        let pairs = self.shape.head / 2;
        let angles = &self.angles[self.rows[row].position as usize * pairs..][..pairs];
        let unit = self.unit(row, unit);
        let unit = if self.shape.is_normalised { reference::normalise(unit, norm, EPSILON, 32) } else { unit.to_vec() };
        reference::rope(&unit, angles, self.shape.neighbours)
    }

    /// Returns the expected attention output of a row.
    fn expected(&self, row: usize) -> Vec<f32> {
        let Heads { heads, key_heads, head, window, .. } = self.shape;
        let ModelRow { position, table, .. } = self.rows[row];
        if table == UNUSED {
            return vec![0.0; heads * head];
        }
        let end = position as usize + 1;
        let looked = end.saturating_sub(window.unwrap_or(usize::MAX))..end;
        let row_of = |position: usize| {
            self.rows.iter().position(|row| row.table == table && row.position as usize == position).unwrap()
        };
        let rows: Vec<usize> = (0..end).map(row_of).collect();
        let found = (0..heads).flat_map(|at| {
            let key_head = at / (heads / key_heads);
            let keys: Vec<Vec<f32>> = rows.iter().map(|row| self.rotated(*row, heads + key_head)).collect();
            let value = |position: usize| self.unit(rows[position], heads + key_heads + key_head);
            reference::attend(&self.rotated(row, at), |position| &keys[position], value, looked.clone())
        });
        found.collect()
    }

    /// Runs the kernels: caches all positions, then computes the attention of some rows.
    fn run(&self, module: &'static Module, looked_for: &[usize], seed: u64) -> Vec<f32> {
        let Heads { heads, key_heads, head, neighbours, is_normalised, window } = self.shape;
        let mut machine = Interpreter::new(module);
        machine.seed = seed;
        let page_stride = (LAYERS * 2 * key_heads * head * 16) as u32;
        // The pages of the texts in shuffled order.
        let pages: Vec<u32> = (0..2 * TABLE as u32).map(|page| page * 29 % (2 * TABLE as u32)).collect();
        let pool = reserve(&mut machine, "pages", 2 * TABLE * page_stride as usize);
        let tables = machine.put("tables", pages.as_bytes());
        let norm = |machine: &mut Interpreter, norm: &[f32]| {
            if is_normalised { machine.put("norm", &bytes_of(norm)) } else { 0 }
        };
        let asked = reserve(&mut machine, "asked", self.rows.len() * heads * head);
        let rope = RopeParameters {
            joined: machine.put("joined", &bytes_of(&self.joined)),
            ask_norm: norm(&mut machine, &self.ask_norm),
            key_norm: norm(&mut machine, &self.key_norm),
            angles: machine.put("angles", &bytes_of(self.angles.as_flattened())),
            rows: machine.put("rows", self.rows.as_bytes()),
            tables,
            // The second layer.
            pool: pool + u64::from(page_stride) * 2,
            asked,
            heads: heads as u32,
            key_heads: key_heads as u32,
            head: head as u32,
            pairs: head as u32 / 2,
            page_stride,
            pages: TABLE as u32,
            neighbours: u32::from(neighbours),
            epsilon: EPSILON.to_bits(),
        };
        let blocks = ((heads + 2 * key_heads).div_ceil(4) as u32, self.rows.len() as u32);
        machine.start(&launch(Work::Rope, blocks, 128, &rope));
        let rotated = machine.numbers(asked, self.rows.len() * heads * head);
        let picked: Vec<ModelRow> = looked_for.iter().map(|row| self.rows[*row]).collect();
        let asked: Vec<f32> =
            looked_for.iter().flat_map(|row| rotated[row * heads * head..(row + 1) * heads * head].to_vec()).collect();
        let spans = LENS[0].div_ceil(256) as u32;
        let rows = machine.put("picked rows", picked.as_bytes());
        let pieces = reserve(&mut machine, "pieces", picked.len() * heads * spans as usize * (head + 2));
        let window = window.map_or(u32::MAX, |window| window as u32);
        let attend = AttendParameters {
            asked: machine.put("picked heads", &bytes_of(&asked)),
            rows,
            tables,
            pool: rope.pool,
            pieces,
            heads: rope.heads,
            key_heads: rope.key_heads,
            head: rope.head,
            page_stride,
            pages: rope.pages,
            window,
            scale: (1.0 / (head as f32).sqrt()).to_bits(),
            spans,
        };
        let parts = (heads / key_heads).div_ceil(8) as u32;
        let blocks = (rope.key_heads * parts * spans, picked.len() as u32);
        machine.start(&launch(Work::Attend, blocks, 256, &attend));
        let found = reserve(&mut machine, "found", picked.len() * heads * head);
        let join = JoinParameters { pieces, rows, found, heads: rope.heads, head: rope.head, window, spans };
        let blocks = (rope.heads.div_ceil(4), picked.len() as u32);
        machine.start(&launch(Work::Join, blocks, 128, &join));
        machine.numbers(found, picked.len() * heads * head)
    }
}

#[test]
fn attention_heads_match_loops() {
    let (mut random, module) = (Random::new(4), module(&[]));
    let plain = Heads { heads: 2, key_heads: 2, head: 64, neighbours: false, is_normalised: false, window: None };
    let shapes = [
        plain,
        Heads { heads: 14, key_heads: 2, head: 32, neighbours: true, ..plain },
        Heads { heads: 11, key_heads: 1, head: 80, is_normalised: true, ..plain },
        Heads { heads: 3, key_heads: 1, head: 4, window: Some(1), ..plain },
        Heads { heads: 4, key_heads: 2, head: 128, is_normalised: true, window: Some(270), ..plain },
        Heads { heads: 1, key_heads: 1, head: 256, neighbours: true, window: Some(20), ..plain },
    ];
    for shape in shapes {
        let texts = Texts::random(&mut random, shape);
        let row_of = |position: usize, text: u32| {
            texts.rows.iter().position(|row| row.position as usize == position && row.table == text).unwrap()
        };
        // Beginnings and ends of pages and spans, and an unused row.
        let first_text = [0, 15, 16, 255, 256, 300, 511, 512, 529].map(|position| row_of(position, 0));
        let looked_for = [&first_text[..], &[row_of(0, 1), row_of(39, 1), 5]].concat();
        let found = texts.run(module, &looked_for, random.below(100) as u64);
        for (found, row) in found.chunks_exact(shape.heads * shape.head).zip(&looked_for) {
            same(found, &texts.expected(*row), &format!("{shape:?}, {:?}", texts.rows[*row]));
        }
    }
}
