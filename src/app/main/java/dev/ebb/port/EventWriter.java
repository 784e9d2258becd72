package dev.ebb.port;

import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamRecord;
import java.util.List;

/**
 * Sends events, updates and the states of executions to the topics from which the topology takes them in. Thread-safe.
 */
public interface EventWriter {

    /**
     * Sends the records in their order and waits until the broker has all of them.
     *
     * @throws UnavailableException if the broker did not take all of them; some may have been taken, and sending all
     *     again is safe (M-1)
     * @throws TooBigException if one is bigger than a record may be; none was sent then
     */
    void write(List<? extends StreamRecord> records);

    /**
     * Sends the update and waits until the broker has it.
     *
     * @throws UnavailableException if the broker did not take it
     * @throws TooBigException if the update is bigger than a record may be
     */
    void writeUpdate(EventUpdate update);

    /** A record would be bigger than the limit. */
    final class TooBigException extends RuntimeException {

        /** @param message names the record, its size and the limit */
        public TooBigException(String message) {
            super(message);
        }
    }
}
