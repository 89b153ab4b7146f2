//! The client behind a connection, identified by its address, so that resources can be shared fairly among clients.

use std::future::Future;
use std::net::IpAddr;

use ogc_runtime::cache::Client;

tokio::task_local! {
    static PEER: Client;
}

/// Returns the client with an address. All addresses of one IPv6 network are one client, because a machine can have any number of them.
pub(crate) fn of_address(address: IpAddr) -> Client {
    match address.to_canonical() {
        IpAddr::V4(address) => Client(u64::from(address.to_bits())),
        IpAddr::V6(address) => Client((address.to_bits() >> 64) as u64 | 1 << 63),
    }
}

/// Runs `answer` for a request of a client.
pub(crate) fn answering<F: Future>(client: Client, answer: F) -> impl Future<Output = F::Output> {
    PEER.scope(client, answer)
}

/// Returns the client whose request this task answers.
pub(crate) fn current() -> Client {
    PEER.try_with(|client| *client).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let client = |address: &str| of_address(address.parse().expect("an address"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::2:3"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
        assert_eq!(client("10.0.0.1"), client("::ffff:10.0.0.1"));
    }
}
