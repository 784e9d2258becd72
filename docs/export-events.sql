-- What the SQL mirror holds, as JSON lines for 'ebb produce': the way to another number of partitions, or into another
-- cluster. The steps stand in docs/operations/grow.md, 'Change the number of partitions'.
--
--   psql -qAtX -v ON_ERROR_STOP=1 -v FETCH_COUNT=10000 -f docs/export-events.sql ebb > events.jsonl
--
-- Executions first, because an undeclared execution is not finished and protects its events.
SET timezone = 'UTC';

SELECT json_strip_nulls(json_build_object(
    'stream', stream, 'execution', execution, 'status', status, 'parent', parent,
    'startedAt', started_at, 'completedAt', completed_at))
FROM execution
ORDER BY stream, execution;

SELECT json_strip_nulls(json_build_object(
    'stream', stream, 'id', event_id, 'type', type, 'status', status,
    'occurredAt', occurred_at, 'completedAt', completed_at,
    'ttlSeconds', ttl_seconds, 'noExpiration', no_expiration, 'expiresAt', expires_at,
    'execution', execution, 'correlationId', correlation_id, 'metadata', metadata, 'contentType', content_type,
    'payloadBase64', CASE WHEN length(payload) > 0 THEN translate(encode(payload, 'base64'), E'\n', '') END))
FROM event
ORDER BY stored_at, stream, event_id;
