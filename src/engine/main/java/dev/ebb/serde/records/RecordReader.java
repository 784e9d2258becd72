package dev.ebb.serde.records;

import dev.ebb.domain.event.Wait;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A reader of records of the topics of events, policies, commands and results. Never throws because of a record, and
 * never blocks: a record whose schema is not known yet is "pending" while the registry is asked in the background.
 * Thread-safe.
 */
public interface RecordReader {

    /**
     * Reads a record of the topic of events.
     *
     * @param value the bytes of the record; null for a record without a value, which is never an event
     */
    Decoded read(String topic, Headers headers, byte @Nullable [] value);

    /**
     * Reads a record of the topic of events, whose origin supplies the fields that it does not name.
     *
     * @param value the bytes of the record; null for a record without a value
     */
    default Decoded read(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
        return read(origin.topic(), headers, value);
    }

    /**
     * Reads a record of the topic of policies or of accepted policies.
     *
     * @param key the key of the record: the scope, {@code hold:<case>}, or {@value DecodedPolicy#MARK_KEY} for a mark
     */
    DecodedPolicy readPolicy(String key, byte[] value);

    /**
     * Reads a record of the topic of commands that was sent from outside.
     *
     * @param value the bytes of the record; null for a record without a value, which is never a command
     */
    DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value);

    /**
     * Reads a record of the topic of commands, whose origin supplies the fields that it does not name.
     *
     * @param value the bytes of the record; null for a record without a value, which is never a command
     */
    default DecodedCommand readCommand(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
        return readCommand(origin.topic(), headers, value);
    }

    /** Reads a record of the topic of results. */
    DecodedResult readResult(byte[] value);

    /**
     * Returns the present state of a wait, without a question to the registry and at almost no cost.
     *
     * @return the wait with its present reason; null if the record should be read again
     */
    default @Nullable Wait stillWaits(Wait wait) {
        return null;
    }

    /** Asks the registry again, in the background, at once, whatever its last answer was. */
    default void askAgain(Wait wait) {}
}
