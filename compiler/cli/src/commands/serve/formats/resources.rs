//! The schemas to which schemas in requests may refer: those that the operator named, read once at startup. No request
//! makes the server read a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Language, Options, Resources, SourceFile, Workspace};
use ogc_compiler::foreign::{links, places_of};
use salsa::Setter;

use crate::args::FormatArgs;
use crate::files;
use crate::problem::Problem;
use crate::session::key;
use crate::source::MAX_FORMAT;

/// The texts by name, and the map from URIs to names.
#[derive(Debug, Default)]
pub(in super::super) struct ResourceTexts {
    pub(super) places: Resources,
    texts: BTreeMap<String, Arc<str>>,
}

impl ResourceTexts {
    /// Reads everything that the arguments name: files, the JSON files of folders, and the files that indexes list.
    pub(in super::super) fn read(args: &FormatArgs) -> Result<Self, Problem> {
        let places = args.resources(key);
        let mut read = Self { places: places.clone(), texts: BTreeMap::new() };
        read.add_places(&places)?;
        let db = Compiler::default();
        for index in places.indexes() {
            let text = read.add_file(Path::new(index))?;
            let options = Options::new(&db, Default::default(), Default::default(), Default::default());
            let file = SourceFile::new(&db, index.clone(), text.to_string(), Language::JsonSchema, options);
            read.add_places(places_of(&db, file))?;
        }
        Ok(read)
    }

    fn add_places(&mut self, places: &Resources) -> Result<(), Problem> {
        for (uri, name) in places.places() {
            if !uri.ends_with('/') {
                self.add_file(Path::new(name))?;
                continue;
            }
            for file in files::matching(&[PathBuf::from(name)], |name| name.ends_with(".json")).found {
                self.add_file(&file.path)?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<Arc<str>, Problem> {
        let text: Arc<str> = files::read_text(path, MAX_FORMAT)?.into();
        self.texts.insert(key(path), Arc::clone(&text));
        Ok(text)
    }

    /// Adds to `files` the operator's files to which they refer, and makes the workspace of all of them.
    pub(super) fn publish(&self, db: &mut Compiler, mut files: BTreeMap<String, SourceFile>, options: Options) {
        let workspace = Workspace::new(db, files.clone());
        loop {
            let wanted: Vec<String> = files.values().flat_map(|file| links(db, *file).wanted.clone()).collect();
            let known = files.len();
            for name in wanted {
                if let Some(text) = self.texts.get(&name).filter(|_| !files.contains_key(&name)) {
                    let file = SourceFile::new(db, name.clone(), text.to_string(), Language::JsonSchema, options);
                    files.insert(name, file);
                }
            }
            if files.len() == known {
                return;
            }
            workspace.set_files(db).to(files.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::Limits;
    use ogc_serve::{Cancel, Compile, FormatSource, SourceText};

    use super::super::{RequestFormats, WrittenBy};
    use super::*;
    use crate::args::ResourceArg;

    /// Compiles a schema of a request, on a server whose operator named `places`.
    fn compile(schema: &str, places: &[String]) -> Result<(), String> {
        let resource = places.iter().map(|place| ResourceArg::parse(place).expect("a place")).collect();
        let args = FormatArgs { resource, ..FormatArgs::default() };
        let resources = ResourceTexts::read(&args).map_err(|problem| problem.to_string())?;
        let (written_by, limits) = (WrittenBy::OtherServer, Limits::default());
        let formats = RequestFormats { folder: None, args, written_by, limits, resources, special_tokens: None };
        let text = SourceText::new("schema.json", schema);
        let source = FormatSource::Texts(vec![text]);
        let compiled = formats.compile(&source, &Cancel::default());
        compiled.map(drop).map_err(|refused| refused.message)
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the operator's files")]
    fn requests_can_refer_only_to_resources_that_the_operator_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::create_dir(folder.path().join("lib")).expect("a folder");
        for (name, text) in [
            ("lib/a.json", r#"{"$ref": "b.json"}"#),
            ("lib/b.json", r#"{"enum": [1]}"#),
            ("lib/list.json", r#"{"urn:a": "b.json"}"#),
            ("secret.json", r#"{"enum": [2]}"#),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let lib = [format!("https://x.org/={}", path("lib")), path("lib/list.json")];
        for known in ["https://x.org/a.json", "https://x.org/b", "urn:a"] {
            assert_eq!(compile(&format!(r#"{{"$ref": "{known}"}}"#), &lib), Ok(()), "{known}");
        }
        let secret = path("secret.json");
        let secrets = [secret.clone(), format!("file://{secret}"), "https://x.org/../secret.json".to_owned()];
        for unknown in secrets.iter().map(String::as_str).chain(["https://x.org/%2e%2e/secret.json", "a.json"]) {
            let refused = compile(&format!(r#"{{"$ref": "{unknown}"}}"#), &lib).expect_err("not named");
            assert!(refused.contains("no schema"), "{unknown}: {refused}");
        }
        assert!(compile("{}", &[format!("urn:b={}", path("none.json"))]).is_err());
    }
}
