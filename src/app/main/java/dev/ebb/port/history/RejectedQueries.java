package dev.ebb.port.history;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads records that could not be used, newest first, and sends them once more. Thread-safe; throws the exceptions of
 * {@link AuditQueries}.
 */
public interface RejectedQueries {

    /**
     * One page.
     *
     * @param reason only records set aside for this reason, in upper case; null for all
     * @param time only records set aside in this range
     * @param after the cursor that came with the page before; null to begin with the newest
     * @param limit the most items on a page, at least 1
     */
    HistoryPage<RejectedRecord> list(@Nullable String reason, TimeRange time, @Nullable String after, int limit);

    /** The record; empty if the topic does not hold it, or no longer does. */
    Optional<RejectedRecord> find(RejectedRecord.Id id);

    /**
     * Sends the record, its bytes untouched, back to the topic from which it came. The record stays on the rejected
     * topic as well.
     *
     * @return the topic to which it was sent
     * @throws NotReplayableException if it did not come from a topic that people write to, or is not there in full
     * @throws dev.ebb.port.UnavailableException if the broker did not take it
     */
    String replay(RejectedRecord record);

    /** The record cannot be sent back to its topic. */
    final class NotReplayableException extends RuntimeException {

        /** @param message the reason */
        public NotReplayableException(String message) {
            super(message);
        }
    }
}
