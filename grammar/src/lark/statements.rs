//! Reads the statements that begin with `%`.

use super::ast::{Captures, Ending, File, Import, Item, Mode, Node, NodeKind, Options};
use super::common;
use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::json::{self, JsonKind};
use crate::rules::nearest;
use crate::span::{Span, Spanned};

impl Parser<'_, '_> {
    pub(super) fn directive(&mut self, word: &str, file: &mut File) -> Option<()> {
        let place = self.here();
        self.at += 1;
        self.first = self.at;
        match word {
            "import" => self.import(file)?,
            "ignore" => {
                let ignored = self.alternation()?;
                file.ignored.push(ignored);
            }
            "override" => self.item(Mode::Override, file)?,
            "extend" => self.item(Mode::Extend, file)?,
            _ => {
                let message = "a declared terminal has no text: it is made by a program, which does not run here";
                let found = Diagnostic::error(Code::LarkDeclare, place, message);
                self.fail(found.help("define it: `NAME: /.../`"));
            }
        }
        self.check_end();
        Some(())
    }

    /// Reads `%import a.B`, `%import a.B -> C` or `%import a (B, C)`, each also with a dot before the path.
    fn import(&mut self, file: &mut File) -> Option<()> {
        let start = self.here();
        if self.peek_token() == Some(&Token::Dots) {
            let message = "an import leads to the folder of its file, or into folders in it";
            let found = Diagnostic::error(Code::LarkImport, start, message);
            self.fail(
                found.help("write one dot, and put the file there: `%import .a.b.rule` takes `rule` from `a/b.lark`"),
            );
            return None;
        }
        let is_relative = self.eat('.');
        let mut path = vec![self.expect_name("an import names a library or a file, and what is taken from it")?];
        while self.eat('.') {
            path.push(self.expect_name("a name follows `.`")?);
        }
        let names = if self.eat('(') { self.imported_names()? } else { path.pop().into_iter().collect() };
        let span = start.merge(self.previous_span());
        self.check_alias()?;
        let alias = if self.peek_token() == Some(&Token::Arrow) { self.alias()? } else { None };
        let parts: Vec<String> = path.into_iter().map(|part| part.value).collect();
        let library = parts.join(".");
        if !is_relative && common::LIBRARIES.contains(&library.as_str()) {
            names.into_iter().for_each(|name| self.import_one(&library, name, alias.clone(), file));
            return Some(());
        }
        if parts.is_empty() {
            let found = Diagnostic::error(Code::LarkImport, span, "an import names a file and what is taken from it");
            if let Some(Token::Name(name)) = self.peek_token().filter(|_| !self.at_head()) {
                let help = format!("write `%import {}.{name}`", span.text(self.text));
                self.fail(found.help(help));
                return None;
            }
            self.fail(found.help("write `%import .file.rule`, or `%import .file (rule, TERMINAL)`"));
            return None;
        }
        let names = names.into_iter().map(|name| (name, alias.clone())).collect();
        file.imports.push(Import { span, is_relative, parts, names });
        Some(())
    }

    /// Reports an alias as Python writes it: `%import common.WS as SPACE`.
    fn check_alias(&mut self) -> Option<()> {
        let (Some(Token::Name(word)), Some(alias)) = (self.peek_token(), self.lexemes.get(self.at + 1)) else {
            return Some(());
        };
        if word != "as" || self.at_head() {
            return Some(());
        }
        let help = format!("write `-> {}`", alias.span.text(self.text));
        let found = Diagnostic::error(Code::LarkImport, self.here(), "`->` stands before the new name of an import");
        self.fail(found.help(help));
        None
    }

    fn imported_names(&mut self) -> Option<Vec<Spanned<String>>> {
        let mut names = Vec::new();
        loop {
            names.push(self.expect_name("the list of an import holds names")?);
            if !self.eat(',') {
                break;
            }
        }
        if self.eat(')') {
            return Some(names);
        }
        self.fail_unexpected();
        None
    }

    #[allow(clippy::option_option, reason = "absence and mistakes are told apart")]
    fn alias(&mut self) -> Option<Option<Spanned<String>>> {
        self.at += 1;
        self.expect_name("an alias is a name: `-> NAME`").map(Some)
    }

    fn import_one(&mut self, library: &str, name: Spanned<String>, alias: Option<Spanned<String>>, file: &mut File) {
        let Some(pattern) = common::pattern(library, &name.value) else {
            let message = format!("the library `{library}` has no terminal `{}` here", name.value);
            let found = Diagnostic::error(Code::LarkImport, name.span, message);
            let help = match nearest(&name.value, common::names(library)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "define it in this file".to_owned(),
            };
            self.sink.push(found.help(help));
            return;
        };
        let body = Node::new(NodeKind::Regex(pattern), name.span);
        let name = alias.unwrap_or(name);
        file.items.push(Item {
            name,
            params: Vec::new(),
            mode: Mode::Define,
            ending: Ending::Free,
            length: None,
            captures: Captures::default(),
            body,
        });
    }

    /// Reads `%llguidance { ... }`: options of that engine, as JSON.
    pub(super) fn header(&mut self, body: Span, file: &mut File) {
        let (value, found) = json::parse(body.text(self.text));
        let value = value.filter(|_| found.is_empty());
        let Some(members) = value.as_ref().and_then(|value| value.as_object()) else {
            self.fail(option_error(body, "the options are no JSON object"));
            return;
        };
        let mut options = Options { initial_skip: false, ..Options::default() };
        for member in members {
            let on = member.value.kind == JsonKind::Bool(true);
            let known = member.value.as_bool().is_some();
            match member.key.value.as_str() {
                "allow_initial_skip" if known => options.initial_skip = on,
                "ignore_once" if known => options.ignore_once = on,
                // Forced tokens follow from the automaton; the format does not decide whether they are used.
                "no_forcing" if known => {}
                name => {
                    let message = format!("the option `{name}` is not known, or is not true or false");
                    self.fail(option_error(member.key.span.shifted(body.start), &message));
                }
            }
        }
        if options.initial_skip && options.ignore_once {
            self.fail(option_error(body, "`ignore_once` and `allow_initial_skip` cannot both be kept"));
        }
        file.options = options;
        self.check_end();
    }
}

fn option_error(place: Span, message: &str) -> Diagnostic {
    let help =
        "write `%llguidance {}`, or with \"allow_initial_skip\", \"ignore_once\" or \"no_forcing\" as true or false";
    Diagnostic::error(Code::LarkOption, place, message).help(help)
}
