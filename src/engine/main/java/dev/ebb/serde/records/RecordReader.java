package dev.ebb.serde.records;

import dev.ebb.domain.event.Wait;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads what lies on the topics of events, policies, commands and results. Never throws for what it reads, and never blocks: a record
 * whose schema is not known yet is answered with "pending" while the registry is asked in the background. Thread-safe.
 */
public interface RecordReader {

    /**
     * Reads a record of the topic of events.
     *
     * @param value the bytes of the record; null is a record without a value, which no event is
     */
    Decoded read(String topic, Headers headers, byte @Nullable [] value);

    /**
     * Reads a record of the topic of policies or of accepted policies.
     *
     * @param key the key of the record: the scope, {@code hold:<case>}, or {@value DecodedPolicy#MARK_KEY} for a mark
     */
    DecodedPolicy readPolicy(String key, byte[] value);

    /**
     * Reads a record of the topic of commands that somebody outside sent.
     *
     * @param value the bytes of the record; null is a record without a value, which no command is
     */
    DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value);

    /** Reads a record of the topic of results. */
    DecodedResult readResult(byte[] value);

    /**
     * How it stands with what a record waits for; asks nobody, and costs next to nothing.
     *
     * @return the same with what is known of it now; null if it is worth while to read the record again
     */
    default @Nullable Wait stillWaits(Wait wait) {
        return null;
    }

    /** Has the registry asked anew in the background, at once and whatever it said before. */
    default void askAgain(Wait wait) {}
}
