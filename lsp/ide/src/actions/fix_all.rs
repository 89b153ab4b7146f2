//! Applies all corrections of a file, or those of one code, repeatedly until nothing changes, as `ogc check --fix`
//! does.

use always_assert::never;
use ogc_compiler::db::SourceFile;
use ogc_grammar::{Code, Diagnostic, ogc};
use ogc_lint::findings::{Subject, findings};
use ogc_workbench::correct::correct;

use super::context::Context;
use super::fixes::title;
use super::{Action, ActionKind, Change, Command};
use crate::changes::between;
use crate::place::FileSpan;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let has_fix = context.findings().iter().any(|found| found.fix.is_some() && is_corrected(found));
    let title = "Apply all corrections that lose nothing";
    has_fix.then(|| Action::new(context, Command::FixAll, ActionKind::FixAll, title)).into_iter().collect()
}

/// Offers to correct all findings that have the same code as a finding at the selection.
pub(super) fn offered_of_code(context: &Context<'_>) -> Vec<Action> {
    let mut found: Vec<Action> = Vec::new();
    let fixable = || context.findings().iter().filter(|one| one.fix.is_some() && is_corrected(one));
    for one in fixable().filter(|one| context.touches(one.span)) {
        let all = fixable().filter(|other| other.code == one.code).count();
        if all < 2 || found.iter().any(|other| other.id.command == Command::FixCode(one.code)) {
            continue;
        }
        let title = title(&format!("correct all {all} findings `{}` of the file", one.code.name()));
        found.push(Action {
            fixes: Some((one.code, FileSpan::new(context.file(), one.span))),
            ..Action::new(context, Command::FixCode(one.code), ActionKind::QuickFix, title)
        });
    }
    found
}

/// Returns whether a finding is corrected together with others. Unused items are removed by an action of their own.
fn is_corrected(found: &Diagnostic) -> bool {
    found.code != Code::UnusedItem
}

/// Makes the change: all corrections, or those of one code.
pub(super) fn change(context: &Context<'_>, code: Option<Code>) -> Option<Change> {
    let text = context.text();
    let mut scratch = Scratch::of(context.snapshot);
    let corrected = match code {
        None => correct(text, &mut |text| found_in(&mut scratch, context.snapshot, context.file(), text)).text,
        Some(code) => {
            let corrected = ogc::correct(text, &mut |text| {
                let mut found = found_in(&mut scratch, context.snapshot, context.file(), text);
                found.iter_mut().filter(|found| found.code != code).for_each(|found| found.fix = None);
                found
            });
            corrected.text
        }
    };
    let edits = between(text, &corrected);
    (!edits.is_empty()).then(|| Change::of(context.file(), edits))
}

/// Sets the text of a file in the scratch copy, and returns its findings.
pub(super) fn found_in(scratch: &mut Scratch<'_>, origin: &Snapshot, file: SourceFile, text: &str) -> Vec<Diagnostic> {
    scratch.set(file, text);
    let Some(copy) = scratch.copy(file) else {
        never!("{} was not copied", origin.name(file));
        return Vec::new();
    };
    scratch.read(|snapshot| {
        let levels = &snapshot.settings(copy).levels;
        findings(&snapshot.db, &Subject::whole(&snapshot.db, copy), None, levels)
    })
}
