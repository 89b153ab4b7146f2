//! Tracks which file imports which, as edits change it: files are read when an import names them, and dropped when none
//! does.

use std::collections::BTreeMap;

use always_assert::never;

/// The imports of all formats.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// The names that a file imports.
    named: BTreeMap<String, Vec<String>>,
    /// Number of files that import a name. Invariant: never 0.
    count: BTreeMap<String, usize>,
}

impl Imports {
    /// Sets the imports of a file; returns the names that the file imports now but did not before, and the reverse.
    pub(crate) fn set(&mut self, file: &str, names: Vec<String>) -> Vec<String> {
        let old = self.named.remove(file).unwrap_or_default();
        if old == names {
            self.put(file, names);
            return Vec::new();
        }
        for name in &names {
            *self.count.entry(name.clone()).or_default() += 1;
        }
        for name in &old {
            let Some(count) = self.count.get_mut(name) else {
                never!("the imports of `{}` are not counted", name);
                continue;
            };
            *count -= 1;
            if *count == 0 {
                self.count.remove(name);
            }
        }
        let mut changed: Vec<String> = names.iter().filter(|name| !old.contains(name)).cloned().collect();
        changed.extend(old.into_iter().filter(|name| !names.contains(name)));
        self.put(file, names);
        changed
    }

    /// Returns the files that import a name.
    pub(crate) fn importers(&self, name: &str) -> Vec<String> {
        let importers = self.named.iter().filter(|(_, names)| names.iter().any(|known| known == name));
        importers.map(|(file, _)| file.clone()).collect()
    }

    fn put(&mut self, file: &str, names: Vec<String>) {
        if !names.is_empty() {
            self.named.insert(file.to_owned(), names);
        }
    }

    /// Returns whether any file imports a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.count.contains_key(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Imports;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn imported_names_are_reference_counted() {
        let mut imports = Imports::default();
        assert_eq!(imports.set("a", names("x y")), names("x y"));
        assert_eq!(imports.set("b", names("y")), names("y"));
        assert_eq!(imports.set("a", names("x y")), names(""));
        assert_eq!(imports.set("a", names("z")), names("z x y"));
        assert!(imports.has("y") && imports.has("z") && !imports.has("x"));
        imports.set("b", Vec::new());
        assert!(!imports.has("y"));
    }
}
