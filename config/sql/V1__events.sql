-- The mirror of the events. Filled by a Kafka Connect sink only: a row is written by an upsert and goes with a tombstone.

CREATE TABLE event (
    stored_at      timestamptz      NOT NULL,
    stream         text COLLATE "C" NOT NULL,
    event_id       text COLLATE "C" NOT NULL,
    namespace      text COLLATE "C" NOT NULL,
    type           text             NOT NULL,
    status         text,
    terminal       boolean          NOT NULL,
    occurred_at    timestamptz      NOT NULL,
    completed_at   timestamptz,
    ttl_seconds    bigint,
    no_expiration  boolean          NOT NULL,
    expires_at     timestamptz,
    execution      bigint           NOT NULL,
    correlation_id text,
    content_type   text,
    metadata       jsonb            NOT NULL,
    payload        bytea            NOT NULL,
    size_bytes     bigint           NOT NULL,
    PRIMARY KEY (stored_at, stream, event_id)
) PARTITION BY RANGE (stored_at);

CREATE INDEX event_by_stream ON event (stream, stored_at);
CREATE INDEX event_by_status ON event (status, occurred_at);

COMMENT ON TABLE event IS
    'Every event that is stored now, one row each; a deleted event has no row. Partitioned by the month of stored_at (UTC). Written by the mirror alone: a change made here by hand is not seen by Ebb. Contains events that are due and not swept yet; live_event leaves them out.';
COMMENT ON COLUMN event.stored_at IS 'When Ebb stored the event, to the millisecond; never decreases within a stream';
COMMENT ON COLUMN event.stream IS 'Name of the stream';
COMMENT ON COLUMN event.event_id IS 'Id of the event, unique within its stream';
COMMENT ON COLUMN event.namespace IS 'What stands before the first slash of the stream; "default" without a slash';
COMMENT ON COLUMN event.type IS 'What kind of fact it is; may be empty';
COMMENT ON COLUMN event.status IS 'Where the work it stands for is; null or empty: a plain fact';
COMMENT ON COLUMN event.terminal IS 'False: its status protects it, retention never deletes it';
COMMENT ON COLUMN event.occurred_at IS 'The producer''s time, or else the Kafka timestamp';
COMMENT ON COLUMN event.completed_at IS 'When it became terminal; null while it is protected';
COMMENT ON COLUMN event.ttl_seconds IS 'Lifetime that the producer asks for, counted from the anchor; null: none';
COMMENT ON COLUMN event.no_expiration IS 'The producer asks to keep it for ever; honoured where the policy allows it';
COMMENT ON COLUMN event.expires_at IS 'Last millisecond of life that the producer asks for, goes before ttl_seconds; null: none; never later than 9999-12-31';
COMMENT ON COLUMN event.execution IS 'Number of the execution it belongs to; 0: none';
COMMENT ON COLUMN event.correlation_id IS 'What it belongs together with; null: nothing';
COMMENT ON COLUMN event.content_type IS 'Media type of the payload; null: unknown';
COMMENT ON COLUMN event.metadata IS 'Free texts by name, an object';
COMMENT ON COLUMN event.payload IS 'The content; may be empty';
COMMENT ON COLUMN event.size_bytes IS 'What counts against maxBytes: payload and texts in UTF-8, and 64 for the rest';
COMMENT ON INDEX event_by_stream IS 'The events of a stream in the order in which they came';
COMMENT ON INDEX event_by_status IS 'The oldest events of a status, for example stale work';

-- Vacuum after 2 % of dead rows, not 20 %: a sweep leaves many at once, and readers pay for each of them.
CREATE FUNCTION ebb_tune_event_partition(partition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I SET (
        autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
        autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000,
        autovacuum_vacuum_cost_limit = 2000,
        toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 5000)', partition);
END $$;
COMMENT ON FUNCTION ebb_tune_event_partition(text) IS
    'Sets the vacuum thresholds of one partition of event; a partitioned table itself cannot hold them';

CREATE TABLE event_default PARTITION OF event DEFAULT;
SELECT ebb_tune_event_partition('event_default');
COMMENT ON TABLE event_default IS
    'Takes the rows for whose month there is no partition, so that the mirror never stops; normally empty, never dropped';

-- Attaching instead of creating as a partition: that locks event against other changes of the schema, not against rows.
CREATE FUNCTION ebb_create_event_partition(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := to_char(month, '"event_"YYYY_MM');
    lower_bound timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
    upper_bound timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass(name) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE event INCLUDING DEFAULTS INCLUDING STORAGE)', name);
    PERFORM ebb_tune_event_partition(name);
    LOCK TABLE event_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM event_default WHERE stored_at >= %L AND stored_at < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', lower_bound, upper_bound, name);
    EXECUTE format('ALTER TABLE event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, lower_bound, upper_bound);
    RETURN true;
END $$;
COMMENT ON FUNCTION ebb_create_event_partition(date) IS
    'Makes the partition of event for the month of a day (UTC) and moves what event_default holds of it; false if it is there already';

CREATE FUNCTION ebb_drop_event_partition(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := to_char(month, '"event_"YYYY_MM');
    occupied boolean;
BEGIN
    IF to_regclass(name) IS NULL THEN
        RETURN false;
    END IF;
    LOCK TABLE ONLY event IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO occupied;
    IF NOT occupied THEN
        EXECUTE format('DROP TABLE %I', name);
    END IF;
    RETURN NOT occupied;
END $$;
COMMENT ON FUNCTION ebb_drop_event_partition(date) IS
    'Drops the partition of event for the month of a day (UTC) if it holds no row; false if it is not there or not empty';
