//! What an operator does to players, and what comes of it.

use hexhall_proto::chat::Say;
use hexhall_proto::codec::Format;
use hexhall_proto::error::{CloseCode, Code, ErrorBody};
use hexhall_proto::event::{Event, Notice};
use hexhall_proto::notices::{NoticeKind, PersonalNotice};
use hexhall_proto::party::{JoinParty, OpenParty, Start};
use hexhall_proto::reply::{ServerFrame, Welcome};
use hexhall_proto::request::{Hello, Join, Open};
use hexhall_proto::seek::{Ready, SeekEnd};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::*;
use crate::harness::guest::refused_with;
use crate::harness::hall::{DAWN, OPERATOR};
use crate::harness::http::{say, told};
use crate::harness::{FORMATS, board, fischer, patiently};
use hexhall::ids::NoticeId;
use hexhall::remote::{Link, LinkError, TableCopy};
use hexhall::store::{Act, ActKind};

/// Has an operator do something to a player.
async fn op(hall: &Hall, method: &str, player: &str, act: &str, body: Value) -> Value {
    let path = format!("/v1/operator/players/{player}/{act}");
    say(&hall.address(), method, &path, OPERATOR, body).await
}

async fn ban(hall: &Hall, whom: &Guest, for_s: Option<u64>) {
    let body = json!({ "for_s": for_s, "reason": "sworn at everybody", "by": "Op" });
    op(hall, "POST", &whom.player.id, "ban", body).await;
}

/// Bans somebody, as in the moment between a ban and what comes of it.
async fn bans_only(hall: &Hall, whom: &Guest) {
    let ban = Act {
        player: whom.player.id.parse().unwrap(),
        kind: ActKind::Ban,
        by: "Op".to_owned(),
        text: "sworn at everybody".to_owned(),
        at_ms: DAWN.0,
        until_ms: None,
    };
    hall.store().act(ban, NoticeId::from_parts(1, 0)).await.unwrap();
}

async fn mute(hall: &Hall, whom: &Guest, for_s: Option<u64>) {
    let body = json!({ "for_s": for_s, "reason": "shouting", "by": "Op" });
    op(hall, "POST", &whom.player.id, "mute", body).await;
}

/// Says hello with a token, over a connection of its own.
async fn hello(hall: &Hall, token: &str) -> Result<Welcome, ErrorBody> {
    let at = hall.address();
    let mut link = patiently("a connection", Link::dial(&at, Format::Json)).await.unwrap();
    let hello = Hello { token: Some(token.to_owned()), name: None };
    match patiently("a welcome", link.hello(hello)).await {
        Ok(welcome) => Ok(welcome),
        Err(LinkError::Hello(body)) => Err(*body),
        Err(error) => panic!("neither welcome nor refused: {error}"),
    }
}

async fn is_kept_out(hall: &Hall, token: &str, wait: Option<u64>) {
    let refused = hello(hall, token).await.unwrap_err();
    assert_eq!((refused.code, refused.retry_ms), (Code::Banned, wait));
    assert!(refused.message.contains("sworn at everybody"), "{}", refused.message);
    let (status, problem) = told(&hall.address(), "GET", "/v1/me", token, Value::Null).await;
    assert_eq!((status, &problem["code"]), (403, &json!("banned")));
}

async fn closes(guest: &mut Guest) {
    assert_eq!(guest.closed().await.0, Some(CloseCode::Banned.number()));
}

/// Makes a bot of a player's: its id and its key.
pub async fn bot(hall: &Hall, owner: &Guest) -> (String, String) {
    let at = hall.address();
    let made = say(&at, "POST", "/v1/me/bots", &owner.token, json!({ "name": "Deep Bo" })).await;
    let id = made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    let path = format!("/v1/me/bots/{id}/keys");
    let key = say(&at, "POST", &path, &owner.token, json!({ "label": "k" })).await;
    (id, key["secret"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_ban_closes_every_session_and_keeps_out_until_it_is_taken_back() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::MsgPack, "Bo").await;
    let mut tab = bo.other_tab(&at, Format::Json).await;
    ban(&hall, &bo, None).await;
    closes(&mut bo).await;
    closes(&mut tab).await;
    is_kept_out(&hall, &bo.token, None).await;
    ana.open(board(5, fischer(300, 0))).await;
    op(&hall, "DELETE", &bo.player.id, "ban?by=Op", Value::Null).await;
    bo.come_back(&at).await;
    bo.open(board(5, fischer(300, 0))).await;
}

#[tokio::test]
async fn a_ban_runs_out_by_itself_and_outlasts_a_restart() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    ban(&hall, &bo, Some(3_600)).await;
    closes(&mut bo).await;
    hall.advance(3_599_000);
    is_kept_out(&hall, &bo.token, Some(1_000)).await;
    hall.stop().await;
    hall.start_again().await;
    is_kept_out(&hall, &bo.token, Some(1_000)).await;
    hall.advance(1_000);
    bo.come_back(&hall.address()).await;
}

#[tokio::test]
async fn a_banned_players_seat_goes_as_if_they_had_left() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    for format in FORMATS {
        let name = format!("Bo {format:?}");
        let mut ana = Guest::arrive(&at, format, "Ana").await;
        let mut bo = Guest::arrive(&at, format, &name).await;
        let playing = ana.open(board(5, fischer(300, 0))).await;
        bo.join(&playing).await;
        ana.until(&playing, "the game", |copy| copy.game().is_some()).await;
        let waiting = ana.open(board(5, fischer(300, 0))).await;
        let his = bo.open(board(5, fischer(300, 0))).await;
        ana.watch(&his).await;
        ban(&hall, &bo, None).await;
        closes(&mut bo).await;
        ana.hears(&his, "his table closes", |event| matches!(event, Event::Closed { .. })).await;
        let gone = |copy: &hexhall::remote::TableCopy| !copy.view().presence.seats[1].connected;
        let copy = ana.until(&playing, "his absence", gone).await;
        // The countdown of whoever says that they leave, and not of a lost connection.
        assert_eq!(copy.view().presence.seats[1].countdown_ms, Some(10_000));
        assert_eq!(ana.watch(&waiting).await.seats[1], None);
    }
}

#[tokio::test]
async fn whoever_is_banned_gets_no_seat_before_their_session_ends() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let table = ana.open(board(5, fischer(300, 0))).await;
    bans_only(&hall, &bo).await;
    let join = Join { table: table.clone(), seat: None, invitation: None };
    let party = JoinParty { table: Some(table.clone()), ..JoinParty::default() };
    for request in [
        Request::Open(Open { options: board(5, fischer(300, 0)), ..Open::default() }),
        Request::Join(join),
        Request::JoinParty(party),
        Request::Seek(pool("hex-11")),
    ] {
        refused_with(&mut bo, Code::Banned, request).await;
    }
    assert_eq!(ana.watch(&table).await.seats[1], None);
}

#[tokio::test]
async fn whoever_is_banned_is_given_no_seat_by_others_before_their_session_ends() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    // In a party whose next game is theirs.
    let party = Some(OpenParty::default());
    let open = Open { options: board(5, fischer(300, 0)), party, ..Open::default() };
    let (table, _) = ana.open_with(open).await;
    let join = JoinParty { table: Some(table.clone()), ..JoinParty::default() };
    bo.ask(Request::JoinParty(join)).await;
    // And in a match that both have to say yes to.
    seeks(&mut ana, pool("hex-11")).await;
    hall.advance(31_000);
    seeks(&mut bo, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    let name = |event: &LobbyEvent| match event {
        LobbyEvent::ReadyCheck(check) => Some(check.name.clone()),
        _ => None,
    };
    let name = ana.hears_of_lobby("a ready check", name).await;
    bans_only(&hall, &bo).await;

    let start = Request::Start(Start { table: table.clone(), after: None });
    let refused = refused_with(&mut ana, Code::Busy, start).await;
    assert!(refused.message.starts_with("Bo has just been banned"), "{}", refused.message);
    assert_eq!(ana.watch(&table).await.seats[1], None);
    for guest in [&mut ana, &mut bo] {
        guest.done(Request::Ready(Ready { name: name.clone() })).await;
    }
    let ended = |event: &LobbyEvent| match event {
        LobbyEvent::SeekEnded { reason, .. } => Some(*reason),
        _ => None,
    };
    assert_eq!(bo.hears_of_lobby("the end of his seek", ended).await, SeekEnd::Gone);
    let waits_on = |event: &LobbyEvent| match event {
        LobbyEvent::Seeks { seeks, check: None } => Some(seeks.len()),
        _ => None,
    };
    assert_eq!(ana.hears_of_lobby("that she waits on", waits_on).await, 1);
}

#[tokio::test]
async fn a_ban_reaches_its_player_though_their_bots_cannot_be_read() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let (bot, _) = bot(&hall, &bo).await;
    bo.hang_up();
    hall.stop().await;
    let database = Connection::open(hall.folder().join("hexhall.db")).unwrap();
    let damage = "UPDATE players SET name = CAST(x'ff' AS TEXT) WHERE id = ?1";
    assert_eq!(database.execute(damage, [&bot]), Ok(1));
    drop(database);
    hall.start_again().await;
    bo.come_back(&hall.address()).await;
    ban(&hall, &bo, None).await;
    closes(&mut bo).await;
}

#[tokio::test]
async fn acts_at_the_same_time_are_done_one_after_another() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let bo = Guest::arrive(&at, Format::Json, "Bo").await;
    ban(&hall, &bo, None).await;
    let path = format!("/v1/operator/players/{}/ban?by=Op", bo.player.id);
    let end = || told(&at, "DELETE", &path, OPERATOR, Value::Null);
    let (one, two, three) = tokio::join!(end(), end(), end());
    let mut told = [one.0, two.0, three.0];
    told.sort_unstable();
    assert_eq!(told, [200, 409, 409]);
}

#[tokio::test]
async fn a_banned_player_is_matched_with_nobody_and_their_seeks_are_gone_at_once() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let mut cy = Guest::arrive(&at, Format::Json, "Cy").await;
    seeks(&mut bo, pool("hex-11")).await;
    let open = seeks(&mut bo, Seek::default()).await;
    ban(&hall, &bo, None).await;
    closes(&mut bo).await;
    let answer = Request::Seek(Seek { answer: Some(open), ..Seek::default() });
    refused_with(&mut cy, Code::UnknownSeek, answer).await;
    seeks(&mut cy, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    hall.advance(LOOK_MS);
    let mut di = Guest::arrive(&at, Format::Json, "Di").await;
    seeks(&mut di, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut cy).await, matched(&mut di).await);
}

#[tokio::test]
async fn the_bots_of_a_banned_owner_are_banned_with_them_and_one_bot_may_be_alone() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let (id, key) = bot(&hall, &bo).await;
    let dial = async || patiently("a connection", Link::dial(&at, Format::Json)).await.unwrap();
    let greeting = Hello { token: Some(key.clone()), name: None };
    let mut deep = Guest::over(dial().await, Format::Json, greeting.clone()).await;
    op(&hall, "POST", &id, "ban", json!({ "reason": "sworn at everybody", "by": "Op" })).await;
    closes(&mut deep).await;
    is_kept_out(&hall, &key, None).await;
    assert!(hello(&hall, &bo.token).await.is_ok(), "the owner is not banned with the bot");
    op(&hall, "DELETE", &id, "ban?by=Op", Value::Null).await;
    let mut deep = Guest::over(dial().await, Format::Json, greeting).await;
    ban(&hall, &bo, Some(60)).await;
    closes(&mut deep).await;
    is_kept_out(&hall, &key, Some(60_000)).await;
    // There is nothing to end of the bot's own, and the log tells of no end.
    let path = format!("/v1/operator/players/{id}/ban?by=Op");
    let (status, problem) = told(&at, "DELETE", &path, OPERATOR, Value::Null).await;
    assert_eq!((status, &problem["code"]), (409, &json!("not_banned")));
    assert!(problem["message"].as_str().unwrap().contains(&bo.player.id), "{problem}");
    hall.advance(60_000);
    assert!(hello(&hall, &key).await.is_ok());
}

#[tokio::test]
async fn whoever_is_muted_says_nothing_until_it_is_over_and_plays_on() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    let table = ana.open(board(5, fischer(300, 0))).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    let says =
        |text: &str| Request::Say(Say { table: table.clone(), room: None, text: text.to_owned() });
    mute(&hall, &bo, Some(60)).await;
    let refused = refused_with(&mut bo, Code::Muted, says("hey")).await;
    assert_eq!(refused.retry_ms, Some(60_000));
    assert!(refused.message.contains("shouting"), "{}", refused.message);
    ana.play(&table, "a1").await;
    bo.play(&table, "b2").await;
    ana.done(says("hello")).await;
    hall.advance(60_000);
    bo.done(says("sorry")).await;
    mute(&hall, &bo, None).await;
    ana.hang_up();
    bo.hang_up();
    hall.stop().await;
    hall.start_again().await;
    bo.come_back(&hall.address()).await;
    bo.watch(&table).await;
    assert_eq!(refused_with(&mut bo, Code::Muted, says("hey")).await.retry_ms, None);
    op(&hall, "DELETE", &bo.player.id, "mute?by=Op&reason=enough", Value::Null).await;
    bo.done(says("thanks")).await;
}

/// What somebody was told by operators since this was last asked.
fn notices(guest: &mut Guest) -> Vec<PersonalNotice> {
    let told = std::mem::take(&mut guest.told).into_iter();
    told.filter_map(|frame| match frame {
        ServerFrame::Notice(Notice::Personal { personal }) => Some(personal),
        _ => None,
    })
    .collect()
}

#[tokio::test]
async fn a_warning_is_told_at_once_and_at_each_hello_until_it_is_read() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    for format in FORMATS {
        let name = format!("Bo {format:?}");
        let mut bo = Guest::arrive(&hall.address(), format, &name).await;
        let body = json!({ "text": "be kind", "by": "Op" });
        op(&hall, "POST", &bo.player.id, "warn", body).await;
        // Notices of one instant come in any order.
        hall.advance(1);
        mute(&hall, &bo, Some(60)).await;
        // A reply comes after everything that was told before.
        bo.open(board(5, fischer(300, 0))).await;
        let told = notices(&mut bo);
        let [warning, muted] = &told[..] else { panic!("{told:?}") };
        assert_eq!((warning.kind, &*warning.text), (NoticeKind::Warning, "be kind"));
        assert_eq!(muted.kind, NoticeKind::Muted);
        assert_eq!(muted.until_ms, Some(muted.at_ms + 60_000));
        bo.hang_up();
        hall.stop().await;
        hall.start_again().await;
        assert_eq!(hello(&hall, &bo.token).await.unwrap().notices, told);
        let at = hall.address();
        let me = say(&at, "GET", "/v1/me", &bo.token, Value::Null).await;
        assert_eq!(me["notices"], json!(told));
        let read = format!("/v1/me/notices/{}", warning.id);
        for _ in 0..2 {
            assert_eq!(told_status(&hall, "DELETE", &read, &bo.token).await, 204);
        }
        assert_eq!(hello(&hall, &bo.token).await.unwrap().notices, told[1..]);
        let read = format!("/v1/me/notices/{}", muted.id);
        assert_eq!(told_status(&hall, "DELETE", &read, &bo.token).await, 204);
        let me = say(&at, "GET", "/v1/me", &bo.token, Value::Null).await;
        assert_eq!(me.get("notices"), None);
    }
}

#[tokio::test]
async fn whoever_the_operator_renames_is_told_and_so_is_everybody_who_sees_them() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let at = hall.address();
    let mut bo = Guest::arrive(&at, Format::Json, "Rude Bo").await;
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let table = ana.open(board(3, fischer(300, 0))).await;
    bo.join(&table).await;
    let rename = format!("/v1/operator/players/{}/rename", bo.player.id);
    for (name, status, code) in [
        ("ANA", 409, "name_taken"),
        ("Operator", 409, "name_taken"),
        ("Rude Bo", 409, "name_taken"),
        (" ", 400, "bad_request"),
    ] {
        let body = json!({ "name": name, "by": "Op" });
        let refused = told(&at, "POST", &rename, OPERATOR, body).await;
        assert_eq!((refused.0, &refused.1["code"]), (status, &json!(code)), "{name}");
    }
    let called = async || {
        let me = say(&hall.address(), "GET", "/v1/me", &bo.token, Value::Null).await;
        me["player"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(called().await, "Rude Bo");
    let body = json!({ "reason": "it offends", "by": "Op" });
    let done = say(&at, "POST", &rename, OPERATOR, body).await;
    let name = called().await;
    assert!(name.starts_with("Guest "), "{name}");
    let text = format!("Rude Bo is now {name}: it offends");
    assert_eq!((&done["act"], &done["text"]), (&json!("rename"), &json!(text)));
    for guest in [&mut ana, &mut bo] {
        let is_named =
            |copy: &TableCopy| copy.view().seats[1].as_ref().is_some_and(|it| it.name == name);
        guest.until(&table, "the name", is_named).await;
    }
    // A reply comes after everything that was told before.
    bo.watch(&table).await;
    let told = notices(&mut bo);
    assert_eq!((told.len(), told[0].kind, &told[0].text), (1, NoticeKind::Renamed, &text));
    let mut other = Guest::arrive(&at, Format::Json, "Rude Bo").await;
    assert_ne!(other.player.id, bo.player.id, "the name before is free");
    [&mut ana, &mut bo, &mut other].into_iter().for_each(Guest::hang_up);
    hall.stop().await;
    hall.start_again().await;
    let welcome = hello(&hall, &bo.token).await.unwrap();
    assert_eq!((welcome.player.name, welcome.notices), (name, told));
}

async fn told_status(hall: &Hall, method: &str, path: &str, token: &str) -> u16 {
    told(&hall.address(), method, path, token, Value::Null).await.0
}
