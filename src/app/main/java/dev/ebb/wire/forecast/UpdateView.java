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

            @Meaning("Streams with due events, or over a cap.")
            long dueStreams,

            @Meaning("Quarantined streams: work on them failed.")
            long quarantinedStreams,

            @Meaning("Records that wait to be taken in, usually for their schema.")
            long parkedRecords,

            @Meaning("Records on the input topics that Ebb has not taken in yet; null if not known.") @Nullable
            Long lag,

            @Meaning("Mirror records that a sink has not taken yet; null if not known.") @Nullable
            Long mirrorLag,

            @Meaning("Reason why the clock guard stops sweeping; null if the clock is trusted.") @Nullable
            String clockProblem) {}

    /** Event 'policies': the policies in force, and how many changes wait for a confirmation. */
    public record PoliciesUpdate(long version, int records, int waiting) {}

    /** Event 'sweeps': sweeps of all instances. */
    public record SweepsUpdate(
            @Meaning("The end of the reports topic; grows with each report, by one or a little more.")
            long end,

            @Meaning("Id of the newest sweep or command with a report; null if there is none.") @Nullable
            String newest) {}

    /** Event 'audit': deletes and changes of all instances. */
    public record AuditUpdate(
            @Meaning("The end of the audit topic; grows with each record, by one or a little more.")
            long end,

            @Meaning("Id of the newest record; null if there is none.") @Nullable
            String newest) {}

    /** Event 'ingest': incoming events. */
    public record IngestUpdate(
            @Meaning("The end of the events topic; grows with each record, by one or a little more.")
            long end,

            @Meaning("The end of the rejected topic.") long rejectedEnd,

            @Meaning("Events that this instance has taken in since its start.")
            long ingested,

            @Meaning("Events that this instance holds.") AmountView stored) {}
}
