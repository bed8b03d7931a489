//! What an operator reads on the terminal.

use std::fmt::Write;

use hexhall_proto::chat::Room;
use hexhall_proto::notices::NoticeKind;
use time::OffsetDateTime;

use crate::http::api::operator::acts::Done;
use crate::http::api::operator::log::ActLog;
use crate::http::api::operator::players::{FoundPlayer, FoundPlayers, Held, ShownPlayer};
use crate::http::api::operator::reports::{ReportList, Settlement, ToldReport, WholeReport};

/// A time in milliseconds since the Unix epoch, for people.
pub fn at(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1_000).unwrap_or(i64::MAX);
    let Ok(at) = OffsetDateTime::from_unix_timestamp(seconds) else { return format!("{ms} ms") };
    let (year, month, day) = at.to_calendar_date();
    let month = u8::from(month);
    let (hour, minute, second) = at.to_hms();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

fn until(ms: Option<u64>) -> String {
    ms.map_or_else(|| "for good".to_owned(), |ms| format!("until {}", at(ms)))
}

/// Rows with columns as wide as they have to be. The last column has no end.
pub fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let width = |nth: usize| {
        let of = |row: &[String; N]| row[nth].chars().count();
        rows.iter().map(of).max().unwrap_or(0).max(head[nth].chars().count())
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in std::iter::once(head.map(str::to_owned)).chain(rows.iter().cloned()) {
        let line: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}

/// Players who were found, at least one.
pub fn found(found: &FoundPlayers) -> String {
    let row = |player: &FoundPlayer| {
        let owner = player.owner.clone().unwrap_or_else(|| "-".to_owned());
        [player.id.clone(), at(player.made_ms), owner, player.name.clone()]
    };
    table(["ID", "MADE", "BOT OF", "NAME"], &found.players.iter().map(row).collect::<Vec<_>>())
}

/// A player and what holds of them.
pub fn shown(shown: &ShownPlayer) -> String {
    let held = |held: &Option<Held>| {
        held.as_ref().map_or_else(
            || "no".to_owned(),
            |Held { by, reason, at_ms, until_ms }| {
                format!("{}, since {} by {by}: {reason}", until(*until_ms), at(*at_ms))
            },
        )
    };
    let named = |player: &FoundPlayer| format!("{} ({})", player.name, player.id);
    let mut rows = vec![
        ["name", &*shown.player.name].map(str::to_owned),
        ["id", &*shown.player.id].map(str::to_owned),
        ["made".to_owned(), at(shown.player.made_ms)],
    ];
    if let Some(owner) = &shown.owner {
        rows.push(["bot of".to_owned(), named(owner)]);
    }
    rows.extend(shown.bots.iter().map(|bot| ["bot".to_owned(), named(bot)]));
    rows.push(["sessions".to_owned(), shown.sessions.to_string()]);
    rows.push(["muted".to_owned(), held(&shown.muted)]);
    rows.push(["banned".to_owned(), held(&shown.banned)]);
    rows.extend(shown.notices.iter().map(|notice| {
        let kind = match notice.kind {
            NoticeKind::Warning => "a warning",
            NoticeKind::Muted => "that they are muted",
            NoticeKind::Unmuted => "that they are muted no more",
            NoticeKind::Renamed => "that they have another name",
        };
        ["unread".to_owned(), format!("{kind}, {}: {}", at(notice.at_ms), notice.text)]
    }));
    let reports = format!("{} about them, {} of theirs", shown.reports_about, shown.reports_by);
    rows.push(["reports".to_owned(), reports]);
    rows.push(["profile".to_owned(), shown.profile.clone()]);
    rows.iter().fold(String::new(), |mut text, [name, value]| {
        let _ = writeln!(text, "{name:<9}{}", one_line(value));
        text
    })
}

/// What players have told of each other, or what is to be said if that is nothing.
pub fn reports(list: &ReportList, none: &str) -> String {
    if list.reports.is_empty() {
        return format!("{none}\n");
    }
    let row = |report: &ToldReport| {
        let ToldReport { id, by, about, reason, at_ms, settled, .. } = report;
        let state = if settled.is_some() { "settled" } else { "open" };
        let about = about.name.clone();
        [id.clone(), at(*at_ms), state.to_owned(), reason.clone(), about, by.name.clone()]
    };
    let head = ["ID", "MADE", "STATE", "REASON", "ABOUT", "BY"];
    let mut text = table(head, &list.reports.iter().map(row).collect::<Vec<_>>());
    let _ = writeln!(text, "open: {} of {} that there may be", list.open, list.most_open);
    if let Some(before) = &list.before {
        let _ = writeln!(text, "older ones: --before {before}");
    }
    text
}

/// A report and what was said.
pub fn report(WholeReport { report, lines }: &WholeReport) -> String {
    let ToldReport { id, by, about, table, reason, text: words, at_ms, settled } = report;
    let named = |player: &FoundPlayer| format!("{} ({})", player.name, player.id);
    let mut text = format!(
        "report   {id}\nmade     {} by {}\nabout    {}\nreason   {reason}\n",
        at(*at_ms),
        named(by),
        named(about)
    );
    if let Some(words) = words {
        let _ = writeln!(text, "text     {}", one_line(words));
    }
    if let Some(table) = table {
        let _ = writeln!(text, "table    {table}");
    }
    match settled {
        Some(Settlement { at_ms, by, outcome }) => {
            let _ = writeln!(text, "settled  {} by {by}: {}", at(*at_ms), one_line(outcome));
        }
        None => text.push_str("settled  no\n"),
    }
    for line in lines {
        let room = match line.room {
            Room::Players => "players",
            Room::Watchers => "watchers",
        };
        let _ = writeln!(text, "  {} [{room}] {}: {}", at(line.at_ms), line.name, line.text);
    }
    text
}

/// Something that was done to a player, and `with_bots` to their bots too.
pub fn done(done: &Done, name: &str, with_bots: bool) -> String {
    let bots = if with_bots { ", and so are their bots" } else { "" };
    match &*done.act {
        "warn" => format!("{name} is warned, and told so until they have read it\n"),
        "mute" => format!("{name} is muted {}{bots}\n", until(done.until_ms)),
        "unmute" => format!("{name} is muted no more\n"),
        "ban" => format!("{name} is banned {}{bots}\n", until(done.until_ms)),
        "unban" => format!("{name} is banned no more\n"),
        "rename" => format!("{}\n", one_line(&done.text)),
        other => format!("{other}: {name}\n"),
    }
}

/// What was done so far.
pub fn log(log: &ActLog) -> String {
    if log.acts.is_empty() {
        return "nothing was done\n".to_owned();
    }
    let rows: Vec<_> = log
        .acts
        .iter()
        .map(|line| {
            let Done { act, by, text, at_ms, until_ms, .. } = &line.done;
            let lasts = matches!(&**act, "mute" | "ban");
            let until = if lasts { until(*until_ms) } else { "-".to_owned() };
            let number = line.number.to_string();
            [number, at(*at_ms), act.clone(), line.name.clone(), by.clone(), until, one_line(text)]
        })
        .collect();
    let mut text = table(["NO", "WHEN", "ACT", "PLAYER", "BY", "HOLDS", "TEXT"], &rows);
    if let Some(before) = log.before {
        let _ = writeln!(text, "older ones: --before {before}");
    }
    text
}

/// A text that may have several lines, on one, and without anything that a terminal would obey.
fn one_line(text: &str) -> String {
    let lines = text.split(char::is_control).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other_and_times_are_for_people() {
        assert_eq!(at(1_760_000_000_000), "2025-10-09 08:53:20 UTC");
        let rows = [["1".to_owned(), "Ärmel".to_owned()], ["22".to_owned(), String::new()]];
        assert_eq!(table(["NO", "NAME"], &rows), "NO  NAME\n1   Ärmel\n22\n");
        assert_eq!(one_line("a\n b\r\nc\u{1b}[2K"), "a / b / c / [2K");
    }
}
