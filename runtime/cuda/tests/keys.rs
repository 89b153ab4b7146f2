//! Compares the operations of `kernels/keys.cuh` and `kernels/ways.cuh` on the registers of frames, compiled for the host, with the
//! automaton: random objects, registers and operations.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::rows;

use std::io::Write;
use std::process::{Command, Stdio};

use ogc_kit::Random;
use ogc_runtime::automaton::{
    AutomatonBuilder, Escapes, KeyConditions, KeyOrder, ObjectShape, Op, OpId, StateKind, UNBOUNDED,
};
use ogc_runtime::step::PlainRegisters;

/// An operation on registers as the program reads it, and the automaton's result.
struct Task {
    words: Vec<u32>,
    expected: Option<PlainRegisters>,
}

/// Returns ascending keys below `keys`, each with probability 1 / `rare`.
fn some_keys(random: &mut Random, keys: u32, rare: usize) -> Box<[u32]> {
    (0..keys).filter(|_| random.below(rare) == 0).collect()
}

/// Makes a random object, and random operations on random registers of its frames.
fn tasks(random: &mut Random) -> Vec<Task> {
    let order = [KeyOrder::Declared, KeyOrder::Any][random.below(2)];
    let keys = [1, 3, 6, 33, 128][random.below(5)];
    let rare = [1, 2, 3, 40][random.below(4)];
    let (required, extra, counted) = (some_keys(random, keys, rare), random.below(2) == 0, random.below(2) == 0);
    let shape =
        ObjectShape { keys, required: required.clone(), order, extra, counted, conditions: KeyConditions::default() };
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("object", 0);
    let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, end);
    builder.accept(end);
    let object = builder.object(rule, shape);
    let key = random.below(keys as usize) as u32;
    let listed = some_keys(random, keys, 2);
    let is_extra = random.below(2) == 0;
    let max_a = [0, 1, 5, UNBOUNDED][random.below(4)];
    let min_total = [0, 1, 7, UNBOUNDED][random.below(4)];
    let count = |tick| Op::Count { tick, max_a, min_total };
    // Numbered as in the program: `STEP_COUNT` and so on.
    let ops = [
        (0, count(false)),
        (1, count(true)),
        (2 + u32::from(is_extra), Op::KeyAlive { object, keys: listed.clone(), extra: is_extra }),
        (4, Op::KeyTake { object, key }),
        (5, Op::KeyTakeExtra { object }),
        (6, Op::KeyNext { object }),
        (7, Op::ObjectClose { object }),
    ];
    let ops = ops.map(|(kind, op)| (kind, builder.op(op)));
    let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).unwrap();
    let mut tasks = Vec::new();
    for (kind, op) in ops {
        for _ in 0..8 {
            let registers = registers(random, order, keys);
            let PlainRegisters { a, b, aux, seen } = registers;
            let any_order = u32::from(order == KeyOrder::Any);
            let mut words = vec![kind, keys, required.len() as u32, any_order, extra.into(), counted.into(), a, b, aux];
            words.extend(seen);
            words.extend([if kind < 2 { max_a } else { key }, min_total, listed.len() as u32]);
            words.extend(required.iter().chain(&listed));
            tasks.push(Task { words, expected: automaton.registers_after(op, registers) });
        }
    }
    tasks
}

fn registers(random: &mut Random, order: KeyOrder, keys: u32) -> PlainRegisters {
    let near = keys as usize + 2;
    let [a, b] = std::array::from_fn(|_| [0, 1, 2, random.below(near) as u32, UNBOUNDED][random.below(5)]);
    let rare = [1, 2, 5][random.below(3)];
    let mut seen = [0; 4];
    if order == KeyOrder::Any {
        some_keys(random, keys, rare).iter().for_each(|key| seen[*key as usize / 32] |= 1 << (key % 32));
    }
    let aux = if order == KeyOrder::Any { 0 } else { random.below(keys as usize + 1) as u32 };
    PlainRegisters { a, b, aux, seen }
}

#[test]
fn key_lookups_match_the_automaton() {
    let folder = format!("{}/keys", env!("CARGO_TARGET_TMPDIR"));
    let options = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let Some(program) = rows::compiled_program(env!("CARGO_MANIFEST_DIR"), "keys", &folder, &options) else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let tasks: Vec<Task> = (0..ogc_kit::setting("OGC_ROUNDS", 4000)).flat_map(|_| tasks(&mut random)).collect();
    let input: Vec<u8> = tasks.iter().flat_map(|task| &task.words).flat_map(|word| word.to_le_bytes()).collect();
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let words: Vec<u32> =
        output.stdout.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words.len(), 16 * tasks.len());
    let mut held = 0;
    for (at, found) in words.chunks_exact(8).enumerate() {
        let task = &tasks[at / 2];
        let &[holds, a, b, aux, ref seen @ ..] = found else { unreachable!() };
        let registers = PlainRegisters { a, b, aux, seen: seen.try_into().unwrap() };
        let by = ["keys", "ways"][at % 2];
        assert_eq!((holds == 1).then_some(registers), task.expected, "{by}: {:?}", task.words);
        held += holds as usize;
    }
    assert!(held * 5 > 2 * tasks.len() && held * 5 < 8 * tasks.len(), "{held} of {}", 2 * tasks.len());
}
