//! Between the wire's words and ours, both ways, and nothing else.

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::notices;
use hexhall_proto::options as wire_options;
use hexhall_proto::parts;
use hexhall_proto::plans;
use hexhall_proto::view::PlayedMove;

use crate::cpu::Level;
use crate::game::clock::{Clock, Control, Millis};
use crate::game::{
    Cell, Collision, Color, Goal, Illegal, Kind, Move, Outcome, Ply, Seat, Swap, Void, WonBy,
};
use crate::store::{NoticeKind, NoticeRow};
use crate::table::handle::Player;
use crate::table::options::Options;
use crate::table::state::Phase;
use crate::table::state::plan::Plan;
use crate::table::state::refusal::Refusal;

/// A seat, outwards.
pub const fn seat(seat: Seat) -> parts::Seat {
    match seat {
        Seat::One => parts::Seat::One,
        Seat::Two => parts::Seat::Two,
    }
}

/// A seat, inwards.
pub const fn read_seat(seat: parts::Seat) -> Seat {
    match seat {
        parts::Seat::One => Seat::One,
        parts::Seat::Two => Seat::Two,
    }
}

/// A cell, outwards.
pub fn cell(cell: Cell) -> parts::Cell {
    parts::Cell(cell.row.into(), cell.col.into())
}

/// A cell, inwards. One that is beyond every board stays beyond every board.
pub fn read_cell(parts::Cell(row, col): parts::Cell) -> Cell {
    let side = |n: i64| u8::try_from(n).unwrap_or(u8::MAX);
    Cell::new(side(row), side(col))
}

/// A move, outwards.
pub fn action(action: Move) -> parts::Move {
    match action {
        Move::Place(at) => parts::Move::Place(cell(at)),
        Move::Swap => parts::Move::Swap,
    }
}

/// A move, inwards.
pub fn read_action(action: parts::Move) -> Move {
    match action {
        parts::Move::Place(at) => Move::Place(read_cell(at)),
        parts::Move::Swap => Move::Swap,
    }
}

/// What a seat has planned, outwards.
pub fn plan(plan: &Plan) -> plans::Plan {
    let lines = plan.lines.iter().map(|line| line.iter().copied().map(action).collect());
    plans::Plan { premove: plan.premove.map(action), lines: lines.collect() }
}

/// What a seat plans, inwards.
pub fn read_plan(premove: Option<parts::Move>, lines: Vec<Vec<parts::Move>>) -> Plan {
    let lines = lines.into_iter().map(|line| line.into_iter().map(read_action).collect());
    Plan { premove: premove.map(read_action), lines: lines.collect() }
}

/// A colour, outwards.
pub const fn color(color: Color) -> parts::Color {
    match color {
        Color::Red => parts::Color::Red,
        Color::Blue => parts::Color::Blue,
    }
}

/// A swap rule, outwards.
pub const fn swap(swap: Swap) -> wire_options::Swap {
    match swap {
        Swap::Off => wire_options::Swap::Off,
        Swap::Sides => wire_options::Swap::Sides,
        Swap::Pieces => wire_options::Swap::Pieces,
    }
}

/// A move that was played, by a game with this swap rule and by the computer or not, with as much
/// of its cell as is `shown`.
pub fn played(
    ply: &Ply,
    rule: Swap,
    cpu: bool,
    shown: impl FnOnce(Cell) -> Option<parts::Cell>,
) -> PlayedMove {
    let (at, swapped) = match ply.action {
        Move::Place(at) => (shown(at), None),
        Move::Swap => (None, Some(swap(rule))),
    };
    PlayedMove {
        seat: seat(ply.seat),
        color: color(ply.color),
        cell: at,
        collision: ply.collided,
        swap: swapped,
        cpu,
    }
}

/// How a game ended.
pub fn outcome(outcome: Outcome) -> parts::Outcome {
    use parts::EndedBy;
    let by = match outcome {
        Outcome::Won { by: WonBy::Chain, .. } => EndedBy::Chain,
        Outcome::Won { by: WonBy::Resignation, .. } => EndedBy::Resignation,
        Outcome::Won { by: WonBy::Time, .. } => EndedBy::Time,
        Outcome::Won { by: WonBy::Forfeit, .. } => EndedBy::Forfeit,
        Outcome::Void(Void::Aborted) => EndedBy::Aborted,
        Outcome::Void(Void::NotStarted) => EndedBy::NotStarted,
        Outcome::Void(Void::Abandoned) => EndedBy::Abandoned,
    };
    parts::Outcome { winner: outcome.winner().map(seat), by }
}

/// A player, as others see them.
pub fn player(player: &Player) -> parts::Player {
    parts::Player {
        id: player.id.to_string(),
        name: player.name.to_string(),
        cpu: player.cpu.map(Level::number),
        bot: player.bot,
    }
}

/// Where a table stands.
pub const fn phase(phase: Phase) -> parts::Phase {
    match phase {
        Phase::Waiting => parts::Phase::Waiting,
        Phase::Playing => parts::Phase::Playing,
        Phase::Finished => parts::Phase::Finished,
        Phase::Closed => parts::Phase::Closed,
    }
}

/// What one seat's clock shows, of a clock with or without time.
pub fn clock_reading(clock: &Clock, reading: crate::game::clock::Reading) -> parts::ClockReading {
    let byo_yomi = matches!(clock.time_control().control(), Control::ByoYomi { .. });
    parts::ClockReading {
        left_ms: reading.left_ms.unwrap_or_default(),
        periods: byo_yomi.then_some(reading.periods),
        first_move_ms: reading.first_move_ms,
    }
}

/// Options, outwards.
pub fn options(options: &Options) -> wire_options::Options {
    let rules = options.rules();
    let (game, collision) = kind(rules.kind());
    wire_options::Options {
        preset: options.preset(),
        rows: rules.size().rows(),
        cols: rules.size().cols(),
        game,
        collision,
        swap: swap(rules.swap()),
        goal: match rules.goal() {
            Goal::Join => wire_options::Goal::Join,
            Goal::Avoid => wire_options::Goal::Avoid,
        },
        random_stones: rules.random_stones(),
        time: time(options.time().control()),
        first_move_s: options.time().first_move_ms().map(seconds),
        on_leave: options.on_leave(),
        rated: options.is_rated(),
        first_move: options.first_move(),
        pass_and_play: options.pass_and_play(),
        spectator_delay_s: options.spectator_delay_s(),
    }
}

/// Which game it is, and what a collision does there.
pub const fn kind(kind: Kind) -> (wire_options::GameKind, Option<wire_options::Collision>) {
    use wire_options::GameKind;
    match kind {
        Kind::Hex => (GameKind::Hex, None),
        Kind::Dark(Collision::Classical) => {
            (GameKind::Dark, Some(wire_options::Collision::Classical))
        }
        Kind::Dark(Collision::Abrupt) => (GameKind::Dark, Some(wire_options::Collision::Abrupt)),
    }
}

fn time(control: Control) -> wire_options::Time {
    use wire_options::Time;
    match control {
        Control::None => Time::None {},
        Control::Fischer { initial_ms, increment_ms, cap_ms } => Time::Fischer {
            initial_s: seconds(initial_ms),
            increment_s: seconds(increment_ms),
            cap_s: cap_ms.map(seconds),
        },
        Control::PerTurn { turn_ms } => Time::PerTurn { seconds: seconds(turn_ms) },
        Control::ByoYomi { initial_ms, period_ms, periods } => {
            Time::ByoYomi { initial_s: seconds(initial_ms), period_s: seconds(period_ms), periods }
        }
    }
}

/// Whole seconds; every time that options can hold is so many.
fn seconds(span: Millis) -> u32 {
    u32::try_from(span / 1000).unwrap_or(u32::MAX)
}

/// A notice.
pub fn notice(row: &NoticeRow) -> notices::PersonalNotice {
    notices::PersonalNotice {
        id: row.id.to_string(),
        kind: match row.kind {
            NoticeKind::Warning => notices::NoticeKind::Warning,
            NoticeKind::Muted => notices::NoticeKind::Muted,
            NoticeKind::Unmuted => notices::NoticeKind::Unmuted,
            NoticeKind::Renamed => notices::NoticeKind::Renamed,
        },
        text: row.text.clone(),
        at_ms: row.at_ms,
        until_ms: row.until_ms,
    }
}

/// The code of a table's refusal.
pub const fn code(refusal: &Refusal) -> Code {
    match refusal {
        Refusal::UnknownTable(_) => Code::UnknownTable,
        Refusal::NotInvited => Code::NotInvited,
        Refusal::NotAtTable => Code::NotAtTable,
        Refusal::NotSeated => Code::NotSeated,
        Refusal::SeatTaken(_) | Refusal::TableFull => Code::SeatTaken,
        Refusal::AlreadySeated(_) => Code::AlreadySeated,
        Refusal::Blocked => Code::Blocked,
        Refusal::Banned => Code::Banned,
        Refusal::NoParty => Code::NoParty,
        Refusal::JoinTheParty => Code::JoinTheParty,
        Refusal::PartyFull => Code::PartyFull,
        Refusal::Removed => Code::Removed,
        Refusal::NotMember(_) => Code::NotMember,
        Refusal::NotHost => Code::NotHost,
        Refusal::CannotRemove(_) => Code::CannotRemove,
        Refusal::GameRuns => Code::GameRuns,
        Refusal::CannotStart | Refusal::BothAsk => Code::CannotStart,
        Refusal::TooManyTables(_) | Refusal::SitsEnough(_) | Refusal::WatchesEnough(_) => {
            Code::TooManyTables
        }
        Refusal::TooOften(_) => Code::RateLimited,
        Refusal::Options(_) => Code::BadOptions,
        Refusal::NoGame => Code::NoGame,
        Refusal::OtherGame(_) => Code::OtherGame,
        Refusal::Paused => Code::Paused,
        Refusal::StaleTurn { .. } => Code::StaleTurn,
        Refusal::Illegal(Illegal::GameOver) => Code::GameOver,
        Refusal::Illegal(Illegal::NotYourTurn { .. }) => Code::NotYourTurn,
        Refusal::Illegal(Illegal::OffBoard { .. }) => Code::OffBoard,
        Refusal::Illegal(Illegal::Occupied { .. }) => Code::Occupied,
        Refusal::Illegal(Illegal::NoSwap(_)) => Code::NoSwap,
        Refusal::CannotPlan(_) => Code::CannotPlan,
        Refusal::BadPlan(_) => Code::BadPlan,
        Refusal::NoOffer(_) => Code::NoOffer,
        Refusal::CannotOffer(_) | Refusal::Illegal(Illegal::NoTakeback) => Code::CannotOffer,
        Refusal::CannotAbort => Code::CannotAbort,
        Refusal::CannotClaim(_) => Code::CannotClaim,
        Refusal::CannotSuggest(_) => Code::CannotSuggest,
        Refusal::NotPaused => Code::NotPaused,
        Refusal::CannotGiveTime | Refusal::NobodyToGive => Code::CannotGiveTime,
        Refusal::NotYourSeat { .. } | Refusal::NotToMove { .. } => Code::OtherSeat,
        Refusal::CurtainDown { .. } => Code::CurtainDown,
        Refusal::NoCurtain => Code::NoCurtain,
        Refusal::Busy | Refusal::IsBanned(_) => Code::Busy,
    }
}

/// After how long to ask again where the journal cannot take anything on: a commit that has failed
/// is tried again about as often.
const JOURNAL_RETRY_MS: Millis = 1_000;

/// A table's refusal, with what the asker may know that helps.
pub fn refusal(refusal: &Refusal) -> ErrorBody {
    let mut body = ErrorBody::new(code(refusal), refusal.to_string());
    match refusal {
        // Not by its name: a cell beyond every board stands for whatever number was sent.
        Refusal::Illegal(Illegal::OffBoard { size, .. }) => {
            let (row, col) = (size.rows() - 1, size.cols() - 1);
            body.message =
                format!("no such cell: rows go from 0 to {row}, columns from 0 to {col}");
        }
        Refusal::StaleTurn { turn } => body.turn = Some(*turn),
        Refusal::Illegal(Illegal::NotYourTurn { to_move })
        | Refusal::NotToMove { to_move, .. }
        | Refusal::CurtainDown { seat: to_move } => body.to_move = Some(seat(*to_move)),
        Refusal::TooOften(wait) => body.retry_ms = Some(*wait),
        Refusal::Busy | Refusal::IsBanned(_) => body.retry_ms = Some(JOURNAL_RETRY_MS),
        _ => {}
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;

    #[test]
    fn a_cell_beyond_the_board_is_refused_by_what_there_is_and_not_by_a_name_that_nobody_sent() {
        let beyond = crate::game::Cell::new(255, 0);
        let off = Illegal::OffBoard { cell: beyond, size: Size::new(3, 5).unwrap() };
        let body = refusal(&off.into());
        assert_eq!(body.code, Code::OffBoard);
        assert_eq!(body.message, "no such cell: rows go from 0 to 2, columns from 0 to 4");
    }
}
