//! The body of a function while it is read: its instructions so far, its labels, and its branches.

use super::error::{ParseError, ParseFault};
use super::reader::Reader;
use crate::ir::{Function, Instruction, Op};
use std::collections::HashMap;

/// Cap on the instructions of a function.
const MOST_INSTRUCTIONS: u64 = 1_000_000;

/// A function's body while it is read.
pub(super) struct Body<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) function: &'r mut Function,
    /// The index of the instruction of each label.
    labels: HashMap<&'t str, u32>,
    /// Branches whose targets are still indexes into `wanted`.
    branches: Vec<usize>,
    /// Labels that branches go to, with their lines.
    wanted: Vec<(&'t str, u32)>,
}

impl<'r, 't> Body<'r, 't> {
    /// Begins the body of a function.
    pub(super) fn new(reader: &'r mut Reader<'t>, function: &'r mut Function) -> Body<'r, 't> {
        Body { reader, function, labels: HashMap::new(), branches: Vec::new(), wanted: Vec::new() }
    }

    /// Names the next instruction by a label; returns whether the name is new.
    pub(super) fn label(&mut self, name: &'t str) -> bool {
        let at = u32::try_from(self.function.code.len()).unwrap_or(u32::MAX);
        self.labels.insert(name, at).is_none()
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, instruction: Instruction) -> Result<(), ParseFault> {
        let given = self.function.code.len() as u64;
        if given >= MOST_INSTRUCTIONS {
            let what = "the number of instructions of a function";
            return Err(ParseFault::Limit { what, given, limit: MOST_INSTRUCTIONS });
        }
        if matches!(instruction.op, Op::Branch { .. } | Op::BranchTable { .. }) {
            self.branches.push(self.function.code.len());
        }
        self.function.code.push(instruction);
        Ok(())
    }

    /// Returns a number for a label that a branch goes to, until `link` knows the label's place.
    pub(super) fn want(&mut self, label: &'t str, line: u32) -> u32 {
        self.wanted.push((label, line));
        u32::try_from(self.wanted.len() - 1).unwrap_or(u32::MAX)
    }

    /// Gives all branches their targets.
    pub(super) fn link(self) -> Result<(), ParseError> {
        let find = |number: u32| {
            let (label, line) = self.wanted[number as usize];
            let fault = || ParseFault::Unknown { name: label.to_owned(), kind: "label of this function" };
            self.labels.get(label).copied().ok_or_else(|| ParseError::new(line, fault()))
        };
        for at in self.branches {
            match &mut self.function.code[at].op {
                Op::Branch { target } => *target = find(*target)?,
                Op::BranchTable { targets, .. } => {
                    for target in targets {
                        *target = find(*target)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
