package dev.ebb.port;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How an instance reads a source.
 *
 * @param state the state of the reading
 * @param lag number of offsets up to the ends of its topic, over all instances; null if not known
 * @param perSecond offsets read per second lately, over all instances; null if not known
 * @param problem the reason why the source is not read, or sends no tombstones; null if there is none
 * @param counts counts of this instance since its start
 */
public record SourceReading(
        State state,
        @Nullable Long lag,
        @Nullable Long perSecond,
        @Nullable String problem,
        Counts counts) {

    /** States of a reading. */
    public enum State {
        /** Kafka has not been asked yet. */
        UNKNOWN,
        /** The topic is read, and has been read to its end. */
        READING,
        /** The topic is read, and its end is not reached: sweeps leave rows with tombstones alone. */
        BEHIND,
        /** The topic is not read until the source is resumed. */
        PAUSED,
        /** The topic cannot be read. */
        STOPPED;

        /** Returns the word of the state. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Counts of one instance.
     *
     * @param rejected records set aside
     * @param overtaken records that were sent again, since a tombstone had overtaken them
     * @param lastFault the last fault of a record, with its place; null if there was none
     */
    public record Counts(
            long rejected, long overtaken, @Nullable String lastFault) {

        /** The counts of a source without faults. */
        public static final Counts NONE = new Counts(0, 0, null);

        /** Returns the sums, with the fault of the first that has one. */
        public Counts plus(Counts other) {
            return new Counts(
                    rejected + other.rejected,
                    overtaken + other.overtaken,
                    lastFault == null ? other.lastFault : lastFault);
        }
    }
}
