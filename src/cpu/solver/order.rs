//! Which moves look best: those that lie on short ways of both colours, the side to move's above all.

use crate::cpu::connections::Found;
use crate::cpu::connections::bits::Bits;
use crate::cpu::connections::board::Board;

/// These cells, the most promising first.
pub(super) fn ordered<const W: usize>(
    board: &Board<W>,
    own: &Found<W>,
    other: &Found<W>,
    cells: Bits<W>,
) -> Vec<u16> {
    let ways = [own, other].map(|found| found.ways(board.shape.cells().into()));
    let (rows, cols) = (board.shape.size().rows(), board.shape.size().cols());
    let off_centre = |cell: u16| {
        let (row, col) = board.shape.row_col(cell);
        (2 * row + 1).abs_diff(rows.into()) + (2 * col + 1).abs_diff(cols.into())
    };
    let mut moves: Vec<u16> = cells.iter().collect();
    moves.sort_by_key(|&cell| {
        let at = usize::from(cell);
        (2 * ways[0][at] + ways[1][at], off_centre(cell), cell)
    });
    moves
}
