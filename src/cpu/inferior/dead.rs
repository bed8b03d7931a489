//! Which cells cannot matter, judged by the six places around them.
//!
//! A stone matters only if it joins two of its colour's neighbours that do not touch each other
//! already. Around a cell the places touch one after the other, so with every place taken the cell
//! matters just if each colour holds them in more than one run. A cell with empty places around it
//! is dead if it matters in no way of filling them. The table answers this for each of the 3^6
//! surroundings; it is worked out when the program is compiled.

use crate::game::Color;

use crate::cpu::connections::board::{Board, Place};

/// For each surroundings, a digit to base 3 a place (0 empty, 1 red, 2 blue), whether the cell
/// within is dead.
static DEAD: [bool; 729] = table();

const fn table() -> [bool; 729] {
    let mut table = [false; 729];
    let mut ring = 0;
    while ring < table.len() {
        table[ring] = is_dead(ring);
        ring += 1;
    }
    table
}

const fn is_dead(ring: usize) -> bool {
    let mut filling = 0u8;
    while filling < 64 {
        // The places as bits, blue ones set.
        let (mut blue, mut rest, mut at) = (0u8, ring, 0);
        while at < 6 {
            let bit = match rest % 3 {
                0 => filling >> at & 1,
                1 => 0,
                _ => 1,
            };
            blue |= bit << at;
            rest /= 3;
            at += 1;
        }
        let turned = (blue << 1 | blue >> 5) & 63;
        if (blue ^ turned).count_ones() > 2 {
            return false;
        }
        filling += 1;
    }
    true
}

/// Whether a cell is dead, if this stone were on the board too. The corners outside the board lie
/// between edges of both colours and count for either.
pub fn dead<const W: usize>(board: &Board<W>, cell: u16, more: Option<(Place, Color)>) -> bool {
    let mut ring = 0;
    for place in board.shape.around(cell).into_iter().rev() {
        let extra = more.filter(|&(extra, _)| extra == place).map(|(_, color)| color);
        let corner = usize::from(place) + 1 == board.shape.places();
        let digit = match extra.or_else(|| board.owner(place)) {
            Some(color) => color.index() + 1,
            None if corner => 1,
            None => 0,
        };
        ring = ring * 3 + digit;
    }
    DEAD[ring]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(places: &str) -> bool {
        let digit = |place| match place {
            'r' => 1,
            'b' => 2,
            _ => 0,
        };
        DEAD[places.chars().rev().fold(0, |ring, place| ring * 3 + digit(place))]
    }

    #[test]
    fn four_stones_of_a_colour_in_a_row_kill_a_cell() {
        assert!(ring("rrrr..") && ring(".bbbb.") && !ring("rrr..."));
    }

    #[test]
    fn two_runs_that_face_each_other_kill_a_cell() {
        assert!(ring("rrr.b.") == ring(".b.rrr"), "turning the board changes nothing");
        assert!(ring("rr.bb.") && ring("rrr.b.") && !ring("r.bb..") && !ring("r.r..."));
    }

    #[test]
    fn colours_are_alike() {
        for places in ["rrrr..", "rr.bb.", "rb.r.b", "......", "rrrbbb", "rbrbrb"] {
            let other: String = places
                .chars()
                .map(|place| match place {
                    'r' => 'b',
                    'b' => 'r',
                    _ => place,
                })
                .collect();
            assert_eq!(ring(places), ring(&other), "{places}");
        }
    }
}
