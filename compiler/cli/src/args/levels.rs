//! Parses `-A`, `-W` and `-D`, the levels of findings, and keeps their order on the command line.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use ogc_grammar::Code;
use ogc_grammar::Level;
#[cfg(feature = "generate")]
use ogc_lint::findings::Levels;

/// Levels by code, in the order of the command line; a later one overrides an earlier one.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelArgs {
    pub(crate) flags: Vec<(Code, Level)>,
}

/// Name, letter, level and help of each flag.
const FLAGS: [(&str, char, Level, &str); 3] = [
    ("allow", 'A', Level::Allow, "Hide findings with this code; may be given several times"),
    ("warn", 'W', Level::Warn, "Show findings with this code as warnings; may be given several times"),
    ("deny", 'D', Level::Deny, "Show findings with this code as errors; may be given several times"),
];

impl LevelArgs {
    /// Returns `levels` overridden by those of the command line.
    #[cfg(feature = "generate")]
    pub(crate) fn over(&self, levels: &Levels) -> Levels {
        let mut levels = levels.clone();
        self.flags.iter().for_each(|(code, level)| levels.set(*code, *level));
        levels
    }
}

impl FromArgMatches for LevelArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut flags: Vec<(usize, Code, Level)> = Vec::new();
        for (name, _, level, _) in FLAGS {
            let codes = matches.get_many::<Code>(name).into_iter().flatten();
            let places = matches.indices_of(name).into_iter().flatten();
            flags.extend(places.zip(codes).map(|(place, code)| (place, *code, level)));
        }
        flags.sort_by_key(|(place, _, _)| *place);
        Ok(Self { flags: flags.into_iter().map(|(_, code, level)| (code, level)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LevelArgs {
    fn augment_args(command: Command) -> Command {
        FLAGS.into_iter().fold(command, |command, (name, letter, _, help)| {
            let flag = Arg::new(name).short(letter).long(name).value_name("CODE").help(help);
            command.arg(flag.action(ArgAction::Append).value_parser(code).help_heading("Findings"))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Parses the code of a diagnostic.
fn code(text: &str) -> Result<Code, String> {
    Code::from_name(text).ok_or_else(|| "no finding has this code; `ogc explain` lists them".to_owned())
}
