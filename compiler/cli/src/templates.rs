//! Lists the templates of `ogc new`: small files with comments and tests.

/// A template: its name and the text of the file.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        /// All templates, the simplest first.
        pub(crate) const ALL: &[Template] =
            &[$(Template { name: $name, text: include_str!(concat!("templates/", $name, ".ogc")) }),*];
    };
}

templates!["record", "choice", "events", "tools", "text", "table", "grammar"];

impl Template {
    /// Returns the comment in the first line of the file.
    pub(crate) fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['/', ' '])
    }
}

#[cfg(test)]
mod tests {
    use ogc_grammar::ogc::ast::ItemKind;
    use ogc_grammar::ogc::{format, parse};

    use super::ALL;

    #[test]
    fn templates_are_well_formed_laid_out_and_tested() {
        for template in ALL {
            let parsed = parse(template.text);
            assert!(parsed.diagnostics.is_empty(), "{}: {:?}", template.name, parsed.diagnostics);
            assert_eq!(format(template.text), template.text, "{}", template.name);
            let has = |wanted: fn(&ItemKind) -> bool| parsed.file.items.iter().any(|item| wanted(&item.kind));
            assert!(has(|kind| matches!(kind, ItemKind::Output(_))), "{}", template.name);
            assert!(has(|kind| matches!(kind, ItemKind::Test(_))), "{}", template.name);
            assert!(template.text.starts_with("// ") && !template.about().is_empty(), "{}", template.name);
        }
    }
}
