//! What the port answers over a real socket, whatever part of the server refuses: in the API's one
//! shape.

use hexhall::accounts::{Accounts, Token};
use hexhall::chance::Chance;
use hexhall::time::TimeSource;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Hall, Setup, patiently};

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let named =
            |line: &&str| line.split(':').next().is_some_and(|it| it.eq_ignore_ascii_case(name));
        let line = self.head.lines().find(named).unwrap_or_default();
        line.split_once(':').map_or("", |(_, value)| value.trim())
    }

    /// The code of a refusal, which has that and a sentence and nothing else.
    #[track_caller]
    fn refused(&self) -> String {
        assert_eq!(self.header("content-type"), "application/json", "{}\n{}", self.head, self.body);
        assert_eq!(self.header("cache-control"), "no-store");
        let problem: Value = serde_json::from_str(&self.body).unwrap();
        let fields: Vec<_> = problem.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["code", "message"]);
        assert!(problem["message"].as_str().unwrap().len() > 10, "{problem}");
        problem["code"].as_str().unwrap().to_owned()
    }
}

/// One request with these further header lines, on a connection of its own.
async fn ask(hall: &Hall, line: &str, headers: &str, body: &str) -> Answer {
    let at = hall.address();
    let mut stream = TcpStream::connect((at.host(), at.port())).await.unwrap();
    let asked = format!("{line} HTTP/1.1\r\nhost: hex\r\nconnection: close\r\n{headers}\r\n{body}");
    stream.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    patiently("an answer", stream.read_to_end(&mut answer)).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

/// A token that the server knows.
async fn token(hall: &Hall) -> String {
    let chance = Chance::seeded([3; 32]);
    let accounts = Accounts::new(hall.store().clone(), TimeSource::system(), chance);
    let token = Token::generate().unwrap();
    accounts.create_guest(&token, None).await.unwrap();
    token.reveal()
}

#[tokio::test]
async fn whatever_is_refused_under_v1_is_refused_in_the_same_shape() {
    let mut hall = Hall::start(Setup::new()).await;
    let bearer = format!("authorization: Bearer {}\r\n", token(&hall).await);
    let json = format!("{bearer}content-type: application/json\r\n");
    let said = |body: &str| format!("{json}content-length: {}\r\n", body.len());
    let (long, cut) = (format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000)), r#"{"name":"#);
    let plain = format!("{bearer}content-type: text/plain\r\ncontent-length: 2\r\n");
    let announced = format!("{json}content-length: 300000\r\n");
    let chunked = format!("{json}transfer-encoding: chunked\r\n");
    let chunks = format!("1388\r\n{}\r\n0\r\n\r\n", "x".repeat(5_000));
    let cases: &[(&str, &str, &str, u16, &str)] = &[
        // Beyond what anything here may say, and beyond what the port reads of any body.
        ("POST /v1/me/name", &said(&long), &long, 413, "too_large"),
        ("POST /v1/me/name", &announced, "", 413, "too_large"),
        ("POST /v1/me/name", &chunked, &chunks, 413, "too_large"),
        ("POST /v1/nowhere", &announced, "", 413, "too_large"),
        ("POST /v1/me/name", &said(cut), cut, 400, "bad_request"),
        ("POST /v1/me/name", &said("[]"), "[]", 400, "bad_request"),
        ("POST /v1/me/name", &plain, "{}", 415, "not_json"),
        ("POST /v1/me/name", &bearer, "", 415, "not_json"),
        ("PATCH /v1/me", &bearer, "", 405, "method_not_allowed"),
        ("DELETE /v1/tables", "", "", 405, "method_not_allowed"),
        ("OPTIONS /v1/me/bots", "", "", 405, "method_not_allowed"),
        ("GET /v1/nowhere", "", "", 404, "not_found"),
        ("GET /v1", "", "", 404, "not_found"),
        ("GET /v1/tables/tbl_1/%ff", "", "", 404, "not_found"),
        ("GET /v1/games/%ff", "", "", 400, "bad_request"),
        ("GET /v1/games/gam_1.sgf", "", "", 400, "bad_request"),
        ("GET /v1/tables?phase=%ff", "", "", 400, "bad_request"),
        ("GET /v1/tables?a=b", "", "", 400, "bad_request"),
        ("DELETE /v1/me/bots/%ff/keys/%ff", &bearer, "", 400, "bad_request"),
        ("DELETE /v1/me/bots/plr_1/keys/key_1", &bearer, "", 400, "bad_request"),
        ("GET /v1/me", "", "", 401, "bad_token"),
        ("GET /v1/me", "authorization: Basic x\r\n", "", 401, "bad_token"),
    ];
    for &(line, headers, body, status, code) in cases {
        let answer = ask(&hall, line, headers, body).await;
        assert_eq!((answer.status, &*answer.refused()), (status, code), "{line}");
    }
    let allowed = ask(&hall, "DELETE /v1/tables", "", "").await;
    assert_eq!(allowed.header("allow"), "GET,HEAD");
    // What is no question to the API is answered for people.
    let page = ask(&hall, "POST /nowhere", "content-length: 300000\r\n", "").await;
    assert_eq!((page.status, page.header("content-type")), (413, "text/plain; charset=utf-8"));
    hall.stop().await;
}

/// What a proxy says of whom it asks for.
fn from(visitor: &str) -> String {
    format!("x-forwarded-for: {visitor}\r\n")
}

#[tokio::test]
async fn an_address_that_asks_too_much_is_told_when_to_go_on_and_others_are_answered() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    setup.config.limits.api_per_second = 2.try_into().unwrap();
    setup.config.limits.api_burst = 6.try_into().unwrap();
    setup.config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    let mut hall = Hall::start(setup).await;
    let ask = async |visitor: &str, path: &str| {
        ask(&hall, &format!("GET {path}"), &from(visitor), "").await
    };
    for path in ["/v1/tables", "/v1/nowhere", "/v1/presets"].into_iter().cycle().take(6) {
        assert_ne!(ask("203.0.113.7", path).await.status, 429, "{path}");
    }
    for path in ["/", "/app.js", "/healthz"] {
        assert_eq!(ask("203.0.113.7", path).await.status, 200, "pages are for everybody: {path}");
    }
    for path in ["/v1/tables", "/v1/nowhere"] {
        let answer = ask("203.0.113.7", path).await;
        assert_eq!((answer.status, &*answer.refused()), (429, "rate_limited"), "{path}");
        assert_eq!(answer.header("retry-after"), "1");
    }
    assert_eq!(ask("203.0.113.8", "/v1/tables").await.status, 200);
    hall.advance(500);
    assert_eq!(ask("203.0.113.7", "/v1/tables").await.status, 200);
    assert_eq!(ask("203.0.113.7", "/v1/tables").await.status, 429);
    // The machine itself may ask as it likes.
    for _ in 0..20 {
        let own = crate::http_port::ask(&hall, "GET /v1/tables", "", "").await;
        assert_eq!(own.status, 200);
    }
    hall.stop().await;
}
