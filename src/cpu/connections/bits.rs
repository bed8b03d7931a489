//! Sets of cells as bits: small, flat, copied rather than shared.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

/// A set of cells of a board with at most 64 `W` cells, by row-major index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// No cell.
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// Everything that fits.
    pub const ALL: Bits<W> = Bits([u64::MAX; W]);

    /// The first `cells` cells.
    pub fn first(cells: usize) -> Bits<W> {
        let mut set = Bits::ALL;
        for (at, word) in set.0.iter_mut().enumerate() {
            *word = match cells.saturating_sub(at * 64) {
                0 => 0,
                left @ 1..64 => (1 << left) - 1,
                _ => u64::MAX,
            };
        }
        set
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn has(&self, cell: u16) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
    }

    /// The set and this cell.
    #[inline]
    pub fn with(mut self, cell: u16) -> Bits<W> {
        self.insert(cell);
        self
    }

    /// The set without those cells.
    #[inline]
    pub fn without(mut self, other: Bits<W>) -> Bits<W> {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
        self
    }

    /// Whether there is no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the sets share a cell.
    #[inline]
    pub fn meets(&self, other: &Bits<W>) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every cell of this set is in the other.
    #[inline]
    pub fn within(&self, other: &Bits<W>) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The cells in row-major order.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().enumerate().flat_map(|(at, word)| {
            let next = |&rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), next);
            words.map(move |rest| (at * 64) as u16 + rest.trailing_zeros() as u16)
        })
    }
}

impl<const W: usize> FromIterator<u16> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = u16>>(cells: I) -> Bits<W> {
        cells.into_iter().fold(Bits::EMPTY, Bits::with)
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Bits<W>;

    #[inline]
    fn bitand(mut self, other: Bits<W>) -> Bits<W> {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Bits<W>) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Bits<W>;

    #[inline]
    fn bitor(mut self, other: Bits<W>) -> Bits<W> {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Bits<W>) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_its_cells_in_order() {
        let cells = [0, 5, 63, 64, 100, 127];
        let set: Bits<2> = cells.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), cells.len());
        assert!(Bits::<2>::EMPTY.iter().next().is_none());
    }

    #[test]
    fn sets_meet_and_contain_each_other_across_words() {
        let [small, large]: [Bits<2>; 2] =
            [[1, 70].into_iter().collect(), [1, 2, 70].into_iter().collect()];
        assert!(small.within(&large) && !large.within(&small) && small.meets(&large));
        assert_eq!(large.without(small).iter().collect::<Vec<_>>(), [2]);
    }
}
