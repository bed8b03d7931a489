//! From SGF to records.

use super::super::error::{ReadError, Reason, Source};
use super::super::{Action, BadEnd, Meta, Reading, Record, RecordError, RecordPly, interleaved};
use super::lex::looks_raw;
use super::tree::{Property, Tree, trees};
use super::values::{Told, control, millis, result};
use super::void_word;
use crate::game::{Cell, Color, Game, Goal, Outcome, Size, Swap, Void, WonBy};

/// Every game of a text: the first variation of each.
pub(in crate::record) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let source = Source { text };
    let raw = looks_raw(text);
    let trees = trees(source, raw)?;
    trees.iter().map(|tree| Reader { source, tree, little_golem: raw }.record()).collect()
}

struct Reader<'a> {
    source: Source<'a>,
    tree: &'a Tree,
    little_golem: bool,
}

/// A property with one value, as most have.
#[derive(Clone, Copy)]
struct Value<'a> {
    at: usize,
    text: &'a str,
}

/// What stands in a move's place.
#[derive(Clone, Copy, PartialEq)]
enum Word {
    Place(Cell),
    Swap(Swap),
    Leave(WonBy),
}

struct Turn<'a> {
    value: Value<'a>,
    color: Color,
    word: Word,
    clock: Option<Reading>,
    cpu: bool,
}

impl<'a> Reader<'a> {
    fn record(self) -> Result<Record, ReadError> {
        if let Some(game) = self.value("GM").filter(|game| game.text.trim() != "11") {
            return Err(self.refuse(game, Reason::AnotherGame(game.text.chars().take(8).collect())));
        }
        let dark = |rules: &Value<'_>| rules.text.trim_start().starts_with("Dark Hex");
        if let Some(rules) = self.value("RU").filter(dark) {
            return Err(self.refuse(rules, Reason::DarkHex));
        }
        let mut record = Record::new(self.size()?);
        record.left_out = self.tree.left_out;
        record.setup = self.setup()?;
        record.meta = Meta {
            id: self.text("GN"),
            date: self.text("DT"),
            event: self.text("EV"),
            time: self.value("OT").and_then(|overtime| {
                control(self.value("TM").map(|main| main.text), overtime.text)
            }),
        };
        self.rules(&mut record);

        let mut turns = self.turns()?;
        let left = self.leaving(&mut turns)?;
        self.tell_swap(&turns, &mut record);
        record.plies = turns.iter().map(|turn| ply(turn, record.swap)).collect();
        let game =
            record.position(record.plies.len()).map_err(|error| self.refuse_turn(&turns, error))?;

        record.end = self.end(&game, left)?;
        record.settle_by(&game);
        let [black, white] = [self.text("PB"), self.text("PW")];
        record.players[game.seat(Color::Red).index()] = black;
        record.players[game.seat(Color::Blue).index()] = white;
        Ok(record)
    }

    /// `SZ[11]`, or `SZ[cols:rows]`.
    fn size(&self) -> Result<Size, ReadError> {
        let Some(value) = self.value("SZ") else {
            let reason = Reason::syntax("the size of the board is missing: `SZ[11]`");
            return Err(self.source.error(self.tree.at, "", reason));
        };
        let (cols, rows) = value.text.split_once(':').unwrap_or((value.text, value.text));
        let sides = rows.trim().parse().ok().zip(cols.trim().parse().ok());
        let (rows, cols) = sides.ok_or_else(|| {
            self.refuse(value, Reason::syntax("a size is written `SZ[11]` or `SZ[cols:rows]`"))
        })?;
        Size::new(rows, cols).map_err(|reason| self.refuse(value, reason))
    }

    fn setup(&self) -> Result<Vec<(Color, Cell)>, ReadError> {
        let is_move = |property: &Property| matches!(&*property.name, "B" | "W");
        let first_move = (self.tree.nodes.iter())
            .position(|node| node.properties.iter().any(is_move))
            .unwrap_or(self.tree.nodes.len());
        let (mut red, mut blue) = (Vec::new(), Vec::new());
        for (index, node) in self.tree.nodes.iter().enumerate() {
            for property in &node.properties {
                let stones = match &*property.name {
                    "AB" => &mut red,
                    "AW" => &mut blue,
                    "AE" => {
                        let reason = Reason::syntax("stones are never taken off a Hex board");
                        return Err(self.source.error(property.at, "AE", reason));
                    }
                    _ => continue,
                };
                if index > first_move {
                    let reason = Reason::syntax("stones are set up before the first move");
                    return Err(self.source.error(property.at, &property.name, reason));
                }
                for (at, text) in &property.values {
                    stones.push(self.cell(Value { at: *at, text })?);
                }
            }
        }
        Ok(interleaved(red, blue))
    }

    /// Every move of the main line, with its node's colour. Little Golem calls the first player's
    /// nodes white.
    fn turns(&self) -> Result<Vec<Turn<'a>>, ReadError> {
        let mut turns = Vec::new();
        let mut inverted = None;
        for node in &self.tree.nodes {
            for property in &node.properties {
                let label = match &*property.name {
                    "B" => Color::Red,
                    "W" => Color::Blue,
                    _ => continue,
                };
                let inverted = *inverted.get_or_insert(self.little_golem && label == Color::Blue);
                let color = if inverted { label.other() } else { label };
                let value = first(property);
                let word = self.word(value)?;
                let clock = reading(&node.properties, label);
                let cpu = node.properties.iter().any(|it| &*it.name == super::CPU);
                turns.push(Turn { value, color, word, clock, cpu });
            }
        }
        Ok(turns)
    }

    fn word(&self, value: Value<'a>) -> Result<Word, ReadError> {
        let bare_swap = if self.little_golem { Swap::Pieces } else { Swap::Sides };
        match value.text.trim().to_ascii_lowercase().as_str() {
            "swap" => Ok(Word::Swap(bare_swap)),
            "swap-sides" => Ok(Word::Swap(Swap::Sides)),
            "swap-pieces" => Ok(Word::Swap(Swap::Pieces)),
            "resign" => Ok(Word::Leave(WonBy::Resignation)),
            "forfeit" => Ok(Word::Leave(WonBy::Forfeit)),
            "pass" | "" => Err(self.refuse(value, Reason::Pass)),
            _ => self.cell(value).map(Word::Place),
        }
    }

    fn cell(&self, value: Value<'_>) -> Result<Cell, ReadError> {
        let text = value.text.trim();
        match text.as_bytes() {
            [col @ b'a'..=b'z', row @ b'a'..=b'z'] if self.little_golem => {
                Ok(Cell::new(row - b'a', col - b'a'))
            }
            _ => text
                .parse()
                .map_err(|reason: crate::game::cell::NotACell| self.refuse(value, reason)),
        }
    }

    /// Takes a resignation or forfeit off the end of the moves; after it nothing is played.
    fn leaving(&self, turns: &mut Vec<Turn<'a>>) -> Result<Option<(Color, WonBy)>, ReadError> {
        let leaves = |turn: &Turn<'_>| matches!(turn.word, Word::Leave(_));
        let Some(index) = turns.iter().position(leaves) else { return Ok(None) };
        if let Some(next) = turns.get(index + 1).filter(|next| !leaves(next)) {
            let reason = Reason::syntax("nothing is played after a resignation");
            return Err(self.refuse(next.value, reason));
        }
        let left = match turns[index] {
            Turn { color, word: Word::Leave(by), .. } => Some((color, by)),
            _ => None,
        };
        turns.truncate(index);
        Ok(left)
    }

    /// Tells which swap was played. The colour of the move after it decides, whatever the word:
    /// the swapper's own colour moves again only after a swap of sides.
    fn tell_swap(&self, turns: &[Turn<'_>], record: &mut Record) {
        let swap = |turn: &Turn<'_>| matches!(turn.word, Word::Swap(_));
        let Some(index) = turns.iter().position(swap) else { return };
        record.swap = match (&turns[index].word, turns.get(index + 1)) {
            (_, Some(next)) if next.color == turns[index].color => Swap::Sides,
            (_, Some(_)) => Swap::Pieces,
            (&Word::Swap(swap), None) => swap,
            _ => record.swap,
        };
    }

    /// How the game ended, where that is not by a chain: by the last node's word or by `RE`.
    fn end(&self, game: &Game, left: Option<(Color, WonBy)>) -> Result<Option<Outcome>, ReadError> {
        let won = |color, by| Outcome::Won { winner: game.seat(color), by };
        let by_word = left.map(|(color, by)| won(color.other(), by));
        let Some(value) = self.value("RE") else { return Ok(by_word) };
        let told = match result(value.text) {
            Some(Told::Unknown) => return Ok(by_word),
            Some(Told::Void) => Outcome::Void(self.void(game)),
            Some(Told::Won(color, by)) => won(color, by),
            None => {
                let reason = Reason::syntax(
                    "a result is `B+`, `W+Resign`, `B+Time`, `W+Forfeit`, `Void` or `?`: \
                     Hex has no draws",
                );
                return Err(self.refuse(value, reason));
            }
        };
        match game.outcome().or(by_word) {
            Some(reached) if reached.winner() != told.winner() => {
                let reason = RecordError::End(BadEnd::TwoWinners);
                Err(self.refuse(value, reason))
            }
            Some(reached) => Ok(Some(reached)),
            None => Ok(Some(told)),
        }
    }

    fn void(&self, game: &Game) -> Void {
        let told = self.value(super::VOID_REASON).map(|value| value.text);
        [Void::Aborted, Void::NotStarted, Void::Abandoned]
            .into_iter()
            .find(|&void| told == Some(void_word(void)))
            .unwrap_or(if game.is_under_way() { Void::Abandoned } else { Void::Aborted })
    }

    /// `RU` in our own words; others say nothing about Hex.
    fn rules(&self, record: &mut Record) {
        for word in self.text("RU").unwrap_or_default().split([',', ' ']) {
            match word.to_ascii_lowercase().as_str() {
                "rex" => record.goal = Goal::Avoid,
                "swap-sides" => record.swap = Swap::Sides,
                "swap-pieces" => record.swap = Swap::Pieces,
                _ => {}
            }
        }
    }

    fn value(&self, name: &str) -> Option<Value<'a>> {
        let properties = self.tree.nodes.iter().flat_map(|node| &node.properties);
        properties.into_iter().find(|property| property.name == name).map(first)
    }

    /// A value as simple text: white space is a space.
    fn text(&self, name: &str) -> Option<String> {
        let value = self.value(name)?;
        Some(value.text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect())
    }

    fn refuse(&self, value: Value<'_>, reason: impl Into<Reason>) -> ReadError {
        self.source.error(value.at, value.text, reason)
    }

    fn refuse_turn(&self, turns: &[Turn<'_>], error: RecordError) -> ReadError {
        let (at, token) = match error {
            RecordError::Ply { index, .. } if index < turns.len() => {
                (turns[index].value.at, turns[index].value.text)
            }
            _ => (self.tree.at, ""),
        };
        self.source.error(at, token, error)
    }
}

fn ply(turn: &Turn<'_>, swap: Swap) -> RecordPly {
    let action = match (turn.word, swap) {
        (Word::Place(cell), _) => Action::Place(cell),
        (_, Swap::Pieces) => Action::SwapPieces,
        _ => Action::SwapSides,
    };
    RecordPly { color: turn.color, action, clock: turn.clock, cpu: turn.cpu }
}

fn first(property: &Property) -> Value<'_> {
    let (at, text) =
        property.values.first().map_or((property.at, ""), |(at, text)| (*at, text.as_str()));
    Value { at, text }
}

/// The clock of the colour that a node's move is labelled with.
fn reading(properties: &[Property], label: Color) -> Option<Reading> {
    let (left, periods) = match label {
        Color::Red => ("BL", "OB"),
        Color::Blue => ("WL", "OW"),
    };
    let value = |name| properties.iter().find(|property| property.name == name).map(first);
    Some(Reading {
        left_ms: millis(value(left)?.text)?,
        periods: value(periods).map_or(Some(0), |value| value.text.trim().parse().ok())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Record {
        read(text).unwrap().remove(0)
    }

    fn moves(record: &Record) -> String {
        let word = |ply: &RecordPly| match ply.action {
            Action::Place(cell) => format!("{}:{cell}", ply.color),
            action => format!("{}:{action:?}", ply.color),
        };
        record.plies.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_colour_after_a_swap_tells_which_swap_it_was() {
        let swap =
            |word: &str, next: &str| one(&format!("(;GM[11]SZ[5];B[a2];W[{word}]{next})")).swap;
        for word in ["swap", "SWAP", "swap-sides", "swap-pieces", "Swap-Pieces"] {
            assert_eq!(swap(word, ";W[c3]"), Swap::Sides, "{word}");
            assert_eq!(swap(word, ";B[c3]"), Swap::Pieces, "{word}");
        }
        assert_eq!(swap("swap", ""), Swap::Sides);
        assert_eq!(swap("swap-sides", ";B[resign]"), Swap::Sides);
        assert_eq!(swap("swap-pieces", ""), Swap::Pieces);
    }

    #[test]
    fn a_swap_of_sides_hands_black_to_the_second_seat() {
        let record = one("(;GM[11]SZ[5]PB[Ada]PW[Bo]RE[B+Resign];B[a2];W[swap-sides];W[c3])");
        assert_eq!(record.players, [Some("Bo".into()), Some("Ada".into())]);
        let winner = crate::game::Seat::Two;
        assert_eq!(record.end, Some(Outcome::Won { winner, by: WonBy::Resignation }));
    }

    #[test]
    fn little_golem_labels_the_first_player_white() {
        let text = "(;FF[4]EV[hex.mc.1]PB[Ada [\\o/] ]PW[Bo]SZ[13]RE[B]SO[http://www.littlegolem.com]\
                    ;W[am];B[swap];W[ii];B[resign])";
        let record = one(text);
        assert_eq!(moves(&record), "red:a13 blue:SwapPieces red:i9");
        assert_eq!(record.players, [Some("Ada [\\o/] ".into()), Some("Bo".into())]);
        let winner = crate::game::Seat::One;
        assert_eq!(record.end, Some(Outcome::Won { winner, by: WonBy::Resignation }));
    }

    #[test]
    fn a_move_out_of_turn_is_refused_where_it_stands() {
        let error = read("(;GM[11]SZ[5]\n;B[a2]\n;B[a3])").unwrap_err();
        assert_eq!((error.line, error.column, &*error.token), (3, Some(3), "a3"));
        assert_eq!(
            error.to_string(),
            "line 3, column 3: `a3`: move 2: red moves, but it is blue's turn"
        );
    }

    #[test]
    fn what_is_not_a_record_of_hex_is_refused() {
        let refused = [
            ("(;GM[1]SZ[19];B[aa])", "not Hex"),
            ("(;GM[11]SZ[11];B[a1];W[pass])", "no passing"),
            ("(;GM[11]SZ[11];B[a1];W[])", "no passing"),
            ("(;GM[11];B[a1])", "size of the board is missing"),
            ("(;GM[11]SZ[54])", "no board has 54 rows"),
            ("(;GM[11]SZ[5];B[a1];W[b1];B[swap])", "only be the second move"),
            ("(;GM[11]SZ[5:4];B[a1];W[swap-pieces];B[b2])", "needs a square board"),
            ("(;GM[11]SZ[5]AB[a1]AW[a1])", "taken by a red stone"),
            ("(;GM[11]SZ[5];B[a1];AB[b2])", "before the first move"),
            ("(;GM[11]SZ[5];B[a1];W[resign];B[b2])", "after a resignation"),
            ("(;GM[11]SZ[5]RE[0];B[a1])", "no draws"),
            ("(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])", "another winner"),
            ("(;GM[11]SZ[5];B[a1]", "never ends"),
            ("(;GM[11]SZ[5", "never ends"),
            ("junk", "begins with `(`"),
        ];
        for (text, reason) in refused {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
