-- Rows of events are a choice of their policy.

ALTER TABLE retention_policy
    ADD COLUMN mirror text;

COMMENT ON COLUMN retention_policy.mirror IS 'Rows of events in SQL: all, or none where the data already have a table elsewhere';

COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; ERASE: the account of an erasure, with the places where bytes of its events may remain; POLICY: a policy came into force or went out of it; HOLD: a hold was placed or released; CONFIRMATION: a person let through the change of that scope and version, which the brake had held back; RESTORE: a run of events of one stream that an undo brought back; LOG_RAISED: the start of a partition of a log moves, and the records before it go from its topic, as the reason says; SOURCE_RESET: a person moves the place from which a source is read, as the reason says; REPAIR: rows of the mirror that differed were sent again, and nothing that is stored was changed; ROWS: the policy of that scope and version wants no rows of the events of the stream, so as many rows went as events says, and no event did';
COMMENT ON COLUMN retention_policy_status.current_events IS 'Events with a row here that are stored now in the scope, due ones included; a scope with mirror none has more in the stores';
COMMENT ON TABLE event IS
    'Every event that is stored now in a stream whose policy says mirror all, one row each; a deleted event has no row. Partitioned by the month of stored_at (UTC). Written by the mirror alone: a change made here by hand is not seen by Ebb. Contains events that are due and not swept yet; live_event leaves them out.';
