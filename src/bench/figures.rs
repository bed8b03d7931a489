//! What a measurement comes to, and the form in which it is told to programs.

use serde_json::{Map, Value, json};

use super::plan::{Subject, Work};

/// One kind of figure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Figure {
    /// Moves that arrived, each second.
    MovesPerSecond,
    /// Frames that spectators got, each second.
    DeliveriesPerSecond,
    /// Sessions that came back, each second.
    ReturnsPerSecond,
    /// Processor seconds of the measured process for 10,000 moves.
    CpuPer10kMoves,
    /// The same, less what the same sessions cost while nothing was played.
    NetCpuPer10kMoves,
    /// Processor seconds of the measured process for 100,000 deliveries.
    CpuPer100kDeliveries,
    /// The median latency, in microseconds.
    P50,
    /// The latency that one in a hundred exceeds.
    P99,
    /// The latency that one in a thousand exceeds.
    P999,
    /// The journal commit that one in a hundred exceeds, in microseconds, as the server counts.
    CommitP99,
    /// Resident bytes for each session.
    ResidentPerSession,
    /// Seconds until the last session was back.
    LastReturned,
    /// Seconds from the start of the process until it listened.
    Ready,
    /// Seconds from the start of the process until the last table had played on.
    LastPlaying,
    /// Cores that the measured process kept busy.
    ServerBusy,
    /// Cores that the driver kept busy. Near 1 it is the driver that is measured.
    DriverBusy,
}

/// The figures of one measurement.
pub type Figures = Vec<(Figure, f64)>;

/// One measurement: a case, one of its subjects, one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The case's name.
    pub case: &'static str,
    /// Whose figures they are.
    pub subject: Subject,
    /// Which run, from 1.
    pub run: usize,
    /// What was done.
    pub work: Work,
    /// What it came to.
    pub figures: Figures,
}

impl Figure {
    /// Its name in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Figure::MovesPerSecond => "moves_per_s",
            Figure::DeliveriesPerSecond => "deliveries_per_s",
            Figure::ReturnsPerSecond => "returned_per_s",
            Figure::CpuPer10kMoves => "cpu_s_per_10k_moves",
            Figure::NetCpuPer10kMoves => "net_cpu_s_per_10k_moves",
            Figure::CpuPer100kDeliveries => "cpu_s_per_100k_deliveries",
            Figure::P50 => "p50_us",
            Figure::P99 => "p99_us",
            Figure::P999 => "p999_us",
            Figure::CommitP99 => "commit_p99_us",
            Figure::ResidentPerSession => "resident_bytes_per_session",
            Figure::LastReturned => "last_returned_s",
            Figure::Ready => "ready_s",
            Figure::LastPlaying => "last_playing_s",
            Figure::ServerBusy => "server_busy",
            Figure::DriverBusy => "driver_busy",
        }
    }
}

impl Measurement {
    /// One of its figures.
    pub fn figure(&self, wanted: Figure) -> Option<f64> {
        self.figures.iter().find(|(figure, _)| *figure == wanted).map(|(_, value)| *value)
    }

    /// As one line for programs: `case`, `subject` (`floor` or `hexhall`), `store` of a server,
    /// `run`, the sizes of the work, and the figures by their names.
    pub fn json(&self) -> Value {
        let mut line = Map::new();
        line.insert("case".into(), json!(self.case));
        let (subject, store) = match self.subject {
            Subject::Floor => ("floor", None),
            Subject::Server(store) => ("hexhall", Some(store.name())),
        };
        line.insert("subject".into(), json!(subject));
        line.extend(store.map(|store| ("store".to_owned(), json!(store))));
        line.insert("run".into(), json!(self.run));
        let figures = self.figures.iter().map(|(figure, value)| (figure.name(), *value));
        for (name, value) in self.work.sizes().into_iter().chain(figures) {
            // Six digits behind the point are more than anything here is worth.
            line.insert(name.into(), json!((value * 1e6).round() / 1e6));
        }
        Value::Object(line)
    }
}

/// The middle one of some values, or the mean of the two in the middle.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some((values[last / 2] + values[last.div_ceil(2)]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::StoreKind;
    use crate::bench::reconnect::Reconnect;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn a_line_tells_whose_figures_they_are_and_of_what() {
        let measurement = Measurement {
            case: "reconnect",
            subject: Subject::Server(StoreKind::Sqlite),
            run: 2,
            work: Work::Reconnect(Reconnect { sessions: 10 }),
            figures: vec![(Figure::LastReturned, 0.5)],
        };
        let line = r#"{"case":"reconnect","last_returned_s":0.5,"run":2,"sessions":10.0,"store":"sqlite","subject":"hexhall"}"#;
        assert_eq!(measurement.json().to_string(), line);
    }
}
