-- Events in the order in which they arrive. A commit that has one event each of many tables then
-- fills pages one after another, where the key (tbl, number) had a page of its own for every table.
-- One table's events, in a shell: SELECT number, payload FROM events WHERE tbl = '…' ORDER BY number;
ALTER TABLE events RENAME TO keyed_events;

CREATE TABLE events (
    id       INTEGER NOT NULL PRIMARY KEY,
    tbl      TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    -- The event of the same table before this one; none for its first.
    previous INTEGER,
    payload  BLOB    NOT NULL
) STRICT;

-- Every table's newest event: where reading it starts, going back. A number up to the head's is
-- taken, and refused to a second writer.
CREATE TABLE heads (
    tbl    TEXT    NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    event  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO events (tbl, number, payload)
SELECT tbl, number, payload FROM keyed_events ORDER BY tbl, number;

UPDATE events SET previous = id - 1
WHERE tbl = (SELECT tbl FROM events AS before WHERE before.id = events.id - 1);

INSERT INTO heads (tbl, number, event)
SELECT tbl, max(number), max(id) FROM events GROUP BY tbl;

DROP TABLE keyed_events;
