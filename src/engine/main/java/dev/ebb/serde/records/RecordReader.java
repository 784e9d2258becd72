package dev.ebb.serde.records;

import dev.ebb.domain.event.Wait;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of the topics of events, policies, commands and results. Never throws because of a record, and never
 * blocks: a record whose schema is not known yet is "pending" while the registry is asked in the background.
 * Thread-safe.
 */
public interface RecordReader {

    /**
     * Reads a record of the topic of events.
     *
     * @param value the bytes of the record; null is a record without a value, which no event is
     */
    Decoded read(String topic, Headers headers, byte @Nullable [] value);

    /**
     * Reads a record of the topic of events, whose origin stands for what it does not name.
     *
     * @param value the bytes of the record; null is a record without a value
     */
    default Decoded read(Origin origin, Headers headers, byte @Nullable [] value) {
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
     * @param value the bytes of the record; null is a record without a value, which no command is
     */
    DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value);

    /**
     * Reads a record of the topic of commands, whose origin stands for what it does not name.
     *
     * @param value the bytes of the record; null is a record without a value, which no command is
     */
    default DecodedCommand readCommand(Origin origin, Headers headers, byte @Nullable [] value) {
        return readCommand(origin.topic(), headers, value);
    }

    /** Reads a record of the topic of results. */
    DecodedResult readResult(byte[] value);

    /**
     * The present state of a wait; sends no question, and costs next to nothing.
     *
     * @return the wait with its present reason; null if the record is worth another reading
     */
    default @Nullable Wait stillWaits(Wait wait) {
        return null;
    }

    /** Asks the registry again, in the background, at once and whatever its last answer was. */
    default void askAgain(Wait wait) {}
}
