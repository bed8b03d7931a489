//! A server starts whatever stands in one table's row, and the other tables stand as they did.

use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::options::Time;
use hexhall_proto::party::{JoinParty, OpenParty};
use hexhall_proto::request::{Open, Request};
use rusqlite::Connection;

use crate::harness::guest::refused_with;
use crate::harness::{Guest, Hall, Setup, board};

#[tokio::test]
async fn one_damaged_row_stops_no_start_and_its_table_comes_back_from_the_journal() {
    let mut hall = Hall::start(Setup::new().kept()).await;
    let mut tables = Vec::new();
    let mut guests = Vec::new();
    for name in ["Ana", "Bo"] {
        let mut one = Guest::arrive(&hall.address(), Format::Json, name).await;
        let mut two = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
        let table = one.open(board(3, Time::None {})).await;
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        one.play(&table, "a1").await;
        tables.push(table);
        guests.extend([one, two]);
    }
    hall.stop().await;
    let database = Connection::open(hall.folder().join("hexhall.db")).unwrap();
    let damage = "UPDATE tables SET status = 'plying' WHERE id = ?1";
    assert_eq!(database.execute(damage, [&tables[0]]), Ok(1));
    drop(database);

    hall.start_again().await;
    for (table, pair) in tables.iter().zip(guests.chunks_exact_mut(2)) {
        for guest in pair.iter_mut() {
            guest.come_back(&hall.address()).await;
            guest.resume(table).await;
        }
        pair[1].play(table, "b1").await;
        pair[0].until(table, "the answer", |copy| copy.turn() == Some(2)).await;
    }
    hall.stop().await;
}

#[tokio::test]
async fn a_party_whose_journal_cannot_be_read_is_said_to_be_so() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let party = Some(OpenParty::default());
    let open = Open { options: board(3, Time::None {}), party, ..Open::default() };
    let (table, _) = ana.open_with(open).await;
    let code = ana.copy(&table).view().party.clone().unwrap().code;
    ana.hang_up();
    hall.stop().await;
    let database = Connection::open(hall.folder().join("hexhall.db")).unwrap();
    let damage = "UPDATE events SET payload = x'00' WHERE tbl = ?1";
    assert!(database.execute(damage, [&table]).unwrap() > 0);
    drop(database);
    hall.start_again().await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let join = JoinParty { code: Some(code), ..JoinParty::default() };
    refused_with(&mut bo, Code::Internal, Request::JoinParty(join)).await;
}
