//! Tests that diagrams are well-formed for any text in them, and that their parts do not overlap.

use super::layout::layout;
use super::{Diagram, svg};

fn word(text: &str) -> Diagram {
    Diagram::Terminal(text.to_owned())
}

#[test]
fn hostile_texts_are_escaped_in_diagrams() {
    let hostile = "</text><script>alert(1)</script>\"'&\u{202e}\u{7}";
    let place = Some("\"><img src=x>".to_owned());
    let diagram = Diagram::sequence(vec![
        word(hostile),
        Diagram::Nonterminal(hostile.to_owned(), place),
        Diagram::Comment(hostile.to_owned()).labelled(hostile),
    ]);
    let drawn = svg(&diagram, hostile);
    assert!(!drawn.contains("<script") && !drawn.contains("<img") && !drawn.contains('\u{202e}'), "{drawn}");
    assert!(drawn.contains("&lt;script&gt;"));
}

#[test]
fn diagram_layouts_leave_room_for_their_parts() {
    let sequence = layout(&Diagram::Sequence(vec![word("a"), word("bc")])).width;
    assert!(sequence > layout(&word("a")).width + layout(&word("bc")).width);
    let long = Diagram::Sequence((0..30).map(|_| word("a long part")).collect());
    assert!(layout(&long).width < 1_000, "it goes on in new lines");
    let choice = Diagram::Choice(vec![word("a"), word("b"), word("c")]);
    let laid = layout(&choice);
    assert!(laid.down > 2 * 28 && laid.up == 14);
    assert!(layout(&choice.optional()).up > 14);
}

#[test]
fn repetition_bounds_are_drawn_in_words() {
    assert_eq!(word("a").times(0, Some(1), None), word("a").optional());
    assert_eq!(word("a").times(1, Some(1), None), word("a"));
    assert_eq!(word("a").times(1, None, None), word("a").repeated());
    let Diagram::Repeat(_, between) = word("a").times(2, Some(5), Some(word(","))) else { panic!("a loop") };
    assert_eq!(*between, Diagram::Sequence(vec![word(","), Diagram::Comment("2 to 5 times".to_owned())]));
    assert!(
        matches!(Diagram::choice((0..99).map(|_| word("a")).collect()), Diagram::Choice(parts) if parts.len() == 61)
    );
}
