//! Reports, alike on both engines and after a restart.

use hexhall_proto::chat::Room;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;
use crate::ids::ReportId;

on_both_engines!(
    a_report_comes_back_with_its_lines_until_it_is_settled_and_after,
    of_a_pair_there_is_one_open_report_each_way,
    a_reporter_has_so_many_open_and_nobody_is_reported_who_is_not_there,
    all_together_have_so_many_open_and_those_that_are_stay,
    reports_are_listed_the_newest_first_and_on_from_any_of_them,
    old_reports_are_forgotten_with_their_lines,
);

/// More than anybody here makes.
const MANY: usize = 9;

async fn a_report_comes_back_with_its_lines_until_it_is_settled_and_after(fixture: Fixture) {
    let store = &fixture.store;
    three(store).await;
    let made = NewReport {
        table: Some(table_id(5)),
        text: Some("he shouts".to_owned()),
        lines: vec![line(4, Room::Players, "HA"), line(7, Room::Watchers, "he he")],
        ..report(1, 1, 2)
    };
    store.add_report(made.clone(), MANY).await.unwrap();
    let mut row = ReportRow {
        id: made.id,
        by: player(1, "Ada"),
        about: player(2, "Eve"),
        table: made.table,
        reason: Reason::Abuse,
        text: made.text.clone(),
        at_ms: 1,
        settled: None,
    };
    assert_eq!(store.reports(true, None, MANY).await.unwrap(), [row.clone()]);
    let full = FullReport { report: row.clone(), lines: made.lines.clone() };
    assert_eq!(store.report(made.id).await.unwrap(), Some(full));

    settle(store, made.id).await.unwrap();
    row.settled = Some(settled());
    assert_eq!(store.reports(true, None, MANY).await.unwrap(), []);
    assert_eq!(store.reports(false, None, MANY).await.unwrap(), [row.clone()]);
    let full = FullReport { report: row, lines: made.lines };
    assert_eq!(store.report(made.id).await.unwrap(), Some(full.clone()));
    let again = store.settle_report(made.id, 99, "another".into(), "nothing".into()).await;
    assert_eq!(again, Err(ReportError::Settled));
    assert_eq!(store.report(made.id).await.unwrap(), Some(full), "it stays as it was settled");
    let nothing = ReportId::from_parts(9, 9);
    assert_eq!(store.report(nothing).await.unwrap(), None);
    assert_eq!(settle(store, nothing).await, Err(ReportError::Unknown));
}

async fn of_a_pair_there_is_one_open_report_each_way(Fixture { store, .. }: Fixture) {
    three(&store).await;
    store.add_report(report(1, 1, 2), MANY).await.unwrap();
    let mut second = report(2, 1, 2);
    second.lines = vec![line(1, Room::Players, "later")];
    assert_eq!(store.add_report(second.clone(), MANY).await, Err(ReportError::Open));
    assert_eq!(store.report(second.id).await.unwrap(), None);
    store.add_report(report(3, 2, 1), MANY).await.unwrap();
    store.add_report(report(4, 3, 2), MANY).await.unwrap();
    settle(&store, report(1, 1, 2).id).await.unwrap();
    store.add_report(second.clone(), MANY).await.unwrap();
    assert_eq!(store.report(second.id).await.unwrap().unwrap().lines, second.lines);
}

async fn a_reporter_has_so_many_open_and_nobody_is_reported_who_is_not_there(
    Fixture { store, .. }: Fixture,
) {
    three(&store).await;
    assert_eq!(store.add_report(report(1, 1, 4), 1).await, Err(ReportError::Unknown));
    assert_eq!(store.add_report(report(1, 4, 1), 1).await, Err(ReportError::Unknown));
    store.add_report(report(1, 1, 2), 1).await.unwrap();
    assert_eq!(store.add_report(report(2, 1, 3), 1).await, Err(ReportError::Full));
    settle(&store, report(1, 1, 2).id).await.unwrap();
    store.add_report(report(2, 1, 3), 1).await.unwrap();
}

async fn all_together_have_so_many_open_and_those_that_are_stay(Fixture { store, .. }: Fixture) {
    three(&store).await;
    for (n, by, about) in [(1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 2, 3), (5, 3, 1)] {
        store.add_report(report(n, by, about), MANY).await.unwrap();
    }
    assert_eq!(store.waiting_reports().await.unwrap(), Waiting { open: 5, most: 5 });
    let one_more = || store.add_report(report(6, 3, 2), MANY);
    assert_eq!(one_more().await, Err(ReportError::NoRoom));
    assert_eq!(store.reports(true, None, MANY).await.unwrap().len(), 5);
    settle(&store, report(4, 2, 3).id).await.unwrap();
    one_more().await.unwrap();
    assert_eq!(store.waiting_reports().await.unwrap(), Waiting { open: 5, most: 5 });
}

async fn reports_are_listed_the_newest_first_and_on_from_any_of_them(
    Fixture { store, .. }: Fixture,
) {
    three(&store).await;
    for (n, by, about) in [(2, 1, 2), (1, 2, 3), (4, 3, 1), (3, 1, 3)] {
        store.add_report(report(n, by, about), MANY).await.unwrap();
    }
    settle(&store, report(3, 1, 3).id).await.unwrap();
    let listed = async |open_only, after: Option<u64>, limit| -> Vec<u64> {
        let after = after.map(|n| ReportId::from_parts(n, 0));
        let rows = store.reports(open_only, after, limit).await.unwrap();
        rows.into_iter().map(|row| row.at_ms).collect()
    };
    assert_eq!(listed(false, None, MANY).await, [4, 3, 2, 1]);
    assert_eq!(listed(true, None, MANY).await, [4, 2, 1]);
    assert_eq!(listed(true, None, 2).await, [4, 2]);
    assert_eq!(listed(true, Some(3), MANY).await, [2, 1]);
    assert_eq!(listed(false, Some(4), 1).await, [3]);
    assert!(listed(true, Some(1), MANY).await.is_empty());
}

async fn old_reports_are_forgotten_with_their_lines(Fixture { store, .. }: Fixture) {
    three(&store).await;
    for (n, about) in [(10, 2), (20, 3)] {
        let lines = vec![line(n, Room::Players, "HA")];
        store.add_report(NewReport { lines, ..report(n, 1, about) }, MANY).await.unwrap();
    }
    settle(&store, report(10, 1, 2).id).await.unwrap();
    store.forget_reports(10).await.unwrap();
    assert_eq!(store.reports(false, None, MANY).await.unwrap().len(), 2);
    store.forget_reports(11).await.unwrap();
    assert_eq!(store.report(report(10, 1, 2).id).await.unwrap(), None);
    let kept = store.report(report(20, 1, 3).id).await.unwrap().unwrap();
    assert_eq!(kept.lines, [line(20, Room::Players, "HA")]);
    // What has the same name now has none of the lines that were forgotten.
    store.add_report(report(10, 1, 2), MANY).await.unwrap();
    assert_eq!(store.report(report(10, 1, 2).id).await.unwrap().unwrap().lines, []);
}

#[tokio::test]
async fn the_figure_of_open_reports_follows_what_is_made_settled_and_forgotten() {
    let dir = TempDir::new().unwrap();
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let open = || Store::open(dir.path(), Durability::Process).unwrap();
    for open in [&open as &dyn Fn() -> Store, &Store::memory] {
        let store = metrics::with_local_recorder(&recorder, open);
        let is_open = |count: u64| {
            let figures = figures.render();
            assert!(figures.contains(&format!("\nhexhall_reports_open {count}\n")), "{figures}");
            assert!(figures.contains("\nhexhall_reports_open_most 5000\n"), "{figures}");
        };
        three(&store).await;
        for (at_ms, by, about) in [(1, 1, 2), (2, 2, 1), (3, 3, 1)] {
            store.add_report(report(at_ms, by, about), MANY).await.unwrap();
            is_open(at_ms);
        }
        settle(&store, report(3, 3, 1).id).await.unwrap();
        is_open(2);
        store.forget_reports(2).await.unwrap();
        is_open(1);
    }
}

#[tokio::test]
async fn reports_are_there_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    three(&store).await;
    let lines = vec![line(1, Room::Watchers, "HA")];
    store.add_report(NewReport { lines, ..report(1, 1, 2) }, MANY).await.unwrap();
    let before = store.report(report(1, 1, 2).id).await.unwrap();
    drop(store);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    assert!(before.is_some());
    assert_eq!(store.report(report(1, 1, 2).id).await.unwrap(), before);
    assert_eq!(store.add_report(report(2, 1, 2), MANY).await, Err(ReportError::Open));
}

async fn three(store: &Store) {
    for (n, name) in [(1, "Ada"), (2, "Eve"), (3, "Bo")] {
        store.create_player(player(n, name), device(n, n as u8)).await.unwrap();
    }
}

/// A report of one player about another, made at this time.
fn report(at_ms: u64, by: u64, about: u64) -> NewReport {
    NewReport {
        id: ReportId::from_parts(at_ms, 0),
        by: player(by, "").id,
        about: player(about, "").id,
        table: None,
        reason: Reason::Abuse,
        text: None,
        at_ms,
        lines: Vec::new(),
    }
}

fn line(number: u64, room: Room, text: &str) -> ReportLine {
    let (player, name) = (player(2, "").id, "Eve".to_owned());
    ReportLine { number, room, player, name, text: text.to_owned(), at_ms: number }
}

fn settled() -> Settled {
    Settled { at_ms: 50, by: "the operator".to_owned(), outcome: "warned".to_owned() }
}

async fn settle(store: &Store, id: ReportId) -> Result<(), ReportError> {
    let Settled { at_ms, by, outcome } = settled();
    store.settle_report(id, at_ms, by, outcome).await
}
