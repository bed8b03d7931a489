//! Rated games over real sockets: what counts and what does not, by how much, and when that is told.

use hexhall::accounts::ratings::{Class, RatedGame, Score, Speed, Standing, rate};
use hexhall::game::clock::Stamp;
use hexhall::remote::TableCopy;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{Goal, OnLeave, OptionsRequest, Preset, Swap, Time};
use hexhall_proto::parts::{OfferKind, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{CpuSeat, Join, Open, Request, Suggest};
use serde_json::{Value, json};

use crate::harness::guest::refused_with;
use crate::harness::hall::DAWN;
use crate::harness::{FORMATS, Guest, Hall, Setup, fischer, get, patiently};

const RAPID: Class = Class { game: RatedGame::Hex, speed: Speed::Rapid };

/// A rated game of `standard` on the smallest board.
fn rated() -> OptionsRequest {
    OptionsRequest {
        size: Some(7),
        time: Some(fischer(300, 5)),
        rated: Some(true),
        ..OptionsRequest::default()
    }
}

/// Two players at a table, where a game has begun.
struct Pair {
    hall: Hall,
    ana: Guest,
    bo: Guest,
    table: String,
}

impl Pair {
    async fn sit_down(options: OptionsRequest) -> Pair {
        Pair::sit_down_in(Hall::start(Setup::by_hand()).await, options, FORMATS[0]).await
    }

    async fn sit_down_in(hall: Hall, options: OptionsRequest, format: Format) -> Pair {
        let address = hall.address();
        let mut ana = Guest::arrive(&address, format, "Ana").await;
        let mut bo = Guest::arrive(&address, format, "Bo").await;
        let table = ana.open(options).await;
        bo.join(&table).await;
        ana.until(&table, "the game", |copy| copy.game().is_some()).await;
        Pair { hall, ana, bo, table }
    }

    fn game(&self) -> String {
        self.ana.copy(&self.table).game().unwrap().id.clone()
    }

    async fn resigns(guest: &mut Guest, table: &str) {
        let resign = resignation(guest, table);
        guest.done(resign).await;
    }

    async fn ask(&self, path: &str) -> Value {
        let (status, body) = get(&self.hall.address(), path).await;
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// The ratings before and after the table's game, seat 1 first.
    async fn changes(&self) -> Vec<(i64, i64)> {
        let told = self.ask(&format!("/v1/games/{}/ratings", self.game())).await;
        let changes = told["changes"].as_array().unwrap().iter();
        let points = |change: &Value, name: &str| change[name].as_i64().unwrap();
        changes.map(|change| (points(change, "before"), points(change, "after"))).collect()
    }

    /// The ratings of both on the page of each.
    async fn profiles(&self) -> [Value; 2] {
        let of = async |guest: &Guest| {
            self.ask(&format!("/v1/players/{}", guest.player.id)).await["ratings"].clone()
        };
        [of(&self.ana).await, of(&self.bo).await]
    }
}

fn resignation(guest: &mut Guest, table: &str) -> Request {
    Request::Resign(guest.command(table).into())
}

#[tokio::test]
async fn a_rated_game_changes_both_ratings_by_the_time_that_its_end_is_told() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let mut pair = Pair::sit_down_in(hall, rated(), format).await;
        let table = pair.table.clone();
        assert_eq!(pair.changes().await, []);
        for row in 1..=7 {
            pair.ana.play(&table, &format!("a{row}")).await;
            if row < 7 {
                pair.bo.play(&table, &format!("g{row}")).await;
            }
        }
        // Whoever hears of the end may ask at once.
        pair.bo.hears(&table, "the end", |event| matches!(event, Event::Ended { .. })).await;
        assert_eq!(pair.changes().await, [(1500, 1662), (1500, 1338)]);
        let [ana, bo] = pair.profiles().await;
        assert_eq!(
            ana,
            json!([{
                "game": "hex", "speed": "rapid", "provisional": true, "rank": null,
                "rating": 1662, "deviation": 290, "wins": 1, "losses": 0, "draws": 0,
                "updated_ms": DAWN.0,
            }])
        );
        assert_eq!((&bo[0]["rating"], &bo[0]["losses"]), (&json!(1338), &json!(1)));

        let id = &pair.ana.player.id;
        let listed = pair.ask(&format!("/v1/players/{id}/games")).await;
        assert_eq!((listed["games"].as_array().unwrap().len(), &listed["next"]), (1, &Value::Null));
        let game = &listed["games"][0];
        assert_eq!(game["game"], pair.game());
        assert_eq!((&game["seat"], &game["finished_ms"]), (&json!(1), &json!(DAWN.0)));
        assert_eq!(game["outcome"], json!({"winner": 1, "by": "chain"}));
        assert_eq!(
            (&game["seats"][1]["name"], &game["options"]["rated"]),
            (&json!("Bo"), &json!(true))
        );
        assert_eq!(game["change"]["after"], 1662);
        let history = pair.ask(&format!("/v1/players/{id}/history/hex/rapid")).await;
        assert_eq!(
            history["changes"],
            json!([{
                "at_ms": DAWN.0, "score": "won", "before": 1500, "after": 1662, "deviation": 290,
                "game": pair.game(), "opponent": pair.bo.player.id,
            }])
        );
    }
}

#[tokio::test]
async fn every_game_of_a_rated_table_counts_and_seats_do_not_matter() {
    let mut pair = Pair::sit_down(rated()).await;
    let table = pair.table.clone();
    let mut standings = [Standing::default(); 2];
    // Ana, Bo and Ana win; they exchange seats after each game, and a day passes.
    for (number, ana_wins) in [(1, true), (2, false), (3, true)] {
        let at = DAWN + (number - 1) * 24 * 3_600_000;
        let score = if ana_wins { Score::Won } else { Score::Lost };
        let after = rate(standings, score, at);
        let Pair { ana, bo, .. } = &mut pair;
        let loser = if ana_wins { bo } else { ana };
        Pair::resigns(loser, &table).await;
        let told = |copy: &TableCopy| copy.outcome().is_some();
        for guest in [&mut pair.ana, &mut pair.bo] {
            guest.until(&table, "the end", told).await;
        }
        let seat = pair.ana.copy(&table).seat().unwrap();
        let mut expected: Vec<_> =
            (0..2).map(|i| (standings[i].rating.shown(), after[i].rating.shown())).collect();
        if seat == Seat::Two {
            expected.reverse();
        }
        assert_eq!(pair.changes().await, expected, "game {number}");
        standings = after;
        for (guest, standing) in [(&pair.ana, after[0]), (&pair.bo, after[1])] {
            let player = guest.player.id.parse().unwrap();
            assert_eq!(pair.hall.store().standing(player, RAPID).await.unwrap(), standing);
        }
        pair.hall.advance(24 * 3_600_000);
        let offer = pair.ana.offer(&table, OfferKind::Rematch).await;
        let accept = pair.bo.answer(&table, offer, true);
        pair.bo.done(accept).await;
        let next =
            |copy: &TableCopy| copy.game().is_some_and(|game| u64::from(game.number) == number + 1);
        for guest in [&mut pair.ana, &mut pair.bo] {
            guest.until(&table, "another game", next).await;
        }
    }
    let [ana, _] = pair.profiles().await;
    assert_eq!((&ana[0]["wins"], &ana[0]["losses"]), (&json!(2), &json!(1)));
}

#[tokio::test]
async fn a_game_that_is_aborted_or_never_begun_counts_not_at_all_and_is_in_no_list() {
    // Aborted by a player, and by a flag that falls before both have moved.
    for flag in [false, true] {
        let mut pair = Pair::sit_down(rated()).await;
        let table = pair.table.clone();
        if flag {
            pair.hall.advance(400_000);
        } else {
            let abort = pair.bo.command(&table);
            pair.bo.done(Request::Abort(abort)).await;
        }
        let ended = pair.ana.until(&table, "the end", |copy| copy.outcome().is_some()).await;
        assert_eq!(ended.outcome().unwrap().winner, None);
        assert_eq!(pair.changes().await, []);
        assert_eq!(pair.profiles().await, [json!([]), json!([])]);
        let listed = pair.ask(&format!("/v1/players/{}/games", pair.ana.player.id)).await;
        assert_eq!(listed, json!({"games": [], "next": null}));
    }
}

#[tokio::test]
async fn an_unrated_game_is_listed_and_changes_no_rating() {
    let unrated = OptionsRequest { rated: Some(false), ..rated() };
    let mut pair = Pair::sit_down(unrated).await;
    let table = pair.table.clone();
    Pair::resigns(&mut pair.bo, &table).await;
    assert_eq!(pair.changes().await, []);
    assert_eq!(pair.profiles().await, [json!([]), json!([])]);
    let listed = pair.ask(&format!("/v1/players/{}/games", pair.bo.player.id)).await;
    let game = &listed["games"][0];
    assert_eq!((&game["game"], &game["seat"]), (&json!(pair.game()), &json!(2)));
    assert_eq!((&game["change"], &game["options"]["rated"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_loss_on_time_and_a_game_that_was_claimed_count_like_any_other() {
    for claimed in [false, true] {
        let mut pair = Pair::sit_down(rated()).await;
        let table = pair.table.clone();
        pair.ana.play(&table, "a1").await;
        pair.bo.play(&table, "g1").await;
        pair.bo.until(&table, "Bo's move", |copy| copy.turn() == Some(2)).await;
        if claimed {
            pair.ana.hang_up();
            let gone = |copy: &TableCopy| !copy.view().presence.seats[0].connected;
            pair.bo.until(&table, "an absence", gone).await;
            pair.hall.advance(60_000);
            let claimable = |copy: &TableCopy| copy.view().presence.seats[0].claimable;
            pair.bo.until(&table, "a game to claim", claimable).await;
            let claim = pair.bo.command(&table);
            pair.bo.done(Request::Claim(claim)).await;
        } else {
            pair.hall.advance(400_000);
        }
        pair.bo.until(&table, "the end", |copy| copy.outcome().is_some()).await;
        let (status, body) = get(
            &pair.hall.address(),
            &format!("/v1/games/{}/ratings", pair.bo.copy(&table).game().unwrap().id),
        )
        .await;
        assert_eq!(status, 200);
        let told: Value = serde_json::from_str(&body).unwrap();
        let after: Vec<_> =
            told["changes"].as_array().unwrap().iter().map(|it| it["after"].clone()).collect();
        assert_eq!(after, [json!(1338), json!(1662)], "claimed: {claimed}");
    }
}

#[tokio::test]
async fn nothing_is_taken_back_or_suggested_in_a_rated_game_and_nobody_plays_for_the_gone() {
    let mut pair = Pair::sit_down(rated()).await;
    let table = pair.table.clone();
    pair.ana.play(&table, "a1").await;
    pair.bo.play(&table, "g1").await;
    pair.ana.until(&table, "Bo's move", |copy| copy.turn() == Some(2)).await;
    let takeback = pair.ana.proposal(&table, OfferKind::Takeback);
    let refused = refused_with(&mut pair.ana, Code::CannotOffer, Request::Offer(takeback)).await;
    assert_eq!(refused.message, "nothing is taken back in a rated game");
    let suggest = Suggest { table: table.clone(), game: pair.game(), turn: 2 };
    refused_with(&mut pair.ana, Code::CannotSuggest, Request::Suggest(suggest)).await;

    pair.bo.hang_up();
    let gone = |copy: &TableCopy| !copy.view().presence.seats[1].connected;
    pair.ana.until(&table, "an absence", gone).await;
    pair.hall.advance(120_000);
    let claimable = |copy: &TableCopy| copy.view().presence.seats[1].claimable;
    let copy = pair.ana.until(&table, "a game to claim", claimable).await;
    assert_eq!(copy.view().presence.seats[1].cpu, None);
}

#[tokio::test]
async fn dark_hex_and_every_speed_have_ratings_of_their_own() {
    let mut pair = Pair::sit_down(OptionsRequest { preset: Some(Preset::Dark), ..rated() }).await;
    let table = pair.table.clone();
    Pair::resigns(&mut pair.bo, &table).await;
    let party =
        OptionsRequest { preset: Some(Preset::Party), rated: Some(true), ..Default::default() };
    let table = pair.ana.open(party).await;
    pair.bo.join(&table).await;
    assert_eq!(pair.bo.copy(&table).view().options.swap, Swap::Sides);
    Pair::resigns(&mut pair.bo, &table).await;
    let [ana, _] = pair.profiles().await;
    let classes: Vec<_> = ana
        .as_array()
        .unwrap()
        .iter()
        .map(|rating| (rating["game"].as_str().unwrap(), rating["speed"].as_str().unwrap()))
        .collect();
    assert_eq!(classes, [("hex", "untimed"), ("dark", "rapid")]);
    assert!(ana.as_array().unwrap().iter().all(|rating| rating["rating"] == 1662));
}

#[tokio::test]
async fn a_rated_game_at_a_private_table_counts_and_is_named_nowhere() {
    let hall = Hall::start(Setup::by_hand()).await;
    let address = hall.address();
    let mut ana = Guest::arrive(&address, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&address, Format::Json, "Bo").await;
    let open = Open { options: rated(), private: true, cpu: None, party: None };
    let (table, invitation) = ana.open_with(open).await;
    let join = Join { table: table.clone(), seat: None, invitation };
    assert!(matches!(bo.ask(Request::Join(join)).await, Reply::Joined { .. }));
    Pair::resigns(&mut bo, &table).await;
    let game = bo.copy(&table).game().unwrap().id.clone();
    let id = ana.player.id.clone();
    for path in [
        format!("/v1/players/{id}"),
        format!("/v1/players/{id}/games"),
        format!("/v1/players/{id}/history/hex/rapid"),
    ] {
        let (status, body) = get(&address, &path).await;
        assert_eq!(status, 200);
        assert!(!body.contains(&game) && !body.contains(&bo.player.id), "{path}: {body}");
        assert!(path.ends_with("games") || body.contains("1662"), "{path}: {body}");
    }
}

#[tokio::test]
async fn what_cannot_be_rated_is_refused_with_what_would_be_right() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let cases = [
        (OptionsRequest { preset: Some(Preset::Custom), ..rated() }, "`custom`"),
        (OptionsRequest { swap: Some(Swap::Off), ..rated() }, "has the swap on"),
        (OptionsRequest { goal: Some(Goal::Avoid), ..rated() }, "Rex is not rated"),
        (OptionsRequest { on_leave: Some(OnLeave::Cpu), ..rated() }, "`claim` or `clock`"),
        (OptionsRequest { pass_and_play: Some(true), ..rated() }, "`pass_and_play`"),
        (OptionsRequest { spectator_delay_s: Some(30), ..rated() }, "`spectator_delay_s`"),
        (
            OptionsRequest { on_leave: Some(OnLeave::Clock), time: Some(Time::None {}), ..rated() },
            "needs a clock",
        ),
    ];
    for (options, sentence) in cases {
        let open = Request::Open(Open { options, ..Open::default() });
        let refused = refused_with(&mut ana, Code::BadOptions, open).await;
        assert!(refused.message.contains(sentence), "{}", refused.message);
    }
    let cpu = Some(CpuSeat { level: 3, seat: None });
    let open = Request::Open(Open { options: rated(), private: false, cpu, party: None });
    let refused = refused_with(&mut ana, Code::BadOptions, open).await;
    assert!(refused.message.contains("needs two players"), "{}", refused.message);
}

#[tokio::test]
async fn ratings_are_told_no_sooner_than_they_are_durable() {
    let mut pair = Pair::sit_down(rated()).await;
    let table = pair.table.clone();
    pair.hall.faults().hold_commits(true);
    let resign = resignation(&mut pair.bo, &table);
    let sent = pair.bo.send(resign).await;
    // Its next request has been read, so the one before it has been decided.
    let lobby = pair.bo.send(Request::Lobby {}).await;
    let frame = patiently("the list", pair.bo.some_reply()).await;
    assert_eq!(frame.re, Some(lobby));
    assert_eq!(pair.changes().await, []);
    assert_eq!(pair.profiles().await, [json!([]), json!([])]);
    pair.hall.faults().hold_commits(false);
    assert_eq!(pair.bo.reply(sent).await, Reply::Done {});
    assert_eq!(pair.changes().await, [(1500, 1662), (1500, 1338)]);
    let standing = rate([Standing::default(); 2], Score::Won, Stamp(DAWN.0));
    let id = pair.ana.player.id.parse().unwrap();
    assert_eq!(pair.hall.store().standing(id, RAPID).await.unwrap(), standing[0]);
}
