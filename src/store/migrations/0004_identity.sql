-- Who there is, and what shows who they are. A player may have several devices and a recovery
-- phrase; a bot has an owner and keys. Of all secrets only hashes are stored.

CREATE TABLE new_players (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    -- What the name is compared by: without its case, and by its looks. The program computes both,
    -- those of older rows right after this file.
    folded     TEXT    UNIQUE,
    look       TEXT    UNIQUE,
    created_ms INTEGER NOT NULL,
    -- Whose bot it is, if it is one.
    owner      TEXT,
    -- The hash of the recovery phrase, if there is one.
    recovery   BLOB    UNIQUE
) STRICT;

CREATE INDEX players_owner ON new_players (owner) WHERE owner IS NOT NULL;

-- The token of a device, or the key of a bot. `next_hash` is a token that takes the place of
-- `hash` when it is first shown.
CREATE TABLE credentials (
    id         TEXT    NOT NULL PRIMARY KEY,
    player     TEXT    NOT NULL,
    hash       BLOB    NOT NULL UNIQUE,
    issued_ms  INTEGER NOT NULL,
    next_hash  BLOB    UNIQUE,
    next_ms    INTEGER,
    created_ms INTEGER NOT NULL,
    used_ms    INTEGER,
    -- A key's, and no device's.
    label      TEXT,
    hint       TEXT
) STRICT;

CREATE INDEX credentials_player ON credentials (player);

INSERT INTO new_players (id, name, created_ms) SELECT id, name, created_ms FROM players;

INSERT INTO credentials (id, player, hash, issued_ms, created_ms, used_ms)
SELECT 'key_' || substr(id, 5), id, token_hash, created_ms, created_ms, created_ms FROM players;

DROP TABLE players;

ALTER TABLE new_players RENAME TO players;
