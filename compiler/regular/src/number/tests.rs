//! Tests number sets and their languages against a slow, obvious judge that evaluates every short text with plain
//! fractions.

use ogc_kit::Random;

use super::{Arm, Decimal, Decimals, NumberSet, Spelling};
use crate::{Dfa, Limits};

/// A formula over numbers, judged on fractions of `i128` without any code under test.
#[derive(Clone, Debug)]
enum Formula {
    All,
    AtLeast(&'static str),
    Greater(&'static str),
    AtMost(&'static str),
    Less(&'static str),
    Multiple(&'static str),
    OneOf(Vec<&'static str>),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

/// Divisors that together have many remainders.
const MANY: &[&str] = &["33", "12", "77", "6", "44", "11", "13", "8", "24", "6.75", "9.5"];

/// Returns the value of `text` in units of 10^-24, which is fine enough for all constants and short texts here.
fn judge(text: &str) -> i128 {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let exponent: i64 = exponent.parse().unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
    // Above 10^8 in magnitude, all texts here compare alike with all constants here.
    let power = exponent.clamp(-14, 8) - fraction.len() as i64 + 24;
    let units = digits * 10_i128.pow(u32::try_from(power).unwrap());
    if negative { -units } else { units }
}

impl Formula {
    fn holds(&self, units: i128) -> bool {
        match self {
            Self::All => true,
            Self::AtLeast(bound) => units >= judge(bound),
            Self::Greater(bound) => units > judge(bound),
            Self::AtMost(bound) => units <= judge(bound),
            Self::Less(bound) => units < judge(bound),
            Self::Multiple(step) => units % judge(step) == 0,
            Self::OneOf(values) => values.iter().any(|value| judge(value) == units),
            Self::Not(inner) => !inner.holds(units),
            Self::And(left, right) => left.holds(units) && right.holds(units),
            Self::Or(left, right) => left.holds(units) || right.holds(units),
        }
    }

    /// Returns whether the formula names a divisor whose multiples are not all promised with exponents (`0.125` is 125
    /// thousandths), or a divisor from the list with many remainders.
    fn is_coarse(&self) -> bool {
        match self {
            Self::Multiple(step) => *step == "0.125" || MANY.contains(step),
            Self::Not(inner) => inner.is_coarse(),
            Self::And(left, right) | Self::Or(left, right) => left.is_coarse() || right.is_coarse(),
            _ => false,
        }
    }

    fn set(&self) -> NumberSet {
        match self {
            Self::All => NumberSet::all(),
            Self::AtLeast(bound) => NumberSet::at_least(decimal(bound)),
            Self::Greater(bound) => NumberSet::greater(decimal(bound)),
            Self::AtMost(bound) => NumberSet::at_most(decimal(bound)),
            Self::Less(bound) => NumberSet::less(decimal(bound)),
            Self::Multiple(step) => NumberSet::multiple_of(decimal(step)).unwrap(),
            Self::OneOf(values) => NumberSet::one_of(values.iter().map(|value| decimal(value))),
            Self::Not(inner) => inner.set().complement().unwrap(),
            Self::And(left, right) => left.set().intersect(&right.set()).unwrap(),
            Self::Or(left, right) => left.set().union(&right.set()).unwrap(),
        }
    }
}

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn language(set: &NumberSet, spelling: Spelling) -> Dfa {
    set.language(spelling, &Limits::default()).unwrap()
}

/// Returns all JSON number texts of at most `length` bytes over a small alphabet.
fn texts(length: usize) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![String::new()];
    while let Some(prefix) = open.pop() {
        if Decimal::parse(&prefix).is_ok() || prefix.contains(['e', 'E']) && is_number(&prefix) {
            done.push(prefix.clone());
        }
        if prefix.len() < length {
            for byte in "-01259.eE+".chars() {
                let longer = format!("{prefix}{byte}");
                if ["", "0", "0e0", "e0", ".0"].iter().any(|rest| is_number(&format!("{longer}{rest}"))) {
                    open.push(longer);
                }
            }
        }
    }
    done
}

/// A second, independent implementation of the grammar of RFC 8259.
fn is_number(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction) && digits(exponent) && (whole.len() == 1 || !whole.starts_with('0'))
}

/// Returns whether a text with exponent is promised by `Spelling::Json` for any set without large prime factors.
fn is_promised(text: &str) -> bool {
    let rest = text.trim_start_matches('-');
    let Some((mantissa, _)) = rest.split_once(['e', 'E']) else {
        return true;
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let zero = mantissa.bytes().all(|byte| byte == b'0' || byte == b'.');
    let normal = whole.len() == 1 && whole != "0";
    zero || normal && (!fraction.ends_with('0') || fraction.trim_matches('0').is_empty())
}

/// Returns how many digits behind the point the members need in their shortest texts; `None` if nothing bounds them.
fn fraction(set: &NumberSet) -> Option<usize> {
    let of = |value: &Decimal| value.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
    let of_arm = |arm: &Arm| match arm {
        Arm::Points(points) => Some(points.iter().map(of).max().unwrap_or(0)),
        Arm::Range(range) => range.multiple_of.as_ref().map(of),
    };
    let all = set.arms().iter().map(of_arm).try_fold(0, |most: usize, digits| Some(most.max(digits?)));
    all.filter(|&digits| digits <= 64)
}

fn check(formula: &Formula, texts: &[String]) {
    let set = formula.set();
    if let Err(refused) = set.language(Spelling::Json, &Limits::default()) {
        panic!("{formula:?}: {refused}");
    }
    let plain = language(&set, Spelling::Plain);
    let json = language(&set, Spelling::Json);
    let (whole, coarse) = (set.is_integral(), formula.is_coarse());
    let needed = fraction(&set);
    let decimals = Decimals { least: 1, most: 2 };
    let written = set.language_with_decimals(decimals, &Limits::default()).unwrap();
    for text in texts {
        let holds = formula.holds(judge(text));
        if let Ok(value) = Decimal::parse(text) {
            let beyond = text.contains(['e', 'E']) && value.to_string().len() > 20;
            assert!(beyond || set.contains(&value) == holds, "{formula:?} contains {text}");
        }
        let accepted = json.contains(text.as_bytes());
        assert!(!accepted || holds, "{formula:?} accepts {text}");
        assert!(
            accepted || !holds || coarse && text.contains(['e', 'E']) || !is_promised(text),
            "{formula:?} refuses {text}"
        );
        let negative_zero = text.starts_with('-') && judge(text) == 0;
        let long = needed.is_some_and(|most| text.split_once('.').is_some_and(|(_, digits)| digits.len() > most));
        let spelled = !(text.contains(['e', 'E']) || negative_zero || whole && text.contains('.') || long);
        assert_eq!(plain.contains(text.as_bytes()), holds && spelled, "{formula:?} plain {text}");
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let spelled = !text.contains(['e', 'E']) && !negative_zero && (1..=2).contains(&digits);
        assert_eq!(written.contains(text.as_bytes()), holds && spelled, "{formula:?} one or two decimals {text}");
    }
    let empty = set.is_empty().unwrap();
    assert_eq!((plain.is_empty(), json.is_empty()), (empty, empty), "{formula:?} empty");
}

fn formula(random: &mut Random, depth: usize) -> Formula {
    formula_of(random, depth, STEPS)
}

const STEPS: &[&str] =
    &["1", "1", "1", "2", "5", "10", "0.1", "0.5", "0.01", "3", "100", "0.25", "1.5", "20", "50", "7", "0.75", "4"];

/// Makes a random formula with divisors from `steps`.
fn formula_of(random: &mut Random, depth: usize, steps: &[&'static str]) -> Formula {
    const BOUNDS: &[&str] = &[
        "0", "1", "-1", "5", "10", "100", "150", "-12.5", "0.5", "0.05", "-0.1", "9.99", "1e3", "-1e5", "59", "2.25",
        "0.0015", "-0.005", "999", "1000", "1e5", "105", "1e-4",
    ];
    let (next, choice) = (depth.saturating_sub(1), random.below(if depth == 0 { 7 } else { 12 }));
    match choice {
        0 => Formula::AtLeast(random.pick::<&str>(BOUNDS)),
        1 => Formula::Greater(random.pick::<&str>(BOUNDS)),
        2 => Formula::AtMost(random.pick::<&str>(BOUNDS)),
        3 => Formula::Less(random.pick::<&str>(BOUNDS)),
        4 | 5 => Formula::Multiple(random.pick::<&str>(steps)),
        6 => Formula::OneOf((0..=random.below(4)).map(|_| *random.pick(BOUNDS)).collect()),
        7 => Formula::Not(Box::new(formula_of(random, next, steps))),
        8 | 9 => Formula::Or(Box::new(formula_of(random, next, steps)), Box::new(formula_of(random, next, steps))),
        _ => Formula::And(Box::new(formula_of(random, next, steps)), Box::new(formula_of(random, next, steps))),
    }
}

#[test]
fn languages_of_simple_number_sets_are_exact() {
    let texts = texts(6);
    assert!(texts.len() > 10_000);
    let and = |left: Formula, right: Formula| Formula::And(Box::new(left), Box::new(right));
    let integer = Formula::Multiple("1");
    let all = [
        Formula::All,
        integer.clone(),
        Formula::AtLeast("0"),
        Formula::Greater("0"),
        Formula::Less("0"),
        and(integer.clone(), and(Formula::AtLeast("0"), Formula::AtMost("150"))),
        and(integer.clone(), Formula::Greater("-12.5")),
        and(Formula::AtLeast("-0.5"), Formula::AtMost("0.5")),
        and(Formula::Greater("0.0015"), Formula::Less("1e3")),
        Formula::Multiple("0.01"),
        Formula::Multiple("3"),
        Formula::Multiple("0.25"),
        Formula::Multiple("1000"),
        Formula::OneOf(vec!["0", "1", "-12.5", "100", "1e-4"]),
        Formula::Not(Box::new(integer)),
        Formula::Not(Box::new(Formula::OneOf(vec!["0", "5", "150"]))),
    ];
    for formula in &all {
        check(formula, &texts);
    }
}

#[test]
fn languages_of_random_number_sets_are_exact() {
    let all = texts(6);
    let mut random = Random::new(1);
    for _ in 0..150 {
        let formula = formula(&mut random, 3);
        // Over all rounds every text is tried, but each round tries only some.
        let offset = random.below(7);
        let some: Vec<String> = all.iter().skip(offset).step_by(7).cloned().collect();
        check(&formula, &some);
    }
}

#[test]
fn languages_of_sets_with_many_divisors_are_exact() {
    let all = texts(6);
    let mut random = Random::new(3);
    let steps = [&MANY[..9], &["1", "7", "0.125", "5"]].concat();
    let mut most = 0;
    for _ in 0..40 {
        let multiple = |random: &mut Random| Formula::Multiple(random.pick::<&str>(&steps));
        let mut formula = formula_of(&mut random, 1, &steps);
        for _ in 0..3 + random.below(9) {
            let next = multiple(&mut random);
            let next = if random.one_in(2) { Formula::Not(Box::new(next)) } else { next };
            let both = (Box::new(formula), Box::new(next));
            formula = if random.one_in(3) { Formula::And(both.0, both.1) } else { Formula::Or(both.0, both.1) };
        }
        most = most.max(super::frame::Frame::new(&[&formula.set()]).map_or(0, |frame| frame.divisors().len()));
        let offset = random.below(23);
        let some: Vec<String> = all.iter().skip(offset).step_by(23).cloned().collect();
        check(&formula, &some);
    }
    assert!(most > 6, "{most} divisors at most");
}

#[test]
fn sets_with_many_remainders_are_exact() {
    let not = |set: NumberSet| set.complement().unwrap();
    let multiple = |step: &str| NumberSet::multiple_of(decimal(step)).unwrap();
    let all_of = |sets: &[NumberSet]| sets.iter().fold(NumberSet::all(), |all, set| all.intersect(set).unwrap());
    // Remainders by 8,721, and excluded multiples with 3,003 remainders.
    let common = all_of(&["6.75", "19", "9.5", "2.125"].map(multiple));
    let json = language(&common, Spelling::Json);
    for (text, expected) in [("8721", true), ("87210", true), ("8.721e3", false), ("8722", false), ("-26163", true)] {
        assert_eq!(json.contains(text.as_bytes()), expected, "{text}");
    }
    let others = ["33", "12", "77", "6", "7", "44", "11", "13", "8"].map(|step| not(multiple(step)));
    let json = language(&all_of(&others), Spelling::Json);
    for (text, expected) in [("5", true), ("33", false), ("1001", false), ("1003", true), ("0.5", true), ("21", false)]
    {
        assert_eq!(json.contains(text.as_bytes()), expected, "{text}");
    }
    // 323 million remainders: rejected, except within an interval, whose members are listed.
    let wide = all_of(&[common, all_of(&["2", "6.5", "5", "7", "11", "37"].map(|step| not(multiple(step))))]);
    let refused = wide.language(Spelling::Json, &Limits::default()).unwrap_err();
    assert!(refused.to_string().contains("322999677"), "{refused}");
    let within = all_of(&[wide, NumberSet::greater(decimal("-100000")), NumberSet::less(decimal("-10000"))]);
    let json = language(&within, Spelling::Json);
    for (text, expected) in [("-26163", true), ("-17442", false), ("-2.6163e4", true), ("-8721", false)] {
        assert_eq!(json.contains(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn operations_on_number_sets_agree_with_their_languages() {
    let mut random = Random::new(2);
    let limits = Limits::default();
    for _ in 0..60 {
        let (left, right) = (formula(&mut random, 2).set(), formula(&mut random, 2).set());
        let (both, either) = (left.intersect(&right).unwrap(), left.union(&right).unwrap());
        let minus = left.difference(&right).unwrap();
        let all = [&left, &right, &both, &either, &minus];
        let among = |set: &NumberSet| set.language_among(&all, Spelling::Json, &limits).unwrap();
        let (a, b) = (among(&left), among(&right));
        assert_eq!(among(&minus).is_empty(), left.is_subset(&right).unwrap());
        assert_eq!(among(&both).is_empty(), left.is_disjoint(&right).unwrap());
        assert_eq!(among(&both), a.intersect(&b, limits.states).unwrap().minimize(), "{left:?} and {right:?}");
        assert_eq!(among(&either), a.union(&b, limits.states).unwrap().minimize(), "{left:?} or {right:?}");
        assert_eq!(among(&minus), a.difference(&b, limits.states).unwrap().minimize(), "{left:?} less {right:?}");
    }
}

#[test]
fn numbers_as_common_printers_write_them_are_accepted() {
    let printed = [
        "1e-05",
        "1.5e+300",
        "1e+16",
        "5e-324",
        "1.7976931348623157e+308",
        "1e+21",
        "1e-7",
        "1E+20",
        "1.0E10",
        "-1e-05",
        "1.2345678901234567e+20",
        "2.220446049250313e-16",
        "-0.0",
        "1e16",
        "123456789012345680000",
        "0.1",
        "-1.5e-9",
    ];
    let sets = [
        Formula::All,
        Formula::AtLeast("0"),
        Formula::Less("0"),
        Formula::Multiple("1"),
        Formula::Not(Box::new(Formula::Multiple("1"))),
        Formula::Multiple("100"),
        Formula::AtMost("1e5"),
        Formula::Greater("-1e-4"),
    ];
    for set in sets.iter().map(Formula::set) {
        let language = language(&set, Spelling::Json);
        for text in printed {
            assert_eq!(language.contains(text.as_bytes()), set.contains(&decimal(text)), "{set:?} {text}");
        }
    }
}

#[test]
fn large_bounds_are_exact() {
    let double = NumberSet::at_most(decimal("1.7976931348623157e308"))
        .intersect(&NumberSet::at_least(decimal("-1.7976931348623157e308")))
        .unwrap();
    let json = language(&double, Spelling::Json);
    for (text, expected) in [("1.7976931348623157e+308", true), ("1.7976931348623158e+308", false), ("1e309", false)] {
        assert_eq!(json.contains(text.as_bytes()), expected, "{text}");
        assert_eq!(json.contains(decimal(text).to_string().as_bytes()), expected, "{text}");
    }
    let wide = NumberSet::integers().intersect(&NumberSet::at_most(decimal("9223372036854775807"))).unwrap();
    let json = language(&wide, Spelling::Json);
    for (text, expected) in
        [("9223372036854775807", true), ("9223372036854775808", false), ("9.2e18", true), ("9.3e18", false)]
    {
        assert_eq!(json.contains(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn common_divisors_compile() {
    for divisor in [
        "0.01", "0.1", "0.5", "1", "2", "5", "10", "100", "1000", "0.001", "1e-8", "10000", "1e-300", "1024", "360",
        "7",
    ] {
        let set = NumberSet::multiple_of(decimal(divisor)).unwrap();
        let (json, plain) = (language(&set, Spelling::Json), language(&set, Spelling::Plain));
        for text in [divisor, "20480", "0.02", "1e22", "1.5", "72000", "777", "7e1"] {
            let value = decimal(text);
            let written = value.to_string();
            assert_eq!(json.contains(written.as_bytes()), set.contains(&value), "{divisor} {text}");
            assert_eq!(plain.contains(written.as_bytes()), set.contains(&value), "{divisor} {text}");
            assert!(!json.contains(text.as_bytes()) || set.contains(&value), "{divisor} {text}");
        }
    }
    let odd = NumberSet::multiple_of(decimal("0.00123457")).unwrap();
    assert!(odd.language(Spelling::Json, &Limits::default()).is_err());
}

#[test]
fn emptiness_is_exact() {
    let and = |left: Formula, right: Formula| Formula::And(Box::new(left), Box::new(right));
    let within = |low, high| and(Formula::AtLeast(low), Formula::AtMost(high));
    let empty = [
        and(Formula::Multiple("1"), and(Formula::Greater("0"), Formula::Less("1"))),
        and(Formula::Multiple("3"), within("4", "5")),
        and(Formula::Multiple("10"), Formula::Not(Box::new(Formula::Multiple("5")))),
        and(and(Formula::Multiple("1"), within("1", "2")), Formula::Not(Box::new(Formula::OneOf(vec!["1", "2.0"])))),
        and(Formula::Greater("5"), Formula::AtMost("5")),
    ];
    for formula in &empty {
        assert_eq!(formula.set().is_empty(), Ok(true), "{formula:?}");
    }
    assert_eq!(and(Formula::Multiple("7"), within("-8", "-7")).set().is_empty(), Ok(false));
    assert_eq!(within("5", "5").set().is_empty(), Ok(false));
}

/// Prints build times: `cargo test --release -p ogc-regular -- --ignored --nocapture print_build_times`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "a measurement for people")]
fn print_build_times_of_number_sets() {
    let and = |left: Formula, right: Formula| Formula::And(Box::new(left), Box::new(right));
    let within = |low, high| and(Formula::AtLeast(low), Formula::AtMost(high));
    let sets = [
        Formula::All,
        Formula::Multiple("1"),
        and(Formula::Multiple("1"), within("0", "150")),
        and(Formula::Multiple("1"), Formula::AtLeast("1")),
        and(Formula::Multiple("1"), within("1", "65535")),
        within("-90", "90"),
        Formula::Greater("0"),
        Formula::Multiple("0.01"),
        Formula::Multiple("3"),
        within("-1.7976931348623157e308", "1.7976931348623157e308"),
    ];
    for formula in &sets {
        let set = formula.set();
        for spelling in [Spelling::Plain, Spelling::Json] {
            let states = language(&set, spelling).len();
            let start = std::time::Instant::now();
            for _ in 0..100 {
                std::hint::black_box(language(&set, spelling));
            }
            let frame = super::frame::Frame::new(&[&set]).unwrap();
            let form = super::build::Form { spelling, whole: set.is_integral() };
            let loose = super::build::build(&frame, &frame.target(&set), form, 100_000).unwrap().len();
            eprintln!(
                "{:>9.1} us {states:>5} of {loose:>5} states {spelling:?} {formula:?}",
                start.elapsed().as_secs_f64() * 1e4
            );
        }
    }
}
