package dev.ebb.metrics;

/** Every meter: its name in Prometheus, its labels and its description. No label carries a stream name. */
enum Meter {
    INGESTED(
            Kind.COUNTER,
            "ebb_events_ingested_total",
            "Events taken in; kind is new, or replaced for one that took the place of another with its id.",
            "namespace",
            "kind"),
    UPDATED(Kind.COUNTER, "ebb_updates_total", "Updates that changed a stored event.", "namespace"),
    ORPHANED(
            Kind.COUNTER,
            "ebb_updates_orphaned_total",
            "Updates for events that were not there, or not any more; they change nothing."),
    LATE(
            Kind.COUNTER,
            "ebb_records_late_total",
            "Records that were produced before a command deleted their stream and changed nothing; kind is event (it"
                    + " went to the rejected topic), update or execution.",
            "kind"),
    GRAVES(
            Kind.GAUGE,
            "ebb_graves",
            "Streams that commands have deleted within grave.retention: older records come too late.",
            "partition"),
    TTL_REFUSED(
            Kind.COUNTER,
            "ebb_ttl_requests_refused_total",
            "Wishes to be kept for ever that the policy does not allow; the event was taken in all the same."),
    REJECTED(
            Kind.COUNTER,
            "ebb_records_rejected_total",
            "Records that could not be used and went to the rejected topic.",
            "reason"),
    UNSENT(
            Kind.COUNTER,
            "ebb_records_unsent_total",
            "Records that the producer or the broker refused; their work was given up and tried again, or set aside.",
            "topic"),
    REKEYED(
            Kind.COUNTER,
            "ebb_records_rekeyed_total",
            "Records with another key than their stream, or in the wrong partition, that were sent where they belong."),
    PARKED(
            Kind.GAUGE,
            "ebb_parked_records",
            "Records that wait to be taken in, usually for their schema.",
            "partition"),
    INGEST_DELAY(
            Kind.HISTOGRAM,
            "ebb_ingest_delay_seconds",
            "Time from the Kafka timestamp of an event until it was taken in."),
    EVENTS_DELETED(
            Kind.COUNTER,
            "ebb_events_deleted_total",
            "Events that retention deleted; scope is the kind of scope whose policy says so, event for an own TTL.",
            "cause",
            "scope",
            "namespace"),
    CHECKPOINTS(
            Kind.COUNTER,
            "ebb_checkpoints_total",
            "Checkpoints of the audit: one for each second and partition with deletes or changes of policies."),
    BYTES_DELETED(
            Kind.COUNTER,
            "ebb_bytes_deleted_total",
            "Size of the events that retention deleted.",
            "cause",
            "scope",
            "namespace"),
    EVENTS_RETURNED(
            Kind.COUNTER, "ebb_events_returned_total", "Deleted events that `ebb undo` has brought back.", "namespace"),
    BYTES_RETURNED(Kind.COUNTER, "ebb_bytes_returned_total", "Size of those events.", "namespace"),
    LATENESS(
            Kind.HISTOGRAM,
            "ebb_delete_lateness_seconds",
            "Time from the moment an event was due by age or TTL until its delete."),
    SWEEPS(Kind.COUNTER, "ebb_sweeps_total", "Sweeps that deleted something."),
    SWEEPS_FAILED(Kind.COUNTER, "ebb_sweeps_failed_total", "Sweeps that failed; they are tried again.", "partition"),
    SWEEP_DURATION(Kind.HISTOGRAM, "ebb_sweep_duration_seconds", "Time from the start of a sweep to its end."),
    SWEEP_COMPLETED(
            Kind.GAUGE,
            "ebb_sweep_completed_timestamp_seconds",
            "End of the last sweep, in seconds since 1970.",
            "partition"),
    BACKLOG_STREAMS(
            Kind.GAUGE, "ebb_backlog_streams", "Streams with something due or over a cap: the backlog.", "partition"),
    EVENTS_WOULD_DELETE(
            Kind.GAUGE,
            "ebb_events_would_delete",
            "Events that stay only because the mode of their policy is warn, as of the last count; left out until there"
                    + " was one.",
            "partition"),
    EVENTS_STALE(
            Kind.GAUGE,
            "ebb_events_stale",
            "Events that have been protected for longer than stale.threshold and need attention.",
            "partition"),
    QUARANTINED_STREAMS(
            Kind.GAUGE,
            "ebb_quarantined_streams",
            "Quarantined streams: work on them failed, and nothing is deleted until `ebb stream repair`.",
            "partition"),
    FAILED_STREAMS(
            Kind.COUNTER, "ebb_failed_streams_total", "Failures of work on one stream; each quarantines the stream."),
    FAILED_COMMANDS(Kind.COUNTER, "ebb_failed_commands_total", "Commands that failed and were ended."),
    COMMANDS(
            Kind.COUNTER,
            "ebb_commands_total",
            "Commands that ended, dry runs left out; outcome is done, refused, or failed for one that an error ended.",
            "verb",
            "outcome"),
    COMMAND_STARTED(
            Kind.GAUGE,
            "ebb_command_started_timestamp_seconds",
            "Start of the oldest command that is not done, in seconds since 1970; left out where there is none.",
            "partition",
            "verb"),
    TRASH_EVENTS(Kind.GAUGE, "ebb_trash_events", "Deleted events that can be brought back by `ebb undo`.", "partition"),
    TRASH_BYTES(Kind.GAUGE, "ebb_trash_bytes", "Size of those events.", "partition"),
    TRASH_SINCE(
            Kind.GAUGE,
            "ebb_trash_since_timestamp_seconds",
            "Time of the oldest delete that can be brought back, in seconds since 1970; left out where there is none.",
            "partition"),
    TRASH_UNTIL(
            Kind.GAUGE,
            "ebb_trash_until_timestamp_seconds",
            "Time from which none of them can be brought back any more, in seconds since 1970; left out where there is"
                    + " none.",
            "partition"),
    UNDO_MAX(
            Kind.GAUGE,
            "ebb_undo_max_seconds",
            "The longest time for which a delete can be undone: the setting undo.max."),
    USAGE_DIFFERENCES(
            Kind.COUNTER,
            "ebb_usage_differences_total",
            "Figures of streams that did not agree with their events and were corrected; must be 0."),
    RECOUNTS(
            Kind.COUNTER,
            "ebb_recounts_total",
            "Recounts of the figures of all namespaces of a partition; one in a minute at most, after changes, while"
                    + " the partition has nothing else to do."),
    FIGURE_DIFFERENCES(
            Kind.COUNTER,
            "ebb_figure_differences_total",
            "Namespaces whose figures did not agree with a recount and were corrected; must be 0."),
    STREAMS_STORED(Kind.GAUGE, "ebb_streams_stored", "Streams that hold events.", "namespace"),
    EVENTS_STORED(Kind.GAUGE, "ebb_events_stored", "Events in the state stores.", "namespace"),
    BYTES_STORED(Kind.GAUGE, "ebb_bytes_stored", "Size of the events in the state stores.", "namespace"),
    EVENTS_PROTECTED(Kind.GAUGE, "ebb_events_protected", "Stored events that their status protects.", "namespace"),
    EVENTS_INFINITE(
            Kind.GAUGE, "ebb_events_infinite", "Stored events kept for ever at their producer's wish.", "namespace"),
    EVENTS_TIMED(Kind.GAUGE, "ebb_events_timed", "Stored events with an own TTL.", "namespace"),
    EVENTS_UNTIMED(
            Kind.GAUGE,
            "ebb_events_untimed",
            "Stored events that go by the policy alone: not protected, without an own TTL, not kept for ever.",
            "namespace"),
    EVENTS_DUE(
            Kind.GAUGE,
            "ebb_events_due",
            "Events that age and own TTLs will take within that time (1h or 1d), overdue ones included.",
            "namespace",
            "within"),
    BYTES_DUE(Kind.GAUGE, "ebb_bytes_due", "Size of those events.", "namespace", "within"),
    EVENTS_EXPIRING(
            Kind.GAUGE,
            "ebb_events_expiring",
            "Events that age and own TTLs take within warnBefore of their policy, overdue ones and those of mode warn"
                    + " included.",
            "namespace"),
    BYTES_EXPIRING(Kind.GAUGE, "ebb_bytes_expiring", "Size of those events.", "namespace"),
    EARLIEST_EXPIRY(
            Kind.GAUGE,
            "ebb_earliest_expiry_timestamp_seconds",
            "Due time of the first of those events, in seconds since 1970; left out where there is none.",
            "namespace"),
    EVENTS_HELD(Kind.GAUGE, "ebb_events_held", "Stored events that a hold covers.", "namespace"),
    HOLDS(Kind.GAUGE, "ebb_holds", "Holds in force."),
    READY(Kind.GAUGE, "ebb_ready", "1 while this instance can answer requests, as GET /health/ready says; else 0."),
    POLICY_VERSION(Kind.GAUGE, "ebb_policy_version", "Version of the policies in force; -1 if only built-in ones are."),
    POLICIES_WAITING(
            Kind.GAUGE,
            "ebb_policies_waiting",
            "Records of policies and holds that the brake holds back: until it is known how much they would delete"
                    + " (assessment), or until an operator confirms them (confirmation).",
            "for"),
    INPUT_LAG(Kind.GAUGE, "ebb_input_lag_records", "Records on the input topics that are not taken in yet."),
    CLOCK_DIFFERENCE(
            Kind.GAUGE,
            "ebb_clock_difference_seconds",
            "Least lead of this instance's clock over the broker's; negative: behind."),
    CLOCK_GUARD(
            Kind.GAUGE, "ebb_clock_guard", "1 while sweeping is stopped because this instance's clock is not trusted."),
    MIRROR_LAG(Kind.GAUGE, "ebb_mirror_lag_records", "Mirror records that a sink has not taken yet.", "connector"),
    CONNECTOR_STATE(
            Kind.GAUGE,
            "ebb_connector_state",
            "1 for the state that a sink and its task are in.",
            "connector",
            "state"),
    RESTORE_REMAINING(
            Kind.GAUGE,
            "ebb_restore_remaining_records",
            "Changelog records still to be read before a store is ready.",
            "store",
            "partition"),
    MEMORY(
            Kind.GAUGE,
            "ebb_memory_bytes",
            "Memory of the stores: RocksDB's blocks and write buffers (blocks), and what is kept on the heap to know"
                    + " which ids are new (lookups).",
            "of"),
    MEMORY_LIMIT(
            Kind.GAUGE,
            "ebb_memory_limit_bytes",
            "Limit of that memory: rocksdb.block.cache.bytes for blocks, state.lookup.bytes for lookups.",
            "of"),
    REQUESTS(
            Kind.COUNTER,
            "ebb_api_requests_total",
            "Answered requests; route is the method and the path as OpenAPI has it, console for the page and its files,"
                    + " none for a request that came to no route.",
            "route",
            "status"),
    REQUEST_DURATION(
            Kind.HISTOGRAM,
            "ebb_api_request_duration_seconds",
            "Time until the answer of a request was made; for GET /v1/updates the time for which a listener stayed.",
            "route"),
    LISTENERS(Kind.GAUGE, "ebb_api_listeners", "Listeners to news (GET /v1/updates); there are places for 16.");

    /** Type of a meter. */
    enum Kind {
        /** A number that only grows. */
        COUNTER,
        /** A number that rises and falls. */
        GAUGE,
        /** Counts observations by size. */
        HISTOGRAM
    }

    private final Kind kind;
    private final String title;
    private final String help;
    private final String labels;

    Meter(Kind kind, String title, String help, String... labels) {
        this.kind = kind;
        this.title = title;
        this.help = help;
        this.labels = String.join(",", labels);
    }

    Kind kind() {
        return kind;
    }

    /** Returns the name of the meter as Prometheus shows it. */
    String title() {
        return title;
    }

    String help() {
        return help;
    }

    String[] labels() {
        return labels.isEmpty() ? new String[0] : labels.split(",", -1);
    }
}
