//! The railroad diagram of a definition.

use ogc_compiler::pipeline::Format;
use ogc_workbench::diagram::{of_definition, svg};

use super::{RequestError, broken};
use crate::snapshot::Snapshot;

/// Draws a definition; returns its name and an SVG whose parts have classes and no colours.
///
/// # Errors
/// The definition cannot be read.
pub fn diagram(snapshot: &Snapshot, format: &Format) -> Result<(String, String), RequestError> {
    let definition = of_definition(&snapshot.db, format).ok_or_else(|| broken(snapshot, format))?;
    let drawn = svg(&definition.diagram, &definition.name);
    Ok((definition.name, drawn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn definitions_are_drawn() {
        let fixture = Fixture::new("rule r = \"a<b\" | r2\nrule r2 = /x/\n");
        let (name, svg) = diagram(&fixture.snapshot, &Format::named(fixture.snapshot.files()[0], "r")).unwrap();
        assert_eq!(name, "r");
        assert!(svg.starts_with("<svg") && svg.contains("a&lt;b") && svg.contains("r2"), "{svg}");
    }
}
