//! Generates distinct JSON Schemas of several shapes from a number.

use ogc_kit::Random;

/// Returns a name of lower-case letters that is unlikely to be drawn again.
fn word(random: &mut Random) -> String {
    (0..6 + random.below(8)).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
}

fn words(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| format!("\"{}\"", word(random))).collect::<Vec<_>>().join(", ")
}

/// Returns a value's schema; objects and lists nest at most `depth` deep.
fn value(random: &mut Random, depth: usize) -> String {
    let kinds = if depth == 0 { 4 } else { 7 };
    match random.below(kinds) {
        0 => {
            let count = 2 + random.below(12);
            format!("{{ \"enum\": [{}] }}", words(random, count))
        }
        1 => {
            let (begin, most) = (word(random), 2 + random.below(20));
            format!("{{ \"type\": \"string\", \"pattern\": \"^{begin}-[a-z0-9]{{1,{most}}}$\" }}")
        }
        2 => format!(
            "{{ \"type\": \"integer\", \"minimum\": {}, \"maximum\": {} }}",
            random.below(90),
            100 + random.below(90_000)
        ),
        3 => format!("{{ \"type\": \"string\", \"maxLength\": {} }}", 3 + random.below(200)),
        4 => format!(
            "{{ \"type\": \"array\", \"items\": {}, \"maxItems\": {} }}",
            value(random, depth - 1),
            1 + random.below(9)
        ),
        5 => format!("{{ \"anyOf\": [{}, {}] }}", value(random, depth - 1), value(random, depth - 1)),
        _ => object(random, depth - 1),
    }
}

fn object(random: &mut Random, depth: usize) -> String {
    let names: Vec<String> = (0..2 + random.below(6)).map(|_| word(random)).collect();
    let members: Vec<String> = names.iter().map(|name| format!("\"{name}\": {}", value(random, depth))).collect();
    let required: Vec<String> = names.iter().filter(|_| random.one_in(2)).map(|name| format!("\"{name}\"")).collect();
    let is_open = random.one_in(3);
    format!(
        "{{ \"type\": \"object\", \"properties\": {{ {} }}, \"required\": [{}], \"additionalProperties\": {is_open} }}",
        members.join(", "),
        required.join(", ")
    )
}

/// Returns the schema for a number: an object with values of all shapes. Schemas for different numbers contain
/// different words.
pub(crate) fn schema(number: u64) -> String {
    object(&mut Random::new(number), 2)
}
