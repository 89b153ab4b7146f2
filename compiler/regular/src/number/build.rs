//! Builds the states of the spelling automaton (see `spell`), breadth first from the empty text.

use rustc_hash::FxHashMap;

use super::exponent::{ExponentBuilder, Exponents, merged};
use super::frame::{Frame, Sign, Target};
use super::moduli::{Moduli, ResidueId};
use super::modulus::Input;
use super::scale::{Position, Scale};
use super::spelling::Spelling;
use super::{NumberError, check_states};
use crate::budget::{self, Loan};
use crate::{DfaState, Edge, StateId};

/// Cap on the places of a mantissa that [`Builder::is_alive`] checks one by one; beyond it a state counts as alive.
const MAX_PLACES: usize = 5;

/// The form of the texts that the automaton reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) spelling: Spelling,
    /// Whether all numbers of the set are whole.
    pub(super) whole: bool,
}

impl Form {
    fn allows_point(self) -> bool {
        self.spelling == Spelling::Json || !self.whole
    }

    fn allows_exponent(self) -> bool {
        self.spelling == Spelling::Json
    }
}

/// The part of the text that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Segment {
    Whole,
    /// Right after the point: a digit must follow.
    Point,
    Fraction,
}

/// The beginning of the significant digits, which decides whether an exponent may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lead {
    /// Zeros only so far.
    Zero,
    /// The first significant digit is the only digit before the point, or its place makes no difference: an exponent
    /// may follow.
    One,
    /// Several digits are before the point, or the first significant digit is behind it: no exponent may follow.
    Other,
}

/// A state of the automaton before an exponent: all that matters about the text so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Body {
    sign: Sign,
    segment: Segment,
    lead: Lead,
    /// The power of ten of the first significant digit; before there is one, that of the next digit.
    exponent: i32,
    position: Position,
    residue: ResidueId,
}

/// The exponents that can make a mantissa at one place a member.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// The greatest such exponent; `i32::MAX` if they are unbounded.
    greatest: Option<i32>,
    /// Whether some exponent makes a member that is a multiple of no divisor.
    undivided: bool,
}

/// Builds the states of the automaton, not trim; state 0 is the start.
pub(super) fn build(frame: &Frame, target: &Target, form: Form, limit: usize) -> Result<Vec<DfaState>, NumberError> {
    let ceiling = frame.ceiling(target);
    let moduli = Moduli::new(frame.divisors(), frame.places(), ceiling)?;
    if ceiling == i32::MAX {
        // Numbers of any length take all remainders, so a hopeless set is rejected before it is built.
        check_states(moduli.least_states(), limit)?;
    }
    let mut builder = Builder {
        frame,
        target,
        form,
        moduli,
        exponents: ExponentBuilder::default(),
        states: vec![DfaState::default(), DfaState::default()],
        ids: FxHashMap::default(),
        queue: Vec::new(),
        reaches: FxHashMap::default(),
        symmetric: frame.is_symmetric(target),
    };
    builder.start();
    builder.run(limit)?;
    Ok(builder.states)
}

#[derive(Debug)]
struct Builder<'a> {
    frame: &'a Frame,
    target: &'a Target,
    form: Form,
    moduli: Moduli,
    exponents: ExponentBuilder,
    states: Vec<DfaState>,
    ids: FxHashMap<Body, StateId>,
    queue: Vec<(Body, StateId)>,
    reaches: FxHashMap<(Sign, usize), Reach>,
    /// Whether the set contains the opposite of each of its members.
    symmetric: bool,
}

impl Builder<'_> {
    /// Builds the states of the empty text and of the lone sign.
    fn start(&mut self) {
        let minus = StateId(1);
        self.states[minus.index()].edges = self.first_digits(Sign::Negative);
        let mut edges = self.first_digits(Sign::Positive);
        edges.insert(0, Edge { lo: b'-', hi: b'-', to: minus });
        self.states[0].edges = edges;
    }

    fn run(&mut self, limit: usize) -> Result<(), NumberError> {
        let mut loan = Loan::default();
        while let Some((body, id)) = self.queue.pop() {
            budget::work(20)?;
            loan.grow(512)?;
            let state = DfaState { accept: self.is_member(&body), edges: self.edges(&body) };
            self.states[id.index()] = state;
            check_states(self.states.len(), limit)?;
        }
        Ok(())
    }

    fn first_digits(&mut self, sign: Sign) -> Vec<Edge> {
        let first = |builder: &mut Self, digit| Some(builder.first_digit(sign, digit));
        self.digit_edges(first)
    }

    fn edges(&mut self, body: &Body) -> Vec<Edge> {
        let mut edges = Vec::new();
        if let Some(to) = self.point(body).and_then(|next| self.id(next)) {
            edges.push(Edge { lo: b'.', hi: b'.', to });
        }
        edges.extend(self.digit_edges(|builder, digit| builder.digit(body, digit)));
        if let Some(to) = self.mark(body) {
            edges.push(Edge { lo: b'E', hi: b'E', to });
            edges.push(Edge { lo: b'e', hi: b'e', to });
        }
        edges
    }

    fn digit_edges(&mut self, next: impl Fn(&mut Self, u8) -> Option<Body>) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(10);
        let mut last: Option<(Body, Option<StateId>)> = None;
        for digit in 0..10 {
            let Some(body) = next(self, digit) else {
                continue;
            };
            // Neighbouring digits mostly lead to the same state, so the last result is reused.
            let to = match last {
                Some((known, to)) if known == body => to,
                _ => self.id(body),
            };
            last = Some((body, to));
            edges.extend(to.map(|to| Edge { lo: b'0' + digit, hi: b'0' + digit, to }));
        }
        merged(edges)
    }

    fn first_digit(&mut self, sign: Sign, digit: u8) -> Body {
        let scale = self.frame.scale(sign);
        let mut residue = self.moduli.start();
        if !self.form.allows_exponent() {
            residue = self.moduli.step(residue, Input::Plain);
        }
        let start = scale.start();
        Body {
            sign: if digit == 0 { sign } else { self.sign(sign) },
            segment: Segment::Whole,
            lead: if digit == 0 { Lead::Zero } else { Lead::One },
            exponent: if digit == 0 { scale.clamp_down(-1) } else { scale.clamp_up(0) },
            position: if digit == 0 { start } else { scale.step(start, digit) },
            residue: self.moduli.step(residue, Input::Whole(digit)),
        }
    }

    fn digit(&mut self, body: &Body, digit: u8) -> Option<Body> {
        match (body.segment, body.lead) {
            (Segment::Whole, Lead::Zero) => None,
            (Segment::Whole, _) => Some(self.whole_digit(body, digit)),
            _ => Some(self.fraction_digit(body, digit)),
        }
    }

    fn whole_digit(&mut self, body: &Body, digit: u8) -> Body {
        let scale = self.frame.scale(body.sign);
        let next = Body {
            lead: Lead::Other,
            exponent: scale.clamp_up(body.exponent + 1),
            position: scale.step(body.position, digit),
            residue: self.moduli.step(body.residue, Input::Whole(digit)),
            ..*body
        };
        self.settled(next)
    }

    fn fraction_digit(&mut self, body: &Body, digit: u8) -> Body {
        let scale = self.frame.scale(body.sign);
        let residue = self.moduli.step(body.residue, Input::Fraction(digit));
        let next = Body { segment: Segment::Fraction, residue, ..*body };
        let next = match (body.lead, digit) {
            (Lead::Zero, 0) => Body { exponent: scale.clamp_down(body.exponent - 1), ..next },
            (Lead::Zero, _) => Body { lead: Lead::Other, position: scale.step(body.position, digit), ..next },
            _ => Body { position: scale.step(body.position, digit), ..next },
        };
        self.settled(next)
    }

    fn point(&mut self, body: &Body) -> Option<Body> {
        if body.segment != Segment::Whole || !self.form.allows_point() {
            return None;
        }
        let residue = self.moduli.step(body.residue, Input::Point);
        let next = Body { segment: Segment::Point, residue, ..*body };
        Some(self.settled(next))
    }

    /// Returns the sign of a number other than zero, unified where it does not matter.
    fn sign(&self, sign: Sign) -> Sign {
        if self.symmetric { Sign::Positive } else { sign }
    }

    /// Normalises a state: drops whatever no longer matters, so that states with equal futures become equal.
    fn settled(&mut self, mut body: Body) -> Body {
        let scale = self.frame.scale(body.sign);
        if body.lead != Lead::Zero {
            body.sign = self.sign(body.sign);
        }
        if body.lead != Lead::Other {
            return body;
        }
        if scale.is_empty() {
            return Body { lead: Lead::One, ..body };
        }
        let fixed = body.segment != Segment::Whole && !scale.has_exponent(body.exponent);
        if fixed || scale.is_beyond(body.exponent) {
            body.position = Position::Gap { below: 0 };
        }
        body.residue = self.moduli.step(body.residue, Input::Plain);
        body
    }

    /// Returns whether the text is complete and its value a member.
    fn is_member(&self, body: &Body) -> bool {
        if body.segment == Segment::Point {
            return false;
        }
        if body.lead == Lead::Zero {
            let negative_zero = body.sign == Sign::Negative;
            return self.target.zero && !(negative_zero && self.form.spelling == Spelling::Plain);
        }
        let scale = self.frame.scale(body.sign);
        let region = scale.region(body.exponent, scale.place(body.position));
        self.target.cases(body.sign, region).has(self.moduli.plain_bits(body.residue))
    }

    /// Returns the state after `e`; `None` if no exponent may follow.
    fn mark(&mut self, body: &Body) -> Option<StateId> {
        if body.segment == Segment::Point || body.lead == Lead::Other || !self.form.allows_exponent() {
            return None;
        }
        let exponents = match body.lead {
            Lead::Zero if self.target.zero => Exponents::all(),
            Lead::Zero => return None,
            Lead::One | Lead::Other => self.member_exponents(body),
        };
        self.exponents.mark(exponents, &mut self.states)
    }

    fn member_exponents(&self, body: &Body) -> Exponents {
        let place = self.frame.scale(body.sign).place(body.position);
        self.frame.exponents(self.target, body.sign, place, &self.moduli.verdicts(body.residue))
    }

    /// Returns the state of a body; `None` if it is seen quickly that no member begins this way.
    fn id(&mut self, body: Body) -> Option<StateId> {
        if let Some(&known) = self.ids.get(&body) {
            return Some(known);
        }
        if !self.is_alive(&body) {
            return None;
        }
        let id = StateId(self.states.len() as u32);
        self.states.push(DfaState::default());
        self.ids.insert(body, id);
        self.queue.push((body, id));
        Some(id)
    }

    fn is_alive(&mut self, body: &Body) -> bool {
        let places = self.frame.scale(body.sign).places(body.position);
        let unclear = body.lead == Lead::Zero || places.end() - places.start() >= MAX_PLACES;
        unclear || places.into_iter().any(|place| self.is_alive_at(body, place))
    }

    fn is_alive_at(&mut self, body: &Body, place: usize) -> bool {
        let reach = self.reach(body.sign, place);
        let plain = match body.segment {
            Segment::Whole => reach.greatest.is_some_and(|greatest| greatest >= body.exponent),
            Segment::Point | Segment::Fraction => self.is_alive_plainly(body, place),
        };
        plain || (body.lead == Lead::One && self.form.allows_exponent() && self.is_alive_scaled(body, reach))
    }

    /// Returns whether more fraction digits, without an exponent, can make a member.
    fn is_alive_plainly(&self, body: &Body, place: usize) -> bool {
        let region = self.frame.scale(body.sign).region(body.exponent, place);
        let cases = self.target.cases(body.sign, region);
        if self.moduli.is_never(body.residue) { cases.has(0) } else { !cases.is_empty() }
    }

    /// Returns whether an exponent can make a member.
    fn is_alive_scaled(&self, body: &Body, reach: Reach) -> bool {
        match (reach.greatest, self.moduli.earliest(body.residue)) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(greatest), Some(earliest)) => reach.undivided || greatest >= earliest && earliest < i32::MAX,
        }
    }

    fn reach(&mut self, sign: Sign, place: usize) -> Reach {
        let (scale, target) = (self.frame.scale(sign), self.target);
        *self.reaches.entry((sign, place)).or_insert_with(|| reach(scale, target, sign, place))
    }
}

fn reach(scale: &Scale, target: &Target, sign: Sign, place: usize) -> Reach {
    let cases = |exponent| target.cases(sign, scale.region(exponent, place));
    let beyond = scale.clamp_up(i32::MAX);
    let mut reach = Reach { greatest: None, undivided: cases(beyond).has(0) };
    for exponent in scale.exponents().flat_map(|exponent| [exponent - 1, exponent]) {
        reach.undivided |= cases(exponent).has(0);
        if !cases(exponent).is_empty() {
            reach.greatest = Some(exponent);
        }
    }
    if !cases(beyond).is_empty() {
        reach.greatest = Some(i32::MAX);
    }
    reach
}
