//! Scripts: tokens that a sequence is given one after another, and tokens that are taken back, with the matcher's answers.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

/// Capacity of a slot's log in tokens.
pub const MOST_LOG: usize = 16;

/// Bytes that are tried more often than others: bytes of escapes, and structural bytes.
const LIKELY: &[u8] = b"\\\\\\\"\",:{}[]uuddD8cC01ab<";

/// Commands, and a letter for the state at the beginning and after each command: `c` if it was accepted and the text may end, `a` if it was
/// accepted, `e` if it ended the text, `r` if it was refused.
#[derive(Clone, Debug)]
pub struct Script {
    /// A token; or if negative, the number of tokens to take back.
    pub commands: Vec<i32>,
    pub said: String,
}

/// A script being written: the matcher, and the tokens that a slot could take back.
struct Writer {
    matcher: Matcher,
    log: usize,
    script: Script,
}

/// The subject of a script.
#[derive(Clone, Debug)]
pub struct Subject {
    pub format: Arc<Automaton>,
    pub store: Arc<MaskStore>,
    /// Stop tokens other than the vocabulary's.
    pub stops: Option<Vec<TokenId>>,
}

impl Subject {
    pub fn matcher(&self) -> Matcher {
        let mut matcher = Matcher::new(Arc::clone(&self.format), Arc::clone(&self.store));
        matcher.set_stop_tokens(self.stops.as_deref());
        matcher
    }

    /// Writes a script of given commands.
    pub fn script(&self, commands: &[i32]) -> Script {
        let mut writer = Writer::new(self.matcher());
        for &command in commands {
            assert!(writer.write(command), "the matcher gives up");
        }
        writer.script
    }

    /// Writes a script of `len` commands, each chosen after the matcher has read the commands before it.
    pub fn walk(&self, len: usize, mut choose: impl FnMut(&mut Matcher) -> i32) -> Script {
        let mut writer = Writer::new(self.matcher());
        for _ in 0..len {
            let command = choose(&mut writer.matcher);
            assert!(writer.write(command), "the matcher gives up");
        }
        writer.script
    }

    /// Writes a script of tokens. Before each, other tokens are tried; accepted ones are taken back.
    pub fn script_with_tries(&self, tokens: &[i32], others: &[i32]) -> Script {
        let mut writer = Writer::new(self.matcher());
        for token in tokens {
            for other in others {
                assert!(writer.write(*other), "the matcher gives up");
                if !writer.script.said.ends_with('r') {
                    writer.write(-1);
                }
            }
            assert!(writer.write(*token), "the matcher gives up");
        }
        writer.script
    }

    /// Writes a script of about `len` random commands, most of which are accepted.
    pub fn random_script(&self, random: &mut Random, len: usize) -> Script {
        let mut writer = Writer::new(self.matcher());
        while writer.script.commands.len() < len {
            let command = self.random_command(random, &mut writer.matcher);
            if !command.is_some_and(|command| writer.write(command)) {
                break;
            }
        }
        writer.script
    }

    /// Returns a command; `None` if the matcher has no mask.
    fn random_command(&self, random: &mut Random, matcher: &mut Matcher) -> Option<i32> {
        let any = |random: &mut Random| random.below(self.store.vocabulary().len() + 3) as i32;
        Some(match random.below(40) {
            0 => -(1 + random.below(20) as i32),
            1 => -(1 + random.below(4) as i32),
            2 => any(random),
            3 => matcher.stop_tokens().first().map_or(0, |token| token.0 as i32),
            _ => {
                let allowed = matcher.mask().ok()?;
                let allowed = allowed.tokens();
                // Single bytes have their own numbers in the vocabulary of `formats`.
                let byte = TokenId(LIKELY[random.below(LIKELY.len())].into());
                match allowed.len() {
                    0 => any(random),
                    _ if random.below(3) > 0 && allowed.contains(&byte) => byte.0 as i32,
                    len => allowed[random.below(len)].0 as i32,
                }
            }
        })
    }
}

impl Writer {
    fn new(matcher: Matcher) -> Self {
        let said = String::from(done(&matcher));
        Self { matcher, log: 0, script: Script { commands: Vec::new(), said } }
    }

    /// Adds a command; returns `false` if the matcher exceeds a limit.
    fn write(&mut self, command: i32) -> bool {
        let letter = match u32::try_from(command) {
            Ok(token) => self.accept(TokenId(token)),
            Err(_) => Some(self.roll_back(command.unsigned_abs() as usize)),
        };
        let Some(letter) = letter else { return false };
        self.script.commands.push(command);
        self.script.said.push(letter);
        true
    }

    fn accept(&mut self, token: TokenId) -> Option<char> {
        match self.matcher.accept_token(token) {
            Ok(()) => {
                self.log = MOST_LOG.min(self.log + 1);
                Some(if self.matcher.is_terminated() { 'e' } else { done(&self.matcher) })
            }
            Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
                Some('r')
            }
            Err(_) => None,
        }
    }

    fn roll_back(&mut self, tokens: usize) -> char {
        if tokens > self.log {
            return 'r';
        }
        self.log -= tokens;
        self.matcher.rollback(tokens).unwrap();
        done(&self.matcher)
    }
}

fn done(matcher: &Matcher) -> char {
    if matcher.is_complete() { 'c' } else { 'a' }
}

/// Returns the answers before the host had to continue, and the letter of the reason.
pub fn decided(found: &str) -> (&str, Option<char>) {
    match found.find(|letter: char| letter.is_ascii_uppercase()) {
        Some(at) => (&found[..at], found[at..].chars().next()),
        None => (found, None),
    }
}

/// Compares the found answers with the matcher's, up to where the host had to continue.
#[track_caller]
pub fn assert_agrees(name: &str, script: &Script, found: &str) {
    let (decided, left) = decided(found);
    let agrees = if left.is_some() { script.said.starts_with(decided) } else { script.said == decided };
    assert!(agrees, "{name}, {:?}: found {found}, expected {}", script.commands, script.said);
}
