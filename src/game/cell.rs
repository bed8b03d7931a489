//! Cells, board sizes, colours and seats: the words that everything else is said in.

use std::fmt;
use std::str::FromStr;

/// The longest side of a board.
pub const MAX_SIDE: u8 = 53;

/// One of the two places at a table. Seat 1 moves first; a seat's number never changes in a game,
/// whatever happens to its colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Seat {
    /// Moves first; red unless sides were swapped.
    One,
    /// Moves second; blue unless sides were swapped.
    Two,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    /// The seat across the table.
    pub const fn other(self) -> Seat {
        match self {
            Seat::One => Seat::Two,
            Seat::Two => Seat::One,
        }
    }

    /// 0 or 1, to index a pair by.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as people count.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The seat with this number, if it is 1 or 2.
    pub const fn from_number(number: u64) -> Option<Seat> {
        match number {
            1 => Some(Seat::One),
            2 => Some(Seat::Two),
            _ => None,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// The colour of a stone, and with it the pair of edges that it joins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Color {
    /// Joins the top edge to the bottom edge.
    Red,
    /// Joins the left edge to the right edge.
    Blue,
}

impl Color {
    /// The opponent's colour.
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Blue,
            Color::Blue => Color::Red,
        }
    }

    /// 0 for red, 1 for blue, to index a pair by.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Blue => "blue",
        })
    }
}

/// A cell by row and column, both counted from 0 at the top left.
///
/// In text a cell is a column in letters and a row counted from 1: `a1` is row 0, column 0. After
/// column `z` comes `aa` (bijective base 26).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Counted from 0 at the top.
    pub row: u8,
    /// Counted from 0 at the left.
    pub col: u8,
}

impl Cell {
    /// The cell in this row and column, both from 0.
    pub const fn new(row: u8, col: u8) -> Cell {
        Cell { row, col }
    }

    /// The mirror image in the board's long diagonal.
    pub const fn mirrored(self) -> Cell {
        Cell::new(self.col, self.row)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&column_letters(self.col))?;
        write!(f, "{}", u16::from(self.row) + 1)
    }
}

/// A column as letters: 0 is `a`, 25 is `z`, 26 is `aa`.
pub fn column_letters(col: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    match col {
        0..26 => letter(col).into(),
        _ => [letter(col / 26 - 1), letter(col % 26)].iter().collect(),
    }
}

/// Why a text is not a cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a cell: a cell is a column in letters and a row from 1, such as `c14`")]
pub struct NotACell(pub String);

impl FromStr for Cell {
    type Err = NotACell;

    fn from_str(text: &str) -> Result<Cell, NotACell> {
        let refused = || NotACell(text.chars().take(16).collect());
        let digits_at = text.find(|c: char| !c.is_ascii_alphabetic());
        let (letters, digits) = text.split_at(digits_at.ok_or_else(refused)?);
        if letters.is_empty() || letters.len() > 2 || digits.starts_with(['0', '+']) {
            return Err(refused());
        }
        let col = letters
            .bytes()
            .fold(0u16, |col, letter| col * 26 + u16::from(letter.to_ascii_lowercase() - b'a') + 1);
        let row: u8 = digits.parse().map_err(|_| refused())?;
        let col = u8::try_from(col - 1).map_err(|_| refused())?;
        Ok(Cell::new(row - 1, col))
    }
}

/// How many rows and columns a board has, each from 1 to [`MAX_SIDE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
}

/// Why no board has this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no board has {rows} rows and {cols} columns: each is from 1 to {MAX_SIDE}")]
pub struct NotASize {
    /// The rows asked for.
    pub rows: u64,
    /// The columns asked for.
    pub cols: u64,
}

impl Size {
    /// A size, if both sides are from 1 to [`MAX_SIDE`].
    pub fn new(rows: u64, cols: u64) -> Result<Size, NotASize> {
        let side = |n: u64| u8::try_from(n).ok().filter(|n| (1..=MAX_SIDE).contains(n));
        match (side(rows), side(cols)) {
            (Some(rows), Some(cols)) => Ok(Size { rows, cols }),
            _ => Err(NotASize { rows, cols }),
        }
    }

    /// How many rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// How many columns.
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// How many cells.
    pub const fn cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Whether rows and columns are as many.
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// Whether the cell is on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// The cell's place in row-major order. The cell must be on the board.
    pub const fn index(self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }

    /// The cell at a place in row-major order.
    pub const fn cell(self, index: usize) -> Cell {
        let cols = self.cols as usize;
        Cell::new((index / cols) as u8, (index % cols) as u8)
    }

    /// Every cell in row-major order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(move |index| self.cell(index))
    }

    /// The neighbours of a cell that are on the board, in the fixed order on which the choice
    /// among equal winning paths rests.
    pub fn neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        const STEPS: [(i8, i8); 6] = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
        STEPS.into_iter().filter_map(move |(down, right)| {
            let row = cell.row.checked_add_signed(down)?;
            let col = cell.col.checked_add_signed(right)?;
            Some(Cell::new(row, col)).filter(|&cell| self.contains(cell))
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_back_as_they_are_written() {
        for cell in Size::new(53, 53).unwrap().iter() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(cell.to_string().to_uppercase().parse(), Ok(cell));
        }
        let written =
            [(0, 0, "a1"), (13, 2, "c14"), (0, 25, "z1"), (0, 26, "aa1"), (52, 52, "ba53")];
        for (row, col, text) in written {
            assert_eq!(Cell::new(row, col).to_string(), text);
        }
    }

    #[test]
    fn texts_that_are_no_cells_are_refused() {
        for text in
            ["", "a", "1", "a0", "1a", "a-1", "a+1", "a01", "aaa1", "a256", "zz1", "é1", "a1 "]
        {
            assert!(text.parse::<Cell>().is_err(), "{text:?} was read as a cell");
        }
    }

    #[test]
    fn an_acute_corner_has_two_neighbours_and_an_obtuse_one_three() {
        let size = Size::new(11, 11).unwrap();
        let count = |row, col| size.neighbours(Cell::new(row, col)).count();
        assert_eq!([count(0, 0), count(0, 10), count(10, 0), count(10, 10)], [2, 3, 3, 2]);
        assert_eq!(count(5, 5), 6);
    }
}
