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

use crate::accounts::name::is_invisible;
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
        let text = read(text)?;
        self.judge(by.id, text, now)?;
        self.said += 1;
        let line = Line { id: self.said, by: by.clone(), text: text.into(), at: now };
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

/// The line that a text is, without the white space around it.
fn read(text: &str) -> Result<&str, NotSaid> {
    let text = text.trim();
    if text.chars().all(|c| is_part_of_emoji(c) || c.is_whitespace()) {
        return Err(NotSaid::Empty);
    }
    match text.chars().count() {
        ..=MOST_CHARS => {}
        chars => return Err(NotSaid::TooLong(chars)),
    }
    hidden(text).map_or(Ok(text), |c| Err(NotSaid::Invisible(c)))
}

/// What makes one sign of several.
const JOINER: char = '\u{200d}';

/// Whether a character is unseen and yet belongs to emoji: it says how the one before it is drawn,
/// or joins two.
const fn is_part_of_emoji(c: char) -> bool {
    matches!(c, JOINER | '\u{fe0e}' | '\u{fe0f}')
}

/// The first character that hides anything. Phones put those that emoji are joined and drawn by into
/// a heart by themselves: they hide nothing where they stand in one.
fn hidden(text: &str) -> Option<char> {
    let is_pictorial = |c: char| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}');
    // The last that was drawn, and whether it has been said how.
    let (mut drawn, mut is_said) = (None, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_in_place = match c {
            JOINER => {
                drawn.is_some_and(is_pictorial) && rest.peek().is_some_and(|&c| is_pictorial(c))
            }
            c if is_part_of_emoji(c) => {
                drawn.is_some_and(|c| !c.is_whitespace()) && !std::mem::replace(&mut is_said, true)
            }
            c => {
                (drawn, is_said) = (Some(c), false);
                !is_invisible(c)
            }
        };
        if !is_in_place {
            return Some(c);
        }
    }
    None
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
    fn a_heart_can_be_said_and_what_joins_emoji_is_nothing_without_them() {
        let say = |text: &str| read(text).map(str::to_owned);
        for emoji in
            ["\u{2764}\u{fe0f}", "\u{263a}\u{fe0f} 1\u{fe0f}\u{20e3}", "a\u{2764}\u{fe0e}b"]
        {
            assert_eq!(say(emoji), Ok(emoji.to_owned()));
        }
        // A family, a rainbow flag, a health worker of some colour.
        for joined in [
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f9d1}\u{1f3fd}\u{200d}\u{2695}\u{fe0f}",
        ] {
            assert_eq!(say(joined), Ok(joined.to_owned()));
        }
        for nothing in ["\u{fe0f}", "\u{200d} \u{200d}", "\u{fe0e}\u{200d}"] {
            assert_eq!(say(nothing), Err(NotSaid::Empty), "{nothing:?}");
        }
        for (text, hidden) in [
            ("a\u{200d}b", JOINER),
            ("\u{2764}\u{200d}", JOINER),
            ("\u{2764}\u{200d}\u{200d}\u{2764}", JOINER),
            ("\u{2764}\u{fe0f}\u{fe0f}", '\u{fe0f}'),
            ("a \u{fe0f}", '\u{fe0f}'),
            ("\u{2764}\u{fe0f}\u{202e}", '\u{202e}'),
        ] {
            assert_eq!(say(text), Err(NotSaid::Invisible(hidden)), "{text:?}");
        }
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
