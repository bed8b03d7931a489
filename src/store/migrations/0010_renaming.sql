-- An operator may give a player another name: the log knows one kind of act more. SQLite cannot
-- change a check, so that the table is made anew with all that stands in it.
CREATE TABLE new_acts (
    number   INTEGER PRIMARY KEY,
    player   TEXT    NOT NULL,
    kind     TEXT    NOT NULL
             CHECK (kind IN ('warn', 'mute', 'unmute', 'ban', 'unban', 'settle', 'rename')),
    operator TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    at_ms    INTEGER NOT NULL,
    until_ms INTEGER
) STRICT;

INSERT INTO new_acts (number, player, kind, operator, text, at_ms, until_ms)
SELECT number, player, kind, operator, text, at_ms, until_ms FROM acts ORDER BY number;

DROP TABLE acts;

ALTER TABLE new_acts RENAME TO acts;

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
