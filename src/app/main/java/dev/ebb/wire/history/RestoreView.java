package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcome for deleted events that are to come back.
 *
 * @param dryRun true if the request was a dry run, which sends nothing
 * @param sent number of events that were sent
 */
public record RestoreView(String stream, boolean dryRun, long sent, List<One> records) {

    /** Fate of a deleted event under the policy in force. */
    public enum Outcome {
        /** The event comes back and stays for a while. */
        LIVES,
        /** The event comes back protected, by its status or because its execution is not known to be terminal. */
        PROTECTED,
        /** The next sweep would delete it again. */
        DUE,
        /** Another event with that id is there and stays as it is. */
        THERE,
        /** No deleted event of that stream is at that place. */
        NOT_FOUND
    }

    /**
     * One deleted event.
     *
     * @param record the place of the record on the archive topic
     * @param id the id of the event; null if there is none
     * @param sent true if the event was sent
     * @param until the last millisecond at which the event stays; null if it does not go by age or own TTL, or does not
     *     come back
     * @param bytes its size as counted against {@code maxBytes}
     */
    public record One(
            String record,
            @Nullable String id,
            Outcome outcome,
            boolean sent,
            @Nullable Instant until,
            long bytes) {

        public static One notFound(String record) {
            return new One(record, null, Outcome.NOT_FOUND, false, null, 0);
        }

        public One withSent(boolean isSent) {
            return new One(record, id, outcome, isSent, until, bytes);
        }
    }

    /**
     * Request to bring deleted events back.
     *
     * @param records records of the stream, as the archive lists them, 1 to 500; sent in this order
     * @param includeDue true to send events even if the next sweep would delete them again; false if left out
     */
    public record Input(
            List<String> records,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean includeDue) {}
}
