package dev.ebb.port;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Topics of sources as Kafka has them, and the reading of this instance. Thread-safe. */
public interface SourceDesk {

    /**
     * The topics of a source, as they are now.
     *
     * @param absence the reason why the source cannot be read; null if it can
     * @param field the field of the refusal; null if there is none
     * @param refusal the reason why the source must not come into force, with the fix: its target takes no tombstones, a
     *     topic is one of Ebb's own, or a class of a converter is not there; null if there is none
     */
    record Topics(
            @Nullable String absence,
            @Nullable String field,
            @Nullable String refusal) {

        /** The topics are there, and take what the source sends. */
        public static final Topics GOOD = new Topics(null, null, null);

        /** Returns the topics of a source that must not come into force. */
        public static Topics refused(String field, String refusal) {
            return new Topics(null, field, refusal);
        }
    }

    /**
     * Asks Kafka about the topics of a source, which need not be in force.
     *
     * @throws UnavailableException if Kafka does not answer
     */
    Topics topics(Source source);

    /** Returns how this instance reads the source; answers from memory. */
    Reading reading(Source source);

    /**
     * Sets the place from which a paused source is read when it is resumed, and writes so into the audit before.
     *
     * @param actor the person who asks for it
     * @param reason the reason; may be empty
     * @return the offset of each partition
     * @throws NotReadyException if an instance still reads the source
     * @throws UnavailableException if Kafka does not answer
     */
    Map<Integer, Long> reset(Source source, SourceStart to, String actor, String reason);

    /**
     * The start of a partition of a log (F-8).
     *
     * @param start the first offset of the partition
     * @param next the first offset that must stay; the start moves there unless the mode is {@code warn}
     * @param heldBy the reason for which the record at {@code next} stays, for people
     */
    record Start(int partition, long start, long next, String heldBy) {

        /** Returns the start after it has moved. */
        public Start raised() {
            return new Start(partition, next, next, heldBy);
        }
    }

    /**
     * How an instance reads a source.
     *
     * @param state the state of the reading
     * @param lag number of offsets up to the ends of its topic, over all instances; null if not known
     * @param perSecond offsets read per second lately, over all instances; null if not known
     * @param problem the reason why the source is not read, or sends no tombstones; null if there is none
     * @param counts counts of this instance since its start
     * @param starts starts of the partitions of a log that is truncated; empty if another instance knows them
     */
    record Reading(
            State state,
            @Nullable Long lag,
            @Nullable Long perSecond,
            @Nullable String problem,
            Counts counts,
            List<Start> starts) {

        /** States of a reading. */
        public enum State {
            /** Kafka has not been asked yet. */
            UNKNOWN,
            /** The topic is read, and has been read to its end. */
            READING,
            /** The topic is read, and its end is not reached: sweeps leave rows with tombstones alone. */
            BEHIND,
            /** The source is paused by its declaration, and an instance reads its topic still. */
            PAUSING,
            /** No instance reads the topic until the source is resumed. */
            PAUSED,
            /** The topic cannot be read. */
            STOPPED;

            /** Returns the state of a source whose declaration says whether it is paused, which may be newer. */
            public State declared(boolean isPaused) {
                return isPaused && (this == READING || this == BEHIND) ? PAUSING : this;
            }

            /** Returns the state of the source, if another instance has it in that state: paused are both or none. */
            public State with(State other) {
                return this == PAUSED && other != PAUSED ? PAUSING : this;
            }

            /** Returns the state of that word; unknown if there is none. */
            public static State of(String text) {
                return Stream.of(values())
                        .filter(state -> state.text().equals(text))
                        .findFirst()
                        .orElse(UNKNOWN);
            }

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
         * @param lastFault the last fault of a record or the topic, with its place; null if there was none
         * @param lastFaultAt the time at which it was found; null if there was none
         */
        public record Counts(
                long rejected,
                long overtaken,
                @Nullable String lastFault,
                @Nullable Instant lastFaultAt) {

            /** The counts of a source without faults. */
            public static final Counts NONE = new Counts(0, 0, null, null);

            /** Returns the sums, with the fault of the first that has one. */
            public Counts plus(Counts other) {
                return new Counts(
                        rejected + other.rejected,
                        overtaken + other.overtaken,
                        lastFault == null ? other.lastFault : lastFault,
                        lastFault == null ? other.lastFaultAt : lastFaultAt);
            }
        }
    }
}
