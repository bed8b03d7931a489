//! Whether a store keeps what it promises: every table's journal is replayed, and every invariant
//! that follows from the journal is checked against it and against the tables of record.
//!
//! Reading order: `report` (what was checked, and what was wrong), `walk` (one table, event by
//! event) and `judge` (what each event is judged by), `clocks` and `board` (what those ask), `rows`
//! (the tables of record), and `ratings` (what follows from all results together).
//!
//! Reads only. Holds one table's journal at a time, beside the ids of all tables and how every rated
//! player stands, and keeps at most [`MOST_PROBLEMS`] problems.

mod board;
mod clocks;
mod judge;
mod ratings;
mod report;
mod rows;
mod walk;

use std::collections::HashSet;

use crate::ids::{GameId, TableId};
use crate::store::{ReadError, Store, form};
use crate::table::state::event::Event;
use crate::table::state::party::Change;

pub use self::report::{Check, Counts, MOST_PROBLEMS, Problem, Report};

use self::report::Finding;
use self::rows::Rows;
use self::walk::Walk;

/// How far a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Tables checked so far.
    pub done: usize,
    /// All tables.
    pub of: usize,
}

/// Checks a whole store, and says after each table how far it has come. An error means that the
/// store could not be read at all; what is wrong with what it holds stands in the report.
pub async fn run(store: &Store, mut progress: impl FnMut(Progress)) -> Result<Report, ReadError> {
    let mut report = Report::default();
    for sentence in store.integrity().await? {
        let found = Finding::new(Check::Database, "a sound database file", sentence);
        report.add(None, None, found);
    }
    let tables = store.journal_tables().await?;
    let game_rows = store.game_counts().await?;
    for (done, &table) in (1..).zip(&tables) {
        check_table(store, table, &game_rows, &mut report).await?;
        progress(Progress { done, of: tables.len() });
    }
    check_strays(store, &tables, &game_rows, &mut report).await?;
    ratings::check(store, &mut report).await?;
    Ok(report)
}

/// Checks one table's journal, and the rows that go with it.
async fn check_table(
    store: &Store,
    table: TableId,
    game_rows: &[(TableId, u64)],
    report: &mut Report,
) -> Result<(), ReadError> {
    report.counts.tables += 1;
    let payloads = match store.load(table).await {
        Ok(payloads) => payloads,
        Err(ReadError::Gap { expected, found, .. }) => {
            let finding = Finding::new(Check::Numbers, format!("event {expected}"), found);
            report.add(Some(table), Some(expected), finding);
            return Ok(());
        }
        Err(ReadError::Database(error)) => {
            let finding = Finding::new(Check::Database, "events that can be read", error);
            report.add(Some(table), None, finding);
            return Ok(());
        }
        Err(closed) => return Err(closed),
    };
    let rows = Rows { store, table };
    let mut walk: Option<Walk> = None;
    for (number, payload) in (1..).zip(&payloads) {
        let event = match form::read(payload) {
            Ok(event) => event,
            Err(error) => {
                let finding = Finding::new(Check::Form, "an event that can be read", error);
                report.add(Some(table), Some(number), finding);
                return Ok(());
            }
        };
        report.counts.events += 1;
        let went = match &mut walk {
            None => Walk::begin(table, &event).map(|begun| walk = Some(begun)),
            Some(walk) => {
                let step = walk.step(&event);
                if let Some(finding) = step.finding {
                    report.add(Some(table), Some(number), finding);
                }
                // Nothing can be said of what follows from an event that cannot be.
                if !step.applied {
                    return Ok(());
                }
                Ok(())
            }
        };
        if let Err(finding) = went {
            report.add(Some(table), Some(number), finding);
            return Ok(());
        }
        report.counts.count(&event);
        if let Some(walk) = &walk {
            let problem = match &event {
                Event::Seated { player, .. }
                | Event::Party { change: Change::Joined { player, .. }, .. } => {
                    rows.check_player(player).await?
                }
                Event::Ended { outcome, at, .. } => match rows.check_game(&walk.state).await? {
                    None => rows.check_result(&walk.state, *outcome, *at).await?,
                    wrong => wrong,
                },
                _ => None,
            };
            if let Some(finding) = problem {
                report.add(Some(table), Some(number), finding);
            }
        }
    }
    let Some(walk) = walk else { return Ok(()) };
    let last = Some(payloads.len() as u64);
    let mut findings: Vec<Finding> = walk.finish().into_iter().collect();
    if walk.state.running().is_some() {
        findings.extend(rows.check_game(&walk.state).await?);
    }
    findings.extend(rows.check_table(&walk.state).await?);
    for finding in findings {
        report.add(Some(table), last, finding);
    }
    let counted = game_rows.binary_search_by_key(&table, |&(table, _)| table);
    let counted = counted.map_or(0, |at| game_rows[at].1);
    if counted > walk.games.len() as u64 {
        check_stray_games(store, table, &walk.games, report).await?;
    }
    Ok(())
}

/// Finds rows of tables that no journal tells of.
async fn check_strays(
    store: &Store,
    tables: &[TableId],
    game_rows: &[(TableId, u64)],
    report: &mut Report,
) -> Result<(), ReadError> {
    for id in store.table_ids().await? {
        if tables.binary_search(&id).is_err() {
            let finding =
                Finding::new(Check::TableRow, "events of the table that the row is of", 0);
            report.add(Some(id), None, finding);
        }
    }
    for &(table, _) in game_rows {
        if tables.binary_search(&table).is_err() {
            check_stray_games(store, table, &HashSet::new(), report).await?;
        }
    }
    Ok(())
}

/// Finds rows of games that their table's journal does not tell of.
async fn check_stray_games(
    store: &Store,
    table: TableId,
    told: &HashSet<GameId>,
    report: &mut Report,
) -> Result<(), ReadError> {
    for game in store.games_of(table).await? {
        if !told.contains(&game) {
            let expected = format!("the start of {game} in the journal, since it has a row");
            report.add(Some(table), None, Finding::new(Check::GameRow, expected, "none"));
        }
    }
    Ok(())
}
