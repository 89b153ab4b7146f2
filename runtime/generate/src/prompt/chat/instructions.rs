//! Rewrites a compiled template so that every operation on values that grow or are walked asks the meter.
//!
//! Operators of the engine cannot be replaced, but calls of functions can: `a ~ b` becomes a call of a function. No
//! template can write the function's name, since it contains a space. [`super::operators`] defines the functions.

use std::collections::BTreeMap;

use minijinja::machinery::{CodeGenerator, Instruction, Instructions, ast};
use minijinja::{Error, ErrorKind, Value};

/// The compiled instructions of a template.
pub(super) struct MeteredTemplate<'s> {
    pub(super) main: Instructions<'s>,
    pub(super) blocks: BTreeMap<&'s str, Instructions<'s>>,
}

/// Compiles a template with its operations metered.
pub(super) fn compile<'s>(name: &'s str, source: &'s str, tree: &ast::Stmt<'s>) -> Result<MeteredTemplate<'s>, Error> {
    let mut generator = CodeGenerator::new(name, source);
    generator.compile_stmt(tree);
    let (main, blocks) = generator.finish();
    let blocks = blocks.into_iter().map(|(name, block)| Ok((name, metered(&block)?)));
    Ok(MeteredTemplate { main: metered(&main)?, blocks: blocks.collect::<Result<_, Error>>()? })
}

/// Replaces instructions one by one, then adjusts jumps to the new places of their targets.
fn metered<'s>(old: &Instructions<'s>) -> Result<Instructions<'s>, Error> {
    let mut new = Instructions::new(old.name(), old.source());
    let mut moved = Vec::with_capacity(old.len() + 1);
    for index in 0..old.len() as u32 {
        moved.push(new.len() as u32);
        let Some(instruction) = old.get(index) else { break };
        let line = old.get_line(index).unwrap_or_default() as u16;
        for replacement in replaced(instruction)? {
            new.add_with_line(replacement, line);
        }
    }
    moved.push(new.len() as u32);
    for index in 0..new.len() as u32 {
        if let Some(target) = new.get_mut(index).and_then(jump_target)
            && let Some(place) = moved.get(*target as usize)
        {
            *target = *place;
        }
    }
    Ok(new)
}

fn jump_target<'i>(instruction: &'i mut Instruction<'_>) -> Option<&'i mut u32> {
    match instruction {
        Instruction::Jump(target)
        | Instruction::JumpIfFalse(target)
        | Instruction::JumpIfFalseOrPop(target)
        | Instruction::JumpIfTrueOrPop(target)
        | Instruction::Iterate(target)
        | Instruction::BuildMacro(_, target, _) => Some(target),
        _ => None,
    }
}

/// Returns the instructions that replace one.
fn replaced<'s>(old: &Instruction<'s>) -> Result<Vec<Instruction<'s>>, Error> {
    let call = |name, arguments| vec![Instruction::CallFunction(name, Some(arguments))];
    Ok(match old {
        Instruction::Add => call("ogc +", 2),
        Instruction::Mul => call("ogc *", 2),
        Instruction::StringConcat => call("ogc ~", 2),
        Instruction::Eq => call("ogc ==", 2),
        Instruction::Ne => call("ogc !=", 2),
        Instruction::Lt => call("ogc <", 2),
        Instruction::Lte => call("ogc <=", 2),
        Instruction::Gt => call("ogc >", 2),
        Instruction::Gte => call("ogc >=", 2),
        Instruction::In => call("ogc in", 2),
        Instruction::GetItem => call("ogc item", 2),
        Instruction::Slice => call("ogc slice", 4),
        Instruction::BuildMap(pairs) => call("ogc map", arguments(pairs.saturating_mul(2))?),
        Instruction::BuildList(None) => vec![Instruction::CallFunction("ogc list", None)],
        Instruction::BuildList(Some(items)) => call("ogc list", arguments(*items)?),
        Instruction::CompareAndPreserve(operator) => vec![
            Instruction::LoadConst(Value::from(*operator as u8)),
            Instruction::CallFunction("ogc compare", Some(3)),
            Instruction::UnpackList(2),
        ],
        Instruction::CallMethod(name, Some(count)) => vec![
            Instruction::LoadConst(Value::from(*name)),
            Instruction::CallFunction("ogc method", Some(arguments(*count as usize + 1)?)),
        ],
        Instruction::SetAttr(_) => {
            vec![Instruction::Swap, Instruction::CallFunction("ogc kept", Some(1)), Instruction::Swap, old.clone()]
        }
        Instruction::EmitRaw(text) => vec![Instruction::LoadConst(Value::from(*text)), Instruction::Emit],
        Instruction::PushLoop(_) | Instruction::UnpackList(_) | Instruction::FastRecurse => {
            vec![Instruction::CallFunction("ogc walked", Some(1)), old.clone()]
        }
        Instruction::CallFunction("loop", Some(1)) => {
            vec![Instruction::CallFunction("ogc walked", Some(1)), old.clone()]
        }
        Instruction::UnpackLists(_) | Instruction::MergeKwargs(_) => {
            return Err(refused(
                "`*` and `**` in calls are not supported in chat templates; write the arguments one by one",
            ));
        }
        Instruction::Include(_) | Instruction::LoadBlocks | Instruction::ExportLocals => {
            return Err(refused("a chat template cannot load other templates; write what they hold in it"));
        }
        _ => vec![old.clone()],
    })
}

fn arguments(count: usize) -> Result<u16, Error> {
    u16::try_from(count).map_err(|_| refused("a list, map or call has more than 65,535 parts"))
}

fn refused(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}
