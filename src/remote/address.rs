//! Where a server is.

use std::fmt;
use std::str::FromStr;

use tokio_tungstenite::tungstenite::http::Uri;

/// A server's address, read from `http://host:port` or `ws://host:port/ws`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    authority: String,
    host: String,
    port: u16,
    path: String,
}

/// Why a text is not the address of a server.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAnAddress {
    /// TLS is left to a proxy.
    #[error(
        "`{0}` asks for TLS, which this program does not speak: name the server behind the proxy as `http://host:port`"
    )]
    Tls(String),
    /// Not a URL of a server.
    #[error("`{0}` is not the address of a server: one looks like `http://127.0.0.1:8080`")]
    Malformed(String),
}

impl Address {
    /// The host to connect to, without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where the server's pages are, without a slash at the end: `http://host:port`.
    pub fn http(&self) -> String {
        let base = self.path.strip_suffix("/ws").unwrap_or(&self.path);
        format!("http://{}{base}", self.authority)
    }
}

impl fmt::Display for Address {
    /// The address of the WebSocket.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ws://{}{}", self.authority, self.path)
    }
}

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Address, NotAnAddress> {
        let malformed = || NotAnAddress::Malformed(text.into());
        let uri: Uri = text.parse().map_err(|_| malformed())?;
        match uri.scheme_str() {
            Some("http" | "ws") => {}
            Some("https" | "wss") => return Err(NotAnAddress::Tls(text.into())),
            _ => return Err(malformed()),
        }
        let authority = uri.authority().ok_or_else(malformed)?;
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(malformed());
        }
        let base = uri.path().trim_end_matches('/');
        Ok(Address {
            authority: authority.as_str().into(),
            host: authority.host().trim_matches(['[', ']']).into(),
            port: authority.port_u16().unwrap_or(80),
            path: if base.ends_with("/ws") { base.into() } else { format!("{base}/ws") },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_websocket_and_the_pages_of_its_server() {
        for (text, url, pages, host, port) in [
            (
                "http://127.0.0.1:8080",
                "ws://127.0.0.1:8080/ws",
                "http://127.0.0.1:8080",
                "127.0.0.1",
                8080,
            ),
            ("http://hall.org/", "ws://hall.org/ws", "http://hall.org", "hall.org", 80),
            ("ws://[::1]:9/ws", "ws://[::1]:9/ws", "http://[::1]:9", "::1", 9),
            ("http://a.org/hex/", "ws://a.org/hex/ws", "http://a.org/hex", "a.org", 80),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((address.to_string(), address.http()), (url.to_owned(), pages.to_owned()));
            assert_eq!((address.host(), address.port()), (host, port));
        }
    }

    #[test]
    fn tls_is_refused_with_what_to_do_instead() {
        for text in ["https://hall.example", "wss://hall.example/ws"] {
            let refused = text.parse::<Address>().unwrap_err();
            assert_eq!(refused, NotAnAddress::Tls(text.into()));
            assert!(refused.to_string().contains("http://host:port"));
        }
    }

    #[test]
    fn texts_that_are_no_addresses_are_refused() {
        for text in ["", "localhost", "localhost:80", "ftp://a", "http://", "http://u:p@host"] {
            assert_eq!(text.parse::<Address>(), Err(NotAnAddress::Malformed(text.into())));
        }
    }
}
