//! A server that is killed the moment it has told of the end of a rated game.

use hexhall::accounts::ratings::{Score, Standing, rate};
use hexhall::game::clock::Stamp;
use hexhall_proto::codec::Format;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::request::Request;
use serde_json::Value;

use crate::harness::{Guest, Process, fischer, get};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ratings_stay_as_they_were_told_through_a_kill_at_the_end_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let address = server.address();
    let mut ana = Guest::arrive(&address, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&address, Format::MsgPack, "Bo").await;
    let mut standings = [Standing::default(); 2];
    for number in 1..=4_u32 {
        let options = OptionsRequest {
            time: Some(fischer(300, 5)),
            rated: Some(true),
            ..OptionsRequest::default()
        };
        let table = ana.open(options).await;
        bo.join(&table).await;
        let resign = bo.command(&table);
        let game = resign.game.clone();
        bo.done(Request::Resign(resign.into())).await;
        server.kill_in(0).await;
        server.start_again().await;

        let (status, body) = get(&address, &format!("/v1/games/{game}/ratings")).await;
        assert_eq!(status, 200, "{body}");
        let told: Value = serde_json::from_str(&body).unwrap();
        // So little time passes between the games that it changes no whole point.
        let after = rate(standings, Score::Won, Stamp(1));
        for seat in 0..2 {
            let change = &told["changes"][seat];
            let expected = [standings[seat].rating.shown(), after[seat].rating.shown()];
            assert_eq!([&change["before"], &change["after"]], expected, "game {number}");
        }
        standings = after;
        ana.come_back(&address).await;
        bo.come_back(&address).await;
    }
    let (_, body) = get(&address, &format!("/v1/players/{}", ana.player.id)).await;
    let profile: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&profile["ratings"][0]["wins"], &profile["name"]), (&4.into(), &"Ana".into()));
}
