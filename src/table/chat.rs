//! What is said at a table. Pure.
//!
//! There are two rooms: one of those who sit, and one of everybody else. Owns the last lines of
//! both, and how often anybody may speak; who reads which room is the table's to say. Nothing of it
//! is written down: it is gone with the table's actor.
//!
//! Bounds: [`KEPT`] lines a room, the oldest goes; `SPEAKERS` people of whom is known how often
//! they spoke, and where there are more, nobody new speaks until others have been silent for
//! `FORGIVEN_MS`.

use std::collections::{HashMap, VecDeque};

use hexhall_proto::chat::Room;

use crate::accounts::text::{self, Lines};
use crate::game::clock::{Millis, Stamp};
use crate::ids::PlayerId;
use crate::table::handle::Player;

/// The lines that are kept of a room.
pub const KEPT: usize = 100;

/// The longest line, in characters.
pub const MOST_CHARS: usize = 300;

/// So many lines in [`BURST_MS`], and no more.
const BURST: usize = 5;
const BURST_MS: Millis = 10_000;

/// The longest that somebody who speaks too often is kept silent.
const LONGEST_MS: Millis = 5 * 60_000;

/// After so long without a word, all is forgiven.
const FORGIVEN_MS: Millis = 10 * 60_000;

/// Of how many people is known how often they spoke.
const SPEAKERS: usize = 1_000;

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number at the table.
    pub id: u64,
    /// Who said it.
    pub by: Player,
    /// What.
    pub text: Box<str>,
    /// When.
    pub at: Stamp,
}

/// Why something is not said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSaid {
    /// Nothing, or nothing but white space.
    #[error("say something: a line has at least one character")]
    Empty,
    /// Too long.
    #[error("a line has at most {MOST_CHARS} characters, and this one has {0}")]
    TooLong(usize),
    /// A character that cannot be seen, or that reorders what stands around it.
    #[error("a line has only characters that can be seen, and U+{:04X} cannot", u32::from(*.0))]
    Invisible(char),
    /// The same as just before.
    #[error("you have just said that: say something else")]
    Repeated,
    /// Too much at a time.
    #[error("that was too much at a time: read for {} s", .0.div_ceil(1_000))]
    TooFast(Millis),
}

/// The rooms of a table.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    rooms: [VecDeque<Line>; 2],
    said: u64,
    speakers: HashMap<PlayerId, Speaker>,
}

/// How somebody has spoken lately.
#[derive(Clone, Debug)]
struct Speaker {
    /// When, the last [`BURST`] times.
    times: VecDeque<Stamp>,
    last: Box<str>,
    /// When they last spoke, or tried to.
    heard: Stamp,
    /// How often it was too much, and until when they are kept silent for it.
    strikes: u32,
    silent_until: Stamp,
}

impl Chat {
    /// Somebody says something.
    ///
    /// # Errors
    /// It is no line, or too much of it; nothing is said.
    pub fn say(
        &mut self,
        room: Room,
        by: &Player,
        text: &str,
        now: Stamp,
    ) -> Result<&Line, NotSaid> {
        let text = text::read(text, MOST_CHARS, Lines::One)?;
        self.judge(by.id, &text, now)?;
        self.said += 1;
        let line = Line { id: self.said, by: by.clone(), text: (*text).into(), at: now };
        let lines = &mut self.rooms[index(room)];
        if lines.len() >= KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
        // What was put there last is there.
        lines.back().ok_or(NotSaid::Empty)
    }

    /// The last lines of a room, in order.
    pub fn lines(&self, room: Room) -> impl Iterator<Item = &Line> {
        self.rooms[index(room)].iter()
    }

    /// Whether somebody may say this now; notes that they did, or that they tried too often.
    fn judge(&mut self, by: PlayerId, text: &str, now: Stamp) -> Result<(), NotSaid> {
        if !self.speakers.contains_key(&by) && self.speakers.len() >= SPEAKERS {
            self.speakers.retain(|_, speaker| now - speaker.heard < FORGIVEN_MS);
            if self.speakers.len() >= SPEAKERS {
                return Err(NotSaid::TooFast(BURST_MS));
            }
        }
        let speaker = self.speakers.entry(by).or_insert_with(|| Speaker::new(now));
        if now - speaker.heard >= FORGIVEN_MS {
            *speaker = Speaker::new(now);
        }
        speaker.heard = now;
        if speaker.silent_until > now {
            return Err(NotSaid::TooFast(speaker.silent_until - now));
        }
        if *speaker.last == *text {
            return Err(NotSaid::Repeated);
        }
        while speaker.times.front().is_some_and(|&at| now - at >= BURST_MS) {
            speaker.times.pop_front();
        }
        if speaker.times.len() >= BURST {
            let wait = (BURST_MS << speaker.strikes.min(8)).min(LONGEST_MS);
            speaker.strikes += 1;
            speaker.silent_until = now + wait;
            return Err(NotSaid::TooFast(wait));
        }
        speaker.times.push_back(now);
        speaker.last = text.into();
        Ok(())
    }
}

impl Speaker {
    fn new(now: Stamp) -> Speaker {
        let (times, last) = Default::default();
        Speaker { times, last, heard: now, strikes: 0, silent_until: now }
    }
}

const fn index(room: Room) -> usize {
    match room {
        Room::Players => 0,
        Room::Watchers => 1,
    }
}

impl From<text::Wrong> for NotSaid {
    fn from(wrong: text::Wrong) -> NotSaid {
        match wrong {
            text::Wrong::Empty => NotSaid::Empty,
            text::Wrong::TooLong(chars) => NotSaid::TooLong(chars),
            text::Wrong::Invisible(c) => NotSaid::Invisible(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ana() -> Player {
        let name = "Ana".into();
        Player { id: PlayerId::from_parts(1, 0), name, cpu: None, bot: false }
    }

    fn say(chat: &mut Chat, text: &str, now: u64) -> Result<u64, NotSaid> {
        chat.say(Room::Players, &ana(), text, Stamp(now)).map(|line| line.id)
    }

    #[test]
    fn a_line_is_trimmed_has_its_bounds_and_hides_nothing() {
        let mut chat = Chat::default();
        assert_eq!(say(&mut chat, "  good luck \n", 0), Ok(1));
        assert_eq!(&*chat.lines(Room::Players).next().unwrap().text, "good luck");
        assert_eq!(chat.lines(Room::Watchers).count(), 0);
        assert_eq!(say(&mut chat, " \t", 0), Err(NotSaid::Empty));
        assert_eq!(say(&mut chat, &"ø".repeat(300), 0), Ok(2));
        assert_eq!(say(&mut chat, &"ø".repeat(301), 0), Err(NotSaid::TooLong(301)));
        assert_eq!(say(&mut chat, "a\u{202e}b", 0), Err(NotSaid::Invisible('\u{202e}')));
        assert_eq!(say(&mut chat, "a\nb", 0), Err(NotSaid::Invisible('\n')));
    }

    #[test]
    fn five_lines_in_ten_seconds_are_enough_and_each_time_more_the_silence_is_longer() {
        let mut chat = Chat::default();
        let mut now = 0;
        for wait in [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000] {
            for n in 0..5 {
                assert!(say(&mut chat, &format!("{now} {n}"), now).is_ok(), "{wait}");
            }
            assert_eq!(say(&mut chat, "more", now), Err(NotSaid::TooFast(wait)));
            assert_eq!(say(&mut chat, "more", now + wait - 1), Err(NotSaid::TooFast(1)));
            now += wait;
        }
        now += FORGIVEN_MS;
        for n in 0..5 {
            assert!(say(&mut chat, &format!("{now} {n}"), now).is_ok());
        }
        assert_eq!(say(&mut chat, "more", now), Err(NotSaid::TooFast(10_000)), "all is forgiven");
    }

    #[test]
    fn nobody_says_the_same_twice_in_a_row() {
        let mut chat = Chat::default();
        assert_eq!(say(&mut chat, "gg", 0), Ok(1));
        assert_eq!(say(&mut chat, " gg ", 60_000), Err(NotSaid::Repeated));
        assert_eq!(say(&mut chat, "thanks", 60_000), Ok(2));
        assert_eq!(say(&mut chat, "gg", 60_000), Ok(3));
    }

    #[test]
    fn the_last_hundred_lines_of_each_room_are_kept() {
        let mut chat = Chat::default();
        for n in 0..150 {
            say(&mut chat, &n.to_string(), n * 10_000).unwrap();
        }
        let ids: Vec<u64> = chat.lines(Room::Players).map(|line| line.id).collect();
        assert_eq!(ids, (51..=150).collect::<Vec<_>>());
    }

    #[test]
    fn of_a_crowd_only_so_many_are_known_and_those_who_are_silent_go() {
        let mut chat = Chat::default();
        let who = |n: u64| Player { id: PlayerId::from_parts(n, 0), ..ana() };
        for n in 0..SPEAKERS as u64 {
            assert!(chat.say(Room::Watchers, &who(n), "hi", Stamp(0)).is_ok());
        }
        let late = chat.say(Room::Watchers, &who(9_999), "hi", Stamp(1)).cloned();
        assert_eq!(late, Err(NotSaid::TooFast(BURST_MS)));
        assert!(chat.say(Room::Watchers, &who(9_999), "hi", Stamp(FORGIVEN_MS)).is_ok());
        assert_eq!(chat.speakers.len(), 1);
    }
}
