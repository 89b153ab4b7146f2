//! Hosts: reads them from requests, and decides which hosts a server answers to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// A host: an address, or a name in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Address(IpAddr),
    Name(String),
}

/// A host with its port, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority {
    pub(crate) host: Host,
    pub(crate) port: Option<u16>,
}

impl Authority {
    /// Reads `HOST` or `HOST:PORT`; `None` if the text is neither.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (host, rest) = match text.strip_prefix('[') {
            Some(inside) => {
                let (address, rest) = inside.split_once(']')?;
                (Host::address(address.parse::<Ipv6Addr>().ok()?), rest)
            }
            None => {
                let (name, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
                (Host::name(name)?, rest)
            }
        };
        let port = match rest.strip_prefix(':') {
            None if rest.is_empty() => None,
            None => return None,
            Some("") => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            Some(_) => return None,
        };
        Some(Self { host, port })
    }
}

impl Host {
    fn address(address: impl Into<IpAddr>) -> Self {
        Self::Address(address.into().to_canonical())
    }

    /// Reads a name or an address of version 4.
    fn name(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Some(Self::address(address));
        }
        // A name that ends with a dot is the same name.
        let name = text.strip_suffix('.').unwrap_or(text);
        let is_right = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        (!name.is_empty() && name.bytes().all(is_right)).then(|| Self::Name(name.to_ascii_lowercase()))
    }

    fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.is_loopback(),
            Self::Name(name) => name == "localhost",
        }
    }
}

/// The hosts that an operator allows.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedHosts {
    any: bool,
    hosts: Vec<Host>,
}

impl AllowedHosts {
    /// Adds a host, or any host with `*`; returns whether `given` is valid.
    pub(super) fn add(&mut self, given: &str) -> bool {
        if given == "*" {
            self.any = true;
            return true;
        }
        let host = match given.parse::<Ipv6Addr>() {
            Ok(address) => Some(Host::address(address)),
            Err(_) => Authority::read(given).filter(|_| !given.ends_with(':')).and_then(|read| match read.port {
                None => Some(read.host),
                Some(_) => None,
            }),
        };
        let is_host = host.is_some();
        self.hosts.extend(host);
        is_host
    }

    /// Returns whether no host is listed.
    pub(super) fn is_empty(&self) -> bool {
        !self.any && self.hosts.is_empty()
    }

    /// Returns whether a server that listens on `address` answers to a host. Ports are ignored, because forwarded ports differ.
    pub(crate) fn allow(&self, host: &Host, address: Option<SocketAddr>) -> bool {
        let listens = address.map(|address| address.ip()).filter(|ip| !ip.is_unspecified());
        self.any || host.is_loopback() || self.hosts.contains(host) || listens.map(Host::address).as_ref() == Some(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(listed: &[&str], address: &str, host: &str) -> bool {
        let mut hosts = AllowedHosts::default();
        assert!(listed.iter().all(|given| hosts.add(given)), "{listed:?}");
        let address = address.parse().expect("an address");
        Authority::read(host).is_some_and(|read| hosts.allow(&read.host, Some(address)))
    }

    #[test]
    fn loopback_and_the_listen_address_are_allowed_hosts() {
        let own = ["localhost", "LOCALHOST:1", "localhost.", "127.0.0.1:8080", "127.9.8.7", "[::1]", "[::1]:80"];
        for host in own.into_iter().chain(["[::ffff:127.0.0.1]:8080"]) {
            assert!(allows(&[], "127.0.0.1:8080", host), "{host}");
            assert!(allows(&[], "192.168.1.5:8080", host), "{host}");
        }
        assert!(allows(&[], "192.168.1.5:8080", "192.168.1.5:9090"));
        assert!(!allows(&[], "192.168.1.5:8080", "192.168.1.6:8080"));
        assert!(!allows(&[], "0.0.0.0:8080", "0.0.0.0:8080"), "every address is none");
    }

    #[test]
    fn names_that_only_look_like_loopback_are_refused() {
        let foreign = [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.1",
            "0x7f000001",
            "2130706433",
            "",
            ":80",
            "localhost:",
            "user@localhost",
            "localhost:8o",
            "localhost:+80",
            "localhost:99999",
            "[::1",
            "[::1]x",
            "localhost, evil",
            "evil.example#localhost",
        ];
        for host in foreign {
            let is_localhost_without_port = host == "localhost:";
            assert_eq!(allows(&[], "127.0.0.1:8080", host), is_localhost_without_port, "{host}");
        }
    }

    #[test]
    fn hosts_listed_by_the_operator_are_allowed() {
        let listed = ["Models.example.org", "10.0.0.7", "2001:db8::1"];
        for host in ["models.EXAMPLE.org:443", "10.0.0.7", "[2001:db8::1]:8080"] {
            assert!(allows(&listed, "0.0.0.0:8080", host), "{host}");
        }
        assert!(!allows(&listed, "0.0.0.0:8080", "example.org"));
        assert!(allows(&["*"], "0.0.0.0:8080", "anything.example"));
        for wrong in
            ["", "https://example.org", "example.org:80", "example.org:", "a b", "**", "*.example.org", "e\u{e9}.org"]
        {
            assert!(!AllowedHosts::default().add(wrong), "{wrong}");
        }
    }
}
