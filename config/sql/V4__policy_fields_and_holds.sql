-- The fields that policies gained, and the holds. The views apply both.

DROP VIEW live_event;
DROP VIEW retention_policy_status;

ALTER TABLE retention_policy
    ADD COLUMN keep_last      bigint,
    ADD COLUMN min_age_ms     bigint,
    ADD COLUMN mode           text,
    ADD COLUMN sweep_window   text,
    ADD COLUMN warn_before_ms bigint,
    ADD COLUMN archive        boolean,
    ADD COLUMN confirmed      boolean;

COMMENT ON COLUMN retention_policy.keep_last IS 'The newest eligible events, or executions, that always stay';
COMMENT ON COLUMN retention_policy.min_age_ms IS 'Age in milliseconds below which nothing goes';
COMMENT ON COLUMN retention_policy.mode IS 'enforce: sweeps delete; warn: they report and delete nothing';
COMMENT ON COLUMN retention_policy.sweep_window IS 'When sweeps may run, such as 22:00-06:00 Europe/Berlin; none: always';
COMMENT ON COLUMN retention_policy.warn_before_ms IS 'Reported is what will expire within so many milliseconds';
COMMENT ON COLUMN retention_policy.archive IS 'Whether events are archived before they are deleted';
COMMENT ON COLUMN retention_policy.confirmed IS 'Whether the record may delete more than the brake allows';

COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; POLICY: a policy came into force or went out of it; HOLD: a hold was placed or released';
COMMENT ON COLUMN retention_audit.scope IS 'The scope of the policy that says so, "event" for an own TTL; of the policy that changed; hold:<case> for a hold';
COMMENT ON COLUMN retention_audit.policy IS 'What is in force now as people write it; null if the record was removed or the hold released, and for deletes';

CREATE INDEX retention_audit_by_hold ON retention_audit (scope, policy_version DESC) WHERE kind = 'HOLD';
COMMENT ON INDEX retention_audit_by_hold IS 'Finds what became of each hold last';

CREATE VIEW retention_hold AS
SELECT h.policy ->> 'case' AS case_id,
    h.policy ->> 'covers' AS covers,
    h.policy ->> 'reason' AS reason,
    h.policy ->> 'placedBy' AS placed_by,
    (h.policy ->> 'placedAt')::timestamptz AS placed_at,
    h.policy_version AS version
FROM (
    SELECT DISTINCT ON (scope) scope, policy_version, policy
    FROM retention_audit
    WHERE kind = 'HOLD'
    ORDER BY scope, policy_version DESC
) h
WHERE h.policy IS NOT NULL;

COMMENT ON VIEW retention_hold IS 'The holds in force: nothing that they cover is deleted until they are released';
COMMENT ON COLUMN retention_hold.case_id IS 'Names the matter for which it was placed';
COMMENT ON COLUMN retention_hold.covers IS 'stream:<name>, namespace:<name> or *';
COMMENT ON COLUMN retention_hold.reason IS 'Why; null: unknown';
COMMENT ON COLUMN retention_hold.placed_by IS 'Who placed it; null: unknown';
COMMENT ON COLUMN retention_hold.placed_at IS 'When';
COMMENT ON COLUMN retention_hold.version IS 'Version of the record in force';

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
        ebb_limit(coalesce(s.min_age_ms, n.min_age_ms, p.min_age_ms, a.min_age_ms)) AS min_age,
        coalesce(s.mode, n.mode, p.mode, a.mode, 'enforce') AS mode,
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
WHERE d.due IS NULL OR ebb_ms(ebb_now()) <= d.due
    OR f.mode = 'warn'
    OR ebb_ms(ebb_now()) < f.anchor + f.min_age
    OR EXISTS (SELECT FROM retention_hold h
        WHERE h.covers IN ('*', 'namespace:' || e.namespace, 'stream:' || e.stream));

COMMENT ON VIEW live_event IS
    'The events that a reader may see now: event without those that their own TTL or maxAge has reached and no hold, minAge or mode warn keeps, from the millisecond on, whether or not a sweep has come by. Caps act in sweeps only; keepLast and executions are not looked at here.';

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
    p.keep_last, p.min_age_ms, p.mode, p.sweep_window, p.warn_before_ms, p.archive, p.confirmed,
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
