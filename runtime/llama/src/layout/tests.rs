//! Tests that each layout is found by its own defaults only, and that added and removed fields are noticed.

use super::*;
use crate::parameters::BLOCK;

/// Writes the defaults of a layout, and its padding if `pads` is set.
fn written(layout: Layout, pads: bool) -> Parameters {
    let mut block = Parameters([PATTERN; BLOCK]);
    if pads {
        block.0[..layout.end().next_multiple_of(8)].fill(0);
    }
    for (offset, (_, default)) in layout.placed() {
        let bytes = match default {
            Null | ZeroSize => vec![0; 8],
            Int(numbers) => numbers[0].to_le_bytes().to_vec(),
            Float(number) => number.to_le_bytes().to_vec(),
            Flag(holds) => vec![u8::from(holds)],
        };
        block.0[offset..offset + bytes.len()].copy_from_slice(&bytes);
    }
    block
}

#[test]
fn struct_layouts_are_recognised_by_their_defaults() {
    for layouts in [MODEL, CONTEXT] {
        for layout in layouts {
            for pads in [false, true] {
                let found = find(layouts, &written(*layout, pads)).expect("a layout");
                let fields =
                    |layout: Layout| layout.placed().map(|(offset, field)| (offset, field.0)).collect::<Vec<_>>();
                let (found, expected) = (fields(found), fields(*layout));
                assert!(found.starts_with(&expected), "{found:?} for {expected:?}");
                assert!(found.len() == expected.len() || pads && found.len() == expected.len() + 1);
            }
        }
    }
}

#[test]
fn every_change_of_a_struct_layout_is_detected() {
    for layouts in [MODEL, CONTEXT] {
        for layout in layouts {
            let defaults = written(*layout, false);
            // A pointer or a number was added after the last field.
            let mut longer = defaults;
            longer.0[layout.end().next_multiple_of(8)] = 0;
            assert!(find(layouts, &longer).is_none(), "a field more at the end");
            // Each field in turn is removed, which moves the fields after it; or a field is added before it.
            for (offset, (name, default)) in layout.placed() {
                let size = default.size();
                let mut shorter = defaults;
                shorter.0.copy_within(offset + size.., offset);
                assert!(!layout.is_of(&shorter), "`{name}` is away");
                let mut moved = defaults;
                moved.0.copy_within(offset..BLOCK - 8, offset + 8);
                assert!(!layout.is_of(&moved), "eight bytes in front of `{name}`");
            }
        }
    }
}

#[test]
fn field_offsets_match_llama_h() {
    for layout in MODEL {
        assert_eq!(layout.offset(LAYERS), Some(16));
    }
    for layout in CONTEXT {
        assert_eq!([POSITIONS, BATCH, MICRO_BATCH, SEQUENCES].map(|name| layout.offset(name)), [0, 4, 8, 12].map(Some));
        assert_eq!(layout.offset("no such field"), None);
    }
    // The sizes of the structs by gcc.
    let sizes = |layouts: &[Layout]| layouts.iter().map(|layout| layout.end().next_multiple_of(8)).collect::<Vec<_>>();
    assert_eq!(sizes(MODEL), [72, 72, 72, 72, 72, 80]);
    assert_eq!(sizes(CONTEXT), [120, 120, 120, 136, 160, 160]);
    // The offsets of some fields that this crate does not set.
    let offsets =
        |layouts: &[Layout], name| layouts.iter().filter_map(|layout| layout.offset(name)).collect::<Vec<_>>();
    assert_eq!(offsets(MODEL, "vocab_only"), [64, 64, 64, 64, 64, 72]);
    assert_eq!(offsets(CONTEXT, "type_k"), [88, 88, 88, 88, 104, 104]);
    assert_eq!(offsets(CONTEXT, "swa_full"), [117, 117, 116, 116, 132, 132]);
}
