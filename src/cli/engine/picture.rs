//! A board as plain text: a rhombus of letters, as programs and terminals without colours show it.

use crate::game::cell::column_letters;
use crate::game::{Cell, Color, Size};

/// The board as lines, each ended: every row is half a cell further right than the one above it.
/// Stones are `r` and `b`; the one on `last` stands in parentheses.
pub fn board(size: Size, stone: impl Fn(Cell) -> Option<Color>, last: Option<Cell>) -> String {
    let margin = size.rows().to_string().len();
    let mut text = letters(size, margin + 1);
    for row in 0..size.rows() {
        let mut line = format!("{:1$}{2:>margin$}", "", usize::from(row), row + 1);
        let mut before = ' ';
        for col in 0..size.cols() {
            let cell = Cell::new(row, col);
            let is_last = last == Some(cell);
            line.push(if is_last { '(' } else { before });
            line.push(match stone(cell) {
                Some(Color::Red) => 'r',
                Some(Color::Blue) => 'b',
                None => '.',
            });
            before = if is_last { ')' } else { ' ' };
        }
        line.push(before);
        line.push_str(&(row + 1).to_string());
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&letters(size, margin + 1 + usize::from(size.rows())));
    text
}

/// The columns' letters, one above the other where a column has two.
fn letters(size: Size, indent: usize) -> String {
    let names: Vec<String> = (0..size.cols()).map(column_letters).collect();
    let longest = names.iter().map(String::len).max().unwrap_or(0);
    let line = |place: usize| {
        let letter = |name: &String| name.chars().rev().nth(place).unwrap_or(' ').to_string();
        let letters: Vec<String> = names.iter().map(letter).collect();
        let line = format!("{:indent$}{}", "", letters.join(" "));
        format!("{}\n", line.trim_end())
    };
    (0..longest).rev().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lean_to_the_right_and_the_last_stone_is_marked() {
        let size = Size::new(3, 4).unwrap();
        let stone = |cell: Cell| match (cell.row, cell.col) {
            (0, 1) => Some(Color::Red),
            (2, 3) => Some(Color::Blue),
            _ => None,
        };
        let expected = "  a b c d
1 . r . . 1
 2 . . . . 2
  3 . . .(b)3
     a b c d
";
        assert_eq!(board(size, stone, Some(Cell::new(2, 3))), expected);
    }

    #[test]
    fn columns_beyond_z_have_two_letters() {
        let text = board(Size::new(1, 28).unwrap(), |_| None, None);
        let mut lines = text.lines();
        assert!(lines.next().unwrap().ends_with("   a a"));
        assert!(lines.next().unwrap().ends_with(" y z a b"));
    }
}
