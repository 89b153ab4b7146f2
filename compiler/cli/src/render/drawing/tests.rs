//! Tests reports over random sources: they do not panic, headers are correct, and each label occurs once.

use ogc_grammar::LineIndex;
use ogc_kit::Random;

use super::*;

/// Pieces of random sources: wide, combining, right-to-left, invisible and control characters, and line breaks.
const PIECES: [&str; 24] = [
    "a",
    "b c",
    "日",
    "日本語",
    "e\u{301}",
    "\u{5e9}\u{5dc}",
    "👩\u{200d}🚒",
    "\t",
    "\r\n",
    "\n",
    "\n\n",
    "\r",
    "\0",
    "\x1b[2J",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{feff}",
    "\u{3000}",
    " ",
    "ﷺ",
];

fn random_text(random: &mut Random) -> String {
    (0..random.below(14)).map(|_| *random.pick(&PIECES)).collect()
}

fn random_label(random: &mut Random, source: usize, text: &str, number: usize) -> SourceLabel {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (one, two) = (*random.pick(&places), *random.pick(&places));
    let end = if random.one_in(3) { one } else { two };
    let range = one.min(end)..one.max(end);
    SourceLabel { source, range, colour: Color::Cyan, message: format!("label-{number}.") }
}

/// Returns the line and column that a source's header should name.
fn place(text: &str, label: &SourceLabel) -> String {
    LineIndex::new(text).place(label.range.start as u32).to_string()
}

/// Returns the places in a report's headers for the source called `name`.
fn headers<'r>(report: &'r str, name: &str) -> Vec<&'r str> {
    let lines = report.lines().filter(|line| line.contains("─["));
    lines
        .filter_map(|line| line.split_once(&format!("{name}:")).and_then(|(_, place)| place.strip_suffix(" ]")))
        .collect()
}

fn check(seed: u64) {
    let random = &mut Random::new(seed);
    let texts = [random_text(random), random_text(random)];
    let sources: Vec<_> = texts.iter().zip(["one", "two"]).map(|(text, name)| Text { name, text }).collect();
    let count = 1 + random.below(5);
    let used = 1 + random.below(2);
    let labels: Vec<_> = (0..count)
        .map(|number| {
            let source = if number == 0 { 0 } else { random.below(used) };
            random_label(random, source, &texts[source], number)
        })
        .collect();
    let drawing = Drawing {
        kind: ReportKind::Error,
        code: None,
        message: "the message".to_owned(),
        help: random.one_in(2).then(|| "the help".to_owned()),
        notes: Vec::new(),
        sources,
        labels,
    };
    let report = drawing.draw(false);
    let failure = || format!("seed {seed}: {drawing:?}\n{report}");
    for label in &drawing.labels {
        assert_eq!(report.matches(&label.message).count(), 1, "{} in {}", label.message, failure());
    }
    for source in &drawing.sources {
        let index = usize::from(source.name == "two");
        let mut own = drawing.labels.iter().filter(|label| label.source == index);
        let shown = headers(&report, source.name);
        let first = own.next().map(|label| place(source.text, label));
        assert_eq!(shown.len(), usize::from(first.is_some()), "{}", failure());
        let others: Vec<_> = own.map(|label| place(source.text, label)).collect();
        match index {
            0 => assert_eq!(shown.first().copied(), first.as_deref(), "{}", failure()),
            _ => assert!(shown.iter().all(|at| first.iter().chain(&others).any(|own| own == at)), "{}", failure()),
        }
    }
}

#[test]
fn random_drawings_have_correct_headers_and_draw_each_label_once() {
    for seed in ogc_kit::first_seed()..ogc_kit::first_seed() + ogc_kit::rounds(3_000, 100_000) {
        check(seed);
    }
}

#[test]
fn a_source_of_wide_characters_behind_a_text_is_drawn() {
    let (text, source) = ("日".repeat(8) + "y", "root ::= \"日日日日日日日日\" [x]\n");
    let at = source.find('[').unwrap();
    let label = |source, range| SourceLabel { source, range, colour: Color::Red, message: "here".to_owned() };
    let drawing = Drawing {
        kind: ReportKind::Error,
        code: None,
        message: "m".to_owned(),
        help: None,
        notes: Vec::new(),
        sources: vec![Text { name: "<text>", text: &text }, Text { name: "<text>", text: source }],
        labels: vec![label(0, 24..25), label(1, at..at + 3)],
    };
    assert_eq!(headers(&drawing.draw(false), "<text>"), ["1:9", "1:21"]);
}
