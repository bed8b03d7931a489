//! What came of it: a table of games, and every difference.

use std::fmt;
use std::time::Duration;

use hexhall_proto::codec::Format;

use super::compare::Difference;
use crate::game::Size;

/// What came of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// One entry for each game and format, in the order of the files.
    pub games: Vec<GameReport>,
    /// How long it took.
    pub took: Duration,
}

/// What came of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameReport {
    /// The game's name.
    pub name: String,
    /// The format that it was played in, if it was.
    pub format: Option<Format>,
    /// The board, in rows and columns; none where there is no game.
    pub size: Option<Size>,
    /// How many moves it has.
    pub moves: usize,
    /// How the rules say that it ends.
    pub result: String,
    /// How many saw it.
    pub viewers: usize,
    /// How often any of them had to connect again.
    pub reconnects: u32,
    /// What a reader should know of it.
    pub notes: Vec<String>,
    /// Whether they saw what the rules say.
    pub verdict: Verdict,
}

/// What came of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Everybody saw what the rules say.
    Same,
    /// Somebody did not.
    Different(Vec<Difference>),
    /// The game could not be played to its end, and why.
    Stuck(String),
    /// The record could not be read, or breaks the rules.
    Unreadable(String),
    /// No table can play it, and why.
    Skipped(String),
}

impl GameReport {
    pub(super) fn skipped(name: &str, reason: &str) -> GameReport {
        GameReport::unplayed(name, Verdict::Skipped(reason.into()))
    }

    pub(super) fn unreadable(name: &str, reason: &str) -> GameReport {
        GameReport::unplayed(name, Verdict::Unreadable(reason.into()))
    }

    fn unplayed(name: &str, verdict: Verdict) -> GameReport {
        let (name, result) = (name.into(), "-".into());
        GameReport {
            name,
            format: None,
            size: None,
            moves: 0,
            result,
            viewers: 0,
            reconnects: 0,
            notes: Vec::new(),
            verdict,
        }
    }
}

impl Report {
    /// Whether every game was played as the rules say, or rightly skipped.
    pub fn is_clean(&self) -> bool {
        let clean = |game: &GameReport| matches!(game.verdict, Verdict::Same | Verdict::Skipped(_));
        self.games.iter().all(clean)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |game: &GameReport| game.name.chars().count();
        let width = self.games.iter().map(name).max().unwrap_or(0).max("game".len());
        writeln!(f, "{:width$}  board  format   moves  {:24}  seen by", "game", "result")?;
        for game in &self.games {
            let format = match game.format {
                Some(Format::Json) => "json",
                Some(Format::MsgPack) => "msgpack",
                None => "-",
            };
            let GameReport { name, moves, result, viewers, .. } = game;
            let size = game.size.map_or("-".into(), |size| size.to_string());
            write!(f, "{name:width$}  {size:5}  {format:7}  {moves:5}  {result:24}  ")?;
            match &game.verdict {
                Verdict::Same => write!(f, "{viewers} alike")?,
                Verdict::Different(found) => write!(f, "{viewers}, {} DIFFERENCES", found.len())?,
                Verdict::Stuck(why) => write!(f, "STUCK: {why}")?,
                Verdict::Unreadable(reason) => write!(f, "UNREADABLE: {reason}")?,
                Verdict::Skipped(reason) => write!(f, "skipped: {reason}")?,
            }
            game.notes.iter().try_for_each(|note| write!(f, "; {note}"))?;
            match game.reconnects {
                0 => writeln!(f)?,
                1 => writeln!(f, "; 1 reconnect")?,
                n => writeln!(f, "; {n} reconnects")?,
            }
        }
        for game in &self.games {
            if let Verdict::Different(found) = &game.verdict {
                writeln!(f, "\n{}:", game.name)?;
                found.iter().try_for_each(|difference| writeln!(f, "  {difference}"))?;
            }
        }
        let count =
            |is: fn(&Verdict) -> bool| self.games.iter().filter(|game| is(&game.verdict)).count();
        writeln!(
            f,
            "\n{} played alike, {} different, {} stuck, {} unreadable, {} skipped, in {:.1} s",
            count(|verdict| matches!(verdict, Verdict::Same)),
            count(|verdict| matches!(verdict, Verdict::Different(_))),
            count(|verdict| matches!(verdict, Verdict::Stuck(_))),
            count(|verdict| matches!(verdict, Verdict::Unreadable(_))),
            count(|verdict| matches!(verdict, Verdict::Skipped(_))),
            self.took.as_secs_f64(),
        )
    }
}
