//! HexWorld links: `https://hexworld.org/board/#13c1,a6:si5i10:rb`.
//!
//! After `#` come the size, the view's settings, the moves up to the cursor and the moves after
//! it. A link carries no names, no clocks and no stones that stood before the first move; colours
//! follow from the turn. A random opening, whose stones alternate as moves do, is written as
//! moves. Of a game of Dark Hex the stones are written as they were placed, as long as the colours
//! alternate. A loss on time is written as a forfeit, which is the nearest that the format has.

use std::fmt::Write;

use winnow::ascii::dec_uint;
use winnow::combinator::{alt, dispatch, empty, fail, opt, preceded, repeat};
use winnow::prelude::*;
use winnow::token::{any, one_of, take_while};

use super::error::{ReadError, Reason, Source};
use super::format::MAX_RECORDS;
use super::{Action, Format, Record, RecordError, RecordPly, WriteError};
use crate::game::{Cell, Color, Goal, Outcome, Size, Swap, WonBy};

const BOARD: &str = "https://hexworld.org/board/#";

/// One link a line.
pub(super) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let source = Source { text };
    let links = text.lines().map(str::trim).filter(|line| !line.is_empty());
    // One more than may be read is enough for the refusal.
    links.take(MAX_RECORDS + 1).map(|link| read_link(source, link)).collect()
}

/// The record as a link that shows its last position.
pub(super) fn write(record: &Record) -> Result<String, WriteError> {
    let game = record.replay()?;
    let no_word = |what| Err(WriteError::NoWordFor { format: Format::HexWorld, what });
    if record.goal == Goal::Avoid {
        return no_word("Rex");
    }
    if !record.setup_alternates() {
        return no_word("stones that were set up");
    }
    let (rows, cols) = (record.size.rows(), record.size.cols());
    let mut link = String::from(BOARD);
    let _ = if rows == cols { write!(link, "{rows}") } else { write!(link, "{cols}x{rows}") };
    link.push_str("c1,");
    for (_, cell) in &record.setup {
        let _ = write!(link, "{cell}");
    }
    let placed = record.stones().map(|ply| ply.color);
    if record.kind.is_dark() && !placed.zip(super::alternating()).all(|(is, due)| is == due) {
        return no_word("a turn that passed without a stone");
    }
    for ply in record.stones() {
        let _ = match ply.action {
            Action::Place(cell) | Action::Collision(cell) => write!(link, "{cell}"),
            Action::SwapSides => write!(link, ":S"),
            Action::SwapPieces => write!(link, ":s"),
        };
    }
    if let Some(Outcome::Won { winner, by }) = game.outcome() {
        let loser = match game.color(winner.other()) {
            Color::Red => 'b',
            Color::Blue => 'w',
        };
        let _ = match by {
            WonBy::Chain => Ok(()),
            WonBy::Resignation => write!(link, ":r{loser}"),
            WonBy::Time | WonBy::Forfeit => write!(link, ":f{loser}"),
        };
    }
    link.push('\n');
    Ok(link)
}

/// A move as it is written.
#[derive(Clone, Copy)]
enum Token {
    Play(Action),
    Pass,
    Leave(Color, WonBy),
}

fn read_link(source: Source<'_>, link: &str) -> Result<Record, ReadError> {
    let mut rest = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let (cols, rows) = size.parse_next(&mut rest).map_err(|_| {
        let reason = Reason::syntax("a link begins with the size of the board: `#11c1,a1b2`");
        source.error_at(rest, reason)
    })?;
    let mut record =
        Record::new(Size::new(rows, cols).map_err(|reason| source.error_at(link, reason))?);
    if settings.parse_next(&mut rest).is_err() || !(rest.is_empty() || rest.starts_with(',')) {
        let reason = Reason::syntax(
            "between the size and the first comma stand `r1` to `r12`, `m`, `n` or `c1`",
        );
        return Err(source.error_at(rest, reason));
    }

    let mut left = None;
    let mut places = Vec::new();
    let mut commas = 0;
    while !rest.is_empty() {
        if let Some(moves) = rest.strip_prefix(',') {
            commas += 1;
            if commas > 2 && !moves.trim_matches(',').is_empty() {
                let reason =
                    Reason::syntax("moves stand after the first and after the second comma");
                return Err(source.error_at(rest, reason));
            }
            rest = moves;
            continue;
        }
        let before = rest;
        let token = token.parse_next(&mut rest).map_err(|_| {
            let reason =
                Reason::syntax("a move is a cell, `:s`, `:S`, `:rb`, `:rw`, `:fb` or `:fw`");
            source.error_at(before, reason)
        })?;
        let word = &before[..before.len() - rest.len()];
        if left.is_some() {
            let reason = Reason::syntax("nothing is played after a resignation");
            return Err(source.error_at(word, reason));
        }
        match token {
            Token::Play(action) => {
                match action {
                    Action::SwapSides => record.swap = Swap::Sides,
                    Action::SwapPieces => record.swap = Swap::Pieces,
                    Action::Place(_) | Action::Collision(_) => {}
                }
                let color = color_to_move(&record.plies);
                record.plies.push(RecordPly { color, action, clock: None, cpu: false });
                places.push(word);
            }
            Token::Pass => return Err(source.error_at(word, Reason::Pass)),
            Token::Leave(color, by) => left = Some((color, by)),
        }
    }

    let game = record.position(record.plies.len()).map_err(|error| match error {
        RecordError::Ply { index, .. } if index < places.len() => {
            source.error_at(places[index], error)
        }
        _ => source.error_at(link, error),
    })?;
    record.end = left.map(|(color, by)| Outcome::Won { winner: game.seat(color.other()), by });
    record.settle_by(&game);
    Ok(record)
}

/// Colours alternate; after a swap of sides the swapper's colour moves again.
fn color_to_move(plies: &[RecordPly]) -> Color {
    match plies.last() {
        None => Color::Red,
        Some(RecordPly { color, action: Action::SwapSides, .. }) => *color,
        Some(ply) => ply.color.other(),
    }
}

fn size(input: &mut &str) -> ModalResult<(u64, u64)> {
    let cols = dec_uint.parse_next(input)?;
    let rows = opt(preceded('x', dec_uint)).parse_next(input)?;
    Ok((cols, rows.unwrap_or(cols)))
}

/// How the board is turned and labelled, which is no part of a record.
fn settings(input: &mut &str) -> ModalResult<()> {
    let turn = preceded('r', dec_uint::<_, u8, _>.verify(|turn| (1..=12).contains(turn))).void();
    repeat(0.., alt((turn, "c1".void(), one_of(['m', 'n']).void()))).parse_next(input)
}

fn token(input: &mut &str) -> ModalResult<Token> {
    alt((preceded(':', word), cell.map(|cell| Token::Play(Action::Place(cell))))).parse_next(input)
}

fn word(input: &mut &str) -> ModalResult<Token> {
    dispatch! {any;
        's' => empty.value(Token::Play(Action::SwapPieces)),
        'S' => empty.value(Token::Play(Action::SwapSides)),
        'p' => empty.value(Token::Pass),
        'r' => color.map(|color| Token::Leave(color, WonBy::Resignation)),
        'f' => color.map(|color| Token::Leave(color, WonBy::Forfeit)),
        _ => fail,
    }
    .parse_next(input)
}

fn color(input: &mut &str) -> ModalResult<Color> {
    alt(('b'.value(Color::Red), 'w'.value(Color::Blue))).parse_next(input)
}

fn cell(input: &mut &str) -> ModalResult<Cell> {
    let letters = take_while(1..=2, |c: char| c.is_ascii_alphabetic());
    let digits = take_while(1..=2, |c: char| c.is_ascii_digit());
    (letters, digits).take().parse_to().parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;

    fn one(link: &str) -> Record {
        read(link).unwrap().remove(0)
    }

    #[test]
    fn a_link_reads_with_its_swap_and_resignation() {
        let record = one("https://hexworld.org/board/#13r10c1,a6:si5i10:rb");
        assert_eq!(record.swap, Swap::Pieces);
        assert_eq!(record.plies.len(), 4);
        let end = Outcome::Won { winner: Seat::Two, by: WonBy::Resignation };
        assert_eq!(record.end, Some(end));
        assert_eq!(write(&record).unwrap(), "https://hexworld.org/board/#13c1,a6:si5i10:rb\n");
    }

    #[test]
    fn after_a_swap_of_sides_black_is_the_second_seat() {
        let record = one("#11,a2:Sf6g7:rb");
        let colors: Vec<Color> = record.plies.iter().map(|ply| ply.color).collect();
        assert_eq!(colors, [Color::Red, Color::Blue, Color::Blue, Color::Red]);
        assert_eq!(record.end.and_then(Outcome::winner), Some(Seat::One));
    }

    #[test]
    fn the_cursor_and_trailing_commas_change_nothing() {
        let plies = |link: &str| one(link).plies;
        assert_eq!(plies("#5mn,a1,b2"), plies("#5,a1b2"));
        assert_eq!(plies("#5,,a1b2"), plies("5,a1b2,,"));
        assert_eq!(plies("#5"), []);
        let size = one("#7x5,g1").size;
        assert_eq!((size.rows(), size.cols()), (5, 7));
    }

    #[test]
    fn what_is_no_link_is_refused_where_it_goes_wrong() {
        let refused = [
            ("#11,a1:p", 7, "no passing"),
            ("#11,a1a1", 7, "taken by a red stone"),
            ("#11,a1l1", 7, "not on the board"),
            ("#11,a1b2:s", 9, "only be the second move"),
            ("#11,a1:rb:fw", 10, "nothing is played after"),
            ("#11,a1,b2,c3", 10, "after the second comma"),
            ("#11q,a1", 4, "stand `r1` to `r12`"),
            ("#11r13,a1", 4, "stand `r1` to `r12`"),
            ("#99,a1", 1, "no board has"),
            ("hello", 1, "begins with the size"),
            ("#11,a1?", 7, "a move is a cell"),
        ];
        for (link, column, reason) in refused {
            let error = read(link).expect_err(link);
            assert_eq!(error.column, Some(column), "{link}: {error}");
            assert!(error.to_string().contains(reason), "{link}: {error}");
        }
    }
}
