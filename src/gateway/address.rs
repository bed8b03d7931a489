//! Where a connection comes from, for the limits that go by address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;
use ipnet::IpNet;

use super::settings::Settings;

/// Who shares one limit: an IPv4 address, or the /64 that an IPv6 address belongs to, since one
/// household has a whole one of those.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Address(IpAddr);

/// Where a connection comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Who it counts for.
    pub address: Address,
    /// Whether the limits by address spare it.
    pub exempt: bool,
}

impl Address {
    /// Whom an address counts for.
    pub fn of(ip: IpAddr) -> Address {
        Address(match ip.to_canonical() {
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 => v4,
        })
    }
}

/// Where a request comes from: the peer, or the visitor that a trusted proxy names. Of the
/// addresses in `X-Forwarded-For` the last one counts that is no trusted proxy's, because all
/// before it are the visitor's own claim.
pub fn source(peer: IpAddr, headers: &HeaderMap, settings: &Settings) -> Source {
    let trusted = |ip: IpAddr| settings.trusted_proxies.iter().any(|net: &IpNet| net.contains(&ip));
    let mut visitor = peer.to_canonical();
    let forwarded = headers.get_all("x-forwarded-for").iter().rev();
    let mut claims = forwarded
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.rsplit(','))
        .map_while(|claim| named(claim.trim()));
    while trusted(visitor)
        && let Some(claim) = claims.next()
    {
        visitor = claim.to_canonical();
    }
    let local = visitor.is_loopback() || trusted(visitor);
    Source { address: Address::of(visitor), exempt: settings.exempt_local && local }
}

/// An address as proxies write it: some add the port.
fn named(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&str], proxies: &[&str]) -> Source {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted_proxies = proxies.iter().map(|net| net.parse().unwrap()).collect();
        let settings = Settings { trusted_proxies, ..Settings::default() };
        source(peer.parse().unwrap(), &headers, &settings)
    }

    fn address(text: &str) -> Address {
        Address::of(text.parse().unwrap())
    }

    #[test]
    fn a_stranger_is_not_believed() {
        let source = from("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]);
        assert_eq!(source, Source { address: address("203.0.113.9"), exempt: false });
    }

    #[test]
    fn a_trusted_proxy_names_the_visitor_and_not_what_the_visitor_claims() {
        let chain = ["192.0.2.1, 198.51.100.1", "10.0.0.2"];
        let source = from("10.0.0.1", &chain, &["10.0.0.0/8"]);
        assert_eq!(source, Source { address: address("198.51.100.1"), exempt: false });
    }

    #[test]
    fn a_proxy_may_add_the_port() {
        for forwarded in ["198.51.100.1:4711", "[2001:db8::1]:4711"] {
            let named = from("10.0.0.1", &[forwarded], &["10.0.0.0/8"]);
            let alone: SocketAddr = forwarded.parse().unwrap();
            assert_eq!(named, Source { address: Address::of(alone.ip()), exempt: false });
        }
    }

    #[test]
    fn loopback_and_a_proxy_that_names_nobody_are_exempt() {
        assert!(from("127.0.0.1", &[], &[]).exempt);
        assert!(from("::1", &[], &[]).exempt);
        assert!(from("::ffff:127.0.0.1", &[], &[]).exempt);
        assert!(from("10.0.0.1", &[], &["10.0.0.0/8"]).exempt);
        assert!(!from("127.0.0.1", &["203.0.113.9"], &["127.0.0.1/32"]).exempt);
        assert!(!from("10.0.0.1", &["not an address"], &[]).exempt);
    }

    #[test]
    fn the_neighbours_in_one_ipv6_network_count_as_one() {
        assert_eq!(address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::"));
        assert_ne!(address("2001:db8:1:2::"), address("2001:db8:1:3::"));
    }
}
