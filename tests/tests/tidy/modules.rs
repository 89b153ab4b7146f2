//! The modules of a crate and their imports from each other, read from the sources as the compiler would resolve the
//! names.
//!
//! A name that a module only re-exports (`use child::Name` in the face of `child`) counts as an import from its
//! definition. Method calls, and names from macros, are not seen.

use super::tokens::{Token, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names from the root of a crate to a module or an item.
pub(crate) type Names = Vec<String>;

/// One module: a file.
#[derive(Debug, Default)]
struct Module {
    children: BTreeSet<String>,
    /// The bindings of `use`: the name here, and its path.
    bound: BTreeMap<String, Names>,
    /// Paths whose contents are bound as a whole.
    globs: Vec<Names>,
    /// Names of items that are defined here.
    defined: BTreeSet<String>,
    /// All paths in it, in `use` or elsewhere.
    paths: BTreeSet<Names>,
}

/// A crate's modules.
#[derive(Debug, Default)]
pub(crate) struct Crate {
    modules: BTreeMap<Names, Module>,
}

/// An import: the module `from` uses the item `name` of the module `to`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) from: Names,
    pub(crate) to: Names,
    pub(crate) name: String,
}

impl Crate {
    /// Reads the crate whose root is the file `root`, and the modules that it declares.
    pub(crate) fn read(root: &Path) -> Crate {
        let mut found = Crate::default();
        let folder = root.parent().expect("a folder").to_owned();
        let mut open = vec![(Names::new(), root.to_owned(), folder)];
        while let Some((names, file, folder)) = open.pop() {
            let module = Module::read(&std::fs::read_to_string(&file).expect("a source"));
            for child in &module.children {
                let (file, below) = file_of(&folder, child);
                let mut names = names.clone();
                names.push(child.clone());
                open.push((names, file, below));
            }
            found.modules.insert(names, module);
        }
        found
    }

    /// Returns whether one top module uses another.
    pub(crate) fn has_arrows(&self) -> bool {
        let tops = |import: &Import| (import.from.first().cloned(), import.to.first().cloned());
        self.imports().iter().map(tops).any(|(from, to)| from.is_some() && to.is_some() && from != to)
    }

    /// Returns the imports of each module from the others.
    pub(crate) fn imports(&self) -> BTreeSet<Import> {
        let mut found = BTreeSet::new();
        for (from, module) in &self.modules {
            for path in &module.paths {
                if let Some((to, name)) = self.resolve(from, path, 0)
                    && to != *from
                {
                    found.insert(Import { from: from.clone(), to, name });
                }
            }
        }
        found
    }

    /// Returns the module that defines the item that `path` names in `from`, and the item's name there; `None` if it is
    /// a module, or not an item of this crate.
    fn resolve(&self, from: &[String], path: &[String], steps: usize) -> Option<(Names, String)> {
        let (mut at, mut rest) = self.begin(from, path)?;
        while let Some((first, after)) = rest.split_first() {
            let module = self.modules.get(&at)?;
            if module.children.contains(first) {
                at.push(first.clone());
                rest = after;
            } else if steps < 8
                && let Some(bound) = module.bound.get(first)
            {
                let whole: Names = bound.iter().chain(after).cloned().collect();
                return self.resolve(&at, &whole, steps + 1);
            } else if module.defined.contains(first) {
                return Some((at, first.clone()));
            } else {
                let glob = module.globs.iter().find_map(|glob| self.of_glob(&at, glob, rest, steps));
                return glob.or_else(|| Some((at, first.clone())));
            }
        }
        None
    }

    /// Returns the meaning of a path that may come from a `use ...::*` of the module `at`.
    fn of_glob(&self, at: &[String], glob: &[String], rest: &[String], steps: usize) -> Option<(Names, String)> {
        if steps >= 8 {
            return None;
        }
        let whole: Names = glob.iter().chain(rest).cloned().collect();
        let (to, name) = self.resolve(at, &whole, steps + 1)?;
        self.modules[&to].defined.contains(&name).then_some((to, name))
    }

    /// Returns the module in which a path begins, and the rest of the path there.
    fn begin<'p>(&self, from: &[String], path: &'p [String]) -> Option<(Names, &'p [String])> {
        let first = path.first()?.as_str();
        let mut at = from.to_vec();
        match first {
            "crate" => Some((Names::new(), &path[1..])),
            "self" => Some((at, &path[1..])),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                at.truncate(at.len().checked_sub(ups)?);
                Some((at, &path[ups..]))
            }
            _ => {
                let module = self.modules.get(from)?;
                let known = module.children.contains(first) || module.bound.get(first).is_some_and(|to| to != path);
                known.then_some((at, path))
            }
        }
    }
}

/// Returns the file of a module whose parent's modules are in `folder`, and the folder of its own modules.
fn file_of(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let (file, below) = (folder.join(format!("{name}.rs")), folder.join(name));
    if file.exists() { (file, below) } else { (below.join("mod.rs"), below) }
}

impl Module {
    fn read(source: &str) -> Module {
        let mut module = Module::default();
        let tokens = tokens(source);
        let mut at = 0;
        while at < tokens.len() {
            at = module.take(&tokens, at);
        }
        module
    }

    /// Takes the construct that begins at a token; returns the place after it.
    fn take(&mut self, tokens: &[Token], at: usize) -> usize {
        let Token::Name(word) = &tokens[at] else { return at + 1 };
        match (word.as_str(), tokens.get(at + 1), tokens.get(at + 2)) {
            ("use", Some(_), _) => self.take_use(tokens, at + 1, &Names::new()),
            ("mod", Some(Token::Name(name)), Some(Token::Sign(';'))) => {
                if !has_path_before(tokens, at) {
                    self.children.insert(name.clone());
                }
                at + 3
            }
            (
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union",
                Some(Token::Name(name)),
                _,
            ) => {
                self.defined.insert(name.clone());
                at + 2
            }
            _ => self.take_path(tokens, at),
        }
    }

    fn take_path(&mut self, tokens: &[Token], mut at: usize) -> usize {
        let joined = at > 0 && tokens[at - 1] == Token::Path;
        let mut names = Names::new();
        while let Some(Token::Name(name)) = tokens.get(at) {
            names.push(name.clone());
            at += 1;
            if tokens.get(at) != Some(&Token::Path) {
                break;
            }
            at += 1;
        }
        if names.len() > 1 && !joined {
            self.paths.insert(names);
        }
        at
    }

    /// Takes a tree of `use` below a path; returns the place after it.
    fn take_use(&mut self, tokens: &[Token], mut at: usize, below: &Names) -> usize {
        let mut path = below.clone();
        loop {
            match tokens.get(at) {
                Some(Token::Name(name)) if name == "as" => {
                    if let Some(Token::Name(alias)) = tokens.get(at + 1) {
                        self.bind(alias.clone(), path);
                    }
                    return at + 2;
                }
                Some(Token::Name(name)) => {
                    if name != "self" || path.is_empty() {
                        path.push(name.clone());
                    }
                    at += 1;
                }
                Some(Token::Path) => at += 1,
                Some(Token::Sign('*')) => {
                    self.globs.push(path);
                    return at + 1;
                }
                Some(Token::Sign('{')) => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| *token != Token::Sign('}')) {
                        at = self.take_use(tokens, at, &path);
                        if tokens.get(at) == Some(&Token::Sign(',')) {
                            at += 1;
                        }
                    }
                    return at + 1;
                }
                _ => {
                    if let Some(last) = path.last().cloned() {
                        self.bind(last, path);
                    }
                    return at;
                }
            }
        }
    }

    fn bind(&mut self, name: String, path: Names) {
        self.paths.insert(path.clone());
        self.bound.insert(name, path);
    }
}

/// Returns whether the declaration of a module at `at` has a `#[path = ...]`, so that its file is elsewhere.
fn has_path_before(tokens: &[Token], at: usize) -> bool {
    let before: Vec<&Token> =
        tokens[..at].iter().rev().take_while(|token| !matches!(token, Token::Sign(';' | '}'))).collect();
    before.iter().any(|token| **token == Token::Name("path".to_owned()))
}
