//! Tables where the computer plays: in a seat of its own, or for a player who is gone.

use hexhall::game::Seat;
use hexhall::ids::PlayerId;
use hexhall::table::handle::Command;
use hexhall::table::options::Options;
use hexhall::table::state::event::Event;
use hexhall::verify::Check;
use hexhall_proto::options as wire;
use hexhall_proto::parts::OfferKind;

use super::story::{Journal, Story, small};
use super::{assert_problem, check, first_problem};

const FISCHER: wire::Time = wire::Time::Fischer { initial_s: 60, increment_s: 2, cap_s: None };

/// A practice table of two games: one resigned after a takeback and a pause, the other won by the
/// computer from the other seat, after a restart. Closed at the end.
fn practice() -> Journal {
    let mut story = Story::practice(4, &small(wire::Swap::Off, FISCHER), Seat::Two);
    story.play("b2");
    story.compute("a1");
    let game = story.game();
    story.command(Seat::One, Command::Offer(game, OfferKind::Takeback));
    story.play("a1");
    story.command(Seat::One, Command::Offer(game, OfferKind::Pause));
    story.wait(5_000);
    story.command(Seat::One, Command::Unpause(game));
    story.compute("b2");
    story.command(Seat::One, Command::Resign(game));
    story.command(Seat::One, Command::Offer(game, OfferKind::Rematch));
    story.compute("b2");
    story.restart();
    story.play("a1");
    story.compute("b1");
    story.play("a2");
    story.compute("b3");
    story.leave(Seat::Two);
    story.end()
}

/// A practice game of Dark Hex, in which each runs into a stone of the other. It still runs.
fn in_the_dark() -> Journal {
    let options = wire::OptionsRequest {
        game: Some(wire::GameKind::Dark),
        collision: Some(wire::Collision::Classical),
        ..small(wire::Swap::Off, FISCHER)
    };
    let mut story = Story::practice(5, &options, Seat::One);
    story.compute("b2");
    story.play("b2 a1");
    story.compute("a1 a3");
    story.end()
}

/// A game whose second player went twice: the computer stood in, the player came back, went again,
/// and lost by what the computer played.
fn taken_over() -> Journal {
    let options = wire::OptionsRequest {
        on_leave: Some(wire::OnLeave::Cpu),
        ..small(wire::Swap::Off, FISCHER)
    };
    let mut story = Story::begin(6, &options, None);
    story.play("b2");
    story.go(Seat::Two, 30_000);
    story.compute("a1");
    story.play("b3");
    story.come_back(Seat::Two);
    story.play("c1");
    story.go(Seat::Two, 0);
    story.play("c3");
    story.wait(30_000);
    story.compute("a3");
    story.play("b1");
    story.end()
}

fn is_house(event: &Event) -> bool {
    matches!(event, Event::Seated { player, .. } if player.cpu.is_some())
}

fn is_taken_over(event: &Event) -> bool {
    matches!(event, Event::TakenOver { .. })
}

fn is_cpu_move(event: &Event) -> bool {
    matches!(event, Event::Played { cpu: true, .. })
}

#[tokio::test]
async fn nothing_is_wrong_where_the_computer_has_a_seat_or_stood_in() {
    let journals = [practice(), in_the_dark(), taken_over()];
    let of = |counted: fn(&Event) -> bool| {
        journals.iter().flat_map(|it| &it.events).filter(|event| counted(event)).count()
    };
    assert_eq!((of(is_house), of(is_taken_over), of(is_cpu_move)), (2, 2, 10));
    let report = check(&journals).await;
    assert_eq!(report.problems, []);
    assert_eq!((report.counts.games, report.counts.ended), (4, 3));
}

#[tokio::test]
async fn a_person_without_a_row_across_from_the_computer_is_still_named() {
    let mut journal = practice();
    let id = journal.players.remove(0).id.to_string();
    let problem = first_problem(&journal).await;
    assert_problem(&problem, 2, Check::Players, &id, "none");
}

#[tokio::test]
async fn a_computer_that_sits_down_as_somebody_else_is_named() {
    let mut journal = practice();
    let number = journal.find(is_house);
    let Event::Seated { player, .. } = journal.at(number) else { panic!("a seat") };
    player.id = PlayerId::from_parts(7, 7);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Seats, "the computer to take seat 2", "plr_");
}

#[tokio::test]
async fn a_takeover_of_a_seat_that_is_driven_or_never_left_to_the_computer_is_named() {
    let mut journal = taken_over();
    let number = journal.find(is_taken_over);
    let again = journal.at(number).clone();
    journal.events.insert(number as usize, again);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number + 1, Check::Seats, "a seat driven as the event needs", "2");

    let mut journal = taken_over();
    let claimed = wire::OptionsRequest {
        on_leave: Some(wire::OnLeave::Claim),
        ..small(wire::Swap::Off, FISCHER)
    };
    let Event::Opened { options, .. } = journal.at(1) else { panic!("an opening") };
    *options = Options::resolve(&claimed).unwrap();
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Seats, "never left to the computer", "a takeover");
}

#[tokio::test]
async fn a_move_of_the_computer_for_a_player_who_has_the_seat_is_named() {
    let mut journal = taken_over();
    let number = journal.find(is_cpu_move);
    let taken = journal.find(is_taken_over);
    journal.events.remove(taken as usize - 1);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number - 1, Check::Seats, "a seat driven as the event needs", "2");
}
