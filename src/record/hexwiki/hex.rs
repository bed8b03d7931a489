//! The old tag: `<hex>R13 C13 Q1 play b2 e6 numbered e8 d7</hex>`.
//!
//! Every word is a command, a cell for the mode that is on, or a whole row. Authors are not
//! strict, and neither is the reader: trailing commas, capitals in cells and words wrapped in
//! links are taken as they are meant. A word that means nothing is refused.

use std::fmt::Write;

use winnow::ascii::dec_uint;
use winnow::combinator::{eof, opt, preceded, terminated};
use winnow::prelude::*;
use winnow::token::{one_of, rest, take_while};

use super::super::error::{ReadError, Reason, Source};
use super::canvas::Canvas;
use super::{Diagram, MarkKind, Stone};
use crate::game::{Cell, Color, Size};

/// Rows and columns of a diagram that does not say.
const DEFAULT_SIDE: u64 = 11;

/// A diagram and the length of its tag. `tag` begins with `<hex>`.
pub(super) fn read<'a>(source: Source<'a>, tag: &'a str) -> Result<(Diagram, usize), ReadError> {
    const OPEN: &str = "<hex>";
    const CLOSE: &str = "</hex>";
    let refuse = |text: &str| source.error(source.offset(tag), "<hex", Reason::syntax(text));
    let body = tag.strip_prefix(OPEN).ok_or_else(|| refuse("a diagram begins with `<hex>`"))?;
    let end =
        body.find(CLOSE).ok_or_else(|| refuse("this diagram never ends: `</hex>` is missing"))?;
    let body = &body[..end];

    let (mut rows, mut cols) = (DEFAULT_SIDE, DEFAULT_SIDE);
    for word in words(body) {
        match side.parse(word) {
            Ok(('R', n)) => rows = n,
            Ok((_, n)) => cols = n,
            Err(_) => {}
        }
    }
    let size = Size::new(rows, cols).map_err(|reason| source.error_at(body, reason))?;
    let mut pen = Pen::new(size);
    for word in words(body) {
        pen.draw(word).map_err(|reason| source.error_at(word, reason))?;
    }
    Ok((pen.canvas.finished(), OPEN.len() + end + CLOSE.len()))
}

/// The words of a diagram: of `[[Target|Word]]` the last part, and without a trailing comma.
fn words(body: &str) -> impl Iterator<Item = &str> {
    let mut rest = body;
    // Looked for once only, or else a text of nothing but `[[` would be read again for each.
    let mut has_links = body.contains("]]");
    let unwrapped = std::iter::from_fn(move || {
        rest = rest.trim_start();
        if has_links && let Some(link) = rest.strip_prefix("[[") {
            if let Some(end) = link.find("]]") {
                rest = &link[end + 2..];
                let link = &link[..end];
                return Some(link.rsplit_once('|').map_or(link, |(_, word)| word).trim());
            }
            has_links = false;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word;
        (word, rest) = rest.split_at(end);
        (!word.is_empty()).then_some(word)
    });
    unwrapped.map(|word| word.trim_end_matches(','))
}

/// What a bare cell means.
#[derive(Clone, Copy)]
enum Mode {
    /// A move of the colour whose turn it is.
    Play,
    /// A stone of one colour.
    Fill(Color),
    /// A mark.
    Star,
    /// A mark.
    Plus,
}

struct Pen {
    canvas: Canvas,
    mode: Mode,
    color: Color,
    numbered: bool,
    number: u32,
}

impl Pen {
    fn new(size: Size) -> Pen {
        let canvas = Canvas::new(size);
        Pen { canvas, mode: Mode::Play, color: Color::Red, numbered: false, number: 1 }
    }

    fn draw(&mut self, word: &str) -> Result<(), Reason> {
        match word {
            "" | "border" | "borders" | "B:on" | "B:off" => {}
            "labels" | "Q1" => self.canvas.coordinates = true,
            "Q0" => self.canvas.coordinates = false,
            "N:on" | "numbered" => self.numbered = true,
            "N:off" | "unnumbered" => self.numbered = false,
            "MR" => self.color = Color::Red,
            "MB" => self.color = Color::Blue,
            "play" => self.mode = Mode::Play,
            "star" => self.mode = Mode::Star,
            "plus" => self.mode = Mode::Plus,
            "red" => self.fill_with(Color::Red),
            "blue" => self.fill_with(Color::Blue),
            _ if side.parse(word).is_ok() => {}
            _ => return self.draw_more(word),
        }
        Ok(())
    }

    fn draw_more(&mut self, word: &str) -> Result<(), Reason> {
        if let Ok((row, cells)) = row.parse(word) {
            return self.draw_row(row, cells);
        }
        if let Ok((command, number, cell)) = command.parse(word) {
            let cell = self.on_board(cell)?;
            let number = number.map(|number| if number == 0 { 10 } else { number });
            match command {
                'M' => {
                    self.number = number.unwrap_or(self.number);
                    self.play(cell, true);
                }
                _ if number.is_some() && color_of(command).is_none() => {
                    return Err(Reason::syntax("only stones have numbers"));
                }
                _ => self.put(command, cell, number),
            }
            return Ok(());
        }
        let cell: Cell = word.parse().map_err(|_| {
            Reason::syntax("this is no word of a diagram: such as `R11`, `Q1`, `play`, `red`, `Ra1`, `B2c3`, `Md4` or a cell")
        })?;
        let cell = self.on_board(cell)?;
        match self.mode {
            Mode::Play => self.play(cell, self.numbered),
            Mode::Fill(color) => self.stone(cell, color, self.numbered),
            Mode::Star => self.canvas.mark(cell, MarkKind::Star),
            Mode::Plus => self.canvas.mark(cell, MarkKind::Plus),
        }
        Ok(())
    }

    fn draw_row(&mut self, row: u64, cells: &str) -> Result<(), Reason> {
        let size = self.canvas.size;
        let row = u8::try_from(row).ok().and_then(|row| row.checked_sub(1));
        let row = row.filter(|&row| row < size.rows());
        let row = row.ok_or_else(|| Reason::syntax("the board has no such row"))?;
        for (col, letter) in (0..).zip(cells.chars()) {
            if col >= size.cols() {
                return Err(Reason::syntax("this row is longer than the board is wide"));
            }
            if letter != '_' {
                self.put(letter, Cell::new(row, col), None);
            }
        }
        Ok(())
    }

    fn fill_with(&mut self, color: Color) {
        self.mode = Mode::Fill(color);
        self.color = color;
    }

    fn put(&mut self, command: char, cell: Cell, number: Option<u32>) {
        match (color_of(command), command) {
            (Some(color), _) => self.canvas.put(Stone { color, cell, number }),
            (None, 'S' | '*') => self.canvas.mark(cell, MarkKind::Star),
            (None, _) => self.canvas.mark(cell, MarkKind::Plus),
        }
    }

    fn play(&mut self, cell: Cell, numbered: bool) {
        let color = self.color;
        self.stone(cell, color, numbered);
        self.color = color.other();
    }

    fn stone(&mut self, cell: Cell, color: Color, numbered: bool) {
        let number = numbered.then_some(self.number);
        self.number = self.number.saturating_add(u32::from(numbered));
        self.canvas.put(Stone { color, cell, number });
    }

    fn on_board(&self, cell: Cell) -> Result<Cell, Reason> {
        on_board(self.canvas.size, cell)
    }
}

/// The cell, if the board has it.
pub(super) fn on_board(size: Size, cell: Cell) -> Result<Cell, Reason> {
    let outside = || Reason::syntax(format!("{cell} is not on the board, which is {size}"));
    size.contains(cell).then_some(cell).ok_or_else(outside)
}

fn color_of(command: char) -> Option<Color> {
    match command {
        'R' | 'V' => Some(Color::Red),
        'B' | 'H' => Some(Color::Blue),
        _ => None,
    }
}

fn side(input: &mut &str) -> ModalResult<(char, u64)> {
    terminated((one_of(['R', 'C']), dec_uint), eof).parse_next(input)
}

fn row<'a>(input: &mut &'a str) -> ModalResult<(u64, &'a str)> {
    let cells = take_while(0.., |c: char| "_RBVHSP*+".contains(c));
    let number = preceded(take_while(0..=1, '0'), dec_uint);
    (terminated(number, ':'), terminated(cells, eof)).parse_next(input)
}

fn command(input: &mut &str) -> ModalResult<(char, Option<u32>, Cell)> {
    let letter = one_of(['R', 'V', 'B', 'H', 'S', '*', 'P', '+', 'M']);
    (letter, opt(dec_uint), rest.parse_to()).parse_next(input)
}

/// Stones in their order, those that carry consecutive numbers as moves.
pub(super) fn write(diagram: &Diagram) -> String {
    let mut tag = format!("<hex>R{} C{}", diagram.size.rows(), diagram.size.cols());
    tag.push_str(if diagram.coordinates { " Q1" } else { " Q0" });
    let (mut turn, mut running) = (Color::Red, 1);
    for &Stone { color, cell, number } in &diagram.stones {
        let Some(number) = number else {
            let _ = write!(tag, " {}{cell}", if color == Color::Red { 'R' } else { 'B' });
            continue;
        };
        if color != turn {
            tag.push_str(if color == Color::Red { " MR" } else { " MB" });
        }
        let _ = if number == running {
            write!(tag, " M{cell}")
        } else {
            write!(tag, " M{number}{cell}")
        };
        (turn, running) = (color.other(), number.saturating_add(1));
    }
    for mark in &diagram.marks {
        let letter = if mark.kind == MarkKind::Star { '*' } else { '+' };
        let _ = write!(tag, " {letter}{}", mark.cell);
    }
    tag.push_str("</hex>\n");
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(words: &str) -> Diagram {
        Diagram::read(&format!("<hex>{words}</hex>")).unwrap().remove(0)
    }

    fn stones(words: &str) -> String {
        let text = |stone: &Stone| {
            let number = stone.number.map(|number| number.to_string()).unwrap_or_default();
            format!("{}{number}:{}", stone.color, stone.cell)
        };
        diagram(words).stones.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_word_of_the_old_tag() {
        let read = [
            ("R13 C13 Q1 play b2 e6 numbered e8 d7", "red:b2 blue:e6 red1:e8 blue2:d7"),
            (
                "Rf4 Vf5 Bf6 Hf7 R2a1 B0b1 RG9 Vd1,",
                "red:f4 red:f5 blue:f6 blue:f7 red2:a1 blue10:b1 red:g9 red:d1",
            ),
            ("Ma1 Mb1 MB Mc1 M5d1 Me1", "red1:a1 blue2:b1 blue3:c1 red5:d1 blue6:e1"),
            ("B:on", ""),
            ("borders Q0 N:on c4 d3 N:off e5", "red1:c4 blue2:d3 red:e5"),
            ("red a1 b1 blue c1 play d1 e1", "red:a1 red:b1 blue:c1 blue:d1 red:e1"),
            ("[[Some page|Vd1]], [[Other|Target|Hd2]] [[Ra1]]", "red:d1 blue:d2 red:a1"),
            ("Ra1 Ba1", "blue:a1"),
            ("R3 C3 02:_BR", "blue:b2 red:c2"),
        ];
        for (words, expected) in read {
            assert_eq!(stones(words), expected, "{words}");
        }
        assert_eq!(diagram("B:on").size, Size::new(11, 11).unwrap());
        let marks = diagram("star a1 plus b1 Sc1 *d1 Pe1 +f1 R11 C11 2:S+").marks;
        let stars = marks.iter().filter(|mark| mark.kind == MarkKind::Star).count();
        assert_eq!((stars, marks.len()), (4, 8));
    }

    #[test]
    fn a_word_that_means_nothing_is_refused_where_it_stands() {
        let refused = [
            ("R3 C3 hello", "no word of a diagram"),
            ("R3 C3 d1", "not on the board"),
            ("R3 C3 Ra4", "not on the board"),
            ("R3 C3 4:___", "no such row"),
            ("R3 C3 1:____", "longer than the board"),
            ("R54 C3", "no board has"),
            ("R3 C3 S2a1", "only stones have numbers"),
        ];
        for (words, reason) in refused {
            let error = Diagram::read(&format!("\n<hex>{words}</hex>")).expect_err(words);
            assert_eq!(error.line, 2, "{words}");
            assert!(error.to_string().contains(reason), "{words}: {error}");
        }
        assert!(Diagram::read("<hex>R3 C3").is_err());
    }
}
