//! The table of a party, whose seats go round.

use hexhall::game::Seat;
use hexhall::table::handle::Command;
use hexhall::table::state::event::Event;
use hexhall::verify::Check;
use hexhall_proto::options as wire;

use super::story::{Story, small};
use super::{assert_problem, check, first_problem};

#[tokio::test]
async fn nothing_is_wrong_whoever_comes_to_the_computer_or_cuts_its_game_short() {
    let mut story = Story::party(7, &small(wire::Swap::Off, wire::Time::None {}));
    let (ada, bo) = (story.member("Ada"), story.member("Bo"));
    story.joins_party(&ada, true);
    story.starts(&ada);
    story.starts(&ada);
    let practice = story.game();
    story.command(Seat::Two, Command::Resign(practice));
    // Ada makes room for Bo, and the computer keeps its seat.
    story.joins_party(&bo, true);
    story.joins_party(&ada, false);
    story.starts(&ada);
    story.joins_party(&ada, true);
    story.starts(&ada);
    let journal = story.end();
    assert_eq!(check(std::slice::from_ref(&journal)).await.problems, []);

    // Where the one who comes to the computer is said to exchange seats, that is found.
    let mut damaged = journal;
    let starts = (1..).zip(&mut damaged.events).filter_map(|(number, event)| match event {
        Event::Started { exchange, .. } => Some((number, exchange)),
        _ => None,
    });
    let (number, exchange) = starts.into_iter().nth(2).unwrap();
    *exchange = true;
    let problem = first_problem(&damaged).await;
    assert_problem(&problem, number, Check::Seats, "as they were", "exchanged");
}
