-- Bots that their owners have deleted: known by nothing and listed no more. The row stays, and with it
-- the name, since games tell of it.
ALTER TABLE players ADD COLUMN retired_ms INTEGER;

DROP INDEX players_owner;

CREATE INDEX players_owner ON players (owner) WHERE owner IS NOT NULL AND retired_ms IS NULL;
