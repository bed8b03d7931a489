//! A picture of any position of a game, as SVG that stands alone.
//!
//! No script and no font of its own; it follows the reader's light or dark scheme, and its title
//! and description say in words what it shows.

use std::fmt::Write;

use super::replay::joined_color;
use super::{Action, Eyes, Record, RecordError};
use crate::game::cell::column_letters;
use crate::game::{Cell, Color, Game, Outcome, Seat, Size, WonBy};

/// Half of a cell's width, in the picture's units.
const HALF: i32 = 18;
/// From a cell's centre to its upper or lower corner; a regular hexagon has 2/√3 halves of its
/// width.
const CORNER: i32 = 21;
/// From one row to the next: one and a half corners.
const ROW: i32 = 31;
/// Room for coordinates and edges around the board.
const MARGIN: i32 = 44;
/// Room for the line of text under the board.
const CAPTION: i32 = 30;
/// As wide as a letter of that line is at the most, on average.
const LETTER: i32 = 8;

const STYLE: &str = "\
.page{fill:#fbf9f4}.cell{fill:#f1ecdf;stroke:#b8b0a0;stroke-width:1}\
.text{fill:#4a4438;font:12px sans-serif;text-anchor:middle}\
.caption{text-anchor:start;font-size:14px}\
.red{fill:#c8372d}.blue{fill:#2463b4}\
.edge{fill:none;stroke-width:6;stroke-linejoin:round;stroke-linecap:round}\
.edge.red{stroke:#c8372d}.edge.blue{stroke:#2463b4}\
.last{fill:#fff}.path{fill:none;stroke:#f5c542;stroke-width:4;stroke-linejoin:round}\
@media(prefers-color-scheme:dark){\
.page{fill:#191a1d}.cell{fill:#26282d;stroke:#4b4f57}.text{fill:#c9c5bb}\
.red{fill:#e5574c}.blue{fill:#4d8fe6}.edge.red{stroke:#e5574c}.edge.blue{stroke:#4d8fe6}\
.edge{fill:none}}";

/// What a picture with a fence has besides.
const FENCE: &str = "\
.fence{fill:none;stroke:#20242b;stroke-width:2.5;stroke-linejoin:round}\
@media(prefers-color-scheme:dark){.fence{stroke:#e8e6e1}}";

/// The position after the first `plies` moves; after the last one if there are fewer, and then
/// with the game's end.
pub fn picture(record: &Record, plies: usize) -> Result<String, RecordError> {
    picture_as(record, plies, Eyes::Umpire)
}

/// The same position as these eyes saw it. Stones that they had run into stand behind a fence.
pub fn picture_as(record: &Record, plies: usize, eyes: Eyes) -> Result<String, RecordError> {
    let is_last = plies >= record.plies.len();
    let game = if is_last { record.replay()? } else { record.position(plies)? };
    let size = record.size;
    let caption = caption(record, &game, eyes);
    let found = eyes.found(&game);
    let (rows, cols) = (i32::from(size.rows()), i32::from(size.cols()));
    let letters = i32::try_from(caption.chars().count()).unwrap_or(i32::MAX / LETTER - MARGIN);
    let width = (2 * MARGIN + HALF * (2 * cols + rows - 1)).max(MARGIN + LETTER * letters);
    let height = MARGIN + ROW * (rows - 1) + 2 * CORNER + MARGIN / 2 + CAPTION;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n<title id=\"title\">{}</title>\n\
         <desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n",
        escaped(&title(record, eyes)),
        escaped(&description(&game, &caption, eyes)),
    );
    if !found.is_empty() {
        let _ = writeln!(svg, "<style>{FENCE}</style>");
    }
    edges(&mut svg, size);
    for cell in size.iter() {
        let _ = write!(svg, "<path class=\"cell\" d=\"M");
        for (x, y) in corners(cell) {
            let _ = write!(svg, "{x} {y} ");
        }
        svg.push_str("Z\"/>\n");
    }
    coordinates(&mut svg, size);
    for (cell, color) in stones(&game, eyes) {
        let (x, y) = centre(cell);
        let r = if found.contains(&cell) { 10 } else { 14 };
        let _ = writeln!(svg, "<circle class=\"{color}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
    }
    for &cell in &found {
        svg.push_str("<path class=\"fence\" d=\"M");
        let (x, y) = centre(cell);
        for (cx, cy) in corners(cell) {
            let inwards = |from: i32, corner: i32| from + (corner - from) * 5 / 6;
            let _ = write!(svg, "{} {} ", inwards(x, cx), inwards(y, cy));
        }
        svg.push_str("Z\"/>\n");
    }
    if let Some(path) = eyes.winning_path(&game) {
        svg.push_str("<polyline class=\"path\" points=\"");
        for (x, y) in path.into_iter().map(centre) {
            let _ = write!(svg, "{x},{y} ");
        }
        svg.push_str("\"/>\n");
    }
    let seen = last_stone(record, &game).filter(|_| follows_last(record, &game, eyes));
    if let Some(cell) = seen {
        let (x, y) = centre(cell);
        let _ = writeln!(svg, "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>");
    }
    let _ = writeln!(
        svg,
        "<text class=\"text caption\" x=\"{}\" y=\"{}\">{}</text>\n</svg>",
        MARGIN / 2,
        height - CAPTION / 2,
        escaped(&caption)
    );
    Ok(svg)
}

fn centre(cell: Cell) -> (i32, i32) {
    let (row, col) = (i32::from(cell.row), i32::from(cell.col));
    (MARGIN + HALF * (1 + 2 * col + row), MARGIN + CORNER + ROW * row)
}

/// The corners of a cell, clockwise from the upper left one.
fn corners(cell: Cell) -> [(i32, i32); 6] {
    let (x, y) = centre(cell);
    let half = CORNER / 2;
    [
        (x - HALF, y - half),
        (x, y - CORNER),
        (x + HALF, y - half),
        (x + HALF, y + half),
        (x, y + CORNER),
        (x - HALF, y + half),
    ]
}

/// The board's sides in the colours that own them.
fn edges(svg: &mut String, size: Size) {
    let (last_row, last_col) = (size.rows() - 1, size.cols() - 1);
    let along_cols = |row| (0..=last_col).map(move |col| Cell::new(row, col));
    let along_rows = |col| (0..=last_row).map(move |row| Cell::new(row, col));
    // At the obtuse corners a side begins one corner later, where the side before it ends.
    let mut edge = |color, cells: &mut dyn Iterator<Item = Cell>, which: [usize; 3], late: bool| {
        let _ = write!(svg, "<polyline class=\"edge {color}\" points=\"");
        let points = cells.map(corners).flat_map(|corners| which.map(|corner| corners[corner]));
        for (x, y) in points.skip(usize::from(late)) {
            let _ = write!(svg, "{x},{y} ");
        }
        svg.push_str("\"/>\n");
    };
    edge(Color::Red, &mut along_cols(0), [0, 1, 2], false);
    edge(Color::Red, &mut along_cols(last_row), [5, 4, 3], true);
    edge(Color::Blue, &mut along_rows(0), [0, 5, 4], false);
    edge(Color::Blue, &mut along_rows(last_col), [1, 2, 3], true);
}

fn coordinates(svg: &mut String, size: Size) {
    let mut text = |x: i32, y: i32, text: &str| {
        let _ = writeln!(svg, "<text class=\"text\" x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    for col in 0..size.cols() {
        let (x, y) = centre(Cell::new(0, col));
        text(x - HALF / 2, y - CORNER - 8, &column_letters(col));
    }
    for row in 0..size.rows() {
        let (x, y) = centre(Cell::new(row, 0));
        text(x - HALF - 14, y + 4, &(u16::from(row) + 1).to_string());
    }
}

/// Where the last move left its stone; a swap of sides leaves it where it was.
fn last_stone(record: &Record, game: &Game) -> Option<Cell> {
    let plies = &record.plies[..game.plies().len()];
    let placed = |index: usize| match plies.get(index)?.action {
        Action::Place(cell) => Some(cell),
        _ => None,
    };
    let last = plies.len().checked_sub(1)?;
    match plies[last].action {
        Action::Place(cell) | Action::Collision(cell) => Some(cell),
        Action::SwapSides => placed(last.checked_sub(1)?),
        Action::SwapPieces => placed(last.checked_sub(1)?).map(Cell::mirrored),
    }
}

/// The stones that these eyes see, in row-major order.
fn stones(game: &Game, eyes: Eyes) -> impl Iterator<Item = (Cell, Color)> {
    let size = game.rules().size();
    size.iter().filter_map(move |cell| Some((cell, eyes.stone(game, cell)?)))
}

/// Whether these eyes know where the last move was made.
fn follows_last(record: &Record, game: &Game, eyes: Eyes) -> bool {
    let last = game.plies().len().checked_sub(1).and_then(|last| record.plies.get(last));
    last.is_some_and(|ply| eyes.follow(game, ply.color))
}

fn title(record: &Record, eyes: Eyes) -> String {
    let [one, two] = [0, 1].map(|seat| match &record.players[seat] {
        Some(name) => name.clone(),
        None => format!("Seat {}", seat + 1),
    });
    let game = if record.kind.is_dark() { "Dark Hex" } else { "Hex" };
    let seen = match eyes {
        Eyes::Umpire => String::new(),
        Eyes::Seat(seat) => format!(", as {} saw it", if seat == Seat::One { &one } else { &two }),
    };
    format!("{one} against {two}, {game} {}{seen}", record.size)
}

fn description(game: &Game, caption: &str, eyes: Eyes) -> String {
    let stones = |color: Color| {
        let cells: Vec<String> = stones(game, eyes)
            .filter(|stone| stone.1 == color)
            .map(|(cell, _)| cell.to_string())
            .collect();
        if cells.is_empty() { "none".into() } else { cells.join(" ") }
    };
    format!("{caption}. Red stones: {}. Blue stones: {}.", stones(Color::Red), stones(Color::Blue))
}

/// What was played last, whether a swap was played, and how the game ended.
fn caption(record: &Record, game: &Game, eyes: Eyes) -> String {
    let number = game.plies().len();
    let plies = &record.plies[..number];
    let mut caption = match plies.last() {
        None => "Before the first move".into(),
        Some(ply) if !eyes.follow(game, ply.color) => match ply.action {
            Action::Collision(_) => format!("Move {number}: {} runs into a stone", ply.color),
            _ => format!("Move {number}: {} places a hidden stone", ply.color),
        },
        Some(ply) => match ply.action {
            Action::Place(cell) => format!("Move {number}: {} {cell}", ply.color),
            Action::Collision(cell) => {
                format!("Move {number}: {} tries {cell}, which is taken", ply.color)
            }
            Action::SwapSides => format!("Move {number}: swap of sides"),
            Action::SwapPieces => format!("Move {number}: swap of pieces"),
        },
    };
    if number > 2 {
        caption.push_str(match plies[1].action {
            Action::Place(_) | Action::Collision(_) => "",
            Action::SwapSides => ", sides swapped",
            Action::SwapPieces => ", pieces swapped",
        });
    }
    match game.outcome() {
        None => {}
        Some(Outcome::Void(_)) => caption.push_str(", no result"),
        Some(Outcome::Won { winner, by }) => {
            let color = game.color(winner);
            let _ = match by {
                WonBy::Chain if joined_color(game) != Some(color) => {
                    write!(caption, ", {color} wins: {} joined its edges", color.other())
                }
                WonBy::Chain => write!(caption, ", {color} wins"),
                WonBy::Resignation => write!(caption, ", {color} wins by resignation"),
                WonBy::Time => write!(caption, ", {color} wins on time"),
                WonBy::Forfeit => write!(caption, ", {color} wins by forfeit"),
            };
        }
    }
    caption
}

/// Text between tags: what XML takes for markup is spelt out, and what it cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}
