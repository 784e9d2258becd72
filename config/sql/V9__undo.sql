-- Deletes that can be undone.

ALTER TABLE retention_policy
    ADD COLUMN undo_ms bigint;

COMMENT ON COLUMN retention_policy.undo_ms IS 'For how many milliseconds a delete by a command or by a new policy can be undone';
