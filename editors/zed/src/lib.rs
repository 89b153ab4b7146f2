//! Tells Zed how the language server of ogc is started: the binary of the settings, else `ogc` on PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree, serde_json};

struct Ogc;

impl zed::Extension for Ogc {
    fn new() -> Self {
        Ogc
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let settings = LspSettings::for_worktree("ogc", worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = settings.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path
            .or_else(|| worktree.which("ogc"))
            .ok_or("`ogc` is not on PATH: install it, or set `lsp.ogc.binary.path`")?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree("ogc", worktree)?.initialization_options)
    }
}

zed::register_extension!(Ogc);
