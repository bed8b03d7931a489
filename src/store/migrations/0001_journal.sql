-- The journal and the tables of record. Ids are text with their prefix, so that the file can be
-- read with any SQLite shell; times are milliseconds since the Unix epoch.

-- Every table's events, numbered from 1. The key refuses a second writer of the same number.
CREATE TABLE events (
    tbl     TEXT    NOT NULL,
    number  INTEGER NOT NULL,
    payload BLOB    NOT NULL,
    PRIMARY KEY (tbl, number)
) STRICT, WITHOUT ROWID;

-- What the lobby shows of a table, as of its newest durable event.
CREATE TABLE tables (
    id         TEXT    NOT NULL PRIMARY KEY,
    status     TEXT    NOT NULL,
    public     INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    listing    BLOB    NOT NULL
) STRICT;

CREATE INDEX tables_live ON tables (id) WHERE status <> 'closed';

-- One row a game; `finished_ms` and `record` come with its end and never change after that.
CREATE TABLE games (
    id          TEXT    NOT NULL PRIMARY KEY,
    tbl         TEXT    NOT NULL,
    started_ms  INTEGER NOT NULL,
    finished_ms INTEGER,
    record      BLOB
) STRICT;

-- `token_hash` is the SHA-256 of the player's token; the token itself is stored nowhere.
CREATE TABLE players (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    token_hash BLOB    NOT NULL UNIQUE
) STRICT;
