//! Who one is, over real sockets: names, tokens that grow old, keys that are revoked, and games that
//! wait through a restart.

use hexhall::ids::TableId;
use hexhall::remote::{Address, Link, LinkError};
use hexhall::store::{Append, Durable, Store, Word};
use hexhall_proto::codec::Format;
use hexhall_proto::error::{CloseCode, Code, ErrorBody};
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::options::Time;
use hexhall_proto::reply::{Reply, Welcome};
use hexhall_proto::request::{Hello, Open, Request, Watch};
use hexhall_proto::seek::Seek;
use hexhall_proto::view::View;
use serde_json::json;
use tokio::net::TcpStream;

use crate::harness::http::{ask, say};
use crate::harness::{FORMATS, Guest, Hall, Setup, board, patiently};

const DAY_MS: u64 = 24 * 3_600_000;

async fn hello(
    at: &Address,
    format: Format,
    token: Option<&str>,
    name: Option<&str>,
) -> Result<(Link<TcpStream>, Welcome), ErrorBody> {
    let mut link = patiently("a connection", Link::dial(at, format)).await.unwrap();
    let hello = Hello { token: token.map(str::to_owned), name: name.map(str::to_owned) };
    match patiently("a welcome", link.hello(hello)).await {
        Ok(welcome) => Ok((link, welcome)),
        Err(LinkError::Hello(refused)) => Err(*refused),
        Err(error) => panic!("{error}"),
    }
}

/// Waits for the end of a session: its close code.
async fn end(link: &mut Link<TcpStream>) -> u16 {
    loop {
        match patiently("the end of a session", link.next()).await {
            Ok(_) => {}
            Err(LinkError::Closed(Some(frame))) => return frame.code.into(),
            Err(error) => panic!("{error}"),
        }
    }
}

fn view(reply: Reply) -> View {
    match reply {
        Reply::Opened { view, .. } | Reply::View { view } => *view,
        other => panic!("no view: {other:?}"),
    }
}

#[tokio::test]
async fn a_name_that_looks_like_anothers_is_refused_and_the_one_suggested_is_not() {
    let hall = Hall::start(Setup::new()).await;
    let at = hall.address();
    let ana = Guest::arrive(&at, Format::Json, "Ana").await;
    for format in FORMATS {
        for taken in ["Ana", "ana", "Аna", "Guest 1234", "CPU level 5"] {
            let refused = hello(&at, format, None, Some(taken)).await.unwrap_err();
            assert_eq!(refused.code, Code::NameTaken, "{taken}");
            let free = refused.suggestion.unwrap();
            let (_, welcome) = hello(&at, format, None, Some(&free)).await.unwrap();
            assert_eq!(welcome.player.name, free);
        }
        let (_, welcome) = hello(&at, format, Some(&ana.token), Some("ANA")).await.unwrap();
        assert_eq!(
            (welcome.player.id, welcome.player.name.as_str()),
            (ana.player.id.clone(), "ANA")
        );
    }
}

#[tokio::test]
async fn a_new_name_is_shown_where_its_player_sits_down_next() {
    let hall = Hall::start(Setup::new()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::MsgPack, "Ana").await;
    let renamed = json!({ "name": "Countess" });
    say(&hall.address(), "POST", "/v1/me/name", &ana.token, renamed).await;
    let opened = view(ana.ask(Request::Open(Open::default())).await);
    assert_eq!(opened.seats[0].as_ref().unwrap().name, "Countess");
}

#[tokio::test]
async fn whoever_seeks_and_takes_another_name_is_seated_by_that_one() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::MsgPack, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let pool = Seek { pool: Some("hex-11".to_owned()), ..Seek::default() };
    let reply = ana.ask(Request::Seek(pool.clone())).await;
    assert!(matches!(reply, Reply::Seeking { .. }), "{reply:?}");
    let renamed = json!({ "name": "Countess" });
    say(&hall.address(), "POST", "/v1/me/name", &ana.token, renamed).await;
    bo.ask(Request::Seek(pool)).await;
    hall.advance(200);
    let matched = |event: &LobbyEvent| match event {
        LobbyEvent::Matched { table } => Some(table.clone()),
        _ => None,
    };
    let table = bo.hears_of_lobby("a match", matched).await;
    let seats = bo.watch(&table).await.seats;
    let mut names: Vec<_> = seats.iter().flatten().map(|player| player.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Bo", "Countess"]);
}

#[tokio::test]
async fn a_token_of_ninety_days_is_renewed_and_good_until_the_new_one_is_used() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let at = hall.address();
        let (_, first) = hello(&at, format, None, None).await.unwrap();
        let old = first.token.unwrap();
        hall.advance(90 * DAY_MS - 1);
        assert_eq!(hello(&at, format, Some(&old), None).await.unwrap().1.token, None);
        hall.advance(1);
        let (_, second) = hello(&at, format, Some(&old), None).await.unwrap();
        let new = second.token.unwrap();
        let (_, third) = hello(&at, format, Some(&old), None).await.unwrap();
        assert_eq!(third.token, None, "one is on its way");
        let (_, fourth) = hello(&at, format, Some(&new), None).await.unwrap();
        assert_eq!((&fourth.player.id, fourth.token), (&first.player.id, None));
        let refused = hello(&at, format, Some(&old), None).await.unwrap_err();
        assert_eq!(refused.code, Code::BadToken);
    }
}

#[tokio::test]
async fn a_browsers_cookie_of_ninety_days_is_renewed_as_it_connects() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let upgrade = format!(
        "GET /ws HTTP/1.1\r\nhost: {host}:{port}\r\norigin: http://{host}:{port}\r\n\
         connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\ncookie: hexhall={token}\r\n\r\n",
        host = at.host(),
        port = at.port(),
        token = ana.token,
    );
    let (head, _) = ask(&at, &upgrade).await;
    assert!(head.starts_with("HTTP/1.1 101") && !head.contains("set-cookie"), "{head}");
    hall.advance(90 * DAY_MS);
    let (head, _) = ask(&at, &upgrade).await;
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    let (_, cookie) = head.split_once("set-cookie: hexhall=").unwrap();
    let (new, _) = cookie.split_once(';').unwrap();
    assert_ne!(new, ana.token);
    let (_, welcome) = hello(&at, Format::Json, Some(new), None).await.unwrap();
    assert_eq!(welcome.player, ana.player);
}

#[tokio::test]
async fn a_key_is_a_bot_until_it_is_revoked_and_then_its_session_is_closed() {
    for format in FORMATS {
        let mut hall = Hall::start(Setup::new().kept()).await;
        let at = hall.address();
        let ana = Guest::arrive(&at, format, "Ana").await;
        let bot = say(&at, "POST", "/v1/me/bots", &ana.token, json!({ "name": "Anabot" })).await;
        let keys = format!("/v1/me/bots/{}/keys", bot["id"].as_str().unwrap());
        let made = say(&at, "POST", &keys, &ana.token, json!({ "label": "here" })).await;
        let spare = say(&at, "POST", &keys, &ana.token, json!({ "label": "there" })).await;
        let (key, spare) = (made["secret"].as_str().unwrap(), spare["secret"].as_str().unwrap());

        let (mut link, welcome) = hello(&at, format, Some(key), None).await.unwrap();
        assert!(welcome.player.bot);
        assert_eq!((welcome.player.name.as_str(), welcome.token), ("Anabot", None));
        let opened = view(link.ask(Request::Open(Open::default())).await.unwrap());
        assert_eq!(opened.seats[0], Some(welcome.player.clone()));
        let (mut other, _) = hello(&at, format, Some(spare), None).await.unwrap();

        let one = format!("{keys}/{}", made["key"]["id"].as_str().unwrap());
        say(&at, "DELETE", &one, &ana.token, json!({})).await;
        assert_eq!(end(&mut link).await, CloseCode::SignedOut.number());
        let refused = hello(&at, format, Some(key), None).await.unwrap_err();
        assert_eq!(refused.code, Code::BadToken);

        let table = opened.table;
        let watch = || Watch { table: table.clone(), invitation: None, last: None };
        let seen = view(other.ask(Request::Watch(watch())).await.unwrap());
        assert_eq!(
            seen.seats[0],
            Some(welcome.player.clone()),
            "the other key is as good as before"
        );
        drop((other, ana));
        hall.stop().await;
        hall.start_again().await;
        let (mut again, _) = hello(&hall.address(), format, Some(spare), None).await.unwrap();
        let seen = view(again.ask(Request::Watch(watch())).await.unwrap());
        assert_eq!(seen.seats[0], Some(welcome.player), "a seat in the journal knows its bot");
        assert!(hello(&hall.address(), format, Some(key), None).await.is_err());
        drop(again);
        hall.stop().await;
    }
}

#[tokio::test]
async fn signing_out_elsewhere_closes_the_sessions_there_and_no_others() {
    let hall = Hall::start(Setup::new()).await;
    let at = hall.address();
    let (mut first, welcome) = hello(&at, Format::Json, None, Some("Ana")).await.unwrap();
    let (old, phrase) = (welcome.token.unwrap(), "/v1/me/recovery");
    let words =
        say(&at, "POST", phrase, &old, json!({})).await["words"].as_array().unwrap().clone();
    let words: Vec<_> = words.iter().map(|word| word.as_str().unwrap()).collect();
    let recovered = json!({ "phrase": words.join(" ") });
    let recovered = say(&at, "POST", "/v1/recover", &old, recovered).await;
    let new = recovered["token"].as_str().unwrap();
    let (mut second, there) = hello(&at, Format::MsgPack, Some(new), None).await.unwrap();
    assert_eq!(there.player.id, welcome.player.id);
    assert!(matches!(first.ask(Request::Lobby {}).await, Ok(Reply::Lobby { .. })));

    say(&at, "POST", "/v1/me/devices/revoke", new, json!({})).await;
    assert_eq!(end(&mut first).await, CloseCode::SignedOut.number());
    assert_eq!(hello(&at, Format::Json, Some(&old), None).await.unwrap_err().code, Code::BadToken);
    assert!(matches!(second.ask(Request::Lobby {}).await, Ok(Reply::Lobby { .. })));
}

#[tokio::test]
async fn games_that_wait_are_told_after_a_restart_private_and_asleep() {
    let mut hall = Hall::start(Setup::new().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let open = |private| Open { options: board(3, Time::None {}), private, ..Open::default() };
    for private in [true, false] {
        view(ana.ask(Request::Open(open(private))).await);
    }
    let before = say(&hall.address(), "GET", "/v1/me/tables", &ana.token, json!({})).await;
    ana.hang_up();
    hall.stop().await;
    hall.start_again().await;
    let after = say(&hall.address(), "GET", "/v1/me/tables", &ana.token, json!({})).await;
    assert_eq!(after["tables"], before["tables"]);
    let private: Vec<_> =
        after["tables"].as_array().unwrap().iter().map(|it| &it["private"]).collect();
    assert_eq!(private, [&json!(false), &json!(true)]);
    hall.stop().await;
}

/// Writes into a table's journal what is no event.
async fn damage(store: &Store, table: &str) {
    let table: TableId = table.parse().unwrap();
    let to = store.load(table).await.unwrap().len() as u64;
    let told = Word::new(Durable { to, lost: None });
    store.reserve().unwrap().append(Append {
        table,
        first: to + 1,
        events: vec![b"no event".to_vec()],
        listing: None,
        games: Vec::new(),
        result: None,
        left: None,
        told: told.clone(),
    });
    patiently("the damage", told.until(|durable| durable.to > to)).await;
}

#[tokio::test]
async fn a_game_whose_journal_is_damaged_hides_none_of_the_others_that_wait() {
    let mut hall = Hall::start(Setup::new().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut tables = Vec::new();
    for _ in 0..2 {
        let open = Open { options: board(3, Time::None {}), ..Open::default() };
        tables.push(view(ana.ask(Request::Open(open)).await).table);
    }
    let token = ana.token.clone();
    ana.hang_up();
    damage(hall.store(), &tables[0]).await;
    hall.stop().await;
    hall.start_again().await;
    let told = say(&hall.address(), "GET", "/v1/me/tables", &token, json!({})).await;
    let shown: Vec<_> =
        told["tables"].as_array().unwrap().iter().map(|it| &it["listing"]["table"]).collect();
    assert_eq!(shown, [&json!(tables[1])]);

    damage(hall.store(), &tables[1]).await;
    hall.stop().await;
    hall.start_again().await;
    let asked = format!(
        "GET /v1/me/tables HTTP/1.1\r\nhost: hex\r\nconnection: close\r\n\
         authorization: Bearer {token}\r\n\r\n"
    );
    let (head, _) = ask(&hall.address(), &asked).await;
    assert!(head.starts_with("HTTP/1.1 500"), "none could be asked, which is not none: {head}");
    hall.stop().await;
}
