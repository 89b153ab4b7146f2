//! Origins of web pages: reads them, and decides which origins may use a server.

use super::hosts::Authority;

/// The origins that an operator allows.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedOrigins {
    any: bool,
    origins: Vec<String>,
}

impl AllowedOrigins {
    /// Adds an origin, `null`, or any origin with `*`; returns whether `given` is valid.
    pub(super) fn add(&mut self, given: &str) -> bool {
        if given == "*" {
            self.any = true;
            return true;
        }
        let origin = if given == "null" { Some(given.to_owned()) } else { canonical(given) };
        let is_origin = origin.is_some();
        self.origins.extend(origin);
        is_origin
    }

    /// Returns whether no foreign origin is allowed.
    pub(crate) fn is_empty(&self) -> bool {
        !self.any && self.origins.is_empty()
    }

    /// Returns whether pages of an origin are allowed.
    pub(crate) fn allow(&self, origin: &str) -> bool {
        self.any || canonical(origin).is_some_and(|origin| self.origins.contains(&origin)) || self.lists(origin)
    }

    /// `null` is an origin without a scheme.
    fn lists(&self, origin: &str) -> bool {
        self.origins.iter().any(|listed| listed == origin)
    }
}

/// Returns whether a page of an origin came from the host that it now asks, as when a proxy serves both.
pub(crate) fn is_same(origin: &str, asked: &Authority) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let Some(port) = default_port(scheme) else { return false };
    let of = |authority: &Authority| authority.port.unwrap_or(port);
    Authority::read(authority).is_some_and(|page| page.host == asked.host && of(&page) == of(asked))
}

/// Writes an origin as browsers do: in lower case, without the default port of its scheme.
fn canonical(given: &str) -> Option<String> {
    let (scheme, authority) = given.split_once("://")?;
    let mut letters = scheme.bytes();
    let is_scheme = letters.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let read = Authority::read(authority)?;
    let scheme = scheme.to_ascii_lowercase();
    let mut authority = authority.to_ascii_lowercase();
    if read.port.is_some()
        && read.port == default_port(&scheme)
        && let Some((host, _)) = authority.rsplit_once(':')
    {
        authority = host.to_owned();
    }
    (is_scheme && !authority.ends_with(':')).then(|| format!("{scheme}://{authority}"))
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_compared_in_normalised_form() {
        let mut origins = AllowedOrigins::default();
        for given in ["https://Example.org:443", "http://localhost:3000", "vscode-webview://a1b2", "http://[::1]:80"] {
            assert!(origins.add(given), "{given}");
        }
        for origin in ["https://example.org", "http://localhost:3000", "vscode-webview://a1b2", "http://[::1]"] {
            assert!(origins.allow(origin), "{origin}");
        }
        let foreign =
            ["http://example.org", "https://example.org:8443", "https://example.org.evil.example", "null", "", "x"];
        for origin in
            foreign.into_iter().chain(["http://localhost:3001", "https://a.example.org", "https://example.org/"])
        {
            assert!(!origins.allow(origin), "{origin}");
        }
        assert!(origins.add("null") && origins.allow("null"));
        for wrong in
            ["", "example.org", "https://", "https://example.org/", "https://a b", "https://a:1:2", "https://e.org:"]
        {
            assert!(!AllowedOrigins::default().add(wrong), "{wrong}");
        }
    }

    #[test]
    fn pages_of_the_same_host_and_port_are_same_origin() {
        let same = |origin: &str, host: &str| is_same(origin, &Authority::read(host).expect("a host"));
        assert!(same("http://localhost:8080", "localhost:8080"));
        assert!(same("https://models.example.org", "models.example.org"));
        assert!(same("https://models.example.org", "Models.example.org:443"));
        assert!(!same("http://localhost:3000", "localhost:8080"));
        assert!(!same("http://localhost", "localhost:8080"));
        assert!(!same("http://evil.example:8080", "localhost:8080"));
        assert!(!same("null", "localhost:8080") && !same("file://", "localhost:8080"));
    }
}
