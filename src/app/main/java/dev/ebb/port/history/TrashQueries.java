package dev.ebb.port.history;

import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.NotReadyException;
import java.util.List;

/** Tells what waits in the trash and can still be brought back (T-5). Thread-safe. */
public interface TrashQueries {

    /**
     * The contents of the trash of all partitions, as they were a moment ago: the whole trash is read for it, so a count
     * stands for a while.
     *
     * @throws NotReadyException if the trash could not be read in time
     */
    Contents contents();

    /**
     * What waits.
     *
     * @param parts by namespace, cause and origin, the biggest first, at most {@link #MOST_PARTS}
     * @param others sums over all parts that are not listed
     * @param countedAtMs time of the count, epoch milliseconds; what could be undone only until then is left out
     */
    record Contents(List<Part> parts, Sums others, long countedAtMs) {

        /** The most parts that are listed one by one. */
        public static final int MOST_PARTS = 1000;

        public Contents {
            parts = List.copyOf(parts);
        }

        /** Sums over everything. */
        public Sums sums() {
            return parts.stream().map(Part::sums).reduce(others, Sums::plus);
        }
    }

    /**
     * What was deleted from one namespace for one cause by one origin.
     *
     * @param command the command that deleted; empty if a policy did
     * @param change the change of policies that made it due, such as {@code namespace:shop@17}; empty for a command
     */
    record Part(String namespace, RemovalCause cause, String command, String change, Sums sums) {}

    /**
     * Sums.
     *
     * @param events number of events
     * @param bytes size of these events as they were stored
     * @param executions number of declared executions
     * @param firstUntilMs time at which the first of it is final, epoch milliseconds; {@link Long#MAX_VALUE} for nothing
     * @param lastUntilMs time at which the last of it is final, epoch milliseconds; 0 for nothing
     */
    record Sums(long events, long bytes, long executions, long firstUntilMs, long lastUntilMs) {

        public static final Sums NOTHING = new Sums(0, 0, 0, Long.MAX_VALUE, 0);

        public Sums plus(Sums other) {
            return new Sums(
                    events + other.events,
                    bytes + other.bytes,
                    executions + other.executions,
                    Math.min(firstUntilMs, other.firstUntilMs),
                    Math.max(lastUntilMs, other.lastUntilMs));
        }
    }
}
