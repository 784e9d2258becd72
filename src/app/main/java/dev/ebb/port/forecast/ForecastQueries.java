package dev.ebb.port.forecast;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells when what is stored in the partitions of this instance falls due (C-3), from what is known of each stream and
 * without a look at all events. Windows of sweeps do not count. Thread-safe.
 */
public interface ForecastQueries {

    /**
     * Sums by namespace.
     *
     * @param question the times of interest
     * @param partitions the partitions to look at
     * @param most number of namespaces that are told one by one, if there are not too many buckets
     * @throws dev.ebb.port.NotReadyException while the streams are looked at for the first time, if that takes
     *     long
     */
    Forecast forecast(Question question, Collection<Integer> partitions, int most);

    /**
     * Streams with events that fall due in the only bucket of the question, those with the most such events first, and
     * those with as many by name.
     *
     * @param after the last stream of the page before; null for the first page
     * @param limit most streams of the answer
     * @throws dev.ebb.port.NotReadyException while the streams are looked at for the first time, if that takes
     *     long
     */
    DueStreams streams(Question question, Collection<Integer> partitions, @Nullable Place after, int limit);

    /**
     * Times of interest.
     *
     * @param namespace only streams of this namespace; null for all
     * @param buckets the times between the buckets, ascending: the first begins at the first of them, the last one ends
     *     before the last of them; epoch milliseconds, at least two
     * @param policies policies by which to decide, although others are in force; null for those in force
     */
    record Question(
            @Nullable String namespace,
            List<Long> buckets,
            @Nullable PolicySet policies) {

        public Question {
            buckets = List.copyOf(buckets);
        }

        /** The first millisecond of the first bucket. */
        public long fromMs() {
            return buckets.get(0);
        }

        /** The millisecond behind the last bucket. */
        public long toMs() {
            return buckets.get(buckets.size() - 1);
        }
    }

    /**
     * Sums of the partitions that were looked at.
     *
     * @param atMs when they were looked at, epoch milliseconds
     * @param partitionsMissing number of partitions that could not be looked at
     * @param hasWindows true if a policy limits sweeps to windows of the day
     * @param namespaces sums by namespace, of those with the most events
     * @param others number of other namespaces
     * @param sumOfOthers their sum; null if there are none
     */
    record Forecast(
            long atMs,
            int partitionsMissing,
            boolean hasWindows,
            Map<String, Sums> namespaces,
            int others,
            @Nullable Sums sumOfOthers) {}

    /**
     * Events by the time at which they fall due; every event is in exactly one of the sums behind the first.
     *
     * @param stored all events
     * @param overdue events that are due and still there, those over a cap included
     * @param sooner events that fall due before the first bucket
     * @param due events that fall due in each bucket
     * @param later events that fall due behind the last bucket
     * @param never events without a time to go
     */
    record Sums(Tally stored, Tally overdue, Tally sooner, List<Due> due, Tally later, Tally never) {

        public Sums {
            due = List.copyOf(due);
        }
    }

    /**
     * Events that fall due in one bucket.
     *
     * @param isExact false if some were spread between the times that are known of a long stream
     */
    record Due(Tally tally, boolean isExact) {}

    /**
     * Streams with events that fall due in a bucket.
     *
     * @param atMs when the partitions were looked at, epoch milliseconds
     * @param partitionsMissing number of partitions that could not be looked at
     * @param count number of such streams, whether or not on this page
     * @param due their events that fall due in the bucket
     * @param isExact true if that sum is exact
     * @param streams one page of them
     */
    record DueStreams(
            long atMs, int partitionsMissing, long count, Tally due, boolean isExact, List<DueStream> streams) {}

    /**
     * One such stream.
     *
     * @param due its events that fall due in the bucket
     * @param isExact true if that number is exact
     * @param firstMs when the first of them falls due, or the earliest time at which it may; epoch milliseconds
     * @param lastMs when the last of them falls due, or the latest time at which it may; epoch milliseconds
     * @param stored all its events
     */
    record DueStream(StreamName stream, Tally due, boolean isExact, long firstMs, long lastMs, Tally stored) {}

    /**
     * Place of a stream among all.
     *
     * @param events number of its events in the bucket
     */
    record Place(long events, String stream) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int byEvents = Long.compare(other.events, events);
            return byEvents == 0 ? stream.compareTo(other.stream) : byEvents;
        }
    }
}
