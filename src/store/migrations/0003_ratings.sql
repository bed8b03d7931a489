-- Results and ratings, written in the same transaction as the end of the game that they come from.
-- Games that ended before there were these tables are in none of them.

-- One row a game with a result. `public` is whether anybody may find it; `summary` what lists
-- say of it.
CREATE TABLE results (
    game        TEXT    NOT NULL PRIMARY KEY,
    public      INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    summary     BLOB    NOT NULL
) STRICT;

-- Who played which game. Ids of games sort by when they began, so this lists a player's in order.
CREATE TABLE game_players (
    player TEXT    NOT NULL,
    game   TEXT    NOT NULL,
    seat   INTEGER NOT NULL,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

-- How a player stands in one game (`hex`, `dark`) at one speed, as of the last game.
CREATE TABLE ratings (
    player     TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    speed      TEXT    NOT NULL,
    rating     REAL    NOT NULL,
    deviation  REAL    NOT NULL,
    volatility REAL    NOT NULL,
    wins       INTEGER NOT NULL,
    losses     INTEGER NOT NULL,
    draws      INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (player, kind, speed)
) STRICT, WITHOUT ROWID;

CREATE INDEX leaders ON ratings (kind, speed, updated_ms);

-- What each rated game made of its players' ratings, once for each of them.
CREATE TABLE rating_changes (
    game              TEXT    NOT NULL,
    player            TEXT    NOT NULL,
    seat              INTEGER NOT NULL,
    opponent          TEXT    NOT NULL,
    kind              TEXT    NOT NULL,
    speed             TEXT    NOT NULL,
    score             TEXT    NOT NULL,
    rating_before     REAL    NOT NULL,
    deviation_before  REAL    NOT NULL,
    volatility_before REAL    NOT NULL,
    rating            REAL    NOT NULL,
    deviation         REAL    NOT NULL,
    volatility        REAL    NOT NULL,
    at_ms             INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_history ON rating_changes (player, kind, speed, game);
