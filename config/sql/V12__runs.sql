-- A sweep deletes runs of a stream, which event_by_stream finds. What each row costs beside that is paid only where it is
-- asked for: an index of every id of the audit cost as much as the delete itself, one of every finished row a fifth of its insert.

DROP INDEX retention_audit_by_event;

COMMENT ON TABLE retention_audit IS
    'Why events went and how policies changed. Why did event E of stream S go: WHERE stream = S AND event_ids @> ''["E"]'', for a stream with many records with bounds of deleted_at as well.';

DROP INDEX event_by_status;
CREATE INDEX event_by_status ON event (status, occurred_at) WHERE NOT terminal;

COMMENT ON INDEX event_by_status IS 'The oldest events of a status that protects them: stale work. Of use with AND NOT terminal';
