package dev.ebb.port.forecast;

import org.jspecify.annotations.Nullable;

/** Tells cheaply whether something has changed on any instance. Thread-safe. */
public interface News {

    /** The ends of the topics as they are now. */
    Ends ends();

    /**
     * Ends of topics, as sums of the offsets of their partitions: such a sum grows with each record, by one or a little
     * more. Null if the broker gives no answer.
     *
     * @param audit the end of the audit
     * @param reports the end of the reports of sweeps
     * @param rejected the end of the rejected records
     * @param events the end of the events
     */
    record Ends(
            @Nullable Long audit,
            @Nullable Long reports,
            @Nullable Long rejected,
            @Nullable Long events) {}
}
