//! Reports repeated keys of an object, which JSON leaves without a meaning and ogc refuses.

use super::value::Member;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use std::collections::HashMap;

/// Maximum number of members that are compared pair by pair, which is faster than hashing a few.
const FEW: usize = 12;

/// Reports every member whose key occurred before in the same object, with both places.
pub(super) fn report_repeated_keys(members: &[Member], sink: &mut Sink) {
    if members.len() <= FEW {
        for (index, member) in members.iter().enumerate() {
            let earlier = members.iter().take(index).find(|m| m.key.value == member.key.value);
            earlier.into_iter().for_each(|first| sink.push(repeated(first, member)));
        }
        return;
    }
    let mut seen: HashMap<&str, &Member> = HashMap::with_capacity(members.len());
    for member in members {
        let first = *seen.entry(&member.key.value).or_insert(member);
        if first.key.span != member.key.span {
            sink.push(repeated(first, member));
        }
    }
}

fn repeated(first: &Member, again: &Member) -> Diagnostic {
    let message = format!("the key {:?} stands twice in this object", again.key.value);
    Diagnostic::error(Code::JsonRepeatedKey, again.key.span, message)
        .label(first.key.span, "first here")
        .help("readers disagree which of the two counts; remove one")
}
