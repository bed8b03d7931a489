//! Lists tell when everybody has gone from a table, so that no one joins who would wait for nobody.

use hexhall::table::handle::Ask;
use hexhall_proto::codec::Format;
use hexhall_proto::options::{OptionsRequest, Time};
use hexhall_proto::parts::Phase;
use hexhall_proto::reply::Reply;
use hexhall_proto::view::Listing;
use serde_json::Value;
use tokio::task::LocalSet;

use crate::harness::bench::{Bench, Sitter};
use crate::harness::{Guest, Hall, Setup, board, get, poll};

const JOIN: Ask = Ask::Join { seat: None, invitation: None };
const WATCH: Ask = Ask::Watch { invitation: None, last: None };

/// Whether the only table is listed as one from which everybody is gone, once nothing more happens.
async fn gone(bench: &Bench) -> bool {
    bench.worked_through().await;
    match &bench.listed().await[..] {
        [listing] => listing.gone,
        other => panic!("{other:?}"),
    }
}

/// A session ends.
async fn goes(bench: &Bench, who: &Sitter, table: hexhall::ids::TableId) {
    bench.tables.find(table).await.unwrap().gone(who.session().id);
    bench.worked_through().await;
}

#[tokio::test]
async fn a_table_from_which_everybody_has_been_gone_for_a_while_is_listed_so_and_may_be_joined() {
    let going = async {
        let bench = Bench::new();
        let [mut ana, mut bo] = ["Ana", "Bo"].map(|name| bench.sitter(name));
        let table = bench.open(&mut ana, board(3, Time::None {})).await;
        bench.advance(60_000);
        assert!(!gone(&bench).await, "she waits there");
        goes(&bench, &ana, table).await;
        bench.advance(4_999);
        assert!(!gone(&bench).await, "she may be loading her page anew");
        bench.advance(1);
        assert!(gone(&bench).await);
        assert!(matches!(bench.ask(&mut bo, table, JOIN).await, Reply::Joined { .. }));
        assert!(!gone(&bench).await, "who joined is there");
        goes(&bench, &bo, table).await;
        bench.advance(5_000);
        assert!(gone(&bench).await, "nobody plays on");
        assert_eq!(bench.listed().await[0].phase, Phase::Playing);
        let mut back = bench.other_session(&ana);
        assert!(matches!(bench.ask(&mut back, table, WATCH).await, Reply::View { .. }));
        assert!(!gone(&bench).await);
    };
    LocalSet::new().run_until(going).await;
}

#[tokio::test]
async fn where_spectators_see_a_table_late_lists_tell_as_late_that_everybody_is_gone() {
    let late = async {
        let bench = Bench::new();
        let mut ana = bench.sitter("Ana");
        let delayed = OptionsRequest { spectator_delay_s: Some(30), ..board(3, Time::None {}) };
        let table = bench.open(&mut ana, delayed).await;
        bench.advance(60_000);
        assert!(!gone(&bench).await);
        goes(&bench, &ana, table).await;
        bench.advance(34_999);
        assert!(!gone(&bench).await);
        bench.advance(1);
        assert!(gone(&bench).await);
    };
    LocalSet::new().run_until(late).await;
}

/// The first of the public tables.
async fn first(hall: &Hall) -> Option<Listing> {
    let body: Value = serde_json::from_str(&get(&hall.address(), "/v1/tables").await.1).unwrap();
    serde_json::from_value(body["tables"][0].clone()).unwrap()
}

#[tokio::test]
async fn after_a_restart_everybody_is_gone_until_they_are_back() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = ana.open(board(3, Time::None {})).await;
    let there = poll("her table", async || first(&hall).await).await;
    assert!(!there.gone);
    ana.hang_up();
    hall.stop().await;
    hall.start_again().await;
    let there = poll("her table", async || first(&hall).await).await;
    assert!(there.gone, "nobody has come back yet");
    ana.come_back(&hall.address()).await;
    ana.resume(&table).await;
    poll("that she is back", async || first(&hall).await.filter(|it| !it.gone)).await;
}
