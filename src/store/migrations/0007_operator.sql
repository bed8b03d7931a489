-- What operators have done, and what players have not read of it yet.

-- Every act of an operator, in the order of their numbers. What holds of a player follows from
-- these rows alone: the newest of `mute` and `unmute` says whether they are muted, the newest of
-- `ban` and `unban` whether they are banned. Only ever inserted into.
CREATE TABLE acts (
    number   INTEGER PRIMARY KEY,
    player   TEXT    NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('warn', 'mute', 'unmute', 'ban', 'unban', 'settle')),
    operator TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    at_ms    INTEGER NOT NULL,
    until_ms INTEGER
) STRICT;

CREATE INDEX acts_of_player ON acts (player, number);

CREATE TRIGGER acts_are_not_changed BEFORE UPDATE ON acts
BEGIN
    SELECT RAISE(ABORT, 'the log of acts is never changed');
END;

CREATE TRIGGER acts_are_not_deleted BEFORE DELETE ON acts
BEGIN
    SELECT RAISE(ABORT, 'the log of acts is never changed');
END;

-- To replace a row would delete it without asking the trigger above.
CREATE TRIGGER acts_are_not_replaced BEFORE INSERT ON acts
WHEN EXISTS (SELECT 1 FROM acts WHERE number = NEW.number)
BEGIN
    SELECT RAISE(ABORT, 'the log of acts is never changed');
END;

-- What a player is told until they say that they have read it.
CREATE TABLE notices (
    player   TEXT    NOT NULL,
    id       TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    at_ms    INTEGER NOT NULL,
    until_ms INTEGER,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;
