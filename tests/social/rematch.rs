//! One game after another at one table.

use hexhall_proto::event::Event;
use hexhall_proto::options::{FirstMove, OptionsRequest, Time};
use hexhall_proto::parts::{OfferKind, Seat, Viewer};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;

use super::Party;
use crate::harness::board;

fn no_clock() -> OptionsRequest {
    board(3, Time::None {})
}

#[tokio::test]
async fn both_asking_for_a_rematch_at_once_makes_one_game() {
    for _ in 0..10 {
        let mut party = Party::gather(no_clock()).await;
        party.resigned(Seat::One).await;
        let table = party.table.clone();
        let (ana, bo) = (
            party.one.proposal(&table, OfferKind::Rematch),
            party.two.proposal(&table, OfferKind::Rematch),
        );
        // Neither waits for the other.
        let ana = party.one.send(Request::Offer(ana)).await;
        let bo = party.two.send(Request::Offer(bo)).await;
        let (ana, bo) = (party.one.reply(ana).await, party.two.reply(bo).await);
        assert_eq!((&ana, &bo), (&Reply::Offered { offer: 1 }, &Reply::Offered { offer: 1 }));
        for guest in party.everybody() {
            let copy = guest.until(&table, "the game", |it| it.game().unwrap().number == 2).await;
            assert_eq!(copy.view().offers, []);
        }
        let games: Vec<_> =
            party.everybody().map(|it| it.copy(&table).game().unwrap().id.clone()).into();
        assert!(games.iter().all(|game| *game == games[0]));
        party.settled().await;
        assert_eq!(party.watcher.copy(&table).game().unwrap().number, 2);
    }
}

#[tokio::test]
async fn players_exchange_seats_over_three_games_and_watchers_come_along() {
    let mut party = Party::gather(no_clock()).await;
    let table = party.table.clone();
    let mut seen = vec![party.one.copy(&table).game().unwrap().id.clone()];
    for (number, ana_sits) in [(1, Seat::One), (2, Seat::Two), (3, Seat::One)] {
        assert_eq!(party.one.copy(&table).seat(), Some(ana_sits));
        let view = party.watcher.copy(&table).view().clone();
        assert_eq!(view.viewer, Viewer::Spectator);
        assert_eq!(view.seats[ana_sits as usize].as_ref().unwrap().name, "Ana");
        assert_eq!(view.game.unwrap().number, number);
        // Ana wins each: the score follows the players through the seats.
        let one = Seat::One == ana_sits;
        party.played(&["a1", "c1"]).await;
        party.resigned(if one { Seat::Two } else { Seat::One }).await;
        let score = party.watcher.copy(&table).view().score;
        assert_eq!(score[ana_sits as usize], number);
        assert_eq!(score.iter().sum::<u32>(), number);
        let offer = party.one.offer(&table, OfferKind::Rematch).await;
        let accept = party.two.answer(&table, offer, true);
        party.two.done(accept).await;
        for guest in party.everybody() {
            let started = |event: &Event| matches!(event, Event::Started { .. });
            let next = number + 1;
            guest.hears(&table, "the next game", started).await;
            guest.until(&table, "the game", |it| it.game().unwrap().number == next).await;
        }
        seen.push(party.one.copy(&table).game().unwrap().id.clone());
    }
    seen.dedup();
    assert_eq!(seen.len(), 4, "each game has its own name");
    assert_eq!(party.watcher.copy(&table).view().score, [0, 3]);
}

#[tokio::test]
async fn players_keep_their_seats_where_the_first_move_is_fixed() {
    let options = OptionsRequest { first_move: Some(FirstMove::Fixed), ..no_clock() };
    let mut party = Party::gather(options).await;
    let table = party.table.clone();
    party.resigned(Seat::Two).await;
    let offer = party.two.offer(&table, OfferKind::Rematch).await;
    let accept = party.one.answer(&table, offer, true);
    party.one.done(accept).await;
    for guest in party.everybody() {
        guest.until(&table, "the game", |it| it.game().unwrap().number == 2).await;
    }
    assert_eq!(party.one.copy(&table).seat(), Some(Seat::One));
    assert_eq!(party.watcher.copy(&table).view().score, [1, 0]);
}

#[tokio::test]
async fn a_rematch_command_sent_again_begins_no_second_game() {
    let mut party = Party::gather(no_clock()).await;
    let table = party.table.clone();
    party.resigned(Seat::One).await;
    let asked = Request::Offer(party.one.proposal(&table, OfferKind::Rematch));
    let agreed = Request::Offer(party.two.proposal(&table, OfferKind::Rematch));
    assert_eq!(party.one.ask(asked.clone()).await, Reply::Offered { offer: 1 });
    for _ in 0..2 {
        assert_eq!(party.two.ask(agreed.clone()).await, Reply::Offered { offer: 1 });
        assert_eq!(party.one.ask(asked.clone()).await, Reply::Offered { offer: 1 });
    }
    assert_eq!(party.watcher.watch(&table).await.game.unwrap().number, 2);
}
