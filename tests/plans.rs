//! Plans over real sockets: they are played, dropped and kept as their seat was told, through kills
//! too, and nobody else hears of them.

use hexhall::remote::TableCopy;
use hexhall::store::{Durability, Store};
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Preset, Time};
use hexhall_proto::parts::{EndedBy, Move, Outcome, Seat};
use hexhall_proto::plans::{MakePlan, Plan, WhyDropped};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{GameCommand, Request};

use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Guest, Hall, Process, Setup, board, fischer};

fn stone(cell: &str) -> Move {
    Move::Place(hexhall::wire::cell(cell.parse().unwrap()))
}

fn line(cells: &str) -> Vec<Move> {
    cells.split_whitespace().map(stone).collect()
}

/// A plan of a premove and of lines.
fn plan(premove: Option<&str>, lines: &[&str]) -> Plan {
    Plan { premove: premove.map(stone), lines: lines.iter().map(|it| line(it)).collect() }
}

/// The request for it, for the turn that is known.
fn request(guest: &mut Guest, table: &str, plan: &Plan) -> MakePlan {
    let turn = guest.copy(table).turn().unwrap();
    let GameCommand { table, game, command } = guest.command(table);
    let Plan { premove, lines } = plan.clone();
    MakePlan { table, game, command, turn, premove, lines }
}

/// Plans, and waits until that is told.
async fn plans(guest: &mut Guest, table: &str, plan: Plan) {
    let request = request(guest, table, &plan);
    guest.done(Request::Plan(request)).await;
    let planned = (plan.premove.is_some() || !plan.lines.is_empty()).then_some(plan);
    guest.until(table, "the plan", |copy| copy.view().plan == planned).await;
}

fn is_about_plans(event: &Event) -> bool {
    matches!(event, Event::Planned { .. } | Event::PlanDropped { .. })
}

/// How many events about plans a guest was told and has not looked at.
fn heard_of_plans(guest: &Guest) -> usize {
    use hexhall_proto::reply::ServerFrame::Stream;
    let about = |frame: &&_| matches!(frame, Stream(frame) if is_about_plans(&frame.event));
    guest.told.iter().filter(about).count()
}

struct Party {
    hall: Hall,
    table: String,
    one: Guest,
    two: Guest,
    watcher: Guest,
}

impl Party {
    async fn gather(setup: Setup, formats: [Format; 2], options: OptionsRequest) -> Party {
        let hall = Hall::start(setup).await;
        let mut one = Guest::arrive(&hall.address(), formats[0], "Ana").await;
        let mut two = Guest::arrive(&hall.address(), formats[1], "Bo").await;
        let mut watcher = Guest::arrive(&hall.address(), formats[0], "Cy").await;
        let table = one.open(options).await;
        watcher.watch(&table).await;
        two.join(&table).await;
        for guest in [&mut one, &mut watcher] {
            guest.until(&table, "the game", |copy| copy.game().is_some()).await;
        }
        Party { hall, table, one, two, watcher }
    }

    async fn all_see(&mut self, turn: u64) {
        for guest in [&mut self.one, &mut self.two, &mut self.watcher] {
            let seen = |copy: &TableCopy| copy.turn() == Some(turn);
            guest.until(&self.table, "the turn", seen).await;
        }
    }
}

#[tokio::test]
async fn a_premove_and_a_line_are_played_at_once_and_others_see_nothing_but_the_moves() {
    for formats in [FORMATS, [FORMATS[1], FORMATS[0]]] {
        let options = board(3, fischer(300, 5));
        let mut party = Party::gather(Setup::by_hand(), formats, options).await;
        let table = party.table.clone();
        plans(&mut party.two, &table, plan(Some("c3"), &["b2 a3 b3 b1"])).await;
        party.hall.advance(1_000);
        party.one.play(&table, "b2").await;
        party.all_see(2).await;
        let rest = plan(None, &["b3 b1"]);
        let follows = |copy: &TableCopy| copy.view().plan.as_ref() == Some(&rest);
        party.two.until(&table, "what is left of the plan", follows).await;
        assert_eq!(party.one.clocks(&table).seats.map(|it| it.left_ms), [304_000, 305_000]);
        let seqs = [&party.one, &party.two, &party.watcher].map(|it| it.copy(&table).seq());
        assert_eq!([seqs[0]; 2], [seqs[1], seqs[2]], "their numbers are the same");

        // Another tab, and whoever was away, see the plan as it is.
        let mut tab = party.two.other_tab(&party.hall.address(), formats[0]).await;
        assert_eq!(tab.watch(&table).await.plan, Some(rest.clone()));
        plans(&mut party.two, &table, plan(Some("c1"), &[])).await;
        let told = |copy: &TableCopy| copy.view().plan == Some(plan(Some("c1"), &[]));
        tab.until(&table, "the other tab's plan", told).await;
        party.two.hang_up();
        plans(&mut tab, &table, rest.clone()).await;
        party.two.come_back(&party.hall.address()).await;
        let resumed = party.two.resume(&table).await;
        assert!(matches!(resumed, Reply::Resumed { .. }), "{resumed:?}");
        assert_eq!(party.two.copy(&table).view().plan, Some(rest));

        party.one.play(&table, "b3").await;
        party.all_see(4).await;
        party.two.until(&table, "that all was played", |copy| copy.view().plan.is_none()).await;
        party.one.play(&table, "c1").await;
        party.all_see(5).await;
        for guest in [&party.one, &party.watcher] {
            assert_eq!(heard_of_plans(guest), 0);
            assert_eq!(guest.copy(&table).view().plan, None);
        }
        for mut guest in [party.one, party.watcher] {
            assert_eq!(guest.watch(&table).await.plan, None);
        }
    }
}

#[tokio::test]
async fn what_cannot_be_played_is_dropped_and_its_seat_is_told_why() {
    let options = board(3, Time::None {});
    let mut party = Party::gather(Setup::new(), FORMATS, options).await;
    let table = party.table.clone();
    for (premove, lines, theirs, own, why) in [
        (Some("b2"), &[][..], "b2", "a3", WhyDropped::Illegal),
        (None, &["c1 c2"][..], "b3", "c1", WhyDropped::Unmatched),
    ] {
        plans(&mut party.two, &table, plan(premove, lines)).await;
        party.one.play(&table, theirs).await;
        let dropped = |event: &Event| *event == Event::PlanDropped { why };
        party.two.hears(&table, "why it was dropped", dropped).await;
        assert_eq!(party.two.copy(&table).view().plan, None);
        party.two.play(&table, own).await;
    }
    plans(&mut party.two, &table, plan(Some("b1"), &[])).await;
    let resign = Request::Resign(party.one.command(&table).into());
    party.one.done(resign).await;
    let dropped = |event: &Event| *event == Event::PlanDropped { why: WhyDropped::Ended };
    party.two.hears(&table, "that the game is over", dropped).await;
    assert_eq!(heard_of_plans(&party.one), 0);
}

#[tokio::test]
async fn plans_that_make_no_sense_are_refused_by_name() {
    let mut party = Party::gather(Setup::new(), FORMATS, board(3, fischer(300, 0))).await;
    let table = party.table.clone();
    let own_turn = request(&mut party.one, &table, &plan(Some("a1"), &[]));
    refused_with(&mut party.one, Code::CannotPlan, Request::Plan(own_turn)).await;
    let bad = request(&mut party.two, &table, &plan(None, &["a1 a1"]));
    let body = refused_with(&mut party.two, Code::BadPlan, Request::Plan(bad)).await;
    assert!(body.message.starts_with("move 2 of line 1 cannot be played"), "{}", body.message);
    let early = request(&mut party.two, &table, &plan(Some("a1"), &[]));
    let early = MakePlan { turn: 1, ..early };
    let body = refused_with(&mut party.two, Code::StaleTurn, Request::Plan(early)).await;
    assert_eq!(body.turn, Some(0));
    let strange = request(&mut party.two, &table, &plan(Some("a1"), &[]));
    refused_with(&mut party.watcher, Code::NotSeated, Request::Plan(strange)).await;
    assert_eq!(party.two.copy(&table).view().plan, None);

    let preset = Some(Preset::Dark);
    let dark = OptionsRequest { preset, ..OptionsRequest::default() };
    let table = party.one.open(dark).await;
    party.two.join(&table).await;
    let blind = request(&mut party.two, &table, &plan(Some("a1"), &[]));
    refused_with(&mut party.two, Code::CannotPlan, Request::Plan(blind)).await;
}

#[tokio::test]
async fn the_largest_plan_fits_into_a_frame_of_either_format() {
    for format in FORMATS {
        let options = board(53, Time::None {});
        let mut party = Party::gather(Setup::new(), [format; 2], options).await;
        let table = party.table.clone();
        // Every cell is written with as many digits as there are.
        let cell = |nth: i64| Move::Place(hexhall_proto::parts::Cell(10 + nth / 40, 10 + nth % 40));
        let line = |line: i64| (0..20).map(|nth| cell(line * 20 + nth)).collect();
        let largest = Plan { premove: Some(cell(700)), lines: (0..10).map(line).collect() };
        plans(&mut party.two, &table, largest).await;
    }
}

#[tokio::test]
async fn two_plans_play_a_game_to_its_end_before_anybody_has_looked() {
    let mut party = Party::gather(Setup::by_hand(), FORMATS, board(3, fischer(60, 0))).await;
    let table = party.table.clone();
    plans(&mut party.two, &table, plan(None, &["a1 b1 a2 b2"])).await;
    // Ana's plan has to come while it is Bo's turn: hers follows the rest of his.
    party.one.play(&table, "a1").await;
    party.all_see(2).await;
    party.one.play(&table, "a2").await;
    party.all_see(4).await;
    plans(&mut party.two, &table, plan(Some("c3"), &[])).await;
    party.one.play(&table, "a3").await;
    let chain = Outcome { winner: Some(Seat::One), by: EndedBy::Chain };
    for guest in [&mut party.one, &mut party.two, &mut party.watcher] {
        guest.until(&table, "the end", |copy| copy.outcome() == Some(chain)).await;
    }
    let dropped = |event: &Event| *event == Event::PlanDropped { why: WhyDropped::Ended };
    party.two.hears(&table, "that the game is over", dropped).await;
    assert_eq!(heard_of_plans(&party.one) + heard_of_plans(&party.watcher), 0);
}

#[tokio::test]
async fn a_plan_is_played_for_somebody_who_is_away_for_days_while_the_server_was_put_away() {
    let setup = Setup::by_hand().kept();
    let mut party = Party::gather(setup, FORMATS, board(3, Time::None {})).await;
    let table = party.table.clone();
    plans(&mut party.two, &table, plan(None, &["b2 a3 b3 b1"])).await;
    for guest in [&mut party.one, &mut party.two, &mut party.watcher] {
        guest.hang_up();
    }
    party.hall.misses(&table, &[Seat::One, Seat::Two]).await;
    party.hall.advance(20 * 3_600_000);
    party.hall.stop().await;
    party.hall.start_again().await;
    party.one.come_back(&party.hall.address()).await;
    party.one.resume(&table).await;
    party.one.play(&table, "b2").await;
    party.one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
    party.two.come_back(&party.hall.address()).await;
    party.two.resume(&table).await;
    assert_eq!(party.two.copy(&table).view().plan, Some(plan(None, &["b3 b1"])));
    assert_eq!(party.two.copy(&table).turn(), Some(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_lives_through_a_kill_and_the_journal_stays_sound() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let mut one = Guest::arrive(&server.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&server.address(), Format::MsgPack, "Bo").await;
    let table = one.open(board(4, fischer(300, 5))).await;
    two.join(&table).await;
    one.until(&table, "the game", |copy| copy.game().is_some()).await;
    let sent = request(&mut two, &table, &plan(Some("d4"), &["b2 a3 b3 b1"]));
    two.done(Request::Plan(sent.clone())).await;
    server.kill_in(0).await;
    server.start_again_in(0).await;

    two.come_back(&server.address()).await;
    two.resume(&table).await;
    let kept = Some(plan(Some("d4"), &["b2 a3 b3 b1"]));
    assert_eq!(two.copy(&table).view().plan, kept);
    // Sent once more, it is answered as it was, and nothing is planned by it.
    two.done(Request::Plan(sent)).await;
    one.come_back(&server.address()).await;
    one.resume(&table).await;
    one.play(&table, "b2").await;
    one.until(&table, "the planned answer", |copy| copy.turn() == Some(2)).await;
    two.until(&table, "one's own move", |copy| copy.turn() == Some(2)).await;
    server.kill_in(0).await;
    server.start_again_in(0).await;
    for guest in [&mut one, &mut two] {
        guest.come_back(&server.address()).await;
        guest.resume(&table).await;
    }
    assert_eq!(two.copy(&table).view().plan, Some(plan(None, &["b3 b1"])));
    assert_eq!(one.copy(&table).view().plan, None);
    assert_eq!(heard_of_plans(&one), 0);
    one.play(&table, "b3").await;
    one.until(&table, "the next planned answer", |copy| copy.turn() == Some(4)).await;
    server.terminate();
    assert!(server.ended().await.success());
    let store = Store::open(folder.path(), Durability::Process).unwrap();
    let report = hexhall::verify::run(&store, |_| {}).await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    store.close();
}
