//! Keys of clients.
//!
//! Only hashes are kept and compared. `blake3::Hash` compares in constant time, so the time does not tell how much a wrong key has in common with a
//! right key. No key can appear in debug output of a server.

use super::AccessError;

/// Maximum number of characters of a key.
const MAX_KEY: usize = 1_024;

/// The keys that an operator gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedKeys {
    hashes: Vec<blake3::Hash>,
}

impl AllowedKeys {
    pub(super) fn add(&mut self, key: &str) -> Result<(), AccessError> {
        let wrong = |reason| Err(AccessError::Key { reason, limit: MAX_KEY });
        if key.is_empty() {
            return wrong("is empty");
        }
        if key.len() > MAX_KEY {
            return wrong("is too long");
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',') {
            return wrong("has a character that no key has");
        }
        self.hashes.push(blake3::hash(key.as_bytes()));
        Ok(())
    }

    /// Returns whether no key is needed.
    pub(crate) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Returns whether one of the keys was given. All keys are compared, so that the time does not tell which one matched.
    pub(crate) fn allow(&self, given: &[u8]) -> bool {
        let given = blake3::hash(given);
        self.hashes.iter().fold(false, |is_one, hash| is_one | (*hash == given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_api_keys_is_accepted() {
        let mut keys = AllowedKeys::default();
        assert!(keys.is_empty() && !keys.allow(b""));
        keys.add("first").expect("a key");
        keys.add("second").expect("a key");
        assert!(keys.allow(b"first") && keys.allow(b"second"));
        assert!(!keys.allow(b"firs") && !keys.allow(b"first ") && !keys.allow(b"third") && !keys.allow(b""));
    }

    #[test]
    fn errors_about_malformed_keys_do_not_reveal_them() {
        for wrong in
            [String::new(), "secret word".to_owned(), "secret,".to_owned(), "secr\u{e9}t".to_owned(), "s".repeat(1_025)]
        {
            let error = AllowedKeys::default().add(&wrong).expect_err("wrong").to_string();
            assert!(!error.contains("secr") && error.contains("1024"), "{error}");
        }
    }
}
