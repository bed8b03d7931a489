//! Filling in: stones that may be added for either colour without changing who wins.

use crate::game::Color;

use crate::cpu::connections::bits::Bits;
use crate::cpu::connections::board::{Board, Place};

use super::dead::dead;

/// Why a stone may be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason<Cell> {
    /// The cell joins nothing for either colour, whatever is played around it.
    Dead,
    /// The cell is in no region that reaches both of a colour's edges.
    CutOff,
    /// If the other colour takes one of a pair of cells, the other one kills that stone. This is the
    /// other one.
    Captured(Cell),
}

const COLORS: [Color; 2] = [Color::Red, Color::Blue];

/// Fills in until nothing more is found, and tells each stone.
pub fn fill<const W: usize>(board: &mut Board<W>, tell: &mut impl FnMut(u16, Color, Reason<u16>)) {
    cut_off(board, tell);
    // Cells whose surroundings changed.
    let mut fresh = board.empty();
    while !fresh.is_empty() {
        let cells = fresh & board.empty();
        fresh = Bits::EMPTY;
        for cell in cells.iter() {
            if board.owner(cell).is_none() {
                settle(board, cell, &mut fresh, tell);
            }
        }
    }
}

/// Fills in a cell, and those captured with it, if that may be done.
fn settle<const W: usize>(
    board: &mut Board<W>,
    cell: u16,
    fresh: &mut Bits<W>,
    tell: &mut impl FnMut(u16, Color, Reason<u16>),
) {
    let mut place = |board: &mut Board<W>, cell: u16, color: Color, reason| {
        board.stones[color.index()].insert(cell);
        let cells = board.shape.cells();
        for near in board.shape.around(cell).into_iter().filter(|&near| near < cells) {
            fresh.insert(near);
            // A pair reaches one cell further than a cell does.
            let further = board.shape.around(near).into_iter().filter(|&near| near < cells);
            further.for_each(|near| fresh.insert(near));
        }
        tell(cell, color, reason);
    };
    if dead(board, cell, None) {
        return place(board, cell, Color::Red, Reason::Dead);
    }
    for other in empty_around(board, cell) {
        if let Some(color) = COLORS.into_iter().find(|&color| captured(board, cell, other, color)) {
            place(board, cell, color, Reason::Captured(other));
            return place(board, other, color, Reason::Captured(cell));
        }
    }
}

/// Whether a colour captures two cells that touch: whichever the other colour takes, the other one
/// kills that stone.
pub fn captured<const W: usize>(board: &Board<W>, a: u16, b: u16, color: Color) -> bool {
    dead(board, a, Some((b, color))) && dead(board, b, Some((a, color)))
}

/// The empty cells around a cell.
pub fn empty_around<const W: usize>(
    board: &Board<W>,
    cell: u16,
) -> impl Iterator<Item = u16> + use<W> {
    let empty = board.empty();
    let cells = board.shape.cells();
    board.shape.around(cell).into_iter().filter(move |&near| near < cells && empty.has(near))
}

/// Gives a colour the empty cells from which the other cannot reach both of its edges.
fn cut_off<const W: usize>(board: &mut Board<W>, tell: &mut impl FnMut(u16, Color, Reason<u16>)) {
    for color in COLORS {
        let [first, second] = board.shape.edges(color).map(|edge| reached(board, color, edge));
        let lost = board.empty().without(first & second);
        for cell in lost.iter() {
            board.stones[color.other().index()].insert(cell);
            tell(cell, color.other(), Reason::CutOff);
        }
    }
}

/// The cells that a colour could still join to its edge.
fn reached<const W: usize>(board: &Board<W>, color: Color, edge: Place) -> Bits<W> {
    let cells = board.shape.cells();
    let open = Bits::<W>::first(cells.into()).without(board.stones[color.other().index()]);
    let touches = |&cell: &u16| board.shape.around(cell).contains(&edge);
    let mut stack: Vec<u16> = open.iter().filter(touches).collect();
    let mut reached: Bits<W> = stack.iter().copied().collect();
    while let Some(cell) = stack.pop() {
        for near in board.shape.around(cell) {
            if near < cells && open.has(near) && !reached.has(near) {
                reached.insert(near);
                stack.push(near);
            }
        }
    }
    reached
}
