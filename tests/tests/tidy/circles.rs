//! Tests that no two modules of a folder lead to each other, directly or through others. A module's face (`a.rs`) and
//! its parts (`a/b.rs`) may: the face combines its parts, and they use types of it.

use super::modules::{Crate, Import, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The imports between siblings, by the module whose parts they are.
type Siblings = BTreeMap<Names, BTreeMap<String, BTreeMap<String, BTreeSet<String>>>>;

/// Describes every circle among the modules of the crate with this root.
fn circles_of(root: &Path) -> Vec<String> {
    let imports = Crate::read(root).imports();
    let mut found = Vec::new();
    for (folder, arrows) in siblings(&imports) {
        for circle in circles(&arrows) {
            found.push(describe(&folder, &circle, &arrows));
        }
    }
    found
}

/// Each import between the parts of a module; everything below a part counts as the part.
fn siblings(imports: &BTreeSet<Import>) -> Siblings {
    let mut found = Siblings::new();
    for Import { from, to, name } in imports {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) else { continue };
        let arrows = found.entry(from[..shared].to_vec()).or_default();
        let file = |names: &Names| names[shared..].join("::");
        let names = arrows.entry(a.clone()).or_default().entry(b.clone()).or_default();
        names.insert(format!("{} -> {}: {name}", file(from), file(to)));
    }
    found
}

type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The largest groups of names in which each name leads to each other.
fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = arrows.keys().map(|from| (from, reach(arrows, from))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (from, below) in &reached {
        let group = below.iter().filter(|to| reached.get(*to).is_some_and(|back| back.contains(*from)));
        let group: Vec<String> = group.map(|to| (*to).clone()).collect();
        if group.len() > 1 && !found.contains(&group) {
            found.push(group);
        }
    }
    found
}

fn reach<'a>(arrows: &'a Arrows, from: &'a String) -> BTreeSet<&'a String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        for to in arrows.get(at).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

fn describe(folder: &Names, circle: &[String], arrows: &Arrows) -> String {
    let mut text = format!("`{}`: {}\n", folder.join("::"), circle.join(", "));
    for from in circle {
        for (to, names) in arrows.get(from).into_iter().flatten().filter(|(to, _)| circle.contains(to)) {
            for name in names {
                text.push_str(&format!("    {from} -> {to}   ({name})\n"));
            }
        }
    }
    text
}

#[test]
fn no_modules_form_a_circle() {
    let found: Vec<String> = super::roots()
        .iter()
        .flat_map(|root| {
            let path = root.strip_prefix(super::root()).unwrap_or(root).display().to_string();
            circles_of(root).into_iter().map(move |circle| format!("{path}, {circle}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn circles_are_found() {
    let arrow = |from: &str, to: &str| Import {
        from: from.split("::").map(str::to_owned).collect(),
        to: to.split("::").map(str::to_owned).collect(),
        name: "Name".to_owned(),
    };
    // `a` and `b` lead to each other through their parts; `c` and its part `c::d` may do so.
    let imports = BTreeSet::from([arrow("a::x", "b"), arrow("b", "a::y"), arrow("c", "c::d"), arrow("c::d", "c")]);
    let found = siblings(&imports);
    let groups: Vec<_> = found.values().flat_map(circles).collect();
    assert_eq!(groups, [["a".to_owned(), "b".to_owned()]]);
}
