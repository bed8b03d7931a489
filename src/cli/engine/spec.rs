//! How the command line names an engine that is built in: `cpu`, `cpu:level=8`, `cpu:plain`,
//! `cpu:seconds=1,without=rave+bridges`, `single:nodes=1000`, `random`.

use std::fmt;
use std::str::FromStr;

use crate::cpu::level::NotALevel;
use crate::cpu::{Effort, Knowledge, Level};
use crate::game::Size;
use crate::game::clock::Millis;

/// The longest that a move may be thought about, in seconds.
const MOST_SECONDS: f64 = 86_400.0;

/// An engine that is built in, and what it may use.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// As it was written.
    name: String,
    /// The level, unless it moves at random.
    pub level: Option<Level>,
    /// Whether the level was named, so that its nodes are a limit also where the time is given.
    leveled: bool,
    /// So many nodes a move instead of the level's.
    pub nodes: Option<u64>,
    /// So long a move; as many nodes as that allows, unless they are given too.
    pub move_ms: Option<Millis>,
    /// Whether it takes one guess at the hidden stones for the truth, as a search that knows
    /// nothing of Dark Hex would.
    pub single: bool,
    /// Whether it only has what a plain search with RAVE has.
    plain: bool,
    /// What it has to do without.
    without: Vec<Technique>,
}

/// A technique by its name, and where its flag is.
type Technique = (&'static str, fn(&mut Knowledge) -> &mut bool);

const TECHNIQUES: [Technique; 9] = [
    ("rave", |knowledge| &mut knowledge.rave),
    ("bridges", |knowledge| &mut knowledge.bridges),
    ("patterns", |knowledge| &mut knowledge.patterns),
    ("priors", |knowledge| &mut knowledge.priors),
    ("connections", |knowledge| &mut knowledge.connections),
    ("inferior", |knowledge| &mut knowledge.inferior),
    ("solver", |knowledge| &mut knowledge.solver),
    ("reuse", |knowledge| &mut knowledge.reuse),
    ("steady", |knowledge| &mut knowledge.steady),
];

/// Why a text names no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such engine.
    #[error(
        "`{0}` is no engine: `cpu`, `cpu:level=8,nodes=5000,without=rave+bridges`, `cpu:plain`, \
         `single`, `random` or `gtp:COMMAND` are"
    )]
    Unknown(String),
    /// It has no such setting.
    #[error("`{0}` is no setting of `cpu`: `level`, `nodes`, `seconds`, `without` and `plain` are")]
    Setting(String),
    /// One setting is given more than once.
    #[error("`{0}` is set twice: give it once")]
    Twice(String),
    /// A number is none, or too large or small.
    #[error("`{0}` is not a number that fits: {1}")]
    Number(String, &'static str),
    /// There is no such level.
    #[error(transparent)]
    Level(#[from] NotALevel),
    /// There is no such technique.
    #[error("`{0}` is no technique: {names} are", names = TECHNIQUES.map(|it| it.0).join(", "))]
    Technique(String),
}

impl Spec {
    /// The computer at a level.
    pub fn cpu(level: Level) -> Spec {
        Spec {
            name: "cpu".to_owned(),
            level: Some(level),
            leveled: false,
            nodes: None,
            move_ms: None,
            single: false,
            plain: false,
            without: Vec::new(),
        }
    }

    /// How much a search may do on a board of this size.
    pub fn effort(&self, level: Level, size: Size) -> Effort {
        let own = level.effort(size);
        let mut knowledge = if self.plain { Knowledge::plain() } else { own.knowledge };
        for (_, flag) in &self.without {
            *flag(&mut knowledge) = false;
        }
        // Where only the time is given, nothing else is to end the search.
        let timed = self.move_ms.is_some() && !self.leveled;
        let untold = if timed { u64::MAX } else { own.nodes };
        Effort { nodes: self.nodes.unwrap_or(untold), knowledge }
    }

    /// Limits for those searches whose engine was named without any.
    pub fn limit(&mut self, nodes: Option<u64>, move_ms: Option<Millis>) {
        if self.nodes.is_none() && self.move_ms.is_none() {
            (self.nodes, self.move_ms) = (nodes, move_ms);
        }
    }

    fn set(&mut self, setting: &str) -> Result<(), SpecError> {
        match setting.split_once('=') {
            None if setting == "plain" => self.plain = true,
            Some(("level", number)) => {
                (self.level, self.leveled) = (Some(level(number)?), true);
            }
            Some(("nodes", number)) => self.nodes = Some(nodes(number)?),
            Some(("seconds", number)) => self.move_ms = Some(seconds(number)?),
            Some(("without", names)) => {
                for name in names.split('+') {
                    let technique = TECHNIQUES.iter().find(|technique| technique.0 == name);
                    let unknown = || SpecError::Technique(name.to_owned());
                    self.without.push(*technique.ok_or_else(unknown)?);
                }
            }
            _ => return Err(SpecError::Setting(setting.to_owned())),
        }
        Ok(())
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let unknown = || SpecError::Unknown(text.to_owned());
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = Spec { name: text.to_owned(), ..Spec::cpu(Level::MAX) };
        match (name, settings) {
            ("random", "") => spec.level = None,
            ("cpu" | "single", _) => {
                spec.single = name == "single";
                let mut given = Vec::new();
                for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
                    spec.set(setting)?;
                    let key = setting.split_once('=').map_or(setting, |(key, _)| key);
                    if given.contains(&key) {
                        return Err(SpecError::Twice(key.to_owned()));
                    }
                    given.push(key);
                }
            }
            _ => return Err(unknown()),
        }
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A level by its number.
pub fn level(text: &str) -> Result<Level, SpecError> {
    let wrong = || SpecError::Number(text.to_owned(), "a level is a whole number from 1 to 10");
    Ok(Level::new(text.parse().map_err(|_| wrong())?)?)
}

/// A board's size: `11`, or `9x12` for 9 rows and 12 columns.
pub fn size(text: &str) -> Result<Size, String> {
    let (rows, cols) = text.split_once('x').unwrap_or((text, text));
    let number = |number: &str| {
        let wrong = |_| format!("`{text}` is no size: a size is such as 11, or 9x12");
        number.parse::<u64>().map_err(wrong)
    };
    Size::new(number(rows)?, number(cols)?).map_err(|error| error.to_string())
}

/// A number of nodes, at least 1.
pub fn nodes(text: &str) -> Result<u64, SpecError> {
    let parsed = text.parse().ok().filter(|&nodes| nodes > 0);
    parsed.ok_or_else(|| SpecError::Number(text.to_owned(), "nodes are a whole number from 1"))
}

/// A number of seconds as milliseconds, at least 1 ms and at most a day.
pub fn seconds(text: &str) -> Result<Millis, SpecError> {
    let parsed =
        text.parse::<f64>().ok().filter(|seconds| (0.001..=MOST_SECONDS).contains(seconds));
    let wrong = || SpecError::Number(text.to_owned(), "seconds are from 0.001 to 86400");
    Ok((parsed.ok_or_else(wrong)? * 1_000.0) as Millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort(text: &str) -> Effort {
        let spec: Spec = text.parse().unwrap();
        spec.effort(spec.level.unwrap(), Size::new(11, 11).unwrap())
    }

    #[test]
    fn an_engine_is_named_with_what_it_may_use() {
        let full = Level::MAX.effort(Size::new(11, 11).unwrap());
        assert_eq!(effort("cpu"), full);
        let eight = Level::new(8).unwrap().effort(Size::new(11, 11).unwrap());
        assert_eq!(effort("cpu:level=8"), eight);
        assert_eq!(
            effort("cpu:plain,nodes=70"),
            Effort { nodes: 70, knowledge: Knowledge::plain() }
        );
        let without = effort("cpu:level=8,nodes=5,without=rave+bridges").knowledge;
        let expected = Knowledge { rave: false, bridges: false, ..eight.knowledge };
        assert_eq!(without, expected);
        assert_eq!(effort("cpu:seconds=0.5").nodes, u64::MAX);
        assert_eq!(effort("cpu:seconds=0.5,level=8"), eight);
        assert_eq!("cpu:seconds=0.5".parse::<Spec>().unwrap().move_ms, Some(500));
        assert_eq!("random".parse::<Spec>().unwrap().level, None);
    }

    #[test]
    fn what_names_no_engine_is_refused_with_what_would() {
        for (text, told) in [
            ("mohex", "`gtp:COMMAND`"),
            ("random:level=1", "is no engine"),
            ("cpu:level=11", "levels from 1 to 10"),
            ("cpu:level=high", "a level is a whole number"),
            ("cpu:nodes=0", "from 1"),
            ("cpu:seconds=NaN", "from 0.001"),
            ("cpu:speed=9", "`level`, `nodes`"),
            ("cpu:level=1,level=2", "`level` is set twice"),
            ("cpu:plain,plain", "`plain` is set twice"),
            ("cpu:without=luck", "rave, bridges, patterns"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn half_a_size_is_refused_as_it_was_typed() {
        assert_eq!(size("9x12"), Ok(Size::new(9, 12).unwrap()));
        for text in ["5x", "x5", "", "5x5x5", "big"] {
            let error = size(text).unwrap_err();
            assert!(error.starts_with(&format!("`{text}` is no size: ")), "{error}");
        }
    }
}
