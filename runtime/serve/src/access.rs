//! Access control of a server: the hosts that requests may name, the origins of web pages, and the keys of clients.
//!
//! A web page that a user of this machine visits can send requests to `127.0.0.1`. If a name of the page's own resolves
//! to that address, these requests have the same origin (DNS rebinding). [`hosts`] rejects such names, [`origins`]
//! rejects other pages, and [`keys`] rejects all clients that the operator does not know. The lists are data here;
//! [`gate`](crate::gate) checks requests against them in front of the routes.

pub(crate) mod hosts;
pub(crate) mod keys;
pub(crate) mod origins;

use std::net::SocketAddr;

use hosts::AllowedHosts;
use keys::AllowedKeys;
use origins::AllowedOrigins;

/// Access control of a server. By default it answers requests to loopback names and to the address that it listens on, allows no web pages of other
/// origins, and needs no key.
///
/// ```
/// let mut access = ogc_serve::AccessOptions::default();
/// access.allow_host("models.example.org")?;
/// access.allow_origin("https://example.org")?;
/// access.add_key("a-key-of-one-client")?;
/// assert!(!format!("{access:?}").contains("a-key"));
/// # Ok::<(), ogc_serve::AccessError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AccessOptions {
    pub(crate) hosts: AllowedHosts,
    pub(crate) origins: AllowedOrigins,
    pub(crate) keys: AllowedKeys,
}

/// Reason why an access option is invalid.
///
/// ```
/// let mut access = ogc_serve::AccessOptions::default();
/// let error = access.allow_origin("example.org").expect_err("no scheme");
/// assert!(error.to_string().contains("https://example.org"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// A host is neither a name nor an address.
    #[error(
        "`{given}` is no host: give a name or an address without a scheme and a port, such as models.example.org, or * for any"
    )]
    Host {
        /// The host.
        given: String,
    },
    /// An origin is not that of a web page.
    #[error(
        "`{given}` is no origin: give a scheme, a host and a port if there is one, such as https://example.org, or null, or * for any"
    )]
    Origin {
        /// The origin.
        given: String,
    },
    /// A key contains characters that a header cannot have. The error does not contain the key.
    #[error("a key {reason}: give 1 to {limit} visible ASCII characters without commas")]
    Key {
        /// Reason why the key is invalid.
        reason: &'static str,
        /// Maximum number of characters of a key.
        limit: usize,
    },
    /// The server listens on all addresses, so it does not know its host names.
    #[error(
        "{address} is every address of this machine, so the hosts that requests may name must be listed: use --allow-host NAME, or --allow-host '*' for any"
    )]
    NoHosts {
        /// The address.
        address: SocketAddr,
    },
}

impl AccessOptions {
    /// Allows requests that name a host, beside loopback and the address that the server listens on; `*` allows any.
    ///
    /// # Errors
    /// `given` is neither a name nor an address.
    ///
    /// ```
    /// let mut access = ogc_serve::AccessOptions::default();
    /// assert!(access.allow_host("[2001:db8::1]").is_ok());
    /// assert!(access.allow_host("https://example.org").is_err());
    /// ```
    pub fn allow_host(&mut self, given: &str) -> Result<(), AccessError> {
        if self.hosts.add(given) { Ok(()) } else { Err(AccessError::Host { given: given.to_owned() }) }
    }

    /// Allows web pages of an origin; `null` allows sandboxed pages and files, `*` any page.
    ///
    /// # Errors
    /// `given` is not an origin.
    ///
    /// ```
    /// let mut access = ogc_serve::AccessOptions::default();
    /// assert!(access.allow_origin("http://localhost:3000").is_ok());
    /// assert!(access.allow_origin("http://localhost:3000/page").is_err());
    /// ```
    pub fn allow_origin(&mut self, given: &str) -> Result<(), AccessError> {
        if self.origins.add(given) { Ok(()) } else { Err(AccessError::Origin { given: given.to_owned() }) }
    }

    /// Adds a key. As soon as there is a key, all requests need one, except `GET /health`.
    ///
    /// # Errors
    /// The key is empty, too long, or has characters that a header cannot have.
    ///
    /// ```
    /// let mut access = ogc_serve::AccessOptions::default();
    /// assert!(access.add_key("").is_err());
    /// assert!(access.add_key("two words").is_err());
    /// ```
    pub fn add_key(&mut self, key: &str) -> Result<(), AccessError> {
        self.keys.add(key)
    }

    /// Returns whether requests need a key.
    ///
    /// ```
    /// assert!(!ogc_serve::AccessOptions::default().needs_key());
    /// ```
    #[must_use]
    pub fn needs_key(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Checks that a server on an address knows its hosts.
    ///
    /// # Errors
    /// The address is every address of the machine, and no host is allowed.
    ///
    /// ```
    /// let mut access = ogc_serve::AccessOptions::default();
    /// let every = std::net::SocketAddr::from(([0, 0, 0, 0], 8080));
    /// assert!(access.check_address(every).is_err());
    /// access.allow_host("*")?;
    /// assert!(access.check_address(every).is_ok());
    /// # Ok::<(), ogc_serve::AccessError>(())
    /// ```
    pub fn check_address(&self, address: SocketAddr) -> Result<(), AccessError> {
        if address.ip().is_unspecified() && self.hosts.is_empty() {
            return Err(AccessError::NoHosts { address });
        }
        Ok(())
    }
}
