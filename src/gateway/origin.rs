//! The same-origin check: a page on a foreign site must not play in the name of whoever visits it.
//!
//! Only browsers send `Origin`, and always do; whoever sends none is a program and has no cookie
//! that somebody else could make it use.

/// Whether a page of `origin` may open a session at `host`, both as the request's headers have
/// them. `allowed` are further origins.
pub fn is_allowed(origin: &str, host: Option<&str>, allowed: &[String]) -> bool {
    if allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
        return true;
    }
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let own_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return false,
    };
    // Browsers leave the scheme's own port out of `Origin`; a `Host` may still have it.
    let bare = |authority: &str| {
        authority.strip_suffix(own_port).unwrap_or(authority).to_ascii_lowercase()
    };
    !authority.is_empty() && host.is_some_and(|host| bare(host) == bare(authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_same_host_is_allowed_whatever_port_is_left_out() {
        for (origin, host) in [
            ("http://localhost:8080", "localhost:8080"),
            ("https://hex.example.org", "hex.example.org"),
            ("https://hex.example.org", "hex.example.org:443"),
            ("http://Hex.Example.org", "hex.example.org:80"),
            ("http://[::1]:8080", "[::1]:8080"),
        ] {
            assert!(is_allowed(origin, Some(host), &[]), "{origin} at {host}");
        }
    }

    #[test]
    fn a_page_of_another_host_port_or_scheme_is_not() {
        for (origin, host) in [
            ("http://evil.example", "hex.example.org"),
            ("http://hex.example.org.evil.example", "hex.example.org"),
            ("http://localhost:8081", "localhost:8080"),
            ("http://hex.example.org:443", "hex.example.org"),
            ("file://hex.example.org", "hex.example.org"),
            ("null", "hex.example.org"),
            ("", ""),
            ("http://", ""),
        ] {
            assert!(!is_allowed(origin, Some(host), &[]), "{origin} at {host}");
        }
        assert!(!is_allowed("http://localhost", None, &[]));
    }

    #[test]
    fn a_listed_origin_is_allowed_at_any_host() {
        let allowed = ["https://hex.example.org".to_owned()];
        assert!(is_allowed("https://hex.example.org", Some("10.0.0.5:8080"), &allowed));
        assert!(!is_allowed("http://hex.example.org", Some("10.0.0.5:8080"), &allowed));
    }
}
