//! Builds the automaton of the texts of a set of numbers.
//!
//! The automaton reads a text once, from the left. Before an exponent, its state holds the position of the digits among
//! the set's magnitudes (`scale`), the power of ten of the first digit, and the divisibility by the set's divisors
//! (`modulus`). An `e` turns all that into the set of exponents that make the number a member, whose automaton
//! (`exponent`) follows.

use std::sync::OnceLock;

use super::build::{Form, build};
use super::frame::Frame;
use super::moduli::common_rest;
use super::spelling::{Decimals, Spelling};
use super::{Arm, Decimal, NumberError, NumberSet, too_many_states};
use crate::budget;
use crate::{Dfa, DfaState, Edge, Limits, StateId};

/// Up to this many digits behind the point, their number is bounded.
const MAX_FRACTION: u32 = 64;

/// Cap on the multiples of an interval that are listed when there are many remainders.
const MAX_LISTED: usize = 1_024;

/// From this number on, the remainders by all divisors together count as many.
const MANY_REMAINDERS: usize = 512;

impl NumberSet {
    /// Builds the automaton of the texts in this set that have no exponent and as many digits behind the point as
    /// `decimals` allows: with two digits `1.50`, never `1.5`. Negative zero is left out.
    ///
    /// ```
    /// use ogc_regular::Limits;
    /// use ogc_regular::number::{Decimals, NumberSet};
    /// let exactly = Decimals { least: 2, most: 2 };
    /// let texts = NumberSet::all().language_with_decimals(exactly, &Limits::default())?;
    /// assert!(texts.contains(b"1.50") && !texts.contains(b"1.5") && !texts.contains(b"1.500") && !texts.contains(b"1"));
    /// # Ok::<(), ogc_regular::number::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`NumberSet::language`].
    pub fn language_with_decimals(&self, decimals: Decimals, limits: &Limits) -> Result<Dfa, NumberError> {
        // If all members are multiples of the last allowed digit, they are padded with zeros up to it.
        let last = Self::multiple_of(Decimal::new(false, &[1], -(decimals.most as i32)))?;
        let language = self.language_among(&[&last], Spelling::Plain, limits)?;
        let most = limits.states.saturating_mul(MAX_FRACTION as usize);
        language.intersect(&with_fraction(decimals), most).map_err(too_many_states)
    }

    /// Builds the automaton of the texts whose value is in this set: exactly the texts of the given spelling, and no
    /// others.
    ///
    /// # Errors
    ///
    /// [`NumberError::Divisor`] and [`NumberError::Limit`] where limits are exceeded.
    pub fn language(&self, spelling: Spelling, limits: &Limits) -> Result<Dfa, NumberError> {
        match common(self, spelling) {
            Some(known) => Ok(known.clone()),
            None => self.language_among(&[self], spelling, limits),
        }
    }

    /// Builds the automaton as [`NumberSet::language`] does, for one of several sets that are combined afterwards.
    ///
    /// Which texts with exponents a set accepts depends on its conditions (see [`Spelling::Json`]). Languages made
    /// among the same sets leave out the same texts, so that intersections, unions and differences of the languages are
    /// the languages of the intersections, unions and differences.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::language`].
    pub fn language_among(&self, sets: &[&Self], spelling: Spelling, limits: &Limits) -> Result<Dfa, NumberError> {
        let mut all = vec![self];
        all.extend(sets);
        if all.iter().any(|set| set.divisors().next().is_some()) && has_many_remainders(&all) {
            let listed: Vec<Self> = all.iter().map(|set| set.listed(MAX_LISTED)).collect();
            return listed[0].language_of_frame(&listed.iter().collect::<Vec<_>>(), spelling, limits);
        }
        self.language_of_frame(&all, spelling, limits)
    }

    /// Builds the automaton of one of the sets.
    fn language_of_frame(&self, all: &[&Self], spelling: Spelling, limits: &Limits) -> Result<Dfa, NumberError> {
        let frame = Frame::new(all)?;
        let target = frame.target(self);
        let form = Form { spelling, whole: all.iter().all(|set| set.is_integral()) };
        let states = build(&frame, &target, form, limits.states)?;
        let language = Dfa::from_states(states).minimized();
        match all.iter().map(|set| set.fraction_digits()).try_fold(0, |most, digits| Some(most.max(digits?))) {
            Some(digits) if spelling != Spelling::Json && !form.whole && digits <= MAX_FRACTION => {
                let short = with_fraction(Decimals { least: 0, most: digits });
                language.intersect(&short, limits.states.saturating_mul(MAX_FRACTION as usize)).map_err(too_many_states)
            }
            _ => Ok(language),
        }
    }

    /// Returns the number of digits behind the point with which every member can be written; `None` if no condition
    /// bounds them.
    fn fraction_digits(&self) -> Option<u32> {
        let needed = |value: &Decimal| value.exponent().min(0).unsigned_abs();
        let of = |arm: &Arm| match arm {
            Arm::Points(points) => Some(points.iter().map(needed).max().unwrap_or(0)),
            Arm::Range(range) => range.multiple_of.as_ref().map(needed),
        };
        self.arms().iter().map(of).try_fold(0, |most, digits| Some(most.max(digits?)))
    }
}

/// Returns whether the divisors of all sets have so many remainders that short intervals are better turned into lists.
fn has_many_remainders(all: &[&NumberSet]) -> bool {
    common_rest(all.iter().flat_map(|set| set.divisors())).map_or(true, |rest| rest > MANY_REMAINDERS)
}

/// Makes the automaton of all numbers without exponent that have as many digits behind the point as `decimals` allows.
fn with_fraction(decimals: Decimals) -> Dfa {
    let byte = |lo, hi, to: usize| Edge { lo, hi, to: StateId(to as u32) };
    let mut whole = vec![byte(b'0', b'9', 2)];
    if decimals.most > 0 {
        whole.insert(0, byte(b'.', b'.', 3));
    }
    let mut states = vec![
        DfaState { accept: false, edges: vec![byte(b'-', b'-', 1), byte(b'0', b'9', 2)] },
        DfaState { accept: false, edges: vec![byte(b'0', b'9', 2)] },
        DfaState { accept: decimals.least == 0, edges: whole },
    ];
    for count in 0..=decimals.most {
        let next = states.len() + 1;
        let edges = if count < decimals.most { vec![byte(b'0', b'9', next)] } else { Vec::new() };
        states.push(DfaState { accept: count > 0 && count >= decimals.least, edges });
    }
    Dfa::from_states(states)
}

/// All spellings.
const SPELLINGS: [Spelling; 3] = [Spelling::Plain, Spelling::Signed, Spelling::Json];

/// Returns the language of a set that most schemas use, if this is one; these languages are built once.
fn common(set: &NumberSet, spelling: Spelling) -> Option<&'static Dfa> {
    static KNOWN: OnceLock<Vec<(NumberSet, Spelling, Dfa)>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        budget::apart(|| {
            let integers = |least| NumberSet::integers().intersect(&NumberSet::at_least(Decimal::from(least)));
            let counts = [integers(0), integers(1)].into_iter().flatten();
            let sets = [NumberSet::all(), NumberSet::integers(), NumberSet::at_least(Decimal::zero())];
            let sets: Vec<NumberSet> = sets.into_iter().chain(counts).collect();
            let pairs = sets.iter().flat_map(|set| SPELLINGS.map(|spelling| (set, spelling)));
            let built = pairs.filter_map(|(set, spelling)| {
                let language = set.language_among(&[], spelling, &Limits::default()).ok()?;
                Some((set.clone(), spelling, language))
            });
            built.collect()
        })
    });
    known.iter().find(|(other, form, _)| *form == spelling && other == set).map(|(_, _, language)| language)
}
