//! Shows the events of an accepted text, as an engine would report them while the text grows.

use ogc_compiler::pipeline;
use ogc_runtime::events::EventReader;

use super::{Tried, engine};
use crate::commands::events::say;
use crate::output::Output;
use crate::problem::Problem;

/// Shows all events. The text is read token by token if tokens are counted, otherwise at once.
pub(super) fn show(tried: &Tried<'_>, text: &[u8], output: &Output) -> Result<(), Problem> {
    let db = &tried.session.db;
    let content = pipeline::content(db, tried.format.clone());
    let mut reader = EventReader::new(&content);
    let ends = tried.trial.pieces(text).unwrap_or_default().into_iter().map(|piece| piece.end);
    let mut read = 0;
    for end in ends.chain([text.len()]) {
        // A token that the format names is spelled by several tokens here.
        let piece = text.get(read..end).unwrap_or_default();
        if end < text.len() && ogc_runtime::vocabulary::is_cut(piece) {
            continue;
        }
        read = end.max(read);
        say(reader.read_bytes(piece).map_err(|error| engine(tried.args, &error))?, output)?;
    }
    say(reader.finish().map_err(|error| engine(tried.args, &error))?, output)
}
