-- Who keeps whom away, in which way (`block` or `mute`), and since when: blocks were alone before.
CREATE TABLE shuns (
    player     TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    other      TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (player, kind, other)
) STRICT, WITHOUT ROWID;

INSERT INTO shuns (player, kind, other, created_ms)
SELECT player, 'block', blocked, created_ms FROM blocks;

DROP TABLE blocks;

-- What players have told the operator about each other. All of it goes a while after it was made.
CREATE TABLE reports (
    id         TEXT    NOT NULL PRIMARY KEY,
    reporter   TEXT    NOT NULL,
    reported   TEXT    NOT NULL,
    -- Where it happened, if anywhere in particular.
    tbl        TEXT,
    reason     TEXT    NOT NULL,
    words      TEXT,
    created_ms INTEGER NOT NULL,
    -- When it was settled, by whom, and what came of it.
    settled_ms INTEGER,
    settled_by TEXT,
    outcome    TEXT
) STRICT;

-- One open report for each pair.
CREATE UNIQUE INDEX reports_open ON reports (reporter, reported) WHERE settled_ms IS NULL;

CREATE INDEX reports_created ON reports (created_ms);

-- What was said at the table, as the server had it when the report was made.
CREATE TABLE report_lines (
    report TEXT    NOT NULL,
    -- The line's number at the table.
    number INTEGER NOT NULL,
    place  TEXT    NOT NULL,
    player TEXT    NOT NULL,
    -- By the name of then.
    name   TEXT    NOT NULL,
    words  TEXT    NOT NULL,
    at_ms  INTEGER NOT NULL,
    PRIMARY KEY (report, number)
-- With a row id: long rows in the tree of a key would spill to pages of their own.
) STRICT;
