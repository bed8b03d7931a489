-- How people get along with each other.

-- Who plays with whom no more, by whose wish, and since when.
CREATE TABLE blocks (
    player     TEXT    NOT NULL,
    blocked    TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

-- Who left which rated game, and when: as the table found it.
CREATE TABLE leaves (
    player TEXT    NOT NULL,
    at_ms  INTEGER NOT NULL,
    game   TEXT    NOT NULL,
    PRIMARY KEY (player, at_ms, game)
) STRICT, WITHOUT ROWID;
