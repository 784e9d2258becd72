-- Deletes that can be undone, and erasures.

ALTER TABLE retention_policy
    ADD COLUMN undo_ms bigint;

COMMENT ON COLUMN retention_policy.undo_ms IS 'For how many milliseconds a delete by a command or by a new policy can be undone';

COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; ERASE: the account of an erasure, with the places where bytes of its events may remain; POLICY: a policy came into force or went out of it; HOLD: a hold was placed or released; CONFIRMATION: a person let through the change of that scope and version, which the brake had held back; RESTORE: a run of events of one stream that an undo brought back; REPAIR: rows of the mirror that differed were sent again, and nothing that is stored was changed';
