-- What readers ask for. The policies are applied here as in the application: precedence field by field, own TTLs within
-- bounds, strictly older. Times are compared as numeric milliseconds, since a sum with a large age is no timestamp.

CREATE FUNCTION ebb_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT date_trunc('milliseconds',
        coalesce(nullif(current_setting('ebb.now', true), '')::timestamptz, statement_timestamp()))
$$;
COMMENT ON FUNCTION ebb_now() IS
    'The time that live_event and retention_policy_status go by: that of the statement, or what SET ebb.now says';

CREATE FUNCTION ebb_ms(moment timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT extract(epoch FROM moment) * 1000
$$;
COMMENT ON FUNCTION ebb_ms(timestamptz) IS 'Epoch milliseconds';

CREATE FUNCTION ebb_limit(milliseconds bigint) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT nullif(milliseconds, 9223372036854775807)::numeric
$$;
COMMENT ON FUNCTION ebb_limit(bigint) IS 'The number of a limit; null if there is none';

CREATE VIEW live_event AS
SELECT e.*
FROM event e
    LEFT JOIN retention_policy s ON s.scope = 'stream:' || e.stream AND s.enabled
    LEFT JOIN retention_policy n ON n.scope = 'namespace:' || e.namespace AND n.enabled
    LEFT JOIN retention_policy p ON p.scope = 'pattern:' || n.pattern AND p.enabled
    LEFT JOIN retention_policy a ON a.scope = '*' AND a.enabled
    CROSS JOIN LATERAL (SELECT
        ebb_limit(coalesce(s.max_age_ms, n.max_age_ms, p.max_age_ms, a.max_age_ms)) AS max_age,
        ebb_limit(coalesce(s.min_ttl_ms, n.min_ttl_ms, p.min_ttl_ms, a.min_ttl_ms)) AS min_ttl,
        ebb_limit(coalesce(s.max_ttl_ms, n.max_ttl_ms, p.max_ttl_ms, a.max_ttl_ms)) AS max_ttl,
        coalesce(s.allow_infinite_ttl, n.allow_infinite_ttl, p.allow_infinite_ttl, a.allow_infinite_ttl, false)
            AS allow_infinite,
        ebb_ms(CASE coalesce(s.anchor, n.anchor, p.anchor, a.anchor)
            WHEN 'occurred' THEN e.occurred_at
            WHEN 'completed' THEN coalesce(e.completed_at, e.stored_at)
            ELSE e.stored_at END) AS anchor
        ) f
    CROSS JOIN LATERAL (SELECT coalesce(ebb_ms(e.expires_at), f.anchor + e.ttl_seconds::numeric * 1000) AS asked) t
    CROSS JOIN LATERAL (SELECT CASE
        WHEN NOT e.terminal OR (e.no_expiration AND f.allow_infinite) THEN NULL
        WHEN t.asked IS NOT NULL
            THEN least(greatest(t.asked, f.anchor + f.min_ttl), f.anchor + f.max_ttl)
        ELSE f.anchor + f.max_age END AS due) d
WHERE d.due IS NULL OR ebb_ms(ebb_now()) <= d.due;

COMMENT ON VIEW live_event IS
    'The events that a reader may see now: event without those that their own TTL or maxAge has reached, from the millisecond on, whether or not a sweep has come by. Caps act in sweeps only.';

CREATE VIEW retention_policy_status AS
WITH stream_usage AS (
    SELECT stream, namespace, count(*) AS events, min(stored_at) AS oldest, max(stored_at) AS newest
    FROM event
    GROUP BY stream, namespace
), scope_usage AS (
    SELECT scope, sum(events) AS events, min(oldest) AS oldest, max(newest) AS newest
    FROM (
        SELECT 'stream:' || stream AS scope, events, oldest, newest FROM stream_usage
        UNION ALL
        SELECT 'namespace:' || namespace, events, oldest, newest FROM stream_usage
        UNION ALL
        SELECT 'pattern:' || n.pattern, u.events, u.oldest, u.newest
        FROM stream_usage u JOIN retention_policy n ON n.scope = 'namespace:' || u.namespace
        WHERE n.enabled AND n.pattern IS NOT NULL
        UNION ALL
        SELECT '*', events, oldest, newest FROM stream_usage
    ) each_scope
    GROUP BY scope
)
SELECT p.scope, p.version, p.built_in, p.enabled,
    p.max_age_ms, p.max_count, p.max_bytes, p.min_ttl_ms, p.max_ttl_ms, p.interval_ms,
    p.anchor, p.allow_infinite_ttl, p.pattern, p.updated_by, p.reason, p.updated_at, p.policy,
    coalesce(u.events, 0)::bigint AS current_events,
    u.oldest AS oldest_event,
    u.newest AS newest_event,
    ebb_now() - u.oldest AS oldest_age
FROM retention_policy p LEFT JOIN scope_usage u ON u.scope = p.scope;

COMMENT ON VIEW retention_policy_status IS
    'Each policy and the stored events that its scope applies to. Reads every event: not for a dashboard that refreshes each second.';
COMMENT ON COLUMN retention_policy_status.current_events IS 'Events stored now in the scope, due ones included';
COMMENT ON COLUMN retention_policy_status.oldest_event IS 'The oldest stored_at among them; null if there is none';
COMMENT ON COLUMN retention_policy_status.newest_event IS 'The newest stored_at among them; null if there is none';
COMMENT ON COLUMN retention_policy_status.oldest_age IS 'How long ago the oldest was stored; null if there is none';

-- The columns that the views take over mean what they mean in their tables.
DO $$
DECLARE c record;
BEGIN
    FOR c IN
        SELECT v.view_name, a.attname AS column_name, col_description(v.table_name::regclass, a.attnum) AS comment
        FROM (VALUES ('live_event', 'event'), ('retention_policy_status', 'retention_policy')) v (view_name, table_name)
        JOIN pg_attribute a ON a.attrelid = v.table_name::regclass AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        EXECUTE format('COMMENT ON COLUMN %I.%I IS %L', c.view_name, c.column_name, c.comment);
    END LOOP;
END $$;
