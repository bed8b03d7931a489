//! A game with plans beside one without, in which somebody plays the same moves by hand.

use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::ids::Seq;
use crate::view::{Viewer, project};

/// What happens in a game in which both plan.
#[derive(Clone, Debug)]
enum Act {
    /// By the seat to move.
    Play(usize),
    /// By the other one: a premove, and lines.
    Plan(Option<usize>, Vec<Vec<usize>>),
    Pass(Millis),
}

fn act() -> impl Strategy<Value = Act> {
    use proptest::collection::vec;
    let line = || vec(0..6usize, 2..7);
    prop_oneof![
        3 => any::<usize>().prop_map(Act::Play),
        3 => (proptest::option::of(any::<usize>()), vec(line(), 0..12))
            .prop_map(|(premove, lines)| Act::Plan(premove, lines)),
        1 => (0..3_000u64).prop_map(Act::Pass),
    ]
}

/// A line of legal moves, as these pick them.
pub fn line(game: &Game, picks: &[usize]) -> Vec<Move> {
    let mut game = game.clone();
    let mut line = Vec::new();
    for pick in picks {
        let legal = game.legal_moves();
        let (Some(seat), false) = (game.to_move(), legal.is_empty()) else { break };
        let action = legal[pick % legal.len()];
        game.play(seat, action).unwrap();
        line.push(action);
    }
    line.truncate(line.len() / 2 * 2);
    line
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_game_with_plans_is_the_game_in_which_their_moves_are_played_by_hand(
        pieces in any::<bool>(),
        acts in proptest::collection::vec(act(), 1..60),
    ) {
        let swap = Some(if pieces { wire::Swap::Pieces } else { wire::Swap::Sides });
        let request = OptionsRequest { swap, size: Some(4), ..small() };
        let (mut planning, mut by_hand) = (Table::game(&request), Table::game(&request));
        for act in acts {
            let live = planning.live();
            let Some(seat) = live.game.to_move() else { break };
            let (mover, other) = if seat == One { (ANA, BO) } else { (BO, ANA) };
            match act {
                Act::Play(pick) => {
                    let legal = live.game.legal_moves();
                    let command = planning.action(legal[pick % legal.len()]);
                    for table in [&mut planning, &mut by_hand] {
                        let name = format!("{}", table.live().turn);
                        table.sends(mover, &name, command).unwrap();
                    }
                }
                Act::Plan(premove, picks) => {
                    let legal = live.game.legal_moves();
                    let premove = premove.map(|pick| legal[pick % legal.len()]);
                    let premove = premove.filter(|it| *it != Move::Swap);
                    let mut plan = Plan { premove, lines: Vec::new() };
                    for picks in &picks {
                        let line = line(&live.game, picks);
                        plan.lines.push(line);
                        if plan.check(&live.game, seat.other()).is_err() {
                            plan.lines.pop();
                        }
                    }
                    planning.plans(other, plan);
                }
                Act::Pass(span) => {
                    planning.now = planning.now + span;
                    by_hand.now = by_hand.now + span;
                }
            }
            let before = planning.live().game.plies().len();
            planning.wakes();
            for ply in &planning.live().game.plies()[before..] {
                let who = if ply.seat == One { ANA } else { BO };
                let (name, command) =
                    (format!("{}", by_hand.live().turn), by_hand.action(ply.action));
                by_hand.sends(who, &name, command).unwrap();
            }
            by_hand.wakes();
            prop_assert_eq!(planning.live(), by_hand.live());
            prop_assert_eq!(planning.state.score(), by_hand.state.score());
            let shown = |table: &Table| {
                project::view(&table.state, Viewer::Spectator, Seq(0), 0, table.now)
            };
            prop_assert_eq!(shown(&planning), shown(&by_hand));
            planning.check();
        }
    }
}
