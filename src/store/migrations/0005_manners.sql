-- How people get along with each other.

-- Who plays with whom no more, by whose wish, and since when.
CREATE TABLE blocks (
    player     TEXT    NOT NULL,
    blocked    TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;
