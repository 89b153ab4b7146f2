//! Removes unreachable options from compiled conditions: keys that must be present or absent, and values that never
//! satisfy the conditions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::conditions_compile::{Compiler, Variable};
use crate::diagram::{DiagramId, Diagrams};
use crate::shape::{KeyChoice, KeyDiagram, KeyWay};
use crate::value::ValueId;

/// The remaining conditions over variables, and the facts known about each variable.
#[derive(Debug)]
pub(super) struct Pruned {
    pub(super) diagrams: Vec<KeyDiagram>,
    pub(super) keys: Vec<PrunedKey>,
}

/// A key as the conditions leave it.
#[derive(Clone, Debug, Default)]
pub(super) struct PrunedKey {
    /// The classes of values that are still distinguished; `None` if all values are one class. Only [`ValueId::NONE`] if the
    /// key must be absent.
    pub(super) values: Option<Vec<ValueId>>,
    /// It must be present.
    pub(super) required: bool,
}

/// The options of a variable in one diagram.
#[derive(Clone, Debug)]
struct Options {
    /// Whether it may be absent.
    absent: bool,
    /// The value options that some path takes.
    live: Vec<usize>,
    /// Whether all its values lead to the same result.
    alike: bool,
}

impl Options {
    /// Whether only one option is left.
    fn is_decided(&self) -> bool {
        usize::from(self.absent) + if self.alike { self.live.len().min(1) } else { self.live.len() } == 1
    }
}

/// Prunes the diagrams of some roots.
pub(super) fn prune(compiler: &Compiler<'_, '_>, variables: &[Variable<'_>], roots: &[DiagramId]) -> Pruned {
    let mut pruned = Pruned { diagrams: Vec::new(), keys: vec![PrunedKey::default(); variables.len()] };
    for &root in roots {
        let options = options(&compiler.diagrams, variables, root);
        for (&at, own) in &options {
            let variable = &variables[at as usize];
            let values = || own.live.iter().map(|&option| variable.values[option]).collect();
            let none = own.live.is_empty();
            pruned.keys[at as usize] = PrunedKey {
                values: if none { Some(vec![ValueId::NONE]) } else { (!own.alike).then(values) },
                required: !own.absent && !none,
            };
        }
        let choices = choices(&compiler.diagrams, variables, root, &options);
        pruned.diagrams.extend((!choices.is_empty()).then_some(KeyDiagram { choices }));
    }
    pruned
}

/// The options of all variables in a diagram.
fn options(diagrams: &Diagrams, variables: &[Variable<'_>], root: DiagramId) -> BTreeMap<u32, Options> {
    let nodes = diagrams.reached(root);
    let mut levels: Vec<u32> = nodes.iter().filter_map(|&id| diagrams.node(id)).map(|node| node.variable).collect();
    levels.dedup();
    let level =
        |id: DiagramId| diagrams.node(id).map_or(levels.len(), |node| levels.partition_point(|&at| at < node.variable));
    // Per level: the paths that skip it, which leave all its options open.
    let mut passes = vec![0i64; levels.len() + 2];
    let mut found: BTreeMap<u32, Options> = BTreeMap::new();
    for &id in &nodes {
        let Some(node) = diagrams.node(id) else { continue };
        let variable = &variables[node.variable as usize];
        let lacks = usize::from(variable.may_lack);
        let own = found.entry(node.variable).or_insert(Options { absent: false, live: Vec::new(), alike: true });
        own.alike &= node.next[lacks..].windows(2).all(|pair| pair[0] == pair[1]);
        for (option, &next) in node.next.iter().enumerate().filter(|(_, next)| **next != DiagramId::FAILS) {
            match option.checked_sub(lacks) {
                None => own.absent = true,
                Some(value) if !own.live.contains(&value) => own.live.push(value),
                Some(_) => {}
            }
            passes[level(id) + 1] += 1;
            passes[level(next)] -= 1;
        }
    }
    let mut passing = 0;
    for (at, variable) in levels.iter().enumerate() {
        passing += passes[at];
        let all = &variables[*variable as usize];
        if let Some(own) = found.get_mut(variable) {
            if passing > 0 {
                own.absent |= all.may_lack;
                own.live = (0..all.values.len()).collect();
            }
            own.live.sort_unstable();
        }
    }
    found
}

/// Writes a diagram without its decided choices.
fn choices(
    diagrams: &Diagrams,
    variables: &[Variable<'_>],
    root: DiagramId,
    options: &BTreeMap<u32, Options>,
) -> Vec<KeyChoice> {
    let decided = |id: DiagramId| -> Option<DiagramId> {
        let node = diagrams.node(id)?;
        // Only the diagram knows that undeclared keys are required; if they are forbidden, the object is closed.
        let is_kept = |own: &Options| variables[node.variable as usize].name.is_none() && !own.live.is_empty();
        let own = options.get(&node.variable).filter(|own| own.is_decided() && !is_kept(own))?;
        let lacks = usize::from(variables[node.variable as usize].may_lack);
        let option = if own.absent { 0 } else { lacks + own.live.first().copied()? };
        node.next.get(option).copied()
    };
    let target = |mut id: DiagramId| {
        while let Some(next) = decided(id) {
            id = next;
        }
        id
    };
    let root = target(root);
    let nodes: Vec<DiagramId> = diagrams.reached(root).into_iter().filter(|&id| decided(id).is_none()).collect();
    let numbers: FxHashMap<DiagramId, usize> = nodes.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let way = |id: DiagramId| match target(id) {
        DiagramId::FAILS => KeyWay::Fails,
        id => numbers.get(&id).map_or(KeyWay::Holds, |&at| KeyWay::To(at)),
    };
    let mut choices = Vec::with_capacity(nodes.len());
    for node in nodes.iter().filter_map(|&id| diagrams.node(id)) {
        let Some(own) = options.get(&node.variable) else { continue };
        let lacks = usize::from(variables[node.variable as usize].may_lack);
        let absent = if lacks == 1 { way(node.next[0]) } else { KeyWay::Fails };
        let live = if own.alike { own.live.get(..1).unwrap_or_default() } else { own.live.as_slice() };
        let next = [absent].into_iter().chain(live.iter().map(|&option| way(node.next[lacks + option]))).collect();
        choices.push(KeyChoice { first: node.variable as usize, next });
    }
    choices
}
