package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import org.jspecify.annotations.Nullable;

/**
 * News that an instance sends to listeners. Each field is the data of an event with the name of the field, sent at once
 * and then after each change; each event is sent on its own. The id of an event is its time in epoch milliseconds.
 */
public record UpdateView(
        @Nullable StatusUpdate status,
        @Nullable PoliciesUpdate policies,
        @Nullable SweepsUpdate sweeps,
        @Nullable AuditUpdate audit,
        @Nullable IngestUpdate ingest) {

    /** Event 'status': the state of the instance that sends. */
    public record StatusUpdate(
            @Meaning("State of Kafka Streams, such as RUNNING.")
            String state,

            int partitions,
            int restoring,

            @Meaning("Streams with something due or over a cap.")
            long dueStreams,

            @Meaning("Streams on which work failed.") long quarantinedStreams,

            @Meaning("Records that wait for their schema.") long parkedRecords,

            @Meaning("Records on the input topics that are not taken in; null if not known.") @Nullable
            Long lag,

            @Meaning("Mirror records that SQL has not taken; null if not known.") @Nullable
            Long mirrorLag,

            @Meaning("Reason why sweeping is stopped by the clock guard; null if the clock is trusted.") @Nullable
            String clockProblem) {}

    /** Event 'policies': the policies in force, and how many changes wait for a confirmation. */
    public record PoliciesUpdate(long version, int records, int waiting) {}

    /** Event 'sweeps': sweeps of all instances. */
    public record SweepsUpdate(
            @Meaning("The end of the topic of reports: it grows with each report, by one or a little more.")
            long end,

            @Meaning("Id of the newest sweep or command with a report; null if there is none.") @Nullable
            String newest) {}

    /** Event 'audit': deletes and changes of all instances. */
    public record AuditUpdate(
            @Meaning("The end of the audit: it grows with each record, by one or a little more.")
            long end,

            @Meaning("Id of the newest record; null if there is none.") @Nullable
            String newest) {}

    /** Event 'ingest': incoming events. */
    public record IngestUpdate(
            @Meaning("The end of the topic of events: it grows with each record, by one or a little more.")
            long end,

            @Meaning("The end of the topic of rejected records.")
            long rejectedEnd,

            @Meaning("Events taken in by the instance that sends, since its start.")
            long ingested,

            @Meaning("Events that the instance that sends holds.")
            AmountView stored) {}
}
