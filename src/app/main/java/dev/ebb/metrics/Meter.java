package dev.ebb.metrics;

/** Every meter: its name in Prometheus, its labels and its description. No label carries a stream name. */
enum Meter {
    INGESTED(
            Kind.COUNTER,
            "ebb_events_ingested_total",
            "Events taken in; kind is new, or replaced if the event took the place of one with the same id.",
            "namespace",
            "kind"),
    UPDATED(Kind.COUNTER, "ebb_updates_total", "Updates that changed a stored event.", "namespace"),
    ORPHANED(
            Kind.COUNTER,
            "ebb_updates_orphaned_total",
            "Updates for events that do not exist, or no longer exist; they change nothing."),
    LATE(
            Kind.COUNTER,
            "ebb_records_late_total",
            "Records that changed nothing because a command deleted their stream after they were produced, and"
                    + " ends of executions of deleted streams for which no events came; kind is event (these go to the"
                    + " rejected topic), update or execution.",
            "kind"),
    GRAVES(
            Kind.GAUGE,
            "ebb_graves",
            "Streams that commands deleted within grave.retention; records produced before the delete change"
                    + " nothing.",
            "partition"),
    TTL_REFUSED(
            Kind.COUNTER,
            "ebb_ttl_requests_refused_total",
            "Requests for noExpiration that the policy does not allow; Ebb takes in the event or update all the"
                    + " same."),
    REJECTED(
            Kind.COUNTER,
            "ebb_records_rejected_total",
            "Records that Ebb could not use and sent to the rejected topic.",
            "reason"),
    UNSENT(
            Kind.COUNTER,
            "ebb_records_unsent_total",
            "Records that the producer or the broker refused; Ebb gives up the transaction, then tries again or sets"
                    + " the input aside.",
            "topic"),
    SOURCE_OVERTAKEN(
            Kind.COUNTER,
            "ebb_source_overtaken_total",
            "Records of a source that a tombstone of Ebb overtook, or that came behind a newer one; Ebb sent the newest"
                    + " version again.",
            "source"),
    SOURCE_LOST(
            Kind.COUNTER,
            "ebb_source_lost_total",
            "Records of a source that a tombstone of Ebb overtook and that compaction had removed before Ebb could send"
                    + " them again.",
            "source"),
    REKEYED(
            Kind.COUNTER,
            "ebb_records_rekeyed_total",
            "Records with a key other than their stream, or in the wrong partition; Ebb sent them to the right one."),
    PARKED(
            Kind.GAUGE,
            "ebb_parked_records",
            "Records that wait to be taken in, usually for their schema.",
            "partition"),
    INGEST_DELAY(
            Kind.HISTOGRAM,
            "ebb_ingest_delay_seconds",
            "Time from the Kafka timestamp of an event until Ebb took it in."),
    EVENTS_DELETED(
            Kind.COUNTER,
            "ebb_events_deleted_total",
            "Events deleted by retention or by a command; scope is the kind of scope whose policy decided, event for"
                    + " an own TTL, or command.",
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
            "Size of the events deleted by retention or by a command.",
            "cause",
            "scope",
            "namespace"),
    EVENTS_RETURNED(
            Kind.COUNTER, "ebb_events_returned_total", "Deleted events that `ebb undo` brought back.", "namespace"),
    BYTES_RETURNED(
            Kind.COUNTER,
            "ebb_bytes_returned_total",
            "Size of the deleted events that `ebb undo` brought back.",
            "namespace"),
    LATENESS(
            Kind.HISTOGRAM,
            "ebb_delete_lateness_seconds",
            "Time from the due time of an event, by age or TTL, until its delete."),
    SWEEPS(Kind.COUNTER, "ebb_sweeps_total", "Sweeps that deleted events."),
    SWEEPS_FAILED(Kind.COUNTER, "ebb_sweeps_failed_total", "Sweeps that failed; Ebb tries them again.", "partition"),
    SWEEP_DURATION(
            Kind.HISTOGRAM,
            "ebb_sweep_duration_seconds",
            "Time from the start to the end of a sweep that deleted events."),
    SWEEP_COMPLETED(
            Kind.GAUGE,
            "ebb_sweep_completed_timestamp_seconds",
            "End of the last sweep, in seconds since 1970.",
            "partition"),
    BACKLOG_STREAMS(
            Kind.GAUGE, "ebb_backlog_streams", "The backlog: streams with due events, or over a cap.", "partition"),
    EVENTS_WOULD_DELETE(
            Kind.GAUGE,
            "ebb_events_would_delete",
            "Events that stay only because the mode of their policy is warn, as of the last count; absent before the"
                    + " first count.",
            "partition"),
    EVENTS_STALE(
            Kind.GAUGE,
            "ebb_events_stale",
            "Stale work: events that have been protected for longer than stale.threshold and need attention.",
            "partition"),
    QUARANTINED_STREAMS(
            Kind.GAUGE,
            "ebb_quarantined_streams",
            "Quarantined streams: work on them failed, and Ebb deletes nothing from them until `ebb stream repair`.",
            "partition"),
    FAILED_STREAMS(
            Kind.COUNTER, "ebb_failed_streams_total", "Failures of work on one stream; each quarantines the stream."),
    FAILED_COMMANDS(Kind.COUNTER, "ebb_failed_commands_total", "Commands that an error ended."),
    COMMANDS(
            Kind.COUNTER,
            "ebb_commands_total",
            "Commands that ended, without dry runs; outcome is done, refused, or failed (an error ended the"
                    + " command).",
            "verb",
            "outcome"),
    COMMANDS_UNFINISHED(
            Kind.GAUGE,
            "ebb_commands_unfinished",
            "Commands that a partition leads and that are not done, dry runs included; kind is bulk (over many streams)"
                    + " or single.",
            "partition",
            "kind"),
    COMMANDS_BUSY(
            Kind.COUNTER,
            "ebb_commands_busy_total",
            "Commands that were refused because too many were unfinished; by is instance (before the command was sent)"
                    + " or partition.",
            "by"),
    HEAP_SHARE(
            Kind.GAUGE,
            "ebb_heap_used_ratio",
            "Share of the heap that was used after the last collection; above 0.9 for a minute, the instance is not"
                    + " ready."),
    DISK_FREE(
            Kind.GAUGE,
            "ebb_disk_free_bytes",
            "Bytes that may still be written to the disk of state.dir; below 256 MiB, the status tells of it."),
    THREADS_FAILED(
            Kind.GAUGE,
            "ebb_threads_failed",
            "1 if threads failed in the last minutes and were replaced, otherwise 0."),
    COMMAND_STARTED(
            Kind.GAUGE,
            "ebb_command_started_timestamp_seconds",
            "Start of the oldest unfinished command, in seconds since 1970; absent if there is none.",
            "partition",
            "verb"),
    TRASH_EVENTS(Kind.GAUGE, "ebb_trash_events", "Deleted events that `ebb undo` can bring back.", "partition"),
    TRASH_BYTES(
            Kind.GAUGE, "ebb_trash_bytes", "Size of the deleted events that `ebb undo` can bring back.", "partition"),
    TRASH_SINCE(
            Kind.GAUGE,
            "ebb_trash_since_timestamp_seconds",
            "Time of the oldest delete that can be undone, in seconds since 1970; absent if there is none.",
            "partition"),
    TRASH_UNTIL(
            Kind.GAUGE,
            "ebb_trash_until_timestamp_seconds",
            "Time from which none of the deletes in the trash can be undone any more, in seconds since 1970; absent"
                    + " if the trash is empty.",
            "partition"),
    TRASH_MISSING(
            Kind.GAUGE,
            "ebb_trash_missing",
            "Records that `ebb undo` should be able to bring back and that the trash does not have any more; must be 0.",
            "partition"),
    UNDO_MAX(
            Kind.GAUGE,
            "ebb_undo_max_seconds",
            "The longest time for which a delete can be undone: the setting undo.max."),
    TRASH_FORGED(
            Kind.COUNTER, "ebb_trash_forged_total", "Records in the trash that an undo refused as forged; must be 0."),
    TRASH_UNREAD(
            Kind.COUNTER,
            "ebb_trash_unread_total",
            "Audits of the trash that failed and are made again an hour later; missing records are not noticed"
                    + " meanwhile."),
    USAGE_DIFFERENCES(
            Kind.COUNTER,
            "ebb_usage_differences_total",
            "Figures of streams that differed from their events and were corrected; must be 0."),
    RECOUNTS(
            Kind.COUNTER,
            "ebb_recounts_total",
            "Recounts of the figures of all namespaces of a partition: after changes, while the partition has"
                    + " nothing else to do, at most one a minute."),
    FIGURE_DIFFERENCES(
            Kind.COUNTER,
            "ebb_figure_differences_total",
            "Namespaces whose figures differed from a recount and were corrected; must be 0."),
    STREAMS_STORED(Kind.GAUGE, "ebb_streams_stored", "Streams that hold events.", "namespace"),
    EVENTS_STORED(Kind.GAUGE, "ebb_events_stored", "Events in the state stores.", "namespace"),
    BYTES_STORED(Kind.GAUGE, "ebb_bytes_stored", "Size of the events in the state stores.", "namespace"),
    EVENTS_PROTECTED(
            Kind.GAUGE,
            "ebb_events_protected",
            "Stored events that are protected by their status or by that of their execution.",
            "namespace"),
    EVENTS_INFINITE(
            Kind.GAUGE,
            "ebb_events_infinite",
            "Stored events, not protected, whose noExpiration is honoured: neither age nor caps delete them.",
            "namespace"),
    EVENTS_TIMED(
            Kind.GAUGE,
            "ebb_events_timed",
            "Stored events with an own TTL, neither protected nor infinite.",
            "namespace"),
    EVENTS_UNTIMED(
            Kind.GAUGE,
            "ebb_events_untimed",
            "Stored events that only the policy deletes: without an own TTL, neither protected nor infinite.",
            "namespace"),
    EVENTS_DUE(
            Kind.GAUGE,
            "ebb_events_due",
            "Events that fall due by age or own TTL within 1h or 1d, overdue events included.",
            "namespace",
            "within"),
    BYTES_DUE(
            Kind.GAUGE,
            "ebb_bytes_due",
            "Size of the events that fall due by age or own TTL within 1h or 1d, overdue events included.",
            "namespace",
            "within"),
    EVENTS_EXPIRING(
            Kind.GAUGE,
            "ebb_events_expiring",
            "Events that fall due by age or own TTL within warnBefore of their policy, overdue events and those of"
                    + " mode warn included.",
            "namespace"),
    BYTES_EXPIRING(
            Kind.GAUGE,
            "ebb_bytes_expiring",
            "Size of the events that fall due by age or own TTL within warnBefore of their policy.",
            "namespace"),
    EARLIEST_EXPIRY(
            Kind.GAUGE,
            "ebb_earliest_expiry_timestamp_seconds",
            "Due time of the first event that falls due within warnBefore of its policy, in seconds since 1970;"
                    + " absent if there is none.",
            "namespace"),
    EVENTS_HELD(Kind.GAUGE, "ebb_events_held", "Stored events that a hold covers.", "namespace"),
    HOLDS(Kind.GAUGE, "ebb_holds", "Holds in force."),
    READY(Kind.GAUGE, "ebb_ready", "1 while this instance can answer requests, as GET /health/ready shows; else 0."),
    POLICY_VERSION(
            Kind.GAUGE, "ebb_policy_version", "Version of the policies in force; -1 if all of them are built in."),
    POLICIES_WAITING(
            Kind.GAUGE,
            "ebb_policies_waiting",
            "Records of policies and holds that the brake holds back: until Ebb knows how much they would delete"
                    + " (assessment), or until an operator confirms them (confirmation).",
            "for"),
    SETTINGS_NOT_IN_FORCE(
            Kind.GAUGE,
            "ebb_settings_not_in_force",
            "Settings of this instance that decide deletes and are not in force: another instance has others, or their"
                    + " change waits to be counted or confirmed."),
    INPUT_LAG(Kind.GAUGE, "ebb_input_lag_records", "Records on the input topics that Ebb has not taken in yet."),
    CLOCK_DIFFERENCE(
            Kind.GAUGE,
            "ebb_clock_difference_seconds",
            "Least possible lead of this instance's clock over the broker's; negative if the clock is behind."),
    CLOCK_GUARD(
            Kind.GAUGE,
            "ebb_clock_guard",
            "1 while sweeping is stopped because this instance's clock is not trusted; else 0."),
    MIRROR_LAG(Kind.GAUGE, "ebb_mirror_lag_records", "Mirror records that a sink has not taken yet.", "connector"),
    MIRROR_REFUSED(
            Kind.GAUGE,
            "ebb_mirror_refused_rows",
            "Rows that the database refuses, and partitions with rows that lack a field; must be 0.",
            "connector"),
    CONNECTOR_STATE(
            Kind.GAUGE, "ebb_connector_state", "1 for the current state of a sink and its task.", "connector", "state"),
    RESTORE_REMAINING(
            Kind.GAUGE,
            "ebb_restore_remaining_records",
            "Changelog records that a store must still read before it is ready.",
            "store",
            "partition"),
    MEMORY(
            Kind.GAUGE,
            "ebb_memory_bytes",
            "Memory of the stores: blocks and write buffers of RocksDB (blocks), and fingerprints of ids on the heap"
                    + " (lookups).",
            "of"),
    MEMORY_LIMIT(
            Kind.GAUGE,
            "ebb_memory_limit_bytes",
            "Limit of the memory of the stores: rocksdb.block.cache.bytes for blocks, state.lookup.bytes for"
                    + " lookups.",
            "of"),
    REQUESTS(
            Kind.COUNTER,
            "ebb_api_requests_total",
            "Answered requests; route is the method and path as in the OpenAPI document, console for the page and"
                    + " its files, or none for a request that reached no route.",
            "route",
            "status"),
    REQUEST_DURATION(
            Kind.HISTOGRAM,
            "ebb_api_request_duration_seconds",
            "Time from a request until its answer; for GET /v1/updates, the time for which a listener stayed.",
            "route"),
    LISTENERS(Kind.GAUGE, "ebb_api_listeners", "Listeners to news (GET /v1/updates), at most 16.");

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
