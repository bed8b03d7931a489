//! Writes that no retry mends: each is left out and answered alone, and all others are made.

use proptest::prelude::*;
use rusqlite::Connection;

use super::*;

on_both_engines!(
    an_append_that_cannot_be_written_stops_its_own_table_alone,
    whoever_reads_the_journal_afterwards_goes_on_from_what_it_has,
);

/// A store in a file whose events cannot hold this text, and the file as others see it.
fn with_a_constraint(text: &str) -> (Fixture, Connection) {
    let fixture = Fixture::sqlite();
    let dir = fixture._dir.as_ref().unwrap();
    let outside = Connection::open(dir.path().join("hexhall.db")).unwrap();
    let trigger = format!(
        "CREATE TRIGGER poison BEFORE INSERT ON events
         WHEN NEW.payload = CAST('{text}' AS BLOB)
         BEGIN SELECT RAISE(ABORT, 'poisoned'); END"
    );
    outside.execute_batch(&trigger).unwrap();
    (fixture, outside)
}

async fn an_append_that_cannot_be_written_stops_its_own_table_alone(
    Fixture { store, faults, .. }: Fixture,
) {
    let (mut one, mut two, mut three) = (Actor::new(1), Actor::new(2), Actor::new(3));
    two.append(&store, ["a"]);
    two.durable_to(1).await;
    faults.poison(Some(table_id(2)));
    faults.hold_commits(true);
    one.append(&store, ["a"]);
    // What is handed in from here on shares a transaction.
    one.append(&store, ["b"]);
    let mut append = two.next(["never"]);
    append.listing = Some(listing(2, TableStatus::Open, "never"));
    store.reserve().unwrap().append(append);
    three.append(&store, ["a"]);
    two.append(&store, ["never, either"]);
    one.append(&store, ["c"]);
    faults.hold_commits(false);
    let lost = Some(Lost::Refused(2));
    assert_eq!(two.lost().await, Durable { to: 1, lost });
    one.durable_to(3).await;
    three.durable_to(1).await;
    assert_eq!(*store.health().borrow(), Health::Ok);

    faults.poison(None);
    two.append(&store, ["too late"]);
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    assert_eq!(two.durable_now(), Durable { to: 1, lost });
    assert_eq!(texts(&store, 1).await, ["a", "b", "c"]);
    assert_eq!(texts(&store, 2).await, ["a"]);
    assert_eq!(store.table(table_id(2)).await.unwrap(), None);
}

async fn whoever_reads_the_journal_afterwards_goes_on_from_what_it_has(
    Fixture { store, faults, .. }: Fixture,
) {
    let mut before = Actor::new(1);
    before.append(&store, ["a"]);
    before.durable_to(1).await;
    faults.poison(Some(table_id(1)));
    before.append(&store, ["never"]);
    before.lost().await;
    faults.poison(None);
    let mut after = Actor::after(1, 1);
    after.append(&store, ["b"]);
    after.durable_to(2).await;
    assert_eq!(texts(&store, 1).await, ["a", "b"]);
}

#[tokio::test]
async fn a_constraint_is_broken_by_one_write_and_told_to_that_one() {
    let (Fixture { store, faults, _dir, .. }, outside) = with_a_constraint("poison");
    outside
        .execute_batch(
            "CREATE TRIGGER no_bo BEFORE INSERT ON players WHEN NEW.name = 'Bo'
             BEGIN SELECT RAISE(ABORT, 'poisoned'); END",
        )
        .unwrap();
    let (mut one, mut two) = (Actor::new(1), Actor::new(2));
    faults.hold_commits(true);
    one.append(&store, ["a"]);
    let bo = tokio::spawn({
        let store = store.clone();
        async move { store.create_player(player(2, "Bo"), device(2, 2)).await }
    });
    let ada = tokio::spawn({
        let store = store.clone();
        async move { store.create_player(player(1, "Ada"), device(1, 1)).await }
    });
    two.append(&store, ["fine", "poison"]);
    one.append(&store, ["b"]);
    faults.hold_commits(false);
    assert_eq!(bo.await.unwrap(), Err(PlayerError::Unwritable));
    assert_eq!(ada.await.unwrap(), Ok(()));
    assert_eq!(two.lost().await, Durable { to: 0, lost: Some(Lost::Refused(1)) });
    one.durable_to(2).await;
    assert!(texts(&store, 2).await.is_empty(), "all of an append or none");
    assert_eq!((known(&store, 2).await, known(&store, 1).await), (None, Some(player(1, "Ada"))));
    assert_eq!(*store.health().borrow(), Health::Ok);
}

#[tokio::test]
async fn what_needs_a_table_that_is_gone_is_refused_and_the_rest_goes_on() {
    let (Fixture { store, _dir, .. }, outside) = with_a_constraint("poison");
    outside.execute_batch("DROP TABLE report_lines; DROP TABLE reports").unwrap();
    assert_eq!(store.forget_reports(1).await, Err(ReportError::Unwritable));
    let mut actor = Actor::new(1);
    actor.append(&store, ["a"]);
    actor.durable_to(1).await;
}

#[tokio::test]
async fn an_outage_holds_up_what_shares_a_transaction_with_what_is_refused() {
    let (Fixture { store, faults, _dir, .. }, _outside) = with_a_constraint("poison");
    let (mut one, mut two) = (Actor::new(1), Actor::new(2));
    let slots = [store.reserve().unwrap(), store.reserve().unwrap()];
    faults.fail_commits(true);
    for (slot, append) in slots.into_iter().zip([two.next(["poison"]), one.next(["a"])]) {
        slot.append(append);
    }
    is_failing(&store).await;
    let nothing = Durable::default();
    assert_eq!((one.durable_now(), two.durable_now()), (nothing, nothing));
    faults.fail_commits(false);
    one.durable_to(1).await;
    assert_eq!(two.lost().await.lost, Some(Lost::Refused(1)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Appends of four tables, some of them poisoned, in transactions of any size.
    #[test]
    fn every_table_has_its_events_up_to_the_first_that_cannot_be_written(
        appends in prop::collection::vec((0..4_u64, prop::bool::weighted(0.15)), 1..40),
        held in 0..40_usize,
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let (Fixture { store, faults, _dir, .. }, _outside) = with_a_constraint("poison");
            let mut actors: Vec<_> = (0..4).map(Actor::new).collect();
            let mut written: Vec<Vec<String>> = vec![Vec::new(); 4];
            let mut lost = [None; 4];
            for (n, &(table, is_poison)) in appends.iter().enumerate() {
                faults.hold_commits(n < held);
                let table = table as usize;
                let number = actors[table].next;
                let text = if is_poison { "poison".to_owned() } else { n.to_string() };
                actors[table].append(&store, [&text]);
                if is_poison {
                    lost[table].get_or_insert(Lost::Refused(number));
                } else if lost[table].is_none() {
                    written[table].push(text);
                }
            }
            faults.hold_commits(false);
            // The last of all.
            store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
            for (table, actor) in (0..4).zip(&actors) {
                let to = written[table].len() as u64;
                assert_eq!(actor.durable_now(), Durable { to, lost: lost[table] });
                assert_eq!(texts(&store, table as u64).await, written[table]);
            }
        });
    }
}
