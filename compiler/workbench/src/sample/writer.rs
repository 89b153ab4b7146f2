//! Writes one text by a walk through the format.
//!
//! Alternatives are equally likely. Each frame of the walk has an appetite, drawn when it is entered: the number of
//! characters that its loops may write. When the appetite is used up, or the text has reached its length, the walk
//! takes the shortest way to an end.

use std::sync::Arc;

use always_assert::never;
use ogc_runtime::automaton::{Automaton, Call, StateId, StateKind};
use ogc_runtime::walk::{Walk, Way};

use super::branches::{Branches, alternatives};
use super::words::Words;
use crate::describe::json_spelling;
use crate::random::Random;
use crate::vocabulary::is_text;

/// Appetite that entering a rule costs, in characters.
const CALL: u32 = 6;

/// Appetite that a digit costs where only digits are allowed, because long numbers are not useful.
const DIGIT: u32 = 5;

/// Maximum number of characters to finish a word after the appetite is used up.
const LONGEST_WORD: u32 = 8;

/// Probability that a loop ends before its appetite is used up, in percent.
const LEAVE_EARLY: u64 = 6;

/// The choice of digits for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    /// A few arbitrary digits.
    Few,
    /// The smallest number: as few digits as possible, each as small as possible.
    Least,
    /// The greatest number: as many digits as possible, each as great as possible.
    Greatest,
}

/// The plan for a frame of the walk.
#[derive(Clone, Copy, Debug)]
struct Plan {
    appetite: u32,
    /// Number of characters that may still finish the last word.
    finish: u32,
    digits: Option<Digits>,
}

/// The reason why a walk has written no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotWritten {
    /// The text got longer than allowed.
    TooLong,
    /// Two items of an array, or two keys of an object, are equal but must differ: a walk does not remember them.
    EqualItems,
}

/// A walk that writes a text.
pub(super) struct SampleWriter<'a> {
    automaton: &'a Arc<Automaton>,
    branches: &'a Branches,
    random: &'a mut Random,
    walk: Walk,
    plans: Vec<Plan>,
    words: Words,
    text: Vec<u8>,
    /// Wanted length of the text, in bytes.
    length: usize,
}

impl<'a> SampleWriter<'a> {
    pub(super) fn new(
        automaton: &'a Arc<Automaton>,
        branches: &'a Branches,
        random: &'a mut Random,
        length: u32,
    ) -> Self {
        let (walk, words) = (Walk::new(Arc::clone(automaton)), Words::new(random));
        let mut writer = Self {
            automaton,
            branches,
            random,
            walk,
            plans: Vec::new(),
            words,
            text: Vec::new(),
            length: length as usize,
        };
        let root = writer.automaton.root;
        writer.plans = vec![writer.plan(Call {
            rule: root.rule,
            ret: StateId(0),
            op: ogc_runtime::automaton::OpId::NONE,
            a: root.a,
            b: root.b,
        })];
        writer
    }

    /// Writes the text, with the names of tokens as plain text, of at most `most` bytes.
    pub(super) fn write(mut self, most: usize) -> Result<Vec<u8>, NotWritten> {
        while let Some(from) = self.walk.state() {
            if self.text.len() > most {
                return Err(NotWritten::TooLong);
            }
            self.step(from);
        }
        if self.automaton.has_distinct_items() && !is_text(self.automaton, &self.text) {
            return Err(NotWritten::EqualItems);
        }
        // The name of a token stands between two bytes that occur in no text.
        self.text.retain(|&byte| byte < 0xFE);
        Ok(self.text)
    }

    fn step(&mut self, from: StateId) {
        let ways = self.walk.ways();
        let Some(way) = self.choose(from, &ways) else { return self.walk.take(&Way::Leave) };
        let in_loop = way.to().is_some_and(|to| self.branches.same_loop(from, to));
        if let (true, Some(plan)) = (in_loop, self.plans.last_mut()) {
            plan.finish = plan.finish.saturating_sub(u32::from(plan.appetite == 0));
            let words = ways.iter().any(|way| reads(way, b'e'));
            plan.appetite = plan.appetite.saturating_sub(cost(self.automaton, from, &way, words));
        }
        self.spell(from, &way);
        self.walk.take(&way);
        self.plans.truncate(self.walk.depth());
        if let Way::Enter(call) = way {
            let plan = self.plan(call);
            self.plans.truncate(self.walk.depth().saturating_sub(1));
            self.plans.push(plan);
        }
    }

    /// Draws the plan of a frame.
    fn plan(&mut self, call: Call) -> Plan {
        let rule = &self.automaton.rules[call.rule.index()];
        let digits = (rule.name == "number").then(|| match self.random.below(20) {
            0 => Digits::Least,
            1 => Digits::Greatest,
            _ => Digits::Few,
        });
        let appetite = match rule.object {
            Some(object) => {
                let shape = &self.automaton.objects[object.index()];
                shape.keys.saturating_add(if shape.keys == 0 { self.random.below(4) as u32 } else { 0 })
            }
            None if digits.is_some() => self.random.below(4) as u32 * DIGIT,
            None if self.reads_only_space(&call) => self.random.below(2) as u32,
            None => match self.random.below(20) {
                0 => 0,
                1..12 => 3 + self.random.below(12) as u32,
                12..18 => 12 + self.random.below(30) as u32,
                _ => 40 + self.random.below(80) as u32,
            },
        };
        Plan { appetite, finish: LONGEST_WORD, digits }
    }

    fn choose(&mut self, from: StateId, ways: &[Way]) -> Option<Way> {
        let plan = self.plans.last().copied().unwrap_or_else(|| {
            never!("the frame of {:?} has no plan", from);
            Plan { appetite: 0, finish: 0, digits: None }
        });
        let least = self.walk.least_left() as usize;
        let is_full = self.text.len() + least >= self.length;
        let has_enough = plan.appetite == 0 && (plan.finish == 0 || self.words.is_whole());
        if is_full || has_enough && self.branches.same_loop(from, from) {
            return self.shortest(ways);
        }
        if let Some(digits @ (Digits::Least | Digits::Greatest)) = plan.digits {
            return self.bound(ways, digits);
        }
        let (stay, leave): (Vec<Way>, Vec<Way>) =
            ways.iter().partition(|way| way.to().is_some_and(|to| self.branches.same_loop(from, to)));
        let is_object = self.automaton.rule_of(from).object.is_some();
        let early = if is_object { 25 } else { LEAVE_EARLY };
        match (stay.is_empty(), leave.is_empty()) {
            (false, false) if self.random.below(100) < early => self.branch(&leave),
            (false, _) if self.automaton.calls(from).is_empty() && !is_object => self.letter(from, &stay),
            (false, _) => self.branch(&stay),
            (true, _) => self.branch(&leave),
        }
    }

    /// Returns the step after which the fewest bytes complete the rule; sometimes another step, which a guard may need.
    fn shortest(&mut self, ways: &[Way]) -> Option<Way> {
        let ways = self.without_extra_keys(ways);
        if self.random.below(16) == 0 {
            return self.branch(&ways);
        }
        let left = |way: &&Way| match way {
            Way::Read { to, .. } | Way::Close { to, .. } => self.automaton.min_bytes[to.index()].saturating_add(1),
            Way::Enter(call) => {
                let inside = self.automaton.rules[call.rule.index()].start;
                let (inside, after) =
                    (self.automaton.min_bytes[inside.index()], self.automaton.min_bytes[call.ret.index()]);
                inside.saturating_add(after)
            }
            Way::Leave => 0,
        };
        let way = ways.iter().min_by_key(left).copied()?;
        let is_least = self.plans.last().is_some_and(|plan| plan.digits == Some(Digits::Least));
        if is_least { Some(way) } else { self.letter_of(&[way]) }
    }

    /// Removes steps to undeclared keys, if there are steps to declared keys.
    fn without_extra_keys(&self, ways: &[Way]) -> Vec<Way> {
        let is_declared = |way: &&Way| match way {
            Way::Read { to, .. } => self.branches.spells_declared(*to),
            Way::Close { .. } => true,
            Way::Enter(_) | Way::Leave => false,
        };
        let declared: Vec<Way> = ways.iter().filter(is_declared).copied().collect();
        let has_declared = declared.iter().any(|way| matches!(way, Way::Read { .. }));
        if has_declared { declared } else { ways.to_vec() }
    }

    /// Returns the step towards the smallest or greatest number, as far as digits decide.
    fn bound(&mut self, ways: &[Way], digits: Digits) -> Option<Way> {
        let most = |way: &Way| match way {
            Way::Read { hi, to, .. } if hi.is_ascii_digit() => Some((self.branches.most_digits(*to)?, *hi)),
            Way::Read { .. } | Way::Close { .. } | Way::Enter(_) | Way::Leave => None,
        };
        let found = match digits {
            Digits::Greatest => ways.iter().filter(|way| most(way).is_some()).max_by_key(|way| most(way)),
            Digits::Least | Digits::Few => None,
        };
        match found {
            Some(way @ Way::Read { hi, .. }) => Some(at(way, *hi)),
            Some(_) | None => self.shortest(ways),
        }
    }

    /// Returns a step to a random alternative; all are equally likely.
    fn branch(&mut self, ways: &[Way]) -> Option<Way> {
        let groups = groups(ways);
        let weights: Vec<u64> =
            groups.iter().map(|group| (1_000.0 * self.weight(group, &groups)).ceil() as u64).collect();
        let group = self.random.weighted(&weights).and_then(|index| groups.get(index))?;
        self.letter_of(group)
    }

    fn weight(&self, group: &[Way], all: &[Vec<Way>]) -> f64 {
        let Some(first) = group.first() else {
            never!("a group of steps is empty");
            return 0.0;
        };
        let in_number = self.plans.last().is_some_and(|plan| plan.digits.is_some());
        let is_five = |way: &Way| reads(way, b'5');
        let digits = in_number || all.iter().flatten().any(is_five);
        let among_digits =
            all.iter().filter(|group| group.iter().any(is_five)).any(|group| group.len() > 1 || wide(&group[0]));
        let ascii = all.iter().flatten().any(|way| matches!(way, Way::Read { lo: 0x20..0x7F, .. } | Way::Close { .. }));
        let factor = match first {
            Way::Read { lo: 0x80.., .. } if ascii => 0.004,
            Way::Read { lo: b'\t' | b'\n' | b'\r', hi: ..b' ', .. } if all.len() > 1 => 0.02,
            Way::Read { lo: b' ', hi: b' ', .. } if all.len() > 1 => 0.3,
            Way::Read { lo: b'e' | b'E', hi: b'e' | b'E', .. } if digits => 0.004,
            // A single digit beside many is a special case, such as the 60th second of a leap second.
            Way::Read { lo: b'0'..=b'9', .. } if among_digits && group.len() == 1 && !wide(first) => 0.05,
            Way::Read { lo: b'.' | b'-', hi: b'.' | b'-', .. } if digits => 0.25,
            Way::Read { to, .. } if self.is_extra_key(*to) && all.len() > 1 => 0.02,
            Way::Enter(call) if self.reads_only_space(call) && all.len() > 1 => 0.02,
            _ => 1.0,
        };
        let reads = group.iter().map(|way| match way {
            Way::Read { lo, hi, .. } => alternatives(*lo, *hi),
            Way::Close { .. } | Way::Enter(_) | Way::Leave => 1.0,
        });
        if factor < 1.0 {
            return factor;
        }
        reads.sum::<f64>() * first.to().map_or(1.0, |to| self.branches.weight(to))
    }

    fn is_extra_key(&self, state: StateId) -> bool {
        let is_text = self.automaton.states[state.index()].kind == StateKind::Text;
        is_text && self.automaton.rule_of(state).object.is_some() && !self.branches.spells_declared(state)
    }

    fn reads_only_space(&self, call: &Call) -> bool {
        let first = self.automaton.rules[call.rule.index()].first;
        let space = [b' ', b'\t', b'\n', b'\r'].iter().fold(0_u64, |set, byte| set | 1 << byte);
        first[0] & !space == 0 && first[1..] == [0; 3]
    }

    /// Returns a step that writes a character of free text: the next one of a word, if it is allowed.
    fn letter(&mut self, from: StateId, ways: &[Way]) -> Option<Way> {
        let wanted = self.words.next();
        let wide = ways.iter().any(|way| reads(way, b'e') || reads(way, b't'));
        if wide && let Some(way) = ways.iter().find(|way| reads(way, wanted)) {
            return Some(at(way, wanted));
        }
        let text = self.automaton.states[from.index()].kind == StateKind::Text;
        let weights: Vec<u64> = ways.iter().map(|way| bytes(way).map(|byte| readable(byte, text)).sum()).collect();
        let way = self.random.weighted(&weights).and_then(|index| ways.get(index)).or(ways.first())?;
        self.letter_of(std::slice::from_ref(way))
    }

    /// Returns a step for one byte of a group, whose steps all lead to the same state.
    fn letter_of(&mut self, group: &[Way]) -> Option<Way> {
        let wanted = self.words.next();
        let wide = group.iter().any(|way| reads(way, b'e') && reads(way, b't'));
        if wide && let Some(way) = group.iter().find(|way| reads(way, wanted)) {
            return Some(at(way, wanted));
        }
        let all: Vec<(&Way, u8)> = group.iter().flat_map(|way| bytes(way).map(move |byte| (way, byte))).collect();
        let weights: Vec<u64> =
            all.iter().map(|(_, byte)| if all.len() <= 8 { 1 } else { readable(*byte, wide) }).collect();
        let chosen = self.random.weighted(&weights).and_then(|index| all.get(index));
        chosen.map(|(way, byte)| at(way, *byte)).or_else(|| group.first().copied())
    }

    /// Writes the byte that a step reads; in JSON strings, in its JSON spelling.
    fn spell(&mut self, from: StateId, way: &Way) {
        let byte = match way {
            Way::Read { lo, .. } => *lo,
            Way::Close { .. } => return self.text.push(b'"'),
            Way::Enter(_) | Way::Leave => return,
        };
        self.words.wrote(byte, self.random);
        if self.automaton.states[from.index()].kind == StateKind::Text && (byte < 0x20 || matches!(byte, b'"' | b'\\'))
        {
            return self.text.extend_from_slice(json_spelling(char::from(byte)).as_bytes());
        }
        self.text.push(byte);
    }
}

/// Returns the appetite that a step costs: in characters, or in members for objects.
fn cost(automaton: &Automaton, from: StateId, way: &Way, words: bool) -> u32 {
    match (automaton.rule_of(from).object, way) {
        (Some(_), Way::Read { lo: b',', .. }) => 1,
        (Some(_), _) | (None, Way::Close { .. } | Way::Leave) => 0,
        (None, Way::Read { lo: b'0'..=b'9', .. }) if !words => DIGIT,
        (None, Way::Read { .. }) => 1,
        (None, Way::Enter(_)) => CALL,
    }
}

/// Groups steps into alternatives: all bytes that lead to the same state form one, and each call is one.
fn groups(ways: &[Way]) -> Vec<Vec<Way>> {
    let mut groups: Vec<Vec<Way>> = Vec::new();
    for way in ways {
        let is_read = |way: &Way| matches!(way, Way::Read { .. });
        let same = |group: &&mut Vec<Way>| {
            group.first().is_some_and(|first| is_read(first) && is_read(way) && first.to() == way.to())
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(*way),
            None => groups.push(vec![*way]),
        }
    }
    groups
}

fn bytes(way: &Way) -> std::ops::RangeInclusive<u8> {
    match way {
        Way::Read { lo, hi, .. } => *lo..=*hi,
        Way::Close { .. } | Way::Enter(_) | Way::Leave => b'"'..=b'"',
    }
}

/// Returns whether a step reads several bytes.
fn wide(way: &Way) -> bool {
    matches!(way, Way::Read { lo, hi, .. } if lo < hi)
}

fn reads(way: &Way, byte: u8) -> bool {
    matches!(way, Way::Read { lo, hi, .. } if (*lo..=*hi).contains(&byte))
}

/// Returns the step restricted to one byte of its range.
fn at(way: &Way, byte: u8) -> Way {
    match *way {
        Way::Read { op, to, .. } => Way::Read { lo: byte, hi: byte, op, to },
        Way::Close { .. } | Way::Enter(_) | Way::Leave => *way,
    }
}

/// Returns the weight of a byte among many; in JSON strings, bytes that need an escape have a low weight.
fn readable(byte: u8, text: bool) -> u64 {
    match byte {
        b'a'..=b'z' | b'0'..=b'9' => 200,
        b'"' | b'\\' if text => 1,
        b' ' => 150,
        b'A'..=b'Z' => 60,
        b'.' | b'-' | b'_' | b',' | b':' => 20,
        0x21..0x7F => 8,
        0..0x20 | 0x7F => 1,
        0x80..0xC0 => 4,
        0xC0.. => 1,
    }
}
