//! A game against the computer, without a server: what each line that is typed does.
//!
//! Pure but for the searches' time: text in, text out. The computer is shown what its own seat
//! sees, and so is whoever plays.

use std::fmt::Write;
use std::str::FromStr;

use crate::cli::engine::{Mind, Spec, picture, sight};
use crate::cpu::{Choice, Level};
use crate::game::clock::Millis;
use crate::game::{Cell, Color, Game, Move, Outcome, Ply, Rules, Seat, WonBy};
use crate::time::TimeSource;

/// How long a hint is thought about.
const HINT_MS: Millis = 2_000;

/// What can be typed.
pub const HELP: &str = "\
c4          place a stone there
swap        take over the first stone, as the second move
undo        take your last move back
hint        ask what the computer would play
board       show the board again
resign      give the game up
quit        leave
";

/// What a line came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// What to show.
    pub text: String,
    /// Whether that was all.
    pub over: bool,
}

/// A game between a person and the computer.
#[derive(Debug)]
pub struct Local {
    game: Game,
    you: Seat,
    level: Level,
    computer: Mind,
    adviser: Mind,
}

impl Local {
    /// A game at its start.
    pub fn new(rules: Rules, you: Seat, level: Level, seed: u64, time: &TimeSource) -> Local {
        let mind = |level| Mind::new(Spec::cpu(level), seed, time.clone());
        let (computer, adviser) = (mind(level), mind(Level::MAX));
        Local { game: Game::new(rules, Vec::new()), you, level, computer, adviser }
    }

    /// What is shown first; the computer moves if it begins.
    pub fn begin(&mut self) -> Said {
        let rules = self.game.rules();
        let dark = if self.game.is_dark() { "Dark Hex" } else { "Hex" };
        self.go_on(format!("{dark} on {}, level {}; `help` tells more\n", rules.size(), self.level))
    }

    /// Does what a line says.
    pub fn say(&mut self, line: &str) -> Said {
        let word = line.trim().to_ascii_lowercase();
        let shown = |text: String| Said { text, over: false };
        let done = match word.as_str() {
            "" | "board" => return shown(self.picture()),
            "help" | "?" => return shown(HELP.to_owned()),
            "hint" => return shown(self.hint()),
            "quit" | "exit" => return Said { text: String::new(), over: true },
            "undo" => self.undo(),
            "resign" => self.resign(),
            "swap" => self.play(Move::Swap),
            cell => match Cell::from_str(cell) {
                Ok(cell) => self.play(Move::Place(cell)),
                Err(_) => Err(format!("`{cell}` is neither a cell nor a word: `help` lists them")),
            },
        };
        match done {
            Ok(()) => self.go_on(String::new()),
            Err(why) => shown(format!("{why}\n")),
        }
    }

    fn resign(&mut self) -> Result<(), String> {
        let outcome = Outcome::Won { winner: self.you.other(), by: WonBy::Resignation };
        self.game.end(outcome).map_err(|illegal| illegal.to_string())
    }

    fn play(&mut self, action: Move) -> Result<(), String> {
        self.game.play(self.you, action).map_err(|illegal| illegal.to_string())
    }

    fn undo(&mut self) -> Result<(), String> {
        let own = self.game.plies().iter().rposition(|ply| ply.seat == self.you);
        let own = own.ok_or("there is no move of yours to take back")?;
        self.game.take_back_to(own).map_err(|illegal| illegal.to_string())
    }

    /// Lets the computer move while it is its turn, and shows after `text` what has come of
    /// everything.
    fn go_on(&mut self, mut text: String) -> Said {
        if let Some(ply) =
            self.game.plies().last().filter(|ply| ply.seat == self.you && ply.collided)
        {
            let _ = writeln!(text, "a hidden stone stands there: {}", place(ply.action));
        }
        while self.game.to_move() == Some(self.you.other()) {
            let Some(seen) = sight::seen(&self.game) else { break };
            let computer = self.you.other();
            let done = match self.computer.choose(&seen, None).choice {
                Choice::Play(action) => self.game.play(computer, action),
                Choice::Resign => {
                    self.game.end(Outcome::Won { winner: self.you, by: WonBy::Resignation })
                }
            };
            if let Err(illegal) = done {
                // It would be a fault of ours: the game is not held up by it.
                let _ = writeln!(text, "the computer wanted an illegal move: {illegal}");
                return Said { text, over: true };
            }
            if let Some(ply) = self.game.plies().last().filter(|ply| ply.seat == computer) {
                text.push_str(&told(ply, self.game.is_dark()));
            }
        }
        text.push_str(&self.picture());
        let over = self.game.outcome().is_some();
        Said { text, over }
    }

    fn hint(&mut self) -> String {
        match sight::seen(&self.game) {
            Some(seen) if self.game.to_move() == Some(self.you) => {
                let thought = self.adviser.choose(&seen, Some(HINT_MS));
                match thought.choice {
                    Choice::Play(action) =>
                    // Only a proof is worth exactly 1, and in the dark nothing is proven.
                    {
                        match thought.value >= 1.0 && !self.game.is_dark() {
                            true => format!("{}; a sure win\n", place(action)),
                            false => advice(&place(action), Some(thought.percent())),
                        }
                    }
                    Choice::Resign => "there is nothing left to try\n".to_owned(),
                }
            }
            _ => "it is not your turn\n".to_owned(),
        }
    }

    /// The board as far as it may be seen, and how the game stands.
    fn picture(&self) -> String {
        let size = self.game.rules().size();
        let open = match self.game.outcome() {
            Some(Outcome::Won { by, .. }) => by == WonBy::Chain,
            _ => false,
        };
        let stone = |cell| match open {
            true => self.game.board().get(cell),
            false => self.game.known(self.you, cell),
        };
        let last = self.game.plies().last().filter(|_| !self.game.is_dark());
        let last = last.and_then(|ply| match ply.action {
            Move::Place(cell) => Some(cell),
            Move::Swap => None,
        });
        format!("{}{}\n", picture::board(size, stone, last), self.standing())
    }

    fn standing(&self) -> String {
        let color = self.game.color(self.you);
        let edges = match color {
            Color::Red => "top to bottom",
            Color::Blue => "left to right",
        };
        let swap = if self.game.may_swap() { ", or swap" } else { "" };
        match self.game.outcome() {
            None => format!("you are {color} ({edges}), and to move{swap}"),
            Some(Outcome::Won { winner, by }) => {
                let who = if winner == self.you { "you win" } else { "the computer wins" };
                let path = self.game.winning_path().unwrap_or_default();
                let path: Vec<String> = path.iter().map(Cell::to_string).collect();
                match by {
                    WonBy::Chain => format!("{who} by {}", path.join(" ")),
                    _ => format!("{who} by resignation"),
                }
            }
            Some(Outcome::Void(_)) => "the game has no result".to_owned(),
        }
    }
}

/// What the computer did, as far as it may be told.
fn told(ply: &Ply, dark: bool) -> String {
    match (dark, ply.collided) {
        (false, _) => format!("computer: {}\n", place(ply.action)),
        (true, false) => "the computer has placed a stone\n".to_owned(),
        (true, true) => "the computer has run into a stone of yours\n".to_owned(),
    }
}

/// A hint, and what the computer thinks of your chances if it has said so.
pub fn advice(action: &str, percent: Option<u8>) -> String {
    match percent {
        None => format!("{action}\n"),
        Some(percent) => {
            format!("{action}; the computer puts your chances at {percent} %\n")
        }
    }
}

fn place(action: Move) -> String {
    match action {
        Move::Place(cell) => cell.to_string(),
        Move::Swap => "swap".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::Stamp;
    use crate::game::{Collision, Goal, Size, Swap};

    fn local(rules: Rules, you: Seat) -> Local {
        Local::new(rules, you, Level::MIN, 1, &TimeSource::manual(Stamp(0)))
    }

    fn hex(side: u64, swap: Swap) -> Rules {
        Rules::new(Size::new(side, side).unwrap(), swap, Goal::Join, 0).unwrap()
    }

    /// From the middle of 3x3 red has two ways to each edge, and blue cannot block both.
    fn joining(game: &Game) -> &'static str {
        let stone = |word: &str| game.board().get(word.parse().unwrap());
        let to_do = [["b1", "c1"], ["a3", "b3"]].map(|ways| {
            let free = ways.into_iter().filter(|way| stone(way).is_none()).collect::<Vec<_>>();
            let joined = ways.iter().any(|way| stone(way) == Some(Color::Red));
            if joined { Vec::new() } else { free }
        });
        let urgent = to_do.iter().filter(|free| !free.is_empty()).min_by_key(|free| free.len());
        urgent.unwrap()[0]
    }

    #[test]
    fn a_whole_game_is_played_by_lines_and_ends_with_its_winner() {
        let mut local = local(hex(3, Swap::Off), Seat::One);
        let begun = local.begin();
        assert!(begun.text.contains("Hex on 3x3, level 1"), "{}", begun.text);
        assert!(begun.text.ends_with("you are red (top to bottom), and to move\n"));
        assert!(local.say("b2").text.contains("computer: "));
        assert!(local.say("B2").text.contains("b2 is taken by a red stone"));
        assert!(local.say("z9").text.contains("z9 is not on the board"));
        assert!(local.say("jump").text.contains("`help` lists them"));
        assert_eq!(local.say("help").text, HELP);
        while !local.say(joining(&local.game)).over {}
        assert!(local.picture().contains("you win by "), "{}", local.picture());
        assert!(local.say("a1").text.contains("the game is over"));
    }

    #[test]
    fn moves_are_taken_back_to_one_s_own_last() {
        let mut local = local(hex(5, Swap::Off), Seat::One);
        local.begin();
        assert!(local.say("undo").text.contains("no move of yours"));
        local.say("a1");
        assert_eq!(local.game.plies().len(), 2);
        local.say("undo");
        assert_eq!(local.game.plies().len(), 0);
    }

    #[test]
    fn the_first_stone_is_swapped_by_a_word() {
        let mut local = local(hex(5, Swap::Sides), Seat::Two);
        let begun = local.begin();
        assert!(begun.text.contains("to move, or swap"), "{}", begun.text);
        let swapped = local.say("swap").text;
        assert!(swapped.contains("you are red"), "{swapped}");
    }

    #[test]
    fn hints_are_moves_and_resigning_ends_the_game() {
        let mut local = local(hex(3, Swap::Off), Seat::One);
        local.begin();
        let hint = local.say("hint").text;
        let cell = hint.split(';').next().unwrap();
        assert!(cell.parse::<Cell>().is_ok(), "{hint}");
        let resigned = local.say("resign");
        assert!(resigned.over);
        assert!(resigned.text.ends_with("the computer wins by resignation\n"));
    }

    #[test]
    fn a_hint_says_whose_chances_it_tells() {
        assert_eq!(advice("c5", Some(20)), "c5; the computer puts your chances at 20 %\n");
        assert_eq!(advice("swap", None), "swap\n");
    }

    #[test]
    fn in_the_dark_the_computer_s_stones_are_not_shown_until_they_are_found() {
        let size = Size::new(3, 3).unwrap();
        let mut local = local(Rules::dark(size, Collision::Classical), Seat::Two);
        let begun = local.begin().text;
        assert!(begun.contains("the computer has placed a stone"), "{begun}");
        let rows = |text: &str| {
            let row = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
            text.lines().filter(row).collect::<String>()
        };
        assert!(!rows(&begun).contains('r'), "{begun}");
        let hidden = local.game.board().stones().next().unwrap().0;
        let found = local.say(&hidden.to_string()).text;
        assert!(found.contains("a hidden stone stands there"), "{found}");
        assert!(rows(&found).contains('r'), "{found}");
        assert!(local.say("undo").text.contains("no"), "nothing is taken back in the dark");
    }
}
