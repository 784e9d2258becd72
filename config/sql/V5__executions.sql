-- The executions of streams, and what they mean for their events. Filled by a Kafka Connect sink only.

CREATE TABLE execution (
    stream       text COLLATE "C" NOT NULL,
    execution    bigint           NOT NULL,
    status       text,
    terminal     boolean          NOT NULL,
    parent       text COLLATE "C",
    started_at   timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (stream, execution)
);

CREATE INDEX execution_by_parent ON execution (parent) WHERE parent IS NOT NULL;

COMMENT ON TABLE execution IS
    'Every execution that was declared and is stored now, one row each. Written by the mirror alone.';
COMMENT ON COLUMN execution.stream IS 'Name of the stream';
COMMENT ON COLUMN execution.execution IS 'Number of the execution; the highest of a stream is its current one';
COMMENT ON COLUMN execution.status IS 'Where its work is';
COMMENT ON COLUMN execution.terminal IS 'False: its status protects it and its events, retention never deletes them';
COMMENT ON COLUMN execution.parent IS 'The stream that its stream belongs to, as it was when the row was written; null: none';
COMMENT ON COLUMN execution.started_at IS 'When it began; null: unknown';
COMMENT ON COLUMN execution.completed_at IS 'When it became terminal; null while it is not';
COMMENT ON INDEX execution_by_parent IS 'The streams that belong to a stream';

-- One place that says what an execution does to its events. Execution 0 is the implicit one and does nothing; any other
-- that nobody declared is not finished.
CREATE VIEW executed_event AS
SELECT e.stored_at, e.stream, e.event_id, e.namespace, e.type, e.status,
    e.terminal AND coalesce(x.terminal, e.execution = 0) AS terminal,
    e.occurred_at,
    CASE WHEN x.execution IS NULL THEN e.completed_at ELSE x.completed_at END AS completed_at,
    e.ttl_seconds, e.no_expiration, e.expires_at, e.execution, e.correlation_id, e.content_type, e.metadata, e.payload,
    e.size_bytes
FROM event e LEFT JOIN execution x ON x.stream = e.stream AND x.execution = e.execution AND e.execution > 0;

COMMENT ON VIEW executed_event IS
    'Every stored event as its execution makes it: protected while that is not terminal, and completed when that was';

-- live_event stays as it is, but over the events as their executions make them.
DO $$
DECLARE
    before text := pg_get_viewdef('live_event'::regclass);
    after text := regexp_replace(before, '\mevent e\M', 'executed_event e');
BEGIN
    IF after = before THEN
        RAISE EXCEPTION 'live_event does not read the table event';
    END IF;
    EXECUTE 'CREATE OR REPLACE VIEW live_event AS ' || after;
    EXECUTE format('COMMENT ON VIEW live_event IS %L',
        replace(obj_description('live_event'::regclass), 'keepLast and executions are', 'keepLast is'));
END $$;

-- The columns that the views take over mean what they mean in the table of events, but for the two that executions change.
DO $$
DECLARE c record;
BEGIN
    FOR c IN
        SELECT v.view_name, a.attname AS column_name, CASE a.attname
            WHEN 'terminal' THEN 'False: its status or its execution protects it, retention never deletes it'
            WHEN 'completed_at' THEN 'When it became terminal, or its execution if that was declared; null while it is protected'
            ELSE col_description('event'::regclass, a.attnum) END AS comment
        FROM (VALUES ('executed_event'), ('live_event')) v (view_name)
            CROSS JOIN pg_attribute a
        WHERE a.attrelid = 'event'::regclass AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        EXECUTE format('COMMENT ON COLUMN %I.%I IS %L', c.view_name, c.column_name, c.comment);
    END LOOP;
END $$;
