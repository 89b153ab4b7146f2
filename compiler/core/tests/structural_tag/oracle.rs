//! A slow interpreter of structural tags: computes the positions at which a node can end, byte by byte.

use std::collections::BTreeSet;

use serde_json::Value;

/// Returns whether a node accepts a text.
pub(super) fn accepts(node: &Value, text: &str) -> bool {
    ends(node, text, 0, &[]).contains(&text.len())
}

/// Returns where a node that begins at `from` can end; `around` are the endings of the enclosing tag.
fn ends(node: &Value, text: &str, from: usize, around: &[&str]) -> BTreeSet<usize> {
    let words = |key: &str| -> Vec<&str> {
        node[key].as_array().into_iter().flatten().map(|one| one.as_str().unwrap()).collect()
    };
    let nodes = |key: &str| node[key].as_array().unwrap().iter();
    match node["type"].as_str().unwrap_or("tag") {
        "const_string" => literal(node["value"].as_str().unwrap(), text, from),
        "any_text" => {
            let excluded = [words("excludes"), around.to_vec()].concat();
            (from..=text.len()).filter(|&to| !holds_any(&text[from..to], &excluded)).collect()
        }
        "sequence" => nodes("elements").fold([from].into(), |at: BTreeSet<usize>, one| {
            at.into_iter().flat_map(|at| ends(one, text, at, around)).collect()
        }),
        "or" => nodes("elements").flat_map(|one| ends(one, text, from, around)).collect(),
        "optional" => repeated(&node["content"], (0, Some(1)), text, from, around),
        "star" => repeated(&node["content"], (0, None), text, from, around),
        "plus" => repeated(&node["content"], (1, None), text, from, around),
        "repeat" => {
            let max = u64::try_from(node["max"].as_i64().unwrap()).ok();
            repeated(&node["content"], (node["min"].as_u64().unwrap(), max), text, from, around)
        }
        "tag" => tag(node, text, from),
        "tags_with_separator" => list(node, text, from),
        "triggered_tags" => {
            let tags: Vec<&Value> = nodes("tags").collect();
            let rules = words("triggers").into_iter().map(|trigger| {
                let own: Vec<&Value> =
                    tags.iter().copied().filter(|tag| tag["begin"].as_str().unwrap().starts_with(trigger)).collect();
                (trigger, own)
            });
            let begun = |from: usize, tags: &[&Value]| tags.iter().flat_map(|one| tag(one, text, from)).collect();
            let excluded = [words("excludes"), around.to_vec()].concat();
            let flag = |key: &str| node[key].as_bool().unwrap_or(false);
            let (at_once, repeats) = (flag("at_least_one"), !flag("stop_after_first"));
            let rules: Vec<(&str, Begun<'_>)> =
                rules.map(|(trigger, own)| (trigger, Box::new(move |at| begun(at, &own)) as Begun<'_>)).collect();
            let firsts: BTreeSet<usize> = rules.iter().flat_map(|(_, begun)| begun(from)).collect();
            match (at_once, repeats) {
                (true, false) => firsts,
                (true, true) => firsts.into_iter().flat_map(|at| dispatch(&rules, &excluded, true, text, at)).collect(),
                (false, repeats) => dispatch(&rules, &excluded, repeats, text, from),
            }
        }
        "dispatch" => {
            let rules: Vec<(&str, Begun<'_>)> = nodes("rules")
                .map(|rule| {
                    let trigger = rule[0].as_str().unwrap();
                    let begun = move |at: usize| ends(&rule[1], text, at + trigger.len(), around);
                    (trigger, Box::new(begun) as Begun<'_>)
                })
                .collect();
            dispatch(&rules, &words("excludes"), node["loop"].as_bool().unwrap_or(true), text, from)
        }
        other => panic!("{other}"),
    }
}

/// Returns the ends of the part that begins at a trigger.
type Begun<'a> = Box<dyn Fn(usize) -> BTreeSet<usize> + 'a>;

/// Free text goes on until it ends with a trigger, which then begins its part.
fn dispatch(rules: &[(&str, Begun<'_>)], excluded: &[&str], repeats: bool, text: &str, from: usize) -> BTreeSet<usize> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![from]);
    while let Some(from) = open.pop() {
        if !seen.insert(from) {
            continue;
        }
        for to in from..=text.len() {
            let read = &text[from..to];
            if holds_any(read, excluded) {
                break;
            }
            if let Some((trigger, begun)) = rules.iter().find(|(trigger, _)| read.ends_with(trigger)) {
                let behind = begun(to - trigger.len());
                if repeats {
                    open.extend(behind)
                } else {
                    found.extend(behind)
                }
                break;
            }
            found.insert(to);
        }
    }
    found
}

fn tag(node: &Value, text: &str, from: usize) -> BTreeSet<usize> {
    let ends_of: Vec<&str> = match &node["end"] {
        Value::String(end) => vec![end],
        several => several.as_array().unwrap().iter().map(|end| end.as_str().unwrap()).collect(),
    };
    let around: Vec<&str> = ends_of.iter().copied().filter(|end| !end.is_empty()).collect();
    let begun = literal(node["begin"].as_str().unwrap(), text, from);
    let inside = begun.into_iter().flat_map(|at| ends(&node["content"], text, at, &around));
    inside.flat_map(|at| ends_of.iter().flat_map(move |end| literal(end, text, at))).collect()
}

fn list(node: &Value, text: &str, from: usize) -> BTreeSet<usize> {
    let flag = |key: &str| node[key].as_bool().unwrap_or(false);
    let one = |at: usize| -> BTreeSet<usize> {
        node["tags"].as_array().unwrap().iter().flat_map(|one| tag(one, text, at)).collect()
    };
    let mut found = one(from);
    let mut open: Vec<usize> = if flag("stop_after_first") { Vec::new() } else { found.iter().copied().collect() };
    while let Some(at) = open.pop() {
        for next in literal(node["separator"].as_str().unwrap(), text, at).into_iter().flat_map(one) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    if !flag("at_least_one") {
        found.insert(from);
    }
    found
}

fn repeated(node: &Value, (min, max): (u64, Option<u64>), text: &str, from: usize, around: &[&str]) -> BTreeSet<usize> {
    let (mut found, mut now) = (BTreeSet::new(), BTreeSet::from([from]));
    // More repetitions than `min` plus the number of bytes give nothing new.
    let most = max.unwrap_or(u64::MAX).min(min + text.len() as u64 + 1);
    for times in 0..=most {
        if times >= min {
            found.extend(now.iter().copied());
        }
        now = now.into_iter().flat_map(|at| ends(node, text, at, around)).collect();
    }
    found
}

fn literal(word: &str, text: &str, from: usize) -> BTreeSet<usize> {
    if text[from..].starts_with(word) { [from + word.len()].into() } else { BTreeSet::new() }
}

fn holds_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}
