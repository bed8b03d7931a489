//! A report holds what was said at its table, as the server knows it.

use super::talk::{Company, heard, say, tiny};
use super::*;
use crate::harness::hall::OPERATOR;
use crate::harness::http::{say as post, told};
use crate::harness::poll;
use hexhall::ids::{PlayerId, ReportId};
use hexhall::store::{FullReport, Reason, ReportLine, Shun};
use hexhall_proto::chat::Room;
use hexhall_proto::options::Preset;
use serde_json::json;

const DAY_MS: u64 = 24 * 3_600_000;

fn id(guest: &Guest) -> PlayerId {
    guest.player.id.parse().unwrap()
}

/// Has somebody report another at a table: the report, as the operator may read it.
async fn report(hall: &Hall, by: &Guest, about: &Guest, table: &str) -> FullReport {
    let body = json!({ "player": about.player.id, "table": table, "reason": "abuse" });
    let made = post(&hall.address(), "POST", "/v1/reports", &by.token, body).await;
    let id: ReportId = made["id"].as_str().unwrap().parse().unwrap();
    hall.store().report(id).await.unwrap().unwrap()
}

fn texts(report: &FullReport) -> Vec<&str> {
    report.lines.iter().map(|line| &*line.text).collect()
}

#[tokio::test]
async fn a_report_that_the_operator_has_no_room_for_is_refused_and_those_before_it_stay() {
    let mut setup = Setup::by_hand();
    setup.config.operator.open_reports = 1;
    let hall = Hall::start(setup).await;
    let ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let of = |about: &Guest| json!({ "player": about.player.id, "reason": "spam" });
    let first = post(&hall.address(), "POST", "/v1/reports", &ana.token, of(&bo)).await;
    let second = told(&hall.address(), "POST", "/v1/reports", &bo.token, of(&ana)).await;
    assert_eq!((second.0, &second.1["code"]), (503, &json!("no_room")));
    let desk = post(&hall.address(), "GET", "/v1/operator/reports", OPERATOR, json!({})).await;
    assert_eq!([&desk["open"], &desk["most_open"]], [&json!(1), &json!(1)]);
    assert_eq!(desk["reports"][0]["id"], first["id"]);
    let settle = format!("/v1/operator/reports/{}/settle", first["id"].as_str().unwrap());
    let verdict = json!({ "outcome": "nothing in it", "by": "Op" });
    post(&hall.address(), "POST", &settle, OPERATOR, verdict).await;
    post(&hall.address(), "POST", "/v1/reports", &bo.token, of(&ana)).await;
}

#[tokio::test]
async fn a_report_holds_the_servers_lines_and_not_what_the_reporter_claims() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, bo, cy, .. } = &mut company;
    hall.advance(1);
    ana.done(say(&table, "hello")).await;
    bo.done(say(&table, "you fool")).await;
    cy.done(say(&table, "what a fool")).await;
    let claim = json!({ "player": bo.player.id, "table": table, "reason": "abuse",
        "lines": [{ "text": "something much worse" }] });
    let refused = told(&hall.address(), "POST", "/v1/reports", &ana.token, claim).await;
    assert_eq!((refused.0, &refused.1["code"]), (400, &json!("bad_request")));
    assert_eq!(hall.store().reports(false, None, 9).await.unwrap(), []);

    // As one does before one reports.
    hall.store().shun(Shun::Mute, id(ana), id(bo), 1, 500).await.unwrap();
    hall.store().shun(Shun::Block, id(ana), id(bo), 1, 500).await.unwrap();
    let FullReport { report, lines } = report(hall, ana, bo, &table).await;
    assert_eq!((report.by.id, report.about.id), (id(ana), id(bo)));
    assert_eq!(report.table.unwrap().to_string(), table);
    assert_eq!((report.reason, report.text, report.settled), (Reason::Abuse, None, None));
    assert_eq!(report.at_ms, crate::harness::hall::DAWN.0 + 1);
    let line = |number, by: &Guest, text: &str| ReportLine {
        number,
        room: Room::Players,
        player: id(by),
        name: by.player.name.clone(),
        text: text.to_owned(),
        at_ms: report.at_ms,
    };
    assert_eq!(lines, [line(1, ana, "hello"), line(2, bo, "you fool")]);
}

#[tokio::test]
async fn a_seated_reporter_brings_in_what_watchers_said_once_it_can_be_read() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, bo, cy, .. } = &mut company;
    cy.done(say(&table, "what a fool")).await;
    bo.done(say(&table, "ha")).await;
    assert_eq!(texts(&report(hall, ana, cy, &table).await), ["ha"]);
    assert_eq!(texts(&report(hall, cy, bo, &table).await), ["what a fool", "ha"]);
    company.ends().await;
    let Company { hall, bo, cy, .. } = &mut company;
    let after = report(hall, bo, cy, &table).await;
    assert_eq!(texts(&after), ["what a fool", "ha"]);
    assert_eq!(after.lines[0].room, Room::Watchers);
}

#[tokio::test]
async fn a_watcher_of_dark_hex_brings_nothing_in_that_the_players_say_before_its_end() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Dark)).await;
    let table = company.table.clone();
    let Company { hall, ana, cy, .. } = &mut company;
    ana.done(say(&table, "I have d4")).await;
    assert_eq!(texts(&report(hall, cy, ana, &table).await), [""; 0]);
    company.ends().await;
    let Company { hall, bo, cy, .. } = &mut company;
    assert_eq!(texts(&report(hall, cy, bo, &table).await), ["I have d4"]);
}

#[tokio::test]
async fn a_stranger_brings_nothing_in_from_a_private_table() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let cy = Guest::arrive(&at, Format::Json, "Cy").await;
    let open = hexhall_proto::request::Open { private: true, ..Default::default() };
    let (table, invitation) = ana.open_with(open).await;
    let join = hexhall_proto::request::Join { table: table.clone(), seat: None, invitation };
    assert!(matches!(bo.ask(Request::Join(join)).await, Reply::Joined { .. }));
    ana.done(say(&table, "just us")).await;
    assert_eq!(texts(&report(&hall, &cy, &ana, &table).await), [""; 0]);
    assert_eq!(texts(&report(&hall, &bo, &ana, &table).await), ["just us"]);
}

#[tokio::test]
async fn the_last_fifty_lines_are_kept_and_none_of_a_table_that_sleeps() {
    let mut hall = Hall::start(Setup::new().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = ana.open(tiny(Preset::Standard)).await;
    let mut said = Vec::new();
    let mut guests = Vec::new();
    // Nobody says more than a few lines at once.
    for who in 0..12 {
        let mut guest = Guest::arrive(&hall.address(), Format::Json, &format!("Fan {who}")).await;
        guest.watch(&table).await;
        for n in 0..5 {
            said.push(format!("{who} says {n}"));
            guest.done(say(&table, said.last().unwrap())).await;
        }
        guests.push(guest);
    }
    assert_eq!(heard(&mut ana, &table).await.len(), 60);
    assert_eq!(texts(&report(&hall, &ana, &guests[0], &table).await), said[10..]);
    drop(guests.split_off(2));
    hall.stop().await;
    hall.start_again().await;
    assert_eq!(texts(&report(&hall, &ana, &guests[1], &table).await), [""; 0]);
}

#[tokio::test]
async fn a_report_is_forgotten_after_thirty_days_while_the_server_runs() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, bo, cy, .. } = &mut company;
    let old = report(hall, ana, bo, &table).await.report.id;
    hall.advance(15 * DAY_MS);
    let young = report(hall, cy, bo, &table).await.report.id;
    hall.advance(15 * DAY_MS);
    let hall = &*hall;
    // Old ones are looked for once an hour; the young one is not to grow old meanwhile.
    let mut hours = 0..300;
    let gone = || {
        hours.next().into_iter().for_each(|_| hall.advance(3_600_000));
        async { hall.store().report(old).await.unwrap().is_none().then_some(()) }
    };
    poll("the old report to be forgotten", gone).await;
    assert!(hall.store().report(young).await.unwrap().is_some());
}
