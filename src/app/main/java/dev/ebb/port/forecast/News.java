package dev.ebb.port.forecast;

import org.jspecify.annotations.Nullable;

/** Finds out cheaply whether something has changed on any instance. Thread-safe. */
public interface News {

    /** Returns the present ends of the topics. */
    Ends ends();

    /**
     * Ends of topics, each the sum of the end offsets of the partitions: the sum grows with each record, by one or a
     * little more. Null if the broker does not answer.
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
