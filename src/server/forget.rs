//! What the server forgets by itself: reports of players about each other, once they are old.

use crate::game::clock::{Millis, Stamp};
use crate::store::{ReportError, Store};
use crate::time::TimeSource;

/// How long a report is kept, settled or not.
const REPORTS_KEPT_MS: Millis = 30 * 24 * 3_600_000;

/// How often old ones are looked for.
const EVERY_MS: Millis = 3_600_000;

/// Forgets what is old, now and every hour from now on.
pub(super) async fn run(store: Store, time: TimeSource) {
    loop {
        // Where this fails, the next hour makes up for it.
        if let Err(error) = forget(&store, time.now()).await {
            tracing::warn!(%error, "cannot forget old reports");
        }
        time.sleep(EVERY_MS).await;
    }
}

async fn forget(store: &Store, now: Stamp) -> Result<(), ReportError> {
    store.forget_reports(now.0.saturating_sub(REPORTS_KEPT_MS)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{KeyId, PlayerId, ReportId};
    use crate::store::{CredentialRow, NewReport, PlayerRow, Reason};

    #[tokio::test]
    async fn a_report_is_kept_for_thirty_days_and_no_longer() {
        const MADE: u64 = 1_000;
        let store = Store::memory();
        let id = ReportId::from_parts(MADE, 0);
        let [by, about] = [1, 2].map(|n| PlayerId::from_parts(n, 0));
        for (n, player) in [(1, by), (2, about)] {
            let name = format!("Player {n}");
            let row = PlayerRow { id: player, name, created_ms: 0, owner: None };
            let device = CredentialRow::device(KeyId::from_parts(n, 0), player, [n as u8; 32], 0);
            store.create_player(row, device).await.unwrap();
        }
        let (reason, table, text, lines) = (Reason::Spam, None, None, Vec::new());
        let report = NewReport { id, by, about, table, reason, text, at_ms: MADE, lines };
        store.add_report(report, 1).await.unwrap();
        for (now, kept) in
            [(MADE, true), (MADE + 2_592_000_000, true), (MADE + 2_592_000_001, false)]
        {
            forget(&store, Stamp(now)).await.unwrap();
            assert_eq!(store.report(id).await.unwrap().is_some(), kept, "{now}");
        }
    }
}
