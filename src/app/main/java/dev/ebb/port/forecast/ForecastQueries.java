package dev.ebb.port.forecast;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts when events in the partitions of this instance fall due (C-3), from a summary of each stream rather than
 * from all events. Windows of sweeps do not count. Thread-safe.
 */
public interface ForecastQueries {

    /**
     * Returns sums by namespace.
     *
     * @param question the times of interest
     * @param partitions the partitions to look at
     * @param most the maximum number of namespaces to list individually; fewer if there are very many buckets
     * @throws dev.ebb.port.NotReadyException during the first look at the streams, if it takes long
     */
    Forecast forecast(Question question, Collection<Integer> partitions, int most);

    /**
     * Returns streams with events that fall due in the only bucket of the question, by number of such events, the
     * highest first, then by name.
     *
     * @param after the last stream of the previous page; null for the first page
     * @param limit the maximum number of streams to return
     * @throws dev.ebb.port.NotReadyException during the first look at the streams, if it takes long
     */
    DueStreams streams(Question question, Collection<Integer> partitions, @Nullable Place after, int limit);

    /**
     * Times of interest.
     *
     * @param namespace only streams of this namespace; null for all
     * @param buckets the times between the buckets, ascending: the first bucket begins at the first time, the last one
     *     ends before the last time; epoch milliseconds, at least two
     * @param policies policies by which to decide instead of those in force; null for those in force
     */
    record Question(
            @Nullable String namespace,
            List<Long> buckets,
            @Nullable PolicySet policies) {

        public Question {
            buckets = List.copyOf(buckets);
        }

        /** Returns the first millisecond of the first bucket. */
        public long fromMs() {
            return buckets.get(0);
        }

        /** Returns the millisecond behind the last bucket. */
        public long toMs() {
            return buckets.get(buckets.size() - 1);
        }
    }

    /**
     * Sums of the partitions that were looked at.
     *
     * @param atMs time of the look, epoch milliseconds
     * @param partitionsMissing number of partitions that could not be looked at
     * @param hasWindows true if a policy limits sweeps to windows of the day
     * @param readEvents number of events whose due times are known; those of the others are guessed from the first and
     *     the last of their stream until it is looked at more closely
     * @param namespaces sums of the namespaces with the most events
     * @param others number of other namespaces
     * @param sumOfOthers sum of the other namespaces; null if there are none
     */
    record Forecast(
            long atMs,
            int partitionsMissing,
            boolean hasWindows,
            long readEvents,
            Map<String, Sums> namespaces,
            int others,
            @Nullable Sums sumOfOthers) {}

    /**
     * Events by the time at which they fall due; every event is in exactly one of the sums behind the first.
     *
     * @param stored all events
     * @param overdue events that are due and still there, events over a cap included
     * @param sooner events that fall due before the first bucket
     * @param due events that fall due in each bucket
     * @param later events that fall due behind the last bucket
     * @param never events without a due time
     */
    record Sums(Tally stored, Tally overdue, Tally sooner, List<Due> due, Tally later, Tally never) {

        public Sums {
            due = List.copyOf(due);
        }
    }

    /**
     * Events that fall due in one bucket.
     *
     * @param isExact false if some events were spread evenly between the known times of a long stream
     */
    record Due(Tally tally, boolean isExact) {}

    /**
     * Streams with events that fall due in a bucket.
     *
     * @param atMs time at which the partitions were looked at, epoch milliseconds
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
     * @param due the events of the stream that fall due in the bucket
     * @param isExact true if that number is exact
     * @param firstMs the time at which the first of these events falls due, or the earliest possible one; epoch
     *     milliseconds
     * @param lastMs the time at which the last of these events falls due, or the latest possible one; epoch
     *     milliseconds
     * @param stored all events of the stream
     */
    record DueStream(StreamName stream, Tally due, boolean isExact, long firstMs, long lastMs, Tally stored) {}

    /**
     * Place of a stream among all.
     *
     * @param events number of events of the stream in the bucket
     */
    record Place(long events, String stream) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int byEvents = Long.compare(other.events, events);
            return byEvents == 0 ? stream.compareTo(other.stream) : byEvents;
        }
    }
}
