//! A web origin: the scheme, host and port that a browser names in its `Origin` header.

use std::fmt;
use std::str::FromStr;

use hyper::Uri;
use serde::{Deserialize, Serialize};

/// A scheme, a host and a port, as browsers write them: lower case, the scheme's own port left out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Origin(String);

/// Why a text is not a web origin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not an origin, which is `http://` or `https://`, a host, and no path")]
pub struct NotAnOrigin(String);

impl FromStr for Origin {
    type Err = NotAnOrigin;

    fn from_str(text: &str) -> Result<Origin, NotAnOrigin> {
        let refuse = || NotAnOrigin(text.chars().take(80).collect());
        let uri: Uri = text.parse().map_err(|_| refuse())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(refuse());
        };
        let own_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(refuse()),
        };
        // A colon without a number reads as no port at all, and a name before the host is a login.
        let host = authority.host();
        let port = match authority.port_u16() {
            Some(port) => Some(port),
            None if authority.as_str() == host => None,
            None => return Err(refuse()),
        };
        let bare = !text.contains(['?', '#', '@']) && matches!(uri.path(), "" | "/");
        if !bare || host.is_empty() {
            return Err(refuse());
        }
        let mut origin = format!("{scheme}://{}", host.to_ascii_lowercase());
        if let Some(port) = port.filter(|&port| port != own_port) {
            origin.push_str(&format!(":{port}"));
        }
        Ok(Origin(origin))
    }
}

impl Origin {
    /// Whether it is reached by `https`.
    pub fn is_secure(&self) -> bool {
        self.0.starts_with("https:")
    }
}

impl TryFrom<String> for Origin {
    type Error = NotAnOrigin;

    fn try_from(text: String) -> Result<Origin, NotAnOrigin> {
        text.parse()
    }
}

impl From<Origin> for String {
    fn from(origin: Origin) -> String {
        origin.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_as_browsers_write_it() {
        let read = |text: &str| text.parse::<Origin>().map(String::from);
        assert_eq!(read("https://Hex.Example.org:443/"), Ok("https://hex.example.org".to_owned()));
        assert_eq!(read("http://localhost:8080"), Ok("http://localhost:8080".to_owned()));
        assert_eq!(read("http://[::1]:80"), Ok("http://[::1]".to_owned()));
    }

    #[test]
    fn what_is_more_or_less_than_an_origin_is_refused() {
        for text in [
            "",
            "null",
            "hex.example.org",
            "ws://hex.example.org",
            "https://",
            "https://hex.example.org/play",
            "https://hex.example.org?x",
            "https://hex.example.org#x",
            "https://me@hex.example.org",
            "https://hex.example.org:port",
            "https://hex.example.org:",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
