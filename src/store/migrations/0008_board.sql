-- Leaderboards are read from an index, in their order, and no further than a page needs.

-- The rating as it is shown, by which places go, and until when it has a place there, its player
-- doing nothing: none for one that is provisional, or that was found to have lost its place. The
-- program computes both, those of older rows right after this file.
ALTER TABLE ratings ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN placed_until_ms INTEGER;

DROP INDEX leaders;

CREATE INDEX board ON ratings (kind, speed, shown DESC, player, placed_until_ms)
    WHERE placed_until_ms IS NOT NULL;

CREATE INDEX board_ends ON ratings (placed_until_ms) WHERE placed_until_ms IS NOT NULL;
