package dev.ebb.port;

import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamRecord;
import java.util.List;

/** Sends events, updates and execution updates to the topics from which the topology reads them. Thread-safe. */
public interface EventWriter {

    /**
     * Sends the records in their order and waits until the broker has all of them.
     *
     * @throws UnavailableException if the broker did not take all records; it may have taken some, and sending all of
     *     them again is safe (M-1)
     * @throws TooBigException if a record exceeds the size limit; none was sent
     */
    void write(List<? extends StreamRecord> records);

    /**
     * Sends the update and waits until the broker has it.
     *
     * @throws UnavailableException if the broker did not take the update
     * @throws TooBigException if the update exceeds the size limit of a record
     */
    void writeUpdate(EventUpdate update);

    /** Signals a record that would exceed the size limit. */
    final class TooBigException extends RuntimeException {

        /** @param message text that names the record, its size and the limit */
        public TooBigException(String message) {
            super(message);
        }
    }
}
