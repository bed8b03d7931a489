//! Edge templates: whole links of one cell with an edge that the two rules of the search miss or
//! find late.

use crate::game::Color;

use super::bits::Bits;
use super::board::{Board, Place};

/// The templates on a board for one colour: the number of the edge, the cell, the carrier.
pub fn on<const W: usize>(_board: &Board<W>, _color: Color) -> Vec<(u16, Place, Bits<W>)> {
    Vec::new()
}
