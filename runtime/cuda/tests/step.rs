//! Compares the stepping code of the device, compiled for the host, with the matcher: each token of random texts of known and of random
//! formats, with tokens taken back in between.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "what is compiled are files; see clippy.toml")]

use crate::formats;
use crate::framed;
use crate::host;
use crate::random;
use crate::script;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use ogc_cuda::{DeviceFormat, DeviceVocabulary};
use ogc_kit::Random;
use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Call, Escapes, KeyConditions, KeyOrder, ObjectShape, Op, OpId, RuleId, StateId,
    StateKind, UNBOUNDED,
};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::TokenId;
use random::random_format;
use script::{Script, Subject, assert_agrees, decided};

/// Number of commands, and of texts left to the host, by reason.
#[derive(Clone, Debug, Default)]
struct Tally {
    commands: usize,
    scripts: usize,
    left: BTreeMap<char, usize>,
}

impl Tally {
    fn add(&mut self, found: &str) {
        let (decided, left) = decided(found);
        self.commands += decided.len() - 1;
        self.scripts += 1;
        if let Some(reason) = left {
            *self.left.entry(reason).or_default() += 1;
        }
    }

    fn left(&self) -> usize {
        self.left.values().sum()
    }
}

/// Returns the stepping code, compiled once for all tests; `None`, counted as skipped, if there is no compiler.
pub(crate) fn compiled() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/step");
    let program = PROGRAM.get_or_init(|| host::compiled(env!("CARGO_MANIFEST_DIR"), folder)).as_deref();
    if program.is_none() {
        ogc_kit::skip("step: no C++ compiler `c++`");
    }
    program
}

/// Returns the stepping code's answers to scripts, one line each.
pub(crate) fn run(program: &str, subject: &Subject, scripts: &[Script]) -> Vec<String> {
    let vocabulary = subject.store.vocabulary();
    let vocabulary = match &subject.stops {
        Some(stops) => DeviceVocabulary::with_stop_tokens(vocabulary, stops).unwrap(),
        None => DeviceVocabulary::new(vocabulary),
    };
    host::run(program, &DeviceFormat::new(&subject.format).unwrap(), &vocabulary, scripts)
}

fn subject(format: &Arc<Automaton>) -> Subject {
    Subject { format: Arc::clone(format), store: MaskStore::new(formats::vocabulary()), stops: None }
}

/// Compares both answers to random scripts of a format.
fn compare(program: &str, name: &str, subject: &Subject, random: &mut Random, scripts: usize, len: usize) -> Tally {
    let scripts: Vec<_> = (0..scripts).map(|_| subject.random_script(random, len)).collect();
    let all = run(program, subject, &scripts);
    assert_eq!(all.len(), scripts.len(), "{name}");
    let mut tally = Tally::default();
    for (script, found) in scripts.iter().zip(&all) {
        assert_agrees(name, script, found);
        tally.add(found);
    }
    tally
}

/// Compares both answers to a text, one token per byte; returns those of the stepping code.
pub(crate) fn steps(program: &str, format: &Arc<Automaton>, text: &str) -> String {
    let subject = subject(format);
    let script = subject.script(&text.bytes().map(i32::from).collect::<Vec<_>>());
    let found = run(program, &subject, std::slice::from_ref(&script)).remove(0);
    assert_agrees(text, &script, &found);
    found
}

#[test]
fn known_formats_step_like_the_matcher() {
    let Some(program) = compiled() else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let rounds = ogc_kit::setting("OGC_ROUNDS", 40) as usize;
    for (name, format) in formats::all() {
        let tally = compare(program, name, &subject(&format), &mut random, rounds, 80);

        assert!(tally.commands > 10 * rounds, "{name}: {tally:?}");
        // Only ambiguous texts have many readings.
        assert!(tally.left() == 0 || ["ambiguous", "thoughts"].contains(&name), "{name}: {tally:?}");
    }
}

#[test]
fn random_formats_step_like_the_matcher() {
    let Some(program) = compiled() else { return };
    let mut sum = Tally::default();
    let mut with_objects = 0;
    let first = ogc_kit::setting("OGC_SEED", 1);
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 300) {
        let mut random = Random::new(seed);
        let Some(format) = random_format(&mut random) else { continue };
        with_objects += usize::from(!format.objects.is_empty());
        let tally = compare(program, &format!("seed {seed}"), &subject(&format), &mut random, 10, 40);
        sum.commands += tally.commands;
        sum.scripts += tally.scripts;
        tally.left.iter().for_each(|(reason, count)| *sum.left.entry(*reason).or_default() += count);
    }

    assert!(sum.commands > 1000 && sum.left() * 10 < sum.scripts && with_objects > 10, "{sum:?}");
}

#[test]
fn chosen_stop_tokens_only_end_texts() {
    let Some(program) = compiled() else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    for (name, format) in formats::all() {
        let stops = [b'a', b'"', b'1', b']', b'}'].map(|byte| TokenId(byte.into()));
        let stops = Some(stops[random.below(4)..].to_vec());
        let tally = compare(program, name, &Subject { stops, ..subject(&format) }, &mut random, 8, 60);
        assert!(tally.commands > 8, "{name}: {tally:?}");
    }
}

/// Makes a format of one rule of raw bytes, with these countdowns.
fn format(make: impl FnOnce(&mut AutomatonBuilder, RuleId, [StateId; 2]), a: u32, b: u32) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("rule", 0);
    let states = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, states[0]);
    builder.accept(states[1]);
    make(&mut builder, rule, states);
    Arc::new(builder.finish((rule, a, b), false, Escapes::Any).unwrap())
}

/// Parentheses, one pair inside another.
fn nested() -> Arc<Automaton> {
    format(
        |builder, rule, [start, end]| {
            let [inside, last] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
            builder.edge(start, b'(', b'(', OpId::NONE, inside);
            builder.call(inside, formats::call(rule, last, 0, 0));
            builder.edge(inside, b')', b')', OpId::NONE, end);
            builder.edge(last, b')', b')', OpId::NONE, end);
        },
        0,
        0,
    )
}

#[test]
fn steps_that_overflow_a_slot_are_left_to_the_host() {
    let Some(program) = compiled() else { return };
    // There are at most 256 frames below the top one.
    let deepest = "(".repeat(257) + &")".repeat(257);
    assert_eq!(steps(program, &nested(), &deepest), "a".repeat(514) + "c");
    assert_eq!(steps(program, &nested(), &"(".repeat(258)), "a".repeat(258) + "C");

    // This many rules may begin with the byte.
    for (calls, expected) in [(16, "ac"), (17, "aB")] {
        let calls = format(
            |builder, _, [start, end]| {
                for _ in 0..calls {
                    let rule = builder.rule("called", 0);
                    let states: [StateId; 2] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
                    builder.start(rule, states[0]);
                    builder.accept(states[1]);
                    builder.edge(states[0], b'a', b'a', OpId::NONE, states[1]);
                    builder.call(start, formats::call(rule, end, 0, 0));
                }
            },
            0,
            0,
        );
        assert_eq!(steps(program, &calls, "a"), expected);
    }
}

#[test]
fn the_number_of_readings_is_limited_to_the_heads_of_a_slot() {
    let Some(program) = compiled() else { return };
    // Each `a` leads to one more state: n of them have n readings, the last of which continue with `b`.
    let readings = format(
        |builder, rule, [start, end]| {
            let mut last = start;
            for _ in 0..18 {
                let next = builder.state(rule, StateKind::Bytes);
                builder.edge(last, b'a', b'a', OpId::NONE, next);
                builder.edge(last, b'a', b'a', OpId::NONE, last);
                builder.edge(next, b'b', b'b', OpId::NONE, end);
                last = next;
            }
        },
        0,
        0,
    );
    assert_eq!(steps(program, &readings, &("a".repeat(15) + "b")), "a".repeat(16) + "c");
    assert_eq!(steps(program, &readings, &"a".repeat(16)), "a".repeat(16) + "B");

    // Each byte may be counted or not: a reading with more ticks left includes the others.
    let counted = format(
        |builder, _, [start, end]| {
            let tick = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 0 });
            builder.edge(start, b'a', b'a', OpId::NONE, start);
            builder.edge(start, b'a', b'a', tick, start);
            builder.edge(start, b'b', b'b', OpId::NONE, end);
        },
        0,
        100,
    );
    assert_eq!(steps(program, &counted, &("a".repeat(50) + "b")), "a".repeat(51) + "c");
}

/// An object of `keys` keys, whose values are numbers.
fn wide(keys: usize, order: KeyOrder) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let number = formats::digits(&mut builder);
    let names: Vec<String> = (0..keys).map(|key| format!("{key:03}")).collect();
    let keys: Vec<formats::Key<'_>> =
        names.iter().enumerate().map(|(at, name)| (&**name, at % 40 == 7, (number, 0, 0))).collect();
    let rule = formats::object(&mut builder, &keys, None, order, false);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap())
}

#[test]
fn objects_may_have_128_keys_in_any_order() {
    let Some(program) = compiled() else { return };
    let member = |key: usize| format!(r#""{key:03}":1"#);
    let text = |keys: &[usize]| format!("{{{}}}", keys.iter().map(|key| member(*key)).collect::<Vec<_>>().join(","));
    let required = [127, 7, 87, 47, 0];
    let any = text(&required);
    assert_eq!(steps(program, &wide(128, KeyOrder::Any), &any), "a".repeat(any.len()) + "c");
    // A key comes once; required keys must not be skipped.
    for keys in [&[127, 127][..], &[127, 7, 87, 0]] {
        assert!(steps(program, &wide(128, KeyOrder::Any), &text(keys)).contains('r'), "{keys:?}");
    }
    assert_eq!(steps(program, &wide(129, KeyOrder::Any), &any), "aaF");
    // In declared order there may be more keys: a required one is not skipped.
    let declared = text(&[3, 7, 47, 87, 88, 127, 167, 199]);
    assert_eq!(steps(program, &wide(200, KeyOrder::Declared), &declared), "a".repeat(declared.len()) + "c");
    for keys in [&[3, 8][..], &[7, 47, 46], &[7, 47, 47], &[7, 47, 48, 88], &[7, 47, 87, 127]] {
        assert!(steps(program, &wide(200, KeyOrder::Declared), &text(keys)).contains('r'), "{keys:?}");
    }
}

#[test]
fn arenas_are_compacted() {
    let Some(program) = compiled() else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let long = ["arrays", "arrays of 12 or more", "any order, open", "seven keys in any order"];
    for (name, format) in formats::all().into_iter().filter(|(name, _)| long.contains(name)) {
        let tally = compare(program, name, &subject(&format), &mut random, 6, 1200);

        assert!(tally.left() == 0, "{name}: {tally:?}");
    }
    // One member after another makes one set each; the log keeps some of them.
    let keys = (0..100).map(|key| format!(r#""{key:03}":1"#)).collect::<Vec<_>>().join(",");
    let text = format!("{{{keys}}}");
    assert_eq!(steps(program, &wide(128, KeyOrder::Any), &text).len(), text.len() + 1);
    // With tokens of several bytes, the frames that one token pushes may take all the room.
    let mut done = 0;
    for is_one in [false, true].repeat(4) {
        let subject = subject(&framed::framed(is_one));
        let script = framed::walk(&subject, &mut random, 600);
        let found = run(program, &subject, std::slice::from_ref(&script)).remove(0);
        assert_agrees("frames", &script, &found);
        done += decided(&found).0.len();
    }
    assert!(done > 3000, "{done}");
}

#[test]
fn object_members_are_allowed_like_the_matcher() {
    let Some(program) = compiled() else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let bytes = |text: &str| text.bytes().map(i32::from).collect::<Vec<_>>();
    for _ in 0..ogc_kit::setting("OGC_ROUNDS", 40) {
        let names = ["a", "ab", "b", "c", "d"];
        let order = [KeyOrder::Declared, KeyOrder::Any][random.below(2)];
        let (extra, counted) = (random.below(2) == 0, random.below(2) == 0);
        let (a, b) = if counted { (random.below(7) as u32, random.below(4) as u32) } else { (0, 0) };
        let mut builder = AutomatonBuilder::new();
        let number = formats::digits(&mut builder);
        let required: Vec<bool> = names.iter().map(|_| random.below(3) == 0).collect();
        let keys: Vec<formats::Key<'_>> =
            names.iter().zip(&required).map(|(name, required)| (*name, *required, (number, 0, 0))).collect();
        let rule = formats::object(&mut builder, &keys, extra.then_some(number), order, counted);
        let Ok(format) = builder.finish((rule, a, b), false, Escapes::Any) else { continue };
        let subject = subject(&Arc::new(format));
        let scripts: Vec<Script> = (0..8)
            .map(|_| {
                // Mostly ascending, and now and then repeated, or undeclared.
                let members = ["a", "ab", "b", "c", "d", "z"].into_iter().filter(|_| random.below(3) > 0);
                let mut members: Vec<String> = members.map(|name| format!("\"{name}\":1")).collect();
                let (one, other) = (random.below(members.len()), random.below(members.len()));
                if random.below(2) == 0 && !members.is_empty() {
                    members.swap(one, other);
                }
                subject.script_with_tries(&bytes(&format!("{{{}}}", members.join(","))), &bytes("\",}abcdz"))
            })
            .collect();
        for (script, found) in scripts.iter().zip(&run(program, &subject, &scripts)) {
            assert_agrees("members", script, found);
            assert_eq!(decided(found).1, None);
        }
    }
}

/// An object whose text `x` is either of two keys, each by an edge of its own. It may hold another `x` in brackets before it ends with `y`.
fn two_readings(keys: [u32; 2], required: u32, order: KeyOrder) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("object", 0);
    let shape = ObjectShape {
        keys: 128,
        required: Box::new([required]),
        order,
        extra: false,
        counted: false,
        conditions: KeyConditions::default(),
    };
    let object = builder.object(rule, shape);
    let inner = builder.rule("inner", 0);
    let [inner_start, inner_end] = std::array::from_fn(|_| builder.state(inner, StateKind::Bytes));
    builder.start(inner, inner_start);
    builder.accept(inner_end);
    let inner_middle = builder.state(inner, StateKind::Bytes);
    builder.edge(inner_start, b'[', b'[', OpId::NONE, inner_middle);
    builder.edge(inner_middle, b']', b']', OpId::NONE, inner_end);
    let [start, middle, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    for key in keys {
        let take = builder.op(Op::KeyTake { object, key });
        builder.edge(start, b'x', b'x', take, middle);
    }
    builder.call(middle, formats::call(inner, middle, 0, 0));
    let close = builder.op(Op::ObjectClose { object });
    builder.edge(middle, b'y', b'y', close, end);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap())
}

#[test]
fn readings_with_different_keys_are_not_merged() {
    let Some(program) = compiled() else { return };
    for keys in [[0, 1], [1, 0], [40, 0], [100, 127], [127, 100], [64, 31]] {
        for required in keys {
            let format = two_readings(keys, required, KeyOrder::Any);
            assert_eq!(steps(program, &format, "xy"), "aac", "{keys:?}");
            assert_eq!(steps(program, &format, "x[][]y"), "aaaaaac", "{keys:?}");
        }
    }
    for keys in [[0, 1], [1, 0]] {
        assert_eq!(steps(program, &two_readings(keys, 1, KeyOrder::Declared), "xy"), "aac");
        assert_eq!(steps(program, &two_readings(keys, 1, KeyOrder::Declared), "x[]y"), "aaaac");
    }
}

#[test]
fn readings_with_different_counts_are_not_merged() {
    let Some(program) = compiled() else { return };
    // Below the call, one reading has one tick less.
    for ticks_first in [true, false] {
        let below = format(
            |builder, _, [start, end]| {
                let tick = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 0 });
                let [loops, called] =
                    [builder.state(RuleId(0), StateKind::Bytes), builder.state(RuleId(0), StateKind::Bytes)];
                builder.edge(called, b'?', b'?', OpId::NONE, end);
                let inner = builder.rule("inner", 0);
                let states: [StateId; 3] = std::array::from_fn(|_| builder.state(inner, StateKind::Bytes));
                builder.start(inner, states[0]);
                builder.accept(states[2]);
                builder.edge(states[0], b'v', b'v', OpId::NONE, states[1]);
                builder.edge(states[1], b'w', b'w', OpId::NONE, states[2]);
                for op in if ticks_first { [tick, OpId::NONE] } else { [OpId::NONE, tick] } {
                    builder.call(start, Call { op, ..formats::call(inner, loops, 0, 0) });
                }
                builder.edge(loops, b'c', b'c', tick, loops);
                builder.edge(loops, b'd', b'd', OpId::NONE, end);
            },
            0,
            2,
        );
        assert_eq!(steps(program, &below, "vwccd"), "aaaaac");
        assert_eq!(steps(program, &below, "vwccc"), "aaaaar");
    }
}

#[test]
fn readings_with_different_remaining_tokens_are_not_merged() {
    let Some(program) = compiled() else { return };
    // The counted text may begin at any `a`: the reading that began last has the most tokens left.
    let late = format(
        |builder, _, [start, end]| {
            let limited = formats::limited(builder);
            builder.edge(start, b'a', b'a', OpId::NONE, start);
            builder.call(start, formats::call(limited, end, 3, UNBOUNDED));
        },
        0,
        0,
    );
    assert_eq!(steps(program, &late, "aaaabbbb"), "acccccccr");
    for tokens in [[2, 5], [5, 2]] {
        let calls = format(
            |builder, _, [start, end]| {
                let limited = formats::limited(builder);
                for tokens in tokens {
                    builder.call(start, formats::call(limited, end, tokens, UNBOUNDED));
                }
            },
            0,
            0,
        );
        assert_eq!(steps(program, &calls, "abcdef"), "acccccr");
    }
    // Two calls, one with more tokens and the other with more characters.
    for swapped in [false, true] {
        let calls = format(
            |builder, _, [start, end]| {
                let limited = formats::limited(builder);
                for (tokens, characters) in if swapped { [(5, 2), (2, 5)] } else { [(2, 5), (5, 2)] } {
                    builder.call(start, formats::call(limited, end, tokens, characters));
                }
            },
            0,
            0,
        );
        for text in ["abc", "abcdef"] {
            steps(program, &calls, text);
        }
        let subject = subject(&calls);
        for commands in [["aaaa", "a"], ["aab", "aab"], ["ab", "ab"], ["hello", "a"]] {
            let vocabulary = subject.store.vocabulary();
            let token = |text: &str| {
                (0..vocabulary.len() as u32).find(|id| vocabulary.text(TokenId(*id)) == Some(text.as_bytes()))
            };
            let commands: Vec<i32> = commands.iter().map(|text| token(text).unwrap() as i32).collect();
            let script = subject.script(&commands);
            assert_agrees("calls", &script, &run(program, &subject, std::slice::from_ref(&script))[0]);
        }
    }
    // With so many tokens, the register would be read as a set; the arena is compacted all the same.
    let many = format(
        |builder, _, [start, end]| {
            let limited = formats::limited(builder);
            let behind = builder.state(RuleId(0), StateKind::Bytes);
            builder.call(start, formats::call(limited, behind, UNBOUNDED, 1));
            builder.edge(behind, b'(', b'(', OpId::NONE, start);
            builder.edge(behind, b')', b')', OpId::NONE, end);
        },
        0,
        0,
    );
    let text = "a(".repeat(600) + "a)";
    assert_eq!(steps(program, &many, &text), "a".repeat(text.len()) + "c");
}

#[test]
fn readings_inside_and_outside_of_escapes_are_not_merged() {
    let Some(program) = compiled() else { return };
    // A backslash belongs to an escape, or was read before the string.
    let format = format(
        |builder, rule, [start, end]| {
            let text = builder.state(rule, StateKind::Text);
            let before = builder.state(rule, StateKind::Bytes);
            builder.edge(start, b'"', b'"', OpId::NONE, text);
            builder.edge(start, b'"', b'"', OpId::NONE, before);
            builder.edge(before, b'\\', b'\\', OpId::NONE, text);
            builder.edge(text, b'n', b'n', OpId::NONE, text);
            builder.close(text, OpId::NONE, end);
        },
        0,
        0,
    );
    for text in [r#""\n""#, r#""\u006e""#, r#""\""#, r#""\nn\u006E""#] {
        let found = steps(program, &format, text);
        assert!(found.ends_with('c') && !found.contains('r'), "{text}: {found}");
    }
    // A character that begins inside a string and ends outside of it cannot be written as an escape.
    let torn = self::format(
        |builder, rule, [start, end]| {
            let text = builder.state(rule, StateKind::Text);
            let outside = builder.state(rule, StateKind::Bytes);
            builder.edge(start, b'"', b'"', OpId::NONE, text);
            builder.edge(text, 0xC3, 0xC3, OpId::NONE, outside);
            builder.edge(outside, 0xA9, 0xA9, OpId::NONE, end);
        },
        0,
        0,
    );
    steps(program, &torn, "\"é");
    steps(program, &torn, r#""\u00e9"#);
}

/// Strings of one character.
fn character(character: char, escapes: Escapes) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("rule", 0);
    let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    let mut at = builder.state(rule, StateKind::Text);
    builder.edge(start, b'"', b'"', OpId::NONE, at);
    for byte in character.to_string().bytes() {
        let next = builder.state(rule, StateKind::Text);
        builder.edge(at, byte, byte, OpId::NONE, next);
        at = next;
    }
    builder.close(at, OpId::NONE, end);
    Arc::new(builder.finish((rule, 0, 0), false, escapes).unwrap())
}

#[test]
fn each_escape_spells_only_its_character() {
    let Some(program) = compiled() else { return };
    let bytes = |text: &str| text.bytes().map(i32::from).collect::<Vec<_>>();
    let others = bytes("\"\\/bfnrtu0178aAcdDefFgG9");
    let controls = (0..=0x21).chain([0x22, 0x2F, 0x5C, 0x7E, 0x7F, 0x80, 0x81]);
    let larger = [0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x10FC00, 0x10FFFF];
    for code in controls.chain(larger) {
        let wanted = char::from_u32(code).unwrap();
        let units = wanted.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        let short = "\"\\/bfnrt".chars().map(|letter| format!("\"\\{letter}\"")).collect::<Vec<_>>();
        let mut texts = vec![format!("\"{units}\""), format!("\"{}\"", units.to_uppercase().replace("\\U", "\\u"))];
        texts.extend(short);
        for escapes in [Escapes::Any, Escapes::Canonical] {
            let subject = subject(&character(wanted, escapes));
            let scripts: Vec<Script> =
                texts.iter().map(|text| subject.script_with_tries(&bytes(text), &others)).collect();
            for (script, found) in scripts.iter().zip(&run(program, &subject, &scripts)) {
                assert_agrees(&format!("{wanted:?}, {escapes:?}"), script, found);
                assert_eq!(decided(found).1, None);
            }
        }
    }
}

#[test]
fn tokens_without_text_are_refused() {
    let Some(program) = compiled() else { return };
    let any = format(
        |builder, _, [start, end]| {
            builder.edge(start, 0, 0xFE, OpId::NONE, start);
            builder.edge(start, 0, 0xFE, OpId::NONE, end);
        },
        0,
        0,
    );
    let subject = subject(&any);
    let len = subject.store.vocabulary().len() as i32;
    let commands: Vec<i32> = std::iter::once(i32::from(b'a')).chain(255..len + 2).collect();
    let script = subject.script(&commands);
    let found = run(program, &subject, std::slice::from_ref(&script)).remove(0);
    assert_agrees("special", &script, &found);
    assert!(found.contains('r'), "{found}");
}

#[test]
fn cases_that_random_texts_miss_step_like_the_matcher() {
    let Some(program) = compiled() else { return };
    let known = |name: &str| formats::all().into_iter().find(|(other, _)| *other == name).unwrap().1;
    // Control characters are refused raw, but allowed as escapes.
    let string = known("string");
    let texts = [
        ("\"\u{1f}", "aar"),
        ("\" \"", "aaac"),
        ("\"\\n\"", "aaaac"),
        ("\"\\x", "aaar"),
        ("\"\\ud83d\\ude00\"", "aaaaaaaaaaaaaac"),
        ("\"\\ud83d\\udbff", "aaaaaaaaaaar"),
        ("\"\\ud83d\\n", "aaaaaaaaar"),
        ("\"\\ud83d\"", "aaaaaaaar"),
        ("\"\\uDc00", "aaaaar"),
        ("\"\\u00E9\"", "aaaaaaaac"),
    ];
    for (text, expected) in texts {
        // After a refused byte, the next one continues from the state before it.
        let found = steps(program, &string, text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
    // A call ticks in the frame of its caller.
    assert_eq!(steps(program, &known("arrays of 0 to 3"), "[1,2,3]"), "aaaaaaac");
    assert_eq!(steps(program, &known("arrays of 0 to 3"), "[1,2,3,"), "aaaaaaar");
    // A call in tail position takes no frame.
    let tail = format(
        |builder, rule, [start, end]| {
            let more = builder.state(rule, StateKind::Bytes);
            builder.edge(start, b'a', b'a', OpId::NONE, more);
            builder.edge(more, b'b', b'b', OpId::NONE, end);
            builder.call(more, formats::call(rule, end, 0, 0));
        },
        0,
        0,
    );
    assert_eq!(steps(program, &tail, &("a".repeat(1000) + "b")), "a".repeat(1001) + "c");
}
