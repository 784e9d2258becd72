package dev.ebb.runtime.streams;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Decides whether a transaction of a stream thread has any content. Kafka Streams commits after each punctuation, even
 * after one without effect, and would send the same offsets to the broker each second. Not thread-safe.
 */
final class TransactionNeed {

    /**
     * The broker forgets producers that are silent for days, and a thread that was fenced learns of it only by a
     * commit.
     */
    static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    private enum State {
        NONE,
        ASKED,
        BEGUN
    }

    private State state = State.NONE;
    private long spokenNanos;
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> sent = new HashMap<>();

    /** Notes that Kafka Streams wants a transaction. */
    void asked() {
        state = State.ASKED;
    }

    /** Notes that the broker's transaction has begun. */
    void begun() {
        state = State.BEGUN;
    }

    /** Returns true if the wanted transaction must begin before anything is sent. */
    boolean isToBegin() {
        return state == State.ASKED;
    }

    /** Returns true if there is something to commit or to abort. */
    boolean isBegun() {
        return state == State.BEGUN;
    }

    /**
     * Returns true if these offsets must be sent: together with records, if they differ from the last ones, or after a
     * while.
     */
    boolean ofOffsets(Map<TopicPartition, OffsetAndMetadata> offsets, long nanos) {
        boolean isNeeded = isBegun()
                || nanos - spokenNanos >= LONGEST_SILENCE.toNanos()
                || !committed.entrySet().containsAll(offsets.entrySet());
        if (isNeeded) {
            sent.putAll(offsets);
        }
        return isNeeded;
    }

    /** Notes that the transaction is committed, or that there was none. */
    void committed(long nanos) {
        if (isBegun()) {
            committed.putAll(sent);
            spokenNanos = nanos;
        }
        sent.clear();
        state = State.NONE;
    }

    /** Notes that nothing of the transaction counts; all offsets must be sent again. */
    void aborted() {
        committed.clear();
        sent.clear();
        state = State.NONE;
    }
}
