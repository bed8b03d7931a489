//! The live lobby: seeks that anybody may answer, and how many are connected.

use hexhall::accounts::ratings::{Class, RatedGame, Score, Speed};
use hexhall::game::clock::Stamp;
use hexhall::ids::{GameId, TableId};
use hexhall::store::{Append, GameResult, RatedResult, Word};
use hexhall_proto::options::OptionsRequest;

use super::*;
use crate::harness::hall::DAWN;

fn open_seek(size: u64) -> Seek {
    let options = OptionsRequest { size: Some(size), ..OptionsRequest::default() };
    Seek { options, ..Seek::default() }
}

#[tokio::test]
async fn a_listed_seek_is_answered_by_whoever_presses_play() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let [mut ana, mut bo] = two(&hall, format).await;
        let seek = seeks(&mut ana, open_seek(13)).await;
        let other = seeks(&mut ana, open_seek(14)).await;
        let Reply::Lobby { seeks: listed, players, pools, .. } = bo.ask(Request::Lobby {}).await
        else {
            panic!("no list");
        };
        let names: Vec<_> = listed.iter().map(|it| &it.seek).collect();
        assert_eq!((names, players), (vec![&seek, &other], 2));
        assert_eq!((listed[0].rating, listed[0].provisional), (1500, true));
        assert_eq!(listed[0].player, ana.player);
        let unrated = |name| {
            let pool = pools.iter().find(|pool| pool.pool == name);
            pool.map(|pool| pool.unrated)
        };
        assert_eq!((unrated("hex-11"), unrated("party-11")), (Some(false), Some(true)));
        let answer = Seek { answer: Some(seek.clone()), ..Seek::default() };
        refused_with(&mut ana, Code::CannotSeek, Request::Seek(answer.clone())).await;
        seeks(&mut bo, answer.clone()).await;
        let table = matched(&mut bo).await;
        assert_eq!(matched(&mut ana).await, table);
        assert_eq!(bo.watch(&table).await.options.rows, 13);
        let mut late = Guest::arrive(&hall.address(), format, "Cy").await;
        let Reply::Lobby { seeks, .. } = late.ask(Request::Lobby {}).await else { panic!() };
        assert_eq!(seeks, [], "her other seek is over as well");
        refused_with(&mut bo, Code::UnknownSeek, Request::Seek(answer)).await;
    }
}

#[tokio::test]
async fn every_tab_of_whoever_seeks_is_told_of_the_seek() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut tab = ana.other_tab(&hall.address(), Format::MsgPack).await;
    let seek = seeks(&mut ana, pool("hex-11")).await;
    let shown = |event: &LobbyEvent| match event {
        LobbyEvent::Seeks { seeks, check: None } => Some(seeks.clone()),
        _ => None,
    };
    let own = tab.hears_of_lobby("the seek of another tab", shown).await;
    assert_eq!((own.len(), &own[0].seek), (1, &seek));
    ana.ask(Request::Lobby {}).await;
    assert!(ana.told.is_empty(), "the reply has told this one: {:?}", ana.told);
}

#[tokio::test]
async fn a_follower_is_told_how_many_are_connected_once_a_second_at_most() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut reader = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let Reply::Lobby { players, .. } = reader.ask(Request::Lobby {}).await else { panic!() };
    assert_eq!(players, 1);
    let online = |event: &LobbyEvent| match event {
        LobbyEvent::Online { players } => Some(*players),
        _ => None,
    };
    let mut guests = Vec::new();
    for name in ["Ana", "Bo", "Di"] {
        guests.push(Guest::arrive(&hall.address(), Format::Json, name).await);
    }
    let tab = guests[0].other_tab(&hall.address(), Format::Json).await;
    lobby_looks(&mut guests[0]).await;
    hall.advance(1_000);
    assert_eq!(reader.hears_of_lobby("who is here", online).await, 4, "and none in between");
    guests.pop();
    drop(tab);
    hall.advance(1_000);
    assert_eq!(reader.hears_of_lobby("who is left", online).await, 3);
}

/// Whether the rating of whoever seeks is listed as a guess.
async fn listed_as_a_guess(guest: &mut Guest) -> bool {
    let seek = seeks(guest, open_seek(13)).await;
    let Reply::Lobby { seeks: listed, .. } = guest.ask(Request::Lobby {}).await else { panic!() };
    assert_eq!(listed.len(), 1);
    guest.done(Request::Unseek(Unseek { seek })).await;
    listed[0].provisional
}

#[tokio::test]
async fn a_rating_is_listed_as_a_guess_again_once_its_player_was_away_for_long() {
    const GAMES: u64 = 20;
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, bo] = two(&hall, Format::Json).await;
    assert!(listed_as_a_guess(&mut ana).await);
    let players = [&ana, &bo].map(|guest| guest.player.id.parse().unwrap());
    let class = Class { game: RatedGame::Hex, speed: Speed::Rapid };
    let told = Word::default();
    for number in 1..=GAMES {
        let result = GameResult {
            game: GameId::from_parts(number, 1),
            players: players.map(Some),
            public: true,
            finished: Stamp(DAWN.0),
            summary: Vec::new(),
            rated: Some(RatedResult { class, players, score: Score::Drawn }),
        };
        hall.store().reserve().unwrap().append(Append {
            table: TableId::from_parts(1, 1),
            first: number,
            events: vec![b"a game".to_vec()],
            listing: None,
            games: Vec::new(),
            result: Some(Box::new(result)),
            left: None,
            told: told.clone(),
        });
    }
    told.until(|durable| durable.to >= GAMES).await;
    assert!(!listed_as_a_guess(&mut ana).await);
    hall.advance(2 * 365 * 24 * 3_600_000);
    assert!(listed_as_a_guess(&mut ana).await);
}
