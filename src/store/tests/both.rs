//! What both engines do alike.

use futures_util::FutureExt;

use super::*;

on_both_engines!(
    events_come_back_in_order,
    a_gap_in_the_numbers_is_not_written,
    a_taken_number_is_a_conflict_for_that_writer_alone,
    an_append_with_a_taken_number_leaves_nothing_behind,
    after_a_conflict_nothing_more_of_that_writer_is_written,
    a_row_without_events_is_written_as_well,
    closed_tables_are_not_live,
    a_finished_game_never_changes,
    nothing_is_acknowledged_while_a_commit_is_held_back,
    nothing_is_acknowledged_or_lost_while_commits_fail,
    a_slot_taken_before_an_outage_is_good_in_it,
    outages_are_measured_in_the_time_passed_in,
    fifty_tables_at_once_hear_their_numbers_in_order,
    a_closed_store_says_so,
    closing_writes_what_was_handed_in,
    closing_gives_up_on_what_cannot_be_written,
);

async fn events_come_back_in_order(Fixture { store, .. }: Fixture) {
    let (mut one, mut two) = (Actor::new(1), Actor::new(2));
    one.append(&store, ["a", "b"]);
    two.append(&store, ["x"]);
    one.append(&store, ["c"]);
    one.durable_to(3).await;
    two.durable_to(1).await;
    assert_eq!(texts(&store, 1).await, ["a", "b", "c"]);
    assert_eq!(texts(&store, 2).await, ["x"]);
    assert!(texts(&store, 3).await.is_empty());
    assert_eq!(store.journal_tables().await.unwrap(), [table_id(1), table_id(2)]);
}

async fn a_gap_in_the_numbers_is_not_written(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    actor.append(&store, ["a"]);
    let mut careless = Actor::after(1, 2);
    careless.append(&store, ["c"]);
    assert_eq!(careless.lost().await.lost, Some(Lost::Refused(3)));
    actor.append(&store, ["b"]);
    actor.durable_to(2).await;
    assert_eq!(texts(&store, 1).await, ["a", "b"]);
}

async fn a_taken_number_is_a_conflict_for_that_writer_alone(Fixture { store, .. }: Fixture) {
    let (mut first, mut second, mut other) = (Actor::new(1), Actor::new(1), Actor::new(2));
    first.append(&store, ["mine"]);
    second.append(&store, ["no, mine"]);
    other.append(&store, ["elsewhere"]);
    first.append(&store, ["and mine"]);
    assert_eq!(second.lost().await, Durable { to: 0, lost: Some(Lost::Taken(1)) });
    first.durable_to(2).await;
    other.durable_to(1).await;
    assert_eq!(first.durable_now().lost, None);
    assert_eq!(texts(&store, 1).await, ["mine", "and mine"]);
    assert_eq!(texts(&store, 2).await, ["elsewhere"]);
}

async fn an_append_with_a_taken_number_leaves_nothing_behind(Fixture { store, .. }: Fixture) {
    let mut ahead = Actor::new(1);
    ahead.append(&store, ["one", "two"]);
    let mut late = Actor::after(1, 1);
    let mut append = late.next(["other two", "other three"]);
    append.listing = Some(listing(1, TableStatus::Open, "late"));
    store.reserve().unwrap().append(append);
    assert_eq!(late.lost().await, Durable { to: 1, lost: Some(Lost::Taken(2)) });
    ahead.append(&store, ["three"]);
    ahead.durable_to(3).await;
    assert_eq!(texts(&store, 1).await, ["one", "two", "three"]);
    assert_eq!(store.table(table_id(1)).await.unwrap(), None);
}

async fn after_a_conflict_nothing_more_of_that_writer_is_written(
    Fixture { store, faults, .. }: Fixture,
) {
    let (mut first, mut second) = (Actor::new(1), Actor::new(1));
    faults.hold_commits(true);
    first.append(&store, ["1"]);
    second.append(&store, ["other 1"]);
    second.append(&store, ["other 2"]);
    faults.hold_commits(false);
    second.lost().await;
    second.append(&store, ["other 3"]);
    first.append(&store, ["2"]);
    first.durable_to(2).await;
    assert_eq!(second.durable_now(), Durable { to: 0, lost: Some(Lost::Taken(1)) });
    assert_eq!(texts(&store, 1).await, ["1", "2"]);
}

async fn a_row_without_events_is_written_as_well(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(2);
    let mut append = actor.next([]);
    let row = listing(2, TableStatus::Open, "empty");
    append.listing = Some(row.clone());
    store.reserve().unwrap().append(append);
    actor.append(&store, ["a"]);
    actor.durable_to(1).await;
    assert_eq!(store.table(row.id).await.unwrap(), Some(row));
    assert_eq!(texts(&store, 2).await, ["a"]);
}

async fn closed_tables_are_not_live(Fixture { store, .. }: Fixture) {
    let statuses =
        [TableStatus::Open, TableStatus::Closed, TableStatus::Playing, TableStatus::Finished];
    for (n, status) in (1..).zip(statuses) {
        let mut actor = Actor::new(n);
        for (text, status) in [("new", TableStatus::Open), ("newest", status)] {
            let mut append = actor.next([text]);
            append.listing = Some(listing(n, status, text));
            store.reserve().unwrap().append(append);
        }
        actor.durable_to(2).await;
    }
    let live = store.tables_live().await.unwrap().rows;
    let expected = [
        listing(1, TableStatus::Open, "newest"),
        listing(3, TableStatus::Playing, "newest"),
        listing(4, TableStatus::Finished, "newest"),
    ];
    assert_eq!(live, expected);
    let gone = listing(2, TableStatus::Closed, "newest");
    assert_eq!(store.table(table_id(2)).await.unwrap(), Some(gone.clone()));
    assert_eq!(store.tables_closed(gone.updated_ms + 1).await.unwrap().rows, []);
    assert_eq!(store.tables_closed(gone.updated_ms).await.unwrap().rows, [gone]);
}

async fn a_finished_game_never_changes(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    let id = GameId::from_parts(5, 5);
    let started =
        GameRow { id, table: actor.table, started_ms: 10, finished_ms: None, record: None };
    let ended = GameRow { finished_ms: Some(20), record: Some(b"won".into()), ..started.clone() };
    let again = GameRow { finished_ms: Some(30), record: Some(b"lost".into()), ..started.clone() };
    for (number, (game, expected)) in
        (1..).zip([(&started, &started), (&ended, &ended), (&again, &ended), (&started, &ended)])
    {
        let mut append = actor.next(["event"]);
        append.games = vec![game.clone()];
        store.reserve().unwrap().append(append);
        actor.durable_to(number).await;
        assert_eq!(store.game(id).await.unwrap().as_ref(), Some(expected));
    }
    assert_eq!(store.game(GameId::from_parts(6, 6)).await.unwrap(), None);
}

async fn nothing_is_acknowledged_while_a_commit_is_held_back(
    Fixture { store, faults, .. }: Fixture,
) {
    let mut actor = Actor::new(1);
    faults.hold_commits(true);
    actor.append(&store, ["a"]);
    actor.append(&store, ["b"]);
    assert!(texts(&store, 1).await.is_empty());
    assert_eq!(actor.durable_now().to, 0);
    assert_eq!(*store.health().borrow(), Health::Ok);
    faults.hold_commits(false);
    actor.durable_to(2).await;
    assert_eq!(texts(&store, 1).await, ["a", "b"]);
}

async fn nothing_is_acknowledged_or_lost_while_commits_fail(
    Fixture { store, faults, .. }: Fixture,
) {
    let mut actor = Actor::new(1);
    actor.append(&store, ["a"]);
    actor.durable_to(1).await;
    faults.fail_commits(true);
    actor.append(&store, ["b"]);
    is_failing(&store).await;
    assert_eq!(store.reserve().err(), Some(Busy::Failing));
    let refused = store.create_player(player(1, "Ada"), device(1, 1)).await;
    assert_eq!(refused, Err(PlayerError::Busy(Busy::Failing)));
    assert_eq!(texts(&store, 1).await, ["a"]);
    assert_eq!(actor.durable_now().to, 1);
    faults.fail_commits(false);
    actor.durable_to(2).await;
    is_ok(&store).await;
    actor.append(&store, ["c"]);
    actor.durable_to(3).await;
    assert_eq!(texts(&store, 1).await, ["a", "b", "c"]);
}

async fn a_slot_taken_before_an_outage_is_good_in_it(Fixture { store, faults, .. }: Fixture) {
    let (mut one, mut two) = (Actor::new(1), Actor::new(2));
    let slots = [store.reserve().unwrap(), store.reserve().unwrap()];
    faults.fail_commits(true);
    one.append(&store, ["a"]);
    is_failing(&store).await;
    for slot in slots {
        slot.append(one.next(["more"]));
    }
    assert_eq!(one.durable_now().to, 0);
    faults.fail_commits(false);
    one.durable_to(3).await;
    is_ok(&store).await;
    two.append(&store, ["x"]);
    two.durable_to(1).await;
    assert_eq!(texts(&store, 1).await, ["a", "more", "more"]);
}

async fn outages_are_measured_in_the_time_passed_in(Fixture { store, faults, time, .. }: Fixture) {
    let mut actor = Actor::new(1);
    for (number, lasts_ms, sum_ms) in [(1, 500, 500), (2, 250, 750)] {
        faults.fail_commits(true);
        actor.append(&store, ["event"]);
        is_failing(&store).await;
        time.advance(lasts_ms);
        assert_eq!(store.outage_ms(), sum_ms);
        faults.fail_commits(false);
        actor.durable_to(number).await;
        is_ok(&store).await;
        time.advance(10_000);
        assert_eq!(store.outage_ms(), sum_ms);
    }
}

async fn fifty_tables_at_once_hear_their_numbers_in_order(Fixture { store, .. }: Fixture) {
    const EVENTS: u64 = 40;
    let play = |n: u64| {
        let store = store.clone();
        async move {
            let mut actor = Actor::new(n);
            let mut heard = 0;
            while heard < EVENTS {
                // A few moves ahead of the disk, as a lively table is.
                while actor.next <= EVENTS.min(heard + 3) {
                    let text = actor.next.to_string();
                    actor.append(&store, [&text]);
                }
                actor.durable_to(heard + 1).await;
                let durable = actor.durable_now();
                assert!(durable.to > heard && durable.to < actor.next, "{durable:?}");
                heard = durable.to;
                assert!(texts(&store, n).await.len() as u64 >= heard);
            }
        }
    };
    let tables: Vec<_> = (1..=50).map(|n| tokio::spawn(play(n))).collect();
    for table in tables {
        table.await.unwrap();
    }
    let expected: Vec<_> = (1..=EVENTS).map(|n| n.to_string()).collect();
    for n in 1..=50 {
        assert_eq!(texts(&store, n).await, expected);
    }
}

async fn a_closed_store_says_so(Fixture { store, .. }: Fixture) {
    store.close();
    store.close();
    assert_eq!(store.reserve().err(), Some(Busy::Closed));
    let refused = store.create_player(player(1, "Ada"), device(1, 1)).await;
    assert_eq!(refused, Err(PlayerError::Busy(Busy::Closed)));
    let error = store.load(table_id(1)).await.unwrap_err();
    assert!(matches!(error, ReadError::Closed), "{error}");
}

async fn closing_writes_what_was_handed_in(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    let late = store.reserve().unwrap();
    for _ in 0..100 {
        actor.append(&store, ["event"]);
    }
    store.close();
    assert_eq!(actor.durable_now().to, 100);
    late.append(actor.next(["too late"]));
    assert_eq!(actor.durable_now().to, 100);
}

async fn closing_gives_up_on_what_cannot_be_written(Fixture { store, faults, .. }: Fixture) {
    let mut actor = Actor::new(1);
    faults.hold_commits(true);
    actor.append(&store, ["event"]);
    let mut created = Box::pin(store.create_player(player(1, "Ada"), device(1, 1)));
    assert!(created.as_mut().now_or_never().is_none());
    store.close();
    assert_eq!(actor.durable_now().to, 0);
    assert_eq!(created.await, Err(PlayerError::Busy(Busy::Closed)));
    assert_eq!(store.reserve().err(), Some(Busy::Closed));
}

#[tokio::test]
async fn a_full_queue_is_busy_and_a_dropped_slot_is_free_again() {
    for fixture in [Fixture::memory_with_queue(2), Fixture::sqlite_with_queue(2)] {
        let store = &fixture.store;
        let mut actor = Actor::new(1);
        let (first, second) = (store.reserve().unwrap(), store.reserve().unwrap());
        assert_eq!(store.reserve().err(), Some(Busy::Full));
        drop(first);
        let third = store.reserve().unwrap();
        assert_eq!(store.reserve().err(), Some(Busy::Full));
        second.append(actor.next(["a"]));
        third.append(actor.next(["b"]));
        actor.durable_to(2).await;
        actor.append(store, ["c"]);
        actor.durable_to(3).await;
    }
}
