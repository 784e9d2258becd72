-- What the policies say, and what happened because of them. Both filled by Kafka Connect sinks only.

CREATE TABLE retention_policy (
    scope              text COLLATE "C" PRIMARY KEY,
    version            bigint,
    built_in           boolean NOT NULL,
    max_age_ms         bigint,
    max_count          bigint,
    max_bytes          bigint,
    min_ttl_ms         bigint,
    max_ttl_ms         bigint,
    interval_ms        bigint,
    anchor             text,
    allow_infinite_ttl boolean,
    pattern            text COLLATE "C",
    enabled            boolean NOT NULL,
    updated_by         text,
    reason             text,
    updated_at         timestamptz NOT NULL,
    policy             jsonb   NOT NULL
);

COMMENT ON TABLE retention_policy IS
    'What each scope contributes to the policies in force, if it is enabled: the record over the built-in values of its scope, if it has any. A field that is null is inherited from the next wider scope: stream, namespace, the pattern that the namespace names, *. A number of 9223372036854775807 is "no limit here, whatever wider scopes say".';
COMMENT ON COLUMN retention_policy.scope IS 'stream:<name>, namespace:<name>, pattern:<name> or *';
COMMENT ON COLUMN retention_policy.version IS 'Version of the record in force; null: only the built-in values are';
COMMENT ON COLUMN retention_policy.built_in IS 'True: there is no enabled record, only the built-in values are in force';
COMMENT ON COLUMN retention_policy.max_age_ms IS 'Age in milliseconds above which an event goes';
COMMENT ON COLUMN retention_policy.max_count IS 'Events of a stream above which the oldest go';
COMMENT ON COLUMN retention_policy.max_bytes IS 'Bytes of a stream above which the oldest events go';
COMMENT ON COLUMN retention_policy.min_ttl_ms IS 'Lower bound for TTLs that producers ask for, milliseconds from the anchor';
COMMENT ON COLUMN retention_policy.max_ttl_ms IS 'Upper bound for TTLs that producers ask for, milliseconds from the anchor; wins over min_ttl_ms';
COMMENT ON COLUMN retention_policy.interval_ms IS 'Milliseconds between two sweeps';
COMMENT ON COLUMN retention_policy.anchor IS 'What age counts from: stored, occurred or completed';
COMMENT ON COLUMN retention_policy.allow_infinite_ttl IS 'Whether a wish to be kept for ever is honoured';
COMMENT ON COLUMN retention_policy.pattern IS 'The pattern that a namespace inherits from';
COMMENT ON COLUMN retention_policy.enabled IS 'False: the record is ignored as if it were not there';
COMMENT ON COLUMN retention_policy.updated_by IS 'Who wrote the record';
COMMENT ON COLUMN retention_policy.reason IS 'Why';
COMMENT ON COLUMN retention_policy.updated_at IS 'When it came into force; for built-in values: when the application started';
COMMENT ON COLUMN retention_policy.policy IS 'The same as people write it';

CREATE TABLE retention_audit (
    audit_id       text COLLATE "C" PRIMARY KEY,
    kind           text        NOT NULL,
    sweep_id       text,
    command_id     text,
    stream         text COLLATE "C",
    cause          text,
    scope          text COLLATE "C",
    policy_version bigint,
    actor          text,
    reason         text,
    event_ids      jsonb,
    events         bigint      NOT NULL,
    bytes          bigint      NOT NULL,
    oldest_anchor  timestamptz,
    newest_anchor  timestamptz,
    deleted_at     timestamptz NOT NULL,
    policy         jsonb
);

CREATE INDEX retention_audit_by_stream ON retention_audit (stream, deleted_at);
CREATE INDEX retention_audit_by_time ON retention_audit (deleted_at);
CREATE INDEX retention_audit_by_event ON retention_audit USING gin (event_ids jsonb_path_ops);

COMMENT ON TABLE retention_audit IS
    'Why events went and how policies changed. Why did event E of stream S go: WHERE stream = S AND event_ids @> ''["E"]''.';
COMMENT ON COLUMN retention_audit.audit_id IS 'Identifies the record';
COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; POLICY: a policy came into force or went out of it';
COMMENT ON COLUMN retention_audit.sweep_id IS 'The sweep that deleted; null if none did';
COMMENT ON COLUMN retention_audit.command_id IS 'The command that deleted; null if none did';
COMMENT ON COLUMN retention_audit.stream IS 'The stream that lost the events; null for a policy';
COMMENT ON COLUMN retention_audit.cause IS 'TTL, MAX_AGE, MAX_COUNT or MAX_BYTES; null for a policy';
COMMENT ON COLUMN retention_audit.scope IS 'The scope of the policy that says so, "event" for an own TTL; of the policy that changed';
COMMENT ON COLUMN retention_audit.policy_version IS 'The version of that policy or change, of all policies for an own TTL; null: built-in';
COMMENT ON COLUMN retention_audit.actor IS 'Who asked, if a person did';
COMMENT ON COLUMN retention_audit.reason IS 'Why, if a person said so';
COMMENT ON COLUMN retention_audit.event_ids IS 'The ids of the events in the order of their deletion, an array; null for a policy';
COMMENT ON COLUMN retention_audit.events IS 'How many they are';
COMMENT ON COLUMN retention_audit.bytes IS 'Their size';
COMMENT ON COLUMN retention_audit.oldest_anchor IS 'The oldest time that their age was counted from';
COMMENT ON COLUMN retention_audit.newest_anchor IS 'The newest such time';
COMMENT ON COLUMN retention_audit.deleted_at IS 'When it happened';
COMMENT ON COLUMN retention_audit.policy IS 'What is in force now as people write it; null if the record was removed, and for deletes';
COMMENT ON INDEX retention_audit_by_event IS 'Finds the records that name an event, with event_ids @> ''["id"]''';
