//! The new tag: `<hexboard size="5x5" coords="hide" contents="R c1 b3 B 2:a1 E *:c4 S d4"/>`.
//!
//! In `contents` a letter says what the cells after it hold, and a label stands before its cell.
//! Attributes that only turn or trim the picture are skipped.

use std::fmt::Write;

use winnow::ascii::multispace0;
use winnow::combinator::{alt, delimited, opt, preceded, separated_pair};
use winnow::prelude::*;
use winnow::token::{take_till, take_while};

use super::super::error::{ReadError, Reason, Source};
use super::canvas::Canvas;
use super::hex::on_board;
use super::{Diagram, MarkKind, Stone};
use crate::game::{Color, Size};

const OPEN: &str = "<hexboard";

/// A diagram and the length of its tag. `tag` begins with `<hexboard`.
pub(super) fn read<'a>(source: Source<'a>, tag: &'a str) -> Result<(Diagram, usize), ReadError> {
    let refuse = |at: &'a str, text: &str| {
        source.error_at(&at[..at.len().min(OPEN.len())], Reason::syntax(text))
    };
    let (mut size, mut coordinates, mut contents) = (None, true, "");
    let mut rest = tag.strip_prefix(OPEN).unwrap_or(tag);
    loop {
        if let Ok(attribute) = preceded(multispace0, attribute).parse_next(&mut rest) {
            match attribute {
                ("size", value) => size = Some(value),
                ("coords", value) => coordinates = value != "hide",
                ("contents", value) => contents = value,
                _ => {}
            }
            continue;
        }
        let closed: ModalResult<_> = preceded(multispace0, (opt('/'), '>')).parse_next(&mut rest);
        if closed.is_err() {
            return Err(refuse(
                tag,
                "this tag never ends: attributes are written `name=\"value\"`, and `/>` ends it",
            ));
        }
        break;
    }
    let size =
        size.ok_or_else(|| refuse(tag, "the size of the board is missing: `size=\"11x11\"`"))?;
    let sides = size
        .split_once('x')
        .and_then(|(rows, cols)| Some((rows.trim().parse().ok()?, cols.trim().parse().ok()?)));
    let (rows, cols) = sides.ok_or_else(|| {
        source.error_at(size, Reason::syntax("a size is rows and columns, such as `11x11`"))
    })?;
    let mut canvas =
        Canvas::new(Size::new(rows, cols).map_err(|reason| source.error_at(size, reason))?);
    canvas.coordinates = coordinates;
    let mut holds = None;
    for word in contents.split_whitespace() {
        draw(&mut canvas, &mut holds, word).map_err(|reason| source.error_at(word, reason))?;
    }
    Ok((canvas.finished(), tag.len() - rest.len()))
}

/// What cells hold.
#[derive(Clone, Copy)]
enum Holds {
    Stone(Color),
    Nothing,
    Shade,
}

fn draw(canvas: &mut Canvas, holds: &mut Option<Holds>, word: &str) -> Result<(), Reason> {
    let now = match word {
        "R" => Holds::Stone(Color::Red),
        "B" => Holds::Stone(Color::Blue),
        "E" => Holds::Nothing,
        "S" => Holds::Shade,
        _ => {
            let holds = holds.ok_or_else(|| {
                Reason::syntax("`R`, `B`, `E` or `S` stands before the first cell")
            })?;
            return draw_cell(canvas, holds, word);
        }
    };
    *holds = Some(now);
    Ok(())
}

fn draw_cell(canvas: &mut Canvas, holds: Holds, word: &str) -> Result<(), Reason> {
    let (label, cell) = match word.rsplit_once(':') {
        Some((label, cell)) => (Some(label), cell),
        None => (None, word),
    };
    let cell = on_board(canvas.size, cell.parse()?)?;
    let number = label.and_then(|label| label.parse().ok());
    match holds {
        Holds::Stone(color) => canvas.put(Stone { color, cell, number }),
        Holds::Nothing => canvas.clear(cell),
        Holds::Shade => {
            canvas.mark(cell, MarkKind::Shade);
            return Ok(());
        }
    }
    match label {
        Some("*") => canvas.mark(cell, MarkKind::Star),
        Some("+") => canvas.mark(cell, MarkKind::Plus),
        Some(label) if number.is_none() || matches!(holds, Holds::Nothing) => {
            canvas.mark(cell, MarkKind::Label(label.into()));
        }
        _ => {}
    }
    Ok(())
}

fn attribute<'a>(input: &mut &'a str) -> ModalResult<(&'a str, &'a str)> {
    let name = take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '-');
    let equals = (multispace0, '=', multispace0);
    let value = alt((
        delimited('"', take_till(0.., '"'), '"'),
        delimited('\'', take_till(0.., '\''), '\''),
    ));
    separated_pair(name, equals, value).parse_next(input)
}

/// Stones in their order, then marks.
pub(super) fn write(diagram: &Diagram) -> String {
    let (rows, cols) = (diagram.size.rows(), diagram.size.cols());
    let mut tag = format!("{OPEN} size=\"{rows}x{cols}\"");
    tag.push_str(if diagram.coordinates { "" } else { " coords=\"hide\"" });
    tag.push_str(" contents=\"");
    let mut contents: Vec<String> = Vec::new();
    let mut now = ' ';
    let mut hold = |contents: &mut Vec<String>, letter: char| {
        if letter != now {
            contents.push(letter.into());
        }
        now = letter;
    };
    for &Stone { color, cell, number } in &diagram.stones {
        hold(&mut contents, if color == Color::Red { 'R' } else { 'B' });
        let mut word = String::new();
        if let Some(number) = number {
            let _ = write!(word, "{number}:");
        }
        let _ = write!(word, "{cell}");
        contents.push(word);
    }
    for mark in &diagram.marks {
        let stone = diagram.stones.iter().find(|stone| stone.cell == mark.cell);
        let letter = match (&mark.kind, stone.map(|stone| stone.color)) {
            (MarkKind::Shade, _) => 'S',
            (_, None) => 'E',
            (_, Some(Color::Red)) => 'R',
            (_, Some(Color::Blue)) => 'B',
        };
        hold(&mut contents, letter);
        let cell = mark.cell;
        contents.push(match &mark.kind {
            MarkKind::Shade => format!("{cell}"),
            MarkKind::Star => format!("*:{cell}"),
            MarkKind::Plus => format!("+:{cell}"),
            MarkKind::Label(label) => format!("{label}:{cell}"),
        });
    }
    tag.push_str(&contents.join(" "));
    tag.push_str("\"/>\n");
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_tag_reads_and_writes_its_stones_labels_and_marks() {
        let text =
            "<hexboard size=\"5x5\" coords=\"hide\" contents=\"R c1 b3 B 2:a1 E *:c4 S d4\"/>\n";
        let diagram = Diagram::read(text).unwrap().remove(0);
        assert_eq!(write(&diagram), text);
        assert_eq!(diagram.stones.len(), 3);
        assert_eq!(diagram.stones[2].number, Some(2));
        assert!(!diagram.coordinates);
        let wide =
            "<hexboard\n size = '3x4'\n visible='-a1' contents='R 1:d1\n E a:a2 4:b2 R +:d1'>";
        let diagram = Diagram::read(wide).unwrap().remove(0);
        assert_eq!((diagram.size.rows(), diagram.size.cols()), (3, 4));
        assert_eq!(diagram.stones.len(), 1);
        assert_eq!(Diagram::read(&write(&diagram)).unwrap().remove(0), diagram);
    }

    #[test]
    fn a_tag_that_makes_no_sense_is_refused() {
        let refused = [
            ("<hexboard contents=\"\"/>", "size of the board is missing"),
            ("<hexboard size=\"5\"/>", "rows and columns"),
            ("<hexboard size=\"5x54\"/>", "no board has"),
            ("<hexboard size=\"5x5\" contents=\"a1\"/>", "before the first cell"),
            ("<hexboard size=\"5x5\" contents=\"R f1\"/>", "not on the board"),
            ("<hexboard size=\"5x5\" contents=\"S area(a1,b2)\"/>", "is not a cell"),
            ("<hexboard size=\"5x5\" contents=\"R a1", "never ends"),
        ];
        for (text, reason) in refused {
            let error = Diagram::read(text).expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
