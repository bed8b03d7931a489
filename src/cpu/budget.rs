//! How long the computer may think over one move, from the clock of the seat that it plays.
//!
//! Pure arithmetic. Invariant: a seat that spends what it is allowed here, and at most
//! [`Outlook::way_ms`] more on the way, never runs out of time, however long the game gets, if
//! anybody could have played that many moves on that clock with so much lost on the way of each.

use crate::game::Collision;
use crate::game::clock::{Control, Millis, Reading, TimeControl};

use super::Seen;

/// What a move may cost besides its thinking: the way through the queue, and a journal that takes
/// its time.
const WAY_MS: Millis = 150;

/// What is added for each cell of the board: searches of large boards look up less often, and so
/// notice later that they should stop.
const WAY_MS_A_CELL: Millis = 1;

/// How many more of its turns a seat expects at least, however full the board is.
const FEWEST_TURNS: Millis = 8;

/// How long the computer may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The thinking itself, if nobody else wants the worker.
    pub think_ms: Millis,
    /// Within which time from now the answer is needed, waiting included; none where nobody
    /// counts.
    pub within_ms: Option<Millis>,
}

/// How much longer a game can get, at most, for the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// Turns that it completes, the one to come among them: 1 or more.
    pub turns: u64,
    /// Tries at cells that turn out to be taken and keep its turn.
    pub tries: u64,
    /// Those of them that may still come in this turn.
    pub tries_now: u64,
    /// What each may cost besides its thinking.
    pub way_ms: Millis,
}

impl Outlook {
    /// The longest game from here.
    pub fn of(seen: &Seen) -> Outlook {
        let cells = seen.size.cells() as u64;
        let way_ms = WAY_MS + WAY_MS_A_CELL * cells;
        let unknown = cells.saturating_sub(seen.stones.len() as u64);
        let hidden = (seen.hidden() as u64).min(unknown);
        // Of the empty cells each seat takes every other one; a swap is a turn, too.
        let stones_to_come = (unknown - hidden) / 2 + 1;
        // Each stone of the other seat, there or to come, can be run into once.
        let collisions = hidden + stones_to_come;
        let open = Outlook { turns: stones_to_come, tries: 0, tries_now: 0, way_ms };
        match seen.dark.as_ref().map(|dark| dark.collision) {
            None => open,
            Some(Collision::Classical) => Outlook { tries: collisions, tries_now: hidden, ..open },
            Some(Collision::Abrupt) => Outlook { turns: stones_to_come + collisions, ..open },
        }
    }

    /// How many more searches a seat expects on the way: far fewer than the most, since games end
    /// long before the board is full.
    fn expected(self) -> Millis {
        let most = self.turns + self.tries;
        (most / 3).max(FEWEST_TURNS).min(most).max(1)
    }

    /// What the ways of everything to come may use up in all, where each completed turn gives so
    /// much back.
    fn ways_ms(self, increment_ms: Millis) -> Millis {
        let lost_a_turn = self.way_ms.saturating_sub(increment_ms);
        // What comes before the next increment is lost in full.
        let later = self.turns.saturating_sub(1).saturating_mul(lost_a_turn);
        self.way_ms.saturating_mul(self.tries + 1).saturating_add(later)
    }
}

impl Budget {
    /// The budget of a seat whose clock shows this. `most_ms` is the longest thinking that anybody
    /// should wait for.
    pub fn of(
        time_control: &TimeControl,
        reading: Reading,
        outlook: Outlook,
        most_ms: Millis,
    ) -> Budget {
        let untimed = Budget { think_ms: most_ms, within_ms: None };
        let game = reading.left_ms.map(|left_ms| match time_control.control() {
            Control::None => untimed,
            Control::Fischer { increment_ms, .. } => fischer(left_ms, increment_ms, outlook),
            Control::ByoYomi { period_ms, periods, .. } if reading.periods == periods => {
                first_time(left_ms, period_ms, outlook)
            }
            Control::PerTurn { .. } | Control::ByoYomi { .. } => turn(left_ms, outlook),
        });
        let first_move = reading.first_move_ms.map(|first_ms| turn(first_ms, outlook));
        [game, first_move].into_iter().flatten().fold(untimed, Budget::tighter)
    }

    /// What both allow.
    fn tighter(self, other: Budget) -> Budget {
        let think_ms = self.think_ms.min(other.think_ms);
        let within_ms = [self.within_ms, other.within_ms].into_iter().flatten().min();
        // Nobody waits for longer than it thinks.
        let within_ms = within_ms.map(|within_ms| within_ms.min(think_ms.saturating_mul(2)));
        Budget { think_ms, within_ms }
    }

    /// Thinking for so long, and waiting for as long, but not beyond `most_ms` in all.
    fn within(think_ms: Millis, most_ms: Millis) -> Budget {
        let think_ms = think_ms.min(most_ms);
        Budget { think_ms, within_ms: Some(think_ms.saturating_mul(2).min(most_ms)) }
    }
}

/// What is left beside the ways, and beside the last millisecond, with which the flag falls.
fn spare(left_ms: Millis, ways_ms: Millis) -> Millis {
    left_ms.saturating_sub(ways_ms).saturating_sub(1)
}

/// A share of the time for the game, and most of what the turn brings.
fn fischer(left_ms: Millis, increment_ms: Millis, outlook: Outlook) -> Budget {
    let spare_ms = spare(left_ms, outlook.ways_ms(increment_ms));
    let earned_ms = increment_ms.saturating_sub(outlook.way_ms) / (outlook.tries_now.min(2) + 1);
    Budget::within(spare_ms / outlook.expected() + earned_ms, spare_ms)
}

/// A turn with a limit of its own: all of it, shared with the tries that may follow in it. Where a
/// period is as good as over, the move is made at once, at the cost of that period at worst.
fn turn(left_ms: Millis, outlook: Outlook) -> Budget {
    let spare_ms = spare(left_ms, outlook.way_ms.saturating_mul(outlook.tries_now + 1));
    Budget::within(spare_ms / (outlook.tries_now.min(2) + 1), spare_ms)
}

/// The time before the periods: a share of it, or as much as a period will give later. The first
/// period is not used up, so that nothing is lost by running into it.
fn first_time(left_ms: Millis, period_ms: Millis, outlook: Outlook) -> Budget {
    let period = turn(period_ms, outlook);
    let think_ms = (left_ms / outlook.expected()).max(period.think_ms);
    Budget::within(think_ms, left_ms.saturating_add(period.within_ms.unwrap_or(0)))
}

#[cfg(test)]
mod tests;
