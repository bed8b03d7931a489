//! The gateway behind real sockets: the upgrade, who is let in and as whom, and the end.

mod server;

use std::time::Duration;

use futures_util::SinkExt;
use hexhall::game::clock::Stamp;
use hexhall::gateway::Settings;
use hexhall::gateway::follows::Followed;
use hexhall::http::port::HEAD_MS;
use hexhall::time::TimeSource;
use hexhall_proto::{SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK};
use server::{Server, TABLE};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message};

/// The handshake's headers as they should be, by name.
const HANDSHAKE: [(&str, &str); 4] = [
    ("connection", "Upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// The handshake with one header replaced, or left out.
fn handshake(method: &str, changed: &str, value: Option<&str>) -> String {
    let mut request = format!("{method} /ws HTTP/1.1\r\nhost: localhost\r\n");
    for (name, good) in HANDSHAKE {
        let value = if name == changed { value } else { Some(good) };
        if let Some(value) = value {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    // Where the connection stays HTTP, it ends with the answer.
    request.push_str("connection: close\r\n\r\n");
    request
}

#[tokio::test]
async fn an_upgrade_that_lacks_something_is_answered_with_what_it_lacks() {
    let server = Server::start(Settings::default()).await;
    for (method, changed, value, status, sentence) in [
        ("POST", "", None, 405, "GET"),
        ("GET", "connection", None, 400, "`connection: upgrade`"),
        ("GET", "connection", Some("keep-alive"), 400, "`connection: upgrade`"),
        ("GET", "upgrade", None, 400, "`upgrade: websocket`"),
        ("GET", "upgrade", Some("h2c"), 400, "`upgrade: websocket`"),
        ("GET", "sec-websocket-version", None, 426, "version 13"),
        ("GET", "sec-websocket-version", Some("8"), 426, "version 13"),
        ("GET", "sec-websocket-key", None, 400, "`sec-websocket-key`"),
        ("GET", "sec-websocket-key", Some("short"), 400, "`sec-websocket-key`"),
    ] {
        let answer = server.send(&handshake(method, changed, value)).await;
        assert_eq!(answer.status, status, "{method} {changed} {value:?}: {answer:?}");
        assert!(answer.body.contains(sentence), "{answer:?}");
    }
    assert_eq!(server.gateway.sessions().count(), 0);
}

#[tokio::test]
async fn the_handshake_is_answered_by_the_book() {
    let server = Server::start(Settings::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = handshake("GET", "connection", Some("keep-alive, Upgrade"));
    let request = request.replace("connection: close\r\n", "");
    stream.write_all(request.as_bytes()).await.unwrap();
    let head = read_head(&mut stream).await;
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    // The example of RFC 6455, section 1.3.
    assert!(head.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
    assert!(!head.contains("set-cookie"), "a program is given none: {head}");
}

async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(head)
        .unwrap()
        .to_lowercase()
        .replace("http/1.1", "HTTP/1.1")
        .replace("s3pplmbitxaq9kygzzhzrbk+xoo=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
}

#[tokio::test]
async fn what_is_sent_together_with_the_upgrade_is_not_lost() {
    let server = Server::start(Settings::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let mut bytes = handshake("GET", "", None).replace("connection: close\r\n", "").into_bytes();
    let hello = br#"{"id":1,"op":"hello"}"#;
    // Text, whole, masked with zeros.
    bytes.extend([0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0]);
    bytes.extend(hello);
    stream.write_all(&bytes).await.unwrap();
    read_head(&mut stream).await;
    assert_eq!(stream.read_u8().await.unwrap(), 0x81);
    // A welcome is longer than 125 bytes and shorter than 65,536.
    assert_eq!(stream.read_u8().await.unwrap(), 126);
    let len = stream.read_u16().await.unwrap();
    let mut welcome = vec![0; len.into()];
    stream.read_exact(&mut welcome).await.unwrap();
    let welcome: serde_json::Value = serde_json::from_slice(&welcome).unwrap();
    assert_eq!((&welcome["re"], &welcome["reply"]), (&1.into(), &"welcome".into()));
}

#[tokio::test]
async fn the_first_subprotocol_that_is_spoken_here_is_chosen() {
    let server = Server::start(Settings::default()).await;
    for (offered, chosen) in [
        (None, None),
        (Some("hexhall.v1.json"), Some(SUBPROTOCOL_JSON)),
        (Some("hexhall.v1.msgpack"), Some(SUBPROTOCOL_MSGPACK)),
        (Some("hexhall.v2.json, hexhall.v1.msgpack, hexhall.v1.json"), Some(SUBPROTOCOL_MSGPACK)),
    ] {
        let headers: Vec<_> = offered.map(|o| ("sec-websocket-protocol", o)).into_iter().collect();
        let mut peer = server.open("", &headers).await.unwrap();
        assert_eq!(peer.subprotocol.as_deref(), chosen);
        if chosen != Some(SUBPROTOCOL_MSGPACK) {
            peer.hello().await;
        }
    }
    let unknown = [("sec-websocket-protocol", "hexhall.v2.json, chat")];
    let Err(Error::Http(response)) = server.open("", &unknown).await else {
        panic!("an unknown subprotocol is refused");
    };
    assert_eq!(response.status(), 400);
    let body = String::from_utf8(response.into_body().unwrap()).unwrap();
    assert!(body.contains(SUBPROTOCOL_JSON) && body.contains(SUBPROTOCOL_MSGPACK), "{body}");
}

#[tokio::test]
async fn only_pages_of_this_host_and_of_listed_origins_are_let_in() {
    let allowed_origins = vec!["https://hex.example.org".to_owned()];
    let server = Server::start(Settings { allowed_origins, ..Settings::default() }).await;
    let own = format!("http://{}", server.address);
    for (origin, status) in [
        (own.as_str(), 101),
        ("https://hex.example.org", 101),
        ("http://hex.example.org", 403),
        ("https://evil.example", 403),
        ("http://127.0.0.1:1", 403),
        ("null", 403),
    ] {
        let found = match server.open("", &[("origin", origin)]).await {
            Ok(_) => 101,
            Err(Error::Http(response)) => response.status().as_u16(),
            Err(error) => panic!("{origin}: {error}"),
        };
        assert_eq!(found, status, "{origin}");
    }
}

#[tokio::test]
async fn a_browser_is_given_a_cookie_once_and_is_the_same_player_with_it() {
    let server = Server::start(Settings::default()).await;
    let origin = format!("http://{}", server.address);
    let browser = ("origin", origin.as_str());
    let mut first = server.open("", &[browser]).await.unwrap();
    let cookie = first.cookie.clone().unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let welcome = first.hello().await;
    assert!(welcome.get("token").is_none(), "{welcome}");

    let pair = cookie.split(';').next().unwrap();
    let jar = format!("theme=dark; {pair}; other=1");
    let mut second = server.open("", &[browser, ("cookie", &jar)]).await.unwrap();
    assert_eq!(second.cookie, None);
    assert_eq!(second.hello().await["player"], welcome["player"]);

    let forged = format!("hexhall={}", "0".repeat(64));
    let mut third = server.open("", &[browser, ("cookie", &forged)]).await.unwrap();
    assert!(third.cookie.as_ref().is_some_and(|cookie| !cookie.starts_with(&forged)));
    assert_ne!(third.hello().await["player"], welcome["player"]);

    let mut jar = [forged.as_str(); 4].join("; ");
    jar = format!("{jar}; {pair}");
    let fourth = server.open("", &[browser, ("cookie", &jar)]).await.unwrap();
    assert!(fourth.cookie.is_some(), "no more than four tokens are looked up");
}

#[tokio::test]
async fn cookies_of_a_server_behind_https_are_marked_secure() {
    let server = Server::start(Settings { secure_cookies: true, ..Settings::default() }).await;
    let origin = format!("http://{}", server.address);
    let peer = server.open("", &[("origin", &origin)]).await.unwrap();
    assert!(peer.cookie.unwrap().contains("Secure"));
}

#[tokio::test]
async fn a_program_is_known_by_its_bearer_token_and_a_bad_one_is_nobody() {
    let server = Server::start(Settings::default()).await;
    let mut first = server.open("", &[]).await.unwrap();
    let welcome = first.hello().await;
    let bearer = format!("Bearer {}", welcome["token"].as_str().unwrap());
    let mut second = server.open("", &[("authorization", &bearer)]).await.unwrap();
    assert_eq!(second.hello().await["player"], welcome["player"]);

    let mut bad = server.open("", &[("authorization", "Bearer xyz")]).await.unwrap();
    bad.say(r#"{"id":1,"op":"hello"}"#).await;
    assert_eq!(bad.hear().await["code"], "bad_token");
}

#[tokio::test]
async fn one_address_has_so_many_sessions_and_a_proxy_names_many_addresses() {
    let settings = Settings {
        sessions_per_address: Some(2),
        trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()],
        ..Settings::default()
    };
    let server = Server::start(settings).await;
    let from = |address| [("x-forwarded-for", address)];
    let mut first = server.open("", &from("203.0.113.1")).await.unwrap();
    let mut second = server.open("", &from("203.0.113.1")).await.unwrap();
    first.hello().await;
    second.hello().await;
    let mut third = server.open("", &from("203.0.113.1")).await.unwrap();
    assert_eq!(third.end().await, Some(4004));
    server.open("", &from("203.0.113.2")).await.unwrap().hello().await;
    for _ in 0..4 {
        // The proxy itself, which names nobody.
        server.open("", &[]).await.unwrap().hello().await;
    }
}

#[tokio::test]
async fn a_session_lives_on_the_worker_of_the_table_that_its_address_names() {
    let server = Server::start(Settings::default()).await;
    let hint = format!("?table={TABLE}");
    for _ in 0..3 {
        let mut peer = server.open(&hint, &[]).await.unwrap();
        peer.hello().await;
        peer.say(&format!(r#"{{"id":2,"op":"watch","table":"{TABLE}"}}"#)).await;
        assert_eq!(peer.hear().await["reply"], "done");
    }
    let threads = server.tables.threads();
    assert!(threads.iter().all(|thread| *thread == threads[0]), "{threads:?}");
    // A hint that is none does no harm.
    server.open("?table=nonsense", &[]).await.unwrap().hello().await;
}

#[tokio::test]
async fn the_close_code_arrives_although_much_was_sent_that_nobody_reads() {
    // The farewell takes as long as it takes here.
    let time = TimeSource::manual(Stamp(1_700_000_000_000));
    let server = Server::start_at(Settings::default(), time).await;
    let mut peer = server.open("", &[]).await.unwrap();
    peer.hello().await;
    // The peer may be stopped in the middle of it.
    let _ = peer.socket.send(Message::text("x".repeat(300_000))).await;
    assert_eq!(peer.end().await, Some(1009));
}

#[tokio::test]
async fn a_server_that_stops_tells_its_sessions_when_to_come_back_and_lets_them_go() {
    let server = Server::start(Settings::default()).await;
    let mut peer = server.open("", &[]).await.unwrap();
    peer.hello().await;
    peer.say(&format!(r#"{{"id":2,"op":"watch","table":"{TABLE}"}}"#)).await;
    assert_eq!(peer.hear().await["reply"], "done");
    let tables = server.tables.clone();
    let listen = async {
        let notice = peer.hear().await;
        assert_eq!((&notice["notice"], &notice["back_in_ms"]), (&"closing".into(), &2_000.into()));
        assert_eq!(peer.end().await, Some(1012));
        drop(peer);
    };
    let stopped = tokio::time::timeout(Duration::from_secs(20), server.stop());
    let (stopped, ()) = tokio::join!(stopped, listen);
    stopped.unwrap();
    assert_eq!(tables.gone(), [Followed { tables: vec![TABLE.parse().unwrap()], lobby: false }]);
}

#[tokio::test]
async fn pages_health_and_figures_are_served_with_headers_that_keep_browsers_safe() {
    let server = Server::start(Settings::default()).await;
    let index = server.get("/", "").await;
    assert_eq!((index.status, index.headers["content-type"].as_str()), (200, "text/html"));
    assert!(index.body.contains("hexhall"));
    assert!(index.headers["content-security-policy"].contains("default-src 'self'"));
    assert!(index.headers["content-security-policy"].contains("frame-ancestors 'none'"));
    assert_eq!(index.headers["x-content-type-options"], "nosniff");
    assert_eq!(index.headers["cache-control"], "no-cache");

    let table = server.get(&format!("/t/{TABLE}"), "").await;
    assert_eq!((table.status, &table.body), (200, &index.body));
    let tag = &index.headers["etag"];
    let again = server.get("/", &format!("if-none-match: \"x\", {tag}\r\n")).await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));

    // Where there is nothing, the page says so, whatever the browser knows of the page already.
    for path in ["/nothing.js", "/leaderboards", "/t/a/b", "/../Cargo.toml"] {
        let nothing = server.get(path, &format!("if-none-match: {tag}\r\n")).await;
        assert_eq!((nothing.status, &nothing.body), (404, &index.body), "{path}");
        assert!(nothing.headers["content-type"].starts_with("text/html"), "{path}");
    }
    assert_eq!(server.get("/healthz", "").await.status, 200);
    let ready = server.get("/readyz", "").await;
    assert_eq!((ready.status, ready.body.as_str()), (503, "not before noon\n"));
    assert_eq!(server.get("/metrics", "").await.status, 200);
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed_after_half_a_minute() {
    let time = TimeSource::manual(Stamp(1_700_000_000_000));
    let server = Server::start_at(Settings::default(), time.clone()).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut half = TcpStream::connect(server.address).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    // An answer on a connection that was opened later: the others have been accepted by then.
    assert_eq!(server.get("/healthz", "").await.status, 200);

    time.advance(HEAD_MS - 1);
    half.write_all(b"accept: */*\r\n").await.unwrap();
    assert_eq!(server.get("/healthz", "").await.status, 200);
    let mut buffer = [0; 512];
    assert!(half.try_read(&mut buffer).is_err(), "it is still open");
    time.advance(1);
    assert_eq!(idle.read(&mut buffer).await.unwrap(), 0);
    assert_eq!(half.read(&mut buffer).await.unwrap(), 0);
}
