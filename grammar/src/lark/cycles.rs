//! Reports terminals that refer to themselves: terminals are regular.

use super::ast::{Ending, File, Item, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use std::collections::{HashMap, HashSet};

/// Reports every terminal that refers to itself, directly or through others.
pub(super) fn check(file: &File, sink: &mut Sink) {
    let terminals: Vec<&Item> = file.items.iter().filter(|item| item.is_terminal()).collect();
    let mut number: HashMap<&str, usize> = HashMap::new();
    for (at, item) in terminals.iter().enumerate() {
        number.entry(&item.name.value).or_insert(at);
    }
    let uses: Vec<Vec<usize>> = terminals.iter().map(|item| used(item, &number)).collect();
    let mut users = vec![Vec::new(); uses.len()];
    for (at, used) in uses.iter().enumerate() {
        used.iter().for_each(|&below| users[below].push(at));
    }
    // Remove the terminals that reach no cycle, and those that no cycle reaches: the rest lies on cycles or between
    // two.
    let below = peeled(&uses, &users);
    let above = peeled(&users, &uses);
    for (at, item) in terminals.iter().enumerate() {
        if below.contains(&at) || above.contains(&at) {
            continue;
        }
        let message = format!("the terminal `{}` refers to itself, so it is not regular", item.name.value);
        let help = "make it a rule: write its name in small letters";
        sink.push(Diagnostic::error(Code::LarkTerminalCycle, item.name.span, message).help(help));
    }
}

/// Returns the nodes from which no cycle can be reached along `edges`, by removing nodes without remaining edges;
/// `back` holds the reversed edges.
fn peeled(edges: &[Vec<usize>], back: &[Vec<usize>]) -> HashSet<usize> {
    let mut open: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..edges.len()).filter(|&at| open[at] == 0).collect();
    let mut gone = HashSet::new();
    while let Some(at) = ready.pop() {
        gone.insert(at);
        for &above in &back[at] {
            open[above] -= 1;
            if open[above] == 0 {
                ready.push(above);
            }
        }
    }
    gone
}

/// Returns the terminals that an item names; a terminal appears once for each time it is named.
fn used(item: &Item, number: &HashMap<&str, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Vec<&Node> = vec![&item.body];
    if let Ending::Marker(marker, _) = &item.ending {
        open.push(marker);
    }
    while let Some(node) = open.pop() {
        if let NodeKind::Name(name) = &node.kind {
            found.extend(number.get(name.as_str()));
        }
        open.extend(node.children());
    }
    found
}
